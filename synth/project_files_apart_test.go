//go:build apart

package synth

import (
	"errors"
	"os"
	"testing"

	"weir/design"
)

// TestProjectApart: a program without the projects says which one it lacks, and
// writes the client once it is given.
func TestProjectApart(t *testing.T) {
	d, problems := design.Parse("design.yaml", []byte(design.Presets()[0].Text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	for _, target := range []string{"go", "typescript", "python", "rust", "java"} {
		_, err := Generate(target, d)
		var missing *ProjectMissing
		if !errors.As(err, &missing) {
			t.Fatalf("%s: %v", target, err)
		}
		archive, err := os.ReadFile(missing.Name)
		if err != nil {
			t.Fatal(err)
		}
		GiveProject(missing.Name, archive)
		if out, err := Generate(target, d); err != nil || len(out.Files) < 3 {
			t.Errorf("%s: %d files, %v", target, len(out.Files), err)
		}
	}
}
