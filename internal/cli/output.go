package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// terminal says what can be written to a stream.
type terminal struct {
	colour  bool
	ascii   bool // the locale is not UTF-8
	columns int
}

func terminalOf(w io.Writer) terminal {
	return terminal{
		colour:  isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		ascii:   !isUTF8Locale(),
		columns: columnsOfScreen(w),
	}
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// columnsOfScreen is the width of the terminal, else what COLUMNS says, else
// 120, which most pages and logs show.
func columnsOfScreen(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	return 120
}

// isUTF8Locale asks the variables in the order of POSIX; the first one set
// decides.
func isUTF8Locale() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := os.Getenv(name); v != "" {
			v = strings.ToUpper(v)
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}

// cell is a piece of text with a colour of the terminal, "" for none.
type cell struct{ text, colour string }

func plain(s string) cell { return cell{text: s} }
func good(s string) cell  { return cell{s, "32"} }
func bad(s string) cell   { return cell{s, "31"} }
func warn(s string) cell  { return cell{s, "33"} }
func dim(s string) cell   { return cell{s, "2"} }

// verdictCell writes true or false.
func verdictCell(yes bool) cell {
	if yes {
		return good("true")
	}
	return bad("false")
}

// table prints rows in aligned columns, two spaces apart, after an indentation.
func (c *Command) table(indent string, rows [][]cell) {
	var widths []int
	for _, row := range rows {
		for i, cl := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columnsOf(oneLine(cl.text)))
		}
	}
	for _, row := range rows {
		last := len(row) - 1
		for last > 0 && row[last].text == "" {
			last--
		}
		c.out.WriteString(indent)
		for i, cl := range row[:last+1] {
			c.print(cl)
			if i < last {
				c.out.WriteString(strings.Repeat(" ", widths[i]-columnsOf(oneLine(cl.text))+2))
			}
		}
		c.out.WriteByte('\n')
	}
}

// print writes a cell, coloured where the terminal can, with what a terminal
// would obey as an escape.
func (c *Command) print(cl cell) {
	cl.text = oneLine(cl.text)
	if !c.term.colour || cl.colour == "" || cl.text == "" {
		c.out.WriteString(cl.text)
		return
	}
	fmt.Fprintf(c.out, "\x1b[%sm%s\x1b[0m", cl.colour, cl.text)
}

// columnsOf returns how many columns of a terminal a text takes.
func columnsOf(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case width.LookupRune(r).Kind() == width.EastAsianWide, width.LookupRune(r).Kind() == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// printJSON prints one value, indented.
func (c *Command) printJSON(v any) error {
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(withLists(v)); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

// printEach prints one value indented, or several as one line each.
func printEach[T any](c *Command, values []T) error {
	if len(values) == 1 {
		return c.printJSON(values[0])
	}
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	for _, v := range values {
		if err := enc.Encode(withLists(v)); err != nil {
			return fmt.Errorf("write output: %w", err)
		}
	}
	return nil
}

// yesNo is the exit code of a question.
func yesNo(yes bool) int {
	if yes {
		return ExitYes
	}
	return ExitNo
}
