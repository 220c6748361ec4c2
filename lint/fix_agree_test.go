package lint

import (
	"fmt"
	"testing"

	"weir/design"
)

// TestFixesAgree applies each fix alone, those that are offered only among them,
// and all that --fix takes together: none brings a warning or an error that was
// not there before. Rules do not look at what the servers refuse, so a fix of a
// refusal beside which something else may be meant is held only to mend that.
func TestFixesAgree(t *testing.T) {
	applied := 0
	eachPage(t, func(t *testing.T, r *Rule, p Page) {
		for _, e := range p.Bad {
			applied += fixesAgree(t, e.Name, e.Plain())
		}
	})
	for _, p := range design.Presets() {
		name := p.Name + ".yaml"
		applied += fixesAgree(t, name, p.Text)
		if p.Name == "five-traps" {
			continue // mutants are made of healthy designs
		}
		healthy, problems := design.Parse(name, []byte(p.Text))
		if problems != nil {
			t.Fatal(problems)
		}
		for _, m := range mutants(healthy) {
			if text, ok := mutate(p.Text, m); ok {
				applied += fixesAgree(t, name, text)
			}
		}
	}
	t.Logf("%d fixes applied", applied)
	if applied < 200 {
		t.Errorf("%d fixes were applied, want at least 200", applied)
	}
}

// fixesAgree counts the fixes that it applied to a text.
func fixesAgree(t *testing.T, name, text string) (applied int) {
	t.Helper()
	before := checkExample(Example{name, text}).Findings
	known := map[string]bool{}
	for _, f := range before {
		known[f.Code+" "+f.Path] = true
	}
	isNew := func(f Finding) bool { return !known[f.Code+" "+f.Path] }
	holds := func(by string, edits []design.Edit, fresh func(Finding) bool) {
		after, err := design.ApplyEdits(design.NewSource(name, []byte(text)), edits)
		if err != nil {
			t.Errorf("%s: %s: %v", name, by, err)
			return
		}
		applied++
		for _, f := range checkExample(Example{name, string(after)}).Findings {
			if f.AtLeast(design.Warning) && fresh(f) {
				t.Errorf("%s: after %s there is %s", name, by, f)
			}
		}
	}
	for _, f := range before {
		if f.Fix != nil && len(f.Fix.Edits) > 0 {
			fresh := isNew
			if f.ErrCode != 0 && f.Fix.Guess {
				fresh = func(g Finding) bool { return g.Code == f.Code && g.Path == f.Path }
			}
			holds(fmt.Sprintf("%s at %s: %s", f.Code, f.Path, f.Fix.Title), f.Fix.Edits, fresh)
		}
	}
	if edits, fixed := Edits(before); len(fixed) > 1 {
		holds("--fix", edits[name], isNew)
	}
	return applied
}
