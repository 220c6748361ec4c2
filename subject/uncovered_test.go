package subject

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestUncovered(t *testing.T) {
	for _, c := range []struct {
		name, pattern string
		others        []string
		want          string
	}{
		{"nothing beside it", "a.*", nil, "a.x"},
		{"the same", "a.>", []string{"a.>"}, ""},
		{"one level only", "a.>", []string{"a.*"}, "a.x.x"},
		{"another token", "a.*", []string{"a.x", "a.b"}, "a.xx"},
		{"all but the literal", "a.b", []string{"a.c", "b.*"}, "a.b"},
		{"two halves of a literal", "a.b", []string{"a.*"}, ""},
		{"crossing", "*.b.*", []string{"a.>", "*.b.c"}, "x.b.x"},
		{"lengths", "a.>", []string{"a.*", "a.*.>"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Uncovered(c.pattern, c.others); got != c.want {
				t.Errorf("Uncovered(%q, %q) = %q, want %q", c.pattern, c.others, got, c.want)
			}
		})
	}
}

// TestUncoveredAgainstEverySubject compares with trying every subject of a small
// alphabet.
func TestUncoveredAgainstEverySubject(t *testing.T) {
	var all []string
	for n, from := 0, []string{""}; n < 5; n++ {
		var next []string
		for _, s := range from {
			for _, token := range []string{"a", "b", "x"} {
				next = append(next, strings.TrimPrefix(s+"."+token, "."))
			}
		}
		all, from = append(all, next...), next
	}
	r := rand.New(rand.NewPCG(1, 2))
	random := func() string {
		tokens := []string{}
		for range 1 + r.IntN(3) {
			tokens = append(tokens, []string{"a", "b", "*"}[r.IntN(3)])
		}
		if r.IntN(3) == 0 {
			tokens[len(tokens)-1] = ">"
		}
		return strings.Join(tokens, ".")
	}
	for range 3000 {
		pattern, others := random(), make([]string, r.IntN(5))
		for i := range others {
			others[i] = random()
		}
		exists := false
		for _, s := range all {
			covered := !Match(pattern, s)
			for _, o := range others {
				covered = covered || Match(o, s)
			}
			exists = exists || !covered
		}
		got := Uncovered(pattern, others)
		if (got != "") != exists {
			t.Fatalf("Uncovered(%q, %q) = %q, and one exists: %v", pattern, others, got, exists)
		}
		if got == "" {
			continue
		}
		ok := Match(pattern, got)
		for _, o := range others {
			ok = ok && !Match(o, got)
		}
		if !ok {
			t.Fatalf("Uncovered(%q, %q) = %q", pattern, others, got)
		}
	}
}

// TestMeet compares Meet with Relate for random patterns.
func TestMeet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() string {
		tokens := []string{}
		for range 1 + r.IntN(4) {
			tokens = append(tokens, []string{"a", "b", "*"}[r.IntN(3)])
		}
		if r.IntN(3) == 0 {
			tokens[len(tokens)-1] = ">"
		}
		return strings.Join(tokens, ".")
	}
	for range 5000 {
		a, b := random(), random()
		if got, want := Meet(a, b), Relate(a, b).Relation != Disjoint; got != want {
			t.Fatalf("Meet(%q, %q) = %v, want %v", a, b, got, want)
		}
	}
}
