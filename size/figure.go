package size

import (
	"math"
	"strings"
)

// Limit is the largest value a figure can hold: the largest 64-bit signed
// integer, which is also the largest size that nats-server can write. A figure
// that would be larger stands at Limit and is marked Saturated.
const Limit = float64(math.MaxInt64)

// Basis says where a figure's value comes from.
type Basis string

// What a figure can rest on, from firm to weak.
const (
	// Given: the caller wrote it.
	Given Basis = "given"
	// Arithmetic: it follows from its terms by arithmetic alone.
	Arithmetic Basis = "arithmetic"
	// ReadInSource: nats-server or Go computes it this way; not compared with a
	// running server at this value.
	ReadInSource Basis = "source"
	// Measured: the coefficient was measured on a running server.
	Measured Basis = "measured"
	// Assumed: nobody measured it; replace it with your own figure.
	Assumed Basis = "assumed"
)

// Figure is one number with its working: what it is, how it was computed, from
// which terms, and how far it may be wrong. Figures form a tree; leaves are
// inputs and coefficients.
type Figure struct {
	// Name says what is counted, in NATS's words.
	Name string `json:"name"`
	// Value is in Unit; never NaN, never infinite, never above Limit.
	Value float64 `json:"value"`
	Unit  Unit    `json:"unit"`
	// Low and High bound the value. Both equal Value when the figure is exact.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Formula is the working in words of the terms; empty for leaves.
	Formula string `json:"formula,omitempty"`
	// Source names the server file and version, or the measurement.
	Source string `json:"source,omitempty"`
	Basis  Basis  `json:"basis"`
	// Note is what a reader must know besides: what was left out, what to do.
	Note string `json:"note,omitempty"`
	// Saturated is set when the true value is beyond Limit.
	Saturated bool     `json:"saturated,omitempty"`
	Terms     []Figure `json:"terms,omitempty"`
}

// Measured reports whether f rests on nothing weaker than measurements, exact
// source and given values: no leaf is assumed or only read in source.
func (f Figure) Measured() bool {
	if len(f.Terms) == 0 {
		return f.Basis == Measured || f.Basis == Given || f.Basis == Arithmetic
	}
	if f.Basis == Assumed || f.Basis == ReadInSource {
		return false
	}
	for _, t := range f.Terms {
		if !t.Measured() {
			return false
		}
	}
	return true
}

// Exact reports whether the figure has no error band.
func (f Figure) Exact() bool { return f.Low == f.Value && f.High == f.Value }

// Int returns the value as a whole number, rounded to nearest.
func (f Figure) Int() int64 {
	if f.Value >= Limit {
		return math.MaxInt64
	}
	return int64(math.Round(f.Value))
}

// String is the value in its unit, with the band where there is one.
func (f Figure) String() string {
	s := f.Unit.Format(f.Value)
	if f.Saturated {
		return "more than " + s
	}
	if !f.Exact() {
		s += " (" + f.Unit.Format(f.Low) + " to " + f.Unit.Format(f.High) + ")"
	}
	return s
}

// Amount is the value in its unit, without the band.
func (f Figure) Amount() string {
	if f.Saturated {
		return "more than " + f.Unit.Format(f.Value)
	}
	return f.Unit.Format(f.Value)
}

// Band is "4 GiB to 4.6 GiB", and "" where low and high read the same.
func (f Figure) Band() string {
	low, high := f.Unit.Format(f.Low), f.Unit.Format(f.High)
	if f.Saturated || low == high {
		return ""
	}
	return low + " to " + high
}

// Ranged is Amount with Band behind it, where there is one to be read.
func (f Figure) Ranged() string {
	if b := f.Band(); b != "" {
		return f.Amount() + " (" + b + ")"
	}
	return f.Amount()
}

// Term returns the first figure named name in the tree under f, f included.
func (f Figure) Term(name string) (Figure, bool) {
	if f.Name == name {
		return f, true
	}
	for _, t := range f.Terms {
		if g, ok := t.Term(name); ok {
			return g, true
		}
	}
	return Figure{}, false
}

// Prune returns f with the terms of at most depth levels below it: what a view
// shows before somebody opens a figure. 0 leaves none.
func (f Figure) Prune(depth int) Figure {
	if depth <= 0 {
		f.Terms = nil
		return f
	}
	terms := make([]Figure, len(f.Terms))
	for i, t := range f.Terms {
		terms[i] = t.Prune(depth - 1)
	}
	f.Terms = terms
	return f
}

// as returns f under another name.
func (f Figure) as(name string) Figure {
	f.Name = name
	return f
}

// noting returns f with a note.
func (f Figure) noting(note string) Figure {
	f.Note = note
	return f
}

// from returns f with its source and basis.
func (f Figure) from(b Basis, source string) Figure {
	f.Basis, f.Source = b, source
	return f
}

// between returns f with the band low to high, at least around its value.
func (f Figure) between(low, high float64) Figure {
	f.Low, _ = bounded(min(low, f.Value))
	f.High, _ = bounded(max(high, f.Value))
	return f
}

// given is an input.
func given(name string, v float64, u Unit) Figure {
	return computed(name, v, u, "").from(Given, "")
}

// coefficient is a number of the server's with its source.
func coefficient(name string, v float64, u Unit, b Basis, source string) Figure {
	return computed(name, v, u, "").from(b, source)
}

// computed is a figure whose value was worked out by the caller. Its band is
// its value: set another with between.
func computed(name string, v float64, u Unit, formula string, terms ...Figure) Figure {
	v, sat := bounded(v)
	for _, t := range terms {
		sat = sat || t.Saturated
	}
	return Figure{Name: name, Value: v, Low: v, High: v, Unit: u, Formula: formula, Basis: Arithmetic, Saturated: sat, Terms: terms}
}

// longestFormula is the most terms that a formula names one by one.
const longestFormula = 8

// inWords joins the names of terms by an operator.
func inWords(terms []Figure, operator, many string) string {
	if len(terms) > longestFormula {
		return many + " of " + FormatCount(float64(len(terms))) + " terms"
	}
	names := make([]string, len(terms))
	for i, t := range terms {
		names[i] = t.Name
	}
	return strings.Join(names, operator)
}

// Sum adds figures of one unit, and their bands. It has the unit of the first.
func Sum(name string, figures ...Figure) Figure {
	if len(figures) == 0 {
		return Figure{Name: name, Unit: Count, Basis: Arithmetic}
	}
	return sum(name, figures[0].Unit, figures...)
}

// sum adds its terms, and their bands.
func sum(name string, u Unit, terms ...Figure) Figure {
	var v, low, high float64
	for _, t := range terms {
		v, low, high = v+t.Value, low+t.Low, high+t.High
	}
	return computed(name, v, u, inWords(terms, " + ", "sum"), terms...).between(low, high)
}

// product multiplies its terms, and their bands: all terms are non-negative.
func product(name string, u Unit, terms ...Figure) Figure {
	v, low, high := 1.0, 1.0, 1.0
	for _, t := range terms {
		v, low, high = v*t.Value, low*t.Low, high*t.High
	}
	return computed(name, v, u, inWords(terms, " × ", "product"), terms...).between(low, high)
}

// bounded keeps v a number that can be shown: infinite and too large values
// stand at Limit, which the second result reports. 0 × infinity is nothing.
func bounded(v float64) (float64, bool) {
	switch {
	case math.IsNaN(v):
		return 0, false
	case v > Limit:
		return Limit, true
	case v < -Limit:
		return -Limit, true
	}
	return v, false
}
