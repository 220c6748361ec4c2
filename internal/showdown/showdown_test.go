package showdown

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

)

// TestPages: each showdown's page, with the figures that its designs give.
func TestPages(t *testing.T) {
	for _, s := range List() {
		t.Run(s.Name, func(t *testing.T) {
			c, err := s.Compare(t.Context(), nil, Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			golden(t, s.Name+".md", []byte(s.Markdown(c)))
		})
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("differs from %s (UPDATE=1 writes it):\n%s", file, got)
	}
}
