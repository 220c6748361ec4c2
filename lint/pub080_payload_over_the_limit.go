package lint

import (
	"cmp"
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB080",
	Name:     "payload-over-the-limit",
	Severity: design.Warning,
	Title:    "Some of the messages are larger than the server or the stream takes.",
	Why: "A message over max_payload makes the server close the connection (server/client.go, v2.15.2; client libraries refuse it before); one over max_msg_size is " +
		"refused with 10054. Both count headers and payload together (measured).",
	Fix:   "Raise the limit above the largest message with its headers, split it, or put it into an object store.",
	Refs:  []string{"server/client.go", "server/stream.go", "err_code 10054"},
	Check: func(f *Facts) { f.AcceptedStreams(f.tooLarge) },
})

func (f *Facts) tooLarge(s *Stream) {
	limit, name, raise := float64(size.MiB), "servers' max_payload (the default of 1 MiB)", cmp.Or(s.Site.Server.Path, "server")+".conf.max_payload"
	if m := float64(f.maxPayload(s)); m != limit {
		limit, name = m, "servers' max_payload of "+size.FormatBytes(m)
	}
	switch m := s.Config.MaxMsgSize; {
	case m > 0 && float64(m) < limit:
		limit, name, raise = float64(m), fmt.Sprintf("max_msg_size of %s of stream %s", size.FormatBytes(float64(m)), clip(s.Name)), design.Join(s.Path, "max_msg_size")
	case m > 0 && float64(m) > limit && f.saysAll() && s.Kind == "stream":
		f.Report(design.Join(s.Path, "max_msg_size"), Said{Severity: design.Info, Write: "raise max_payload of the servers, or write a smaller max_msg_size",
			What:   fmt.Sprintf("is more than the %s: nothing above that reaches the stream", name),
			Figure: &Figure{"largest message", limit, "B", Computed}})
	}
	for _, p := range s.Publishers() {
		over := p.Payload.Exceeds(limit)
		if p.Payload.Kind == design.DistAbsent || over < 1e-4 {
			continue
		}
		what := fmt.Sprintf("is over the %s for %s of the messages", name, percent(over))
		if over > 0.999 {
			what = "is over the " + name
		}
		tail := AssumedTail(p.Payload, limit)
		severity := severityOf(tail)
		if severity == "" {
			severity = design.Error
		}
		enough, largest := math.Exp2(math.Ceil(math.Log2(1.25*max(p.Payload.P99Value(), limit)))), "the 99th percentile"
		switch {
		case p.Payload.P99Value() <= limit:
			largest = "the limit that is exceeded"
		case p.Payload.Kind == design.DistConstant:
			largest = "it"
		}
		f.Report(design.Join(p.Path, "payload"), Said{What: what + ifTail(tail), Severity: severity, Write: fmt.Sprintf("write %s: %s or more, which leaves a fifth above %s", raise, design.FormatSize(int64(math.Min(enough, math.MaxInt64/2))), largest),
			Figure: &Figure{"share of messages too large", over, "share", Computed}})
	}
}
