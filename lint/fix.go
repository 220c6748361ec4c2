package lint

import (
	"slices"
	"strings"

	"weir/design"
)

// Fixable reports whether a finding has a repair that there is no doubt about;
// one that is a guess is shown and not applied.
func (f Finding) Fixable() bool { return f.Fix != nil && !f.Fix.Guess }

// choice makes a guess of a fix whose remedy names another way out beside it ("write
// discard: old, or leave it out"), which stands behind ", or ": which one is meant
// nobody but the author knows.
func choice(fix *design.Fix, remedy string) *design.Fix {
	if !strings.Contains(remedy, ", or ") {
		return fix
	}
	return guess(fix)
}

// toWrite is a path and the value that a fix writes there.
type toWrite struct{ path, value string }

// oneOf is a fix that is one of several ways out, so that tools offer it and
// never take it by themselves. It is nil where one of the settings has no place
// in the text.
func (f *Facts) oneOf(title string, settings ...toWrite) *design.Fix {
	out := &design.Fix{Title: title, Guess: true}
	for _, s := range settings {
		fix := f.SetFix(title, s.path, s.value)
		if fix == nil {
			return nil
		}
		out.Edits = append(out.Edits, fix.Edits...)
	}
	return out
}

// guess marks a fix beside which something else may be meant just as well; nil
// stays nil.
func guess(fix *design.Fix) *design.Fix {
	if fix != nil {
		fix.Guess = true
	}
	return fix
}

// Edits collects the edits of all fixes by file, and the findings that they are
// of; those that are guesses are left out. Fixes that say the same are taken once.
func Edits(findings []Finding) (byFile map[string][]design.Edit, fixed []Finding) {
	byFile = map[string][]design.Edit{}
	for _, f := range findings {
		if !f.Fixable() || len(f.Fix.Edits) == 0 {
			continue
		}
		news := false
		for _, e := range f.Fix.Edits {
			if !slices.Contains(byFile[e.File], e) {
				byFile[e.File] = append(byFile[e.File], e)
				news = true
			}
		}
		if news {
			fixed = append(fixed, f)
		}
	}
	return byFile, fixed
}
