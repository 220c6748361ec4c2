package advise

import (
	"fmt"
	"math"
	"time"

	"weir/design"
)

// maxDeliver ends the tries of a message that never succeeds.
func (p *consumerPlan) maxDeliver() {
	n, reason := 5, "four further tries; then the message stays in the stream and an advisory is sent, which somebody has to read"
	if p.ErrorRate > 0 && p.ErrorRate < 1 {
		// As many that less than one in a million of the messages runs out by chance.
		n = max(n, int(math.Ceil(math.Log(1e-6)/math.Log(p.ErrorRate))))
		reason = fmt.Sprintf("with %s %% of the deliveries failing, %s messages run out of tries by chance; its advisory has to be read", short(100*p.ErrorRate), oneIn(math.Pow(p.ErrorRate, float64(n))))
	}
	if p.BackOff >= n { // consumer.go, 2.15.2: more tries than steps, or 10116
		n = p.BackOff + 1
		reason = "one more than backoff has steps, the least that servers take; then the message stays in the stream and an advisory is sent"
	}
	text, api := count(int64(n))
	p.add(Setting{Field: "max_deliver", Advised: text, api: api, Reason: reason, Source: "consumer.go, 2.15.2; measured: MAX_DELIVERIES, the message stays",
		Rejected: []Rejected{{"-1", "the default: a message that never succeeds comes back for ever and takes a place each time"}}}, func(v design.Value) string {
		if v.Int > 0 && p.ErrorRate > 0 && math.Pow(p.ErrorRate, float64(v.Int)) > 1e-4 {
			return fmt.Sprintf("%s messages run out of %d tries by chance, at %s %% of failing deliveries", oneIn(math.Pow(p.ErrorRate, float64(v.Int))), v.Int, short(100*p.ErrorRate))
		}
		return ""
	})
}

// backoff is left out: its first step would take the place of ack_wait.
func (p *consumerPlan) backoff() {
	set := Setting{Field: "backoff", State: Default, Advised: "none", Source: "consumer.go, 2.15.2; measured: a nak ignores it",
		Reason:   "its first step replaces ack_wait, and a plain nak ignores it: naks with a delay say when to try again",
		Rejected: []Rejected{{"[1s, 10s]", "hands every message to a second worker that the first holds for more than 1 s"}}}
	p.add(set, func(v design.Value) string {
		if !v.Node.IsList() || len(v.Node.Items) == 0 || p.InProgress > 0 || p.Service.MeanValue() == 0 {
			return ""
		}
		first, err := design.ParseDuration(v.Node.Items[0].Text)
		if err != nil {
			return ""
		}
		if share := p.heldLonger(time.Duration(first)); share > 1e-4 {
			return fmt.Sprintf("its first step is the ack_wait of a first delivery: at most %s of the messages are held for longer than %s (a bound) and go to a second worker", oneIn(share), span(time.Duration(first)))
		}
		return ""
	})
}
