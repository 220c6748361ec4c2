package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON019",
	Name:     "deleted-between-fetches",
	Severity: design.Warning,
	Title:    "The server deletes the consumer while its worker is at a batch.",
	Why: "inactive_threshold counts from the last fetch, and an ephemeral consumer has 5 s of it unless told otherwise (server/consumer.go deleteNotActive, read in v2.10.29 to v2.15.2). " +
		"From 2.11.15 and 2.12.1 on a message that waits for its ack keeps the consumer for ack_wait and the threshold more.",
	Fix:   "Write an inactive_threshold of some times the longest batch, or a durable consumer.",
	Refs:  []string{"server/consumer.go", "nats.java issue 777"},
	Check: func(f *Facts) { f.Consumers(f.deletedBetween) },
})

// pendingKeeps reports whether messages that wait for their ack keep a consumer
// that nobody fetches from.
func pendingKeeps(v natsapi.Version) bool {
	return v.AtLeast(natsapi.Version{Major: 2, Minor: 12, Patch: 1}) || v.Minor == 11 && v.Patch >= 15
}

func (f *Facts) deletedBetween(c *Consumer) {
	threshold := c.Config.InactiveThreshold
	if c.IsPush() || threshold <= 0 || len(c.Workers) != 1 {
		return // several groups fetch at times that nobody knows
	}
	w := c.Workers[0]
	gap, ok := batchTime(w)
	if !ok {
		f.Need("service_time of the workers")
		return
	}
	gap /= time.Duration(max(1, w.Count))
	if gap <= threshold {
		return
	}
	said := Said{Value: size.FormatDuration(threshold) + ", the default of an ephemeral consumer",
		What: fmt.Sprintf("is shorter than the %s between two fetches of %d at %s a message: the consumer is deleted while its worker is at them",
			size.FormatDuration(gap), max(w.Fetch, 1), meanText(w)),
		Write:  fmt.Sprintf("write inactive_threshold: %s or more", design.FormatDuration(int64(roundUp(5*gap)))),
		Figure: &Figure{"time between fetches", gap.Seconds(), "s", Computed}}
	if wait, _ := c.AckWait(); c.Acks() && pendingKeeps(f.VersionAt(c.Path)) && gap <= threshold+wait {
		said.Severity = design.Info
		said.What = fmt.Sprintf("is shorter than the %s between two fetches: only the messages that wait for their ack keep the consumer, for ack_wait and this", size.FormatDuration(gap))
	}
	f.Report(design.Join(c.Path, "inactive_threshold"), said)
}

func meanText(w *design.Workers) string {
	mean, _ := Mean(w.ServiceTime)
	return size.FormatDuration(mean)
}
