package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB015",
	Name:     "gives-up-before-election",
	Severity: design.Warning,
	Title:    "The publisher gives a message up before a new leader can be there.",
	Why: "When the leader of a stream is lost nobody answers until another is elected, 4 to 9 s after the last heartbeat (server/raft.go, v2.15.2). A publisher whose tries end before " +
		"that drops what it has.",
	Fix:   "Repeat under the same id for 30 s or more, and park what is left.",
	Refs:  []string{"server/raft.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.givesUp) },
})

func (f *Facts) givesUp(s *Stream) {
	gap := float64(natsapi.LimitOf("raft_election_max")) / 1e9
	for _, p := range s.Publishers() {
		parked := p.OnReject.Then != "" && p.OnReject.Then != "drop"
		if s.Config.Replicas < 2 || p.Mode == "core" || parked || p.RetryFor <= 0 || p.RetryFor.Seconds() >= gap {
			continue
		}
		lost := LoadOf([]Feed{p}).High * (gap - p.RetryFor.Seconds())
		f.Report(design.Join(p.Path, "retry_for"), Said{
			What:   fmt.Sprintf("is over before an election is, which takes %s at most, and the message is dropped then: at most %s each time", size.FormatSeconds(gap), messages(lost)),
			Write:  "write retry_for: 1m, and on_reject: {retry: 5, then: dlq}",
			Figure: &Figure{"messages lost by an election", lost, "msgs", Bound}})
	}
}
