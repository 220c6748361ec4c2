package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weir/prove"
	"weir/size"
	"weir/subject"
)

// printMatrix prints a matrix, and the proof where there is one.
func (c *Command) printMatrix(o matrixOptions, m *subject.Matrix, r *matrixReport) error {
	switch o.format.value {
	case "json":
		if err := r.listMatches(m); err != nil {
			return err
		}
		return c.printJSON(jsonTexts(r, o.escaped))
	case "tsv":
		c.printMatrixTSV(m, r)
		if r.Proof != nil {
			return c.proofOnStderr(r.Proof)
		}
		return nil
	case "markdown":
		c.printMatrixMarkdown(m, r)
	default:
		if r.Cells > mostTextCells {
			c.printMatrixCounts(r)
		} else {
			c.printMatrixText(o, m, r)
		}
		c.printInvalid(r, c.marks(o.ascii))
	}
	if r.Proof != nil {
		c.out.WriteByte('\n')
		c.printMatrixProof(r)
	}
	return nil
}

// marks are the signs of cells.
type marks struct{ yes, no, invalid string }

func (c *Command) marks(ascii bool) marks {
	if ascii || c.term.ascii {
		return marks{"x", ".", "!"}
	}
	return marks{"✓", "·", "✗"}
}

func (k marks) of(m *subject.Matrix, r *matrixReport, s, p int) cell {
	switch {
	case m.At(s, p):
		return good(k.yes)
	case !r.Subjects[s].Valid || !r.Patterns[p].Valid:
		return bad(k.invalid)
	}
	return dim(k.no)
}

// printMatrixText prints a row for each subject and a column for each pattern,
// with numbers for heads where the patterns would be too wide.
func (c *Command) printMatrixText(o matrixOptions, m *subject.Matrix, r *matrixReport) {
	k := c.marks(o.ascii)
	heads := make([]string, len(m.Patterns))
	width := 0
	for _, s := range m.Subjects {
		width = max(width, columnsOf(show(s)))
	}
	for i, p := range m.Patterns {
		heads[i] = show(p)
		width += columnsOf(heads[i]) + 2
	}
	if width > c.term.columns {
		for i := range heads {
			heads[i] = strconv.Itoa(i + 1)
		}
		c.printPatternList(r)
	}
	head := []cell{dim("")}
	for i, h := range heads {
		if r.Patterns[i].Valid {
			head = append(head, plain(h))
		} else {
			head = append(head, bad(h))
		}
	}
	rows := [][]cell{append(head, dim("matches"))}
	for s := range m.Subjects {
		row := []cell{plain(show(m.Subjects[s]))}
		if !r.Subjects[s].Valid {
			row[0] = bad(show(m.Subjects[s]))
		}
		for p := range m.Patterns {
			row = append(row, centred(k.of(m, r, s, p), columnsOf(heads[p])))
		}
		rows = append(rows, append(row, dim(thousands(r.Subjects[s].Matches))))
	}
	foot := []cell{dim("matches")}
	for i, p := range r.Patterns {
		foot = append(foot, centred(dim(thousands(p.Matches)), columnsOf(heads[i])))
	}
	c.table("", append(rows, append(foot, dim(thousands(r.Matching)+" of "+size.Counted(r.Cells, "cell", "cells")))))
}

// mostTextCells is the largest matrix that text shows; beyond it nobody reads
// the cells.
const mostTextCells = 200_000

// printMatrixCounts prints how many subjects each pattern matches, the fullest
// first.
func (c *Command) printMatrixCounts(r *matrixReport) {
	fmt.Fprintf(c.out, "%s against %s: %s of %s match; --format tsv or json has the cells\n\n",
		size.Counted(len(r.Patterns), "pattern", "patterns"), size.Counted(len(r.Subjects), "subject", "subjects"), thousands(r.Matching), size.Counted(r.Cells, "cell", "cells"))
	order := slices.Clone(r.Patterns)
	slices.SortStableFunc(order, func(a, b matrixPattern) int { return b.Matches - a.Matches })
	const most = 50
	rows := [][]cell{{dim("matches"), dim("pattern")}}
	for _, p := range order[:min(len(order), most)] {
		rows = append(rows, []cell{plain(thousands(p.Matches)), plain(show(p.Pattern))})
	}
	c.table("", rows)
	if n := len(order) - most; n > 0 {
		fmt.Fprintf(c.out, "and %s that match no more than these\n", size.Counted(n, "pattern", "patterns"))
	}
	none := 0
	for _, s := range r.Subjects {
		if s.Valid && s.Matches == 0 {
			none++
		}
	}
	if none > 0 {
		fmt.Fprintf(c.out, "\n%s no pattern\n", size.Counted(none, "subject reaches", "subjects reach"))
	}
}

// centred puts spaces before a cell so that it stands in the middle of its
// column; the table fills the rest.
func centred(cl cell, width int) cell {
	if n := (width - columnsOf(cl.text)) / 2; n > 0 {
		cl.text = strings.Repeat(" ", n) + cl.text
	}
	return cl
}

func (c *Command) printPatternList(r *matrixReport) {
	var rows [][]cell
	for i, p := range r.Patterns {
		rows = append(rows, []cell{dim(strconv.Itoa(i + 1)), plain(show(p.Pattern))})
	}
	c.table("", rows)
	c.out.WriteByte('\n')
}

// printInvalid explains what is marked as not valid.
func (c *Command) printInvalid(r *matrixReport, k marks) {
	var rows [][]cell
	for _, p := range r.Patterns {
		if !p.Valid {
			rows = append(rows, []cell{bad(k.invalid + " pattern"), plain(show(p.Pattern)), plain(p.Reason)})
		}
	}
	for _, s := range r.Subjects {
		if !s.Valid {
			rows = append(rows, []cell{bad(k.invalid + " subject"), plain(show(s.Subject)), plain(s.Reason)})
		}
	}
	if len(rows) == 0 {
		return
	}
	c.out.WriteByte('\n')
	const most = 50
	c.table("", rows[:min(len(rows), most)])
	if len(rows) > most {
		fmt.Fprintf(c.out, "and %s more\n", thousands(len(rows)-most))
	}
}

// printMatrixTSV prints true, false or invalid in each cell; names are escaped,
// because a TAB or LF in one would break the table.
func (c *Command) printMatrixTSV(m *subject.Matrix, r *matrixReport) {
	c.out.WriteString("subject")
	for _, p := range m.Patterns {
		c.out.WriteByte('\t')
		c.out.WriteString(escape(p))
	}
	c.out.WriteByte('\n')
	k := marks{"true", "false", "invalid"}
	for s := range m.Subjects {
		c.out.WriteString(escape(m.Subjects[s]))
		for p := range m.Patterns {
			c.out.WriteByte('\t')
			c.out.WriteString(k.of(m, r, s, p).text)
		}
		c.out.WriteByte('\n')
	}
}

func (c *Command) printMatrixMarkdown(m *subject.Matrix, r *matrixReport) {
	k := c.marks(false)
	code := func(s string) string {
		// A code span ends at as many backticks as it began with; | ends a cell even inside one.
		s = strings.ReplaceAll(show(s), "|", `\|`)
		if strings.Contains(s, "`") {
			return "`` " + s + " ``"
		}
		return "`" + s + "`"
	}
	c.out.WriteString("| subject |")
	for _, p := range m.Patterns {
		fmt.Fprintf(c.out, " %s |", code(p))
	}
	c.out.WriteString("\n|---|" + strings.Repeat(":-:|", len(m.Patterns)) + "\n")
	for s := range m.Subjects {
		fmt.Fprintf(c.out, "| %s |", code(m.Subjects[s]))
		for p := range m.Patterns {
			fmt.Fprintf(c.out, " %s |", k.of(m, r, s, p).text)
		}
		c.out.WriteByte('\n')
	}
}

// printMatrixProof prints what ran and what differs.
func (c *Command) printMatrixProof(r *matrixReport) {
	e := r.Proof
	c.printNotExercised(e.NotExercised)
	if n := e.Matrix.RefusedCount; n > 0 {
		fmt.Fprintf(c.out, "refused as predicted: %s (%s)\n", size.Counted(n, "pattern", "patterns"), e.Matrix.Refused[0].Server)
	}
	var rows [][]cell
	for i, d := range e.Matrix.Differences {
		if i == 100 {
			break
		}
		rows = append(rows, []cell{bad("differs"), plain(show(d.Pattern)), plain(show(d.Subject)), plain("predicted " + d.Predicted), plain("measured " + d.Measured), dim(d.Server)})
	}
	c.table("", rows)
	if n := e.Matrix.Different - len(rows); n > 0 {
		fmt.Fprintf(c.out, "and %s more; --format json has up to 1,000\n", thousands(n))
	}
	for _, s := range e.Steps {
		if !s.OK && s.Reply != nil {
			fmt.Fprintf(c.out, "unexpected: %s: the server said %s\n", s.Do, s.Reply.Text)
		}
	}
	c.printRan(ranMatrix(e))
}

func ranMatrix(e *prove.MatrixEvidence) cell {
	return ran(e.Evidence, size.Counted(e.Matrix.Cells, "cell", "cells"), e.Matrix.Different, e.Agrees())
}

// proofOnStderr keeps a table on standard output clean.
func (c *Command) proofOnStderr(e *prove.MatrixEvidence) error {
	_, err := fmt.Fprintf(c.Stderr, "weir: %s\n", ranMatrix(e).text)
	return err
}
