package measure

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Apply makes the edits of the changes in the tables of dir and returns how many
// it made. Cells that cannot be measured stay empty; the tests of natsapi fail
// until a person has filled them.
func Apply(dir string, changes []Change) (int, error) {
	files := map[string][]string{}
	edits := 0
	for _, c := range changes {
		if c.File == "" {
			continue
		}
		if files[c.File] == nil {
			data, err := os.ReadFile(filepath.Join(dir, c.File))
			if err != nil {
				return edits, fmt.Errorf("edit table: %w", err)
			}
			files[c.File] = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
		}
		lines, err := edit(files[c.File], c)
		if err != nil {
			return edits, err
		}
		files[c.File] = lines
		edits++
	}
	for name, lines := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return edits, fmt.Errorf("edit table: %w", err)
		}
	}
	return edits, nil
}

// edit applies one change to the lines of a table.
func edit(lines []string, c Change) ([]string, error) {
	header := slices.IndexFunc(lines, func(l string) bool { return l != "" && l[0] != '#' })
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, c.Key) })
	switch {
	case header < 0 || at < 0 && !c.New:
		return nil, fmt.Errorf("edit %s: no row begins with %q", c.File, c.Key)
	case c.New && (c.Key == "" || at < 0):
		// The first field of an asset, or of the table.
		asset := c.Cells["asset"] + "\t"
		if at = slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, asset) }) - 1; at < header {
			at = header
		}
	}
	columns := strings.Split(lines[header], "\t")
	cells := make([]string, len(columns))
	if !c.New {
		cells = strings.Split(lines[at], "\t")
	}
	for i, column := range columns {
		if cell, ok := c.Cells[column]; ok {
			cells[i] = cell
		}
	}
	row := strings.Join(cells, "\t")
	if !c.New {
		lines[at] = row
		return lines, nil
	}
	return slices.Insert(lines, at+1, row), nil
}
