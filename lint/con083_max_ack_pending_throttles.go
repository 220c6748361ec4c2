package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
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
	if limit <= 1 || !c.Acks() || !ok { // one at a time is chosen, and CON023 speaks of it
		return
	}
	if hands <= limit {
		f.ackAllThrottles(c)
		return
	}
	most := rate * float64(limit) / float64(hands)
	load := c.Load()
	said := Said{What: fmt.Sprintf("is less than the %d messages that the workers handle at a time: at most %s a second, and %s", hands, perSecond(most), size.Counted(hands-limit, "handler waits", "handlers wait")),
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

// ackAllThrottles is about workers that ack all that came since the last ack, at a
// checkpoint: what is out until then is bounded, whatever one handler does with it.
func (f *Facts) ackAllThrottles(c *Consumer) {
	if c.Config.AckPolicy.String() != "All" || len(c.Workers) != 1 || c.Handlers() != 1 {
		return
	}
	limit, load := c.Config.MaxAckPending, c.Load()
	between, _ := Mean(c.Workers[0].ServiceTime)
	most := float64(limit) / between.Seconds()
	if !load.Known || load.Low <= most {
		return
	}
	f.Report(design.Join(c.Path, "max_ack_pending"), Said{Value: fmt.Sprintf("%d, the default", limit),
		What: fmt.Sprintf("is all that may be out between two acks, %s apart: at most %s a second where each ack is for all of it, and %s arrive",
			size.FormatDuration(between), perSecond(most), perSecond(load.Low)),
		Write:  fmt.Sprintf("write max_ack_pending: %d or more", int(math.Ceil(2*load.Low*between.Seconds()))),
		Figure: &Figure{"throughput at most", most, "msg/s", Bound}})
}
