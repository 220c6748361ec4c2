package lint

import (
	"fmt"
	"math"
	"strings"

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
	if what == "" {
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

// untilFull is what a stream with discard new may hold before it refuses, and the
// seconds until its publishers have filled it when no consumer takes anything
// away; 0 when their rate or size is not known. what is "" for a stream that never
// refuses: no limit, or max_age or max_msgs_per_subject keeps it below all others.
func (f *Facts) untilFull(s *Stream) (what string, seconds float64) {
	var limits []string
	if n := s.Config.MaxMsgs; n > 0 {
		limits = append(limits, size.Counted(n, "message", "messages"))
	}
	if n := s.Config.MaxBytes; n > 0 {
		limits = append(limits, size.FormatBytes(float64(n)))
	}
	perSubject := size.Counted(int(s.Config.MaxMsgsPer), "message", "messages") + " of each subject"
	if s.Config.MaxMsgsPer > 0 && s.Config.DiscardNewPer {
		limits = append(limits, perSubject)
	}
	what = strings.Join(limits, " or ")
	sized, rate := f.SizeOf(s.Path), s.Load().High
	if sized == nil || rate <= 0 || what == "" {
		return what, 0
	}
	kept, full := math.Inf(1), math.Inf(1)
	for _, b := range sized.Size.Retained.Bounds {
		n := b.Messages.Value
		switch perSub := b.Limit == "max_msgs_per_subject"; {
		case b.Limit == "acknowledgement", perSub && !f.countsSubjects(s), b.Limit == "max_bytes" && f.bytesPerSecond(s) == 0:
			// not known, or what consumers take away
		case b.Limit == "max_age":
			kept = min(kept, b.Messages.High)
		case perSub && !s.Config.DiscardNewPer:
			kept = min(kept, n)
		case n < full:
			full, what = n, size.Counted(n, "message", "messages")
			if perSub {
				what = perSubject
			} else if b.Limit == "max_bytes" {
				what = size.FormatBytes(float64(s.Config.MaxBytes))
			}
		}
	}
	switch {
	case math.IsInf(full, 1):
		return what, 0
	case kept < full:
		return "", 0
	}
	return what, full / rate
}

// countsSubjects reports whether it is known how many subjects a stream gets.
func (f *Facts) countsSubjects(s *Stream) bool {
	for _, p := range s.Publishers() {
		for _, t := range p.Tokens {
			if t.Count == 0 && len(t.Examples) == 0 {
				return false
			}
		}
	}
	return f.mostSubjects(s) > 0
}
