package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWrite: the overlay is that of the installed Go and of Weir's tables, edited and
// otherwise unchanged.
func TestWrite(t *testing.T) {
	list, err := write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(body, &overlay); err != nil || len(overlay.Replace) != len(edits)+len(tables) {
		t.Fatalf("%s: %v", body, err)
	}
	for original, replacement := range overlay.Replace {
		before, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(replacement)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(original, ".tsv") {
			sameTable(t, string(before), string(after))
			continue
		}
		grown := 0
		for _, e := range edits {
			if e.file != filepath.Base(original) {
				continue
			}
			grown += len(e.with) - len(e.old)
			if strings.Contains(string(after), e.old) || !strings.Contains(string(after), e.with) {
				t.Errorf("%s is not edited", e.file)
			}
		}
		if len(after) != len(before)+grown {
			t.Errorf("%s: %d bytes of %d", original, len(after), len(before))
		}
	}
}

// sameTable holds that a table has lost its explanations and nothing else.
func sameTable(t *testing.T, before, after string) {
	t.Helper()
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	if len(old) != len(now) {
		t.Fatalf("%d lines of %d", len(now), len(old))
	}
	var columns []string
	emptied := 0
	for i, line := range old {
		if line == "" || line[0] == '#' {
			continue
		}
		cells, left := strings.Split(line, "\t"), strings.Split(now[i], "\t")
		if columns == nil {
			columns = cells
		}
		for k, cell := range cells {
			switch {
			case left[k] == cell:
			case left[k] == "" && slices.Contains(explained, columns[k]):
				emptied++
			default:
				t.Errorf("%q became %q in column %s", cell, left[k], columns[k])
			}
		}
	}
	if emptied == 0 {
		t.Error("nothing was emptied")
	}
}

func TestFailsWhenGoChanged(t *testing.T) {
	for _, e := range edits {
		for _, tt := range []struct{ name, source string }{
			{"not there", "package syscall"},
			{"twice", e.old + e.old},
			{"other words", e.old[1:]},
		} {
			if _, err := e.apply(tt.source); err == nil {
				t.Errorf("%s, %s: no error", e.file, tt.name)
			}
		}
	}
}
