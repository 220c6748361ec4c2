package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON020",
	Name:     "durable-vanishes",
	Severity: design.Warning,
	Title:    "A durable consumer is deleted when its workers are away for a while, and what it knew is lost.",
	Why: "inactive_threshold deletes durable consumers too (server/consumer.go, v2.15.2). The client makes it again from its configuration: with deliver_policy all everything is " +
		"delivered once more, with new what came in between is skipped, and a stream of retention interest has removed it.",
	Fix:   "Leave inactive_threshold out of durable consumers, or make it longer than the longest outage; start again from a sequence that the application keeps.",
	Refs:  []string{"server/consumer.go", "ADR-8"},
	Check: func(f *Facts) { f.Consumers(f.durableVanishes) },
})

func (f *Facts) durableVanishes(c *Consumer) {
	threshold, stall := c.Config.InactiveThreshold, f.stallToSurvive(c)
	if c.Ephemeral() || threshold <= 0 || threshold > stall || c.Of.Config.Retention.String() == "WorkQueue" {
		return // a workqueue keeps what nobody acked
	}
	away := size.FormatDuration(threshold)
	said := Said{Write: fmt.Sprintf("leave it out, or write %s or more", design.FormatDuration(int64(12*stall)))}
	load := c.Load()
	switch most, bounded := f.MostMessages(c.Of); {
	case !load.Known:
		f.Need("the publishers of a stream, with rate and payload")
		said.Severity = design.Info
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s, with all that it knows of what is done", away)
	case c.Of.Config.Retention.String() == "Interest" || c.Config.DeliverPolicy.String() == "New":
		lost := load.Low * (stall - threshold).Seconds()
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s: of an outage of %s at most %s are lost", away, size.FormatDuration(stall), messages(lost))
		said.Figure = &Figure{"messages lost", lost, "msgs", Bound}
	case !bounded || c.Config.DeliverPolicy.String() != "All":
		said.Severity = design.Info
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s, and a new one begins again", away)
	default:
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s: a new one delivers the stream again, at most %s", away, messages(most))
		said.Figure = &Figure{"messages handled again", most, "msgs", Bound}
	}
	f.Report(design.Join(c.Path, "inactive_threshold"), said)
}
