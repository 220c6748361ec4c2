package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB006",
	Name:     "subject-nobody-reads",
	Severity: design.Warning,
	Title:    "A workqueue stores messages that no consumer reads, and they stay there until a limit drops others.",
	Why: "A workqueue removes a message when it is acked. What no filter matches is never delivered and never leaves: it fills the stream until max_msgs or " +
		"max_bytes drop the oldest messages or refuse new ones (server/stream.go, v2.15.2; measured).",
	Fix:   "Add a consumer for the subject, widen a filter, or take the subject out of the stream. max_age bounds how long it stays.",
	Refs:  []string{"server/stream.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.unreadSubjects) },
})

func (f *Facts) unreadSubjects(s *Stream) {
	if len(s.Consumers) == 0 || s.Kind != "stream" || !f.knowsSubjects(s) || s.Config.Retention.String() == "Interest" {
		return
	}
	var filters []string
	for _, c := range s.Consumers {
		filters = append(filters, c.Filters()...)
	}
	workqueue := s.Config.Retention.String() == "WorkQueue"
	for _, p := range s.Publishers() {
		if witness, _, _ := p.outside(filters); witness != "" && p.All {
			f.reportUnread(s, p, filters, workqueue)
			return
		}
	}
	if len(s.Publishers()) > 0 || !workqueue {
		return
	}
	for i, subj := range s.Config.Subjects {
		if witness := subject.Uncovered(subj, filters); witness != "" {
			f.Report(design.Index(design.Join(s.Path, "subjects"), i), Said{Severity: design.Info,
				What: fmt.Sprintf("is not read in full: no consumer asks for %s, and in a workqueue it stays for ever", clip(witness)), Write: "add a consumer, or narrow the subject"})
			return
		}
	}
}

func (f *Facts) reportUnread(s *Stream, p Feed, filters []string, workqueue bool) {
	witness, low, high := p.outside(filters)
	it := "it"
	if n := len(f.unread(s, filters)); n > 1 {
		it = fmt.Sprintf("it or %s more like it", size.FormatCount(float64(n-1)))
	}
	if !workqueue {
		f.Report(s.Path, Said{Severity: design.Info, What: fmt.Sprintf("stores %s, and none of its consumers reads %s", clip(witness), it),
			Write: "add a consumer, or leave it so if others read it by sequence or subject"})
		return
	}
	said := Said{What: fmt.Sprintf("stores %s of publisher %s, and no consumer reads %s: it is never acked and never leaves", clip(witness), clip(p.Name), it),
		Write: "add a consumer for it, or take the subject out of the stream"}
	perDay := LoadOf([]Feed{p}).High * high * 86400
	switch {
	case perDay == 0:
		said.Severity = design.Info
	case low == high:
		said.What += fmt.Sprintf(", %s a day", messages(perDay))
		said.Figure = &Figure{"messages that stay", perDay, "msgs/day", Computed}
	default:
		said.What += fmt.Sprintf(", at most %s a day", messages(perDay))
		said.Figure = &Figure{"messages that stay", perDay, "msgs/day", Bound}
	}
	f.Report(s.Path, said)
}

// unread are the subjects that publishers send and no filter asks for, each one of
// what is only counted standing for all.
func (f *Facts) unread(s *Stream, filters []string) map[string]bool {
	out := map[string]bool{}
	for _, p := range s.Publishers() {
		subjects, _ := sentBy(p.Publisher)
		for _, sent := range subjects {
			if missing := subject.Uncovered(sent, filters); missing != "" && p.All {
				out[missing] = true
			}
		}
	}
	return out
}
