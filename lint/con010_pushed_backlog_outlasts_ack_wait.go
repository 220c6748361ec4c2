package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON010",
	Name:     "pushed-backlog-outlasts-ack-wait",
	Severity: design.Warning,
	Title:    "What waits in the clients of a push consumer is delivered again before its turn comes.",
	Why: "The server pushes up to max_ack_pending messages, 1000 by default, and ack_wait runs for each of them from then on (server/consumer.go, v2.15.2). " +
		"After a stall or a burst the last of them wait behind all others in the client's memory.",
	Fix:   "Let max_ack_pending be less than the workers finish in half of ack_wait, or use a pull consumer that fetches little.",
	Refs:  []string{"server/consumer.go", "ADR-15"},
	Check: func(f *Facts) { f.Consumers(f.pushedBacklog) },
})

func (f *Facts) pushedBacklog(c *Consumer) {
	limit := c.Config.MaxAckPending
	if !c.IsPush() || !c.Acks() || limit <= 0 || len(c.Workers) == 0 {
		return
	}
	rate, ok := c.PerSecond()
	if !ok {
		f.Need("service_time of the workers")
		return
	}
	wait, path := c.AckWait()
	inTime := math.Floor(rate * wait.Seconds())
	exposed := 1 - inTime/float64(limit)
	if exposed < worthSaying {
		return
	}
	held := "max_ack_pending"
	if !f.Has(design.Join(c.Path, held)) {
		held += " by default"
	}
	f.Report(path, Said{
		Value: size.FormatDuration(wait) + ", the default",
		What: fmt.Sprintf("is over before the workers are through %d pushed messages (%s): the last of these wait %s. At most %s of the messages are delivered twice, after a stall or a burst",
			limit, held, size.FormatSeconds(float64(limit)/rate), percent(exposed)),
		Write:  fmt.Sprintf("write max_ack_pending: %d or less, or a longer ack_wait", max(1, int(inTime/2))),
		Figure: &Figure{"messages handled twice", exposed, "share", Bound}})
}
