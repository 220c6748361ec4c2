package report

import (
	"math"
	"strconv"
	"strings"
)

// The size of a chart and of its margins, in px of its own.
const (
	chartWidth, chartHeight                              = 720.0, 180.0
	chartLeft, chartRight, chartTop, chartBottom float64 = 84, 12, 18, 22
	mostSeries                                           = 5 // that are told apart
)

// chart draws lines. What it shows stands in the table beside it: to a reader of
// the text it is one picture with its title.
func (w *writer) chart(c *Chart) {
	x := func(v float64) string { return at(chartLeft + share(v, c.X.Max)*(chartWidth-chartLeft-chartRight)) }
	y := func(v float64) string {
		return at(chartHeight - chartBottom - share(v, c.Y.Max)*(chartHeight-chartTop-chartBottom))
	}
	w.add(`<svg class="chart" viewBox="0 0 `, at(chartWidth), " ", at(chartHeight), `" role="img" aria-label="`, text(c.Title), `">`, "\n")
	w.add(`<text class="t" x="0" y="11">`, text(c.Title), "</text>\n")
	for _, m := range c.Marks {
		to := max(m.To, m.From)
		w.add(`<rect class="mark" x="`, x(m.From), `" y="`, at(chartTop), `" width="`, at(max(1.5, (share(to, c.X.Max)-share(m.From, c.X.Max))*(chartWidth-chartLeft-chartRight))),
			`" height="`, at(chartHeight-chartTop-chartBottom), `"><title>`, text(m.Text), "</title></rect>\n")
	}
	for _, t := range c.Y.Ticks {
		w.add(`<line class="grid" x1="`, at(chartLeft), `" x2="`, at(chartWidth-chartRight), `" y1="`, y(t.At), `" y2="`, y(t.At), `"/><text class="ax" x="`, at(chartLeft-6), `" y="`, y(t.At), `" dy="4" text-anchor="end">`, text(t.Text), "</text>\n")
	}
	for i, t := range c.X.Ticks {
		anchor := "middle"
		if i == len(c.X.Ticks)-1 {
			anchor = "end"
		}
		w.add(`<text class="ax" x="`, x(t.At), `" y="`, at(chartHeight-6), `" text-anchor="`, anchor, `">`, text(t.Text), "</text>\n")
	}
	for i, s := range c.Series {
		var points []string
		for k := range min(len(c.Xs), len(s.Values)) {
			points = append(points, x(c.Xs[k])+","+y(s.Values[k]))
		}
		w.add(`<polyline class="s s`, strconv.Itoa(i%mostSeries+1), `" points="`, strings.Join(points, " "), `"/>`, "\n")
	}
	w.add("</svg>\n")
	if len(c.Series) > 1 {
		w.add(`<p class="legend">`)
		for i, s := range c.Series {
			w.add(`<span><i class="k`, strconv.Itoa(i%mostSeries+1), `"></i>`, text(s.Name), "</span> ")
		}
		w.add("</p>\n")
	}
}

// share is a value's part of the axis, within it.
func share(v, most float64) float64 {
	if most <= 0 || math.IsNaN(v) {
		return 0
	}
	return min(max(v/most, 0), 1)
}

func at(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }
