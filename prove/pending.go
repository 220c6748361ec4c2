package prove

import (
	"time"

	"weir/internal/predict"
)

// Pending is what a consumer with workers had to be acknowledged while the workload
// ran. Its lists have an entry for each look at the consumer: some ten a second,
// fewer in a long run; there is none while no leader answers.
type Pending struct {
	Consumer string `json:"consumer"` // STREAM/CONSUMER
	Path     string `json:"path"`     // of the design
	// AtMS is when it was looked at, since the publishing began.
	AtMS []int64 `json:"at_ms"`
	// NumPending is what was stored for it and not delivered, NumAckPending what was
	// delivered and not acknowledged, as its leader said.
	NumPending    []int64 `json:"num_pending"`
	NumAckPending []int64 `json:"num_ack_pending"`
	// Predicted is what the simulator says of num_pending + num_ack_pending at each
	// look, Low and High the least and most of its runs within 100 ms of it. All three
	// are left out where it says nothing.
	Predicted []int64 `json:"predicted,omitempty"`
	Low       []int64 `json:"low,omitempty"`
	High      []int64 `json:"high,omitempty"`
}

// mostLooks bounds what is kept of the looks at one consumer; a longer run keeps
// every second, then every fourth.
const mostLooks = 1_000

// looks are the looks at a consumer, thinned out evenly.
type looks struct {
	predict.Looks
	seen, every int
}

func (l *looks) add(at time.Duration, info consumerInfo) {
	l.every = max(1, l.every)
	if l.seen++; (l.seen-1)%l.every != 0 {
		return
	}
	if len(l.AtMS) == mostLooks {
		l.every *= 2
		l.AtMS, l.NumPending, l.NumAckPending = half(l.AtMS), half(l.NumPending), half(l.NumAckPending)
	}
	l.AtMS, l.NumPending, l.NumAckPending = append(l.AtMS, at.Milliseconds()), append(l.NumPending, info.NumPending), append(l.NumAckPending, info.NumAckPending)
}

// half keeps every second value.
func half(list []int64) []int64 {
	out := list[:0]
	for i := 0; i < len(list); i += 2 {
		out = append(out, list[i])
	}
	return out
}

// pending are the looks at every consumer of the workload.
func (w *workload) pending() (out []Pending) {
	for _, c := range w.consumers {
		c.mu.Lock()
		if len(c.looks.AtMS) > 0 {
			out = append(out, Pending{Consumer: c.name, Path: c.path, AtMS: c.looks.AtMS, NumPending: c.looks.NumPending, NumAckPending: c.looks.NumAckPending})
		}
		c.mu.Unlock()
	}
	return out
}

// addCourses lays predicted courses beside the looks that they are of.
func (e *Evidence) addCourses(courses []predict.Course) {
	for _, c := range courses {
		for i := range e.Pending {
			p := &e.Pending[i]
			if p.Path == c.Path && len(c.Predicted) == len(p.AtMS) {
				p.Predicted, p.Low, p.High = c.Predicted, c.Low, c.High
			}
		}
	}
}
