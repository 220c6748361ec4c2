package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON083",
	Name:     "max-ack-pending-throttles",
	Severity: design.Warning,
	Title:    "max_ack_pending lets fewer messages out than the workers could have in hand.",
	Why: "max_ack_pending is one limit for all workers of a consumer: at it, nothing more is delivered until somebody acks (server/consumer.go, v2.15.2; measured). " +
		"By Little's law the consumer then finishes at most max_ack_pending / service time a second, however many workers there are.",
	Fix:   "Write a max_ack_pending of at least count × concurrency, with room for what waits in the workers' batches.",
	Refs:  []string{"server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.ackPendingThrottles) },
})

// roomyAckPending is a max_ack_pending for the handlers that there are and those that
// what arrives needs: as many again for what waits in the workers' batches, and no
// less than they fetch at a time.
func (c *Consumer) roomyAckPending() int {
	n := max(2*c.Handlers(), c.InHand())
	if _, known := c.PerSecond(); known {
		if needed := c.handlersFor(c.Load().Low); needed > n {
			n = 2 * needed
		}
	}
	return n
}

func (f *Facts) ackPendingThrottles(c *Consumer) {
	limit, hands := c.Config.MaxAckPending, c.Handlers()
	rate, ok := c.PerSecond()
	if limit <= 1 || !c.Acks() || !ok || hands <= limit { // one at a time is chosen, and CON023 speaks of it
		return
	}
	most := rate * float64(limit) / float64(hands)
	load := c.Load()
	said := Said{What: fmt.Sprintf("is less than the %d messages that the workers handle at a time: at most %s a second, and %d handlers wait", hands, perSecond(most), hands-limit),
		Write: fmt.Sprintf("write max_ack_pending: %d", c.roomyAckPending()), Figure: &Figure{"throughput at most", most, "msg/s", Bound}}
	if !f.Has(design.Join(c.Path, "max_ack_pending")) {
		said.Value = fmt.Sprintf("%d, the default", limit)
	}
	if load.Known && load.High < most {
		said.Severity = design.Info
	} else if load.Known {
		said.What += fmt.Sprintf("; %s arrive", perSecond(load.High))
	}
	f.Report(design.Join(c.Path, "max_ack_pending"), said)
}
