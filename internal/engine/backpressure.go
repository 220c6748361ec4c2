package engine

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"weir/design"
	"weir/lint"
	"weir/sim"
	"weir/size"
)

var backpressureMethods = []method{
	on("backpressure.run", "Simulates a design, or estimates it at once, as charts with their tables.", backpressureRun),
	on("backpressure.lab", "Pull beside push under identical arrivals as charts, and when one failed message comes again.", backpressureLab),
}

// BackpressureRequest asks backpressure.run. Try are values by design path that
// stand in for what is written; Estimate asks for the coarse answer.
type BackpressureRequest struct {
	Files    []File            `json:"files"`
	Try      map[string]string `json:"try,omitempty"`
	Scenario string            `json:"scenario,omitempty"`
	For      string            `json:"for,omitempty"`
	Seed     int64             `json:"seed,omitempty"`
	Estimate bool              `json:"estimate,omitempty"`
}

// BackpressureReply is the answer of a run, or, where the design cannot be read,
// the findings that say why.
type BackpressureReply struct {
	Simulated
	// Unrun counts the goals of goals.survive, which are not run here: a run that
	// meets the others does not meet all.
	Unrun     int            `json:"unrun,omitempty"`
	Scenarios []string       `json:"scenarios"`
	Sliders   []SizeSlider   `json:"sliders"`
	Fixes     []design.Fix   `json:"fixes"`
	Findings  []lint.Finding `json:"findings"`
}

// Simulated is a run ready to be drawn.
type Simulated struct {
	Verdict string `json:"verdict"`
	// Met is false when a goal is missed or a finding warns.
	Met bool `json:"met"`
	// Estimate marks the coarse answer; Run says what was simulated, from which seed.
	Estimate bool       `json:"estimate"`
	Run      string     `json:"run"`
	Says     []Said     `json:"says"`
	Goals    SizedTable `json:"goals"`
	// Groups are consumers with their charts.
	Groups []SimulatedGroup `json:"groups"`
}

// Said is a sentence about a run with what to change.
type Said struct {
	Level  string `json:"level"`
	Text   string `json:"text"`
	Advice string `json:"advice"`
}

// SimulatedGroup is one consumer, or several that are drawn over each other.
type SimulatedGroup struct {
	Name    string     `json:"name"`
	Path    string     `json:"path"`
	Figures SizedTable `json:"figures"`
	Charts  []Chart    `json:"charts"`
}

// mostGroups is how many consumers a reply draws.
const mostGroups = 12

func backpressureRun(ctx context.Context, in BackpressureRequest, progress Progress) (BackpressureReply, error) {
	d, faults, err := oneDesign(in.Files, "files")
	if err != nil || len(faults) > 0 {
		return BackpressureReply{Findings: faults}, err
	}
	files, fixes, err := tryValues(d, in.Files, in.Try)
	if err != nil {
		return BackpressureReply{}, err
	}
	ask := SimulateRequest{Files: files, Scenario: in.Scenario, For: in.For, Seed: in.Seed, Points: 240}
	var r SimulateReply
	if in.Estimate {
		r, err = simulateEstimate(ctx, ask, progress)
	} else {
		r, err = simulateShowing(ctx, ask, progress, partials(ctx, func(a *sim.Answer) BackpressureReply {
			return BackpressureReply{Simulated: Simulated{Run: a.Verdict, Groups: consumerGroups(a)}}
		}))
	}
	if err != nil {
		return BackpressureReply{}, err
	}
	out := BackpressureReply{Simulated: simulatedOf(r.Answer), Scenarios: r.Scenarios, Fixes: fixes, Sliders: workSliders(d, r.Answer, in.Try)}
	if n := len(d.Goals.Survive); n > 0 {
		// A run of its own for each: weir simulate has them.
		out.Says = append(out.Says, Said{Level: "info", Text: "weir simulate runs each fault of goals.survive by itself."})
		out.Unrun = n
	}
	out.Groups = consumerGroups(r.Answer)
	return out, nil
}

// consumerGroups are the consumers of an answer, each by itself.
func consumerGroups(a *sim.Answer) (out []SimulatedGroup) {
	for i := range a.Consumers[:min(mostGroups, len(a.Consumers))] {
		out = append(out, groupOf(a, a.Consumers[i].Name, a.Consumers[i].Path, i))
	}
	return out
}

// runOf says what was simulated, or estimated.
func runOf(a *sim.Answer) string {
	if a.Estimate {
		return size.FormatSeconds(a.Seconds) + " estimated: a fluid model without redeliveries"
	}
	return fmt.Sprintf("%s simulated, seed %d", size.FormatSeconds(a.Seconds), a.Seed)
}

func simulatedOf(a *sim.Answer) Simulated {
	out := Simulated{Verdict: a.Verdict, Met: a.Met, Estimate: a.Estimate, Run: runOf(a)}
	if a.Partial != "" {
		out.Says = append(out.Says, Said{Level: "warning", Text: a.Partial})
	}
	for _, f := range a.Findings {
		out.Met = out.Met && f.Severity != "warning"
		if f.Text == a.Verdict { // said already: what is left is what to do
			f.Text, f.Advice = f.Advice, ""
		}
		if f.Text != "" {
			out.Says = append(out.Says, Said{f.Severity, f.Text, f.Advice})
		}
	}
	for _, m := range a.Marks {
		for _, r := range m.Recoveries {
			out.Says = append(out.Says, Said{Level: "info", Text: r.Text})
		}
	}
	for _, n := range a.Notes {
		out.Says = append(out.Says, Said{Level: "info", Text: n.Text})
	}
	out.Goals = SizedTable{Columns: numbers("Goal", "Of", "#Wanted", "#Got", "Margin")}
	for _, g := range a.Goals {
		row := SizedRow{Path: g.Path, Cells: []CalculatedCell{said(g.Name), said(g.Consumer), said(g.Wanted), said(g.Got), said(g.Text)}}
		switch {
		case g.Open != "":
			row.Cells[len(row.Cells)-1] = said(g.Open + ": " + g.Text)
		case !g.Met:
			row.Level = "warning"
		}
		out.Goals.Rows = append(out.Goals.Rows, row)
	}
	return out
}

// groupOf draws consumers of an answer over each other.
func groupOf(a *sim.Answer, name, path string, at ...int) SimulatedGroup {
	g := SimulatedGroup{Name: name, Path: path, Figures: SizedTable{Columns: numbers("Figure")}}
	for _, i := range at {
		g.Figures.Columns = append(g.Figures.Columns, SizedColumn{a.Consumers[i].Name, true})
	}
	for k, f := range a.Consumers[at[0]].Figures {
		row := SizedRow{Cells: []CalculatedCell{said(f.Title)}}
		for _, i := range at {
			text := ""
			if all := a.Consumers[i].Figures; k < len(all) && all[k].Name == f.Name {
				text = all[k].Text
			} else if other, ok := a.Consumers[i].Figure(f.Name); ok {
				text = other.Text
			}
			row.Cells = append(row.Cells, said(text))
		}
		g.Figures.Rows = append(g.Figures.Rows, row)
	}
	for _, l := range simulatedLines {
		g.Charts = append(g.Charts, l.chart(a, at))
	}
	return g
}

// simulatedLine is one chart of a run.
type simulatedLine struct {
	title string
	unit  size.Unit
	area  bool
	// share fixes the axis at 100 %.
	share bool
	lines []seriesOf
}

// seriesOf is a series of a consumer with what it is called, "" for the only one.
type seriesOf struct {
	name string
	of   func(sim.ConsumerSeries) []float64
}

var simulatedLines = []simulatedLine{
	{title: "Pending", unit: size.Messages, area: true, lines: []seriesOf{{"", func(s sim.ConsumerSeries) []float64 { return s.Pending }}}},
	{title: "Oldest pending", unit: size.Seconds, lines: []seriesOf{{"", func(s sim.ConsumerSeries) []float64 { return s.Oldest }}}},
	{title: "Latency, stored to acknowledged", unit: size.Seconds, lines: []seriesOf{
		{"mean", func(s sim.ConsumerSeries) []float64 { return s.LatencyMean }}, {"largest", func(s sim.ConsumerSeries) []float64 { return s.LatencyMax }}}},
	{title: "Redeliveries", unit: size.PerSecond, lines: []seriesOf{{"", func(s sim.ConsumerSeries) []float64 { return s.Redeliveries }}}},
	{title: "Workers busy", unit: size.Share, area: true, share: true, lines: []seriesOf{{"", func(s sim.ConsumerSeries) []float64 { return s.Utilisation }}}},
}

// chart draws a line of consumers. What an estimate leaves out, and a run that has
// just begun, has its place and no values.
func (l simulatedLine) chart(a *sim.Answer, at []int) Chart {
	c := Chart{Title: l.title, Head: []string{"at"}, Xs: []float64{}, Rows: [][]string{}}
	var most float64
	var empty []Series
	for _, i := range at {
		for _, line := range l.lines {
			s := Series{Name: line.name, Values: line.of(a.Consumers[i].Series), Area: l.area && len(at) == 1}
			if len(at) > 1 {
				s.Name = strings.TrimSpace(a.Consumers[i].Name + " " + line.name)
			}
			if s.Name == "" {
				s.Name = strings.ToLower(l.title)
			}
			if len(s.Values) == 0 {
				empty = append(empty, Series{Name: s.Name, Values: []float64{}})
				continue
			}
			most = max(most, slices.Max(s.Values))
			c.Series, c.Head = append(c.Series, s), append(c.Head, s.Name)
		}
	}
	if len(c.Series) == 0 {
		c.Series, c.Later = empty, "nothing simulated yet"
		if a.Estimate {
			c.Later = "not estimated: the simulation draws it"
		}
		return c
	}
	for k := range c.Series[0].Values {
		x := float64(k+1) * a.Step
		row := []string{size.FormatSeconds(x)}
		for _, s := range c.Series {
			text := ""
			if k < len(s.Values) {
				text = l.unit.Format(s.Values[k])
			}
			row = append(row, text)
		}
		c.Xs, c.Rows = append(c.Xs, x), append(c.Rows, row)
	}
	c.X, c.Y = axisOf(a.Seconds, size.Seconds), axisOf(most, l.unit)
	if l.share {
		c.Y = Axis{Max: 1, Ticks: []Tick{{0, "0"}, {0.5, "50 %"}, {1, "100 %"}}}
	}
	c.X.Max = math.Max(a.Seconds, 1)
	c.X.Ticks = slices.DeleteFunc(c.X.Ticks, func(t Tick) bool { return t.At > c.X.Max })
	for _, m := range a.Marks {
		mark := Mark{At: m.At, Text: m.Text}
		if m.For > 0 {
			mark.To = m.At + m.For
		}
		c.Faults = append(c.Faults, mark)
	}
	return c
}

// workSliders are the settings that move the consumers of a design.
func workSliders(d *design.Design, a *sim.Answer, tried map[string]string) []SizeSlider {
	r := sliderReader{d: d, tried: tried}
	for _, s := range a.Consumers {
		if s.Path == "" || len(r.out) > 40 {
			continue
		}
		name := s.Name[strings.LastIndexByte(s.Name, '/')+1:]
		r.add(s.Path+".workers.count", name+" workers.count", stopsOf(wholeNumber, wholes(1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 64)), wholeNumber)
		r.add(s.Path+".workers.concurrency", name+" workers.concurrency", stopsOf(wholeNumber, wholes(1, 2, 4, 8, 16, 32, 64, 128, 256)), wholeNumber)
		r.add(s.Path+".workers.fetch", name+" workers.fetch", stopsOf(wholeNumber, wholes(1, 5, 10, 20, 50, 100, 200, 500)), wholeNumber)
		r.add(s.Path+".ack_wait", name+" ack_wait", durations("1s", "5s", "10s", "30s", "1m", "2m", "5m", "15m"), duration)
		r.add(s.Path+".max_ack_pending", name+" max_ack_pending", stopsOf(wholeNumber, wholes(1, 10, 50, 100, 256, 500, 1000, 2000, 5000, 20000)), wholeNumber)
	}
	for _, p := range a.Publishers {
		path := "publishers." + p.Name + ".rate"
		r.add(path, "rate of "+p.Name, rateStops(d, path), design.ParseRate)
	}
	return r.out
}

func wholes(list ...int) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = fmt.Sprint(n)
	}
	return out
}

func wholeNumber(s string) (float64, error) {
	var n float64
	if _, err := fmt.Sscan(s, &n); err != nil || n != math.Trunc(n) {
		return 0, fmt.Errorf("%q is not a whole number", s)
	}
	return n, nil
}
