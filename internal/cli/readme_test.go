package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the console blocks of README.md in a shell, with this test
// binary as weir, and compares what they print.
func TestReadme(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here to run the README's console blocks in")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "weir")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range strings.Split(string(readme), "```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		for _, step := range strings.Split("\n"+block, "\n$ ")[1:] {
			ran++
			command, want, _ := strings.Cut(step, "\n")
			t.Run(command, func(t *testing.T) {
				cmd := exec.Command(shell, "-c", command)
				cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "LC_ALL=C.UTF-8")
				got, err := cmd.Output()
				if strings.TrimSpace(string(got)) != strings.TrimSpace(want) {
					t.Errorf("%v\n got: %s\nwant: %s", err, got, want)
				}
			})
		}
	}
	if ran == 0 {
		t.Error("README.md has no console block")
	}
}
