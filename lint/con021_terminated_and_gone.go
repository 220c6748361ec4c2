package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "CON021",
	Name:     "terminated-and-gone",
	Severity: design.Warning,
	Title:    "A term removes the message, and nobody keeps it or hears of it.",
	Why: "In a stream of retention workqueue or interest a term counts as an ack, so the message is deleted; the only trace is an advisory with its sequence (server/consumer.go " +
		"processTerm, v2.15.2; measured).",
	Fix:   "Put a copy aside before the term, or store $JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.STREAM.CONSUMER and use a stream of retention limits.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.terminated) },
})

// worthTerminating is the share of messages above which what is thrown away is
// more than the odd one that nobody could read.
const worthTerminating = 0.005

func (f *Facts) terminated(c *Consumer) {
	share := 0.0
	for _, e := range c.Errors("term") {
		share += e.Rate
	}
	load := c.Load()
	if share == 0 || c.Of.Config.Retention.String() == "Limits" || f.advisoriesRead(c, "MSG_TERMINATED") {
		return
	}
	said := Said{Value: percent(share) + " term", Write: "put a copy into another stream before the term, or store the MSG_TERMINATED advisories",
		What: fmt.Sprintf("removes %s of the messages for good, and nobody here reads the advisory that says so", percent(share))}
	if load.Known {
		perDay := load.Low * share * 86400
		said.What += fmt.Sprintf(": %s a day", messages(perDay))
		said.Figure = &Figure{"messages removed a day", perDay, "msgs", Computed}
	}
	if !load.Known || share < worthTerminating {
		said.Severity = design.Info
	}
	f.Report(design.Join(c.Workers[0].Path, "errors"), said)
}
