package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON044",
	Name:     "idle-consumer-holds",
	Severity: design.Warning,
	Title:    "A consumer that nobody reads keeps every message in the stream.",
	Why: "In a stream of retention interest a message stays until all consumers that match it have acked it; one that is paused or has no worker never does (server/stream.go, v2.15.2; " +
		"measured). The stream grows to its limits, and then drops what others have not read, or refuses.",
	Fix:   "Delete the consumer, or give it an inactive_threshold so that it goes when nobody reads it.",
	Refs:  []string{"server/stream.go", "ADR-42"},
	Check: func(f *Facts) { f.Consumers(f.idleHolds) },
})

func (f *Facts) idleHolds(c *Consumer) {
	idle := len(c.Workers) > 0 && c.Handlers() == 0
	paused := !c.Config.PauseUntil.IsZero()
	if c.Of.Config.Retention.String() == "Limits" || !idle && !paused || c.Config.InactiveThreshold > 0 {
		return
	}
	path, how := design.Join(c.Path, "pause_until"), "stops the consumer"
	if idle {
		path, how = design.Join(c.Path, "workers"), "are none"
	}
	load := c.Load()
	if !load.Known || load.Low == 0 {
		f.Need("the publishers of a stream, with rate and payload")
		return
	}
	said := Said{Value: "count 0", What: fmt.Sprintf("%s, and the stream keeps all for it, %s a day", how, messages(load.Low*86400)),
		Write: "delete the consumer, or write inactive_threshold", Figure: &Figure{"messages kept a day", load.Low * 86400, "msgs", Computed}}
	if _, full := f.untilFull(c.Of); full > 0 {
		said.What += fmt.Sprintf(": it is full after %s", size.FormatSeconds(full))
		said.Figure = &Figure{"time until the stream is full", full, "s", Computed}
	}
	f.Report(path, said)
}
