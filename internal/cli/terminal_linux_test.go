package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"weir/prove"
)

// openTerminal makes a pseudo-terminal: what is written to slave can be read
// from master.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	return master, slave
}

// onTerminal runs weir with standard output on a terminal.
func onTerminal(t *testing.T, env []string, args ...string) string {
	t.Helper()
	master, slave := openTerminal(t)
	cmd := exec.Command("weir", args...)
	cmd.Env = append(append(os.Environ(), "LC_ALL=C.UTF-8", "TERM=xterm"), env...)
	cmd.Stdout = slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	// Reading ends with an I/O error when the last writer has gone.
	out, _ := io.ReadAll(master)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

func TestColours(t *testing.T) {
	tests := []struct {
		name     string
		env      []string
		coloured bool
	}{
		{"a terminal", []string{"NO_COLOR="}, true},
		{"NO_COLOR", []string{"NO_COLOR=1"}, false},
		{"a dumb terminal", []string{"TERM=dumb"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := onTerminal(t, tt.env, "subjects", "match", "a.*", "a.b")
			if strings.Contains(got, "\x1b[32mtrue\x1b[0m") != tt.coloured || !strings.Contains(got, "true") {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestInterrupted ends a long proof as Ctrl-C does, once its progress is seen.
func TestInterrupted(t *testing.T) {
	subjects := filepath.Join(t.TempDir(), "subjects")
	var b strings.Builder
	for i := range 300_000 {
		fmt.Fprintln(&b, i)
	}
	if err := os.WriteFile(subjects, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"subjects", "matrix", "--prove", "--subjects", subjects}
	for range 22 {
		args = append(args, "-p", ">")
	}
	if stdout := interruptAt(t, "proving: ", args...); !strings.Contains(stdout, "ended early on nats-server") {
		t.Errorf("standard output: %q", stdout)
	}
}

// TestProofInterrupted: what a proof did not come to is neither held nor failed.
func TestProofInterrupted(t *testing.T) {
	proof := filepath.Join(t.TempDir(), "long.txtar")
	const script = "-- claim --\nit takes long\n-- fixed --\nit waits\n-- proof --\nharm \"a stream\"\nstream S subjects=s\nwait 700ms\ncure \"a wait\"\nwait 1m\n"
	if err := os.WriteFile(proof, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	const sign = "3 of 5 steps"
	text := interruptAt(t, sign, "prove", "--proof", proof)
	for _, want := range []string{"✓ harm: a stream", "… cure: a wait (steps 3 to 3), not finished\n", "… wait 1m\n                 not finished\n", "not finished, ended early on nats-server " + prove.ServerVersion + " after 3 steps\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("without %q: %q", want, text)
		}
	}
	if strings.Contains(text, "✗") || strings.Contains(text, "expected") {
		t.Errorf("judged: %q", text)
	}
	var runs []ranProof
	text = interruptAt(t, sign, "prove", "--format", "json", "--proof", proof)
	if err := json.Unmarshal([]byte("["+text+"]"), &runs); err != nil || len(runs) != 1 {
		t.Fatalf("%v: %q", err, text)
	}
	e := runs[0].Evidence
	if !e.Partial || len(e.Claims) != 2 || !e.Claims[0].Held || e.Claims[1].Held || !e.Claims[1].Unfinished || !e.Steps[2].Unfinished {
		t.Errorf("evidence %+v", e)
	}
}

// interruptAt runs weir with a terminal as its standard error, ends it as Ctrl-C does
// once a sign of its progress is seen there, holds it to what is said and to the exit
// code then, and returns its standard output.
func interruptAt(t *testing.T, sign string, args ...string) string {
	t.Helper()
	master, slave := openTerminal(t)
	var stdout strings.Builder
	cmd := exec.Command("weir", args...)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	cmd.Stdout, cmd.Stderr = &stdout, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	seen, signalled := "", false
	buffer := make([]byte, 4096)
	for { // reading ends with an I/O error when the last writer has gone
		n, err := master.Read(buffer)
		seen += string(buffer[:n])
		if !signalled && strings.Contains(seen, sign) {
			signalled = true
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
		}
		if err != nil {
			break
		}
	}
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != ExitTrouble {
		t.Errorf("got %v, want exit code %d", err, ExitTrouble)
	}
	if !strings.Contains(seen, "weir: interrupted") {
		t.Errorf("standard error: %q", seen)
	}
	return stdout.String()
}
