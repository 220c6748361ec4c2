package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON050",
	Name:     "unacked-near-limit",
	Severity: design.Warning,
	Title:    "Nearly as many messages are unacked as may be, and then nothing more is delivered.",
	Why: "At max_ack_pending delivery stops until somebody acks or ack_wait ends (server/consumer.go, v2.15.2; measured). num_ack_pending of consumer info says how many there are; one that " +
		"stays near the limit has workers that do not ack.",
	Fix:   "Look whether the workers ack, and after what time; messages that ran out of tries do not count here.",
	Refs:  []string{"server/consumer.go", "nats-server issue 7680"},
	Check: func(f *Facts) { f.Consumers(f.nearLimit) },
})

// nearlyFull is the share of a limit from which it is as good as reached.
const nearlyFull = 0.9

func (f *Facts) nearLimit(c *Consumer) {
	unacked, ok := f.Observed(c.Path, "num_ack_pending")
	limit := c.Config.MaxAckPending
	if !ok || !c.Acks() || limit <= 1 || float64(unacked) < nearlyFull*float64(limit) {
		return
	}
	said := Said{What: fmt.Sprintf("has %d of at most %d messages unacked: delivery stops at the limit", unacked, limit),
		Write:  "look whether the workers ack, before raising max_ack_pending",
		Figure: &Figure{"messages unacked", float64(unacked), "msgs", Computed}}
	if waiting, ok := f.Observed(c.Path, "num_pending"); ok && waiting > 0 {
		said.What += fmt.Sprintf(", and %s wait", messages(float64(waiting)))
	}
	f.Report(c.Path, said)
}
