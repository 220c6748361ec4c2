package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON052",
	Name:     "delivered-again",
	Severity: design.Warning,
	Title:    "The consumer has delivered more messages than its stream ever had.",
	Why: "delivered.consumer_seq of consumer info counts deliveries, delivered.stream_seq is the last message that was delivered (server/consumer.go, v2.15.2). What the first is above " +
		"the second came more than once: after ack_wait, after naks, or after a restart.",
	Fix:   "Compare ack_wait with the work, and look for naks without a delay.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.deliveredAgain) },
})

func (f *Facts) deliveredAgain(c *Consumer) {
	deliveries, ok := f.Observed(c.Path, "delivered", "consumer_seq")
	last, too := f.Observed(c.Path, "delivered", "stream_seq")
	again := deliveries - last
	if !ok || !too || last <= 0 || again < 100 || float64(again) < 0.01*float64(last) {
		return
	}
	f.Report(c.Path, Said{
		What:   fmt.Sprintf("has made %d deliveries up to message %d: at least %s of them were repeats", deliveries, last, percent(float64(again)/float64(deliveries))),
		Write:  "compare ack_wait with the work, and nak with a delay",
		Figure: &Figure{"deliveries that were repeats", float64(again) / float64(deliveries), "share", Bound}})
}
