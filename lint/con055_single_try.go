package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON055",
	Name:     "single-try",
	Severity: design.Warning,
	Title:    "With max_deliver 1 nothing that a worker had in hand is ever tried again.",
	Why: "A delivery counts as a try when it is sent. A worker that dies, or takes longer than ack_wait, has used the only one; the message is not delivered again, and an advisory says so " +
		"(server/consumer.go, v2.15.2; measured).",
	Fix:   "Allow some tries with a delay between them, or use ack_policy none where losing is meant.",
	Refs:  []string{"server/consumer.go", "nats-server issue 6538"},
	Check: func(f *Facts) { f.Consumers(f.singleTry) },
})

func (f *Facts) singleTry(c *Consumer) {
	if c.Config.MaxDeliver != 1 || !c.Acks() || c.Ephemeral() || f.advisoriesRead(c, "MAX_DELIVERIES") {
		return
	}
	said := Said{What: "is one try only: what a worker has in hand when it dies is never handled", Write: "write max_deliver: 5, and nak with a delay"}
	if hands := c.InHand(); hands > 0 {
		said.What += fmt.Sprintf(", at most %s at a time", counted(hands, "message"))
		said.Figure = &Figure{"messages lost when the workers die", float64(hands), "msgs", Bound}
	} else {
		f.Need("the workers of a consumer, with their service_time")
		said.Severity = design.Info
	}
	f.Report(design.Join(c.Path, "max_deliver"), said)
}
