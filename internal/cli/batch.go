package cli

import (
	"encoding/json"
	"fmt"
	"strings"
)

// rowAnswer is what a command says to one row.
type rowAnswer struct {
	columns []string // appended to the row
	value   any      // the same for --format json
	invalid bool     // the row could not be used, or is not valid
}

// batchOptions are the flags of commands that answer row by row.
type batchOptions struct {
	file    string
	escaped bool
	format  choice
}

// batchHelp is said in the help of commands that answer row by row.
const batchHelp = sourcesHelp + `

Rows are read and answered one by one in constant memory, each printed as it came with
the answer as further TAB-separated columns; with --format json as one JSON object a line.
The exit code is 0, or 2 when every row is invalid.`

// batch answers the rows of the sources one by one.
func (c *Command) batch(from []source, o batchOptions, answer func(fields []string) rowAnswer) (int, error) {
	rows, invalid := 0, 0
	enc := json.NewEncoder(c.out)
	enc.SetEscapeHTML(false)
	err := c.eachRow(from, func(r *rowReader, row []byte) error {
		fields := strings.Split(string(row), "\t")
		if o.escaped {
			for i := range fields {
				fields[i] = unescape(fields[i])
			}
		}
		a := answer(fields)
		rows++
		if a.invalid {
			invalid++
		}
		if o.format.value == "json" {
			if err := enc.Encode(jsonTexts(withLists(a.value), o.escaped)); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
		} else {
			c.printRow(row, a.columns, o.escaped)
		}
		// Whoever feeds rows one by one gets each answer before the next row.
		if r.waits() {
			if err := c.out.Flush(); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return ExitTrouble, err
	case rows == 0:
		return ExitUsage, noRows(from, "rows")
	case invalid == rows:
		return ExitUsage, nil
	}
	return ExitYes, nil
}

// printRow prints a row as it came, with further columns. A column can hold any
// byte only when the reader was told to expect escapes.
func (c *Command) printRow(row []byte, columns []string, escaped bool) {
	c.out.Write(row)
	for _, col := range columns {
		c.out.WriteByte('\t')
		switch {
		case escaped:
			col = escape(col)
		case strings.ContainsAny(col, "\t\n"):
			col = oneLine(col)
		}
		c.out.WriteString(col)
	}
	c.out.WriteByte('\n')
}
