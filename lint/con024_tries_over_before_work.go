package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON024",
	Name:     "tries-over-before-work",
	Severity: design.Warning,
	Title:    "All tries of a message are used up while the first worker is still at it.",
	Why: "Each wait that ends without an ack uses a try, whether or not a worker is at the message (server/consumer.go, v2.15.2; measured). A message whose work takes longer than all " +
		"waits together counts as failed, with an advisory, although its first try succeeds.",
	Fix:   "Make the first wait longer than the work, or let the workers send in-progress acks.",
	Refs:  []string{"server/consumer.go", "ADR-42"},
	Check: func(f *Facts) { f.Consumers(f.triesOver) },
})

func (f *Facts) triesOver(c *Consumer) {
	tries := c.Config.MaxDeliver
	if !c.Acks() || tries <= 1 {
		return
	}
	var last time.Duration // when the last try begins
	for n := range min(tries-1, 10_000) {
		last += waitOf(c, n)
	}
	wait, _ := c.AckWait()
	for _, w := range c.Workers {
		share, known := Share(w.ServiceTime, last)
		if !known || share < worthSaying || w.InProgress > 0 && w.InProgress < wait {
			continue
		}
		tail := AssumedTail(w.ServiceTime, float64(last))
		f.Report(design.Join(c.Path, "max_deliver"), Said{Severity: severityOf(tail),
			What: fmt.Sprintf("is used up after %s, when the last try begins, and %s of the messages take longer%s: they are given to %s and count as failed although the first succeeds",
				size.FormatDuration(last), percent(share), ifTail(tail), counted(tries, "worker")),
			Write:  "write a longer ack_wait or first backoff, or let the workers send in-progress acks",
			Figure: &Figure{"time until the last try", last.Seconds(), "s", Computed}})
		return
	}
}
