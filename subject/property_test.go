package subject_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"weir/subject"
)

// oracleMatch is matching as one would explain it, token by token.
func oracleMatch(pattern, s []string) bool {
	switch {
	case len(pattern) == 0:
		return len(s) == 0
	case len(s) == 0:
		return false
	case pattern[0] == ">":
		return true
	case pattern[0] == "*" || pattern[0] == s[0]:
		return oracleMatch(pattern[1:], s[1:])
	}
	return false
}

// allOver returns every sequence of 1 to most tokens over an alphabet.
func allOver(alphabet []string, most int) []string {
	level, out := []string{""}, []string(nil)
	for range most {
		var next []string
		for _, s := range level {
			for _, t := range alphabet {
				next = append(next, strings.TrimPrefix(s+"."+t, "."))
			}
		}
		out, level = append(out, next...), next
	}
	return out
}

// TestRelateExhaustive compares the relation of all pairs of patterns up to three
// tokens with what all subjects up to four tokens say. The subjects hold a token
// (c) that no pattern has, which is what makes them enough.
func TestRelateExhaustive(t *testing.T) {
	var patterns []string
	for _, p := range append(allOver([]string{"a", "b*", "*"}, 3), "") {
		if p != "" {
			patterns = append(patterns, p)
		}
		if subject.TokenCount(p) < 3 {
			patterns = append(patterns, strings.TrimPrefix(p+".>", "."))
		}
	}
	subjects := allOver([]string{"a", "b*", "c"}, 4)
	sets := make([][]bool, len(patterns))
	for i, p := range patterns {
		for _, s := range subjects {
			want := oracleMatch(strings.Split(p, "."), strings.Split(s, "."))
			if got := subject.Match(p, s); got != want {
				t.Fatalf("Match(%q, %q) = %v", p, s, got)
			}
			sets[i] = append(sets[i], want)
		}
	}
	for i, a := range patterns {
		for j, b := range patterns {
			want := relationOf(sets[i], sets[j])
			r := subject.Relate(a, b)
			if r.Relation != want {
				t.Fatalf("Relate(%q, %q) = %s, all subjects say %s", a, b, r.Relation, want)
			}
			if got := subject.CoversAll(a, b); got != (want == subject.Equal || want == subject.Covers) {
				t.Fatalf("CoversAll(%q, %q) = %v, relation %s", a, b, got, want)
			}
			checkWitnesses(t, r)
		}
	}
}

func relationOf(a, b []bool) subject.Relation {
	both, onlyA, onlyB := false, false, false
	for i := range a {
		both = both || a[i] && b[i]
		onlyA = onlyA || a[i] && !b[i]
		onlyB = onlyB || !a[i] && b[i]
	}
	switch {
	case !both:
		return subject.Disjoint
	case onlyA && onlyB:
		return subject.Overlaps
	case onlyA:
		return subject.Covers
	case onlyB:
		return subject.Covered
	}
	return subject.Equal
}

func checkWitnesses(t interface{ Fatalf(string, ...any) }, r subject.Related) {
	matches := func(p, s string) bool { return oracleMatch(strings.Split(p, "."), strings.Split(s, ".")) }
	for _, w := range []struct {
		s    string
		a, b bool
	}{{r.Both, true, true}, {r.OnlyA, true, false}, {r.OnlyB, false, true}} {
		if w.s != "" && (matches(r.A, w.s) != w.a || matches(r.B, w.s) != w.b || !subject.ValidLiteral(w.s)) {
			t.Fatalf("Relate(%q, %q): %q is no witness", r.A, r.B, w.s)
		}
	}
	if (r.Both == "") != (r.Relation == subject.Disjoint) {
		t.Fatalf("Relate(%q, %q) = %s, both %q", r.A, r.B, r.Relation, r.Both)
	}
}

var anyToken = rapid.SampledFrom([]string{"a", "b", "foo", "*", "*", "a*", ">x", "t26", "$JS", "é"})

// validPattern draws a pattern that Valid takes.
func validPattern() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		tokens := rapid.SliceOfN(anyToken, 1, 6).Draw(t, "tokens")
		if rapid.Bool().Draw(t, "rest") {
			tokens = append(tokens[1:], ">")
		}
		return strings.Join(tokens, ".")
	})
}

// anyString draws what people paste: patterns, near misses and plain bytes.
func anyString() *rapid.Generator[string] {
	odd := rapid.SliceOfN(rapid.SampledFrom([]string{"a", ".", "..", "*", ">", " ", "\t", "\r", "\n", "\f", "\x00", "\xff", "é", "/", "+", "#", "{{", "}}", "$1", "{{wildcard(1)}}", "orders", "$JS.", "-"}), 0, 12)
	return rapid.OneOf(validPattern(), rapid.Map(odd, func(parts []string) string { return strings.Join(parts, "") }),
		rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return string(b) }))
}

func TestRelateProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := validPattern().Draw(t, "a"), validPattern().Draw(t, "b")
		r, back := subject.Relate(a, b), subject.Relate(b, a)
		checkWitnesses(t, r)
		mirrored := map[subject.Relation]subject.Relation{subject.Covers: subject.Covered, subject.Covered: subject.Covers}
		want := r.Relation
		if m, ok := mirrored[want]; ok {
			want = m
		}
		if back.Relation != want {
			t.Fatalf("Relate(%q, %q) = %s, and %s the other way round", a, b, r.Relation, back.Relation)
		}
		if r.Why == "" {
			t.Fatalf("Relate(%q, %q) does not say why", a, b)
		}
		if (r.Relation == subject.Equal) != (a == b) {
			t.Fatalf("Relate(%q, %q) = %s", a, b, r.Relation)
		}
	})
}

func TestFindOverlapsEqualsAllPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.OneOf(validPattern(), anyString()), 0, 20).Draw(t, "patterns")
		pairs, total, complete := subject.FindOverlaps(patterns, 1000)
		if !complete || total != len(pairs) {
			t.Fatalf("%d pairs, total %d, complete %v", len(pairs), total, complete)
		}
		var want, got [][2]int
		for i := range patterns {
			for j := i + 1; j < len(patterns); j++ {
				if r := subject.Relate(patterns[i], patterns[j]); r.Relation != subject.Disjoint || r.Refused {
					want = append(want, [2]int{i, j})
				}
			}
		}
		for _, p := range pairs {
			got = append(got, [2]int{p.I, p.J})
			if p.Related != subject.Relate(patterns[p.I], patterns[p.J]) {
				t.Fatalf("pair %d, %d: %+v", p.I, p.J, p.Related)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("overlaps %v, all pairs %v", got, want)
		}
	})
}

func TestFindOverlapsStops(t *testing.T) {
	same := slices.Repeat([]string{"a.>"}, 300)
	pairs, total, complete := subject.FindOverlaps(same, 10)
	if len(pairs) != 10 || total <= 100 || total > 500 || complete {
		t.Errorf("%d pairs, total %d, complete %v", len(pairs), total, complete)
	}
	// Each of the second half goes through all of the first half and overlaps none.
	var wide []string
	for i := range 6_000 {
		wide = append(wide, fmt.Sprintf("k%d.*.x", i))
	}
	for i := range 6_000 {
		wide = append(wide, fmt.Sprintf("*.k%d.y", i))
	}
	if pairs, total, complete := subject.FindOverlaps(wide, 1000); complete || total != 0 || len(pairs) != 0 {
		t.Errorf("a quadratic search ran to its end: total %d, complete %v", total, complete)
	}
	long := []string{"a", strings.Repeat("a.", subject.MaxPatternBytes/2) + "b", "a"}
	if _, total, complete := subject.FindOverlaps(long, 1); complete || total != 0 {
		t.Error("more than MaxPatternBytes of patterns were compared")
	}
}

func TestMatrixEqualsMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		patterns := rapid.SliceOfN(rapid.OneOf(validPattern(), anyString()), 0, 70).Draw(t, "patterns")
		subjects := rapid.SliceOfN(rapid.OneOf(validPattern(), anyString()), 0, 20).Draw(t, "subjects")
		m, err := subject.NewMatrix(patterns, subjects)
		if err != nil {
			t.Fatal(err)
		}
		total, byPattern, bySubject := 0, make([]int, len(patterns)), make([]int, len(subjects))
		for i, s := range subjects {
			for j, p := range patterns {
				want := subject.Valid(p) && subject.Publishable(s) && subject.Match(p, s)
				if m.At(i, j) != want {
					t.Fatalf("cell of %q and %q is %v", p, s, m.At(i, j))
				}
				if want {
					total++
					byPattern[j]++
					bySubject[i]++
				}
			}
		}
		if m.Count() != total || !slices.Equal(m.CountByPattern(), byPattern) || !slices.Equal(m.CountBySubject(), bySubject) {
			t.Fatalf("counts %d %v %v, want %d %v %v", m.Count(), m.CountByPattern(), m.CountBySubject(), total, byPattern, bySubject)
		}
	})
}

// TestMatrixInvalid: what is not valid matches nothing, although a walk of its
// tokens might.
func TestMatrixInvalid(t *testing.T) {
	m, err := subject.NewMatrix([]string{">.x", "a.>.b", "a\fb", "a..b", "", ">"}, []string{"a", "a.c", "a\fb", "a..b", "", "a b", "a\r"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.CountByPattern(), []int{0, 0, 0, 0, 0, 3}; !slices.Equal(got, want) {
		t.Errorf("matches by pattern %v, want %v", got, want)
	}
}

func TestMatrixLimits(t *testing.T) {
	for _, c := range []struct {
		name               string
		patterns, subjects []string
		want               string
	}{
		{"patterns", make([]string, subject.MaxMatrixPatterns+1), nil, "100,001 patterns are more than 100,000; split the list"},
		{"subjects", nil, make([]string, subject.MaxMatrixSubjects+1), "1,000,001 subjects are more than 1,000,000; split the list"},
		{"cells", make([]string, 50_000), make([]string, 50_000), "50,000 x 50,000 cells are more than 2,147,483,648; split the list"},
		{"bytes", []string{strings.Repeat("a.", 9<<20)}, nil, "18,874,368 bytes of patterns are more than 16,777,216; split the list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := subject.NewMatrix(c.patterns, c.subjects); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	var zero subject.Matrix
	if zero.Count() != 0 || len(zero.CountByPattern()) != 0 {
		t.Error("the zero matrix is not empty")
	}
}

// checkVerdict holds a verdict to its promises.
func checkVerdict(s string, info subject.ContextInfo, r subject.Release) error {
	v := subject.CheckOn(s, info.Context, r)
	if (v.Error() == nil) != v.Valid || v.Valid != (v.Reason == "") || v.Valid && (v.Place != -1 || len(v.Suggestions) > 0) {
		return fmt.Errorf("contradiction: %+v", v)
	}
	if v.Place < -1 || v.Place > len(s) {
		return fmt.Errorf("place %d of %d bytes: %+v", v.Place, len(s), v)
	}
	for _, try := range v.Suggestions {
		if no := subject.CheckOn(try.Subject, info.Context, r); !no.Valid || try.Subject == s || try.Why == "" {
			return fmt.Errorf("for %q as %s: suggestion %+v is not valid: %s", s, info.Context, try, no.Reason)
		}
	}
	e := subject.Explain(s, info.Context, r)
	at := 0
	for _, tok := range e.Tokens {
		if tok.Start != at || !strings.HasPrefix(s[at:], tok.Text) || tok.Says == "" {
			return fmt.Errorf("token %+v of %q", tok, s)
		}
		at += len(tok.Text) + 1
	}
	if e.Summary == "" || at != len(s)+1 && len(e.Tokens) != subject.MaxExplainTokens {
		return fmt.Errorf("Explain(%q): %d bytes in tokens, summary %q", s, at, e.Summary)
	}
	return nil
}

func TestCheckProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyString().Draw(t, "s")
		info := rapid.SampledFrom(subject.Contexts()).Draw(t, "context")
		r := subject.Release{Major: 2, Minor: rapid.SampledFrom([]int{10, 11, 12, 14, 15}).Draw(t, "minor")}
		if err := checkVerdict(s, info, r); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzExplain judges anything in every context, and as both sides of a match.
func FuzzExplain(f *testing.F) {
	for _, c := range explained {
		f.Add(c.subject, "orders.*")
	}
	for _, c := range matchesExplained {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, info := range subject.Contexts() {
			if err := checkVerdict(a, info, subject.Release{}); err != nil {
				t.Error(err)
			}
		}
		if err := checkMatchExplanation(a, b); err != nil {
			t.Error(err)
		}
		subject.Relate(a, b)
		subject.FindOverlaps([]string{a, b, a}, 10)
	})
}

// FuzzMQTT: a topic that has a subject comes back from it.
func FuzzMQTT(f *testing.F) {
	for _, s := range []string{"", "/", "//", "a/b", "/a/", "a.b", "./", "a/./b", "+/#", "a/#", "*/>", "a b", "\x7f", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		s, err := subject.FromMQTTTopic(in)
		if back := subject.ToMQTTTopic(s); err == nil && back != in {
			t.Errorf("%q -> %q -> %q", in, s, back)
		}
		if err == nil && in != "" && !subject.Publishable(s) {
			t.Errorf("%q -> %q, which nobody receives", in, s)
		}
		filter, ferr := subject.FromMQTTFilter(in)
		if err == nil && (ferr != nil || filter != s) {
			t.Errorf("as a filter %q is %q, %v; as a topic %q", in, filter, ferr, s)
		}
		if parent, ok := subject.MQTTParent(in); ok && parent+".>" != filter {
			t.Errorf("%q: parent %q of %q", in, parent, filter)
		}
		subject.ToMQTTTopic(in)
	})
}

func checkMatchExplanation(p, s string) error {
	e := subject.ExplainMatch(p, s)
	usable := subject.Valid(p) && subject.Publishable(s)
	if e.Valid != usable || e.Match != (usable && subject.Match(p, s)) || e.Summary == "" {
		return fmt.Errorf("ExplainMatch(%q, %q) = %+v", p, s, e)
	}
	if !usable {
		return nil
	}
	decided := 0
	for _, st := range e.Steps {
		if st.State == subject.StepDiffers || st.State == subject.StepMissing || st.State == subject.StepExtra {
			decided++
		}
	}
	if decided > 1 || (decided == 0) != e.Match && len(e.Steps) < subject.MaxExplainTokens {
		return fmt.Errorf("ExplainMatch(%q, %q): match %v with %d deciding steps: %+v", p, s, e.Match, decided, e.Steps)
	}
	for _, try := range e.Try {
		if !subject.Valid(try.Subject) || !subject.Match(try.Subject, s) || try.Subject == p {
			return fmt.Errorf("ExplainMatch(%q, %q) proposes %q", p, s, try.Subject)
		}
	}
	return nil
}

func TestExplainMatchProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if err := checkMatchExplanation(anyString().Draw(t, "pattern"), anyString().Draw(t, "subject")); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDistributeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.StringMatching(`[a-z0-9-]{0,8}`), 0, 50).Draw(t, "keys")
		n, m := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 40).Draw(t, "m")
		d, err := subject.Distribute(keys, n)
		if err != nil {
			t.Fatal(err)
		}
		sum, empty := 0, 0
		for _, c := range d.Counts {
			sum += c
			if c == 0 {
				empty++
			}
		}
		if len(d.Counts) != n || sum != len(keys) || empty != d.Empty || d.Min != slices.Min(d.Counts) || d.Max != slices.Max(d.Counts) {
			t.Fatalf("%d keys over %d: %+v", len(keys), n, d)
		}
		if len(keys) > 0 && math.Abs(d.Skew-float64(d.Max)*float64(n)/float64(len(keys))) > 1e-9 {
			t.Fatalf("skew %v of %+v", d.Skew, d)
		}
		there, err1 := subject.Moves(keys, n, m)
		back, err2 := subject.Moves(keys, m, n)
		same, err3 := subject.Moves(keys, n, n)
		if err1 != nil || err2 != nil || err3 != nil || there.Moved != back.Moved || same.Moved != 0 || there.Moved > len(keys) {
			t.Fatalf("moves %+v, %+v, %+v", there, back, same)
		}
		for _, k := range keys {
			if p := subject.PartitionOf(k, n); p < 0 || p >= n {
				t.Fatalf("PartitionOf(%q, %d) = %d", k, n, p)
			}
		}
	})
	for _, n := range []int{0, -1, 1 << 32, math.MinInt32, subject.MaxPartitions + 1} {
		subject.PartitionOf("key", n) // no panic
		if _, err := subject.Distribute(nil, n); err == nil {
			t.Errorf("Distribute takes %d partitions", n)
		}
		if _, err := subject.Moves(nil, 1, n); err == nil {
			t.Errorf("Moves takes %d partitions", n)
		}
	}
}

// TestMQTTRoundTrip: what an MQTT client publishes reaches another one under the
// same topic.
func TestMQTTRoundTrip(t *testing.T) {
	topic := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"/", "/", ".", "a", "b", "é", "*", ">", "$SYS", "\x00"}), 1, 10),
		func(parts []string) string { return strings.Join(parts, "") })
	rapid.Check(t, func(t *rapid.T) {
		in := topic.Draw(t, "topic")
		s, err := subject.FromMQTTTopic(in)
		if err != nil {
			t.Fatal(err)
		}
		if back := subject.ToMQTTTopic(s); back != in {
			t.Fatalf("%q -> %q -> %q", in, s, back)
		}
		if !subject.Publishable(s) {
			t.Fatalf("%q -> %q, which nobody receives", in, s)
		}
		f, err := subject.FromMQTTFilter(in)
		if err != nil || f != s {
			t.Fatalf("as a filter %q is %q, %v; as a topic %q", in, f, err, s)
		}
		if !subject.Match(s, s) && subject.Valid(s) {
			t.Fatalf("%q does not match itself", s)
		}
	})
}

func TestCardinalityProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(1, 1000), 1, 5).Draw(t, "values")
		template, domains, want := "x", []subject.Domain(nil), int64(1)
		for _, v := range values {
			template += ".*"
			domains = append(domains, subject.Domain{Values: v})
			want *= v
		}
		c, err := subject.CardinalityOf(template, domains)
		if err != nil || c.Subjects != want || c.Capped || len(c.Factors) != len(values)+1 {
			t.Fatalf("CardinalityOf(%q, %v) = %+v, %v, want %d", template, values, c, err, want)
		}
	})
	c, err := subject.CardinalityOf("*.*", []subject.Domain{{Values: math.MaxInt64}, {Values: 2}})
	if err != nil || !c.Capped || c.Subjects != math.MaxInt64 {
		t.Errorf("%+v, %v", c, err)
	}
}
