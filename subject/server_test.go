//go:build !js

package subject_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats-server/v2/server/gsl"

	"weir/subject"
)

// generated is how many inputs each TestAgainstServer… compares.
const generated = 50_000

// judge runs a comparison over generated inputs and stops after some failures.
func judge(t *testing.T, seed uint64, compare func(g generator) error) {
	t.Helper()
	g := newGenerator(seed)
	failures := 0
	for i := 0; i < generated && failures < 10; i++ {
		if err := compare(g); err != nil {
			t.Errorf("seed %d, input %d: %v", seed, i, err)
			failures++
		}
	}
}

var seeds = []string{"", ".", "*", ">", "a", "a.b", "a.*", "a.>", "*.b", "a.>.b", "a..b", ".a", "a.", "*x.b", ">x", "a*.b", "a b", "a\tb", "a\n", "\f", "\x00", "\xff", "é.日本", "$JS.API.>", "**", ">>"}

func compareValid(s string) error {
	if got, want := subject.Valid(s), server.IsValidSubject(s); got != want {
		return fmt.Errorf("Valid(%q) = %v, the server's IsValidSubject %v", s, got, want)
	}
	if got, want := subject.ValidLiteral(s), server.IsValidLiteralSubject(s); got != want {
		return fmt.Errorf("ValidLiteral(%q) = %v, the server's IsValidLiteralSubject %v", s, got, want)
	}
	if got, want := subject.Valid(s) && subject.IsLiteral(s), server.IsValidPublishSubject(s); got != want {
		return fmt.Errorf("Valid and IsLiteral(%q) = %v, the server's IsValidPublishSubject %v", s, got, want)
	}
	if got, want := len(subject.Tokens(s)), subject.TokenCount(s); got != want {
		return fmt.Errorf("%d tokens, TokenCount(%q) = %d", got, s, want)
	}
	return nil
}

func FuzzValid(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if err := compareValid(s); err != nil {
			t.Error(err)
		}
	})
}

func TestAgainstServerValid(t *testing.T) {
	judge(t, 1, func(g generator) error {
		if g.oneIn(2) {
			return compareValid(g.pattern())
		}
		return compareValid(g.subject())
	})
}

// routes asks the server's own sublist whether a message on s reaches an
// interest in pattern: gsl is what the server routes to consumers with, and
// takes the same path through the tokens as its Sublist for subscriptions, which
// cannot be filled from outside.
func routes(pattern, s string) (bool, error) {
	list := gsl.NewSimpleSublist()
	if err := list.Insert(pattern, struct{}{}); err != nil {
		return false, err
	}
	return list.HasInterest(s), nil
}

func compareMatch(pattern, s string) error {
	filter := server.SubjectMatchesFilter(s, pattern)
	if got := subject.MatchesFilter(s, pattern); got != filter {
		return fmt.Errorf("MatchesFilter(%q, %q) = %v, the server's SubjectMatchesFilter %v", s, pattern, got, filter)
	}
	got := subject.Match(pattern, s) // no panic, whatever the input
	if !server.IsValidSubject(pattern) || !subject.Publishable(s) {
		return nil
	}
	want, err := routes(pattern, s)
	if err != nil {
		return fmt.Errorf("sublist refuses %q: %v", pattern, err)
	}
	if got != want {
		return fmt.Errorf("Match(%q, %q) = %v, the server routes %v", pattern, s, got, want)
	}
	if got != filter && subject.IsLiteral(s) && !firstByteQuirk(pattern) {
		return fmt.Errorf("Match(%q, %q) = %v, the server's SubjectMatchesFilter %v", pattern, s, got, filter)
	}
	return nil
}

// firstByteQuirk reports whether a token begins with a wildcard and goes on: the
// documented difference between what the server routes and what it checks.
func firstByteQuirk(pattern string) bool {
	for _, t := range strings.Split(pattern, ".") {
		if len(t) > 1 && (t[0] == '*' || t[0] == '>') {
			return true
		}
	}
	return false
}

func FuzzMatch(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i*7+3)%len(seeds)])
		f.Add(s, s)
	}
	f.Add("a.>", "a.b.")
	f.Add("*x", "y")
	f.Add("foo.*", "foo.*")
	f.Fuzz(func(t *testing.T, pattern, s string) {
		if err := compareMatch(pattern, s); err != nil {
			t.Error(err)
		}
	})
}

func TestAgainstServerMatch(t *testing.T) {
	matches := 0
	judge(t, 2, func(g generator) error {
		p := g.pattern()
		s := g.near(p)
		if g.oneIn(8) {
			s = g.subject()
		}
		if subject.Match(p, s) {
			matches++
		}
		return compareMatch(p, s)
	})
	if matches < generated/10 || matches > generated*9/10 {
		t.Errorf("%d of %d generated pairs match: the generator tests one answer only", matches, generated)
	}
}

func compareCollide(a, b string) error {
	want := server.SubjectsCollide(a, b)
	if got := subject.Collide(a, b); got != want {
		return fmt.Errorf("Collide(%q, %q) = %v, the server's SubjectsCollide %v", a, b, got, want)
	}
	if back := server.SubjectsCollide(b, a); back != want {
		return fmt.Errorf("the server's SubjectsCollide(%q, %q) = %v, and %v the other way round", a, b, want, back)
	}
	if !subject.Valid(a) || !subject.Valid(b) {
		return nil
	}
	r := subject.Relate(a, b)
	if got := r.Relation != subject.Disjoint; got != want && !firstByteQuirk(a) && !firstByteQuirk(b) {
		return fmt.Errorf("Relate(%q, %q) = %s, the server's SubjectsCollide %v", a, b, r.Relation, want)
	}
	return witnesses(r)
}

// witnesses checks that the subjects of a relation prove it.
func witnesses(r subject.Related) error {
	type claim struct {
		name, witness string
		a, b, want    bool
	}
	overlap := r.Relation != subject.Disjoint
	onlyA := r.Relation == subject.Covers || r.Relation == subject.Overlaps || !overlap
	onlyB := r.Relation == subject.Covered || r.Relation == subject.Overlaps || !overlap
	for _, c := range []claim{{"both", r.Both, true, true, overlap}, {"only_a", r.OnlyA, true, false, onlyA}, {"only_b", r.OnlyB, false, true, onlyB}} {
		if (c.witness != "") != c.want {
			return fmt.Errorf("Relate(%q, %q) = %s with %s = %q", r.A, r.B, r.Relation, c.name, c.witness)
		}
		if c.witness == "" {
			continue
		}
		if !subject.ValidLiteral(c.witness) || !subject.Publishable(c.witness) {
			return fmt.Errorf("Relate(%q, %q): %s = %q cannot be published", r.A, r.B, c.name, c.witness)
		}
		a, errA := routes(r.A, c.witness)
		b, errB := routes(r.B, c.witness)
		if errA != nil || errB != nil || a != c.a || b != c.b {
			return fmt.Errorf("Relate(%q, %q): %s = %q reaches a: %v %v, b: %v %v", r.A, r.B, c.name, c.witness, a, errA, b, errB)
		}
	}
	return nil
}

func FuzzCollide(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i*5+2)%len(seeds)])
		f.Add(s, s)
	}
	f.Add("*x.>", "b.>")
	f.Add("*.a", ">x.a")
	f.Fuzz(func(t *testing.T, a, b string) {
		if err := compareCollide(a, b); err != nil {
			t.Error(err)
		}
	})
}

func TestAgainstServerCollide(t *testing.T) {
	judge(t, 3, func(g generator) error {
		a := g.pattern()
		return compareCollide(a, g.relative(a))
	})
}

// compareTransform compares acceptance, the error's text and the result, plain and
// strict.
func compareTransform(source, destination, s string) error {
	for _, strict := range []bool{false, true} {
		ours, ourErr := subject.NewTransform(source, destination, subject.TransformOptions{Strict: strict})
		theirs, theirErr := server.NewSubjectTransformWithStrict(source, destination, strict)
		if !sameText(ourErr, theirErr) {
			return fmt.Errorf("NewTransform(%q, %q, strict %v): %v, the server says %v", source, destination, strict, ourErr, theirErr)
		}
		if theirErr != nil {
			continue
		}
		if theirs == nil {
			if ours != nil {
				return fmt.Errorf("NewTransform(%q, %q) is a transform, the server has none", source, destination)
			}
			continue
		}
		want, theirErr := theirs.Match(s)
		got, ourErr := ours.Apply(s, func(int) int { return 0 })
		if !sameText(ourErr, theirErr) {
			return fmt.Errorf("%q -> %q of %q: %v, the server says %v", source, destination, s, ourErr, theirErr)
		}
		if theirErr != nil {
			continue
		}
		if callsRandom(destination) {
			if err := sameButRandom(ours, s, want); err != nil {
				return fmt.Errorf("%q -> %q of %q: %v", source, destination, s, err)
			}
			continue
		}
		if got != want {
			return fmt.Errorf("%q -> %q of %q = %q, the server makes %q", source, destination, s, got, want)
		}
		if again := theirs.TransformSubject(s); again != want && destination != ">" {
			return fmt.Errorf("the server's Match and TransformSubject differ: %q, %q", want, again)
		}
	}
	return nil
}

func sameText(ours, theirs error) bool {
	if ours == nil || theirs == nil {
		return ours == nil && theirs == nil
	}
	return ours.Error() == theirs.Error()
}

func callsRandom(destination string) bool { return strings.Contains(destination, "andom") }

// sameButRandom compares a result of the server with ours token by token; where
// ours depends on the random number, the server's must be a number below the
// bound that ours asked for.
func sameButRandom(tr *subject.Transform, s, want string) error {
	var bounds []int
	low, _ := tr.Apply(s, func(n int) int { bounds = append(bounds, n); return 0 })
	high, _ := tr.Apply(s, func(n int) int { return n - 1 })
	l, h, w := strings.Split(low, "."), strings.Split(high, "."), strings.Split(want, ".")
	if len(l) != len(w) || len(h) != len(w) {
		return fmt.Errorf("%q, the server makes %q", low, want)
	}
	for i := range w {
		if l[i] == h[i] && l[i] == w[i] {
			continue
		}
		top, err := strconv.Atoi(h[i])
		n, err2 := strconv.Atoi(w[i])
		if err != nil || err2 != nil || l[i] != "0" || n < 0 || n > top {
			return fmt.Errorf("token %d is %q to %q, the server makes %q", i+1, l[i], h[i], w[i])
		}
	}
	for _, n := range bounds {
		if n < 1 {
			return fmt.Errorf("asks for a random number below %d", n)
		}
	}
	return nil
}

func FuzzTransform(f *testing.F) {
	for _, seed := range [][3]string{
		{"", "", "a"}, {"foo.*", "bar.$1", "foo.a"}, {"foo.>", "bar.>", "foo.a.b"}, {">", ">", "a..b"}, {"a.*.*", "b.{{wildcard(2)}}.$1", "a.1.2"},
		{"*", "{{partition(3,1)}}", "x"}, {"a", "{{partition(5)}}", "a"}, {"*", "{{ split ( 1 , - ) }}", "-a--b-"}, {"*.*", "{{SplitFromLeft(1,2)}}.{{sliceFromRight(2,2)}}", "12345.abcde"},
		{"*", "{{left(1,2)}}.{{right(1,9)}}.{{random(4)}}", "12345"}, {"*", "{{random(-4)}}", "1"}, {"*", "{{partition(-1,1)}}", "1"}, {"*", "$0.$-1", "x"},
		{"*", "{{x}}{{wildcard(1)}}", "x"}, {"*", "{{wildcard(1)}}\n}}", "x"}, {"foo.>", "{{partition(10,0)}}.>", "foo.1"},
		{"> ", "{{wildcard(1}}", ""}, {"*", "{{split(1,\xff)}}", "\xff\xfe"}, {"*", "{{wildcard(1)}}{{split(1,-)}}", "a-b"}, {"*", "{{partition(4294967296,1)}}", "a"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, source, destination, s string) {
		if err := compareTransform(source, destination, s); err != nil {
			t.Error(err)
		}
	})
}

func TestAgainstServerTransform(t *testing.T) {
	made := 0
	judge(t, 4, func(g generator) error {
		src := g.pattern()
		dst := g.destination(src)
		s := g.near(src)
		if tr, err := subject.NewTransform(src, dst, subject.TransformOptions{}); err == nil {
			if _, err := tr.Apply(s, rand.IntN); err == nil {
				made++
			}
		}
		return compareTransform(src, dst, s)
	})
	if made < generated/20 {
		t.Errorf("only %d of %d generated transforms gave a result", made, generated)
	}
}

func compareMapping(source, destination string) error {
	if ours, theirs := subject.ValidateMapping(source, destination, subject.Release{}), server.ValidateMapping(source, destination); !sameText(ours, theirs) {
		return fmt.Errorf("ValidateMapping(%q, %q): %v, the server says %v", source, destination, ours, theirs)
	}
	return nil
}

func FuzzMapping(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i*3+1)%len(seeds)])
	}
	f.Add("*", "{{left(1,2)}}")
	f.Add("*", "{{wildcard(1)}}.a b")
	f.Add("*", "{{ wildcard(1) }}.>.x")
	f.Fuzz(func(t *testing.T, source, destination string) {
		if err := compareMapping(source, destination); err != nil {
			t.Error(err)
		}
	})
}

func TestAgainstServerMapping(t *testing.T) {
	judge(t, 5, func(g generator) error {
		src := g.pattern()
		return compareMapping(src, g.destination(src))
	})
}

// TestOwnVectorsAgainstServer holds the expectations of the repository's own
// vectors to the server, so that they are facts and not our opinion.
func TestOwnVectorsAgainstServer(t *testing.T) {
	oracles := map[string]func(row map[string]string) (want, got string){
		"subjects-match.tsv": func(row map[string]string) (string, string) {
			if row["oracle"] == "sublist" {
				got, err := routes(row["pattern"], row["subject"])
				return row["expected"], fmt.Sprint(got && err == nil)
			}
			return row["expected"], fmt.Sprint(server.SubjectMatchesFilter(row["subject"], row["pattern"]))
		},
		"subjects-valid.tsv": func(row map[string]string) (string, string) {
			switch {
			case row["oracle"] != "server":
				return "", "" // a library's rule: TestAgainstServerNames
			case row["kind"] == "publish":
				return row["valid"], fmt.Sprint(server.IsValidLiteralSubject(row["subject"]))
			}
			return row["valid"], fmt.Sprint(server.IsValidSubject(row["subject"]))
		},
		"subjects-valid-server.tsv": func(row map[string]string) (string, string) {
			return row["publish_ok"] + row["subscribe_ok"], fmt.Sprint(server.IsValidLiteralSubject(row["subject"])) + fmt.Sprint(server.IsValidSubject(row["subject"]))
		},
		"subjects-collide.tsv": func(row map[string]string) (string, string) {
			return row["collide"], fmt.Sprint(server.SubjectsCollide(row["subject_a"], row["subject_b"]))
		},
		"subjects-subset.tsv": func(row map[string]string) (string, string) {
			return row["expected"], fmt.Sprint(server.SubjectMatchesFilter(row["inner_pattern"], row["covering_pattern"]))
		},
		"subjects-transform.tsv": func(row map[string]string) (string, string) {
			if strings.ContainsAny(row["expected"], "|[") {
				return "", "" // a random number: TestAgainstServerTransform
			}
			return row["expected"], serverTransforms(row)
		},
	}
	for name, oracle := range oracles {
		rows, err := readVectors(filepath.Join("testdata", "vectors", name))
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if want, got := oracle(row); got != want {
				t.Errorf("%s row %d: the server says %s, the file %s: %v", name, i+2, got, want, row)
			}
		}
	}
}

func serverTransforms(row map[string]string) string {
	tr, err := server.NewSubjectTransformWithStrict(row["source_pattern"], row["destination"], !strings.Contains(row["mode"], "plain"))
	if err != nil {
		return "ERROR"
	}
	if row["subject"] == "" {
		return "OK"
	}
	out, err := tr.Match(row["subject"])
	if err != nil {
		return "ERROR"
	}
	return out
}
