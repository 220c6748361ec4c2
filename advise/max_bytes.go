package advise

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

// assumedOutage is how long a work queue must be able to fill without workers,
// unless the goals name more.
const assumedOutage = time.Hour

// maxBytes holds what max_age keeps, with a tenth of room; for a work queue what
// comes in while nobody works. It is never more than there is room for.
func (p *streamPlan) maxBytes() {
	record, err := size.OfRecord(p.Message, p.at.Storage)
	if err != nil {
		return
	}
	messages, why, ok := p.needed(record.Reported.Value)
	if !ok {
		return
	}
	need := messages * record.Reported.Value
	p.reserve(need, roomy(roomier*need), messages, why+", with a tenth of room; reserved on every replica", record.Reported)
	p.fits(need)
}

// reserve advises max_bytes of wanted bytes for what has to be held.
func (p *streamPlan) reserve(need float64, wanted int64, messages float64, why string, reported size.Figure) {
	p.claimed = float64(wanted)
	set := Setting{Field: "max_bytes", Reason: why, Source: "fileStoreMsgSize, filestore.go, 2.15.2",
		Rejected: []Rejected{{"-1", "nothing but the disk ends its growth when there is more than expected; the last byte of it stops every stream of the server"}}}
	n := wanted
	if p.claimed >= size.Limit/2 {
		set.Reason = fmt.Sprintf("the most that can be written (2^62 bytes): %s, would take %s", why, size.FormatBytes(need))
	}
	switch {
	case p.room.none():
		set.State, set.Advised, set.Reason = Default, "none", "no room is left to reserve: "+p.room.of
	case p.room.known() && float64(n) > p.room.bytes && roomier*need <= p.room.bytes:
		n = within(p.room.bytes)
	case p.room.known() && float64(n) > p.room.bytes:
		n = within(p.room.bytes)
		set.Reason = fmt.Sprintf("what there is room for (%s); needed: %s, %s", p.room.of, size.FormatBytes(need), why)
		set.Rejected = append(set.Rejected, Rejected{design.FormatSize(wanted), "more than there is to reserve: refused"})
	}
	if set.State == "" {
		set.Advised, set.api = bytes(n)
	}
	set.Working = &size.Figure{Name: "bytes kept", Value: need, Low: need, High: need, Unit: size.Bytes, Basis: size.Arithmetic,
		Formula: "messages × bytes of one", Terms: []size.Figure{{Name: "messages", Value: messages, Low: messages, High: messages, Unit: size.Messages, Basis: size.Arithmetic}, reported}}
	p.add(set, func(v design.Value) string { return p.tooFew(v.Int, need, messages) })
	p.at.MaxBytes = n
	if v, ok := p.written("max_bytes"); ok {
		p.at.MaxBytes = v.Int
	}
}

// needed is how many messages of so many bytes on disk the stream has to hold at once.
func (p *streamPlan) needed(record float64) (messages float64, why string, ok bool) {
	rate := p.Rate.Average()
	if rate <= 0 || p.Message.Payload+p.Message.Header <= 0 {
		return 0, "", false
	}
	if p.Retention != size.Limits {
		away := max(p.Outage, assumedOutage)
		why = fmt.Sprintf("workers may be away for %s", span(away))
		if p.Outage < assumedOutage {
			why = "room for an hour without workers"
		}
		peak := p.Rate.Peak()
		return peak * away.Seconds(), fmt.Sprintf("%s, and %s come in", why, perSecond(peak)), true
	}
	if p.PerSubject > 0 && p.Distinct > 0 {
		return float64(p.PerSubject) * p.Distinct, fmt.Sprintf("%s × %s", size.Counted(p.PerSubject, "message", "messages"), size.Counted(p.Distinct, "subject", "subjects")), true
	}
	if p.at.MaxAge <= 0 {
		return 0, "", false
	}
	s := p.at
	s.MaxBytes, s.MaxMsgs = 0, 0
	kept, err := size.OfRetention(s, 0)
	if err != nil || kept.Binds == "" {
		return 0, "", false
	}
	return kept.Messages.High, fmt.Sprintf("%s of %s/s as stored", span(p.at.MaxAge), size.FormatBytes(rate*record)), true
}

// enoughOf is the share of the room from which on a written limit is not called
// too little: the rest may be for other streams.
const enoughOf = 0.5

// tooFew says what a limit of bytes cuts off.
func (p *streamPlan) tooFew(limit int64, need, messages float64) string {
	switch {
	case limit <= 0 || float64(limit) >= 0.98*need:
		return ""
	case p.room.known() && float64(limit) >= enoughOf*p.room.bytes:
		return "" // there is no room for more: fits says so
	case p.Retention != size.Limits:
		return fmt.Sprintf("it is full after %s without workers", size.FormatSeconds(float64(limit)/need*messages/p.Rate.Peak()))
	case p.at.MaxAge > 0:
		return fmt.Sprintf("it is full after %s, before max_age: %s needs %s", size.FormatSeconds(float64(limit)/need*p.at.MaxAge.Seconds()), span(p.at.MaxAge), size.FormatBytes(need))
	}
	return fmt.Sprintf("what has to be kept takes %s", size.FormatBytes(need))
}

// fits says what has to give where what was asked for is more than there is room
// for.
func (p *streamPlan) fits(need float64) {
	if !p.asked() || !p.room.known() || need <= p.room.bytes {
		return
	}
	have := max(p.room.bytes, 0)
	say := fmt.Sprintf("%s needs %s of max_bytes, and there is room for %s (%s)", p.Name, size.FormatBytes(need), size.FormatBytes(have), p.room.of)
	if p.Retention == size.Limits && p.at.MaxAge > 0 {
		say = fmt.Sprintf("%s of %s cannot be kept: it needs %s, and there is room for %s (%s)", span(p.at.MaxAge), p.Name, size.FormatBytes(need), size.FormatBytes(have), p.room.of)
		if fits := downTo(time.Duration(have / need * float64(p.at.MaxAge))); fits >= time.Second {
			say += ", or keep " + span(fits)
		}
	}
	p.relax = append(p.relax, say+".")
}
