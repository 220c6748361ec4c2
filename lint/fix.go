package lint

import (
	"slices"

	"weir/design"
)

// Fixable reports whether a finding has a repair that there is no doubt about;
// one that is a guess is shown and not applied.
func (f Finding) Fixable() bool { return f.Fix != nil && !f.Fix.Guess }

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
