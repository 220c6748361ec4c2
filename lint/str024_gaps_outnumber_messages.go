package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR024",
	Name:     "gaps-outnumber-messages",
	Severity: design.Warning,
	Title:    "The stream holds more gaps than messages, and a replica that comes back has to learn of each.",
	Why: "Acks in a workqueue, purges and limits of a subject delete in the middle, and one old message keeps all gaps behind it. A scan goes through them all, and a catch-up of older " +
		"releases too, up to ten times as many as messages; 2.15.2 goes around them from twice as many or a million on (server/jetstream_cluster.go runCatchup; nats-server pull request 7512).",
	Fix:   "Find what holds the oldest messages (a slow consumer, a key that is never written again) and let go of it; keep short-lived and long-lived messages in streams of their own.",
	Refs:  []string{"server/jetstream_cluster.go", "nats-server #7512"},
	Check: func(f *Facts) { f.AcceptedStreams(f.gaps) },
})

// manyGaps is from where a catch-up takes seconds.
const manyGaps = 1_000_000

func (f *Facts) gaps(s *Stream) {
	deleted, ok := f.Observed(s.Path, "state", "num_deleted")
	messages, _ := f.Observed(s.Path, "state", "messages")
	if !ok || deleted < manyGaps || deleted < messages {
		return
	}
	ratio := float64(deleted) / float64(max(messages, 1))
	f.Report(s.Path, Said{
		What:   fmt.Sprintf("holds %s messages and %s gaps between them, %.3g for each: a replica that catches up, and a scan, go through all of them", size.FormatCount(float64(messages)), size.FormatCount(float64(deleted)), ratio),
		Write:  "find what keeps the oldest messages, and let go of it",
		Figure: &Figure{"gaps for each message", ratio, "gaps", Computed}})
}
