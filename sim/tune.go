package sim

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"weir/design"
	"weir/size"
)

// TuneOptions say how to tune.
type TuneOptions struct {
	Seed     uint64
	Parallel int // consumers at once; 0 is one
	// Progress is called after each choice with the share of the search that is done,
	// from one goroutine at a time; false ends the search.
	Progress func(done float64) bool
}

// TuneAnswer is the cheapest settings of each consumer.
type TuneAnswer struct {
	Consumers []TunedConsumer `json:"consumers"`
	Met       bool            `json:"met"` // every goal can be met
	Verdict   string          `json:"verdict"`
	// Partial says why consumers were not searched to their end, "" when all were.
	Partial string `json:"partial,omitempty"`
}

// TunedConsumer is what one consumer needs.
type TunedConsumer struct {
	Name string `json:"name"`
	Path string `json:"path"`
	// Settings differ from what the design says; none when it is the cheapest.
	Settings []TunedSetting `json:"settings"`
	// Front is the trade-off: each row is cheaper than the next, and slower.
	Front []TuneRow `json:"front"`
	// Chosen is the row of Front that Settings mean, -1 when none meets the goals.
	Chosen  int    `json:"chosen"`
	Verdict string `json:"verdict"`
	Tried   int    `json:"tried"` // variants simulated
	// Partial is set when the search had more to try: cheaper settings may do.
	Partial bool `json:"partial,omitempty"`
}

// TunedSetting is one value to write, with its reason.
type TunedSetting struct {
	Path   string `json:"path"`
	From   string `json:"from"` // "" where nothing is written
	To     string `json:"to"`
	Reason string `json:"reason"`
}

// TuneRow is one choice of workers.
type TuneRow struct {
	Count   int      `json:"count"`
	Fetch   int      `json:"fetch"`
	Figures []Figure `json:"figures"`
	Met     bool     `json:"met"`
	Missed  []string `json:"missed"`
}

// Tune searches for each consumer the fewest workers with which its goals are
// met, over sizes of the batch, with ack_wait, backoff and max_ack_pending as
// Recommend has them where the design's own do not do. A consumer without goals
// is to keep up: nothing grows, and workers are busy at most 80 % of the time
// outside of bursts. It simulates each consumer alone with its stream. When ctx ends
// or Progress says so, the answer has what was found by then and comes with the
// error.
func (m *Model) Tune(ctx context.Context, o TuneOptions) (*TuneAnswer, error) {
	out := &TuneAnswer{Met: true}
	var which []int
	for i := range m.Consumers {
		if len(m.crew(i).groups) > 0 {
			which = append(which, i)
		}
	}
	out.Consumers = make([]TunedConsumer, len(which))
	errs := make([]error, len(which))
	shares := &sharedProgress{report: o.Progress, done: make([]float64, len(which))}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	turn := make(chan struct{}, max(1, o.Parallel))
	for k, i := range which {
		turn <- struct{}{}
		wait.Go(func() {
			defer func() { <-turn }()
			out.Consumers[k], errs[k] = m.tuneOne(ctx, i, o.Seed, func(done float64) {
				if o.Progress != nil && !shares.set(k, done) {
					cancel()
				}
			})
		})
	}
	wait.Wait()
	early := error(nil)
	for i, err := range errs {
		switch ended := ctx.Err() != nil; {
		case err == nil:
		case !ended:
			return nil, fmt.Errorf("tune: %w", err)
		default:
			out.Consumers[i].Partial = true
			early = fmt.Errorf("tune: %w", err)
		}
	}
	if shares.stopped {
		early = fmt.Errorf("tune: %w", ErrStopped)
	}
	out.conclude(early)
	if len(m.Refused) > 0 {
		out.Met, out.Verdict = false, design.RefusedSays(m.Refused)+" "+out.Verdict
	}
	return out, early
}

// conclude sums the consumers up; early is why some were not searched to their end,
// nil when all were.
func (a *TuneAnswer) conclude(early error) {
	changes, failed, searched := 0, "", 0
	for _, c := range a.Consumers {
		changes += len(c.Settings)
		if c.Chosen < 0 {
			a.Met, failed = false, c.Name
		}
		if !c.Partial {
			searched++
		}
	}
	switch {
	case early != nil && searched < len(a.Consumers):
		a.Met = false
		a.Partial = fmt.Sprintf("%d of %s searched to the end: %s", searched, size.Counted(len(a.Consumers), "consumer was", "consumers were"), innermost(early))
		a.Verdict = "Not answered in full: " + a.Partial + "."
	case !a.Met:
		a.Verdict = "No number of workers that was tried meets the goals of " + failed + "."
	case changes == 0:
		a.Verdict = "The settings are the cheapest that were found to meet the goals."
	default:
		a.Verdict = "The goals can be met: " + size.Counted(changes, "setting changes.", "settings change.")
	}
}

// alone is the model of one consumer with its stream.
func (m *Model) alone(i int) *Model {
	one := &Model{Until: m.Until, Scenario: m.Scenario, Marks: m.Marks, Bursts: m.Bursts}
	one.Server, one.Overhead, one.Faults = m.Server, m.Overhead, slices.Clone(m.Faults)
	stream := m.Consumers[i].Stream
	for k, s := range m.Streams {
		if s.Name == stream {
			one.Streams, one.StreamPaths = []Stream{s}, []string{m.StreamPaths[k]}
		}
	}
	one.Consumers, one.ConsumerPaths = []Consumer{m.Consumers[i]}, []string{m.ConsumerPaths[i]}
	for _, p := range m.Publishers {
		if p.Stream == stream {
			one.Publishers = append(one.Publishers, p)
		}
	}
	for _, g := range m.Workers {
		if g.Stream == stream && g.Consumer == m.Consumers[i].Name {
			one.Workers = append(one.Workers, g)
		}
	}
	for _, g := range m.Goals {
		if g.Consumer == i {
			g.Consumer = 0
			one.Goals = append(one.Goals, g)
		}
	}
	return one
}

// tuner searches for one consumer.
type tuner struct {
	ctx   context.Context
	m     *Model // of the consumer alone
	seed  uint64
	first crew
	rows  []TuneRow
	// progress is told the share of the batches that is done.
	progress func(done float64)
	done     float64
}

func (m *Model) tuneOne(ctx context.Context, i int, seed uint64, progress func(done float64)) (TunedConsumer, error) {
	one := m.alone(i)
	t := &tuner{ctx: ctx, m: one, seed: seed, first: one.crew(0), progress: progress}
	c := one.Consumers[0]
	out := TunedConsumer{Name: c.Stream + "/" + c.Name, Path: one.ConsumerPaths[0], Chosen: -1}
	needs, _ := one.NeedsOf(0)
	needs.Workers = 0
	advice, err := Recommend(needs)
	if err != nil {
		return out, err
	}
	out.Settings = t.settings(advice)
	g := t.first.groups[0]
	batches := []int{g.Batch}
	if g.Mode != ModePush {
		batches = append(batches, g.Concurrency, advice.Fetch, 1)
	}
	slices.Sort(batches)
	batches = slices.Compact(batches)
	for k, b := range batches {
		t.done = float64(k) / float64(len(batches))
		if err = t.search(max(1, b)); err != nil {
			break // what was found so far is told
		}
	}
	out.Tried = len(t.rows)
	out.Front = front(t.rows)
	out.Chosen = slices.IndexFunc(out.Front, func(r TuneRow) bool { return r.Met })
	if out.Chosen >= 0 {
		// What is written stays where it is as cheap.
		for _, r := range t.rows {
			if best := &out.Front[out.Chosen]; r.Met && r.Count == best.Count && r.Fetch == g.Batch {
				*best = r
			}
		}
	}
	if t.conclude(&out, err != nil); err == nil {
		progress(1)
	}
	return out, err
}

// settings puts in what Recommend has where the design's own does not do, and
// says so.
func (t *tuner) settings(a *ConsumerAdvice) (out []TunedSetting) {
	c, path := &t.m.Consumers[0], t.m.ConsumerPaths[0]
	reason := func(setting string) string {
		for _, r := range a.List {
			if r.Setting == setting {
				return r.Reason
			}
		}
		return ""
	}
	held := heldFor(t.first.groups[0])
	progress := t.first.groups[0].InProgress
	wait := c.AckWait
	if wait <= 0 {
		wait = defaultAckWait
	}
	switch {
	case c.Ack == AckNone || progress > 0:
	case len(c.BackOff) > 0 && c.BackOff[0] < held:
		out = append(out, TunedSetting{design.Join(path, "backoff"), durations(c.BackOff), durations(a.BackOff), "its first step runs out while messages are handled: " + reason("ack_wait")})
		c.BackOff = a.BackOff
	case len(c.BackOff) == 0 && wait < held:
		out = append(out, TunedSetting{design.Join(path, "ack_wait"), design.FormatDuration(int64(wait)), design.FormatDuration(int64(a.AckWait)), reason("ack_wait")})
		c.AckWait = a.AckWait
	}
	return out
}

func durations(list []time.Duration) string {
	s := "["
	for i, d := range list {
		if i > 0 {
			s += ", "
		}
		s += design.FormatDuration(int64(d))
	}
	return s + "]"
}

// search finds the fewest workers for a batch size by doubling and halving.
func (t *tuner) search(batch int) error {
	const most = 4096
	low, high := 0, 1
	for {
		met, err := t.try(high, batch)
		if err != nil {
			return err
		}
		if met {
			break
		}
		if low, high = high, high*2; high > most {
			return nil
		}
	}
	for low+1 < high {
		mid := (low + high) / 2
		met, err := t.try(mid, batch)
		if err != nil {
			return err
		}
		if met {
			high = mid
		} else {
			low = mid
		}
	}
	return nil
}

// try simulates one choice; what the fluid model knows to be hopeless is not.
func (t *tuner) try(count, batch int) (bool, error) {
	m := *t.m
	m.Workers, m.Consumers = slices.Clone(t.m.Workers), slices.Clone(t.m.Consumers)
	for k := range m.Workers {
		g := &m.Workers[k]
		if g.Start == 0 {
			g.Count = max(1, g.Count*count/max(1, t.first.count))
			if len(t.first.groups) == 1 {
				g.Count = count
			}
		}
		g.Batch = batch
	}
	if c := &m.Consumers[0]; c.MaxAckPending >= 0 && c.Ack != AckNone {
		limit := c.MaxAckPending
		if limit == 0 {
			limit = defaultMaxAckPending
		}
		c.MaxAckPending = max(limit, count*max(batch, t.first.groups[0].Concurrency))
	}
	f := fluid{w: &m.Workload, until: m.Until, step: float64(m.Until) / estimateSteps}
	e := f.consumer(&m.Consumers[0])
	if e.Usual >= e.Capacity {
		return false, nil
	}
	a, err := m.Simulate(t.ctx, SimulateOptions{Seed: t.seed, Points: 200})
	if err != nil {
		return false, err
	}
	row := TuneRow{Count: count, Fetch: batch, Met: a.Met}
	for _, name := range sweepFigures {
		x, _ := a.Consumers[0].Figure(name)
		row.Figures = append(row.Figures, x)
	}
	for _, g := range a.Goals {
		if !g.reliable() {
			row.Met = false
			row.Missed = append(row.Missed, g.Name)
		}
	}
	if len(m.Goals) == 0 && e.Usual > comfortable*e.Capacity {
		row.Met, row.Missed = false, []string{"keeping up with room to spare"}
	}
	t.rows = append(t.rows, row)
	t.progress(t.done)
	return row.Met, nil
}

// front keeps the rows that no cheaper or equally cheap one beats in latency p99,
// cheapest first; rows that meet the goals come before others of the same cost.
func front(rows []TuneRow) (out []TuneRow) {
	p99 := func(r TuneRow) float64 {
		f, _ := figure(r.Figures, "latency_p99")
		return f.Value
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b TuneRow) int {
		switch {
		case a.Count != b.Count:
			return a.Count - b.Count
		case a.Met != b.Met && a.Met:
			return -1
		case a.Met != b.Met:
			return 1
		case p99(a) < p99(b):
			return -1
		case p99(a) > p99(b):
			return 1
		}
		return 0
	})
	for _, r := range rows {
		if len(out) == 0 || p99(r) < p99(out[len(out)-1]) || r.Met && !out[len(out)-1].Met {
			out = append(out, r)
		}
	}
	return out
}

// conclude names what changes; early says that there was more to try.
func (t *tuner) conclude(out *TunedConsumer, early bool) {
	if out.Chosen < 0 {
		if early {
			out.Settings, out.Verdict = nil, fmt.Sprintf("None of the %s tried so far meets the goals.", size.Counted(len(t.rows), "choice", "choices"))
			return
		}
		out.Verdict = "No number of workers that was tried meets the goals."
		if n := len(t.rows); n > 0 {
			out.Verdict = fmt.Sprintf("Not met with %s either: %s.", countText(t.rows[n-1].Count), t.rows[n-1].Missed[0])
		}
		for k := range t.m.Goals {
			if why := t.m.floorOf(&t.m.Goals[k]); why != "" {
				out.Verdict = fmt.Sprintf("No number of workers meets %s: %s.", t.m.Goals[k].Name, why)
			}
		}
		return
	}
	row := out.Front[out.Chosen]
	workers := design.Join(out.Path, "workers")
	add := func(key string, from, to int, reason string) {
		if from != to {
			out.Settings = append(out.Settings, TunedSetting{design.Join(workers, key), fmt.Sprint(from), fmt.Sprint(to), reason})
		}
	}
	g := t.first.groups[0]
	p99, _ := figure(row.Figures, "latency_p99")
	busy, _ := figure(row.Figures, "utilisation")
	fewest := "the fewest"
	if early {
		fewest = "the fewest tried so far"
	}
	add("count", t.first.count, row.Count, fmt.Sprintf("%s with which the goals are met: latency p99 is %s, handlers are busy %s of the time", fewest, p99.Text, busy.Text))
	add("fetch", g.Batch, row.Fetch, "of the sizes tried, the one that needs the fewest workers")
	if need := row.Count * max(row.Fetch, g.Concurrency); t.m.Consumers[0].MaxAckPending > 0 && need > t.m.Consumers[0].MaxAckPending {
		out.Settings = append(out.Settings, TunedSetting{design.Join(out.Path, "max_ack_pending"), fmt.Sprint(t.m.Consumers[0].MaxAckPending), fmt.Sprint(need), "what the workers hold at once"})
	}
	out.Verdict = fmt.Sprintf("%s with fetch %d: latency p99 %s, busy %s.", countText(row.Count), row.Fetch, p99.Text, busy.Text)
}

func countText(n int) string { return size.Counted(n, "worker", "workers") }
