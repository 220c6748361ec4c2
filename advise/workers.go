package advise

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"weir/design"
	"weir/size"
)

// busyAtMost is the share of the time that workers should be busy on average:
// beyond it waiting grows fast.
const busyAtMost = 0.7

// workerCount is how many processes the work takes.
func (p *consumerPlan) workerCount() {
	mean := p.Service.MeanValue()
	if mean == 0 || p.Rate == 0 || p.fetchPath() == "" {
		return
	}
	one := float64(p.Concurrency) / mean * float64(time.Second)
	n := int64(math.Ceil(p.Rate / (one * busyAtMost)))
	reason := fmt.Sprintf("one handles %s; %s arrive and keep %s busy for %s %% of the time", perSecond(one), perSecond(p.Rate),
		size.Counted(int(n), "worker", "workers"), short(100*p.Rate/one/float64(n)))
	text, _ := count(n)
	set := Setting{Field: "workers.count", Advised: text, Reason: reason, Source: "rate × service time / concurrency",
		Rejected: []Rejected{{strconv.Itoa(max(int(math.Ceil(p.Rate/one)), 1)), "busy all of the time: what waits never goes away"}}}
	if p.d == nil {
		set.State = Kept
		set.Written = strconv.Itoa(p.Workers)
		if busy := p.Rate / one / float64(p.Workers); busy > 0.9 {
			set.State, set.Reason = Against, p.saturates(one)
		}
		p.list = append(p.list, set)
		return
	}
	p.add(set, func(v design.Value) string {
		if p.Rate/one/float64(p.Workers) > 0.9 {
			return p.saturates(one)
		}
		return ""
	})
}

func (p *consumerPlan) saturates(one float64) string {
	return fmt.Sprintf("%s handle %s, and %s arrive: busy for %s %% of the time", size.Counted(p.Workers, "worker", "workers"), perSecond(one*float64(p.Workers)), perSecond(p.Rate), short(100*p.Rate/one/float64(p.Workers)))
}
