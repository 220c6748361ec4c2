package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/natsapi"
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

// judgesEachSubject is the first release that looks for interest by subject; older
// ones keep a message when the stream has any consumer.
var judgesEachSubject = natsapi.Version{Major: 2, Minor: 10, Patch: 15}

func (f *Facts) partlyInterested(s *Stream) {
	if s.Config.Retention.String() != "Interest" || s.Kind != "stream" || f.sourcedBy(s) || len(s.Consumers) == 0 {
		return
	}
	var filters []string
	for _, c := range s.Consumers {
		filters = append(filters, c.Filters()...)
	}
	for _, p := range s.Publishers() {
		witness, low, high := p.outside(filters)
		if witness == "" || low == 1 || !p.All {
			continue // all of it, or nothing: STR090
		}
		rate := LoadOf([]Feed{p}).High * high
		said := Said{Write: "widen a filter, add a consumer, or write retention: limits",
			Figure: &Figure{"acknowledged and lost", rate, "msgs/s", Bound}}
		lost, gone := "which are acknowledged and removed at once", "what is sent there is acknowledged and removed at once"
		if !s.Version.AtLeast(judgesEachSubject) {
			lost, gone = "which stay until a limit drops them; from 2.10.15 on they are removed at once", "what is sent there stays until a limit drops it (from 2.10.15 on it is removed at once)"
			said.Figure.Name = "stored and never read"
		}
		if subjects, _ := sentBy(p.Publisher); low == high && len(subjects) > 1 && !strings.Contains(strings.Join(subjects, " "), subject.One) {
			kept := 0
			for _, sent := range subjects {
				if subject.Uncovered(sent, filters) == "" {
					kept++
				}
			}
			said.What = fmt.Sprintf("keeps %d of the %s of publisher %s: no consumer asks for the others, such as %s, %s", kept, counted(len(subjects), "subject"), clip(p.Name), clip(witness), lost)
			said.Figure = &Figure{"subjects kept", float64(kept), "subjects", Computed}
		} else {
			said.What = fmt.Sprintf("keeps a part of publisher %s: no consumer asks for %s, and %s, at most %s a second",
				clip(p.Name), clip(witness), gone, perSecond(rate))
		}
		f.Report(design.Join(s.Path, "retention"), said)
		return
	}
}
