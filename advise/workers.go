package advise

import (
	"fmt"
	"strconv"
	"strings"

	"weir/design"
	"weir/sim"
	"weir/size"
)

// workerCount is how many processes the work takes, by the simulator's model:
// what one takes with its batch, and how many keep up, through bursts as well.
func (p *consumerPlan) workerCount() {
	if p.Service.MeanValue() == 0 || p.Rate == 0 || p.fetchPath() == "" {
		return
	}
	needed := p.needed
	if needed == nil {
		if needed = p.neededFor(); needed == nil {
			return
		}
	}
	arrives := p.Rate
	if p.needed != nil {
		arrives = needed.Rate
	}
	reason := fmt.Sprintf("one takes %s; %s arrive and keep %s busy for %s %% of the time", perSecond(needed.One), perSecond(arrives),
		size.Counted(needed.Count, "worker", "workers"), short(100*arrives/needed.One/float64(needed.Count)))
	if needed.Peak > 1.2*arrives {
		reason += ", at most " + perSecond(needed.Peak)
	}
	text, _ := count(int64(needed.Count))
	set := Setting{Field: "workers.count", Advised: text, Reason: reason, Source: "the simulator's model of rate, bursts, batch and service time", Rejected: []Rejected{}}
	if fewer := needed.Count - 1; fewer > 0 {
		why := needed.Why
		if why == "" {
			why = "busy for " + short(100*arrives/needed.One/float64(fewer)) + " % of the time: queues grow long"
		}
		set.Rejected = []Rejected{{strconv.Itoa(fewer), why}}
	}
	// A few workers more or less than the model's are the designer's business.
	const tight = 0.9
	against := func() string {
		if float64(p.Workers) >= tight*float64(needed.Count) {
			return ""
		}
		return p.tooFew(needed)
	}
	if p.d == nil {
		set.State, set.Written = Kept, strconv.Itoa(p.Workers)
		if why := against(); why != "" {
			set.State, set.Reason = Against, why
		}
		p.list = append(p.list, set)
		return
	}
	p.add(set, func(design.Value) string { return against() })
}

// neededFor asks the model about the numbers alone; nil for a service time whose
// trace is not here.
func (p *consumerPlan) neededFor() *sim.Needed {
	service, err := sim.ServiceDraw(p.Service)
	if err != nil {
		return nil
	}
	g := sim.WorkerGroup{Count: 1, Concurrency: p.Concurrency, Batch: max(p.fetch, 1), Service: service, Mode: sim.ModeConsume}
	if p.Batches {
		g.Mode = sim.ModeFetch
	}
	n := &sim.Needed{One: g.Pace(sim.MeasuredOverhead), Rate: p.Rate, Peak: p.Peak}
	if n.One <= 0 {
		return nil
	}
	n.Count = sim.WorkersFor(p.Rate, n.One)
	return n
}

func (p *consumerPlan) tooFew(n *sim.Needed) string {
	all := n.One * float64(p.Workers)
	said := fmt.Sprintf("%s %s, and %s arrive", size.Counted(p.Workers, "worker takes", "workers take"), perSecond(all), perSecond(n.Rate))
	if n.Peak > 1.2*n.Rate {
		said += ", at most " + perSecond(n.Peak)
	}
	if n.Why != "" {
		return said + ": " + strings.TrimPrefix(n.Why, "with fewer, ")
	}
	return said + ": busy for " + short(100*n.Rate/all) + " % of the time"
}
