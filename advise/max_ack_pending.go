package advise

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/size"
)

// usualAckPending is the server's default: JsDefaultMaxAckPending, consumer.go,
// 2.15.2.
const usualAckPending = 1000

// mostAdvisedAcks bounds what is advised: work that needs more needs other workers.
const mostAdvisedAcks = 1e9

// maxAckPending lets every worker have its batch, and delayed naks their place.
func (p *consumerPlan) maxAckPending() {
	held := p.Workers * (p.Concurrency + p.fetch)
	waiting := 0.0
	if p.ErrorDelay > 0 {
		waiting = p.Rate * p.ErrorRate * p.ErrorDelay.Seconds()
	}
	need := float64(held) + waiting
	n := int64(usualAckPending)
	reason := fmt.Sprintf("%s in flight at most: %d × (%d + %d)", size.FormatCount(float64(held)), p.Workers, p.Concurrency, p.fetch)
	if waiting >= 1 {
		reason += fmt.Sprintf(", and %s wait for a delayed nak", short(waiting))
	}
	if need*1.25 > usualAckPending {
		n = int64(math.Min(math.Ceil(need*1.25/500)*500, mostAdvisedAcks))
	}
	if most := p.MostAckPending; most > 0 && n > most {
		n = most
		reason += fmt.Sprintf("; servers, account or stream allow no more than %s", size.FormatCount(float64(most)))
	}
	text, api := count(n)
	p.add(Setting{Field: "max_ack_pending", Advised: text, api: api, Reason: reason, Source: "consumer.go, 2.15.2: shared by all workers of the consumer",
		Rejected: []Rejected{{size.FormatCount(math.Max(1, math.Floor(float64(p.Workers*p.Concurrency)/2))), "stalls half of the workers"},
			{"-1", "no limit: redeliveries after a stall are bounded by nothing"}}}, func(v design.Value) string {
		return p.ackCap(v.Int)
	})
}

// ackCap says what a written limit costs.
func (p *consumerPlan) ackCap(limit int64) string {
	busy := int64(p.Workers * p.Concurrency)
	mean := p.Service.MeanValue()
	switch {
	case limit <= 0 || mean == 0:
		return ""
	case limit < busy:
		return fmt.Sprintf("%d of %d places of the workers can be busy: at most %s", limit, busy, perSecond(float64(limit)/mean*float64(time.Second)))
	case p.Rate > 0:
		after := time.Duration(mean * p.rounds())
		if c, err := size.OfMaxAckPending(limit, after, p.Rate); err == nil && c.Rate.Value < p.Rate {
			return fmt.Sprintf("it lets %s through at most, and %s arrive", perSecond(c.Rate.Value), perSecond(p.Rate))
		}
	}
	return ""
}
