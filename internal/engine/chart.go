package engine

import (
	"math"

	"weir/internal/calculator"
	"weir/size"
)

// Tick is a place on an axis with its text.
type Tick struct {
	At   float64 `json:"at"`
	Text string  `json:"text"`
}

// Axis is an axis from zero to Max.
type Axis struct {
	Max   float64 `json:"max"`
	Ticks []Tick  `json:"ticks"`
	// Log says that values are drawn by their logarithm.
	Log bool `json:"log,omitempty"`
}

// Series is one line of a chart: a value for each of Chart.Xs.
type Series struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
	// Low and High are a band around it, empty for none.
	Low  []float64 `json:"low,omitempty"`
	High []float64 `json:"high,omitempty"`
	Area bool      `json:"area,omitempty"`
	// Dots says that the values were measured: they are not joined.
	Dots bool `json:"dots,omitempty"`
}

// Mark is a line with its name: a limit or goal across, a fault down. To makes a
// stretch of it.
type Mark struct {
	At   float64 `json:"at"`
	To   float64 `json:"to,omitempty"`
	Text string  `json:"text"`
}

// Chart is what a page draws, with the table behind it: a row for each of Xs.
type Chart struct {
	Title  string     `json:"title"`
	X      Axis       `json:"x"`
	Y      Axis       `json:"y"`
	Xs     []float64  `json:"xs"`
	Series []Series   `json:"series"`
	Limits []Mark     `json:"limits"`
	Faults []Mark     `json:"faults"`
	Head   []string   `json:"head"`
	Rows   [][]string `json:"rows"`
	// Later says why there are no values yet, "" where there are: the place of the
	// chart is kept for them.
	Later string `json:"later,omitempty"`
}

// Bar is a bar of parts, with the limits that it is held to.
type Bar struct {
	Name   string    `json:"name"`
	About  string    `json:"about"`
	Total  Figure    `json:"total"`
	Parts  []BarPart `json:"parts"`
	Axis   Axis      `json:"axis"`
	Limits []Mark    `json:"limits"`
	// Marks are values to compare with, which nothing has to keep below.
	Marks []Mark `json:"marks,omitempty"`
}

// BarPart is one part; hatched ones may come besides and are not in the total.
type BarPart struct {
	Name    string `json:"name"`
	Figure  Figure `json:"figure"`
	Hatched bool   `json:"hatched,omitempty"`
}

// barOf draws a bar of a calculator.
func barOf(b calculator.Bar, depth int) Bar {
	out := Bar{Name: b.Name, About: b.About, Total: figureOf(b.Total, depth)}
	most := 0.0
	for _, p := range b.Parts {
		out.Parts = append(out.Parts, BarPart{Name: p.Name, Figure: figureOf(p.Figure, depth), Hatched: p.Beside})
		most += p.Figure.Value
	}
	out.Limits, most = marksOf(b.Limits, most)
	out.Marks, most = marksOf(b.Marks, most)
	out.Axis = axisOf(most, b.Total.Unit)
	return out
}

// marksOf names figures on an axis that reaches to most; a figure of no value has
// no place there. The axis has to reach to the second result.
func marksOf(figures []size.Figure, most float64) (out []Mark, upTo float64) {
	for _, f := range figures {
		if f.Value > 0 && f.Value < size.Limit {
			out = append(out, Mark{At: f.Value, Text: f.Amount() + " " + f.Name})
			most = max(most, f.Value)
		}
	}
	return out, most
}

// mostTicks is how many ticks an axis has at most, zero included.
const mostTicks = 6

// axisOf is an axis from zero to a little more than most, with round numbers in the
// unit that most is printed in.
func axisOf(most float64, unit size.Unit) Axis {
	if most <= 0 || math.IsNaN(most) || math.IsInf(most, 0) {
		most = 1
	}
	step := roundStep(most, unit)
	a := Axis{}
	for i := 0; ; i++ {
		at := step * float64(i)
		text := unit.Format(at)
		last := at >= most || i > mostTicks
		switch {
		case at == 0:
			text = "0"
		case !last && (unit == size.Messages || unit == size.PerSecond):
			text = size.FormatCount(at) // the unit stands on the top tick
		}
		a.Ticks = append(a.Ticks, Tick{at, text})
		if a.Max = at; last {
			return a
		}
	}
}

// AxisOf is an axis from zero to a little more than most, for charts that are made
// ahead.
func AxisOf(most float64, unit size.Unit) Axis { return axisOf(most, unit) }

// roundStep is a round step in the unit that most is printed in, mostTicks-1 of
// which reach it.
func roundStep(most float64, unit size.Unit) float64 {
	v := most / (mostTicks - 1)
	switch unit {
	case size.Messages:
		return max(1, roundUp(v)) // there is no half of one
	case size.Bytes, size.BytesPerSecond:
		in := 1.0
		for in*1024 <= most && in < 1<<60 {
			in *= 1024
		}
		for _, part := range []float64{0.125, 0.25, 0.5} {
			if v <= part*in && v > in/10 {
				return part * in
			}
		}
		return in * roundUp(v/in)
	case size.Seconds:
		for _, s := range []float64{1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 2 * 3600, 3 * 3600, 6 * 3600, 12 * 3600, 86400, 2 * 86400, 7 * 86400, 30 * 86400, 90 * 86400} {
			if v >= 1 && s >= v {
				return s
			}
		}
	}
	return roundUp(v)
}

// roundUp is the next of 1, 2, 5, 10 … from v on.
func roundUp(v float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, n := range []float64{1, 2, 5, 10} {
		if n*power >= v*(1-1e-9) {
			return n * power
		}
	}
	return 10 * power
}
