package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON046",
	Name:     "partition-out-of-order",
	Severity: design.Warning,
	Title:    "A partition that is to keep its order has many messages in flight.",
	Why: "A message that is delivered again comes after those that were out at the same time (server/consumer.go, v2.15.2; measured). With max_ack_pending above 1, or several " +
		"handlers, those of the same key are handled before it.",
	Fix:  "Write max_ack_pending: 1 for each partition; more partitions bring the throughput back.",
	Refs: []string{"server/consumer.go", "nats-server issue 2043"},
	Check: func(f *Facts) {
		f.streamsOfConsumers(f.outOfOrder)
		f.Consumers(f.orderAcrossRedelivery)
	},
})

// outOfOrder speaks once of a stream. Partitions serve other ends than order as
// well: it is a warning where the design shows that somebody thought of it.
func (f *Facts) outOfOrder(s *Stream) {
	groups, fromZero := map[string]int{}, map[string]bool{}
	for _, c := range s.Consumers {
		if shape, number := partitionOf(c); shape != "" {
			groups[shape]++
			fromZero[shape] = fromZero[shape] || number == 0
		}
	}
	for shape, n := range groups {
		if n == 1 { // the design may show one partition of those that are published
			sent := f.partitionsSent(s, shape)
			groups[shape], fromZero[shape] = max(n, len(sent)), fromZero[shape] || sent["0"]
		}
	}
	var loose []*Consumer
	most, ordered := 0, false
	for _, c := range s.Consumers {
		shape, _ := partitionOf(c)
		if groups[shape] < 2 || !fromZero[shape] {
			continue // numbers that begin with 1 are priorities, floors and the like
		}
		out := c.Config.MaxAckPending
		// One at a time goes on to later ones too, while one that failed waits for ack_wait.
		if hands := c.InHand(); hands > 1 && !c.IsPush() && (out < 0 || hands < out) {
			out = hands
		}
		ordered = ordered || c.Accepted && c.Config.MaxAckPending == 1
		if c.Accepted && c.Acks() && out >= 2 {
			loose = append(loose, c)
			most = max(most, out-1)
		}
	}
	if len(loose) == 0 {
		return
	}
	said := Said{Severity: design.Info, Write: "write max_ack_pending: 1 where the order matters",
		What:   fmt.Sprintf("lets at most %d messages of the partition be handled before one that failed: the order of a key is kept only while nothing fails", most),
		Figure: &Figure{"messages handled before an earlier one", float64(most), "msgs", Bound}}
	at := loose[0]
	if i := slices.IndexFunc(loose, func(c *Consumer) bool { return f.Has(design.Join(c.Path, "max_ack_pending")) }); i >= 0 {
		at, said.Severity = loose[i], "" // somebody thought of how many may be in flight
	}
	if ordered {
		said.Severity = "" // the others keep the order
	}
	if at.InHand() == 1 && !at.IsPush() {
		said.Severity = design.Info // a nak without delay comes next, and keeps the order
	}
	if len(loose) > 1 {
		said.What += fmt.Sprintf(", in each of %d consumers like it", len(loose))
	}
	said.Value = fmt.Sprintf("%d, the default", at.Config.MaxAckPending)
	f.Report(design.Join(at.Path, "max_ack_pending"), said)
}

// orderWords are those by which people say that the order matters.
var orderWords = []string{"in order", "ordered", "ordering", "in sequence", "sequential", "fifo"}

// saysOrder reports whether the description of a consumer or of its stream, or the
// consumer's name, says that the order matters.
func (c *Consumer) saysOrder() bool {
	for _, text := range []string{c.Config.Description, c.Of.Config.Description, c.Name} {
		if text == "" {
			continue
		}
		text = strings.ToLower(text)
		if slices.ContainsFunc(orderWords, func(w string) bool { return strings.Contains(text, w) }) {
			return true
		}
	}
	return false
}

// orderAcrossRedelivery is about consumers that are no partition: it is worth knowing
// where all messages have one subject and some come again, and hurts where somebody
// says that the order matters.
func (f *Facts) orderAcrossRedelivery(c *Consumer) {
	out := c.Config.MaxAckPending
	if hands := c.InHand(); hands > 1 && !c.IsPush() && (out < 0 || hands < out) {
		out = hands
	}
	if !c.Acks() || c.Config.MaxAckPending == 1 || out == 1 {
		return
	}
	said := Said{Severity: design.Info, Write: "write max_ack_pending: 1 where the order matters", Value: fmt.Sprintf("%d, the default", c.Config.MaxAckPending)}
	if c.saysOrder() {
		said.Severity = ""
	} else if c.Failing() == 0 && (c.InHand() < 2 || c.Of.Config.Retention.String() != "WorkQueue") {
		return
	} else if filters := c.Filters(); len(filters) != 1 || !subject.IsLiteral(filters[0]) {
		return
	}
	said.What = "bounds nothing: a message that is delivered again comes after all that were out meanwhile"
	if out > 0 {
		said.What = fmt.Sprintf("lets up to %d later messages be handled before one that is delivered again", out-1)
		said.Figure = &Figure{"messages handled before an earlier one", float64(out - 1), "msgs", Bound}
	}
	f.Report(design.Join(c.Path, "max_ack_pending"), said)
}
