//go:build !js

package prove

import (
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
// killed.
const parentOfServers = "WEIR_TEST_PARENT"

func TestMain(m *testing.M) {
	if with := os.Getenv(parentOfServers); with != "" {
		h, err := StartHost(context.Background(), Setup{}, with)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("started", h.(*children).dir.path)
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

// TestServersEndWithParent kills a process that started a server: the server
// must end as well, and the next run must remove what it stored.
func TestServersEndWithParent(t *testing.T) {
	servers := testServers(t)
	if len(servers) == 1 {
		t.Skip("WEIR_SERVERS names no server binary")
	}
	leavesNothing(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), parentOfServers+"="+servers[1].with)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var state, dir string
	if _, err := fmt.Fscan(out, &state, &dir); err != nil || state != "started" {
		t.Fatalf("the parent says %s %s %v", state, dir, err)
	}
	pids, err := os.ReadFile(filepath.Join(dir, pidsFile))
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(pids), &pid); err != nil || !strings.Contains(commandLine(pid), dir) {
		t.Fatalf("process %d of %q: %v", pid, pids, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if diesWithParent() != nil {
		err := waitUntil(t.Context(), 5*time.Second, func() (bool, error) { return !strings.Contains(commandLine(pid), dir), nil })
		if err != nil {
			t.Error("the server outlives its parent")
		}
	}
	removeLeftovers(filepath.Dir(dir))
	if strings.Contains(commandLine(pid), dir) {
		t.Error("the server runs on after the next run has begun")
	}
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
