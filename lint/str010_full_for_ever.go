package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR010",
	Name:     "full-for-ever",
	Severity: design.Warning,
	Title:    "Acks make no room under retention limits: once this stream is full, it refuses everything for ever.",
	Why: "discard new refuses at max_msgs and max_bytes (10077). Under retention limits an ack removes nothing, and without max_age neither does time " +
		"(server/stream.go, v2.15.2; measured: 3 messages, acked, and the fourth refused).",
	Fix:   "Write retention: workqueue or interest where acked messages may go, else max_age, or discard: old.",
	Refs:  []string{"server/stream.go", "err_code 10077", "nats-server #2795"},
	Check: func(f *Facts) { f.AcceptedStreams(f.fullForEver) },
})

func (f *Facts) fullForEver(s *Stream) {
	c := s.Config
	if s.Kind != "stream" || c.Retention.String() != "Limits" || c.Discard.String() != "New" || c.MaxAge > 0 || c.MaxMsgsPer > 0 || c.AllowMsgTTL || c.Mirror != nil {
		return
	}
	messages, limit := s.Holds()
	said := Said{Write: "write retention: workqueue, or max_age, or discard: old"}
	switch {
	case limit != "":
		said.What = fmt.Sprintf("refuses for ever once it stores %s (%s): under retention limits acks make no room", size.Counted(messages, "message", "messages"), limit)
		said.Figure = &Figure{"messages until it is full", messages, "msgs", Computed}
		if load := s.Load(); load.High > 0 {
			said.What += ", after " + size.FormatSeconds(messages/load.High)
		}
	case c.MaxBytes > 0:
		said.What = fmt.Sprintf("refuses for ever once %s are stored: under retention limits acks make no room", size.FormatBytes(float64(c.MaxBytes)))
		said.Figure = &Figure{"bytes until it is full", float64(c.MaxBytes), "B", Computed}
	default:
		return
	}
	if len(s.Consumers) == 0 && len(s.Publishers()) == 0 {
		said.Severity = design.Info
	}
	f.Report(design.Join(s.Path, "discard"), said)
}
