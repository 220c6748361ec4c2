package subject

import (
	"cmp"
	"slices"
)

// Overlap is a pair of patterns of a set that some subject matches both, or that
// servers refuse as if it did (Related.Refused).
type Overlap struct {
	I int `json:"i"` // index of A in the set, the lower of the two
	J int `json:"j"` // index of B
	Related
}

// maxOverlapSteps bounds the search of FindOverlaps: below a second natively,
// some two under js/wasm.
const maxOverlapSteps = 5_000_000

// FindOverlaps returns the pairs of Valid patterns in a set that overlap, cover
// or equal each other, or that are Refused, ordered by I then J, each with
// witnesses where there are any. Invalid
// patterns take part in no pair. At most limit pairs are returned; total counts
// those found, and complete is false when the search stopped early: once it has
// found more than ten times the limit, after some five million comparisons, or at
// MaxPatternBytes of patterns.
func FindOverlaps(patterns []string, limit int) (pairs []Overlap, total int, complete bool) {
	var set Set
	var numbered []int // index of each pattern of the set
	bytes := 0
	for j, p := range patterns {
		if bytes += len(p); bytes > MaxPatternBytes {
			return sortOverlaps(pairs), total, false
		}
		if !Valid(p) {
			continue
		}
		for _, n := range set.Colliding(p) {
			i := numbered[n]
			total++
			if len(pairs) < limit {
				pairs = append(pairs, Overlap{I: i, J: j, Related: Relate(patterns[i], p)})
			}
		}
		if j < len(patterns)-1 && (total > 10*limit || set.steps() > maxOverlapSteps) {
			return sortOverlaps(pairs), total, false
		}
		set.Add(p)
		numbered = append(numbered, j)
	}
	return sortOverlaps(pairs), total, true
}

func sortOverlaps(pairs []Overlap) []Overlap {
	slices.SortFunc(pairs, func(a, b Overlap) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	return pairs
}

// holdsOddToken reports whether a token merely begins with a wildcard: servers
// that compare first bytes then see collisions where there are none.
func holdsOddToken(pattern string) bool {
	for c := (cursor{s: pattern}); c.next(); {
		if len(c.token) > 1 && looksWild(c.token, false) {
			return true
		}
	}
	return false
}
