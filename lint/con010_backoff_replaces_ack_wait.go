package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON010",
	Name:     "backoff-replaces-ack-wait",
	Severity: design.Warning,
	Title:    "backoff takes the place of ack_wait, and its first wait is shorter than the ack_wait that is written.",
	Why: "The server stores backoff[0] as ack_wait (server/consumer.go, v2.15.2; measured: with [100ms, 300ms, 600ms] the second delivery comes after 102 ms). " +
		"The ack_wait of the file is never used: a healthy handler gets the first wait of backoff and no more.",
	Fix:   "Let backoff begin with the ack_wait that is meant, and leave ack_wait out; for short pauses after a failure use nak with a delay.",
	Refs:  []string{"server/consumer.go", "nats-server PR 2812"},
	Check: func(f *Facts) { f.Consumers(f.backoffReplaces) },
})

func (f *Facts) backoffReplaces(c *Consumer) {
	written := c.Consumer.Config.AckWait
	if len(c.Config.BackOff) == 0 || !f.Has(design.Join(c.Path, "ack_wait")) || c.Config.BackOff[0] >= written {
		return
	}
	wait, path := c.AckWait()
	f.Report(path, Said{
		What:   fmt.Sprintf("is the time that a handler gets for a first delivery; ack_wait: %s is not used", design.FormatDuration(int64(written))),
		Write:  fmt.Sprintf("begin backoff with %s or more, and leave ack_wait out", design.FormatDuration(int64(written))),
		Figure: &Figure{"time to ack a first delivery", wait.Seconds(), "s", Computed}})
}
