package lint

import (
	"fmt"
	"math"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "PUB001",
	Name:     "discard-new-unhandled",
	Severity: design.Warning,
	Title:    "A full stream refuses messages, and this publisher loses what is refused.",
	Why: "A stream with discard new that is full answers 503/10077 maximum messages (or bytes) exceeded (server/stream.go, v2.15.2; measured on 2.10, 2.12 " +
		"and 2.15; 10053 is often repeated and was never seen). A core publish gets no answer at all; a publisher that does not look at the answer, or " +
		"drops the message after it, loses it for good.",
	Fix: "Publish with mode sync, async or batch, look at every answer, and when the stream stays full park the message: on_reject {retry: 5, then: dlq}, " +
		"block or file.",
	Refs:  []string{"server/stream.go", "err_code 10077"},
	Proof: "discard-new",
	Check: func(f *Facts) { f.AcceptedStreams(f.rejectionsLost) },
})

func (f *Facts) rejectionsLost(s *Stream) {
	if s.Config.Discard.String() != "New" || s.Kind != "stream" {
		return
	}
	what, full := f.untilFull(s)
	if what == "" || f.replacesBeforeFull(s) {
		return
	}
	for _, p := range s.Publishers() {
		handled := p.OnReject.Then != "" && p.OnReject.Then != "drop"
		var path, at string
		switch {
		case p.Mode == "core":
			path, at = design.Join(p.Path, "mode"), "asks for no answer"
		case handled:
			continue
		case p.OnReject.Then == "drop":
			path, at = design.Join(design.Join(p.Path, "on_reject"), "then"), "loses what is refused"
		default:
			f.Need("on_reject of the publishers into streams with discard: new")
			continue
		}
		said := Said{What: fmt.Sprintf("%s, and stream %s refuses messages with 10077 once it holds %s", at, clip(s.Name), what),
			Write: "write mode: async and on_reject: {retry: 5, then: dlq}",
			Fix:   f.oneOf("Write mode: async and on_reject: {retry: 5, then: dlq}", toWrite{design.Join(p.Path, "mode"), "async"}, toWrite{design.Join(p.Path, "on_reject"), "{retry: 5, then: dlq}"})}
		if full > 0 {
			said.What += fmt.Sprintf(": after %s without consumers, at %s a second", size.FormatSeconds(full), counted(int(math.Round(s.Load().High)), "message"))
			said.Figure = &Figure{"time until the stream is full", full, "s", Computed}
		} else {
			said.Severity = design.Info
		}
		if p.Mode != "core" && p.OnReject.Retry > 0 {
			said.Severity = design.Info // somebody decided what happens after that
		}
		f.Report(path, said)
	}
}

// replacesBeforeFull reports whether max_msgs_per_subject drops old messages before
// the stream is full, which then never refuses any.
func (f *Facts) replacesBeforeFull(s *Stream) bool {
	if s.Config.MaxMsgsPer <= 0 || s.Config.DiscardNewPer {
		return false
	}
	for _, p := range s.Publishers() {
		for _, t := range p.Tokens {
			if t.Count == 0 && len(t.Examples) == 0 {
				return false // how many subjects there are is not known
			}
		}
	}
	holds, _ := s.Holds()
	subjects := f.mostSubjects(s)
	return subjects > 0 && float64(s.Config.MaxMsgsPer)*subjects < holds
}

// untilFull is what a stream may hold, and the seconds until its publishers have
// filled it when nothing leaves; 0 when their rate or size is not known.
func (f *Facts) untilFull(s *Stream) (what string, seconds float64) {
	rate := s.Load().High
	seconds = math.Inf(1)
	if n := s.Config.MaxMsgs; n > 0 {
		what = size.FormatCount(float64(n)) + " messages"
		if rate > 0 {
			seconds = float64(n) / rate
		}
	}
	if n := s.Config.MaxBytes; n > 0 {
		if what == "" {
			what = size.FormatBytes(float64(n))
		} else {
			what += " or " + size.FormatBytes(float64(n))
		}
		if perSecond := f.bytesPerSecond(s); perSecond > 0 {
			seconds = math.Min(seconds, float64(n)/perSecond)
		}
	}
	if s.Config.MaxMsgsPer > 0 && s.Config.DiscardNewPer && what == "" {
		what = size.FormatCount(float64(s.Config.MaxMsgsPer)) + " of a subject"
	}
	if math.IsInf(seconds, 1) {
		seconds = 0
	}
	return what, seconds
}
