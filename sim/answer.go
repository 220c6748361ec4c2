package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"weir/design"
	"weir/size"
)

// Answer is what a run says about a design: figures, goals and sentences, ready
// to show. Times are in seconds. Slices are in the order of the design.
type Answer struct {
	Scenario string  `json:"scenario,omitempty"`
	Seconds  float64 `json:"seconds"` // simulated
	Seed     uint64  `json:"seed"`
	// Seeds is how many runs the figures are means of; the series are of the first.
	Seeds int `json:"seeds"`
	// Estimate is true for the fluid model's coarse answer: nothing random, no
	// redelivery, no limits of streams.
	Estimate bool `json:"estimate,omitempty"`
	// Partial says where and why the run ended before its time, "" when it did not;
	// the goals are then not judged.
	Partial string `json:"partial,omitempty"`
	// Verdict is the answer in one sentence; Met is false when a goal is missed, the
	// server refuses a part of the design, or the run is partial. Goals that are not
	// exercised or not decided are neither met nor missed.
	Verdict    string            `json:"verdict"`
	Met        bool              `json:"met"`
	Goals      []GoalAnswer      `json:"goals"`
	Findings   []Finding         `json:"findings"`
	Consumers  []ConsumerAnswer  `json:"consumers"`
	Streams    []StreamAnswer    `json:"streams"`
	Publishers []PublisherAnswer `json:"publishers"`
	Marks      []MarkAnswer      `json:"marks"`
	Step       float64           `json:"step"` // of the series: point i is at (i+1) steps
	Notes      []Note            `json:"notes"`
	// Refused is what the server refuses of the design: it is not in the run.
	Refused []design.Refused `json:"refused,omitempty"`
	Events  float64          `json:"events"` // worked off
}

// Figure is one number of an answer.
type Figure struct {
	// Name is stable: for goals, sweeps and CSV. Title is for people.
	Name  string    `json:"name"`
	Title string    `json:"title"`
	Unit  size.Unit `json:"unit"`
	Value float64   `json:"value"`
	// Half is half of the 95 % confidence interval over the seeds, 0 of one seed.
	Half float64 `json:"half,omitempty"`
	// AtLeast is true where the end of the run cut the value short.
	AtLeast bool `json:"at_least,omitempty"`
	// Text is the value for people, with the interval.
	Text string `json:"text"`
}

// Worst is the upper end of the figure's interval.
func (f Figure) Worst() float64 { return f.Value + f.Half }

// ConsumerAnswer is what happens at one consumer.
type ConsumerAnswer struct {
	Name    string         `json:"name"` // STREAM/consumer
	Path    string         `json:"path"` // in the design, "" for one that an ordered reader made
	Figures []Figure       `json:"figures"`
	Series  ConsumerSeries `json:"series"`
}

// Figure is the consumer's figure of a name; ok is false when it has none.
func (c *ConsumerAnswer) Figure(name string) (f Figure, ok bool) { return figure(c.Figures, name) }

func figure(list []Figure, name string) (f Figure, ok bool) {
	i := slices.IndexFunc(list, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		return Figure{}, false
	}
	return list[i], true
}

// ConsumerSeries is a consumer over time, one value a step.
type ConsumerSeries struct {
	Pending      []float64 `json:"pending"`       // num_pending
	AckPending   []float64 `json:"ack_pending"`   // num_ack_pending
	Oldest       []float64 `json:"oldest"`        // s, age of the oldest not delivered
	Acked        []float64 `json:"acked"`         // a second
	Redeliveries []float64 `json:"redeliveries"`  // a second
	LatencyMean  []float64 `json:"latency_mean"`  // s, stored to acked, of what was acked in the step
	LatencyMax   []float64 `json:"latency_max"`   // s
	Utilisation  []float64 `json:"utilisation"`   // share of the handlers that work
	PendingBytes []float64 `json:"pending_bytes"` // subject, headers and payload
}

// StreamAnswer is what happens to one stream.
type StreamAnswer struct {
	Name     string    `json:"name"`
	Path     string    `json:"path"`
	Figures  []Figure  `json:"figures"`
	Messages []float64 `json:"messages"` // stored, one value a step
	Bytes    []float64 `json:"bytes"`
	MaxBytes float64   `json:"max_bytes,omitempty"` // the limit, 0 for none
}

// Figure is the stream's figure of a name; ok is false when it has none.
func (s *StreamAnswer) Figure(name string) (f Figure, ok bool) { return figure(s.Figures, name) }

// PublisherAnswer is what happens at one publisher of one stream.
type PublisherAnswer struct {
	Name    string   `json:"name"`
	Stream  string   `json:"stream"`
	Figures []Figure `json:"figures"`
}

// GoalAnswer is a goal with what the run says of it.
type GoalAnswer struct {
	Path     string  `json:"path"`
	Name     string  `json:"name"`
	Consumer string  `json:"consumer,omitempty"` // "" for a goal of the whole design
	Wanted   string  `json:"wanted"`             // "at most 250 ms"
	Got      string  `json:"got"`
	Met      bool    `json:"met"`
	Margin   float64 `json:"margin"` // share of the limit that is left; below 0 is missed
	Text     string  `json:"text"`   // the margin for people
	// Open is NotExercised or NotDecided where the run says neither that the goal is
	// met nor that it is missed, and Text says why; "" where it does.
	Open string `json:"open,omitempty"`
}

// What a goal may be besides met and missed.
const (
	NotExercised = "not exercised" // nothing happened that it is about
	NotDecided   = "not decided"   // the run ended too early, or the server refuses what it is about
)

// Missed reports whether the run shows that the goal is not met.
func (g *GoalAnswer) Missed() bool { return !g.Met && g.Open == "" }

// reliable reports whether nothing speaks against the goal: what did not happen does
// not, what is not decided may.
func (g *GoalAnswer) reliable() bool { return g.Met || g.Open == NotExercised }

// MarkAnswer is a thing that happens in the run, and how each consumer took it.
type MarkAnswer struct {
	At   float64 `json:"at"`  // s
	For  float64 `json:"for"` // s
	Text string  `json:"text"`
	// Recoveries are the consumers that it left with more to do than before.
	Recoveries []RecoveryAnswer `json:"recoveries"`
}

// RecoveryAnswer is a consumer's backlog after a fault or burst.
type RecoveryAnswer struct {
	Consumer string  `json:"consumer"`
	Peak     float64 `json:"peak"` // largest num_pending
	// Took is the time in seconds from the end of the fault until num_pending is
	// what it was before; -1 is never within the run.
	Took float64 `json:"took"`
	Text string  `json:"text"`
}

// Finding is something worth saying about a run, in a sentence or two.
type Finding struct {
	// Severity is warning for what hurts and info for what is good to know.
	Severity string `json:"severity"`
	Path     string `json:"path"` // of the design
	Text     string `json:"text"`
	// Advice is what to change, "" when there is nothing.
	Advice string `json:"advice,omitempty"`
}

// SimulateOptions say how to run a Model.
type SimulateOptions struct {
	Seed uint64
	// Seeds is how many runs to take the mean of, with seeds Seed, Seed+1, …; 0 is
	// one. At most 1,000.
	Seeds int
	// Parallel is how many of them run at once; 0 is one.
	Parallel int
	// Progress is called with the share that is done, from one goroutine at a time;
	// false ends the run.
	Progress func(done float64) bool
	// Partial is called as often as Progress with what gives the answer so far:
	// figures and series up to where the run is, and the marks of all of it. Goals and
	// findings are not in it. It is called for a single run only.
	Partial func(answer func() *Answer)
	// Trace is called for every event of the first seed's run.
	Trace func(Event)
	// Points of the series; 0 is 600.
	Points int
	// MaxMessages is as in Options.
	MaxMessages int64
}

// MaxSeeds is the most runs that one answer takes the mean of.
const MaxSeeds = 1_000

// Simulate runs the model and answers. When a run had to end early, because it
// does not fit in memory, ctx ended or Progress said so, the answer is partial and
// comes with the error: of several runs it is about those that were over by then,
// else about the one that had come farthest.
func (m *Model) Simulate(ctx context.Context, o SimulateOptions) (*Answer, error) {
	n := max(1, o.Seeds)
	if n > MaxSeeds {
		return nil, fmt.Errorf("simulate: %d seeds are more than %d", n, MaxSeeds)
	}
	opt := Options{Seed: o.Seed, Until: m.Until, Progress: o.Progress, MaxMessages: o.MaxMessages}
	if o.Points > 0 {
		opt.Sample = max(1, m.Until/time.Duration(o.Points))
	}
	if n == 1 || o.Trace != nil {
		first := opt
		first.Trace = o.Trace
		if o.Partial != nil {
			first.Partial = func(result func() *Result) { o.Partial(func() *Answer { return m.soFar(result(), o.Seed) }) }
		}
		if n > 1 && o.Progress != nil {
			first.Progress = func(done float64) bool { return o.Progress(done / float64(n)) }
		}
		res, err := Run(ctx, m.Workload, first)
		if res == nil {
			return nil, err
		}
		if err != nil || n == 1 {
			return m.answer([]*Result{res}, o.Seed, n, err), err
		}
		rest := opt
		rest.Seed++
		if o.Progress != nil {
			rest.Progress = func(done float64) bool { return o.Progress((1 + done*float64(n-1)) / float64(n)) }
		}
		results, err := Repeat(ctx, m.Workload, rest, n-1, o.Parallel)
		return m.answer(slices.Insert(results, 0, res), o.Seed, n, err), err
	}
	results, err := Repeat(ctx, m.Workload, opt, n, o.Parallel)
	if len(results) == 0 {
		return nil, err
	}
	return m.answer(results, o.Seed, n, err), err
}

// answer puts results of the same model together. cause is why the run ended
// early, or why there are fewer results than were wanted; nil when it did not.
func (m *Model) answer(results []*Result, seed uint64, wanted int, cause error) *Answer {
	r := results[0]
	a := &Answer{Scenario: m.Scenario, Seconds: r.Ended.Seconds(), Seed: seed, Seeds: len(results), Step: r.Step.Seconds(), Notes: m.Notes, Events: float64(r.Events)}
	switch whole := r.Ended >= m.Until; {
	case cause != nil && whole:
		a.Partial = fmt.Sprintf("%d of %d runs came to their end, and figures are those of them: %s", len(results), wanted, innermost(cause))
	case cause != nil:
		a.Partial = fmt.Sprintf("the run ended at %s of %s: %s", size.FormatDuration(r.Ended), size.FormatDuration(m.Until), innermost(cause))
	}
	for i := range r.Consumers {
		a.Consumers = append(a.Consumers, m.consumerAnswer(results, i))
	}
	for i := range r.Streams {
		a.Streams = append(a.Streams, m.streamAnswer(results, i))
	}
	a.Publishers = m.publisherAnswers(results)
	a.Marks = m.markAnswers(results)
	if cause == nil {
		a.Goals = m.judge(a)
	}
	a.Findings = m.findings(a, r)
	a.conclude(m)
	return a
}

// soFar is the answer of a run that goes on. Its length is the whole run's, so that
// a chart has room for what is to come.
func (m *Model) soFar(r *Result, seed uint64) *Answer {
	a := &Answer{Scenario: m.Scenario, Seconds: m.Until.Seconds(), Seed: seed, Seeds: 1, Step: r.Step.Seconds(), Marks: m.markTimes(), Met: true}
	for i := range r.Consumers {
		a.Consumers = append(a.Consumers, m.consumerAnswer([]*Result{r}, i))
	}
	a.Verdict = size.FormatDuration(r.Ended) + " of " + size.FormatDuration(m.Until) + " simulated so far."
	return a
}

// innermost is an error without what wraps it.
func innermost(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("it was interrupted")
	}
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// figureOf makes a figure of what each result has.
func figureOf(results []*Result, name, title string, u size.Unit, value func(*Result) (v float64, atLeast bool)) Figure {
	f := Figure{Name: name, Title: title, Unit: u}
	values := make([]float64, len(results))
	for i, r := range results {
		v, cut := value(r)
		values[i] = finite(v)
		f.AtLeast = f.AtLeast || cut
	}
	f.Value, f.Half = Interval(values)
	f.Text = u.Format(f.Value)
	if f.Half > 0 {
		f.Text += " ± " + u.Format(f.Half)
	}
	if f.AtLeast {
		f.Text = "at least " + f.Text
	}
	return f
}

// finite keeps a number that JSON can hold.
func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return min(max(v, -math.MaxFloat64), math.MaxFloat64)
}

func (m *Model) consumerPath(i int) string {
	if i < len(m.ConsumerPaths) {
		return m.ConsumerPaths[i]
	}
	return ""
}

func (m *Model) consumerAnswer(results []*Result, i int) ConsumerAnswer {
	c := results[0].Consumers[i]
	out := ConsumerAnswer{Name: c.Stream + "/" + c.Name, Path: m.consumerPath(i), Series: m.consumerSeries(results[0], i)}
	for _, k := range consumerFigures {
		out.Figures = append(out.Figures, figureOf(results, k.name, k.title, k.unit, func(r *Result) (float64, bool) { return k.of(m, r, i) }))
	}
	return out
}

func (m *Model) consumerSeries(r *Result, i int) (s ConsumerSeries) {
	step, hands := r.Step.Seconds(), m.handlers(i)
	for k, p := range r.Consumers[i].Series {
		s.Pending = append(s.Pending, float64(p.NumPending))
		s.AckPending = append(s.AckPending, float64(p.NumAckPending))
		s.Oldest = append(s.Oldest, time.Duration(p.Oldest).Seconds())
		s.Acked = append(s.Acked, float64(p.Acked)/step)
		s.Redeliveries = append(s.Redeliveries, float64(p.Redeliveries)/step)
		s.LatencyMean = append(s.LatencyMean, time.Duration(p.SojournMean).Seconds())
		s.LatencyMax = append(s.LatencyMax, time.Duration(p.SojournMax).Seconds())
		s.PendingBytes = append(s.PendingBytes, float64(p.PendingBytes))
		s.Utilisation = append(s.Utilisation, ratio(float64(p.Busy), hands(time.Duration(k+1)*r.Step)))
	}
	return s
}

// handlers gives how many handlers a consumer has at a time.
func (m *Model) handlers(i int) func(at time.Duration) float64 {
	var groups []*WorkerGroup
	for k := range m.Workers {
		if g := &m.Workers[k]; i < len(m.Consumers) && g.Stream == m.Consumers[i].Stream && g.Consumer == m.Consumers[i].Name {
			groups = append(groups, g)
		}
	}
	return func(at time.Duration) (n float64) {
		for _, g := range groups {
			if at >= g.Start && (g.Stop == 0 || at < g.Stop) {
				n += float64(g.Count * max(1, g.Concurrency))
			}
		}
		return n
	}
}

func ratio(n, of float64) float64 {
	if of == 0 {
		return 0
	}
	return n / of
}

func (m *Model) streamAnswer(results []*Result, i int) StreamAnswer {
	s := results[0].Streams[i]
	out := StreamAnswer{Name: s.Name, Path: m.StreamPaths[i], MaxBytes: max(0, float64(m.Streams[i].MaxBytes))}
	for _, p := range s.Series {
		out.Messages, out.Bytes = append(out.Messages, float64(p.Msgs)), append(out.Bytes, float64(p.Bytes))
	}
	for _, k := range streamFigures {
		if k.name == "full" && out.MaxBytes == 0 {
			continue
		}
		out.Figures = append(out.Figures, figureOf(results, k.name, k.title, k.unit, func(r *Result) (float64, bool) { return k.of(m, r, i) }))
	}
	return out
}

func (m *Model) markAnswers(results []*Result) (out []MarkAnswer) {
	const shown, noteworthy = 100, 10
	clear := make([]ConsumerEstimate, len(m.Consumers))
	for i := range clear {
		clear[i] = m.withoutFaults(i)
	}
	for _, k := range m.Marks[:min(shown, len(m.Marks))] {
		one := MarkAnswer{At: k.At.Seconds(), For: k.For.Seconds(), Text: k.Text}
		for i, c := range results[0].Consumers {
			rec, ok := recoverFrom(c.Series, int64(results[0].Step), int64(k.At), int64(k.For))
			name := c.Stream + "/" + c.Name
			if !ok || rec.Peak < noteworthy || !k.about(name) || i < len(clear) && m.blameless(&k, name, &clear[i], rec) {
				continue
			}
			r := RecoveryAnswer{Consumer: name, Peak: float64(rec.Peak), Took: rec.Took.Seconds()}
			switch {
			case rec.Took < 0:
				r.Took, r.Text = -1, fmt.Sprintf("up to %s, and not level again within the run", size.Messages.Format(r.Peak))
			default:
				r.Text = fmt.Sprintf("up to %s, level again %s after it", size.Messages.Format(r.Peak), size.FormatDuration(rec.Took))
			}
			one.Recoveries = append(one.Recoveries, r)
		}
		out = append(out, one)
	}
	return out
}

// publisherAnswers puts the processes of a publisher together.
func (m *Model) publisherAnswers(results []*Result) (out []PublisherAnswer) {
	type key struct{ name, stream string }
	var keys []key
	for _, p := range results[0].Publishers {
		if k := (key{processOf(p.Name), p.Stream}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		one := PublisherAnswer{Name: k.name, Stream: k.stream}
		for _, f := range publisherFigures {
			one.Figures = append(one.Figures, figureOf(results, f.name, f.title, f.unit, func(r *Result) (float64, bool) {
				var sum PublisherResult
				for _, p := range r.Publishers {
					if processOf(p.Name) == k.name && p.Stream == k.stream {
						sum.add(p)
					}
				}
				return f.of(&sum, r.Ended), false
			}))
		}
		out = append(out, one)
	}
	return out
}
