package subject

import (
	"fmt"
	"sort"
)

// Overlap is a pair of patterns of a set that some subject matches both.
type Overlap struct {
	I int `json:"i"` // index of A in the set, the lower of the two
	J int `json:"j"` // index of B
	Related
}

// FindOverlaps returns the pairs of Valid patterns in a set that overlap, cover
// or equal each other, ordered by I then J, each with witnesses. Invalid
// patterns take part in no pair. At most limit pairs are returned; total counts
// those found, and complete is false when the search stopped early: it gives up
// once it has found ten times the limit, so that a set in which everything
// overlaps stays bounded.
func FindOverlaps(patterns []string, limit int) (pairs []Overlap, total int, complete bool) {
	t := newTree()
	complete = true
	var found []int32
	for j, p := range patterns {
		if !Valid(p) {
			continue
		}
		found = t.colliding(0, p, found[:0])
		sort.Slice(found, func(a, b int) bool { return found[a] < found[b] })
		for _, i := range found {
			total++
			if len(pairs) < limit {
				pairs = append(pairs, Overlap{I: int(i), J: j, Related: Relate(patterns[i], p)})
			}
		}
		if total > 10*limit {
			complete = false
			break
		}
		t.add(p, int32(j))
	}
	sort.SliceStable(pairs, func(a, b int) bool {
		if pairs[a].I != pairs[b].I {
			return pairs[a].I < pairs[b].I
		}
		return pairs[a].J < pairs[b].J
	})
	return pairs, total, complete
}

// colliding collects the patterns of the tree that share a subject with the
// rest of a pattern, from node at on.
func (t *tree) colliding(at int32, pattern string, found []int32) []int32 {
	n := &t.nodes[at]
	found = append(found, n.rest...)
	token, rest, last := cutToken(pattern)
	follow := func(next int32) {
		if last {
			found = append(found, t.nodes[next].ends...)
			return
		}
		found = t.colliding(next, rest, found)
	}
	switch token {
	case Rest:
		return t.below(at, found, false)
	case One:
		for _, next := range n.literal {
			follow(next)
		}
	default:
		if next, ok := n.literal[token]; ok {
			follow(next)
		}
	}
	if n.one != 0 {
		follow(n.one)
	}
	return found
}

// below collects the patterns that end below a node; the node's own ">" have
// been collected by the caller.
func (t *tree) below(at int32, found []int32, own bool) []int32 {
	n := &t.nodes[at]
	if own {
		found = append(append(found, n.ends...), n.rest...)
	}
	for _, next := range n.literal {
		found = t.below(next, found, true)
	}
	if n.one != 0 {
		found = t.below(n.one, found, true)
	}
	return found
}

func cutToken(s string) (token, rest string, last bool) {
	for i := range len(s) {
		if s[i] == '.' {
			return s[:i], s[i+1:], false
		}
	}
	return s, "", true
}

func checkMatrixSize(patterns, subjects int) error {
	switch {
	case patterns > MaxMatrixPatterns:
		return fmt.Errorf("%d patterns are more than %d; split the list", patterns, MaxMatrixPatterns)
	case subjects > MaxMatrixSubjects:
		return fmt.Errorf("%d subjects are more than %d; split the list", subjects, MaxMatrixSubjects)
	case patterns*subjects > MaxMatrixCells:
		return fmt.Errorf("%d x %d cells are more than %d; split the list", patterns, subjects, MaxMatrixCells)
	}
	return nil
}
