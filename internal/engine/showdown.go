package engine

import (
	"cmp"
	"context"
	"slices"

	"weir/dialect"
	"weir/internal/showdown"
	"weir/lint"
	"weir/size"
)

var showdownMethods = []method{
	on("showdown.compare", "Puts a design through both sides of a showdown, under the same arrivals.", compareDesign),
}

// CompareRequest asks showdown.compare. Showdown is its name; Seed is 1 where it
// is 0.
type CompareRequest struct {
	Showdown string `json:"showdown"`
	Files    []File `json:"files"`
	Seed     int64  `json:"seed,omitempty"`
}

// CompareReply is a design put through a showdown, or, where it cannot be read,
// the findings that say why. Design is what it is called.
type CompareReply struct {
	Design   string           `json:"design"`
	Compared *ComparedDesigns `json:"compared,omitempty"`
	Findings []lint.Finding   `json:"findings"`
}

// compareSteps are the steps of progress of a comparison.
const compareSteps = 1_000

func compareDesign(ctx context.Context, in CompareRequest, progress Progress) (CompareReply, error) {
	s, err := showdown.Find(in.Showdown)
	if err != nil {
		return CompareReply{}, badRequest(err)
	}
	_, faults, err := oneDesign(in.Files, "files")
	if err != nil || len(faults) > 0 {
		return CompareReply{Findings: faults}, err
	}
	sources, err := sourcesOf(in.Files, "files")
	if err != nil {
		return CompareReply{}, err
	}
	designs, _ := dialect.Read(sources) // a comparison changes the design, and what oneDesign read is shared
	o := showdown.Options{Seed: uint64(cmp.Or(in.Seed, 1)), Progress: func(done float64) bool {
		if progress != nil {
			progress(int64(done*compareSteps), compareSteps, "simulated")
		}
		return ctx.Err() == nil
	}}
	c, err := s.Compare(ctx, designs[0], o)
	switch {
	case ctx.Err() != nil:
		return CompareReply{}, ctx.Err()
	case err != nil:
		return CompareReply{}, badRequest(err)
	}
	compared := ComparedOf(c)
	return CompareReply{Design: c.Design, Compared: &compared}, nil
}

// ComparedDesigns is a comparison ready to be drawn.
type ComparedDesigns struct {
	Verdict string          `json:"verdict"`
	Rows    SizedTable      `json:"rows"`
	Tables  []ComparedTable `json:"tables"`
	// Strip is who is disconnected by bytes in flight, where the showdown asks that.
	Strip *showdown.Strip `json:"strip,omitempty"`
	Chart *Chart          `json:"chart,omitempty"`
	Notes []string        `json:"notes"`
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

// ComparedOf is a comparison as the studio draws it.
func ComparedOf(c *showdown.Comparison) ComparedDesigns {
	out := ComparedDesigns{Verdict: c.Verdict, Notes: c.Notes, Strip: c.Strip, Rows: SizedTable{Columns: []SizedColumn{{Title: "Figure"}}}}
	for _, side := range c.Sides {
		out.Rows.Columns = append(out.Rows.Columns, SizedColumn{Title: side, Num: true})
	}
	for _, r := range c.Rows {
		out.Rows.Rows = append(out.Rows.Rows, SizedRow{Cells: append([]CalculatedCell{{Text: r.What}}, comparedCells(r.Cells)...)})
	}
	for _, t := range c.Tables {
		one := ComparedTable{Title: t.Title, About: t.About}
		for i, head := range t.Head {
			one.Columns = append(one.Columns, SizedColumn{Title: head, Num: t.Num[i]})
		}
		for _, r := range t.Rows {
			one.Rows = append(one.Rows, ComparedRow{comparedCells(r.Cells), r.Level, r.Side, r.Proof})
		}
		out.Tables = append(out.Tables, one)
	}
	if c.Chart != nil {
		out.Chart = comparedChart(c.Chart)
	}
	return out
}

func comparedCells(cells []showdown.Cell) []CalculatedCell {
	var out []CalculatedCell
	for _, one := range cells {
		if one.Figure == nil {
			out = append(out, CalculatedCell{Text: one.Text})
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
