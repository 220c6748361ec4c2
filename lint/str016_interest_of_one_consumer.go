package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR016",
	Name:     "interest-of-one-consumer",
	Severity: design.Warning,
	Title:    "The messages of this stream go when its only consumer does, acked or not.",
	Why: "Interest ends with the consumer: when it is deleted, or has not been heard of for inactive_threshold, the server removes every message that only it was " +
		"waiting for (server/stream.go, server/consumer.go, v2.15.2; measured).",
	Fix:   "Make the consumer durable without inactive_threshold, and delete it only when its messages may go; workqueue and limits keep them.",
	Refs:  []string{"server/stream.go", "server/consumer.go", "nats-server #2097"},
	Check: func(f *Facts) { f.AcceptedStreams(f.interestOfOne) },
})

func (f *Facts) interestOfOne(s *Stream) {
	if s.Config.Retention.String() != "Interest" || len(s.Consumers) != 1 || !s.Consumers[0].Accepted || f.sourcedBy(s) {
		return
	}
	c := s.Consumers[0]
	load := c.Load()
	if gone := c.Config.InactiveThreshold; gone > 0 {
		said := Said{Value: design.FormatDuration(int64(gone)), Write: "leave inactive_threshold out and make it durable, or write retention: limits",
			What: fmt.Sprintf("is how long nobody may be connected: then the only consumer of stream %s is deleted, and every message that waits for it", clip(s.Name)), Figure: &Figure{"absence that loses messages", gone.Seconds(), "s", Computed}}
		if load.High > 0 {
			said.What += fmt.Sprintf(", %s for these %s alone", size.FormatCount(load.High*gone.Seconds()), design.FormatDuration(int64(gone)))
		}
		f.Report(design.Join(c.Path, "inactive_threshold"), said)
		return
	}
	held := float64(c.Config.MaxAckPending)
	what := "is all that holds the messages of its stream: deleting it removes what waits"
	if held > 0 {
		what += fmt.Sprintf(" and up to %s unacked ones", size.FormatCount(held))
	}
	f.Report(c.Path, Said{Severity: design.Info, What: what, Write: "change it in place: it need not be deleted to be updated", Figure: &Figure{"unacked messages that go with it", max(held, 0), "msgs", Bound}})
}
