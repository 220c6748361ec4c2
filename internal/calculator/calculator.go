// Package calculator answers questions of size without a design: the calculators
// of weir size and of the studio's labs. Each has fields, which are flags in one
// place and inputs of a form in the other, and an answer whose figures carry their
// working.
//
// It is pure, as package size is, which it asks.
package calculator

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"weir/internal/shell"
	"weir/size"
)

// Calculator is one question with its fields.
type Calculator struct {
	// Name is the word behind weir size, and of the lab.
	Name string
	// About is the question in a line.
	About string
	// Note is said beside the answer in the lab, "" for nothing.
	Note   string
	Fields []Field
	// Example are values by field name that a lab opens with.
	Example map[string]string
	// Answer computes. It fails with a Refusal where the input has no size.
	Answer func(*Input) (Answer, error)
}

// Value is one field of an Input, read from text. It is what a command line flag
// must be.
type Value interface {
	Set(string) error
	String() string
	Type() string
}

// Field is one input of a calculator.
type Field struct {
	// Name is written like a flag: max-bytes.
	Name string
	// Usage says what it is, with the default where there is one.
	Usage string
	// Choices are the words allowed, the default first; nil for a number or text.
	Choices []string
	// Suggest are words that may be written beside numbers.
	Suggest []string
	at      func(*Input) Value
}

// Of is the field's place in an input.
func (f Field) Of(in *Input) Value { return f.at(in) }

// Unit says how the field is written: size, duration, rate, count, bytes, word…
func (f Field) Unit() string { return f.at(&Input{}).Type() }

// Answer is what a calculator says.
type Answer struct {
	// Says is the answer in one sentence; Yes is false when what was asked for
	// cannot be placed or does not fit.
	Says string
	Yes  bool
	// Rows are the figures, Tables what has more than one column of them.
	Rows   []Row
	Tables []Table
	// Bars are what a page draws.
	Bars []Bar
	// Notes are what must be known besides.
	Notes []string
	// Explained are the figures whose working holds that of all others, and
	// ExplainedOf what they are of, "" where that is clear.
	Explained   []size.Figure
	ExplainedOf string
	// Values is the answer for machines: a struct with JSON names, with the working
	// of its figures or without.
	Values func(working bool) any
}

// Row is one figure of an answer.
type Row struct {
	Name   string
	Figure size.Figure
	// Note says where it counts, or what binds.
	Note string
	// Text is how the value is written, "" in its unit.
	Text string
}

// Amount is the row's value without its range.
func (r Row) Amount() string {
	if r.Text != "" {
		return r.Text
	}
	return r.Figure.Amount()
}

// Bar is a figure with its parts, and what it is held to.
type Bar struct {
	Name, About string
	Total       size.Figure
	Parts       []Part
	// Limits are named figures; one of no value is left out.
	Limits []size.Figure
	// Marks are named figures to compare with, which nothing has to keep below.
	Marks []size.Figure
}

// Part is one part of a bar; Beside marks what may come besides the total.
type Part struct {
	Name   string
	Figure size.Figure
	Beside bool
}

// partsOf are the terms that a sum is made of, the largest first and the rest
// together; the figure itself where it is no sum of terms of its unit.
func partsOf(f size.Figure) []Part {
	const most = 4
	terms, total := []size.Figure{}, 0.0
	for _, t := range f.Terms {
		if t.Unit == f.Unit && t.Value > 0 {
			terms = append(terms, t)
			total += t.Value
		}
	}
	if len(terms) == 0 || math.Abs(total-f.Value) > f.Value*1e-6 {
		return []Part{{Name: f.Name, Figure: f}}
	}
	slices.SortStableFunc(terms, func(a, b size.Figure) int { return cmp.Compare(b.Value, a.Value) })
	var out []Part
	for i, t := range terms {
		if i == most && len(terms) > most+1 {
			out = append(out, Part{Name: "the rest", Figure: size.Sum("the rest", terms[i:]...)})
			break
		}
		out = append(out, Part{Name: t.Name, Figure: t})
	}
	return out
}

// Working is Explained, or the figures of all rows that have terms.
func (a Answer) Working() []size.Figure {
	if a.Explained != nil {
		return a.Explained
	}
	var out []size.Figure
	for _, r := range a.Rows {
		if len(r.Figure.Terms) > 0 {
			out = append(out, r.Figure)
		}
	}
	return out
}

// Table is a table of an answer.
type Table struct {
	// Title is a line above it, "" for none.
	Title string
	// Columns are the heads; nil for a table without.
	Columns []string
	Rows    [][]Cell
}

// Cell is one text of a table, and the figure that it shows, if any.
type Cell struct {
	Text   string
	Figure *size.Figure
	Tone   Tone
}

// Tone is how a text of a table is meant.
type Tone string

// The tones: Plain is the zero value.
const (
	Plain Tone = ""
	Quiet Tone = "quiet"
	Warn  Tone = "warn"
	Bad   Tone = "bad"
)

func text(s string) Cell       { return Cell{Text: s} }
func quiet(s string) Cell      { return Cell{Text: s, Tone: Quiet} }
func shown(f size.Figure) Cell { return Cell{Text: f.Amount(), Figure: &f} }
func counted(n int) string     { return size.FormatCount(float64(n)) }

// Refusal is an input that has no answer, in words for who wrote it: flags are
// named with their dashes.
type Refusal struct{ text string }

// Error is the refusal as weir size prints it.
func (r *Refusal) Error() string { return r.text }

// InForm is the refusal where fields are no flags.
func (c Calculator) InForm(err error) string {
	out := err.Error()
	for _, f := range c.Fields {
		out = strings.ReplaceAll(out, "--"+f.Name, f.Name)
	}
	return out
}

// FieldOf is the field that a refusal is about, the one it names first; "" for none.
func (c Calculator) FieldOf(err error) string {
	text := err.Error()
	has := func(name string) bool {
		return slices.ContainsFunc(c.Fields, func(f Field) bool { return f.Name == name })
	}
	if name, _, _ := strings.Cut(text, ": "); has(name) {
		return name
	}
	for _, flag := range strings.Split(text, "--")[1:] {
		// --subject is not --subject-len.
		if name := flag[:len(flag)-len(strings.TrimLeft(flag, "abcdefghijklmnopqrstuvwxyz-_"))]; has(name) {
			return name
		}
	}
	return ""
}

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// All returns the calculators in the order of the help.
func All() []Calculator {
	return []Calculator{record(), stream(), dedup(), memory(), cluster()}
}

// Named returns a calculator.
func Named(name string) (Calculator, bool) {
	all := All()
	i := slices.IndexFunc(all, func(c Calculator) bool { return c.Name == name })
	if i < 0 {
		return Calculator{}, false
	}
	return all[i], true
}

// Read makes an input of texts by field name, in the order of the fields. A text
// that is empty is a field left out. It fails with a Refusal that names the field.
func (c Calculator) Read(values map[string]string) (*Input, error) {
	in := NewInput()
	for _, f := range c.Fields {
		s := strings.TrimSpace(values[f.Name])
		if s == "" {
			continue
		}
		if err := f.Of(in).Set(s); err != nil {
			return nil, refuse("%s: %v", f.Name, err)
		}
	}
	for name := range values {
		if !slices.ContainsFunc(c.Fields, func(f Field) bool { return f.Name == name }) {
			return nil, refuse("%q is no field of the calculator %s", name, c.Name)
		}
	}
	return in, nil
}

// Command is the call of weir size that gives the same answer.
func (c Calculator) Command(values map[string]string) string {
	out := "weir size " + c.Name
	for _, f := range c.Fields {
		switch s := strings.TrimSpace(values[f.Name]); {
		case s == "" || len(f.Choices) > 0 && s == f.Choices[0]:
		case f.Unit() == "bool":
			if s == "true" {
				out += " --" + f.Name
			}
		default:
			out += " --" + f.Name + " " + shell.Quote(s)
		}
	}
	return out
}

// prune cuts the working off figures.
func prune(working bool, figures ...*size.Figure) {
	if working {
		return
	}
	for _, f := range figures {
		*f = f.Prune(0)
	}
}

// saturatedNote says of an answer that some figure has no place in 64 bits.
func saturatedNote(figures ...size.Figure) []string {
	for _, f := range figures {
		if f.Saturated {
			return []string{"beyond 64 bits: figures stand at the largest value that a server can write, 2^63-1"}
		}
	}
	return nil
}
