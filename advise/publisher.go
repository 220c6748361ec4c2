package advise

import (
	"fmt"
	"time"

	"weir/design"
	"weir/size"
)

// publisher advises on what a publisher leaves open.
func (r *reader) publisher(p *design.Publisher, plans map[string]*streamPlan) {
	if p.Mode == "core" {
		return
	}
	into := r.landsIn(p.Path)
	if into == nil {
		return
	}
	s := settings{d: r.d, path: p.Path}
	s.msgID()
	if p.MsgIDBytes > 0 || p.MsgID == "" {
		window := into.Input.DuplicateWindow
		if plan := plans[into.Path]; plan != nil && plan.window > 0 {
			window = plan.window
		}
		s.retryFor(p, window)
	}
	if p.Mode == "async" {
		s.inFlight(p)
	}
	if into.Input.DiscardNew {
		s.onReject(into.Name)
	}
	r.take(Asset{Kind: "publisher", Name: p.Name, Path: p.Path, Says: fmt.Sprintf("%s into %s, mode %s", perSecond(p.Rate), into.Name, modeOf(p)), Settings: s.list}, nil, nil)
}

func modeOf(p *design.Publisher) string {
	if p.Mode == "" {
		return "sync"
	}
	return p.Mode
}

// landsIn is the first stream that a publisher's messages land in themselves.
func (r *reader) landsIn(path string) *size.DesignStream {
	for i := range r.sized.Streams {
		for _, a := range r.sized.Streams[i].Arrivals {
			if a.From == path && a.Via == "" {
				return &r.sized.Streams[i]
			}
		}
	}
	return nil
}

// msgID makes a second try harmless.
func (s *settings) msgID() {
	s.add(Setting{Field: "msg_id", Advised: "uuid", Source: "stream.go processJetStreamMsg, 2.15.2",
		Reason:   "a time-out does not say whether the message was stored: under the same id it can be sent again",
		Rejected: []Rejected{{"none", "a second try after a time-out is stored a second time"}}}, func(v design.Value) string {
		if v.Text == "none" {
			return "a time-out does not say whether the message was stored, and a second try is stored a second time"
		}
		return ""
	})
}

// retryFor ends inside duplicate_window.
func (s *settings) retryFor(p *design.Publisher, window time.Duration) {
	if window <= 0 {
		window = defaultWindow
	}
	n := retryWithin(window, p.AckTimeout)
	if n < time.Second {
		return // so short a window is for another purpose than retries
	}
	set := Setting{Field: "retry_for", Source: "measured: an id counts as new once the window has passed",
		Reason:   fmt.Sprintf("ends two ack_timeouts inside the duplicate_window of %s", span(window)),
		Rejected: []Rejected{{design.FormatDuration(int64(upTo(5 * window))), "tries after the window are stored as new messages"}}}
	set.Advised, set.api = duration(n)
	set.api = nil
	s.add(set, func(v design.Value) string {
		if time.Duration(v.Int) > window {
			return fmt.Sprintf("tries go on for %s, and after %s the same id is stored again", span(time.Duration(v.Int)), span(window))
		}
		return ""
	})
}

// retryWithin is how long the same id may be sent again: two ack_timeouts less
// than a duplicate_window, of which an answer may be late by one.
func retryWithin(window, timeout time.Duration) time.Duration {
	return max(window-2*max(timeout, 5*time.Second), window/2).Truncate(time.Second)
}

// inFlight bounds what is sent and not answered.
func (s *settings) inFlight(p *design.Publisher) {
	set := Setting{Field: "in_flight", Advised: "256", Source: "nats.go PublishAsyncMaxPending: 4,000 without it",
		Reason:   fmt.Sprintf("%s are unanswered at most, and are in doubt when the connection breaks", size.FormatBytes(256*p.Payload.MeanValue())),
		Rejected: []Rejected{{"4000", "more messages in doubt after a break than anyone wants to sort out"}, {"1", "one round trip for each message"}}}
	s.add(set, nil)
}

// onReject keeps what a full stream refuses.
func (s *settings) onReject(stream string) {
	s.add(Setting{Field: "on_reject", Advised: "{retry: 5, backoff: 500ms, then: file}", Source: "measured: 10077 under discard new",
		Reason:   fmt.Sprintf("%s refuses at its limit with 10077: tries with growing pauses, then the message is kept", stream),
		Rejected: []Rejected{{"{then: drop}", "the message is gone, and the reply said so"}}}, nil)
}
