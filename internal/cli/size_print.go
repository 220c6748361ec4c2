package cli

import (
	"strings"

	"weir/size"
)

// sizeRow is a line of a calculator's table.
type sizeRow struct {
	name   string
	figure size.Figure
	note   string // where it counts, what binds
	text   string // how the value is written, "" in its unit
}

// sizeReport is what a calculator says to people.
type sizeReport struct {
	says  string
	rows  []sizeRow
	notes []string // what must be known besides
	// explained are the figures whose working --explain prints; nil is all rows.
	explained []size.Figure
}

// printSize prints the verdict, the table, notes, and with --explain the working.
func (c *Command) printSize(r sizeReport, explain bool) {
	c.print(cell{r.says, "1"})
	c.out.WriteString("\n\n")
	c.table("  ", figureRows(r.rows))
	notes := append([]string(nil), r.notes...)
	for _, row := range r.rows {
		if row.figure.Note != "" {
			notes = append(notes, row.name+": "+row.figure.Note)
		}
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
	figures := r.explained
	if figures == nil {
		for _, row := range r.rows {
			if len(row.figure.Terms) > 0 {
				figures = append(figures, row.figure)
			}
		}
	}
	for _, f := range figures {
		c.out.WriteByte('\n')
		c.out.WriteString(size.Explain(f))
	}
}

// figureRows lays figures out: name, value, range, what it counts for.
func figureRows(rows []sizeRow) [][]cell {
	var out [][]cell
	for _, r := range rows {
		note := r.note
		if !r.figure.Measured() {
			note = strings.TrimPrefix(note+"; not measured", "; ")
		}
		value, between := amount(r.figure), band(r.figure)
		if r.text != "" {
			value = r.text
		}
		out = append(out, []cell{plain(r.name), plain(value), plain(between), dim(note)})
	}
	return out
}

// amount is a figure's value without its range.
func amount(f size.Figure) string {
	if f.Saturated {
		return "more than " + f.Unit.Format(f.Value)
	}
	return f.Unit.Format(f.Value)
}

// band is the range of a figure, "" where it is exact to what is shown.
func band(f size.Figure) string {
	low, high := f.Unit.Format(f.Low), f.Unit.Format(f.High)
	if f.Saturated || low == high {
		return ""
	}
	return low + " to " + high
}

// ranged is a figure's value with its range.
func ranged(f size.Figure) string {
	if b := band(f); b != "" {
		return amount(f) + " (" + b + ")"
	}
	return amount(f)
}

// prune cuts the working off figures, for JSON without --explain.
func prune(explain bool, figures ...*size.Figure) {
	if explain {
		return
	}
	for _, f := range figures {
		*f = f.Prune(0)
	}
}

// saturatedNote says of a report that some figure has no place in 64 bits.
func saturatedNote(figures ...size.Figure) []string {
	for _, f := range figures {
		if f.Saturated {
			return []string{"beyond 64 bits: figures stand at the largest value that a server can write, 2^63-1"}
		}
	}
	return nil
}
