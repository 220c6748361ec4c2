package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON046",
	Name:     "partition-out-of-order",
	Severity: design.Warning,
	Title:    "A partition that is to keep its order has many messages in flight.",
	Why: "A message that is delivered again comes after those that were out at the same time (server/consumer.go, v2.15.2; measured). With max_ack_pending above 1, or several " +
		"handlers, those of the same key are handled before it.",
	Fix:   "Write max_ack_pending: 1 for each partition, or one worker with fetch 1; more partitions bring the throughput back.",
	Refs:  []string{"server/consumer.go", "nats-server issue 2043"},
	Check: func(f *Facts) { f.AcceptedStreams(f.outOfOrder) },
})

func (f *Facts) outOfOrder(s *Stream) {
	groups, fromZero := map[string]int{}, map[string]bool{}
	for _, c := range s.Consumers {
		if shape, number := partitionOf(c); shape != "" {
			groups[shape]++
			fromZero[shape] = fromZero[shape] || number == 0
		}
	}
	for _, c := range s.Consumers {
		out := c.Config.MaxAckPending
		if hands := c.InHand(); hands > 0 && !c.IsPush() && (out < 0 || hands < out) {
			out = hands
		}
		shape, _ := partitionOf(c)
		if groups[shape] < 2 || !fromZero[shape] {
			continue // numbers that begin with 1 are priorities, floors and the like
		}
		if !c.Accepted || !c.Acks() || out < 2 {
			continue
		}
		value := fmt.Sprintf("%d, the default", c.Config.MaxAckPending)
		f.Report(design.Join(c.Path, "max_ack_pending"), Said{Value: value,
			What:   fmt.Sprintf("lets at most %d messages of the partition be handled before one that failed: the order of a key is kept only while nothing fails", out-1),
			Write:  "write max_ack_pending: 1 where the order matters",
			Figure: &Figure{"messages handled before an earlier one", float64(out - 1), "msgs", Bound}})
	}
}
