package advise

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"weir/design"
	"weir/sim"
)

// wasteful is the batch that is often written.
const wasteful = 1000

// fetchSize is how many messages a request asks for, by the simulator's rule, as
// weir new has it: so many that handlers hardly ever wait for the next request.
// Never so many that the last of them is acked later than half of the usual
// ack_wait at the pace of the 99th percentile.
func (p *consumerPlan) fetchSize() {
	p.fetch = max(p.Fetch, 1)
	if p.Push {
		return
	}
	mean, p99 := p.Service.MeanValue(), p.Service.P99Value()
	if mean <= 0 {
		return
	}
	draw, err := sim.ServiceDraw(p.Service)
	if err != nil {
		return
	}
	rule, err := sim.Recommend(sim.ConsumerNeeds{Concurrency: p.Concurrency, Service: draw, Batches: p.Batches})
	if err != nil {
		return
	}
	most := max(p.Concurrency, int(min(float64(rule.Fetch), float64(usualAckWait/2)/p99*float64(p.Concurrency))))
	advised := min(rule.Fetch, most)
	text, _ := count(int64(advised))
	if p.Fetch == 0 {
		p.fetch = advised
	}
	set := Setting{Advised: text, Source: "simulated: the loop of a worker, with the measured cost of its calls", Rejected: []Rejected{}}
	for _, r := range rule.List {
		if r.Setting == "fetch" {
			set.Reason = r.Reason
		}
	}
	if advised < rule.Fetch {
		set.Reason = fmt.Sprintf("at the 99th percentile of %s the last is acked within half of %s", span(time.Duration(p99)), span(usualAckWait))
	}
	if advised > 1 {
		set.Rejected = append(set.Rejected, Rejected{"1", "a round trip for every message"})
	}
	if advised < wasteful {
		takes := time.Duration(mean * math.Ceil(wasteful/float64(p.Concurrency)))
		set.Rejected = append(set.Rejected, Rejected{strconv.Itoa(wasteful), fmt.Sprintf("one worker is busy with them for %s while others may be idle", span(takes))})
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
