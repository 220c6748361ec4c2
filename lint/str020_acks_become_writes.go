package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR020",
	Name:     "acks-become-writes",
	Severity: design.Warning,
	Title:    "In a replicated workqueue every ack is one more entry of the stream's log, so its leader writes twice what is published.",
	Why: "The stream removes what is acked, and with replicas that is a proposal to the stream's RAFT group beside the consumer's own (server/stream.go, " +
		"server/jetstream_cluster.go, v2.15.2; measured: R3 publishes one at a time reach 5,700 a second on loopback).",
	Fix:   "Spread the work over several streams, or write retention: limits and let the consumer's position say what is done.",
	Refs:  []string{"server/jetstream_cluster.go", "nats-server #7487"},
	Check: func(f *Facts) { f.AcceptedStreams(f.replicatedAcks) },
})

// manyEntries is from where the log of one stream is worth a warning: about twice
// what R3 took one message at a time, batched less (measured on two cores).
const manyEntries = 10_000

func (f *Facts) replicatedAcks(s *Stream) {
	rate := s.Load().High
	if r := s.Config.Retention.String(); s.Config.Replicas < 2 || r != "WorkQueue" && r != "Interest" || 2*rate < manyEntries {
		return
	}
	f.Report(design.Join(s.Path, "retention"), Said{
		What: fmt.Sprintf("removes what is acked, and with %d replicas that is replicated too: %s messages a second make %s log entries a second, and each consumer's acks as much again",
			s.Config.Replicas, size.FormatCount(rate), size.FormatCount(2*rate)),
		Write: "divide it into several streams, or write retention: limits", Figure: &Figure{"log entries", 2 * rate, "entries/s", Computed}})
}
