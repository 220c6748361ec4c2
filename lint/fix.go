package lint

import (
	"slices"

	"weir/design"
)

// Edits collects the edits of all fixes by file, and the findings that they are
// of. Fixes that say the same are taken once.
func Edits(findings []Finding) (byFile map[string][]design.Edit, fixed []Finding) {
	byFile = map[string][]design.Edit{}
	for _, f := range findings {
		if f.Fix == nil || len(f.Fix.Edits) == 0 {
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
