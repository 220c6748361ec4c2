package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// longestFunction is the most lines of a function: a screen.
const longestFunction = 70

// trackedFiles lists what git tracks, relative to the root, and what is new and
// not ignored.
func trackedFiles(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("git ls-files: %v (not a checkout: nothing to list)", err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func TestFunctionLength(t *testing.T) {
	for _, f := range trackedFiles(t) {
		if !strings.HasSuffix(f, ".go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, filepath.Join("..", "..", f), nil, parser.SkipObjectResolution)
		if err != nil {
			if os.IsNotExist(err) {
				continue
			}
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := set.Position(fn.End()).Line - set.Position(fn.Pos()).Line + 1
			if lines > longestFunction {
				t.Errorf("%s: %s has %d lines, more than %d", set.Position(fn.Pos()), fn.Name.Name, lines, longestFunction)
			}
		}
	}
}

// notOurWords are words that NATS does not use for its things, with what to say
// instead. They are right only where another system is meant, in files that
// foreign lists.
var notOurWords = []struct {
	word *regexp.Regexp
	say  string
}{
	{regexp.MustCompile(`(?i)\bbrokers?\b`), "server"},
	{regexp.MustCompile(`(?i)\bconsumer groups?\b`), "workers of a consumer, or queue group"},
	{regexp.MustCompile(`(?i)\brouting keys?\b`), "subject"},
	{regexp.MustCompile(`\bJetstream\b`), "JetStream"},
	{regexp.MustCompile(`\bNats\b`), "NATS"},
	{regexp.MustCompile(`(?i)\bexactly[- ]once\b`), "what is deduplicated, and where"},
	{regexp.MustCompile(`(?i)\boffsets? of (?:a|the) (?:stream|consumer)\b`), "sequence"},
}

// foreign are the files that quote other systems or list these words.
var foreign = regexp.MustCompile(`^(internal/house/|(?:internal|docs)/showdowns?/(?:testdata/)?nats[-_]kafka|LICENSE$|web/package-lock\.json$|go\.(mod|sum)$|.*/testdata/fuzz/)`)

// quoted are uses that are right: names of headers and symbols, jnats' class among them.
var quoted = regexp.MustCompile(`Nats-[A-Z…"]|\bNats[A-Z(]|client\.Nats;|\bNats\.(?:connect|credentials)`)

func TestWords(t *testing.T) {
	for _, f := range trackedFiles(t) {
		if foreign.MatchString(f) || !textual(f) {
			continue
		}
		body, err := os.ReadFile(filepath.Join("..", "..", f))
		if err != nil {
			continue
		}
		for n, line := range strings.Split(string(body), "\n") {
			line = quoted.ReplaceAllString(line, "")
			for _, w := range notOurWords {
				if m := w.word.FindString(line); m != "" {
					t.Errorf("%s:%d: %q; say %s", f, n+1, m, w.say)
				}
			}
		}
	}
}

func textual(f string) bool {
	switch filepath.Ext(f) {
	case ".go", ".md", ".txtar", ".txt", ".yaml", ".svelte", ".ts", ".html", ".css", ".tsv":
		return true
	}
	return false
}

// TestNoPlaces: nothing that is committed names a place of one machine.
func TestNoPlaces(t *testing.T) {
	place := regexp.MustCompile(`/(?:work|root)/[a-z.]|\.library\b`)
	for _, f := range trackedFiles(t) {
		if !textual(f) && f != "Makefile" && f != ".ci/run" {
			continue
		}
		body, err := os.ReadFile(filepath.Join("..", "..", f))
		if err != nil || f == "internal/house/tidy_test.go" {
			continue
		}
		for n, line := range strings.Split(string(body), "\n") {
			if m := place.FindString(line); m != "" {
				t.Errorf("%s:%d: %q is a place of one machine", f, n+1, m)
			}
		}
	}
}

// TestTestdataIsUsed: each folder named testdata lies beside a test that reads
// it.
func TestTestdataIsUsed(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range trackedFiles(t) {
		before, _, ok := strings.Cut(f, "/testdata/")
		if !ok || seen[before] {
			continue
		}
		seen[before] = true
		tests, err := filepath.Glob(filepath.Join("..", "..", before, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		used := false
		for _, test := range tests {
			body, err := os.ReadFile(test)
			used = used || err == nil && (strings.Contains(string(body), "testdata") || strings.Contains(string(body), "func Fuzz"))
		}
		if !used {
			t.Errorf("%s/testdata is read by no test", before)
		}
	}
}
