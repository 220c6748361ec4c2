package predict

import (
	"context"
	"math"
	"slices"
	"time"

	"weir/design"
	"weir/sim"
	"weir/size"
)

// Workload predicts what a run measured. The error is that of a ctx that ended.
func Workload(ctx context.Context, d *design.Design, r Run) (Predicted, error) {
	figures, left := r.sizes(d)
	out, err := r.simulated(ctx, d)
	out.Figures, out.Left = append(figures, out.Figures...), append(left, out.Left...)
	return out, err
}

// sizes lays the bytes that package size computes for what a stream holds beside
// those that the server reported. The band is for the payloads that were drawn:
// five standard deviations of their mean, and 3 % for subjects, of which a run
// uses examples.
func (r *Run) sizes(d *design.Design) (out []Figure, left []Left) {
	sized, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return nil, []Left{{"prediction of sizes", err.Error()}}
	}
	for _, s := range r.Streams {
		in := sized.Stream(s.Path)
		if in == nil || s.Messages == 0 {
			continue // a workqueue that is empty has nothing to compare
		}
		record, err := size.OfRecord(in.Input.Message, in.Input.Storage)
		if err != nil {
			continue
		}
		const subjects, deviations = 0.03, 5
		n := float64(s.Messages)
		value := n * record.Reported.Value
		off := subjects*value + deviations*s.Deviation*math.Sqrt(n)
		out = append(out, Figure{Name: "workload: bytes of " + s.Name, Unit: "B", From: FromSizing, Value: int64(math.Round(value)),
			Low: max(1, int64(value-off)), High: int64(math.Ceil(value + off)), Measured: s.Bytes})
	}
	return out, nil
}

// seeds is how many simulated runs a band is made of, mostSimulated bounds one:
// far more than is published.
const (
	seeds         = 5
	mostSimulated = 10_000_000
)

// simulated simulates the run as it was scaled, several times, and lays what comes
// out beside what was measured of each consumer. A run with a scenario or faults
// is left out: their times are those of the run.
func (r *Run) simulated(ctx context.Context, d *design.Design) (out Predicted, err error) {
	leave := func(why string) (Predicted, error) {
		return Predicted{Left: []Left{{"prediction of the simulator", why}}}, nil
	}
	switch {
	case r.Scenario != "":
		return leave("a scenario was played; weir simulate --scenario plays it in the design's own time")
	case r.Faults > 0:
		return leave("somebody broke the servers meanwhile")
	}
	m, err := sim.FromDesign(d, sim.DesignOptions{For: r.Until, Usual: true})
	if err != nil {
		return leave(err.Error())
	}
	m = m.Scaled(sim.Scale{Time: r.Time, Rate: r.Rate, Publish: r.Span, Expires: r.Expires, Published: r.Published, Workers: func(g *sim.WorkerGroup) (int, int) { return r.Crews(g.Count, g.Concurrency) }})
	results, err := sim.Repeat(ctx, m.Workload, sim.Options{Seed: r.Seed, Until: r.Until, MaxMessages: mostSimulated, Sample: r.step()}, seeds, 1)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if err != nil {
		return leave(err.Error())
	}
	for i := range r.Consumers {
		c := &r.Consumers[i]
		if at := slices.Index(m.ConsumerPaths, c.Path); at >= 0 {
			out.Figures = append(out.Figures, c.predicted(r, m, results, at)...)
			if len(c.Pending.AtMS) > 0 {
				out.Courses = append(out.Courses, c.course(results, at, r.step()))
			}
		}
	}
	return out, nil
}

// simulatedFigure is a figure that the simulator and the run have, and how far
// the two may be apart: a share of the value, and an amount below which a
// difference says nothing.
type simulatedFigure struct {
	name, unit string
	of         func(c *sim.ConsumerResult) float64
	measured   func(c *Consumer) float64
	share      float64
	atLeast    func(messages float64) float64
}

// The bands are those that the simulator is held to (counts and shares within 2
// points of the messages) and, for times, what a machine that also runs the
// servers and the workers may add.
var simulatedFigures = []simulatedFigure{
	{"redeliveries", "deliveries", func(c *sim.ConsumerResult) float64 { return float64(c.Redeliveries) }, func(c *Consumer) float64 { return float64(c.Redelivered) },
		0.1, func(messages float64) float64 { return 3 + 0.02*messages }},
	{"handled twice", "messages", func(c *sim.ConsumerResult) float64 { return float64(c.HandledTwice) }, func(c *Consumer) float64 { return float64(c.Twice) },
		0.1, func(messages float64) float64 { return 1 + 0.02*messages }},
	{"num_pending at most", "messages", func(c *sim.ConsumerResult) float64 { return float64(c.MaxPending) }, func(c *Consumer) float64 { return float64(c.MaxPending) },
		0.25, func(messages float64) float64 { return 10 + 0.02*messages }},
	{"publish to ack p50", "ms", func(c *sim.ConsumerResult) float64 { return c.Sojourn.Percentile(50).Seconds() * 1e3 }, func(c *Consumer) float64 { return c.P50 },
		0.5, func(float64) float64 { return 20 }},
	{"publish to ack p99", "ms", func(c *sim.ConsumerResult) float64 { return c.Sojourn.Percentile(99).Seconds() * 1e3 }, func(c *Consumer) float64 { return c.P99 },
		0.5, func(float64) float64 { return 50 }},
}

// predicted lays what was simulated of a consumer beside what was measured.
// Counts are brought to the number of messages that the run had.
func (c *Consumer) predicted(r *Run, m *sim.Model, results []*sim.Result, i int) (out []Figure) {
	add := func(name, unit string, values []float64, measured, share, atLeast float64) {
		low, high, sum := slices.Min(values), slices.Max(values), 0.0
		for _, v := range values {
			sum += v / float64(len(values))
		}
		slack := max(share*high, atLeast)
		out = append(out, Figure{Name: "workload: " + name + " of " + c.Name, Unit: unit, From: FromSimulation, Value: int64(math.Round(sum)), Measured: int64(math.Round(measured)),
			// 0 to 0 would mean that nothing but 0 agrees.
			Low: int64(math.Floor(max(0, low-slack))), High: max(1, int64(math.Ceil(high+slack)))})
	}
	for _, f := range simulatedFigures {
		if f.unit == "ms" && f.measured(c) == 0 {
			continue // no message was acked, and no time was measured
		}
		var values []float64
		for _, result := range results {
			v, unique := f.of(result.Consumers[i]), float64(result.Consumers[i].Unique)
			if f.unit != "ms" && unique > 0 {
				v *= float64(c.Expected) / unique
			}
			values = append(values, v)
		}
		add(f.name, f.unit, values, f.measured(c), f.share, f.atLeast(float64(c.Expected)))
	}
	var busy []float64
	slots := handlersOf(m, i)
	for _, result := range results {
		busy = append(busy, 100*busyOf(m, result, i).Seconds()/max(1e-9, slots*r.Span.Seconds()))
	}
	add("busy share", "%", busy, 100*c.Busy, 0.15, 5)
	return out
}

// busyOf is how long the workers of a consumer worked, all together.
func busyOf(m *sim.Model, result *sim.Result, i int) (sum time.Duration) {
	for _, x := range result.Workers {
		if slices.ContainsFunc(m.Workers, func(g sim.WorkerGroup) bool {
			return g.Name == x.Group && g.Stream == m.Consumers[i].Stream && g.Consumer == m.Consumers[i].Name
		}) {
			sum += time.Duration(x.Busy)
		}
	}
	return sum
}

func handlersOf(m *sim.Model, i int) (n float64) {
	for _, g := range m.Workers {
		if g.Stream == m.Consumers[i].Stream && g.Consumer == m.Consumers[i].Name {
			n += float64(g.Count * max(1, g.Concurrency))
		}
	}
	return n
}
