package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWrite: the overlay is that of the installed Go, edited and otherwise unchanged.
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
	if err := json.Unmarshal(body, &overlay); err != nil || len(overlay.Replace) != len(edits) {
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
