package advise

import (
	"fmt"
	"time"

	"weir/design"
)

// usualAckWait is the server's default (JsAckWaitDefault, consumer.go, 2.15.2):
// short enough that a dead worker's messages come back soon.
const usualAckWait = 30 * time.Second

// longestAckWait is the longest that is advised: beyond it a dead worker's
// messages wait too long, and in-progress does the same for the living.
const longestAckWait = 2 * time.Minute

// rareEnough is the share of messages that may outlast ack_wait where no goal
// says otherwise.
const rareEnough = 1e-6

// ackWait outlasts the work and no more: it is also how long the messages of a
// dead worker wait.
func (p *consumerPlan) ackWait() {
	set := Setting{Field: "ack_wait", Source: "consumer.go, 2.15.2: counted from delivery, for each message"}
	share := rareEnough
	if p.HandledTwice > 0 {
		share = min(share, p.HandledTwice/10)
	}
	wait := usualAckWait
	switch mean := p.Service.MeanValue(); {
	case p.InProgress > 0:
		wait = max(usualAckWait, upTo(3*p.InProgress))
		set.Reason = fmt.Sprintf("workers say every %s that they are busy, so that only those of a dead one wait for it", span(p.InProgress))
		set.Rejected = []Rejected{{design.FormatDuration(int64(10 * time.Minute)), "a dead worker's messages come back after 10 min"}}
	case mean == 0:
		set.State = Default
		set.Reason = "the default: how long the work takes is not known"
	default:
		wait = max(usualAckWait, upTo(p.heldAtMost(share)))
		set.Reason = fmt.Sprintf("%s messages are held for longer (a bound), and a dead worker's come back after it", oneIn(p.heldLonger(wait)))
		set.Rejected = []Rejected{{design.FormatDuration(int64(upTo(4 * wait))), "a dead worker's messages wait for as long"}}
		if wait > longestAckWait {
			p.needsInProgress(wait)
			wait = usualAckWait
			set.Reason = "with in_progress every 10 s: without it, the slowest work would need " + span(upTo(p.heldAtMost(share)))
		}
	}
	set.Advised, set.api = duration(wait)
	if set.Rejected == nil {
		set.Rejected = []Rejected{}
	}
	if b, ok := p.written("backoff"); ok && b.Node.IsList() && len(b.Node.Items) > 0 {
		return // its first step takes the place of ack_wait
	}
	p.add(set, func(v design.Value) string { return p.waitWorks(time.Duration(v.Int), share) })
}

// waitWorks says what a written wait leads to.
func (p *consumerPlan) waitWorks(w time.Duration, share float64) string {
	switch {
	case w <= 0 || p.Service.MeanValue() == 0:
		return ""
	case p.InProgress > 0 && w < 2*p.InProgress:
		return fmt.Sprintf("workers say every %s that they are busy: %s is over before the second time", span(p.InProgress), span(w))
	case p.InProgress == 0 && p.heldLonger(w) > max(share, 1e-4):
		return fmt.Sprintf("at most %s of the messages are held for longer, and are handed to a second worker (a bound)", oneIn(p.heldLonger(w)))
	case w > 10*time.Minute:
		return fmt.Sprintf("a dead worker's messages come back after %s; in-progress acks keep those of the living", span(w))
	}
	return ""
}

// needsInProgress advises the workers to say that they are busy.
func (p *consumerPlan) needsInProgress(wait time.Duration) {
	if p.fetchPath() == "" {
		return
	}
	text, _ := duration(usualAckWait / 3)
	p.add(Setting{Field: "workers.in_progress", Advised: text, Source: "measured: +WPI starts ack_wait anew",
		Reason:   fmt.Sprintf("a third of ack_wait: two may be lost; for everything a worker holds, not only what it works on. Without it ack_wait would have to be %s", span(wait)),
		Rejected: []Rejected{{"none", fmt.Sprintf("ack_wait %s, and a dead worker's messages wait for as long", span(wait))}}}, nil)
}
