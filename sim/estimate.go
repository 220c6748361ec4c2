package sim

import (
	"fmt"
	"math"
	"slices"
	"time"

	"weir/size"
)

// estimateSteps is the resolution of an estimate in time.
const estimateSteps = 600

// ConsumerEstimate is what a fluid model says of one consumer: messages flow in
// at their mean rate and out at the mean capacity of the workers that are up.
// It is an estimate: nothing random, no redelivery, no limits of the stream.
type ConsumerEstimate struct {
	Stream, Name string
	Rate         float64 // messages a second, mean over the run
	Usual        float64 // messages a second, outside of bursts: the median over the run
	Peak         float64 // messages a second, in the busiest step
	Capacity     float64 // messages a second with all workers up
	Utilisation  float64 // Rate by Capacity; above 1 the backlog grows for ever
	MaxPending   float64
	DrainedAt    time.Duration // when the last backlog is gone; the end where it never is
	Service      time.Duration // mean, with what an answer costs
	LongestWait  time.Duration // of a message at the worst moment, at most the run
	Pending      []float64     // at the end of each step

	arrived []float64 // in each step
}

// Estimate gives a coarse answer without simulating, in well under 100 ms. Show
// it as an estimate until Run has the real one.
func Estimate(w Workload, until time.Duration) ([]ConsumerEstimate, error) {
	if until <= 0 {
		until = defaultUntil
	}
	if until > longestRun {
		return nil, fmt.Errorf("estimate: %s is longer than %s, the longest run", size.FormatDuration(until), size.FormatDuration(longestRun))
	}
	if err := w.check(); err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	f := fluid{w: &w, until: until, step: float64(until) / estimateSteps}
	var out []ConsumerEstimate
	for i := range w.Consumers {
		out = append(out, f.consumer(&w.Consumers[i]))
	}
	return out, nil
}

type fluid struct {
	w     *Workload
	until time.Duration
	step  float64 // ns
	paces []pace  // by group of workers
	// counted is the share of the capacity that is counted on; 0 is all of it.
	counted float64
}

func (f *fluid) consumer(c *Consumer) ConsumerEstimate {
	e := ConsumerEstimate{Stream: c.Stream, Name: c.Name, DrainedAt: f.until, Pending: make([]float64, estimateSteps)}
	in := make([]float64, estimateSteps)
	for i := range f.w.Publishers {
		if p := &f.w.Publishers[i]; p.Stream == c.Stream {
			f.arrivals(p, f.share(p, c), in)
		}
	}
	total := 0.0
	for _, n := range in {
		total += n
	}
	e.Rate = total / f.until.Seconds()
	sorted := slices.Clone(in)
	slices.Sort(sorted)
	e.Usual = sorted[len(sorted)/2] / (f.step / float64(time.Second))
	e.Peak = sorted[len(sorted)-1] / (f.step / float64(time.Second))
	e.arrived = in
	full, service := f.capacity(c, -1)
	e.Capacity, e.Service = full*1e9, time.Duration(service)
	if full > 0 {
		e.Utilisation = e.Rate / e.Capacity
	} else if e.Rate > 0 {
		e.Utilisation = math.Inf(1)
	}
	backlog, busy := 0.0, false
	for i := range in {
		rate, _ := f.capacity(c, (float64(i)+0.5)*f.step)
		if f.counted > 0 {
			rate *= f.counted
		}
		backlog = max(0, backlog+in[i]-rate*f.step)
		e.Pending[i] = backlog
		e.MaxPending = max(e.MaxPending, backlog)
		if full > 0 {
			e.LongestWait = max(e.LongestWait, time.Duration(min(backlog/full, float64(f.until))))
		}
		if backlog < 1 {
			if busy || i == 0 {
				e.DrainedAt = time.Duration(float64(i+1) * f.step)
			}
			busy = false
		} else {
			busy = true
		}
	}
	if busy {
		e.DrainedAt = f.until
	}
	return e
}

// share is the part of a publisher's messages that a consumer's filters take.
func (f *fluid) share(p *Publisher, c *Consumer) float64 {
	if len(c.FilterSubjects) == 0 {
		return 1
	}
	s := stream{classes: p.Subjects}
	match := s.matcher(c.FilterSubjects)
	weight := make([]float64, len(p.Subjects))
	for i := range weight {
		weight[i] = 1 / float64(len(weight))
	}
	if p.Pick != nil {
		clear(weight)
		for i := range uint64(quantileSteps) {
			k := p.Pick(i<<52|1<<51, i+1, 1)
			weight[min(max(0, k), int64(len(weight)-1))] += 1.0 / quantileSteps
		}
	}
	sum := 0.0
	for i, m := range match {
		if m {
			sum += weight[i]
		}
	}
	return sum
}

// arrivals adds a publisher's messages to the steps in which they come.
func (f *fluid) arrivals(p *Publisher, share float64, in []float64) {
	for _, t := range p.Times {
		if i := int(float64(t) / f.step); i < len(in) {
			in[i] += share
		}
	}
	if len(p.Times) > 0 {
		return
	}
	for i := range p.Phases {
		ph := &p.Phases[i]
		gap, from, to := float64(ph.Mean), float64(ph.At), float64(f.until)
		if gap <= 0 {
			gap = MeanOf(ph.Interval)
		}
		if ph.Until > 0 {
			to = min(to, float64(ph.Until))
		}
		if gap <= 0 {
			if k := int(from / f.step); k < len(in) {
				in[k] += share * float64(ph.Count)
			}
			continue
		}
		if ph.Count > 0 {
			to = min(to, from+gap*float64(ph.Count))
		}
		for k := int(from / f.step); k < len(in) && float64(k)*f.step < to; k++ {
			lap := min(to, float64(k+1)*f.step) - max(from, float64(k)*f.step)
			in[k] += share * max(0, lap) / gap
		}
	}
}

// capacity is the rate (messages a ns) of the workers that are up at a time;
// with a time below 0 all are.
func (f *fluid) capacity(c *Consumer, at float64) (rate, service float64) {
	slots := 0.0
	for i := range f.w.Workers {
		g := &f.w.Workers[i]
		if g.Stream != c.Stream || g.Consumer != c.Name {
			continue
		}
		one := f.pace(i)
		n := f.up(g, at)
		service = one.service
		rate += n * one.rate
		slots += n * float64(max(1, g.Concurrency))
	}
	if limit := float64(c.MaxAckPending); c.Ack != AckNone && service > 0 && limit >= 0 {
		if limit == 0 {
			limit = defaultMaxAckPending
		}
		if limit < slots {
			rate = min(rate, limit/service)
		}
	}
	return rate, service
}

// pace is what one worker of a group can do when there is always more.
type pace struct {
	rate    float64 // messages a ns
	service float64 // ns, mean, with what an answer costs
	known   bool
}

// pace works a group's pace out once: a fetch loop asks again only when the
// slowest message of its batch is handled, so its rate is that of batches, and
// one that asks below half of a batch has idle handlers where the half is fewer
// than they are.
func (f *fluid) pace(group int) pace {
	if f.paces == nil {
		f.paces = make([]pace, len(f.w.Workers))
	}
	p := &f.paces[group]
	if p.known {
		return *p
	}
	g := &f.w.Workers[group]
	p.known = true
	p.service = MeanOf(g.Service) + float64(f.w.Overhead.Ack)
	hands := max(1, g.Concurrency)
	p.rate = float64(hands) / max(p.service, 1)
	batch := max(1, g.Batch)
	switch g.Mode {
	case ModeConsume:
		p.rate = refillRate(batch, hands, p.service, float64(f.w.Overhead.Handler))
	case ModeFetch:
		span := f.batchSpan(g, batch, min(hands, batch)) + float64(f.w.Overhead.Fetch)
		p.rate = float64(batch) / max(span, 1)
	}
	return *p
}

// refillRate is the rate of hands that work on what was asked for, when the rest
// of a batch is asked for as soon as less than half of it is left: from one
// request to the next, the time in which one of those at work is done.
func refillRate(batch, hands int, service, ask float64) float64 {
	least := (batch+1)/2 - 1
	if least >= hands {
		return float64(hands) / max(service, 1)
	}
	span := ask * (1 - float64(least)/float64(hands))
	for left := batch; left > least; left-- {
		span += service / float64(min(hands, left))
	}
	return float64(batch-least) / max(span, 1)
}

// batchSpan is the mean time in which a number of handlers work a batch off,
// from a sample of batches.
func (f *fluid) batchSpan(g *WorkerGroup, batch, hands int) float64 {
	const draws = 8_192
	mean := MeanOf(g.Service) + float64(f.w.Overhead.Ack)
	if hands == 1 || g.Service == nil {
		return math.Ceil(float64(batch)/float64(hands)) * mean
	}
	batches := max(16, min(256, draws/batch))
	if batch > draws {
		// The slowest handler of very many is little above the mean of all.
		return float64(batch) / float64(hands) * mean
	}
	free := make([]float64, hands) // a heap of when each handler is free
	total, n := 0.0, uint64(0)
	for range batches {
		clear(free)
		end := 0.0
		for range batch {
			n++
			free[0] += float64(g.Service(number(sampleKey, n), n, 1) + int64(f.w.Overhead.Ack))
			end = max(end, free[0])
			sink(free)
		}
		total += end
	}
	return total / float64(batches)
}

// sampleKey is the stream of random numbers of batchSpan.
const sampleKey = 0x5be1a2d3c4f50617

// sink puts the first value of a heap of two children in its place.
func sink(h []float64) {
	i, v := 0, h[0]
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if h[c] >= v {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = v
}

// up is the number of a group's workers at work.
func (f *fluid) up(g *WorkerGroup, at float64) float64 {
	if at < 0 {
		return float64(g.Count)
	}
	if at < float64(g.Start) || g.Stop > 0 && at >= float64(g.Stop) {
		return 0
	}
	n := float64(g.Count)
	if g.Stagger > 0 {
		n = min(n, 1+math.Floor((at-float64(g.Start))/float64(g.Stagger)))
	}
	slower := 1.0
	for k := range f.w.Faults {
		x := &f.w.Faults[k]
		end := float64(x.At) + float64(x.For)
		if x.Kind == FaultCrash && x.For == 0 {
			end = math.Inf(1)
		}
		if at < float64(x.At) || at >= end {
			continue
		}
		switch x.Kind {
		case FaultStall, FaultFreeze, FaultCrash:
			if x.Workers == g.Name && x.Worker < 0 {
				return 0
			} else if x.Workers == g.Name {
				n--
			}
		case FaultSlow:
			if x.Workers == g.Name && x.Factor > 0 {
				slower *= x.Factor
			}
		case FaultRestartServer, FaultKillServer:
			if x.Stream == "" || x.Stream == g.Stream {
				return 0
			}
		case FaultPause:
			if x.Consumer == g.Consumer {
				return 0
			}
		}
	}
	return max(0, n) / slower
}
