package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON054",
	Name:     "delay-on-top-of-backoff",
	Severity: design.Info,
	Title:    "A nak with a delay comes back later than it asked where the consumer has backoff.",
	Why: "The server counts the delay from ack_wait, which is the first step of backoff, and compares with the step of the delivery: the message is back after delay + step − first step " +
		"(server/consumer.go processNak, checkPending, v2.15.2; measured: 250 ms with [100, 300, 600] came after 451 ms).",
	Fix:   "Use one of the two: backoff for workers that die, or delays that the workers choose with a plain ack_wait.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.delayAndBackoff) },
})

func (f *Facts) delayAndBackoff(c *Consumer) {
	steps := c.Config.BackOff
	if len(steps) < 2 {
		return
	}
	last := steps[len(steps)-1]
	if n := c.Config.MaxDeliver; n > 0 && n-1 < len(steps) {
		last = steps[n-1]
	}
	var longest time.Duration
	for _, e := range c.Errors("nak") {
		longest = max(longest, e.Delay)
	}
	back := longest + last - steps[0]
	if longest <= 0 || back < 2*longest {
		return
	}
	f.Report(design.Join(c.Path, "backoff"), Said{Value: "written",
		What:   fmt.Sprintf("is added to the nak's delay of %s: a message that fails again and again comes back after %s", size.FormatDuration(longest), size.FormatDuration(back)),
		Write:  "leave backoff out, or nak without meaning the delay exactly",
		Figure: &Figure{"delay of the last naks", back.Seconds(), "s", Computed}})
}
