package showdown

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"weir/design"
	"weir/sim"
	"weir/size"
)

// Options of Compare. The zero value will do.
type Options struct {
	Seed uint64
	// Progress is called with the share that is done; false ends the run.
	Progress func(done float64) bool
}

// Comparison is one workload on all sides of a showdown: that of the showdown's own
// designs, or the caller's. Everything in it is computed; nothing ran on a server.
type Comparison struct {
	Showdown string `json:"showdown"`
	// Design names the caller's design, "" for the showdown's own.
	Design  string   `json:"design,omitempty"`
	Verdict string   `json:"verdict"`
	Sides   []string `json:"sides"`
	// Rows have a cell for each side.
	Rows   []Row    `json:"rows"`
	Tables []Table  `json:"tables"`
	Strip  *Strip   `json:"strip,omitempty"`
	Chart  *Chart   `json:"chart,omitempty"`
	Notes  []string `json:"notes"`
}

// Row is one figure on each side.
type Row struct {
	What  string `json:"what"`
	Cells []Cell `json:"cells"`
}

// Cell is a figure with its working, or words where there is none.
type Cell struct {
	Text   string       `json:"text"`
	Figure *size.Figure `json:"figure,omitempty"`
}

// Table is a table of its own of a showdown. Num marks columns of numbers, Level of
// a row is "", warning or error.
type Table struct {
	Title string     `json:"title"`
	About string     `json:"about"`
	Head  []string   `json:"head"`
	Num   []bool     `json:"num"`
	Rows  []TableRow `json:"rows"`
}

// TableRow is a row; Proof names the proof that shows it, "" for none.
type TableRow struct {
	Side  string `json:"side,omitempty"`
	Cells []Cell `json:"cells"`
	Level string `json:"level,omitempty"`
	Proof string `json:"proof,omitempty"`
}

// Chart is one value over time for each side: value i is at (i+1) Step seconds.
type Chart struct {
	Title string    `json:"title"`
	Unit  size.Unit `json:"unit"`
	Step  float64   `json:"step"`
	Lines []Line    `json:"lines"`
	// Outage is what all readers went through, from At for For seconds.
	Outage string  `json:"outage"`
	At     float64 `json:"at"`
	For    float64 `json:"for"`
}

// Strip is an axis of bytes in flight to one reader that stands still, by their
// logarithm, with what the server does in each stretch of it.
type Strip struct {
	Title string `json:"title"`
	// Zones join each other from Low of the first to High of the last, in bytes.
	Zones  []Zone  `json:"zones"`
	Points []Point `json:"points"`
	// Ticks are points of the axis, without a side.
	Ticks []Point `json:"ticks"`
}

// Zone is a stretch of a Strip; Level is "", warning or error.
type Zone struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Text  string  `json:"text"`
	Level string  `json:"level"`
}

// Point is a consumer on a Strip.
type Point struct {
	Side   string  `json:"side"`
	Text   string  `json:"text"`
	Bytes  float64 `json:"bytes"`
	Closed bool    `json:"closed"`
}

// Line is one side of a chart.
type Line struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// code is what a showdown computes beyond its text. run makes the comparison's
// rows of the sides' designs; sides makes those of a caller's design.
type code struct {
	sides func(d *design.Design) ([]*design.Design, error)
	add   func(*Showdown, *Comparison, []*sided) error
}

// codes are the computing parts, by the name of their showdown.
var codes = map[string]code{
	"core-jetstream": {coreSides, addCore},
	"retention":      {retentionSides, addRetention},
	"pull-push":      {pullPushSides, addPullPush},
	"nats-kafka":     {kafkaSides, addKafka},
}

// sided is one side's design, sized and simulated; design is nil on a side that is
// not NATS, answer where nothing was simulated.
type sided struct {
	name   string
	design *design.Design
	size   size.DesignSize
	model  *sim.Model
	answer *sim.Answer
}

// Compare puts a workload through all sides: d, or the showdown's own designs where
// it is nil. Sides are simulated under the same arrivals and the same outage of all
// readers: each publisher draws from the same random numbers on every side. d is
// changed; parse it anew for another use. It is an error when d has nothing to
// compare.
func (s *Showdown) Compare(ctx context.Context, d *design.Design, o Options) (*Comparison, error) {
	c := &Comparison{Showdown: s.Name, Verdict: s.Verdict}
	designs, err := s.designs(d)
	if err != nil {
		return nil, fmt.Errorf("compare %s: %w", s.Name, err)
	}
	if d != nil {
		c.Design = d.Name
		if c.Design == "" {
			c.Design = "your design"
		}
	}
	sides := make([]*sided, len(designs))
	for i, one := range designs {
		part := Options{Seed: o.Seed}
		if o.Progress != nil {
			part.Progress = func(done float64) bool { return o.Progress((float64(i) + done) / float64(len(designs))) }
		}
		c.Sides = append(c.Sides, s.Sides[i].Name)
		if sides[i], err = s.side(ctx, s.Sides[i].Name, one, part, c); err != nil {
			return nil, fmt.Errorf("compare %s: %s: %w", s.Name, s.Sides[i].Name, err)
		}
	}
	if err := codes[s.Name].add(s, c, sides); err != nil {
		return nil, fmt.Errorf("compare %s: %w", s.Name, err)
	}
	return c, nil
}

// designs are those of the sides, nil for one that is not NATS.
func (s *Showdown) designs(d *design.Design) ([]*design.Design, error) {
	if d != nil {
		return codes[s.Name].sides(d)
	}
	out := make([]*design.Design, len(s.Sides))
	for i, side := range s.Sides {
		if side.Design == "" {
			continue
		}
		one, problems := design.Parse(s.Name+".yaml", []byte(side.Design))
		if problems.Failed() {
			return nil, errors.New(problems[0].Message)
		}
		out[i] = one
	}
	return out, nil
}

// mostMessages bounds the simulation of one side: it is meant to take a second or
// two in a browser.
const mostMessages = 3_000_000

func (s *Showdown) side(ctx context.Context, name string, d *design.Design, o Options, c *Comparison) (*sided, error) {
	out := &sided{name: name, design: d}
	if d == nil {
		return out, nil
	}
	var err error
	if out.size, err = size.FromDesign(d, size.DesignOptions{}); err != nil {
		return nil, err
	}
	if s.length == 0 || !hasStreams(d) {
		return out, nil
	}
	if out.model, err = sim.FromDesign(d, sim.DesignOptions{For: s.length}); err != nil {
		return nil, err
	}
	s.outage.addTo(out.model)
	out.answer, err = out.model.Simulate(ctx, sim.SimulateOptions{Seed: o.Seed, Points: 180, Progress: o.Progress, MaxMessages: mostMessages})
	var tooMuch *sim.TooMuchError
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && out.answer == nil, err != nil && !errors.As(err, &tooMuch):
		return nil, err
	case out.answer.Partial != "":
		c.note("%s: %s", name, out.answer.Partial)
	}
	return out, nil
}

// note adds a sentence once.
func (c *Comparison) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, n := range c.Notes {
		if n == text {
			return
		}
	}
	c.Notes = append(c.Notes, text)
}

func hasStreams(d *design.Design) bool {
	for _, scope := range d.Scopes() {
		if len(scope.Streams) > 0 {
			return true
		}
	}
	return false
}

// addTo makes all workers of a model go through the outage.
func (o outage) addTo(m *sim.Model) {
	kind := sim.FaultCrash
	if o.kind == "freeze" {
		kind = sim.FaultFreeze
	}
	for _, g := range m.Workers {
		m.Faults = append(m.Faults, sim.Fault{At: o.at, For: o.how, Kind: kind, Workers: g.Name, Worker: -1})
	}
	m.Marks = append(m.Marks, sim.Mark{At: o.at, For: o.how, Text: o.String()})
}

// String is the outage in words.
func (o outage) String() string {
	if o.kind == "freeze" {
		return "all readers frozen"
	}
	return "all readers away"
}

// row adds a row with a figure of each side.
func (c *Comparison) row(what string, figures ...size.Figure) {
	r := Row{What: what}
	for _, f := range figures {
		r.Cells = append(r.Cells, cellOf(f))
	}
	c.Rows = append(c.Rows, r)
}

// cutShort is the note of a figure that would be larger in a longer run.
const cutShort = "at least: the run ends before it is over"

func cellOf(f size.Figure) Cell {
	text := f.Amount()
	if f.Note == cutShort {
		text = "at least " + text
	}
	return Cell{Text: text, Figure: &f}
}

func words(texts ...string) []Cell {
	out := make([]Cell, len(texts))
	for i, t := range texts {
		out[i] = Cell{Text: t}
	}
	return out
}

// each makes a figure for every side.
func each(sides []*sided, f func(*sided) size.Figure) []size.Figure {
	out := make([]size.Figure, len(sides))
	for i, s := range sides {
		out[i] = f(s)
	}
	return out
}

// disk is what all servers of all sites store.
func (s *sided) disk() size.Figure {
	return s.ofSites("disk of all servers", size.Bytes, func(z size.SiteSize) size.Figure { return z.Disk })
}

func (s *sided) ofSites(name string, unit size.Unit, of func(size.SiteSize) size.Figure) size.Figure {
	var parts []size.Figure
	for _, z := range s.size.Sites {
		parts = append(parts, of(z))
	}
	if len(parts) == 0 {
		return exact(name, 0, unit, "nothing is stored")
	}
	f := size.Sum(name, parts...)
	f.Unit = unit
	return f
}

// exact is a figure that follows from what note says.
func exact(name string, v float64, unit size.Unit, note string) size.Figure {
	return size.Figure{Name: name, Value: v, Low: v, High: v, Unit: unit, Basis: size.Arithmetic, Note: note}
}

// given is an input.
func given(name string, v float64, unit size.Unit) size.Figure {
	return size.Figure{Name: name, Value: v, Low: v, High: v, Unit: unit, Basis: size.Given}
}

// published is a coefficient that somebody publishes.
func published(name string, v float64, unit size.Unit, source string) size.Figure {
	return size.Figure{Name: name, Value: v, Low: v, High: v, Unit: unit, Basis: size.Assumed, Source: source}
}

// worked is a figure computed from terms.
func worked(name string, v float64, unit size.Unit, formula string, terms ...size.Figure) size.Figure {
	return size.Figure{Name: name, Value: min(v, size.Limit), Low: min(v, size.Limit), High: min(v, size.Limit), Unit: unit, Basis: size.Arithmetic,
		Formula: formula, Terms: terms, Saturated: v > size.Limit}
}

// times multiplies its terms and their bands.
func times(name string, unit size.Unit, terms ...size.Figure) size.Figure {
	v, low, high := 1.0, 1.0, 1.0
	names := make([]string, len(terms))
	for i, t := range terms {
		v, low, high, names[i] = v*t.Value, low*t.Low, high*t.High, t.Name
	}
	f := worked(name, v, unit, strings.Join(names, " × "), terms...)
	f.Low, f.High = min(low, size.Limit), min(high, size.Limit)
	return f
}

// simulated is a figure of a side's run: the largest of its consumers, or their sum.
func (s *sided) simulated(figure string, sum bool) size.Figure {
	out := size.Figure{Name: figure, Unit: size.Count, Basis: size.Arithmetic}
	if s.answer == nil {
		return out
	}
	for i := range s.answer.Consumers {
		f, ok := s.answer.Consumers[i].Figure(figure)
		if !ok {
			continue
		}
		out.Name, out.Unit = f.Title, f.Unit
		if sum {
			out.Value += f.Value
		} else {
			out.Value = max(out.Value, f.Value)
		}
		if f.AtLeast {
			out.Note = cutShort
		}
	}
	out.Low, out.High = out.Value, out.Value
	out.Source = fmt.Sprintf("simulated, %s, seed %d", size.FormatSeconds(s.answer.Seconds), s.answer.Seed)
	return out
}

// simulatedRows adds what the run of each side says.
func (c *Comparison) simulatedRows(sides []*sided) {
	for _, one := range []struct {
		what, figure string
		sum          bool
	}{
		{"pending at most", "pending", false},
		{"level again after the outage", "drain", false},
		{"latency p50, stored to acked", "latency_p50", false},
		{"latency p99, stored to acked", "latency_p99", false},
		{"redeliveries", "redelivered", true},
		{"connections closed as slow consumer", "slow_consumers", true},
		{"lost unread", "lost_messages", true},
	} {
		c.row(one.what, each(sides, func(s *sided) size.Figure { return s.simulated(one.figure, one.sum) })...)
	}
}

// pendingLine is what is pending at all consumers over time.
func (s *sided) pendingLine() Line {
	return s.line(func(c *sim.ConsumerSeries) []float64 { return c.Pending })
}

func (s *sided) line(of func(*sim.ConsumerSeries) []float64) Line {
	out := Line{Name: s.name}
	for i := range s.answer.Consumers {
		out.Values = plus(out.Values, of(&s.answer.Consumers[i].Series))
	}
	return out
}

// plus adds b to a, value by value.
func plus(a, b []float64) []float64 {
	if a == nil {
		return append([]float64{}, b...)
	}
	for i := range min(len(a), len(b)) {
		a[i] += b[i]
	}
	return a
}

// draw adds the chart of sides that were simulated.
func (c *Comparison) draw(s *Showdown, answer *sim.Answer, lines ...Line) {
	c.Chart = &Chart{Title: s.chart, Unit: size.Messages, Step: answer.Step, Lines: lines, Outage: s.outage.String(), At: s.outage.at.Seconds(), For: s.outage.how.Seconds()}
}
