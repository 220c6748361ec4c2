package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "STR014",
	Name:     "interest-in-a-part",
	Severity: design.Warning,
	Title:    "Of what this publisher sends, only what a filter asks for is kept; the rest is acknowledged and gone.",
	Why: "Interest is judged for the subject of each message: one that no filter of the stream's consumers matches is acknowledged and not stored " +
		"(server/stream.go, v2.15.2; 2.10.14 and older kept it).",
	Fix:   "Widen a filter, add a consumer, or write retention: limits.",
	Refs:  []string{"server/stream.go", "nats-server #5383"},
	Check: func(f *Facts) { f.AcceptedStreams(f.partlyInterested) },
})

// mostExpanded bounds the subjects of a publisher that are looked at one by one.
const mostExpanded = 2_000

func (f *Facts) partlyInterested(s *Stream) {
	if s.Config.Retention.String() != "Interest" || s.Kind != "stream" || f.sourcedBy(s) || len(s.Consumers) == 0 {
		return
	}
	var filters []string
	for _, c := range s.Consumers {
		filters = append(filters, c.Filters()...)
	}
	for _, p := range s.Publishers() {
		witness := subject.Uncovered(p.Pattern, filters)
		met := false
		for _, filter := range filters {
			met = met || subject.Meet(filter, p.Pattern)
		}
		if witness == "" || !met || !p.All {
			continue // all of it, or nothing: STR090
		}
		rate := LoadOf([]Feed{p}).High
		said := Said{Write: "widen a filter, add a consumer, or write retention: limits"}
		if all, kept := expansions(p.Publisher, filters); all > 0 && kept == all {
			continue
		} else if all > 0 {
			said.What = fmt.Sprintf("keeps %d of the %s of publisher %s: no consumer asks for the others, such as %s, which are acknowledged and removed at once", kept, counted(all, "subject"), clip(p.Name), firstOutside(p.Publisher, filters))
			said.Figure = &Figure{"subjects kept", float64(kept), "subjects", Computed}
		} else {
			said.What = fmt.Sprintf("keeps a part of publisher %s: no consumer asks for %s, and what is sent there is acknowledged and removed at once, at most %s messages a second",
				clip(p.Name), clip(witness), size.FormatCount(rate))
			said.Figure = &Figure{"acknowledged and lost", rate, "msgs/s", Bound}
		}
		f.Report(design.Join(s.Path, "retention"), said)
		return
	}
}

// namedSubjects are the subjects that a publisher sends, when all its tokens are
// given by name and there are not too many; nil otherwise.
func namedSubjects(p *design.Publisher) []string {
	out := []string{p.Subject}
	for _, t := range p.Tokens {
		if int64(len(t.Examples)) < max(t.Count, 1) || len(out)*len(t.Examples) > mostExpanded {
			return nil
		}
		var next []string
		for _, s := range out {
			for _, value := range t.Examples {
				next = append(next, strings.ReplaceAll(s, "{"+t.Name+"}", value))
			}
		}
		out = next
	}
	if strings.ContainsAny(out[0], "{}") {
		return nil
	}
	return out
}

// expansions counts a publisher's subjects and those that a filter matches; 0
// when the subjects are not all named.
func expansions(p *design.Publisher, filters []string) (all, matched int) {
	subjects := namedSubjects(p)
	for _, s := range subjects {
		if matchesAny(filters, s) {
			matched++
		}
	}
	return len(subjects), matched
}

func matchesAny(filters []string, s string) bool {
	for _, filter := range filters {
		if subject.Match(filter, s) {
			return true
		}
	}
	return false
}

func firstOutside(p *design.Publisher, filters []string) string {
	for _, s := range namedSubjects(p) {
		if !matchesAny(filters, s) {
			return clip(s)
		}
	}
	return ""
}
