package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON037",
	Name:     "replaced-before-ack",
	Severity: design.Warning,
	Title:    "A message is replaced by newer ones of its subject while a worker is at it.",
	Why: "max_msgs_per_subject removes the oldest message of a subject whether or not it was acked (server/filestore.go, v2.15.2; measured). If its work fails then, it is not delivered " +
		"again; its pending entry ends with ack_wait.",
	Fix:   "Raise max_msgs_per_subject above the updates of a subject in ack_wait, or read with ack_policy none or an ordered consumer, where only the last value counts.",
	Refs:  []string{"server/filestore.go", "nats.net issue 860"},
	Check: func(f *Facts) { f.Consumers(f.replacedBeforeAck) },
})

func (f *Facts) replacedBeforeAck(c *Consumer) {
	per := c.Of.Config.MaxMsgsPer
	if !c.Acks() || per <= 0 || c.Of.Config.DiscardNewPer && c.Of.Config.Discard.String() == "New" {
		return
	}
	slowest := time.Duration(0)
	for _, w := range c.Workers {
		if p99, ok := P99(w.ServiceTime); ok {
			slowest = max(slowest, p99)
		}
		if span, ok := batchTime(w); ok && !c.IsPush() {
			slowest = max(slowest, span)
		}
	}
	if slowest == 0 {
		f.Need("service_time of the workers")
		if per <= fewUpdates && c.Config.DeliverPolicy.String() == "Last Per Subject" {
			f.Report(design.Join(c.Of.Path, "max_msgs_per_subject"), Said{Severity: design.Info, Write: "raise it, or read the last values without acks",
				What:   fmt.Sprintf("keeps %d of a subject: while consumer %s is at one, as many updates of it remove it before its ack", per, clip(c.Name)),
				Figure: &Figure{"updates that remove a message", float64(per), "msgs", Bound}})
		}
		return
	}
	for _, p := range c.Publishers() {
		subjects := subjectsOf(p.Publisher)
		rate := LoadOf([]Feed{p}).High
		updates := rate / subjects * slowest.Seconds()
		if subjects <= 0 || updates < float64(per) {
			continue
		}
		f.Report(design.Join(c.Of.Path, "max_msgs_per_subject"), Said{
			What: fmt.Sprintf("is less than the %.3g messages of a subject that publisher %s sends in %s, in which consumer %s is at one: it is removed before its ack, and not delivered again when its work fails",
				updates, clip(p.Name), size.FormatDuration(slowest), clip(c.Name)),
			Write:  fmt.Sprintf("write max_msgs_per_subject: %d or more, or read the last values without acks", int(2*updates)+1),
			Figure: &Figure{"updates of a subject while one is worked on", updates, "msgs", Computed}})
		return
	}
}

// subjectsOf is how many different subjects a publisher uses, as far as its
// tokens say.
func subjectsOf(p *design.Publisher) float64 {
	n := 1.0
	for _, t := range p.Tokens {
		n *= float64(max(t.Count, int64(len(t.Examples)), 1))
	}
	return n
}

// fewUpdates of a subject may well come while one is worked on.
const fewUpdates = 10
