package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"weir/design"
	"weir/natsapi"
)

// checkCase is an archive of testdata/check: files, and want or "want VERSION"
// for what is said of them. Its comment may hold the lines "targets A B…", and
// "replay" for a design that the real server is asked about as well.
type checkCase struct {
	path    string
	archive *txtar.Archive
	sources []*design.Source
	targets []string
	replay  bool
}

func checkCases(t testing.TB) []checkCase {
	t.Helper()
	paths, err := filepath.Glob("testdata/check/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	var out []checkCase
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		c := checkCase{path: path, archive: archive, targets: []string{""}}
		for line := range strings.Lines(string(archive.Comment)) {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "targets" {
				c.targets = words[1:]
			} else if len(words) == 1 && words[0] == "replay" {
				c.replay = true
			}
		}
		for _, f := range archive.Files {
			if !strings.HasPrefix(f.Name, "want") {
				c.sources = append(c.sources, design.NewSource(f.Name, f.Data))
			}
		}
		out = append(out, c)
	}
	return out
}

// TestCheck holds the findings of testdata/check to their words. UPDATE=1
// rewrites them.
func TestCheck(t *testing.T) {
	for _, c := range checkCases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(c.path), ".txtar"), func(t *testing.T) {
			update := os.Getenv("UPDATE") != ""
			for _, target := range c.targets {
				o := Options{}
				if target != "" {
					o.Target, _ = natsapi.ParseVersion(target)
				}
				got := said(CheckSources(c.sources, o))
				name := strings.TrimSpace("want " + target)
				i := slices.IndexFunc(c.archive.Files, func(f txtar.File) bool { return f.Name == name })
				switch {
				case update && i < 0:
					c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(got)})
				case update:
					c.archive.Files[i].Data = []byte(got)
				case i < 0:
					t.Errorf("no section %q", name)
				case string(c.archive.Files[i].Data) != got:
					t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(string(c.archive.Files[i].Data), got))
				}
			}
			if update {
				if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// said is a report as text, with the titles of fixes.
func said(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		b.WriteString(f.String() + "\n")
		if f.Fix != nil {
			b.WriteString("  fix: " + f.Fix.Title + "\n")
		}
	}
	for _, a := range r.Assumed {
		b.WriteString("note: " + a + "\n")
	}
	return b.String() + r.Sentence() + "\n"
}

// TestUnreadableAlwaysCounts: nothing can be said about a file that cannot be
// read, whatever was selected.
func TestUnreadableAlwaysCounts(t *testing.T) {
	broken := design.NewSource("d.yaml", []byte("weir: 1\nstreams: {A: {subjects: [a]\n"))
	for _, o := range []Options{{Select: []string{"API10052"}}, {Ignore: []string{"FILE001", "error"}}} {
		if r := CheckSources([]*design.Source{broken}, o); len(r.Findings) == 0 {
			t.Errorf("%+v: the file counts as clean", o)
		}
	}
}

// TestMostFindingsOfWhatWasAskedFor: the bound counts what is kept of --select
// and --ignore, not what stands in front of it in the text.
func TestMostFindingsOfWhatWasAskedFor(t *testing.T) {
	var b strings.Builder
	b.WriteString("weir: 1\nstreams:\n")
	for i := range MaxFindings + 100 {
		fmt.Fprintf(&b, "  S%d: {subjects: [s%d.>], max_age: 10ms}\n", i, i)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "  T%d: {subjects: [t%d.>, t%d.a]}\n", i, i, i)
	}
	src := []*design.Source{design.NewSource("d.yaml", []byte(b.String()))}
	count := func(r Report) (n, left int) {
		for _, f := range r.Findings {
			if strings.Contains(f.Message, "more findings are left out") {
				fmt.Sscanf(f.Message, "%d", &left)
				continue
			}
			n++
		}
		return n, left
	}
	for _, c := range []struct {
		name           string
		o              Options
		findings, left int
	}{
		{"all", Options{}, MaxFindings, 110},
		{"all that is refused", Options{Select: []string{"API10052"}}, MaxFindings, 110},
		{"what stands behind", Options{Select: []string{"SUB008"}}, 10, 0},
		{"all but what stands in front", Options{Ignore: []string{"API10052"}, Select: []string{"error"}}, 0, 0},
		{"all but what stands behind", Options{Ignore: []string{"SUB008"}}, MaxFindings, 100},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, left := count(CheckSources(src, c.o))
			if n != c.findings || left != c.left {
				t.Errorf("%d findings and %d left out, want %d and %d", n, left, c.findings, c.left)
			}
		})
	}
}

// TestUnknownPatch: a patch beyond those that were measured is judged as the last of
// them, and the report says so.
func TestUnknownPatch(t *testing.T) {
	for target, want := range map[string]string{
		"2.12.99": "nats-server 2.12.99 is newer than 2.12.15, the last of its kind that Weir knows: it is taken to answer as that one",
		"2.12.15": "", "2.12.3": "",
	} {
		v, err := natsapi.ParseVersion(target)
		if err != nil {
			t.Fatal(err)
		}
		r := CheckSources([]*design.Source{design.NewSource("d.yaml", []byte("weir: 1\nstreams: {A: {subjects: [a]}}\n"))}, Options{Target: v})
		if got := strings.Join(r.Assumed, "\n"); got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}

// TestServerFilesWithoutStreams: sentences about the streams of a design are left out
// where there are none, and no connection is said to hold 0 messages.
func TestServerFilesWithoutStreams(t *testing.T) {
	r := CheckSources([]*design.Source{design.NewSource("x.conf", []byte("max_payload: 100MB\njetstream { store_dir: \"/tmp/x\" }\n"))}, Options{})
	if len(r.Findings) != 3 {
		t.Errorf("%d findings", len(r.Findings))
	}
	for _, f := range r.Findings {
		if strings.Contains(f.Message, " 0 ") {
			t.Errorf("%s", f)
		}
	}
}
