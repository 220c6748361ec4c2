package prove

import (
	"context"

	"weir/design"
	"weir/internal/predict"
)

// measured is the run with what was measured of it, as predictions want it.
func (w *workload) measured(ctx context.Context) (predict.Run, error) {
	out := predict.Run{Time: w.time, Rate: w.rate, Workers: w.workerShare, Span: w.published, Until: w.published + drainWithin, Expires: longestRequest,
		Seed: w.r.opt.Seed, Scenario: w.r.opt.Scenario, Faults: w.faults, Consumers: []predict.Consumer{}, Streams: []predict.Stream{}}
	for _, p := range w.publishers {
		p.mu.Lock()
		if p.short() {
			if out.Published == nil {
				out.Published = map[string]float64{}
			}
			out.Published[p.Name] = p.share()
		}
		p.mu.Unlock()
	}
	for _, c := range w.consumers {
		out.Consumers = append(out.Consumers, c.forPrediction(w))
	}
	for _, s := range w.streams {
		if len(s.published) == 0 {
			continue
		}
		var info streamInfo
		if err := w.ask(ctx, w.r.user(s.scope), "STREAM.INFO."+s.Name, &info); err != nil {
			return out, err
		}
		of := predict.Stream{Path: design.Join(design.Join(s.scope.Path, "streams"), s.Name), Name: s.Name, Messages: info.State.Messages, Bytes: info.State.Bytes}
		for _, p := range w.publishers {
			if p.stream == s {
				of.Deviation = max(of.Deviation, p.Payload.Deviation())
			}
		}
		out.Streams = append(out.Streams, of)
	}
	return out, nil
}

func (c *loadConsumer) forPrediction(w *workload) predict.Consumer {
	c.mu.Lock()
	defer c.mu.Unlock()
	const perMS = 1e3 // of the histogram's µs
	return predict.Consumer{Path: c.path, Name: c.name, Expected: c.expected, Redelivered: c.redelivered(), Twice: c.twice(), MaxPending: c.maxPending,
		P50: float64(c.latency.ValueAtPercentile(50)) / perMS, P99: float64(c.latency.ValueAtPercentile(99)) / perMS, Busy: c.utilisation(w), Pending: c.looks.Looks}
}

// AddPredicted lays predictions of a workload beside its evidence, in the place
// of what said that there are none, and judges again what they decide.
func (e *Evidence) AddPredicted(all predict.Predicted) {
	var others []NotExercised
	for _, n := range e.NotExercised {
		if n.What != noPrediction {
			others = append(others, n)
		}
	}
	e.NotExercised = others
	for _, f := range all.Figures {
		e.Predicted = append(e.Predicted, Prediction{Figure: Figure{f.Name, f.Value, f.Unit}, From: f.From, Low: f.Low, High: f.High, Measured: f.Measured})
	}
	e.addCourses(all.Courses)
	for _, l := range all.Left {
		e.leaveOut(l.What, l.Why)
	}
}

// noPrediction is what is left out where the program at hand has no simulator.
const noPrediction = "predictions of the simulator and of sizes"
