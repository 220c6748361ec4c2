package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
)

func (c *checker) countRefused(kind string) {
	switch n := &c.report.Refused; kind {
	case "stream":
		n.Streams++
	case "consumer":
		n.Consumers++
	default:
		n.Buckets++
	}
}

// Verdict is the report in one sentence: what the servers do not take, else what
// cannot be read or means nothing, else that they accept it. Sentence counts; Verdict judges.
func (r Report) Verdict() string {
	if r.Streams+r.Buckets+r.Consumers == 0 {
		if n := r.unread(); n > 0 {
			return r.unreadPlaces(n) + ", and nothing is left to judge"
		}
		return "No stream, bucket or consumer to judge"
	}
	var refused, accepted []string
	for _, n := range []struct {
		no, all int
		word    string
	}{{r.Refused.Streams, r.Streams, "stream"}, {r.Refused.Buckets, r.Buckets, "bucket"}, {r.Refused.Consumers, r.Consumers, "consumer"}} {
		if n.no > 0 {
			refused = append(refused, fmt.Sprintf("%d of %s", n.no, counted(n.all, n.word)))
		}
		if n.all > 0 {
			accepted = append(accepted, counted(n.all, n.word))
		}
	}
	who := "nats-server " + strings.Join(r.versionTexts(), " and ")
	switch {
	case len(refused) > 0:
		return who + " refuses " + joinAnd(refused)
	case r.unread() > 0:
		return r.unreadPlaces(r.unread()) + "; " + who + " accepts the rest"
	}
	return who + " accepts " + joinAnd(accepted)
}

// unread counts what the readers could not understand.
func (r Report) unread() int {
	n := 0
	for _, f := range r.Findings {
		if f.unread() {
			n++
		}
	}
	return n
}

// unreadPlaces says of n such places what is wrong: one that is read and means nothing
// (a key that nobody has, a value out of its kind) is not said to be unreadable.
func (r Report) unreadPlaces(n int) string {
	unreadable := []design.Code{design.CodeSyntax, design.CodeLimit, design.CodeEncoding, design.CodeNotation}
	for _, f := range r.Findings {
		switch {
		case !f.unread() || slices.Contains(unreadable, design.Code(f.Code)):
		case n == 1:
			return "1 place has to be mended"
		default:
			return counted(n, "place") + " have to be mended"
		}
	}
	return counted(n, "place") + " cannot be read"
}

func (f Finding) unread() bool {
	return f.Severity == design.Error && f.ErrCode == 0 && strings.HasPrefix(f.Code, "FILE")
}

func (r Report) versionTexts() []string {
	out := make([]string, len(r.Versions))
	for i, v := range r.Versions {
		out[i] = v.String()
	}
	return out
}

func joinAnd(list []string) string {
	last := len(list) - 1
	if last < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
