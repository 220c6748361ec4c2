package lint

import (
	"fmt"
	"time"

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
	if c.Ephemeral() || threshold <= 0 || threshold > max(stall, longOutage) || c.Of.Config.Retention.String() == "WorkQueue" {
		return // a workqueue keeps what nobody acked
	}
	away := size.FormatDuration(threshold)
	enough := 12 * stall
	if threshold >= enough {
		enough = 2 * longOutage
	}
	said := Said{Write: fmt.Sprintf("leave it out, or write %s or more", design.FormatDuration(int64(enough)))}
	load := c.Load()
	switch most, bounded := f.MostMessages(c.Of); {
	case !load.Known && threshold > stall:
		return
	case !load.Known:
		f.Need("the publishers of a stream, with rate and payload")
		said.Severity = design.Info
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s, with all that it knows of what is done", away)
	case c.Of.Config.Retention.String() == "Interest" || c.Config.DeliverPolicy.String() == "New":
		lost := load.Low * (max(stall, 2*threshold) - threshold).Seconds()
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s: of an outage of %s at most %s are lost", away, size.FormatDuration(max(stall, 2*threshold)), messages(lost))
		said.Figure = &Figure{"messages lost", lost, "msgs", Bound}
	case !bounded || c.Config.DeliverPolicy.String() != "All":
		said.Severity = design.Info
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s, and a new one begins again", away)
	default:
		said.What = fmt.Sprintf("deletes the durable when its workers are away for %s: a new one delivers the stream again, at most %s", away, messages(most))
		said.Figure = &Figure{"messages handled again", most, "msgs", Bound}
	}
	if threshold > stall {
		said.Severity = design.Info // outages that long are rare
	}
	f.Report(design.Join(c.Path, "inactive_threshold"), said)
}

// longOutage is a weekend and a day: a deployment that waits for Monday is longer
// than most inactive_thresholds that somebody chose for durables.
const longOutage = 72 * time.Hour
