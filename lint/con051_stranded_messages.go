package lint

import (
	"fmt"
	"math"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON051",
	Name:     "stranded-messages",
	Severity: design.Warning,
	Title:    "The stream holds messages that none of its consumers will deliver.",
	Why: "In a stream of retention workqueue or interest each message should be pending at a consumer, or waiting for its ack. What is neither ran out of tries, or no consumer's filter " +
		"matches it; it stays and counts against the limits (server/consumer.go, v2.15.2; measured: num_pending 0, num_ack_pending 0, the message stored).",
	Fix:   "Get the messages by sequence, publish them elsewhere and delete them; and let a mover do so from the MAX_DELIVERIES advisories.",
	Refs:  []string{"server/consumer.go", "ADR-10"},
	Check: func(f *Facts) { f.AcceptedStreams(f.stranded) },
})

func (f *Facts) stranded(s *Stream) {
	stored, ok := f.Observed(s.Path, "state", "messages")
	if !ok || s.Config.Retention.String() == "Limits" || len(s.Consumers) == 0 {
		return
	}
	if all, ok := f.Observed(s.Path, "state", "consumer_count"); ok && all != int64(len(s.Consumers)) {
		return // not all of them are here
	}
	wanted := int64(0)
	for _, c := range s.Consumers {
		pending, ok := f.Observed(c.Path, "num_pending")
		unacked, too := f.Observed(c.Path, "num_ack_pending")
		if !ok || !too {
			f.Need("consumer info of all consumers of the stream")
			return
		}
		wanted += pending + unacked
	}
	// The reports are not of one moment.
	if stranded := float64(stored - wanted); stranded > math.Max(10, 0.01*float64(stored)) {
		f.Report(s.Path, Said{
			What: fmt.Sprintf("holds %s, of which its consumers will deliver %d: %d ran out of tries, or no filter matches them, and stay",
				messages(float64(stored)), wanted, int64(stranded)),
			Write:  "get them by sequence, put them aside and delete them",
			Figure: &Figure{"messages that nobody will get", stranded, "msgs", Computed}})
	}
}
