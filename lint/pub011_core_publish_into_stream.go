package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/natsapi"
)

var _ = rule(Rule{
	Code:     "PUB011",
	Name:     "core-publish-into-stream",
	Severity: design.Warning,
	Title:    "A publisher that waits for no answer does not learn what the stream did not store.",
	Why: "A core publish is fire and forget: while a stream has no leader, after an election of 4 to 9 s or when its servers restart, messages are dropped and nobody is told; a refusal " +
		"is not seen either (server/raft.go, server/stream.go, v2.15.2; measured).",
	Fix:   "Publish with mode async or sync and a msg_id, and look at every answer.",
	Refs:  []string{"server/stream.go", "server/raft.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.corePublish) },
})

func (f *Facts) corePublish(s *Stream) {
	if s.Config.NoAck || s.Kind != "stream" || s.Config.Discard.String() == "New" {
		return // no answer is asked for; PUB001 is about full streams that refuse
	}
	gap := float64(natsapi.LimitOf("raft_election_max")) / 1e9
	for _, p := range s.Publishers() {
		if p.Mode != "core" {
			continue
		}
		lost := LoadOf([]Feed{p}).High * gap
		said := Said{
			What:   fmt.Sprintf("asks for no answer: what comes while stream %s has no leader, for %.0f s at most after each loss of one, is gone, at most %s", clip(s.Name), gap, messages(math.Ceil(lost))),
			Write:  "write mode: async",
			Figure: &Figure{"messages lost by an election", lost, "msgs", Bound}}
		if !f.lossForbidden(s) {
			said.Severity = design.Info
		}
		f.Report(design.Join(p.Path, "mode"), said)
	}
}

// lossForbidden reports whether a design shows that the messages of a stream
// matter: goals about loss and faults, replicas, or a queue.
func (f *Facts) lossForbidden(s *Stream) bool {
	for _, g := range []design.Goals{s.goals(), f.Goals} {
		if g.Lost > 0 || g.Path != "" && f.Has(design.Join(g.Path, "lost")) || len(g.Survive) > 0 {
			return true
		}
	}
	return s.Config.Replicas > 1 || s.Config.Retention.String() == "WorkQueue"
}
