package lint

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
	"weir/verdict"
)

// stored is a configuration as a server echoes it.
type stored struct{ *design.Node }

func storedConfig(config []byte) stored {
	n, _ := design.ParseJSON(design.NewSource("", config))
	return stored{n}
}

// raw is a value as JSON, "" where there is none.
func (c stored) raw(name string) string {
	n := c.Get(name)
	if n == nil {
		return ""
	}
	return string(n.Src.Text[n.Start:n.End])
}

func (c stored) text(name string) string {
	if n := c.Get(name); n.IsScalar() {
		return n.Text
	}
	return c.raw(name)
}

// limit is a number of which 0 and below stand for none; the largest number then.
func (c stored) limit(name string) int64 {
	n, err := strconv.ParseInt(c.text(name), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64
	}
	return n
}

// updateEffects are sentences about what an update in place does beside what it
// writes: what the server sets along with it, what it deletes, what it passes over.
// Held to nats-server 2.15.2 by TestUpdateEffects of package prove; the limits in
// filestore.go and memstore.go, UpdateConfig, sealed in stream.go,
// configUpdateCheck.
func updateEffects(s verdict.Step, changes []design.Change) []string {
	was, now := storedConfig(s.Was), storedConfig(s.Answer.Config)
	switch s.Kind {
	case "stream":
		return slices.Concat(alsoSet(s, natsapi.Stream, was, now, changes), streamEffects(s, was, now))
	case "consumer":
		return slices.Concat(alsoSet(s, natsapi.Consumer, was, now, changes), consumerEffects(s, was, now))
	}
	return streamEffects(s, was, now)
}

// alsoSet names what the server changes and the design does not.
func alsoSet(s verdict.Step, asset natsapi.Asset, was, now stored, changes []design.Change) []string {
	var set []string
	for _, f := range natsapi.Fields(asset) {
		path := design.Join(s.Path, f.Name)
		written := slices.ContainsFunc(changes, func(c design.Change) bool {
			rest, below := strings.CutPrefix(c.Path, path)
			return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
		if f.Name != "metadata" && !written && was.raw(f.Name) != now.raw(f.Name) && now.raw(f.Name) != "" {
			set = append(set, f.Name+": "+wireText(&f, now.raw(f.Name)))
		}
	}
	if set == nil {
		return nil
	}
	return []string{"the server sets with it " + strings.Join(set, ", ")}
}

func streamEffects(s verdict.Step, was, now stored) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, limit := range []struct {
		name, what string
		kept       bool // discard new keeps what is there already
	}{
		{"max_msgs", "the oldest messages beyond it are deleted at once", true},
		{"max_bytes", "the oldest messages beyond it are deleted at once", true},
		{"max_msgs_per_subject", "the oldest messages of each subject beyond it are deleted at once", false},
		{"max_age", "messages that are older are deleted at once", false},
	} {
		if now.limit(limit.name) < was.limit(limit.name) && !(limit.kept && now.text("discard") == "new") {
			say("%s is lower than before: %s", spelled(s.Request, limit.name), limit.what)
		}
	}
	if was.raw("first_seq") != now.raw("first_seq") {
		say("first_seq has no effect on a stream that exists")
	}
	if was.text("retention") != "interest" && now.text("retention") == "interest" && s.Consumers == 0 {
		say("with retention interest and no consumer all messages are deleted at once")
	}
	if was.text("sealed") != "true" && now.text("sealed") == "true" {
		say("nothing can be published, deleted or purged any more, and no update takes that back")
	}
	return out
}

// spelled is what the design calls a field of the request: history in a bucket.
func spelled(r *design.Request, name string) string {
	if path := r.DesignPath(name); path != r.Path {
		return strings.TrimPrefix(path, r.Path+".")
	}
	return name
}

func consumerEffects(s verdict.Step, was, now stored) []string {
	var out []string
	if left := noLongerAskedFor(was, now); left != "" {
		switch storedConfig(s.Owner).text("retention") {
		case "interest":
			out = append(out, "the stream has retention interest: messages of the old filter that no other consumer wants are deleted at once, handled or not")
		case "workqueue":
			out = append(out, fmt.Sprintf("what is stored of %s stays, and this consumer does not get it any more: purge it, or give it to another consumer", clip(left)))
		}
	}
	if now.limit("max_deliver") < was.limit("max_deliver") {
		out = append(out, fmt.Sprintf("max_deliver is lower than before: messages that were delivered %s or more and are not acked are not delivered again", times(now.limit("max_deliver"))))
	}
	return out
}

// noLongerAskedFor is a filter of before that those of now do not cover, "" where
// they cover all.
func noLongerAskedFor(was, now stored) string {
	asked := now.filters()
	for _, old := range was.filters() {
		if subject.Uncovered(old, asked) != "" {
			return old
		}
	}
	return ""
}

// filters are a consumer's, everything where it has none.
func (c stored) filters() []string {
	var out []string
	if one := c.text("filter_subject"); one != "" {
		out = append(out, one)
	}
	if list := c.Get("filter_subjects"); list.IsList() {
		for _, n := range list.Items {
			out = append(out, n.Text)
		}
	}
	if out == nil {
		return []string{subject.Rest}
	}
	return out
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
