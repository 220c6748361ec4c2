package cli

import (
	"fmt"
	"strings"

	"weir/internal/calculator"
	"weir/size"
)

// printAnswer prints the verdict, the tables, notes, and with explain the working.
func (c *Command) printAnswer(a calculator.Answer, explain bool) {
	c.print(cell{a.Says, "1"})
	c.out.WriteString("\n\n")
	notes := a.Notes
	if len(a.Rows) > 0 {
		c.table("  ", figureRows(a.Rows))
		for _, row := range a.Rows {
			if row.Figure.Note != "" {
				notes = append(notes, row.Name+": "+row.Figure.Note)
			}
		}
	}
	for _, t := range a.Tables {
		if t.Title != "" {
			fmt.Fprintf(c.out, "\n%s\n", t.Title)
		}
		c.table("  ", tableRows(t))
	}
	if len(notes) > 0 {
		c.out.WriteByte('\n')
	}
	for _, n := range notes {
		c.print(dim("note: " + n))
		c.out.WriteByte('\n')
	}
	if !explain {
		return
	}
	if a.ExplainedOf != "" {
		fmt.Fprintf(c.out, "\nThe working of %s\n", a.ExplainedOf)
	}
	for _, f := range a.Working() {
		c.out.WriteByte('\n')
		c.out.WriteString(size.Explain(f))
	}
}

// tones are the looks of cells by what they mean.
var tones = map[calculator.Tone]func(string) cell{calculator.Plain: plain, calculator.Quiet: dim, calculator.Warn: warn, calculator.Bad: bad}

func tableRows(t calculator.Table) [][]cell {
	var out [][]cell
	if t.Columns != nil {
		var head []cell
		for _, name := range t.Columns {
			head = append(head, dim(name))
		}
		out = append(out, head)
	}
	for _, r := range t.Rows {
		var row []cell
		for _, c := range r {
			row = append(row, tones[c.Tone](c.Text))
		}
		out = append(out, row)
	}
	return out
}

// figureRows lays figures out: name, value, range, what it counts for.
func figureRows(rows []calculator.Row) [][]cell {
	var out [][]cell
	for _, r := range rows {
		note := r.Note
		if !r.Figure.Measured() {
			note = strings.TrimPrefix(note+"; not measured", "; ")
		}
		out = append(out, []cell{plain(r.Name), plain(r.Amount()), plain(r.Figure.Band()), dim(note)})
	}
	return out
}
