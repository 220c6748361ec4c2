package subject

import "slices"

// Set holds patterns so that those which collide with another one are found
// without a look at each of them. The zero value is an empty set. It is not safe
// for concurrent use.
type Set struct {
	tree     *tree
	patterns []string
	plain    []int32 // those in the tree
	odd      []int32 // with tokens that the tree does not know to compare
	found    []int32
	compared int // pairs that were compared one by one
}

// Len is how many patterns were added.
func (s *Set) Len() int { return len(s.patterns) }

// Add puts a pattern into the set. Its number is how many were there before.
func (s *Set) Add(pattern string) {
	id := int32(len(s.patterns))
	s.patterns = append(s.patterns, pattern)
	if !Valid(pattern) || holdsOddToken(pattern) {
		s.odd = append(s.odd, id)
	} else {
		s.plain = append(s.plain, id)
	}
	if !Valid(pattern) {
		return
	}
	if s.tree == nil {
		s.tree = newTree(0)
	}
	for len(s.tree.next) <= int(id) {
		s.tree.next = append(s.tree.next, 0)
	}
	s.tree.add(pattern, id)
}

// Colliding returns the numbers of the patterns that Collide with one, in
// ascending order. They are good until the next call.
func (s *Set) Colliding(pattern string) []int32 {
	s.found = s.found[:0]
	others := s.odd
	if !Valid(pattern) || holdsOddToken(pattern) {
		others = s.plain
		s.compare(pattern, s.odd)
	} else if s.tree != nil {
		s.found = s.tree.colliding(pattern, s.found)
	}
	s.compare(pattern, others)
	slices.Sort(s.found)
	s.found = slices.Compact(s.found)
	return s.found
}

// steps is the work that the searches so far have taken.
func (s *Set) steps() int {
	if s.tree == nil {
		return s.compared
	}
	return s.compared + s.tree.steps
}

func (s *Set) compare(pattern string, others []int32) {
	s.compared += len(others)
	for _, i := range others {
		if Collide(s.patterns[i], pattern) {
			s.found = append(s.found, i)
		}
	}
}
