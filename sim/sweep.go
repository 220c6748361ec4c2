package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"weir/design"
	"weir/size"
)

// Setting is a place of a design and the values that it takes one after another,
// as written in a design file.
type Setting struct {
	Path   string   `json:"path"`
	Values []string `json:"values"`
}

const (
	maxValues   = 1_000  // of one setting
	maxVariants = 10_000 // of a sweep
)

// ParseSetting reads PATH=VALUES. Values are a list (1,2,8 or 10s,30s,1m), a
// range with one unit (1..16, 10s..60s) or a range with a step (1..16/3).
// A range of times or sizes without a step has eight values.
func ParseSetting(s string) (Setting, error) {
	path, list, ok := strings.Cut(s, "=")
	if !ok || path == "" || list == "" {
		return Setting{}, fmt.Errorf("%q is no setting; write PATH=VALUES, for example streams.ORDERS.consumers.billing.workers.count=1..16", s)
	}
	out := Setting{Path: path}
	from, rest, isRange := strings.Cut(list, "..")
	if !isRange {
		for v := range strings.SplitSeq(list, ",") {
			if v = strings.TrimSpace(v); v != "" {
				out.Values = append(out.Values, v)
			}
		}
		if len(out.Values) > maxValues {
			return Setting{}, fmt.Errorf("%d values of %s are more than %d", len(out.Values), path, maxValues)
		}
		return out, nil
	}
	to, step, _ := strings.Cut(rest, "/")
	values, err := rangeOf(from, to, step)
	if err != nil {
		return Setting{}, fmt.Errorf("%s: %w", path, err)
	}
	out.Values = values
	return out, nil
}

// rangeOf lists the values of a range.
func rangeOf(from, to, step string) ([]string, error) {
	a, unit, err := numberUnit(from)
	if err != nil {
		return nil, err
	}
	b, unitB, err := numberUnit(to)
	if err != nil {
		return nil, err
	}
	if unit == "" {
		unit = unitB
	}
	if unit != unitB || b < a {
		return nil, fmt.Errorf("%q to %q is no range; write the lower value first, both in the same unit", from, to)
	}
	by := 1.0
	switch {
	case step != "":
		var unitC string
		if by, unitC, err = numberUnit(step); err != nil {
			return nil, err
		}
		if by <= 0 || unitC != "" && unitC != unit {
			return nil, fmt.Errorf("%q is no step; write a number above 0 in the unit of the range", step)
		}
	case unit != "":
		const some = 8
		by = max((b-a)/(some-1), math.SmallestNonzeroFloat64)
	}
	if (b-a)/by >= maxValues {
		return nil, fmt.Errorf("%q to %q has more than %d values; write a step behind it, as in 1..1000/50", from, to, maxValues)
	}
	var out []string
	for k := 0; ; k++ {
		v := a + float64(k)*by
		if v > b*(1+1e-12) {
			return out, nil
		}
		out = append(out, strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)+unit)
	}
}

// numberUnit splits 10s into 10 and s.
func numberUnit(s string) (float64, string, error) {
	s = strings.TrimSpace(s)
	i := strings.LastIndexAny(s, "0123456789") + 1
	v, err := strconv.ParseFloat(s[:i], 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, "", fmt.Errorf("%q is not a number with a unit", s)
	}
	return v, s[i:], nil
}

// SweepOptions say how to sweep.
type SweepOptions struct {
	Design   DesignOptions
	Seed     uint64
	Seeds    int // of each variant; 0 is one
	Parallel int // variants at once; 0 is one
	// Progress is called with the share of the variants that is done, from one
	// goroutine at a time; false ends the sweep.
	Progress func(done float64) bool
}

// SweepAnswer is the table of a sweep.
type SweepAnswer struct {
	Settings []Setting `json:"settings"`
	// Consumer is the one whose figures the rows have: the one that the first
	// setting belongs to; "" has the worst of all.
	Consumer string     `json:"consumer,omitempty"`
	Rows     []SweepRow `json:"rows"`
	// Knee is the row from which on more brings little, and Cheapest the first that
	// meets all goals; -1 is none.
	Knee     int    `json:"knee"`
	Cheapest int    `json:"cheapest"`
	Verdict  string `json:"verdict"`
	// Partial says why rows are missing, "" when none is: there is no knee then.
	Partial string `json:"partial,omitempty"`
}

// SweepRow is one variant.
type SweepRow struct {
	Values  []string `json:"values"` // by setting
	Figures []Figure `json:"figures"`
	// Met is about the goals of the sweep's consumer, or about all.
	Met    bool     `json:"met"`
	Missed []string `json:"missed"` // goals
	Error  string   `json:"error,omitempty"`
}

// sweepFigures are the columns of a sweep.
var sweepFigures = []string{"utilisation", "acked_rate", "pending", "oldest_pending", "latency_p50", "latency_p99", "drain", "redelivered_share", "handled_twice", "lost"}

// Sweep simulates the design of a text once for each combination of the
// settings' values. A value that the design cannot have is an error of its row.
// When ctx ends or Progress says so, the answer has the rows that were simulated by
// then and comes with the error.
func Sweep(ctx context.Context, src *design.Source, settings []Setting, o SweepOptions) (*SweepAnswer, error) {
	d, problems := design.ParseSource(src)
	if problems.Failed() {
		return nil, fmt.Errorf("sweep: %w", problems)
	}
	n := 1
	for _, s := range settings {
		if len(s.Values) == 0 {
			return nil, fmt.Errorf("sweep: %s has no values", s.Path)
		}
		if n *= len(s.Values); n > maxVariants {
			return nil, fmt.Errorf("sweep: more than %d variants; take larger steps", maxVariants)
		}
		if err := d.CheckAssets(s.Path); err != nil {
			return nil, fmt.Errorf("sweep: %w", err)
		}
		if _, known := design.FieldAt(s.Path); !known || d.SetFix("", s.Path, s.Values[0]) == nil {
			return nil, fmt.Errorf("sweep: %q cannot be set in %s; write the path of a setting, as in streams.ORDERS.consumers.billing.workers.count", s.Path, src.Name)
		}
	}
	if len(settings) == 0 {
		return nil, errors.New("sweep: nothing varies; name a setting and its values")
	}
	out := &SweepAnswer{Settings: settings, Rows: make([]SweepRow, n), Knee: -1, Cheapest: -1, Consumer: focusOf(d, settings[0].Path)}
	err := out.run(ctx, src, d, o)
	if err != nil {
		out.Rows = slices.DeleteFunc(out.Rows, func(r SweepRow) bool { return r.Values == nil })
		out.Partial = fmt.Sprintf("%d of %d variants were simulated: %s", len(out.Rows), n, innermost(err))
	}
	out.conclude()
	return out, err
}

// focusOf is the consumer that a path belongs to, "" for none.
func focusOf(d *design.Design, path string) string {
	for _, s := range d.Scopes() {
		for _, st := range s.Streams {
			for _, c := range st.Consumers {
				if path == c.Path || strings.HasPrefix(path, c.Path+".") || strings.HasPrefix(path, c.Path+"[") {
					return workloadName(s, st.Name) + "/" + c.Name
				}
			}
		}
	}
	return ""
}

func (a *SweepAnswer) run(ctx context.Context, src *design.Source, d *design.Design, o SweepOptions) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	done, stopped := 0, false
	var wait sync.WaitGroup
	turn := make(chan struct{}, max(1, o.Parallel))
	for i := range a.Rows {
		turn <- struct{}{}
		if ctx.Err() != nil {
			<-turn
			break
		}
		wait.Go(func() {
			defer func() { <-turn }()
			row := a.variant(ctx, src, d, i, o)
			mu.Lock()
			defer mu.Unlock()
			if row.Error != "" && ctx.Err() != nil {
				return // it was simulated in part
			}
			a.Rows[i] = row
			done++
			if o.Progress != nil && !stopped && !o.Progress(float64(done)/float64(len(a.Rows))) {
				stopped = true
				cancel()
			}
		})
	}
	wait.Wait()
	if stopped {
		return fmt.Errorf("sweep: %w", ErrStopped)
	}
	return ctx.Err()
}

// values are those of row i: the first setting changes slowest.
func (a *SweepAnswer) values(i int) []string {
	out := make([]string, len(a.Settings))
	for k := len(a.Settings) - 1; k >= 0; k-- {
		v := a.Settings[k].Values
		out[k] = v[i%len(v)]
		i /= len(v)
	}
	return out
}

func (a *SweepAnswer) variant(ctx context.Context, src *design.Source, d *design.Design, i int, o SweepOptions) SweepRow {
	row := SweepRow{Values: a.values(i)}
	answer, err := func() (*Answer, error) {
		text, current := src, d
		for k, s := range a.Settings {
			fix := current.SetFix("", s.Path, row.Values[k])
			if fix == nil {
				return nil, fmt.Errorf("%s cannot be set", s.Path)
			}
			changed, err := design.ApplyEdits(text, fix.Edits)
			if err != nil {
				return nil, err
			}
			text = design.NewSource(src.Name, changed)
			var problems design.Problems
			if current, problems = design.ParseSource(text); problems.Failed() {
				return nil, errors.New(problems[0].Message)
			}
		}
		m, err := FromDesign(current, o.Design)
		if err != nil {
			return nil, err
		}
		return m.Simulate(ctx, SimulateOptions{Seed: o.Seed, Seeds: o.Seeds, Points: 200})
	}()
	if err != nil {
		row.Error = innermost(err).Error()
		return row
	}
	for _, g := range answer.Goals {
		if !g.reliable() && (a.Consumer == "" || g.Consumer == a.Consumer) {
			row.Missed = append(row.Missed, g.Name+" of "+g.Consumer)
		}
	}
	for _, r := range answer.Refused {
		row.Missed = append(row.Missed, r.Path+" is refused")
	}
	row.Met = len(row.Missed) == 0 && answer.Partial == ""
	for _, name := range sweepFigures {
		row.Figures = append(row.Figures, answer.worst(name, a.Consumer))
	}
	return row
}

// worst is a figure of one consumer, or the largest of all of them.
func (a *Answer) worst(name, consumer string) (out Figure) {
	for i := range a.Consumers {
		c := &a.Consumers[i]
		f, ok := c.Figure(name)
		if ok && (c.Name == consumer || consumer == "" && (out.Name == "" || f.Value > out.Value)) {
			out = f
		}
	}
	return out
}

// conclude finds the knee and the cheapest row.
func (a *SweepAnswer) conclude() {
	if a.Partial != "" && len(a.Rows) == 0 {
		a.Cheapest, a.Verdict = -1, "Not answered in full: "+a.Partial+"."
		return
	}
	goals := slices.ContainsFunc(a.Rows, func(r SweepRow) bool { return len(r.Missed) > 0 })
	a.Cheapest = slices.IndexFunc(a.Rows, func(r SweepRow) bool { return r.Met && r.Error == "" })
	if a.Partial == "" {
		a.Knee = a.knee()
	}
	latency := func(i int) string {
		f, _ := figure(a.Rows[i].Figures, "latency_p99")
		return f.Text
	}
	var parts []string
	if a.Knee >= 0 {
		parts = append(parts, fmt.Sprintf("the knee is at %s: latency p99 is %s there and %s at the end", a.text(a.Knee), latency(a.Knee), latency(len(a.Rows)-1)))
	}
	switch {
	case a.Partial != "" && a.Cheapest < 0:
		parts = append(parts, "none of them meets the goals")
	case a.Partial != "":
		parts = append(parts, "of them "+a.text(a.Cheapest)+" is the first that meets the goals")
	case a.Cheapest >= 0 && goals:
		parts = append(parts, "goals are met from "+a.text(a.Cheapest)+" on")
	case a.Cheapest < 0:
		parts = append(parts, "no variant meets the goals")
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("%s, no knee: latency p99 goes from %s to %s", size.Counted(len(a.Rows), "variant", "variants"), latency(0), latency(len(a.Rows)-1)))
	}
	a.Verdict = sentence(strings.Join(parts, "; "))
	if a.Partial != "" {
		a.Verdict = "Not answered in full: " + a.Partial + "; " + strings.Join(parts, "; ") + "."
	}
}

func (a *SweepAnswer) text(row int) string {
	var parts []string
	for k, s := range a.Settings {
		steps := design.Split(s.Path)
		parts = append(parts, steps[len(steps)-1]+" "+a.Rows[row].Values[k])
	}
	return strings.Join(parts, ", ")
}

// knee is the row of one setting whose latency p99 is farthest below the line
// from the first row to the last, on a scale of ratios; -1 where no row is much
// below it.
func (a *SweepAnswer) knee() int {
	const noteworthy = 0.2
	if len(a.Settings) != 1 || len(a.Rows) < 3 {
		return -1
	}
	y := make([]float64, len(a.Rows))
	for i, r := range a.Rows {
		f, ok := figure(r.Figures, "latency_p99")
		if !ok || f.Value <= 0 {
			return -1
		}
		y[i] = math.Log(f.Value)
	}
	first, last := y[0], y[len(y)-1]
	span := first - last
	if math.Abs(span) < math.Ln2/2 {
		return -1
	}
	best, at := noteworthy, -1
	for i := range y {
		x := float64(i) / float64(len(y)-1)
		if d := (first-y[i])/span - x; d > best {
			best, at = d, i
		}
	}
	return at
}
