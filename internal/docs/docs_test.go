package docs_test

import (
	"os"
	"path/filepath"
	"testing"

	"weir/internal/docs"
)

// TestGenerated fails when a generated file is not what the records say.
func TestGenerated(t *testing.T) {
	root, err := docs.Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err := docs.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
		if err != nil {
			t.Errorf("%v; run go generate ./internal/docs", err)
			continue
		}
		if string(got) != f.Body {
			t.Errorf("%s is stale; run go generate ./internal/docs", f.Path)
		}
	}
}
