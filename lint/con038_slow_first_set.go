package lint

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON038",
	Name:     "slow-first-set",
	Severity: design.Warning,
	Title:    "A consumer that begins with the last message of each subject takes long to get level.",
	Why: "deliver_policy last_per_subject delivers one message for each subject first, and at most max_ack_pending of them wait for acks (server/consumer.go, v2.15.2). New messages come " +
		"after all of those.",
	Fix:   "Raise max_ack_pending and the handlers, or read the first set without acks.",
	Refs:  []string{"server/consumer.go", "CRE-2025-0082"},
	Check: func(f *Facts) { f.Consumers(f.slowFirstSet) },
})

// longStart is what most bear at a start before the first new message.
const longStart = time.Minute

// fewUnacked is a max_ack_pending that is low for a first set of many subjects.
const fewUnacked = 100

func (f *Facts) slowFirstSet(c *Consumer) {
	if c.Config.DeliverPolicy.String() != "Last Per Subject" || !c.Acks() {
		return
	}
	subjects := 0.0
	for _, p := range c.Publishers() {
		subjects += subjectsOf(p.Publisher)
	}
	if seen, ok := f.Observed(c.Of.Path, "state", "num_subjects"); ok {
		subjects = float64(seen)
	}
	rate, ok := c.PerSecond()
	if limit := float64(c.Config.MaxAckPending); !ok && limit > 0 && limit < fewUnacked && subjects >= 100*limit {
		f.Report(design.Join(c.Path, "max_ack_pending"), Said{
			What:   fmt.Sprintf("lets the last messages of %s subjects through in %s rounds of acks before the first new one comes", size.FormatCount(subjects), size.FormatCount(math.Ceil(subjects/limit))),
			Write:  "raise max_ack_pending, or read the first set without acks",
			Figure: &Figure{"rounds of acks", math.Ceil(subjects / limit), "rounds", Computed}})
		return
	}
	if !ok || subjects == 0 {
		f.Need("the tokens of the publishers, and service_time of the workers")
		return
	}
	path, severity := design.Join(c.Path, "workers"), design.Info
	if limit, hands := c.Config.MaxAckPending, c.Handlers(); limit > 0 && limit <= hands {
		rate *= float64(limit) / float64(hands)
		path, severity = design.Join(c.Path, "max_ack_pending"), design.Warning
	} else if limit > 0 && limit < fewUnacked && subjects >= 100*float64(limit) {
		severity = design.Warning // more handlers would not be let at it
	}
	seconds := subjects / rate
	if seconds < longStart.Seconds() {
		return
	}
	f.Report(path, Said{Severity: severity, Value: counted(c.Handlers(), "handler"),
		What:   fmt.Sprintf("lets at most %s a second through: the last messages of %s take %s before the first new one comes", size.FormatCount(math.Round(rate)), size.Counted(subjects, "subject", "subjects"), size.FormatSeconds(seconds)),
		Write:  "raise max_ack_pending and the handlers, or read the first set without acks",
		Figure: &Figure{"time until it is level", seconds, "s", Computed}})
}
