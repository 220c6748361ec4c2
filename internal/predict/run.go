// Package predict lays what the simulator and sizing say of a workload beside what
// a scaled run of it on real servers measured. It is apart from package prove
// because in the browser tab the servers and the simulator are two programs: the
// one measures a Run, the other predicts it.
package predict

import (
	"math"
	"time"
)

// Run is a workload as it ran, scaled as prove.Scaling says, with what was
// measured.
type Run struct {
	Time    float64 `json:"time"`    // by which times were divided, and rates multiplied
	Rate    float64 `json:"rate"`    // share of the rates
	Workers float64 `json:"workers"` // share of the workers
	// Published are the shares of their rates that publishers published, by name, of
	// those that fell short.
	Published map[string]float64 `json:"published,omitempty"`
	Span      time.Duration      `json:"span"`    // of publishing, in ns
	Until     time.Duration      `json:"until"`   // that the workers had, in ns
	Expires   time.Duration      `json:"expires"` // of pull requests at most, in ns
	Seed      uint64             `json:"seed"`
	Scenario  string             `json:"scenario"` // that was played, "" for none
	Faults    int                `json:"faults"`   // that somebody did to the servers meanwhile

	Consumers []Consumer `json:"consumers"`
	Streams   []Stream   `json:"streams"`
}

// Consumer is what was measured of a consumer with workers.
type Consumer struct {
	Path        string  `json:"path"`
	Name        string  `json:"name"`     // STREAM/CONSUMER
	Expected    int64   `json:"expected"` // acknowledged messages that its filters let through
	Redelivered int64   `json:"redelivered"`
	Twice       int64   `json:"twice"` // messages that more than one run acked
	MaxPending  int64   `json:"max_pending"`
	P50         float64 `json:"p50"` // ms from publish to ack
	P99         float64 `json:"p99"`
	Busy        float64 `json:"busy"` // share of the time that its workers were, 0 to 1
	// Pending is what it had to be acknowledged while the workload ran.
	Pending Looks `json:"pending"`
}

// Looks are what was seen of a consumer at some moments, which have the same places
// in all lists.
type Looks struct {
	AtMS          []int64 `json:"at_ms"`       // since the publishing began, rising
	NumPending    []int64 `json:"num_pending"` // stored and not delivered
	NumAckPending []int64 `json:"num_ack_pending"`
}

// Open is how many messages were not acknowledged at a look.
func (l *Looks) Open(i int) int64 { return l.NumPending[i] + l.NumAckPending[i] }

// Stream is what a stream held at the end.
type Stream struct {
	Path     string `json:"path"`
	Name     string `json:"name"`
	Messages int64  `json:"messages"`
	Bytes    int64  `json:"bytes"`
	// Deviation is the largest standard deviation of a payload that was published
	// into it, in bytes.
	Deviation float64 `json:"deviation"`
}

// Crews are the processes of a group of workers that run, and the handlers of
// each.
func (r *Run) Crews(count, concurrency int) (int, int) {
	concurrency = max(1, concurrency)
	share := float64(count) * r.Workers
	if share < 1 {
		concurrency = max(1, int(math.Round(float64(concurrency)*share)))
	}
	return max(min(1, count), int(math.Round(share))), concurrency
}

// Figure is a predicted figure beside the measured one; Low and High bound what
// agrees.
type Figure struct {
	Name     string `json:"name"`
	Unit     string `json:"unit"`
	From     string `json:"from"` // FromSimulation or FromSizing
	Value    int64  `json:"value"`
	Low      int64  `json:"low"`
	High     int64  `json:"high"`
	Measured int64  `json:"measured"`
}

// Where predictions come from.
const (
	FromSimulation = "simulation"
	FromSizing     = "sizing"
)

// Course is what is predicted of a consumer's num_pending + num_ack_pending at the
// moments of its Looks: the mean of the simulated runs near that moment, and the
// least and most of them.
type Course struct {
	Path      string  `json:"path"`
	Name      string  `json:"name"` // STREAM/CONSUMER
	Predicted []int64 `json:"predicted"`
	Low       []int64 `json:"low"`
	High      []int64 `json:"high"`
}

// Predicted is what is predicted of a Run, and what is not.
type Predicted struct {
	Figures []Figure `json:"figures"`
	Courses []Course `json:"courses"`
	Left    []Left   `json:"left"`
}

// Left is something that nothing is predicted of, and why.
type Left struct {
	What string `json:"what"`
	Why  string `json:"why"`
}
