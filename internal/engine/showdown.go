package engine

import (
	"context"
	"slices"

	"weir/design"
	"weir/internal/showdown"
	"weir/lint"
	"weir/size"
)

var showdownMethods = []method{
	on("showdown.list", "The showdowns, in the order of their pages.", listShowdowns),
	on("showdown.show", "One showdown as it is written down, with the proofs that it rests on.", showShowdown),
	on("showdown.compare", "The numbers of a showdown: its own designs, or the caller's, on all sides under the same arrivals.", compareShowdown),
}

// ShowdownsReply are the showdowns.
type ShowdownsReply struct {
	Showdowns []ShowdownRow `json:"showdowns"`
}

// ShowdownRow is one showdown in a list.
type ShowdownRow struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Question string `json:"question"`
}

func listShowdowns(context.Context, struct{}, Progress) (ShowdownsReply, error) {
	var out ShowdownsReply
	for _, s := range showdown.List() {
		out.Showdowns = append(out.Showdowns, ShowdownRow{s.Name, s.Title, s.Question})
	}
	return out, nil
}

// ShowdownRequest names a showdown.
type ShowdownRequest struct {
	Name string `json:"name"`
}

// ShowdownReply is a showdown with the names of its proofs, each once.
type ShowdownReply struct {
	showdown.Showdown
	Proofs []string `json:"proofs"`
}

func showShowdown(_ context.Context, in ShowdownRequest, _ Progress) (ShowdownReply, error) {
	s, err := findShowdown(in.Name)
	if err != nil {
		return ShowdownReply{}, err
	}
	return ShowdownReply{*s, s.Proofs()}, nil
}

func findShowdown(name string) (*showdown.Showdown, error) {
	s, err := showdown.Find(name)
	if err != nil {
		return nil, &Error{Code: CodeBadRequest, Path: "name", Message: err.Error()}
	}
	return s, nil
}

// CompareRequest asks showdown.compare. Without files the showdown's own designs
// are compared.
type CompareRequest struct {
	Name  string `json:"name"`
	Files []File `json:"files,omitempty"`
	Seed  int64  `json:"seed,omitempty"`
}

// CompareReply is a comparison ready to be drawn, or, where the design cannot be
// read, the findings that say why.
type CompareReply struct {
	Verdict string `json:"verdict"`
	// Design names the caller's design, "" for the showdown's own.
	Design string          `json:"design"`
	Rows   SizedTable      `json:"rows"`
	Tables []ComparedTable `json:"tables"`
	// Strip is who is disconnected by bytes in flight, where the showdown asks that.
	Strip    *showdown.Strip `json:"strip,omitempty"`
	Chart    *Chart          `json:"chart,omitempty"`
	Notes    []string        `json:"notes"`
	Findings []lint.Finding  `json:"findings"`
}

// ComparedTable is a table of a showdown's own.
type ComparedTable struct {
	Title   string        `json:"title"`
	About   string        `json:"about"`
	Columns []SizedColumn `json:"columns"`
	Rows    []ComparedRow `json:"rows"`
}

// ComparedRow is a row; Side is the letter of the side that it is about, Proof the
// proof that shows it, both "" for none.
type ComparedRow struct {
	Cells []CalculatedCell `json:"cells"`
	Level string           `json:"level"`
	Side  string           `json:"side"`
	Proof string           `json:"proof"`
}

// compareDepth is how many levels of working a comparison carries.
const compareDepth = 4

func compareShowdown(ctx context.Context, in CompareRequest, progress Progress) (CompareReply, error) {
	s, err := findShowdown(in.Name)
	if err != nil {
		return CompareReply{}, err
	}
	var own *design.Design
	if len(in.Files) > 0 {
		d, faults, err := oneDesign(in.Files, "files")
		if err != nil || len(faults) > 0 {
			return CompareReply{Findings: faults}, err
		}
		own = d
	}
	c, err := s.Compare(ctx, own, showdown.Options{Seed: uint64(max(1, in.Seed)), Progress: reporter(ctx, progress, "simulated")})
	switch {
	case ctx.Err() != nil:
		return CompareReply{}, ctx.Err()
	case err != nil:
		return CompareReply{}, badRequest(err)
	}
	out := CompareReply{Verdict: c.Verdict, Design: c.Design, Notes: c.Notes, Strip: c.Strip, Rows: SizedTable{Columns: numbers("")}}
	for _, side := range c.Sides {
		out.Rows.Columns = append(out.Rows.Columns, SizedColumn{side, true})
	}
	for _, r := range c.Rows {
		out.Rows.Rows = append(out.Rows.Rows, SizedRow{Cells: append([]CalculatedCell{said(r.What)}, comparedCells(r.Cells)...)})
	}
	for _, t := range c.Tables {
		one := ComparedTable{Title: t.Title, About: t.About}
		for i, head := range t.Head {
			one.Columns = append(one.Columns, SizedColumn{head, t.Num[i]})
		}
		for _, r := range t.Rows {
			one.Rows = append(one.Rows, ComparedRow{comparedCells(r.Cells), r.Level, r.Side, r.Proof})
		}
		out.Tables = append(out.Tables, one)
	}
	if c.Chart != nil {
		out.Chart = comparedChart(c.Chart)
	}
	return out, nil
}

func comparedCells(cells []showdown.Cell) []CalculatedCell {
	var out []CalculatedCell
	for _, one := range cells {
		if one.Figure == nil {
			out = append(out, said(one.Text))
			continue
		}
		g := figureOf(*one.Figure, compareDepth)
		g.Text = one.Text
		out = append(out, CalculatedCell{Text: one.Text, Figure: &g})
	}
	return out
}

// comparedChart draws all sides over each other.
func comparedChart(c *showdown.Chart) *Chart {
	out := &Chart{Title: c.Title, Head: []string{"at"}, Faults: []Mark{{At: c.At, To: c.At + c.For, Text: c.Outage}}}
	most := 0.0
	for _, l := range c.Lines {
		out.Series, out.Head = append(out.Series, Series{Name: l.Name, Values: l.Values}), append(out.Head, l.Name)
		most = max(most, slices.Max(l.Values))
	}
	for k := range c.Lines[0].Values {
		x := float64(k+1) * c.Step
		row := []string{size.FormatSeconds(x)}
		for _, l := range c.Lines {
			row = append(row, c.Unit.Format(l.Values[k]))
		}
		out.Xs, out.Rows = append(out.Xs, x), append(out.Rows, row)
	}
	length := float64(len(out.Xs)) * c.Step
	out.X, out.Y = axisOf(length, size.Seconds), axisOf(most, c.Unit)
	out.X.Max = length
	out.X.Ticks = slices.DeleteFunc(out.X.Ticks, func(t Tick) bool { return t.At > length })
	return out
}
