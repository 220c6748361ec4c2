//go:build !js

package prove

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// parentOfServers is set in a process that starts servers and waits to be
// killed: ScriptOptions.With, or the word embedded.
const parentOfServers = "WEIR_TEST_PARENT"

func TestMain(m *testing.M) {
	if with := os.Getenv(parentOfServers); with != "" {
		h, err := StartHost(context.Background(), Setup{}, strings.TrimPrefix(with, "embedded"))
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("started", h.store())
		select {}
	}
	// Tests here wait for servers most of the time, whatever the count of CPUs.
	const atOnce = "4"
	flag.Parse()
	if err := flag.Set("test.parallel", atOnce); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestServersEndWithParent kills a process that started a server: the server must
// end as well, and the next run must remove what it stored.
func TestServersEndWithParent(t *testing.T) {
	for _, server := range testServers(t) {
		t.Run(server.version, func(t *testing.T) {
			leavesNothing(t)
			dir := killedParent(t, cmp.Or(server.with, "embedded"))
			var pid int
			if server.with != "" {
				pid = endedWithParent(t, dir)
			}
			if _, err := os.Stat(dir); err != nil {
				t.Errorf("there is nothing to remove: %v", err)
			}
			removeLeftovers(filepath.Dir(dir))
			if pid > 0 && strings.Contains(commandLine(pid), dir) {
				t.Error("the server runs on after the next run has begun")
			}
		})
	}
}

// killedParent starts a process that starts a server, kills it, and returns the
// folder that the server stored in.
func killedParent(t *testing.T, with string) (dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), parentOfServers+"="+with)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var state string
	if _, err := fmt.Fscan(out, &state, &dir); err != nil || state != "started" {
		t.Fatalf("the parent says %s %s %v", state, dir, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return dir
}

// endedWithParent waits until the process that a run noted is gone, where the
// system can end it by itself.
func endedWithParent(t *testing.T, dir string) (pid int) {
	t.Helper()
	pids, err := os.ReadFile(filepath.Join(dir, pidsFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(pids), &pid); err != nil {
		t.Fatalf("processes %q: %v", pids, err)
	}
	if diesWithParent() == nil {
		return pid
	}
	err = waitUntil(t.Context(), 5*time.Second, func() (bool, error) { return !strings.Contains(commandLine(pid), dir), nil })
	if err != nil {
		t.Error("the server outlives its parent")
	}
	return pid
}

func TestFindServerRefuses(t *testing.T) {
	empty := t.TempDir()
	t.Setenv("PATH", empty)
	t.Setenv("WEIR_CACHE", empty)
	script := filepath.Join(empty, "other")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho other 1.2.3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, with, want string }{
		{"no version", "newest", `"newest" is no file and no version`},
		{"a version that never was", "2.13", "2.13"},
		{"another program", script, `"other" does not say that it is a nats-server`},
		{"not here", "2.12.15", "not on PATH and not in the cache, and there is no Go to build it with"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, _, err := FindServer(t.Context(), tt.with); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}
