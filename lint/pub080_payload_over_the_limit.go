package lint

import (
	"cmp"
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
		f.payloadOver(p.Publisher, limit, name, raise)
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
	limit, name := float64(size.MiB), "servers' max_payload (the default of 1 MiB)"
	if v, ok := f.Conf(f.Server, natsapi.Conf, "max_payload"); ok && v.Int > 0 {
		limit, name = float64(v.Int), "servers' max_payload of "+size.FormatBytes(float64(v.Int))
	}
	for _, scope := range f.Scopes() {
		for _, p := range scope.Publishers {
			if scope.Leafnode == "" && !stored[p.Path] {
				f.payloadOver(p, limit, name, "server.conf.max_payload")
			}
		}
	}
}

// payloadOver reports a publisher whose messages are over a limit: an error where the
// design itself says that some are, as the server refuses each of these.
func (f *Facts) payloadOver(p *design.Publisher, limit float64, name, raise string) {
	over := p.Payload.Exceeds(limit)
	if p.Payload.Kind == design.DistAbsent || over < worthSaying {
		return
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
