package advise

import (
	"fmt"

	"weir/design"
	"weir/size"
)

// rareSize is the share of payloads that a limit may refuse: from there on package
// lint warns.
const rareSize = 1e-4

// maxMsgSize leaves room above what is published, and refuses what can only be a
// mistake.
func (p *streamPlan) maxMsgSize() {
	if p.Message.Payload <= 0 || p.Copies {
		return
	}
	typical, of := p.Payload99, "the 99th percentile"
	times := 4.0
	if typical <= 0 || typical < p.Message.Payload {
		typical, of, times = p.Message.Payload, "the mean", 16
	}
	n := max(powerOfTwo(times*(typical+p.Message.Header)), powerOfTwo(p.PayloadRare+p.Message.Header), 16*size.KiB)
	set := Setting{Field: "max_msg_size", Source: "stream.go processJetStreamMsg, 2.15.2: 10054, headers and payload together",
		Reason: fmt.Sprintf("%s is %s with its headers: a message of more than %s times that is a mistake, and is refused with 10054", of,
			size.FormatBytes(typical+p.Message.Header), short(float64(n)/(typical+p.Message.Header))),
		Rejected: []Rejected{{"-1", "one attachment that got in takes the room of thousands of messages"}}}
	if n >= p.MaxPayload {
		set.State, set.Advised = Default, "none"
		set.Reason = fmt.Sprintf("max_payload (%s) is the limit already", size.FormatBytes(float64(p.MaxPayload)))
		set.Rejected = []Rejected{{design.FormatSize(n), "more than max_payload lets in"}}
	} else {
		set.Advised, set.api = bytes(n)
	}
	p.add(set, func(v design.Value) string {
		if v.Int > 0 && float64(v.Int) < typical+p.Message.Header {
			return fmt.Sprintf("%s, with headers, is %s: larger messages are refused with 10054", of, size.FormatBytes(typical+p.Message.Header))
		}
		return ""
	})
	if v, ok := p.written("max_msg_size"); ok {
		p.at.MaxMsgSize = v.Int
	} else if set.api != nil {
		p.at.MaxMsgSize = n
	}
}
