package lint

import (
	"fmt"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "STR011",
	Name:     "message-above-max-bytes",
	Severity: design.Warning,
	Title:    "A message larger than max_bytes is acknowledged and lost, and takes everything older with it.",
	Why: "discard old makes room until the stream fits max_bytes again; for a message that is larger by itself that means all of them, the new one included, and " +
		"the publisher has its PubAck (server/filestore.go, v2.15.2; measured: acked, 0 messages).",
	Fix:   "Write max_bytes for many of the largest messages, or max_msg_size, which refuses the message with 10054.",
	Refs:  []string{"server/filestore.go", "err_code 10054", "err_code 10077"},
	Proof: "discard-old-too-large",
	Check: func(f *Facts) { f.AcceptedStreams(f.aboveMaxBytes) },
})

func (f *Facts) aboveMaxBytes(s *Stream) {
	limit := s.Config.MaxBytes
	if limit <= 0 || s.Config.Mirror != nil {
		return
	}
	old := s.Config.Discard.String() == "Old"
	path := design.Join(s.Path, "max_bytes")
	for _, p := range s.Publishers() {
		room := float64(limit) - float64(size.RecordBytes(s.storage(), len(p.Pattern), headerBytes(p.Publisher), 0))
		if m := float64(s.Config.MaxMsgSize); m > 0 && m < room {
			continue // refused before it could do harm
		}
		share := p.Payload.Exceeds(room)
		if p.Payload.Kind == design.DistAbsent || share < 1e-4 {
			continue
		}
		tail := AssumedTail(p.Payload, room)
		what := fmt.Sprintf("is less than %s of the messages of publisher %s need%s: each of these is refused with 10077", percent(share), clip(p.Name), ifTail(tail))
		if old {
			what = fmt.Sprintf("is less than %s of the messages of publisher %s need%s: each of these is acknowledged and lost, and all older messages with it", percent(share), clip(p.Name), ifTail(tail))
		}
		f.Report(path, Said{Severity: severityOf(tail), What: what, Write: "write max_bytes for many of them, or max_msg_size", Figure: &Figure{"share of messages too large", share, "share", Computed}})
		return
	}
	switch largest := int64(s.Config.MaxMsgSize); {
	case !old || s.Kind != "stream":
	case largest > limit:
		f.Report(path, Said{What: fmt.Sprintf("is less than max_msg_size, %s: a message above it is acknowledged and lost, and all older ones with it",
			size.FormatBytes(float64(largest))), Write: "write max_msg_size below it", Figure: &Figure{"largest message", float64(largest), "B", Bound}})
	case largest <= 0 && limit < f.maxPayload(s) && len(s.Publishers()) == 0:
		f.Need("the payload of the publishers")
	}
}

// maxPayload is max_payload of the servers that a stream lives on.
func (f *Facts) maxPayload(s *Stream) int64 {
	if v, ok := f.Conf(s.Site.Server, natsapi.Conf, "max_payload"); ok && v.Int > 0 {
		return v.Int
	}
	return size.MiB
}
