package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON011",
	Name:     "nak-without-delay",
	Severity: design.Warning,
	Title:    "A nak without a delay brings the message back at once, so all tries are over in no time or never end.",
	Why: "A plain nak redelivers at once; backoff does not apply to it (server/consumer.go, v2.15.2; measured: 0 ms). What failed because a database " +
		"is away fails again until max_deliver is used up, long before the database is back; without max_deliver it goes on for ever.",
	Fix:   "Nak with a delay that grows, give max_deliver a number, and have somebody take what is given up.",
	Refs:  []string{"ADR-13", "server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.nakAtOnce) },
})

func (f *Facts) nakAtOnce(c *Consumer) {
	for _, w := range c.Workers {
		for _, e := range w.Errors {
			if e.Action != "nak" || e.Delay > 0 || e.Rate <= 0 || !c.Acks() {
				continue
			}
			said := Said{Value: "nak without delay", Write: "write delay: 5s or more, and a finite max_deliver"}
			mean, known := Mean(w.ServiceTime)
			tries := c.Config.MaxDeliver
			switch {
			case tries > 0 && known:
				total := float64(tries) * mean.Seconds()
				said.What = fmt.Sprintf("uses up the deliveries of a message (max_deliver: %d) in %s of work: a failure that lasts longer costs the message", tries, size.FormatSeconds(total))
				said.Figure = &Figure{"time until a message is given up", total, "s", Computed}
			case tries > 0:
				said.What = fmt.Sprintf("uses up max_deliver: %d as fast as the worker can fail", tries)
			case known && mean > 0:
				said.What = fmt.Sprintf("brings a message that always fails back for ever, up to %s times a second for each", size.FormatCount(1/mean.Seconds()))
				said.Figure = &Figure{"deliveries of one message", 1 / mean.Seconds(), "msgs/s", Bound}
			default:
				said.What = "brings a message that always fails back for ever, as fast as the worker can fail"
			}
			f.Report(design.Join(w.Path, "errors"), said)
		}
	}
}
