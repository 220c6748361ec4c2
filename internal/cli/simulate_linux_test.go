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

// TestLongSimulationsInterrupted ends what would take long as Ctrl-C does, once its
// progress is seen: what it has by then is printed, and said to be a part.
func TestLongSimulationsInterrupted(t *testing.T) {
	const text = `
weir: 1
goals: {latency_p99: 100ms}
streams:
  S: {subjects: [s.>], consumers: {c: {ack_policy: explicit, workers: {count: 2, concurrency: 4, fetch: 4, service_time: {p50: 5ms, p99: 20ms}}}}}
publishers: {p: {subject: s.a, rate: 200/s, mode: async, payload: 100B}}
`
	for _, tt := range []struct {
		name, partial string
		args          []string
	}{
		{"seeds", "Not answered in full: ", []string{"simulate", "--for", "20m", "--seeds", "1000"}},
		{"sweep", " of 1000 variants were simulated: it was interrupted", []string{"sweep", "--for", "20m", "--vary", "streams.S.consumers.c.workers.count=1..1000"}},
		{"tune", "Not answered in full: 0 of 1 consumer was searched to the end: it was interrupted.", []string{"tune", "--for", "6h"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			design := filepath.Join(t.TempDir(), "d.yaml")
			if err := os.WriteFile(design, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			stdout := interruptAt(t, "%", append(tt.args, design)...)
			if !strings.Contains(stdout, tt.partial) || strings.Count(stdout, "\n") < 3 {
				t.Errorf("standard output: %q", stdout)
			}
		})
	}
}
