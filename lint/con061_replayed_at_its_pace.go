package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CON061",
	Name:     "replayed-at-its-pace",
	Severity: design.Warning,
	Title:    "With replay_policy original what waits is delivered no faster than it once came, so a delay is never made up for.",
	Why: "original keeps the pauses between messages, for every message that was stored before the consumer came to it (server/consumer.go, v2.15.2; measured). Workers that were away for an hour " +
		"stay an hour behind, however fast they are.",
	Fix:   "Leave replay_policy out: instant is the default. Keep original for replays that are to look like the past.",
	Refs:  []string{"server/consumer.go", "ADR-13"},
	Check: func(f *Facts) { f.Consumers(f.replayedSlowly) },
})

func (f *Facts) replayedSlowly(c *Consumer) {
	path := design.Join(c.Path, "replay_policy")
	if c.Config.ReplayPolicy.String() != "Original" {
		return
	}
	stall := f.stallToSurvive(c)
	said := Said{What: "delivers what waits at the pace at which it came: workers that were away stay behind for as long", Write: "leave it out", Fix: f.UnsetFix("Leave replay_policy out", path)}
	load := c.Load()
	switch {
	case c.Ephemeral() || !c.Acks():
		said.Severity = design.Info // a look at the past
	case load.Known:
		said.What += fmt.Sprintf("; after %s without them %s are that late for ever", size.FormatDuration(stall), messages(load.High*stall.Seconds()))
	}
	said.Figure = &Figure{"delay that is never made up for", stall.Seconds(), "s", Bound}
	f.Report(path, said)
}
