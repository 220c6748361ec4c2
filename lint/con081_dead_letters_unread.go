package lint

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/size"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "CON081",
	Name:     "dead-letters-unread",
	Severity: design.Warning,
	Title:    "Messages that ran out of tries stay in the stream, and nobody is told.",
	Why: "After max_deliver the message stays in a work queue or interest stream, is never delivered again and counts against the limits; the server only " +
		"publishes an advisory (server/consumer.go, v2.15.2; measured: num_pending 0, num_ack_pending 0, the message stored).",
	Fix:  "Store $JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.STREAM.CONSUMER in a small stream, and let a mover fetch the message by its sequence, put it aside and delete it.",
	Refs: []string{"server/consumer.go", "ADR-10"}, Proof: "max-deliver-exhausted",
	Check: func(f *Facts) {
		// Of a stream that keeps all it is worth knowing once, and not where some
		// advisories are read.
		told := f.read(func(pattern string) bool { return strings.HasPrefix(pattern, "$JS.EVENT.ADVISORY.") })
		f.Consumers(func(c *Consumer) { told = f.deadLetters(c, told) || told })
	},
})

// deadLetters looks at one consumer, and reports whether it spoke of one whose stream
// keeps all and whose workers are not known to fail; told says that it did before.
func (f *Facts) deadLetters(c *Consumer, told bool) bool {
	exhausted, failing := f.exhausted(c), min(c.Failing(), 1)
	limits := c.Of.Config.Retention.String() == "Limits"
	if c.Config.MaxDeliver <= 0 || limits && failing < worthSaying && (told || !f.saysAll()) || !c.Acks() || f.advisoriesRead(c, "MAX_DELIVERIES") {
		return false
	}
	stays := "stays in the stream, is never delivered again, and nobody here reads the advisory that says so"
	said := Said{
		Write: fmt.Sprintf("store $JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.%s.%s in a stream of its own with a consumer", c.Stream, c.Name)}
	var all time.Duration
	for n := range min(c.Config.MaxDeliver, 10_000) {
		all += waitOf(c, n)
	}
	if failing == 0 {
		switch {
		case limits:
			said.Severity = design.Info
			said.Write += ", with a mover (weir generate writes one): no queue for dead letters is there by itself"
		case len(c.Workers) > 0:
			said.Severity = design.Info // no error is written, and that any fails is not known
		case !f.saysAll():
			said.Severity = design.Info
			f.Need("the workers of a consumer, with their errors, and who reads the advisories")
		}
		said.What = fmt.Sprintf("is the last try, at most %s after the first: a message that fails it %s", size.FormatDuration(all), stays)
		said.Figure = &Figure{"time until it is left", all.Seconds(), "s", Bound}
	} else {
		// A fault of the message itself meets every try of it, one of the moment only some.
		share := percent(failing)
		if exhausted < failing {
			share = fmt.Sprintf("%s where the fault is in the message and %s where each try fails by chance", share, percent(exhausted))
		}
		said.What = fmt.Sprintf("is the last try, at most %s after the first: a message that fails it, up to %s, %s", size.FormatDuration(all), share, stays)
		said.Figure = &Figure{"share of messages that run out of tries", failing, "share", Bound}
		if exhausted == 1 {
			said.Figure = &Figure{"time until each message is left", all.Seconds(), "s", Bound}
		}
		// A worker that naks knows that it failed, and may know what never succeeds.
		silent := len(c.Errors("nothing"))+len(c.Errors("ack_lost")) > 0
		if limits && exhausted < worthSaying || !silent && exhausted == 0 {
			said.Severity = design.Info
		}
	}
	f.Report(design.Join(c.Path, "max_deliver"), said)
	return limits && failing == 0
}

// exhausted is the share of messages that fail every try, from the shares of
// deliveries that the workers nak or do not answer.
func (f *Facts) exhausted(c *Consumer) float64 {
	fail := c.Failing()
	share := 1.0
	for range min(c.Config.MaxDeliver, 1000) {
		share *= min(fail, 1)
	}
	if share < 1e-9 {
		return 0
	}
	return share
}

// advisoriesRead reports whether a stream or subscriber of the design gets the
// consumer's advisories of a kind, such as MAX_DELIVERIES.
func (f *Facts) advisoriesRead(c *Consumer, kind string) bool {
	on := "$JS.EVENT.ADVISORY.CONSUMER." + kind + "." + c.Stream + "." + c.Name
	return f.read(func(pattern string) bool { return subject.Match(pattern, on) })
}

// read reports whether a stream captures, or a subscriber has, a subject for which yes
// says so.
func (f *Facts) read(yes func(pattern string) bool) bool {
	for _, s := range f.Streams {
		if slices.ContainsFunc(s.Config.Subjects, yes) {
			return true
		}
	}
	for _, scope := range f.Scopes() {
		for _, s := range scope.Subscribers {
			if yes(s.Subject) {
				return true
			}
		}
	}
	return false
}
