package natsapi

import (
	"fmt"
	"slices"
	"strings"
)

// mustParseTable reads an embedded table: tab-separated, '#' lines are comments,
// the first other line names the columns. The tables are part of the program
// and every test reads them, so a malformed one is a panic that names the line.
func mustParseTable[T any](name, text string, columns []string, parse func(row []string) (T, error)) []T {
	rows := make([]T, 0, strings.Count(text, "\n"))
	header, n := false, 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, "\t")
		if !header {
			if !slices.Equal(cells, columns) {
				panic(fmt.Sprintf("natsapi: %s:%d: columns are %q, want %q", name, n, cells, columns))
			}
			header = true
			continue
		}
		if len(cells) != len(columns) {
			panic(fmt.Sprintf("natsapi: %s:%d: %d cells, want %d", name, n, len(cells), len(columns)))
		}
		row, err := parse(cells)
		if err != nil {
			panic(fmt.Sprintf("natsapi: %s:%d: %v", name, n, err))
		}
		rows = append(rows, row)
	}
	return rows
}
