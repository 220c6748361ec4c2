package lint

import (
	"math"

	"weir/design"
	"weir/size"
)

// recordMean is the mean size of a stream's record, as max_bytes counts it: 30
// bytes on file or 16 in memory beside payload, headers and subject
// (size.RecordBytes); 0 when a payload is not known.
func recordMean(s *Stream) float64 {
	mean := meanBytes(s.Publishers())
	if mean == 0 {
		return 0
	}
	subject, headers, rate := 0.0, 0.0, 0.0
	for _, p := range s.Publishers() {
		r := LoadOf([]Feed{p}).High
		subject += r * float64(len(p.Pattern))
		headers += r * float64(size.RecordBytes(s.storage(), 0, headerBytes(p.Publisher), 0)-size.RecordBytes(s.storage(), 0, 0, 0))
		rate += r
	}
	return mean + (subject+headers)/rate + float64(size.RecordBytes(s.storage(), 0, 0, 0))
}

// headerBytes is the header block of a publisher's messages: what it says itself
// and its message id.
func headerBytes(p *design.Publisher) int {
	own := int(math.Ceil(p.Headers.MeanValue()))
	added, alone := size.MsgIDHeader(p.MsgIDBytes)
	switch {
	case p.MsgIDBytes == 0:
		return own
	case own == 0:
		return alone
	}
	return own + added
}

// storage is where the stream keeps its messages.
func (s *Stream) storage() size.Storage {
	if s.Config.Storage.String() == "Memory" {
		return size.Memory
	}
	return size.File
}

// Holds is how many messages fit under max_msgs and max_bytes, whichever is less,
// and which of the two that is; "" when neither is known to bind.
func (s *Stream) Holds() (messages float64, limit string) {
	messages = math.Inf(1)
	if n := s.Config.MaxMsgs; n > 0 {
		messages, limit = float64(n), "max_msgs"
	}
	if record := recordMean(s); record > 0 && s.Config.MaxBytes > 0 {
		if n := math.Floor(float64(s.Config.MaxBytes) / record); n < messages {
			messages, limit = n, "max_bytes"
		}
	}
	return messages, limit
}
