package lint

import (
	"fmt"
	"math"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON012",
	Name:     "delayed-naks-hold-slots",
	Severity: design.Warning,
	Title:    "Messages that wait for their nak delay, or for ack_wait, count against max_ack_pending, and delivery stops when they fill it.",
	Why: "A message that was nakked with a delay stays pending until the delay is over (server/consumer.go, v2.15.2: processNak keeps it in the pending " +
		"list), and one that is not answered until ack_wait is over. Share of failures × rate × delay of them wait at any time; at max_ack_pending nothing new is delivered, good messages included.",
	Fix:   "Give max_ack_pending more than the naks that wait, shorten the delay, or term the message and park a copy elsewhere.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.naksHold) },
})

func (f *Facts) naksHold(c *Consumer) {
	load, limit := c.Load(), c.Config.MaxAckPending
	if !c.Acks() || limit <= 0 || len(c.Workers) == 0 {
		return
	}
	groups := float64(len(c.Workers))
	for _, w := range c.Workers {
		for _, e := range w.Errors {
			delay, how := e.Delay, "nak after "+design.FormatDuration(int64(e.Delay))
			if e.WaitsOut() {
				delay, _ = c.AckWait()
				how = "wait for ack_wait, " + design.FormatDuration(int64(delay))
			}
			if delay <= 0 || !e.Redelivers() {
				continue
			}
			if !load.Known {
				f.Need("the publishers of a stream, with rate and payload")
				return
			}
			held := load.Low / groups * failures(e.Rate, c.Config.MaxDeliver) * delay.Seconds()
			if held < float64(limit) || math.IsInf(held, 1) {
				continue
			}
			f.Report(design.Join(w.Path, "errors"), Said{
				Value:  percent(e.Rate) + " " + how,
				What:   fmt.Sprintf("makes %s wait at any time, and max_ack_pending is %d: delivery stops, good messages included", messages(held), limit),
				Write:  fmt.Sprintf("write max_ack_pending: %d or more, or a shorter delay", whole(math.Ceil(2*held/1000)*1000)),
				Figure: &Figure{"messages that wait for their delay", held, "msgs", Computed}})
		}
	}
}

// failures is how many deliveries of a message fail when each does so with a
// probability and there are at most tries, no limit when that is not positive.
func failures(rate float64, tries int) float64 {
	switch {
	case rate >= 1 && tries <= 0:
		return math.Inf(1)
	case rate >= 1:
		return float64(tries)
	case tries <= 0:
		return rate / (1 - rate)
	}
	return rate * (1 - math.Pow(rate, float64(tries))) / (1 - rate)
}
