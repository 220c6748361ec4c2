package engine

import (
	"context"
	"testing"

	"weir/design"
	"weir/lint"
)

// TestTourEndsHealthy takes the tour to its end: each fix ends its trap, and at
// the end nothing is found.
func TestTourEndsHealthy(t *testing.T) {
	preset, err := design.FindPreset("five-traps")
	if err != nil {
		t.Fatal(err)
	}
	text := preset.Text
	for i := range traps {
		tour, err := tourTraps(context.Background(), TourIn{Files: []File{{"design.yaml", text}}}, nil)
		if err != nil || !tour.On {
			t.Fatal(tour, err)
		}
		for k, s := range tour.Steps {
			if s.Done != (k < i) || (s.Fix == nil) != s.Done || s.Proof == "" {
				t.Fatalf("before step %d: step %d is %+v", i+1, k+1, s)
			}
		}
		out, err := design.ApplyEdits(design.NewSource("design.yaml", []byte(text)), tour.Steps[i].Fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		text = string(out)
	}
	report := lint.CheckSources([]*design.Source{design.NewSource("design.yaml", []byte(text))}, lint.Options{})
	for _, f := range report.Findings {
		if f.Severity != design.Info {
			t.Errorf("%s: %s\n%s", f.Code, f.Message, text)
		}
	}
}
