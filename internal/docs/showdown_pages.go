package docs

import (
	"context"
	"slices"

	"weir/internal/engine"
	"weir/internal/showdown"
	"weir/size"
)

// ShowdownPage is a showdown ready to be drawn: what is written down, the names of
// its proofs, each once, and the numbers of its own designs.
type ShowdownPage struct {
	showdown.Showdown
	Proofs   []string     `json:"proofs"`
	Compared CompareReply `json:"compared"`
}

// showdownPages are the pages of all showdowns, in their order. They are the same
// for everybody, so that the studio has them as files and the engine of the tab
// carries neither the texts nor what computes them.
func showdownPages(ctx context.Context) ([]ShowdownPage, error) {
	var out []ShowdownPage
	for _, s := range showdown.List() {
		c, err := s.Compare(ctx, nil, showdown.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		out = append(out, ShowdownPage{*s, s.Proofs(), compareReply(c)})
	}
	return out, nil
}

// CompareReply is a comparison ready to be drawn.
type CompareReply struct {
	Verdict string            `json:"verdict"`
	Rows    engine.SizedTable `json:"rows"`
	Tables  []ComparedTable   `json:"tables"`
	// Strip is who is disconnected by bytes in flight, where the showdown asks that.
	Strip *showdown.Strip `json:"strip,omitempty"`
	Chart *engine.Chart   `json:"chart,omitempty"`
	Notes []string        `json:"notes"`
}

// ComparedTable is a table of a showdown's own.
type ComparedTable struct {
	Title   string               `json:"title"`
	About   string               `json:"about"`
	Columns []engine.SizedColumn `json:"columns"`
	Rows    []ComparedRow        `json:"rows"`
}

// ComparedRow is a row; Side is the letter of the side that it is about, Proof the
// proof that shows it, both "" for none.
type ComparedRow struct {
	Cells []engine.CalculatedCell `json:"cells"`
	Level string                  `json:"level"`
	Side  string                  `json:"side"`
	Proof string                  `json:"proof"`
}

// compareDepth is how many levels of working a comparison carries.
const compareDepth = 4

func compareReply(c *showdown.Comparison) CompareReply {
	out := CompareReply{Verdict: c.Verdict, Notes: c.Notes, Strip: c.Strip, Rows: engine.SizedTable{Columns: []engine.SizedColumn{{Title: "Figure"}}}}
	for _, side := range c.Sides {
		out.Rows.Columns = append(out.Rows.Columns, engine.SizedColumn{Title: side, Num: true})
	}
	for _, r := range c.Rows {
		out.Rows.Rows = append(out.Rows.Rows, engine.SizedRow{Cells: append([]engine.CalculatedCell{{Text: r.What}}, comparedCells(r.Cells)...)})
	}
	for _, t := range c.Tables {
		one := ComparedTable{Title: t.Title, About: t.About}
		for i, head := range t.Head {
			one.Columns = append(one.Columns, engine.SizedColumn{Title: head, Num: t.Num[i]})
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

func comparedCells(cells []showdown.Cell) []engine.CalculatedCell {
	var out []engine.CalculatedCell
	for _, one := range cells {
		if one.Figure == nil {
			out = append(out, engine.CalculatedCell{Text: one.Text})
			continue
		}
		g := engine.FigureOf(*one.Figure, compareDepth)
		g.Text = one.Text
		out = append(out, engine.CalculatedCell{Text: one.Text, Figure: &g})
	}
	return out
}

// comparedChart draws all sides over each other.
func comparedChart(c *showdown.Chart) *engine.Chart {
	out := &engine.Chart{Title: c.Title, Head: []string{"at"}, Faults: []engine.Mark{{At: c.At, To: c.At + c.For, Text: c.Outage}}}
	most := 0.0
	for _, l := range c.Lines {
		out.Series, out.Head = append(out.Series, engine.Series{Name: l.Name, Values: l.Values}), append(out.Head, l.Name)
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
	out.X, out.Y = engine.AxisOf(length, size.Seconds), engine.AxisOf(most, c.Unit)
	out.X.Max = length
	out.X.Ticks = slices.DeleteFunc(out.X.Ticks, func(t engine.Tick) bool { return t.At > length })
	return out
}
