package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON013",
	Name:     "max-ack-pending-caps-throughput",
	Severity: design.Warning,
	Title:    "max_ack_pending is less than the handlers, so it and not the workers sets the speed.",
	Why: "The server delivers nothing new while max_ack_pending messages are unacked (server/consumer.go, v2.15.2; the default is 1000). Each holds its " +
		"place from delivery to ack, so no more than max_ack_pending ÷ time to ack is handled, whatever is added in workers.",
	Fix:   "Give max_ack_pending at least the handlers plus what they fetch ahead; where 1 is meant, for order, share the subjects out to several consumers.",
	Refs:  []string{"server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.pendingCaps) },
})

func (f *Facts) pendingCaps(c *Consumer) {
	limit, handlers := c.Config.MaxAckPending, c.Handlers()
	if !c.Acks() || limit <= 0 || handlers == 0 || (handlers <= limit && limit > 1) {
		return
	}
	rate, known := c.PerSecond()
	if !known {
		f.Need("service_time of the workers")
		return
	}
	capped := rate * math.Min(1, float64(limit)/float64(handlers))
	said := Said{Value: fmt.Sprintf("%d, the default", limit), Severity: design.Info,
		What:   fmt.Sprintf("lets %d of %s work at a time: at most %s messages a second", min(limit, handlers), counted(handlers, "handler"), size.FormatCount(capped)),
		Write:  fmt.Sprintf("write max_ack_pending: %d or more", 2*handlers),
		Figure: &Figure{"messages a second", capped, "msgs/s", Computed}}
	if limit == 1 {
		said.What = fmt.Sprintf("handles one message after the other: at most %s a second, and one that fails holds up all behind it", size.FormatCount(capped))
		said.Write = "share the subjects out to several consumers where that is not enough"
	}
	if load := c.Load(); load.Known && load.Low > capped {
		said.Severity = ""
		said.What += fmt.Sprintf(", and %s arrive", size.FormatCount(load.Low))
	}
	f.Report(design.Join(c.Path, "max_ack_pending"), said)
}
