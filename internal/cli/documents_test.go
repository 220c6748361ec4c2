package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocuments runs the console blocks of README.md and of the guides in a
// shell, with this test binary as weir, and compares what they print. The blocks
// of one document share a folder, so that a step finds what an earlier one wrote.
// UPDATE=1 writes what was printed.
func TestDocuments(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here to run the console blocks in")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "weir")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	guides, err := filepath.Glob("../../docs/guides/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatalf("find guides: %d, %v", len(guides), err)
	}
	for _, name := range append(guides, "../../README.md") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if runDocument(t, name, shell, bin) == 0 {
				t.Errorf("%s has no console block", name)
			}
		})
	}
}

// consoleBlocks finds the console blocks of a document, consoleSteps the commands
// of a block with what they print.
var (
	consoleBlocks = regexp.MustCompile("(?s)(```console\n)(.*?)(```)")
	consoleSteps  = regexp.MustCompile(`(?m)^\$ `)
)

// runDocument runs a document's steps and returns how many there were.
func runDocument(t *testing.T, name, shell, bin string) (ran int) {
	before, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	after := consoleBlocks.ReplaceAllStringFunc(string(before), func(block string) string {
		body := consoleBlocks.FindStringSubmatch(block)[2]
		out := "```console\n"
		for _, step := range consoleSteps.Split(body, -1)[1:] {
			ran++
			command, want, _ := strings.Cut(step, "\n")
			cmd := exec.Command(shell, "-c", command)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8")
			got, err := cmd.Output() // exit codes are part of what is shown
			out += "$ " + command + "\n"
			if text := strings.TrimRight(string(got), "\n"); text != "" {
				out += text + "\n"
			}
			if strings.TrimSpace(string(got)) != strings.TrimSpace(want) && os.Getenv("UPDATE") == "" {
				t.Errorf("%s\n%v\n got: %s\nwant: %s", command, err, got, want)
			}
		}
		return out + "```"
	})
	if os.Getenv("UPDATE") != "" && after != string(before) {
		if err := os.WriteFile(name, []byte(after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return ran
}

// TestGuideProgram runs the Go program of the guide to the library.
func TestGuideProgram(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guides/library.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, _ := strings.Cut(string(guide), "```go\n")
	program, rest, ok := strings.Cut(program, "```")
	_, want, shown := strings.Cut(rest, "```text\n")
	want, _, closed := strings.Cut(want, "```")
	if !ok || !shown || !closed {
		t.Fatal("library.md has no program with its output")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil || string(got) != want {
		t.Errorf("%v\n got: %s\nwant: %s", err, got, want)
	}
}
