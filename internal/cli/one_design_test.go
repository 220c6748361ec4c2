package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weir/design"
)

// TestUnreadableDesigns holds every command that reads designs to the same exit
// codes. A file that is missing, too large or in no notation cannot be used: 2. A
// fault inside of a notation is what weir check and weir fmt look for, so that it
// is a finding there: 1; for the others there is nothing to go on with: 2. Where
// the answer is JSON, no half answer is printed.
func TestUnreadableDesigns(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"good.yaml": "weir: 1\nname: good\nstreams: {A: {subjects: [a.>]}}\n", "prose.yaml": "dear all\n", "prose.json": "[1, 2]",
		"empty.yaml": "", "large.yaml": "weir: 1\n#" + strings.Repeat("x", design.MaxFileBytes), "syntax.yaml": "weir: 1\nstreams: {A: {subjects: [a.>\n",
		"syntax.json": `{"name": "A", "subjects": ["a.>"],}`, "syntax.conf": "jetstream {\n", "unit.yaml": "weir: 1\nstreams: {A: {subjects: [a.>], max_age: 3}}\n",
		"bytes.yaml": "weir: 1\nname: a\xff\n", "wide.yaml": "\xff\xfew\x00e\x00i\x00r\x00", "cut.json": `{"name": "A", "subj`, "folder/readme.txt": "x",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	commands := []string{"check FILE", "check --format json FILE", "check --select CON001 FILE", "fmt --check FILE", "fmt --check --format json FILE", "diff FILE good.yaml", "diff good.yaml FILE",
		"diff --format json FILE good.yaml", "size FILE", "size --format json FILE", "simulate FILE", "simulate --format json FILE", "sweep FILE --vary streams.A.max_msgs=1..3", "tune FILE",
		"advise FILE", "advise --format json FILE", "generate mermaid FILE", "prove FILE", "prove --format json FILE", "report FILE", "showdown core-jetstream FILE"}
	for _, c := range []struct {
		file   string
		fault  bool // inside of a notation
		layout bool // weir fmt does not mind it, and a selection may leave it out
	}{
		{"missing.yaml", false, false}, {"folder", false, false}, {"prose.yaml", false, false}, {"prose.json", false, false}, {"empty.yaml", false, false}, {"large.yaml", false, false},
		{"syntax.yaml", true, false}, {"bytes.yaml", true, false}, {"unit.yaml", true, true}, {"syntax.json", true, true}, {"syntax.conf", true, true}, {"cut.json", true, true}, {"wide.yaml", true, true},
	} {
		for _, command := range commands {
			args := strings.Fields(strings.ReplaceAll(command, "FILE", c.file))
			want := ExitUsage
			if finds := args[0] == "check" || args[0] == "fmt"; finds && c.fault {
				if want = ExitNo; c.layout && (args[0] == "fmt" || args[1] == "--select") {
					continue
				}
			}
			t.Run(strings.Join(args, " "), func(t *testing.T) {
				var out, errors bytes.Buffer
				if got := (&Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errors}).Main(args); got != want {
					t.Errorf("exit code %d, want %d\n%s%s", got, want, out.String(), errors.String())
				}
				if says := out.String() + errors.String(); !strings.Contains(says, c.file) {
					t.Errorf("says nothing of %s: %s", c.file, says)
				}
				if out.Len() > 0 && want == ExitUsage && args[0] != "check" {
					t.Errorf("half an answer: %s", out.String())
				}
			})
		}
	}
}
