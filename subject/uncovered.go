package subject

import (
	"slices"
	"strings"
)

// maxUncoveredSteps bounds the search of Uncovered; beyond it the answer is "".
const maxUncoveredSteps = 20_000

// Uncovered returns a subject that pattern matches and none of others does, "" when
// there is none, or when the search had to stop. All must be Valid. With placeholders
// of its own it names tokens x; it looks no further than one token beyond the longest
// pattern, which is where a new answer could be.
func Uncovered(pattern string, others []string) string {
	if slices.ContainsFunc(others, func(o string) bool { return CoversAll(o, pattern) }) {
		return "" // mostly so, and much faster
	}
	s := uncoverer{pattern: strings.Split(pattern, Separator)}
	longest := len(s.pattern)
	for _, o := range others {
		tokens := strings.Split(o, Separator)
		longest = max(longest, len(tokens))
		s.others = append(s.others, tokens)
	}
	s.longest = longest + 1
	active := make([]int, len(others))
	for i := range active {
		active[i] = i
	}
	if !s.search(active) {
		return ""
	}
	return strings.Join(s.found, Separator)
}

type uncoverer struct {
	pattern []string
	others  [][]string
	longest int
	found   []string // tokens so far
	steps   int
}

// search goes on behind the tokens found so far; active are the patterns that
// match these.
func (s *uncoverer) search(active []int) bool {
	if s.steps++; s.steps > maxUncoveredSteps {
		return false
	}
	at := len(s.found)
	open := at >= len(s.pattern)-1 && s.pattern[len(s.pattern)-1] == Rest
	if at >= len(s.pattern) {
		if !slices.ContainsFunc(active, func(i int) bool { return len(s.others[i]) == at }) {
			return true
		}
		if !open {
			return false
		}
	}
	if at >= s.longest {
		return false
	}
	want := One
	if at < len(s.pattern) && s.pattern[at] != Rest {
		want = s.pattern[at]
	}
	for _, token := range s.choices(want, active) {
		if next, all := s.match(active, token); !all {
			s.found = append(s.found, token)
			if s.search(next) {
				return true
			}
			s.found = s.found[:at]
		}
	}
	return false
}

// choices are the tokens worth trying: one that no pattern names, then those that
// the active ones do.
func (s *uncoverer) choices(want string, active []int) []string {
	if want != One {
		return []string{want}
	}
	at := len(s.found)
	var named []string
	for _, i := range active {
		if at < len(s.others[i]) && s.others[i][at] != One && s.others[i][at] != Rest && !slices.Contains(named, s.others[i][at]) {
			named = append(named, s.others[i][at])
		}
	}
	fresh := "x"
	for slices.Contains(named, fresh) {
		fresh += "x"
	}
	return append([]string{fresh}, named...)
}

// match are the active patterns that match one more token; all is true when one
// of them matches whatever follows.
func (s *uncoverer) match(active []int, token string) (next []int, all bool) {
	at := len(s.found)
	for _, i := range active {
		if at >= len(s.others[i]) {
			continue
		}
		switch s.others[i][at] {
		case Rest:
			return nil, true
		case One, token:
			next = append(next, i)
		}
	}
	return next, false
}
