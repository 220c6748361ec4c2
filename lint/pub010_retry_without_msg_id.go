package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "PUB010",
	Name:     "retry-without-msg-id",
	Severity: design.Warning,
	Title:    "A publish that is repeated without a message id is stored twice when only its answer was lost.",
	Why: "A publisher that gets no answer cannot know whether the message was stored. The server drops the second copy only when both have the same " +
		"Nats-Msg-Id within duplicate_window (server/stream.go, v2.15.2); without one each lost answer is a copy.",
	Fix:   "Give each message an id (msg_id: uuid) that stays the same over all tries, and keep retry_for within duplicate_window.",
	Refs:  []string{"server/stream.go", "ADR-22"},
	Check: func(f *Facts) { f.AcceptedStreams(f.retriesWithoutID) },
})

func (f *Facts) retriesWithoutID(s *Stream) {
	for _, p := range s.Publishers() {
		if p.Mode == "core" || p.MsgIDBytes > 0 || p.RetryFor <= 0 || s.Config.NoAck {
			continue
		}
		flight := inFlight(p.Publisher)
		f.Report(design.Join(p.Path, "retry_for"), Said{
			What:   fmt.Sprintf("repeats a publish whose answer is lost, without a msg_id: at most %s may be stored twice in stream %s each time a connection breaks", counted(flight, "message"), clip(s.Name)),
			Write:  "write msg_id: uuid, and use the same id for all tries of a message",
			Figure: &Figure{"messages stored twice", float64(flight), "msgs", Bound}})
	}
}

// inFlight is how many messages a publisher's processes may have under way.
func inFlight(p *design.Publisher) int {
	if p.Mode == "sync" {
		return max(1, p.Count)
	}
	return max(1, p.Count) * max(1, p.InFlight)
}
