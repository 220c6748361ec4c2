//go:build !js

package prove

import (
	"context"
	"math"
	"slices"
	"time"

	"weir/sim"
)

// simulatedSeeds is how many simulated runs a band is made of.
const simulatedSeeds = 5

// predictSimulated simulates the run as it was scaled, several times, and lays
// what comes out beside what was measured of each consumer. A run with a
// scenario is left out: its events are at times of the run.
func (w *workload) predictSimulated(ctx context.Context) error {
	if w.r.opt.Scenario != "" {
		w.r.e.leaveOut("prediction of the simulator", "a scenario was played; weir simulate --scenario plays it in the design's own time")
		return nil
	}
	until := w.span + drainWithin
	m, err := sim.FromDesign(w.r.d, sim.DesignOptions{For: until, Usual: true})
	if err != nil {
		w.r.e.leaveOut("prediction of the simulator", err.Error())
		return nil
	}
	m = m.Scaled(sim.Scale{Time: w.time, Rate: w.rate, Publish: w.span, Expires: longestRequest, Workers: func(g *sim.WorkerGroup) (int, int) { return w.crews(g.Count, g.Concurrency) }})
	results, err := sim.Repeat(ctx, m.Workload, sim.Options{Seed: w.r.opt.Seed, Until: until, MaxMessages: mostSimulated}, simulatedSeeds, 1)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		w.r.e.leaveOut("prediction of the simulator", err.Error())
		return nil
	}
	for _, c := range w.consumers {
		if i := slices.Index(m.ConsumerPaths, c.path); i >= 0 {
			w.r.e.Predicted = append(w.r.e.Predicted, c.predicted(w, m, results, i)...)
		}
	}
	return nil
}

// mostSimulated bounds a simulated run: far more than is published.
const mostSimulated = 10_000_000

// simulatedFigure is a figure that the simulator and the run have, and how far
// the two may be apart: a share of the value, and an amount below which a
// difference says nothing.
type simulatedFigure struct {
	name, unit string
	of         func(c *sim.ConsumerResult) float64
	measured   func(c *loadConsumer) float64
	share      float64
	atLeast    func(messages float64) float64
}

// The bands are those that the simulator is held to (counts and shares within 2
// points of the messages) and, for times, what a machine that also runs the
// servers and the workers may add.
var simulatedFigures = []simulatedFigure{
	{"redeliveries", "deliveries", func(c *sim.ConsumerResult) float64 { return float64(c.Redeliveries) }, func(c *loadConsumer) float64 { return float64(c.redelivered()) },
		0.1, func(messages float64) float64 { return 3 + 0.02*messages }},
	{"handled twice", "messages", func(c *sim.ConsumerResult) float64 { return float64(c.HandledTwice) }, func(c *loadConsumer) float64 { return float64(c.twice()) },
		0.1, func(messages float64) float64 { return 1 + 0.02*messages }},
	{"num_pending at most", "messages", func(c *sim.ConsumerResult) float64 { return float64(c.MaxPending) }, func(c *loadConsumer) float64 { return float64(c.maxPending) },
		0.25, func(messages float64) float64 { return 10 + 0.02*messages }},
	{"publish to ack p50", "ms", func(c *sim.ConsumerResult) float64 { return c.Sojourn.Percentile(50).Seconds() * 1e3 }, func(c *loadConsumer) float64 { return float64(c.latency.ValueAtPercentile(50)) / 1e3 },
		0.5, func(float64) float64 { return 20 }},
	{"publish to ack p99", "ms", func(c *sim.ConsumerResult) float64 { return c.Sojourn.Percentile(99).Seconds() * 1e3 }, func(c *loadConsumer) float64 { return float64(c.latency.ValueAtPercentile(99)) / 1e3 },
		0.5, func(float64) float64 { return 50 }},
}

// predicted lays what was simulated of a consumer beside what was measured.
// Counts are brought to the number of messages that the run had.
func (c *loadConsumer) predicted(w *workload, m *sim.Model, results []*sim.Result, i int) (out []Prediction) {
	c.mu.Lock()
	defer c.mu.Unlock()
	add := func(name, unit string, values []float64, measured, share, atLeast float64) {
		low, high, sum := slices.Min(values), slices.Max(values), 0.0
		for _, v := range values {
			sum += v / float64(len(values))
		}
		slack := max(share*high, atLeast)
		p := Prediction{Figure: Figure{"workload: " + name + " of " + c.name, int64(math.Round(sum)), unit}, From: FromSimulation, Measured: int64(math.Round(measured))}
		// 0 to 0 would mean that nothing but 0 agrees.
		p.Low, p.High = int64(math.Floor(max(0, low-slack))), max(1, int64(math.Ceil(high+slack)))
		out = append(out, p)
	}
	for _, f := range simulatedFigures {
		var values []float64
		for _, r := range results {
			v, unique := f.of(r.Consumers[i]), float64(r.Consumers[i].Unique)
			if f.unit != "ms" && unique > 0 {
				v *= float64(c.expected) / unique
			}
			values = append(values, v)
		}
		add(f.name, f.unit, values, f.measured(c), f.share, f.atLeast(float64(c.expected)))
	}
	var busy []float64
	slots := handlersOf(m, i)
	for _, r := range results {
		sum := 0.0
		for _, x := range r.Workers {
			if slices.ContainsFunc(m.Workers, func(g sim.WorkerGroup) bool {
				return g.Name == x.Group && g.Stream == m.Consumers[i].Stream && g.Consumer == m.Consumers[i].Name
			}) {
				sum += time.Duration(x.Busy).Seconds()
			}
		}
		busy = append(busy, 100*sum/max(1e-9, slots*w.span.Seconds()))
	}
	add("busy share", "%", busy, 100*c.utilisation(w), 0.15, 5)
	return out
}

func handlersOf(m *sim.Model, i int) (n float64) {
	for _, g := range m.Workers {
		if g.Stream == m.Consumers[i].Stream && g.Consumer == m.Consumers[i].Name {
			n += float64(g.Count * max(1, g.Concurrency))
		}
	}
	return n
}
