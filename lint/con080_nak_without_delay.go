package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON080",
	Name:     "nak-without-delay",
	Severity: design.Warning,
	Title:    "A nak without a delay brings the message back at once, and backoff does not slow it down.",
	Why: "A plain nak is redelivered immediately, whatever backoff says (server/consumer.go processNak, v2.15.2; measured: 0 ms). With max_deliver -1 a message " +
		"that never succeeds goes round for ever, as fast as the workers answer.",
	Fix:  "Nak with a delay, and write max_deliver, with somebody who reads the advisory of what ran out of tries.",
	Refs: []string{"server/consumer.go", "ADR-42"},
	Check: func(f *Facts) {
		f.Consumers(f.nakAtOnce)
	},
})

func (f *Facts) nakAtOnce(c *Consumer) {
	for _, e := range c.Errors("nak") {
		if e.Delay > 0 {
			continue
		}
		path := design.Join(c.Path, "workers")
		if c.Config.MaxDeliver > 0 {
			f.Report(path, c.triesBurnt())
			return
		}
		said := Said{What: "answers errors with a nak without delay, and max_deliver has no end: a message that never succeeds is redelivered at once, for ever",
			Write: "write errors: {action: nak, delay: 5s} and max_deliver: 5"}
		if rate, ok := c.PerSecond(); ok && c.Handlers() > 0 {
			each := rate / float64(c.Handlers())
			said.What += fmt.Sprintf(", at most %s a second on one handler", counted(int(math.Round(each)), "time"))
			said.Figure = &Figure{"redeliveries of one message", each, "1/s", Bound}
		}
		f.Report(path, said)
		return
	}
}

// triesBurnt is about naks without delay that end with max_deliver: the tries do
// not last as long as the trouble.
func (c *Consumer) triesBurnt() Said {
	said := Said{Severity: design.Info,
		What:  fmt.Sprintf("answers errors with a nak without delay: all %d tries are over at once, and backoff does not apply", c.Config.MaxDeliver),
		Write: "write errors: {action: nak, delay: 5s}"}
	if rate, ok := c.PerSecond(); ok && c.Handlers() > 0 {
		all := float64(c.Config.MaxDeliver*c.Handlers()) / rate
		said.What = fmt.Sprintf("answers errors with a nak without delay: all %d tries are over after about %s, so a fault that passes costs the message, and backoff does not apply",
			c.Config.MaxDeliver, size.FormatSeconds(all))
		said.Figure = &Figure{"time that all tries take", all, "s", Computed}
		said.Severity = design.Warning
	}
	return said
}
