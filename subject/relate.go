package subject

import (
	"fmt"
	"strings"
)

// Relation says how the subjects that two patterns match lie to each other.
type Relation string

// The relations of a pattern a to a pattern b.
const (
	Equal    Relation = "equal"    // both match the same subjects
	Covers   Relation = "covers"   // a matches all that b matches, and more
	Covered  Relation = "covered"  // b matches all that a matches, and more
	Overlaps Relation = "overlaps" // some subjects match both, and each has others
	Disjoint Relation = "disjoint" // no subject matches both
)

// Related is the relation of two patterns with subjects that prove it. A
// witness is empty where none exists.
type Related struct {
	A        string   `json:"a"`
	B        string   `json:"b"`
	Relation Relation `json:"relation"`
	Both     string   `json:"both,omitempty"`   // matched by both
	OnlyA    string   `json:"only_a,omitempty"` // matched by A and not by B
	OnlyB    string   `json:"only_b,omitempty"` // matched by B and not by A
	// Refused says that no subject matches both and that servers refuse the two as
	// subjects of streams all the same (10065), see Collide; 2.14.10 does not.
	Refused bool   `json:"refused,omitempty"`
	Why     string `json:"why"`
}

// Relate compares two patterns. Both must be Valid; for others the result is
// Disjoint without witnesses. Two valid patterns are equal only if they are the
// same string, because a wildcard has one spelling at each place.
func Relate(a, b string) Related {
	r := Related{A: a, B: b, Relation: Disjoint}
	for _, p := range []string{a, b} {
		if f := firstFault(p, whitespace); f != nil {
			r.Why = fmt.Sprintf("%q is not a valid pattern: %s", cut(p, maxClip), refusalOf(p, f, "").reason)
			return r
		}
	}
	ta, tb := Tokens(a), Tokens(b)
	r.Both = common(ta, tb)
	r.OnlyA, r.OnlyB = outside(ta, b, tb), outside(tb, a, ta)
	switch {
	case r.Both == "" && Collide(a, b):
		r.Refused = true
		r.Why = whyDisjoint(ta, tb) + "; as subjects of streams servers refuse them all the same (10065), because they look at the first byte of a token only: see Collide"
	case r.Both == "":
		r.Why = whyDisjoint(ta, tb)
	case r.OnlyA == "" && r.OnlyB == "":
		r.Relation, r.Why = Equal, "the same pattern"
	case r.OnlyB == "":
		r.Relation = Covers
		r.Why = fmt.Sprintf("every subject of %s also matches %s; %s matches only %[2]s", clip(b), clip(a), clip(r.OnlyA))
	case r.OnlyA == "":
		r.Relation = Covered
		r.Why = fmt.Sprintf("every subject of %s also matches %s; %s matches only %[2]s", clip(a), clip(b), clip(r.OnlyB))
	default:
		r.Relation = Overlaps
		r.Why = fmt.Sprintf("%s matches both, %s only %s, %s only %s", clip(r.Both), clip(r.OnlyA), clip(a), clip(r.OnlyB), clip(b))
	}
	return r
}

// CoversAll reports whether every subject that b matches is matched by a. Both
// must be Valid.
func CoversAll(a, b string) bool {
	x, y := cursor{s: a}, cursor{s: b}
	for x.next() {
		if !y.next() {
			return false
		}
		switch {
		case x.token == Rest:
			return true
		case y.token == Rest:
			return false
		case x.token == One:
		case x.token != y.token:
			return false
		}
	}
	return !y.next()
}

// Meet reports whether some subject matches both patterns: Relate without its
// witnesses, and without allocating. Both must be Valid.
func Meet(a, b string) bool {
	x, y := cursor{s: a}, cursor{s: b}
	for x.next() {
		if !y.next() {
			return false
		}
		switch {
		case x.token == Rest || y.token == Rest:
			return true
		case x.token == One || y.token == One:
		case x.token != y.token:
			return false
		}
	}
	return !y.next()
}

// common builds a subject that both patterns match, or "".
func common(a, b []string) string {
	var out []string
	fresh := freshTokens(a, b)
	for i := 0; ; i++ {
		aEnd, bEnd := i == len(a), i == len(b)
		switch {
		case aEnd && bEnd:
			return strings.Join(out, Separator)
		case aEnd || bEnd:
			return ""
		}
		x, y := a[i], b[i]
		switch {
		case x == Rest && y == Rest:
			return strings.Join(append(out, fresh()), Separator)
		case x == Rest:
			return strings.Join(append(out, fill(b[i:], fresh)...), Separator)
		case y == Rest:
			return strings.Join(append(out, fill(a[i:], fresh)...), Separator)
		case x == One && y == One:
			out = append(out, fresh())
		case x == One:
			out = append(out, y)
		case y == One || x == y:
			out = append(out, x)
		default:
			return ""
		}
	}
}

// fill makes a literal of pattern tokens.
func fill(pattern []string, fresh func() string) []string {
	out := make([]string, len(pattern))
	for i, t := range pattern {
		if t == One || t == Rest {
			t = fresh()
		}
		out[i] = t
	}
	return out
}

// outside builds a subject that pattern a matches and pattern b does not, or "".
//
// It is enough to try the literals of a with tokens that stand in neither
// pattern, one for each length: b can refuse a subject of a only by its length,
// at a literal of a, or at a literal of b, which a fresh token never equals.
func outside(a []string, b string, tb []string) string {
	longest := len(a)
	if a[len(a)-1] == Rest {
		longest = max(len(a), len(tb)+1)
	}
	for n := len(a); n <= longest; n++ {
		fresh := freshTokens(a, tb)
		w := fill(a, fresh)
		for len(w) < n {
			w = append(w, fresh())
		}
		if s := strings.Join(w, Separator); !Match(b, s) {
			return s
		}
	}
	return ""
}

// freshTokens returns a source of short tokens that stand in none of the
// patterns: a, b, … z, then t26, t27, ….
func freshTokens(patterns ...[]string) func() string {
	used := map[string]bool{}
	for _, p := range patterns {
		for _, t := range p {
			used[t] = true
		}
	}
	n := 0
	return func() string {
		for {
			t := fmt.Sprintf("t%d", n)
			if n < 26 {
				t = string(rune('a' + n))
			}
			n++
			if !used[t] {
				return t
			}
		}
	}
}

// whyDisjoint names the token, or the count of tokens, that keeps two patterns
// apart.
func whyDisjoint(a, b []string) string {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == Rest || y == Rest {
			break
		}
		if x != One && y != One && x != y {
			return fmt.Sprintf("token %d is %q in one and %q in the other", i+1, cut(x, maxClip), cut(y, maxClip))
		}
	}
	return fmt.Sprintf("subjects of %s have %s, of %s %s", clip(strings.Join(a, Separator)), countOf(a), clip(strings.Join(b, Separator)), countOf(b))
}

// countOf says how many tokens the subjects of a pattern have.
func countOf(p []string) string {
	if p[len(p)-1] == Rest {
		return grouped(int64(len(p))) + " or more tokens"
	}
	return plural(len(p), "token")
}
