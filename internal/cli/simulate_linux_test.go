package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSimulateInterrupted ends a run that would take minutes as Ctrl-C does, once
// its first event is written.
func TestSimulateInterrupted(t *testing.T) {
	dir := t.TempDir()
	design, events := filepath.Join(dir, "d.yaml"), filepath.Join(dir, "events")
	const text = `
weir: 1
streams:
  S: {subjects: [s], consumers: {c: {ack_policy: explicit, workers: {count: 2, concurrency: 4, fetch: 4, service_time: 5ms}}}}
publishers: {p: {subject: s, rate: 200/s, mode: async, payload: 100B}}
`
	if err := os.WriteFile(design, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(events, 0o600); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(events, os.O_RDWR, 0) // so that neither end waits for the other
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	var stdout, stderr strings.Builder
	cmd := exec.Command("weir", "simulate", design, "--for", "40d", "--trace", events)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(pipe)
	if _, err := r.ReadString('\n'); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, r)
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != ExitTrouble {
		t.Errorf("got %v, want exit code %d", err, ExitTrouble)
	}
	if !strings.Contains(stderr.String(), "weir: interrupted") {
		t.Errorf("standard error: %q", stderr.String())
	}
	if !strings.Contains(stdout.String(), "Not answered in full: the run ended at ") || !strings.Contains(stdout.String(), "interrupted") {
		t.Errorf("standard output: %q", stdout.String())
	}
}
