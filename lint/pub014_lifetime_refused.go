package lint

import (
	"fmt"
	"time"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB014",
	Name:     "lifetime-refused",
	Severity: design.Warning,
	Title:    "Messages with a lifetime are refused by the stream, or do not live as long.",
	Why: "Without allow_msg_ttl a publish with the header Nats-TTL is refused with 10166, and a lifetime below 1 s is invalid (server/stream.go, v2.15.2; measured; 2.10 ignores the header). " +
		"One above max_age ends with max_age.",
	Fix:   "Write allow_msg_ttl: true at the stream, limit_marker_ttl at a bucket, and lifetimes from 1 s to max_age.",
	Refs:  []string{"ADR-43", "server/stream.go", "err_code 10166"},
	Check: func(f *Facts) { f.AcceptedStreams(f.lifetimes) },
})

func (f *Facts) lifetimes(s *Stream) {
	ignored := !s.Version.AtLeast(natsapi.Version{Major: 2, Minor: 11})
	if first := (natsapi.Version{Major: 2, Minor: 11}); !ignored && s.Config.AllowMsgTTL && !s.Version.AtLeast(natsapi.Version{Major: 2, Minor: 11, Patch: 4}) && s.Version.AtLeast(first) {
		key := "allow_msg_ttl"
		if s.Kind == "kv" {
			key = "limit_marker_ttl"
		}
		f.Report(design.Join(s.Path, key), Said{Write: "run 2.11.4 or newer, or create it anew",
			What:   fmt.Sprintf("may end nothing on nats-server %s where the stream was there before without lifetimes: messages stay until 2.11.4", s.Version),
			Figure: &Figure{"share of the messages that stay", 1, "share", Bound}})
	}
	shortest := time.Duration(natsapi.LimitOf("min_message_ttl"))
	for _, p := range s.Publishers() {
		if p.TTL <= 0 {
			continue
		}
		said := Said{Write: "write allow_msg_ttl: true at the stream"}
		said.Figure = &Figure{"publishes refused", LoadOf([]Feed{p}).High, "msg/s", Computed}
		switch {
		case ignored:
			said.What = fmt.Sprintf("does nothing on nats-server %s: messages stay", s.Version)
			said.Write, said.Figure.Name = "use max_age, or 2.11", "messages that stay"
		case !s.Config.AllowMsgTTL && s.Kind == "kv":
			said.What, said.Write = "is refused with 10166, as the bucket does not allow lifetimes", "write limit_marker_ttl at the bucket"
		case !s.Config.AllowMsgTTL:
			said.What = fmt.Sprintf("is refused with 10166, as stream %s does not allow lifetimes", clip(s.Name))
		case p.TTL < shortest:
			said.What, said.Write = "is below the shortest lifetime, 1 s, and refused", "write 1s or more"
		case s.Config.MaxAge > 0 && p.TTL > s.Config.MaxAge:
			said.What = fmt.Sprintf("is longer than max_age of stream %s: messages end after %s", clip(s.Name), size.FormatDuration(s.Config.MaxAge))
			said.Write = "write a longer max_age"
			said.Figure = &Figure{"longest life", s.Config.MaxAge.Seconds(), "s", Computed}
		default:
			continue
		}
		f.Report(design.Join(p.Path, "ttl"), said)
	}
}
