package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// raceOptions take away the second that the race detector waits at the end of
// each process.
const raceOptions = "atexit_sleep_ms=0"

func TestMain(m *testing.M) {
	os.Setenv("GORACE", raceOptions)
	testscript.Main(m, map[string]func(){
		"weir": func() {
			os.Exit((&Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}).Main(os.Args[1:]))
		},
	})
}

// TestScripts runs the user stories of testdata/script, each weir in a process
// of its own. UPDATE=1 rewrites their goldens.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("LC_ALL", "C.UTF-8")
			e.Setenv("GORACE", raceOptions)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": exitCode,
			"make": makeFile,
		},
	})
}

// exitCode is `code N program args…`: the program must exit with N. Its output
// can be compared as after exec.
func exitCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("run %s: %v", args[1], err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// makeFile is `make FILE N TEXT`: N times TEXT, whose escapes are read and in
// which # stands for the count from 0.
func makeFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: make FILE N TEXT")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := unescape(args[2])
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i)))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o600))
}

// printsFile are the commands whose output is a file of its own format, or none.
var printsFile = map[string]bool{"completion": true, "studio": true, "schema": true, "fmt": true, "report": true}

// TestEveryCommand holds each command to help with three examples, and to
// examples that name the command itself.
func TestEveryCommand(t *testing.T) {
	c := &Command{Stdin: strings.NewReader(""), Stdout: &strings.Builder{}, Stderr: &strings.Builder{}}
	root := c.root()
	for _, family := range root.Commands() {
		commands := append(family.Commands(), family)
		for _, cmd := range commands {
			if cmd.Name() == "help" {
				continue
			}
			if n := strings.Count(cmd.Example, cmd.CommandPath()); n < 3 && !cmd.HasSubCommands() {
				t.Errorf("%s has %d examples of itself, want 3 or more", cmd.CommandPath(), n)
			}
			if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
				t.Errorf("%s: short help %q", cmd.CommandPath(), cmd.Short)
			}
			takesFormat := cmd.Flags().Lookup("format") != nil
			if !takesFormat && !cmd.HasSubCommands() && !printsFile[cmd.Name()] {
				t.Errorf("%s has no --format", cmd.CommandPath())
			}
		}
	}
}

// brokenWriter fails like a full disk.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatFails(t *testing.T) {
	for _, args := range [][]string{
		{"version"}, {"--help"}, {"--version"}, {"help", "subjects"}, {"subjects"}, {"subjects", "match", "--help"}, {"subjects", "match", "a", "a"}, {"subjects", "explain", "a", "--format", "json"},
		{"subjects", "valid", "-"}, {"subjects", "matrix"}, {"completion", "zsh"}, {"check", "-"}, {"new"}, {"schema"}, {"fields", "stream"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var stderr strings.Builder
			c := &Command{Stdin: strings.NewReader(strings.Repeat("a\n", 100_000)), Stdout: brokenWriter{}, Stderr: &stderr}
			if code := c.Main(args); code != ExitTrouble || !strings.Contains(stderr.String(), "no space left") {
				t.Errorf("code %d, %q", code, stderr.String())
			}
		})
	}
}

// brokenReader fails in the middle.
type brokenReader struct{ rows int }

func (r *brokenReader) Read(p []byte) (int, error) {
	if r.rows--; r.rows < 0 {
		return 0, errors.New("input/output error")
	}
	return copy(p, "a\n"), nil
}

func TestInputThatFails(t *testing.T) {
	var stdout, stderr strings.Builder
	c := &Command{Stdin: &brokenReader{rows: 3}, Stdout: &stdout, Stderr: &stderr}
	if code := c.Main([]string{"subjects", "valid", "-"}); code != ExitTrouble || !strings.Contains(stderr.String(), "read standard input: input/output error") {
		t.Errorf("code %d, %q", code, stderr.String())
	}
	if want := strings.Repeat("a\ttrue\n", 3); stdout.String() != want {
		t.Errorf("rows before the fault: %q", stdout.String())
	}
}

func TestDesignThatCannotBeRead(t *testing.T) {
	for _, args := range [][]string{{"check", "-"}, {"fmt", "-"}, {"diff", "-", "-"}} {
		var stdout, stderr strings.Builder
		c := &Command{Stdin: &brokenReader{rows: 3}, Stdout: &stdout, Stderr: &stderr}
		if code := c.Main(args); code != ExitTrouble || !strings.Contains(stderr.String(), "read standard input: input/output error") {
			t.Errorf("%v: code %d, %q", args, code, stderr.String())
		}
	}
}

// answersBetween hands out one row for each answer that was written.
type answersBetween struct {
	rows    []string
	answers *strings.Builder
	t       *testing.T
}

func (a *answersBetween) Read(p []byte) (int, error) {
	given := strings.Count(a.answers.String(), "\n")
	if given == len(a.rows) {
		return 0, errors.New("end of test")
	}
	if given > 0 && !strings.HasSuffix(a.answers.String(), "true\n") {
		a.t.Errorf("answers so far: %q", a.answers.String())
	}
	return copy(p, a.rows[given]), nil
}

// TestBatchAnswersAtOnce: whoever writes one row and waits gets the answer.
func TestBatchAnswersAtOnce(t *testing.T) {
	var stdout, stderr strings.Builder
	c := &Command{Stdin: &answersBetween{[]string{"a.*\ta.b\n", "a\ta\n", ">\tx\n"}, &stdout, t}, Stdout: &stdout, Stderr: &stderr}
	c.Main([]string{"subjects", "match", "-"})
	if want := "a.*\ta.b\ttrue\na\ta\ttrue\n>\tx\ttrue\n"; stdout.String() != want {
		t.Errorf("got %q, want %q; %s", stdout.String(), want, stderr.String())
	}
}

func ExampleCommand_Main() {
	c := &Command{Stdin: strings.NewReader("orders.*\torders.eu\n"), Stdout: os.Stdout, Stderr: os.Stderr}
	fmt.Println(c.Main([]string{"subjects", "match", "-"}) == ExitYes)
	// Output:
	// orders.*	orders.eu	true
	// true
}
