package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB018",
	Name:     "worker-feeds-itself",
	Severity: design.Warning,
	Title:    "What the workers of a consumer publish comes back to them, and each round publishes it again.",
	Why: "A stream stores whatever is published on its subjects, its own readers' messages included; no_echo keeps a connection from its own core NATS messages only, and the server " +
		"delivers from the stream (server/client.go, server/consumer.go, v2.15.2; measured). One message is then handled without end, as fast as the workers can.",
	Fix:   "Publish results on a subject that the consumer's filter does not match, such as orders.*.done beside orders.*.new.",
	Refs:  []string{"nats.c issue 589", "server/consumer.go"},
	Check: func(f *Facts) { f.workersFeedThemselves() },
})

// feeding is that what the workers of a consumer publish is delivered to another.
type feeding struct {
	to   *Consumer
	by   *design.Publisher
	sure bool // all of it, whatever values placeholders have
}

func (f *Facts) workersFeedThemselves() {
	all := map[*Consumer][]feeding{}
	var from []*Consumer
	for _, scope := range f.Scopes() {
		for _, p := range scope.Publishers {
			for _, c := range f.publishesAfter(scope, p) {
				if all[c] == nil {
					from = append(from, c)
				}
				all[c] = append(all[c], f.fedBy(scope, p)...)
			}
		}
	}
	told := map[*Consumer]bool{}
	for _, c := range from {
		way := roundTrip(all, func(one feeding) *Consumer { return one.to }, c)
		if way == nil || told[c] {
			continue
		}
		for _, step := range way {
			told[step.to] = true
		}
		f.reportFeeding(c, way)
	}
	f.sameName(told)
}

// publishesAfter are the consumers whose workers publish; it speaks of a name that
// none or several have.
func (f *Facts) publishesAfter(scope *design.Scope, p *design.Publisher) []*Consumer {
	if p.After == "" {
		return nil
	}
	var out []*Consumer
	for _, s := range f.Streams {
		for _, c := range s.Consumers {
			if s.Scope == scope && (p.After == s.Name+"/"+c.Name || p.After == c.Name) {
				out = append(out, c)
			}
		}
	}
	if len(out) != 1 {
		f.Report(design.Join(p.Path, "after"), Said{Severity: design.Info, Write: "write STREAM/consumer",
			What: fmt.Sprintf("names %s of the design, and what these workers publish is not followed", counted(len(out), "consumer"))})
		return nil
	}
	return out
}

// fedBy are the consumers that get what a publisher sends, from the streams that
// capture it and from those that copy them under the same subjects.
func (f *Facts) fedBy(scope *design.Scope, p *design.Publisher) []feeding {
	sent, _ := sentBy(p)
	holds := map[*Stream]bool{}
	for more := true; more; {
		more = false
		for _, s := range f.Streams {
			if !holds[s] && s.Scope == scope && s.Accepted && (captures(s, sent) || s.copiesAny(holds)) {
				holds[s], more = true, true
			}
		}
	}
	var out []feeding
	for _, s := range f.Streams {
		for _, c := range s.Consumers {
			if !holds[s] || !c.Accepted {
				continue
			}
			met, sure := false, true
			for _, subj := range sent {
				met = met || slices.ContainsFunc(c.Filters(), func(o string) bool { return subject.Meet(o, subj) })
				sure = sure && slices.ContainsFunc(c.Filters(), func(o string) bool { return subject.CoversAll(o, subj) })
			}
			if met {
				out = append(out, feeding{c, p, sure})
			}
		}
	}
	return out
}

// captures reports whether a stream stores some of the subjects under their own
// names.
func captures(s *Stream, sent []string) bool {
	if s.Config.SubjectTransform != nil {
		return false
	}
	for _, own := range s.Config.Subjects {
		if slices.ContainsFunc(sent, func(subj string) bool { return subject.Meet(own, subj) }) {
			return true
		}
	}
	return false
}

// copiesAny reports whether a stream copies one of others and changes no subject.
func (s *Stream) copiesAny(others map[*Stream]bool) bool {
	sources := slices.Clone(s.Config.Sources)
	if s.Config.Mirror != nil {
		sources = append(sources, s.Config.Mirror)
	}
	for _, src := range sources {
		for o := range others {
			if o.Config.Name == src.Name && src.External == nil && len(src.SubjectTransforms) == 0 && s.Config.SubjectTransform == nil {
				return true
			}
		}
	}
	return false
}

func (f *Facts) reportFeeding(c *Consumer, way []feeding) {
	name := func(c *Consumer) string { return clip(c.Of.Name) + "/" + clip(c.Name) }
	said := Said{Write: "publish on a subject that this consumer's filter does not match",
		What:   fmt.Sprintf("comes back to consumer %s, whose workers publish it: each message is handled and published again without end", name(c)),
		Figure: &Figure{"more messages for each one", float64(len(way)), "msgs/round", Bound}}
	if len(way) > 1 {
		var through []string
		for _, step := range way[:len(way)-1] {
			through = append(through, name(step.to))
		}
		said.What = fmt.Sprintf("comes back through the workers of %s to consumer %s: each message is handled and published again without end", strings.Join(through, ", "), name(c))
	}
	if rate, known := c.PerSecond(); known {
		said.What += fmt.Sprintf(", at up to %s a second", perSecond(rate))
	}
	if slices.ContainsFunc(way, func(s feeding) bool { return !s.sure }) {
		said.Severity = design.Info
		said.What = strings.Replace(said.What, "comes back", "may come back, as its placeholders decide,", 1)
	}
	f.Report(design.Join(way[0].by.Path, "subject"), said)
}

// sameName is about a publisher called as a consumer that gets its messages: they
// may be one program.
func (f *Facts) sameName(told map[*Consumer]bool) {
	f.Consumers(func(c *Consumer) {
		if !slices.ContainsFunc(c.Of.Publishers(), func(p Feed) bool { return p.Name == c.Name && p.After == "" }) {
			return // nearly always, and faster
		}
		for _, p := range c.Publishers() {
			if p.Name == c.Name && p.All && p.After == "" && !told[c] {
				f.Report(design.Join(p.Path, "subject"), Said{Severity: design.Info,
					What:  fmt.Sprintf("is read by consumer %s/%s, which has the publisher's name: where they are one program that publishes what it handles, each message comes back without end", clip(c.Of.Name), clip(c.Name)),
					Write: fmt.Sprintf("write after: %s/%s where they are, and a subject that its filter does not match", clip(c.Of.Name), clip(c.Name))})
				return
			}
		}
	})
}
