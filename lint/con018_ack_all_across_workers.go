package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON018",
	Name:     "ack-all-across-workers",
	Severity: design.Warning,
	Title:    "One ack acknowledges what other workers still have in hand.",
	Why: "With ack_policy all an ack counts for the message and all before it (server/consumer.go, v2.15.2; measured: the ack of the third removes three). Where several handlers share " +
		"the consumer, the fastest acknowledges the work of the slower ones, and what those then fail at is not delivered again.",
	Fix:   "Use ack_policy: explicit, or one worker that handles one message at a time.",
	Refs:  []string{"server/consumer.go", "nats.rs issue 1252"},
	Check: func(f *Facts) { f.Consumers(f.ackAllShared) },
})

func (f *Facts) ackAllShared(c *Consumer) {
	if c.Config.AckPolicy.String() != "All" {
		return
	}
	if len(c.Workers) == 0 && c.Config.DeliverGroup != "" {
		f.Need("the workers of a consumer, with their service_time")
		f.Report(design.Join(c.Path, "ack_policy"), Said{Severity: design.Info, Write: "write ack_policy: explicit",
			What: "lets one member of a deliver_group acknowledge what the others are at, which is then not delivered again when they fail"})
	}
	if c.Handlers() < 2 {
		return
	}
	others := c.InHand() - 1
	if limit := c.Config.MaxAckPending; limit > 0 {
		others = min(others, limit-1)
	}
	if others < 1 {
		return
	}
	f.Report(design.Join(c.Path, "ack_policy"), Said{
		What:   fmt.Sprintf("lets one of %d handlers acknowledge what the others are at: at most %s are acked before they are done, and lost when that fails", c.Handlers(), counted(others, "message")),
		Write:  "write ack_policy: explicit",
		Figure: &Figure{"messages acked before they are done", float64(others), "msgs", Bound}})
}
