package sim

import (
	"time"

	"weir/size"
)

// overloadedIn reports whether more arrives at a consumer in a time than its
// workers, all of them up, can take. A time may be shorter than a step.
func (e *ConsumerEstimate) overloadedIn(at, lasts, until time.Duration) bool {
	if len(e.arrived) == 0 || lasts <= 0 {
		return false
	}
	step := until.Seconds() / float64(len(e.arrived))
	from, to := at.Seconds(), min(at+lasts, until).Seconds()
	extra := 0.0 // beyond what usually arrives
	for k, n := range e.arrived {
		begin := float64(k) * step
		if begin+step <= from || begin >= to {
			continue
		}
		if begin >= from && begin+step <= to && n > e.Capacity*step {
			return true
		}
		extra += max(0, n-e.Usual*step)
	}
	return to > from && e.Usual+extra/(to-from) > e.Capacity
}

// about reports whether a mark is about a consumer, STREAM/name.
func (k *Mark) about(consumer string) bool { return k.Consumer == "" || k.Consumer == consumer }

// blameless reports whether a burst has its backlog from a fault: less arrives in
// it than the workers take, and a fault begins before the backlog is gone.
func (m *Model) blameless(k *Mark, consumer string, e *ConsumerEstimate, rec Recovery) bool {
	if !k.Burst || e.overloadedIn(k.At, k.For, m.Until) {
		return false
	}
	gone := m.Until
	if rec.Took >= 0 {
		gone = k.At + k.For + rec.Took
	}
	for i := range m.Marks {
		if x := &m.Marks[i]; !x.Burst && x.about(consumer) && x.At+x.For >= k.At && x.At <= gone {
			return true
		}
	}
	return false
}

// withoutFaults is the fluid model of a consumer whose faults do not happen.
func (m *Model) withoutFaults(i int) ConsumerEstimate {
	w := m.Workload
	w.Faults = nil
	fl := fluid{w: &w, until: m.Until, step: float64(m.Until) / estimateSteps}
	return fl.consumer(&m.Consumers[i])
}

// mostIn is the largest backlog of an estimate in a time, in seconds.
func (e *ConsumerEstimate) mostIn(from, to float64, until time.Duration) (most float64) {
	step := until.Seconds() / float64(max(1, len(e.Pending)))
	for k, n := range e.Pending {
		if at := float64(k+1) * step; at >= from && at <= to+step {
			most = max(most, n)
		}
	}
	return most
}

// strain is what asks most of a consumer's workers: a burst beyond what is counted
// on of them, else the first fault, and what arrives in the busiest time.
func (m *Model) strain(i int, e *ConsumerEstimate) string {
	name := m.Consumers[i].Stream + "/" + m.Consumers[i].Name
	for j := range m.Marks {
		k := &m.Marks[j]
		if e.Peak > counted*e.Capacity || k.Burst || !k.about(name) {
			continue
		}
		return "the " + markText(MarkAnswer{For: k.For.Seconds(), Text: k.Text})
	}
	return "a burst of " + size.PerSecond.Format(e.Peak)
}
