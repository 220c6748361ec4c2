package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON014",
	Name:     "fetch-above-max-ack-pending",
	Severity: design.Warning,
	Title:    "A fetch asks for more messages than may be unacked, so it waits until it expires.",
	Why: "A pull request gets messages while fewer than max_ack_pending are unacked (server/consumer.go, v2.15.2). A worker that acks only after the batch " +
		"is complete waits for messages that cannot come, until expires.",
	Fix:   "Fetch max_ack_pending or fewer at a time, or raise max_ack_pending.",
	Refs:  []string{"nats-server PR 1958", "server/consumer.go"},
	Check: func(f *Facts) { f.Consumers(f.fetchAbovePending) },
})

func (f *Facts) fetchAbovePending(c *Consumer) {
	limit := c.Config.MaxAckPending
	if c.IsPush() || !c.Acks() || limit <= 0 {
		return
	}
	for _, w := range c.Workers {
		if w.Fetch > limit {
			path := design.Join(w.Path, "fetch")
			said := Said{Fix: f.SetFix(fmt.Sprintf("Write fetch: %d", limit), path, fmt.Sprint(limit)),
				What:   fmt.Sprintf("is more than max_ack_pending: %d: the rest of each fetch waits until messages are acked or the request expires", limit),
				Write:  fmt.Sprintf("write fetch: %d or less", limit),
				Figure: &Figure{"messages that a fetch can get", float64(limit), "msgs", Computed}}
			if c.Handlers() > limit { // CON083 asks for more
				said.Fix, said.Write = nil, fmt.Sprintf("write max_ack_pending: %d", c.roomyAckPending())
			}
			f.Report(path, said)
		}
	}
}
