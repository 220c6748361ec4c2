package design

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// TestPlainYAML says which texts the quick reader takes and which it leaves to
// the YAML library.
func TestPlainYAML(t *testing.T) {
	for _, c := range []struct {
		name, text string
		taken      bool
	}{
		{"block", "a:\n  b: 1\n  c:\n    - x\n    - y: 2\n      z: 3\nd:\n- e\nf:\n", true},
		{"flow", "a: {b: [1, 2], c: {}, d: []}  # end\n", true},
		{"flow over lines", "a:\n  b: [1, # one\n      2\n      , 3]\n  c: 1\n", true},
		{"quotes", "a: 'x y'\nb: \"#: [\" # c\n", true},
		{"not ASCII", "# größer → besser\na: ü€😀 # …\n", true},
		{"subjects", "a: orders.{region}.*.>\nb: [a.*, b.>]\nc: $KV.x\n", true},
		{"nothing", "a:\n  # not here\nb: ~\nc: null # x\nd:", true},
		{"empty", "", false},
		{"a scalar", "x", false},
		{"a key twice", "a: 1\na: 2\n", false},
		{"many keys, one twice", strings.Repeat("k: 1\n", 2) + numberedKeys(30), false},
		{"escape", `a: "\n"`, false},
		{"anchor", "a: &x 1\nb: *x\n", false},
		{"tag", "a: !!str 1\n", false},
		{"block scalar", "a: |\n  x\n", false},
		{"two lines", "a: b\n  c\n", false},
		{"two lines in brackets", "a: [b\n  c]\n", false},
		{"tab", "a:\tb\n", false},
		{"CRLF", "a: b\r\n", false},
		{"not closed", "a: [b, c\n", false},
		{"column of the parent", "a: [b,\nc]\n", false},
		{"second colon", "a: b: c\n", false},
		{"deeper without a key", "a: 1\n  b: 2\n", false},
		{"between two columns", "a:\n    b: 1\n  c: 2\n", false},
		{"list behind a value", "a: 1\n- b\n", false},
		{"documents", "a: 1\n---\nb: 2\n", false},
		{"deep", "a: " + strings.Repeat("[", 80) + strings.Repeat("]", 80), false},
		{"merge", "<<: {a: 1}\n", false},
		{"no space before the comment", "a: \"b\"#c\n", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if taken := plainAsLibrary(t, c.text); taken != c.taken {
				t.Errorf("taken = %v, want %v", taken, c.taken)
			}
		})
	}
	for _, p := range Presets() {
		if !plainAsLibrary(t, p.Text) {
			t.Errorf("preset %s is left to the library", p.Name)
		}
	}
}

func numberedKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d: %d\n", i, i)
	}
	return b.String()
}

// TestPlainYAMLRandom does to small texts what people and chance do, and holds
// the quick reader to the library in each. WEIR_PLAIN says how many.
func TestPlainYAMLRandom(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("WEIR_PLAIN"))
	r := rand.New(rand.NewPCG(1, uint64(n)))
	pieces := []string{"a", "b", "c1", "x y", "-1", "~", "null", "''", "'q'", "\"z\"", ":", ": ", " ", "  ", "    ", "\n", "\n", "\n  ", "\n    ", "\n- ", "\n  - ", "- ",
		"[", "]", "{", "}", ", ", ",", "#", " # c", "a: ", "b:\n", "k: {", "l: [", "...", "---", "*", ">", "|", "&a", "!t", "?", "ü", "%", "@", "=", "<<", "a.b.>", "{x}"}
	bases := []string{"a: {b: 1, c: [x, y]}\nd:\n  e: f\n  g:\n    - h\n    - i: 1\n      j: 2\nk: l\n", "a:\n- b\n- c: d\n  e:\n  - f\ng: [\n  h,\n  i: ]\n", ""}
	taken := 0
	for range max(n, 5000) {
		text := bases[r.IntN(len(bases))]
		for range 1 + r.IntN(8) {
			at := r.IntN(len(text) + 1)
			cut := min(len(text), at+max(0, r.IntN(6)-3))
			text = text[:at] + pieces[r.IntN(len(pieces))] + text[cut:]
		}
		if plainAsLibrary(t, text) {
			taken++
		}
	}
	t.Logf("%d taken", taken)
}

// FuzzPlainYAML holds the quick reader to the YAML library: what it reads is
// right, and the same tree in the same places.
func FuzzPlainYAML(f *testing.F) {
	for _, text := range []string{"a: {b: [1, 2]}\nc:\n  - d: e\n    f: 'g'\n  - h\n", "a:\n- b\n- c: 1\nd: # x\n", "a: b:c\nd: x#y -z\n", "[a: b]", "a: {b: }", "a: - b", "? a", "a: {b: c,}\n", "a :b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { plainAsLibrary(t, text) })
}

// plainAsLibrary reads a text with both readers, compares the trees where the
// quick one has one, and reports whether it has.
func plainAsLibrary(t *testing.T, text string) bool {
	t.Helper()
	src := NewSource("f.yaml", []byte(text))
	if checkYAML(src) != nil {
		return false
	}
	got := readPlainYAML(src)
	if got == nil {
		return false
	}
	want, problems := readAnyYAML(src)
	if problems != nil {
		t.Fatalf("the library refuses what was read: %v\n%q", problems, text)
	}
	if difference := unlike(got, want); difference != "" {
		t.Fatalf("%s\n%q", difference, text)
	}
	return true
}

// unlike says where two trees differ, "" where they do not.
func unlike(got, want *Node) string {
	if got.Kind != want.Kind || got.Text != want.Text || got.Quoted != want.Quoted || got.Null != want.Null || got.Start != want.Start || got.End != want.End || got.Src != want.Src ||
		len(got.Keys) != len(want.Keys) || len(got.Items) != len(want.Items) || (got.index == nil) != (want.index == nil) {
		return fmt.Sprintf("got %+v\nwant %+v", *got, *want)
	}
	for i, key := range want.Keys {
		if s := unlike(got.Keys[i], key); s != "" {
			return s
		}
	}
	for i, item := range want.Items {
		if s := unlike(got.Items[i], item); s != "" {
			return s
		}
	}
	return ""
}
