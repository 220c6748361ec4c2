package advise

import "weir/design"

// discard says who pays when a limit is reached: the oldest message, or the
// publisher.
func (p *streamPlan) discard() {
	text, api := word("old")
	set := Setting{Field: "discard", Advised: text, api: api, Source: "stream.go, 2.15.2; measured: 10077 under new",
		Reason:   "the oldest go when a limit is reached; publishers are never refused",
		Rejected: []Rejected{{"new", "a full stream answers every publisher with 10077 until something is removed, and a plain publish is not told at all"}}}
	if p.Retention != "" && p.Retention != "limits" {
		set.Advised, set.api = word("new")
		set.Reason = "what waits has not been handled yet: the publisher is told (10077) and can keep it, rather than the oldest work being dropped in silence"
		set.Rejected = []Rejected{{"old", "a full stream drops the messages that nobody has handled yet, and nobody is told"}}
	}
	if v, ok := p.written("discard_new_per_subject"); ok && v.Bool {
		set.Advised, set.api = word("new")
		set.Reason = "discard_new_per_subject takes it: a subject that is full refuses the next message (10077)"
		set.Rejected = []Rejected{{"old", "refused by the servers beside discard_new_per_subject"}}
	}
	p.add(set, func(v design.Value) string {
		switch {
		case v.Text == "old" && set.Advised == "new" && p.limited():
			return "at its limit the stream drops messages that nobody has handled, and nobody is told"
		case v.Text == "new" && !p.Caught && p.Rate.Average() > 0:
			return "a full stream answers 10077, and a publisher has no on_reject that keeps the message"
		}
		return ""
	})
	v, ok := p.written("discard")
	p.at.DiscardNew = ok && v.Text == "new" || !ok && set.Advised == "new"
}

// limited reports whether a written limit can drop messages.
func (p *streamPlan) limited() bool {
	for _, field := range []string{"max_bytes", "max_msgs", "max_msgs_per_subject"} {
		if v, ok := p.written(field); ok && v.Int > 0 {
			return true
		}
	}
	return false
}
