package lint

import (
	"fmt"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB013",
	Name:     "request-on-a-stream",
	Severity: design.Warning,
	Title:    "A service answers requests on a subject that a stream captures, and the client gets two answers.",
	Why: "A stream answers each message that has a reply subject with its own ack (server/stream.go, v2.15.2). A request takes the first answer, which is " +
		"the stream's, and never sees the service's.",
	Fix:  "Move the service to a subject that no stream captures, or write no_ack: true for the stream.",
	Refs: []string{"server/stream.go"},
	Check: func(f *Facts) {
		f.AcceptedStreams(func(s *Stream) {
			for _, sub := range s.Scope.Subscribers {
				f.twoAnswers(s, sub)
			}
		})
	},
})

func (f *Facts) twoAnswers(s *Stream, sub *design.Subscriber) {
	if sub.Reply.Kind == design.DistAbsent || s.Config.NoAck || !subject.Valid(sub.Subject) {
		return
	}
	for _, subj := range s.Config.Subjects {
		if !subject.Valid(subj) || !subject.Meet(sub.Subject, subj) {
			continue
		}
		rel := subject.Relate(sub.Subject, subj)
		f.Report(design.Join(sub.Path, "subject"), Said{
			What:   fmt.Sprintf("is answered twice: by this service and by stream %s, which captures %s; a request takes the first answer, the stream's ack", clip(s.Name), clip(rel.Both)),
			Write:  "move the service to another subject, or write no_ack: true for the stream",
			Figure: &Figure{"answers to a request", 2, "msgs", Computed}})
		return
	}
}
