package advise

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"weir/design"
)

// mostFetched bounds the advised batch: beyond it a larger one saves nothing that
// can be measured (facts: 12 times the rate of single messages at 50).
const mostFetched = 100

// fetchSize is how many messages a request asks for: enough to hide the round
// trip, few enough that the last of them is acked long before ack_wait.
func (p *consumerPlan) fetchSize() {
	p.fetch = max(p.Fetch, 1)
	if p.Push {
		return
	}
	mean, p99 := p.Service.MeanValue(), p.Service.P99Value()
	if mean <= 0 {
		return
	}
	// Half of the usual ack_wait at the pace of the 99th percentile.
	n := math.Floor(float64(usualAckWait/2) / p99 * float64(p.Concurrency))
	n = min(max(n, float64(p.Concurrency)), max(mostFetched, 2*float64(p.Concurrency)))
	if n > 10 {
		n = math.Floor(n/10) * 10
	}
	advised := max(int(n), p.Concurrency)
	text, _ := count(int64(advised))
	if p.Fetch == 0 {
		p.fetch = advised
	}
	set := Setting{Field: "workers.fetch", Advised: text, Source: "measured: batches of 50 are 12 times as fast as single messages",
		Reason:   fmt.Sprintf("%d at a time hide the round trip, and at the 99th percentile of %s the last is acked within half of %s", advised, span(time.Duration(p99)), span(usualAckWait)),
		Rejected: []Rejected{{"1", "a round trip for every message"}, {"1000", "held by one worker for minutes while the others are idle"}}}
	if advised == p.Concurrency {
		set.Reason = "as many as a worker handles at a time: what it holds beyond that, others cannot do"
	}
	if p.fetchPath() == "" {
		return
	}
	set.Field = p.fetchPath()
	p.add(set, func(v design.Value) string {
		held := p.heldAtMost(0.01)
		if p.InProgress == 0 && v.Int > int64(advised) && held > usualAckWait {
			return fmt.Sprintf("the last of %d messages is held for up to %s: longer than an ack_wait of %s", v.Int, span(held), span(usualAckWait))
		}
		return ""
	})
}

// fetchPath is where the design has the batch; "" when several groups of workers
// have one each.
func (p *consumerPlan) fetchPath() string {
	if p.d == nil {
		return "workers.fetch"
	}
	if v, ok := p.written("workers"); ok && v.Node.IsMap() {
		return "workers.fetch"
	}
	return ""
}

// maxBatch is left out: what a client may ask for at once is for consumers whose
// clients are somebody else's.
func (p *consumerPlan) maxBatch() {
	if p.Push {
		return
	}
	p.add(Setting{Field: "max_batch", State: Default, Advised: "none", Source: "measured: 409 Exceeded MaxRequestBatch",
		Reason:   "workers ask for what they can handle; a limit here refuses a client that asks for more, which the usual Consume does",
		Rejected: []Rejected{{strconv.Itoa(p.fetch), "set it where the clients are not yours, and tell theirs"}}}, nil)
}
