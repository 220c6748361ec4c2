package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "STR015",
	Name:     "schedules-without-interest",
	Severity: design.Warning,
	Title:    "A schedule that no consumer is interested in is acknowledged, not stored, and never fires.",
	Why: "A schedule is a message on a subject of its own. Under retention interest it is kept only while a consumer's filter matches that subject, and workers ask " +
		"for the subjects that schedules deliver to (server/stream.go, v2.15.2; ADR-51).",
	Fix:   "Write retention: workqueue or limits with max_age for the stream of schedules.",
	Refs:  []string{"server/stream.go", "ADR-51", "nats-server #7408"},
	Since: natsapi.Version{Major: 2, Minor: 12},
	Check: func(f *Facts) { f.AcceptedStreams(f.schedulesWithoutInterest) },
})

func (f *Facts) schedulesWithoutInterest(s *Stream) {
	if !s.Config.AllowMsgSchedules || s.Config.Retention.String() != "Interest" {
		return
	}
	var filters []string
	for _, c := range s.Consumers {
		filters = append(filters, c.Filters()...)
	}
	for _, subj := range s.Config.Subjects {
		witness := subject.Uncovered(subj, filters)
		if witness == "" {
			continue
		}
		f.Report(design.Join(s.Path, "allow_msg_schedules"), Said{
			What:  fmt.Sprintf("goes with retention interest here, and no consumer asks for %s: of the schedules sent there 0 are stored and 0 fire", clip(witness)),
			Write: "write retention: limits and max_age, or workqueue", Figure: &Figure{"schedules stored", 0, "msgs", Bound}})
		return
	}
}
