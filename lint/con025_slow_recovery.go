package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON025",
	Name:     "slow-recovery",
	Severity: design.Warning,
	Title:    "What a worker had in hand when it died comes again only after ack_wait.",
	Why: "The server does not connect a message with the connection that got it: neither a crash nor a clean disconnect gives it back, only a nak or the end of ack_wait " +
		"(server/consumer.go, v2.15.2; nats-server issue 4716).",
	Fix:   "Keep ack_wait near 30 s and let long work send in-progress acks in less than half of it; nak what is in hand on shutdown.",
	Refs:  []string{"server/consumer.go", "nats-server issues 4627 and 4716"},
	Check: func(f *Facts) { f.Consumers(f.slowRecovery) },
})

// longAckWait is what most would not expect to wait for a message whose worker
// died: ten times the default.
const longAckWait = 3 * time.Minute

func (f *Facts) slowRecovery(c *Consumer) {
	wait, path := c.AckWait()
	if !c.Acks() || wait < longAckWait {
		return
	}
	said := Said{
		What:   fmt.Sprintf("is how long a message waits whose worker died or disconnected: %s", size.FormatSeconds(wait.Seconds())),
		Write:  "write ack_wait: 30s, and let the workers send in-progress acks every 10 s and nak on shutdown",
		Figure: &Figure{"time until it is delivered again", wait.Seconds(), "s", Computed}}
	if tolerated := max(c.Goals.OldestPending, c.Of.goals().OldestPending); tolerated >= wait {
		return
	}
	if len(c.Workers) == 1 && c.Workers[0].Count == 1 {
		said.Severity = design.Info // nobody else is there to take it over
	}
	if len(c.Workers) > 0 {
		w := c.Workers[0]
		mean, _ := Mean(w.ServiceTime)
		_, known := batchTime(w)
		if known && w.InProgress == 0 && max(10*mean, wantedAckWait(c.Workers)) >= wait {
			return // the work is that long
		}
		if known {
			said.What += fmt.Sprintf("; the work takes %s on average", size.FormatDuration(mean))
		}
		hands := inHandOf(w)
		if c.IsPush() && c.Config.MaxAckPending > 0 {
			hands = c.Config.MaxAckPending
		}
		if hands > 1 {
			said.What += fmt.Sprintf(", and %d messages may be in hand", hands)
		}
	}
	f.Report(path, said)
}
