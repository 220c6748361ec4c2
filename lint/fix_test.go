package lint

import (
	"testing"

	"weir/design"
)

// TestFixesRaiseNothing applies every fix by itself, those that only people take
// too: what was no warning before is none after it. What the servers refuse is not
// checked further, so that its fix brings out what was there all along.
func TestFixesRaiseNothing(t *testing.T) {
	files := map[string]string{}
	for _, p := range design.Presets() {
		files[p.Name] = p.Text
		d, problems := design.Parse(p.Name+".yaml", []byte(p.Text))
		if problems != nil {
			t.Fatal(problems)
		}
		for _, m := range mutants(d) {
			if text, ok := mutate(p.Text, m); ok {
				files[p.Name+" with "+m.name] = text
			}
		}
	}
	for _, r := range Rules() {
		page, err := r.Page()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Bad {
			files[r.Code+" "+e.Name] = e.Plain()
		}
	}
	tried := 0
	for name, text := range files {
		sources := []*design.Source{design.NewSource("design.yaml", []byte(text))}
		before, had := CheckSources(sources, Options{}), map[string]bool{}
		for _, f := range before.Findings {
			had[f.Code+f.Path] = f.Severity != design.Info
		}
		for _, f := range before.Findings {
			if f.Fix == nil || f.Severity == design.Error {
				continue
			}
			tried++
			fixed, err := design.ApplyEdits(sources[0], f.Fix.Edits)
			if err != nil {
				t.Errorf("%s: %s: %v", name, f, err)
				continue
			}
			for _, after := range CheckSources([]*design.Source{design.NewSource("design.yaml", fixed)}, Options{}).Findings {
				if after.Severity != design.Info && !had[after.Code+after.Path] {
					t.Errorf("%s: %q of %s raises %s", name, f.Fix.Title, f, after)
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d fixes were tried", tried)
	}
}
