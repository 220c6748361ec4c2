package lint

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON017",
	Name:     "max-deliver-without-dead-letter",
	Severity: design.Warning,
	Title:    "After max_deliver a message stays in the stream, and nobody is told.",
	Why: "There is no dead-letter queue in the server. A message that was delivered max_deliver times is not given out again; on a workqueue or interest " +
		"stream it stays and counts against the limits (server/consumer.go, v2.15.2). All that happens is an advisory on " +
		"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.<stream>.<consumer>.",
	Fix:   "Store the advisories in a stream of their own, and let somebody copy the message by its stream_seq and delete it; or term in the handler on the last try.",
	Refs:  []string{"server/consumer.go", "nats-server issues 5564, 3294, 6538"},
	Check: func(f *Facts) { f.Consumers(f.deadLetters) },
})

func (f *Facts) deadLetters(c *Consumer) {
	tries := c.Config.MaxDeliver
	if tries <= 0 || !c.Acks() || c.Of.Config.Retention.String() == "Limits" || advised(c) {
		return
	}
	share, waits := 0.0, time.Duration(0)
	for _, w := range c.Workers {
		failing := 0.0
		for _, e := range w.Errors {
			if e.Action == "nak" || e.Action == "nothing" {
				failing += e.Rate
				if e.Action == "nothing" {
					waits = max(waits, untilGivenUp(c))
				} else {
					waits = max(waits, time.Duration(tries-1)*e.Delay)
				}
			}
		}
		share = math.Max(share, math.Pow(math.Min(1, failing), float64(tries)))
	}
	said := Said{Severity: design.Info, Write: "store $JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.> in a stream, with a consumer that takes care of them"}
	switch perDay := share * c.Load().Low * 86400; {
	case share < 1e-9:
		said.What = "leaves a message that failed each time in the stream, and nothing reads the advisory that says so"
	case perDay >= 1:
		said.Severity = ""
		said.What = fmt.Sprintf("strands %s messages a day in the stream (%s of them fail every time), and nothing reads the advisory that says so", size.FormatCount(perDay), percent(share))
		said.Figure = &Figure{"messages stranded a day", perDay, "msgs", Computed}
	default:
		said.What = fmt.Sprintf("strands %s of the messages in the stream, %s after the first delivery, and nothing reads the advisory that says so", percent(share), size.FormatSeconds(waits.Seconds()))
		said.Figure = &Figure{"time until a message is given up", waits.Seconds(), "s", Computed}
		if share >= worthSaying && !c.Load().Known {
			said.Severity = ""
		}
	}
	f.Report(design.Join(c.Path, "max_deliver"), said)
}

// untilGivenUp is how long a message that is never acked is waited for.
func untilGivenUp(c *Consumer) time.Duration {
	total := time.Duration(0)
	for n := range min(c.Config.MaxDeliver, 10_000) {
		if steps := c.Config.BackOff; len(steps) > 0 {
			total += steps[min(n, len(steps)-1)]
			continue
		}
		total += c.Config.AckWait
	}
	return total
}

// advised reports whether a stream or subscriber of the scope gets the advisory
// that a consumer's message was given up.
func advised(c *Consumer) bool {
	advisory := "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + c.Of.Name + "." + c.Name
	for _, s := range c.Of.Scope.Streams {
		for _, p := range s.Config.Subjects {
			if subject.Meet(p, advisory) {
				return true
			}
		}
	}
	for _, s := range c.Of.Scope.Subscribers {
		if subject.Meet(s.Subject, advisory) {
			return true
		}
	}
	return false
}
