package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestWrite: the overlay is that of the installed Go, without the refusal and
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
	if err := json.Unmarshal(body, &overlay); err != nil || len(overlay.Replace) != 1 {
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
		if len(after) != len(before)-len(refusal) || strings.Contains(string(after), "O_SYNC is not supported") {
			t.Errorf("%d bytes of %d", len(after), len(before))
		}
	}
}

func TestFailsWhenGoChanged(t *testing.T) {
	for _, tt := range []struct{ name, source string }{
		{"no refusal", "package syscall"},
		{"two of them", refusal + refusal},
		{"other words", strings.Replace(refusal, "supported", "known", 1)},
	} {
		if _, err := withoutRefusal(tt.source); err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
}
