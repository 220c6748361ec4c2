package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "STR013",
	Name:     "interest-fed-by-copies",
	Severity: design.Warning,
	Title:    "What is copied into a stream of interest that no consumer reads is dropped there, and nothing goes on.",
	Why: "A copied message passes the same test as a published one: without a consumer whose filter matches it is not stored, and what is not stored is neither " +
		"republished nor sourced by others (server/stream.go, v2.15.2).",
	Fix:   "Write retention: limits with a short max_age for a stream that only passes messages on.",
	Refs:  []string{"server/stream.go", "nats-server #5003"},
	Check: func(f *Facts) { f.AcceptedStreams(f.copiedWithoutInterest) },
})

func (f *Facts) copiedWithoutInterest(s *Stream) {
	if s.Config.Retention.String() != "Interest" || len(s.Consumers) > 0 || len(s.Config.Sources) == 0 && s.Config.Mirror == nil || f.sourcedBy(s) {
		return
	}
	said := Said{What: "stores nothing of what is copied into it, as it has no consumer", Write: "write retention: limits and a short max_age, or a consumer",
		Figure: &Figure{"messages stored", 0, "msgs", Computed}}
	if sized := f.SizeOf(s.Path); sized != nil {
		rate := 0.0
		for _, a := range sized.Arrivals {
			rate += a.Rate.Value
		}
		if rate > 0 {
			said.What += fmt.Sprintf(": %s a second are dropped", perSecond(rate))
			said.Figure = &Figure{"copied and dropped", rate, "msgs/s", Computed}
		}
	}
	if s.Config.RePublish != nil {
		said.What += ", and nothing is republished"
	}
	f.Report(design.Join(s.Path, "retention"), said)
}
