package sim

import (
	"fmt"
	"math"
	"slices"
	"time"

	"weir/size"
)

// comfortable is the utilisation up to which queues stay short, outside of
// bursts; counted is the share of the capacity that is counted on for a latency in
// them, where queues grow with chance; drained is that for a backlog, in which
// nobody waits for work.
const (
	comfortable = 0.8
	counted     = 0.9
	draining    = 0.97
)

// Needed is how many workers a consumer needs, and why not fewer.
type Needed struct {
	Count int
	// One is what one worker takes, in messages a second: of a worker that asks
	// when its batch is handled that is the rate of batches.
	One float64
	// Rate is what arrives outside of bursts, Peak in the busiest, in messages a
	// second.
	Rate, Peak float64
	// Why is the condition that decides, as a clause: "with fewer …".
	Why string
}

// WorkersNeeded is the smallest count of workers with which consumer i of the
// model keeps up outside of bursts with room to spare and, by the fluid model,
// meets its goals of latency, oldest_pending and drain. false where nobody works
// on it, nothing arrives, or no count does. A run shows whether it is enough:
// goals near the service time itself are met by no count.
func (m *Model) WorkersNeeded(i int) (Needed, bool) {
	c := m.crew(i)
	if c.count == 0 {
		return Needed{}, false
	}
	n := Needed{}
	met := func(count int) bool {
		e, one := m.estimateWith(i, c, count, counted)
		n.One, n.Rate, n.Peak = one, e.Usual, e.Peak
		backlog := e
		if m.limitsBacklog(i) {
			backlog, _ = m.estimateWith(i, c, count, draining)
		}
		why := m.misses(i, c, &e, &backlog)
		if why != "" {
			n.Why = why
		}
		return why == ""
	}
	low, high := 0, 1
	for !met(high) {
		if low, high = high, high*2; high > maxWorkers {
			return Needed{}, false
		}
	}
	for low+1 < high {
		if mid := (low + high) / 2; met(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	if low > 0 {
		met(low) // for the reason
	}
	n.Count = high
	return n, n.Rate+n.Peak > 0
}

// limitsBacklog reports whether a goal of a consumer is about how long a backlog lasts.
func (m *Model) limitsBacklog(i int) bool {
	return slices.ContainsFunc(m.Goals, func(g WantedGoal) bool {
		return g.Consumer == i && (g.Name == "drain" || g.Name == "oldest_pending")
	})
}

// estimateWith is the fluid model of a consumer with another number of workers, of
// whose capacity a share is counted on; several groups grow alike.
func (m *Model) estimateWith(i int, c crew, count int, share float64) (ConsumerEstimate, float64) {
	w := m.Workload
	w.Workers = slices.Clone(w.Workers)
	w.Consumers = slices.Clone(w.Consumers)
	cfg := &w.Consumers[i]
	slots := 0
	for k := range w.Workers {
		g := &w.Workers[k]
		if g.Stream == cfg.Stream && g.Consumer == cfg.Name && g.Start == 0 {
			g.Count = int(math.Ceil(float64(g.Count) * float64(count) / float64(c.count)))
			slots += g.Count * max(1, g.Batch, g.Concurrency)
		}
	}
	if limit := cfg.MaxAckPending; limit >= 0 {
		cfg.MaxAckPending = max(slots, limit) // it has to hold what they take
		if limit == 0 {
			cfg.MaxAckPending = max(slots, defaultMaxAckPending)
		}
	}
	fl := fluid{w: &w, until: m.Until, step: float64(m.Until) / estimateSteps, counted: share}
	e := fl.consumer(cfg)
	return e, e.Capacity / float64(max(1, count))
}

// misses says what is wrong with an estimate, "" for nothing; backlog is the one
// with what is counted on of workers that never wait for work.
func (m *Model) misses(i int, c crew, e, backlog *ConsumerEstimate) string {
	if e.Usual > comfortable*e.Capacity {
		return fmt.Sprintf("with fewer, %s keep them busy for more than %s of the time", size.PerSecond.Format(e.Usual), size.Share.Format(comfortable))
	}
	for _, g := range m.Goals {
		if g.Consumer != i {
			continue
		}
		limit := time.Duration(g.Limit)
		switch g.Name {
		case "latency_p50", "latency_p95", "latency_p99":
			p := latencyPercentiles[g.Name]
			if wait := e.waitOf(p); wait > max(0, limit-quantile(c.groups[0].Service, p)) && wait > 0 {
				return fmt.Sprintf("with fewer, %s misses %s in %s", g.Name, size.FormatDuration(limit), m.strain(i, e))
			}
		case "oldest_pending":
			if backlog.LongestWait > limit {
				return fmt.Sprintf("with fewer, the oldest message waits for more than %s after %s", size.FormatDuration(limit), m.strain(i, e))
			}
		case "drain":
			for _, k := range m.Marks {
				if !k.Burst || backlog.drainAfter(k.At.Seconds(), k.For.Seconds(), m.Until) <= limit.Seconds() {
					continue
				}
				what := "a " + k.Text
				if !backlog.overloadedIn(k.At, k.For, m.Until) {
					what = "what is left after " + m.strain(i, e)
				}
				return fmt.Sprintf("with fewer, %s is not drained within %s", what, size.FormatDuration(limit))
			}
		}
	}
	return ""
}

// waitOf is a percentile of the time that messages wait, by the fluid model.
func (e *ConsumerEstimate) waitOf(p float64) time.Duration {
	if e.Capacity <= 0 {
		return time.Duration(math.MaxInt64)
	}
	total := 0.0
	for _, n := range e.arrived {
		total += n
	}
	order := make([]int, len(e.Pending))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case e.Pending[a] < e.Pending[b]:
			return -1
		case e.Pending[a] > e.Pending[b]:
			return 1
		}
		return 0
	})
	sum := 0.0
	for _, k := range order {
		if sum += e.arrived[k]; sum >= p*total {
			return time.Duration(e.Pending[k] / e.Capacity * float64(time.Second))
		}
	}
	return e.LongestWait
}

// WorkersFor is how many workers keep up with a rate with room to spare, when one
// takes so many messages a second; the largest count there is where none do.
func WorkersFor(rate, one float64) int {
	return int(min(max(1, math.Ceil(rate/(one*comfortable))), math.MaxInt32))
}

// Pace is what one worker of a group can take when there is always more, in
// messages a second.
func (g WorkerGroup) Pace(o Overhead) float64 {
	f := fluid{w: &Workload{Overhead: o, Workers: []WorkerGroup{g}}}
	return f.pace(0).rate * 1e9
}
