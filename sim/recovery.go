package sim

import "time"

// Recovery is how long one consumer needed after a fault or a burst.
type Recovery struct {
	Fault    int // place in Workload.Faults
	Consumer int // place in Result.Consumers
	// Peak is the largest num_pending from the fault to the recovery.
	Peak int64
	// Took is the time from the end of the fault to the first point of the
	// series at which num_pending is back where it was before the fault; -1 is
	// never within the run.
	Took time.Duration
}

// recoveries reads from the series how the backlog of each consumer comes back
// after each fault. Consumers that a fault leaves alone, within a point's worth
// of messages, are left out.
func (r *run) recoveries() {
	for i := range r.w.Faults {
		f := &r.w.Faults[i]
		for j, c := range r.consumers {
			if f.Stream != "" && f.Stream != c.cfg.Stream || f.Kind == FaultStopPublisher {
				continue
			}
			if rec, ok := recoverFrom(c.res.Series, r.step, int64(f.At), int64(f.For)); ok {
				rec.Fault, rec.Consumer = i, j
				r.res.Recoveries = append(r.res.Recoveries, rec)
			}
		}
	}
}

// recoverFrom reads from a series how long a backlog lasts beyond what begins at
// a time; ok is false when there is none.
func recoverFrom(series []ConsumerPoint, step, begin, lasts int64) (rec Recovery, ok bool) {
	at := int(begin / step) // the first point behind the beginning
	if at >= len(series) {
		return Recovery{}, false
	}
	before := int64(0) // the largest of the ten points in front
	for _, p := range series[max(0, at-10):at] {
		before = max(before, p.NumPending)
	}
	rec.Took = -1
	end := addTime(begin, lasts)
	for k := at; k < len(series); k++ {
		now := int64(k+1) * step
		rec.Peak = max(rec.Peak, series[k].NumPending)
		if now >= end && series[k].NumPending <= before {
			rec.Took = time.Duration(now - end)
			break
		}
	}
	return rec, rec.Peak > before
}
