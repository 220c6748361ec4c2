package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB080",
	Name:     "payload-over-the-limit",
	Severity: design.Warning,
	Title:    "Some of the messages are larger than the server or the stream takes.",
	Why: "A message over max_payload makes the server close the connection (server/client.go, v2.15.2; client libraries refuse it before); one over max_msg_size is " +
		"refused with 10054. Both count headers and payload together (measured).",
	Fix:  "Raise the limit above the largest message with its headers, split it, or put it into an object store.",
	Refs: []string{"server/client.go", "server/stream.go", "err_code 10054"},
	Check: func(f *Facts) {
		f.AcceptedStreams(f.tooLarge)
		f.tooLargeForServer()
	},
})

func (f *Facts) tooLarge(s *Stream) {
	limit, name := float64(size.MiB), "max_payload (the default of 1 MiB)"
	if m := float64(f.maxPayload(s)); m != limit {
		limit, name = m, "max_payload of "+size.FormatBytes(m)
	}
	switch m := s.Config.MaxMsgSize; {
	case m > 0 && float64(m) < limit:
		limit, name = float64(m), "max_msg_size of "+size.FormatBytes(float64(m))
	case m > 0 && float64(m) > limit && f.saysAll() && s.Kind == "stream":
		f.Report(design.Join(s.Path, "max_msg_size"), Said{Severity: design.Info, Write: "raise max_payload of the servers, or write a smaller max_msg_size",
			What:   fmt.Sprintf("is more than the servers' %s: nothing above that reaches the stream", name),
			Figure: &Figure{"largest message", limit, "B", Computed}})
	}
	for _, p := range s.Publishers() {
		f.payloadOver(p.Publisher, limit, name+" of stream "+clip(s.Name))
	}
}

// tooLargeForServer is about what no stream stores: the server ends the connection of
// a core publisher all the same.
func (f *Facts) tooLargeForServer() {
	stored := map[string]bool{}
	f.AcceptedStreams(func(s *Stream) {
		for _, p := range s.Publishers() {
			stored[p.Path] = true
		}
	})
	limit, name := float64(size.MiB), "max_payload (the default of 1 MiB)"
	if v, ok := f.Conf(f.Server, natsapi.Conf, "max_payload"); ok && v.Int > 0 {
		limit, name = float64(v.Int), "max_payload of "+size.FormatBytes(float64(v.Int))
	}
	for _, scope := range f.Scopes() {
		for _, p := range scope.Publishers {
			if scope.Leafnode == "" && !stored[p.Path] {
				f.payloadOver(p, limit, name)
			}
		}
	}
}

// payloadOver reports a publisher whose messages are over a limit: an error where the
// design itself says that some are, as the server refuses each of these.
func (f *Facts) payloadOver(p *design.Publisher, limit float64, name string) {
	over := p.Payload.Exceeds(limit)
	if p.Payload.Kind == design.DistAbsent || over < worthSaying {
		return
	}
	what := fmt.Sprintf("is over the %s for %s of the messages", name, percent(over))
	if over > 0.999 {
		what = fmt.Sprintf("is over the %s", name)
	}
	tail := AssumedTail(p.Payload, limit)
	severity := severityOf(tail)
	if severity == "" {
		severity = design.Error
	}
	f.Report(design.Join(p.Path, "payload"), Said{What: what + ifTail(tail), Severity: severity, Write: fmt.Sprintf("raise the limit to %s or more", size.FormatBytes(math.Exp2(math.Ceil(math.Log2(1.25*max(p.Payload.P99Value(), limit)))))),
		Figure: &Figure{"share of messages too large", over, "share", Computed}})
}
