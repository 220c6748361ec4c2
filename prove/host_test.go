package prove

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// testServer is a server that tests run on: with as ScriptOptions.With has it, ""
// for the embedded one.
type testServer struct{ with, version string }

// testServers are the embedded server and those named in WEIR_SERVERS, versions or
// binaries, separated as in PATH. Whoever names one wants it: one that cannot be
// had fails the test.
func testServers(t *testing.T) []testServer {
	t.Helper()
	out := []testServer{{"", ServerVersion}}
	for _, with := range filepath.SplitList(os.Getenv("WEIR_SERVERS")) {
		path, version, err := FindServer(t.Context(), with)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, testServer{path, version})
	}
	return out
}

// leavesNothing fails the test when folders are left in the temporary folder
// or goroutines stay.
func leavesNothing(t *testing.T) {
	t.Helper()
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	leavesNothingIn(t, tmp)
}

// leavesNothingIn does so for a folder that the caller names to the run.
func leavesNothingIn(t *testing.T, tmp string) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		left, err := filepath.Glob(filepath.Join(tmp, "*"))
		if err != nil || len(left) > 0 {
			t.Errorf("left behind: %v %v", left, err)
		}
		if err := waitUntil(context.Background(), 5*time.Second, func() (bool, error) { return runtime.NumGoroutine() <= before, nil }); err != nil {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
	})
}

func TestHosts(t *testing.T) {
	for _, server := range testServers(t) {
		for _, nodes := range []int{1, 3} {
			t.Run(server.version+"/"+string(rune('0'+nodes)), func(t *testing.T) {
				leavesNothing(t)
				h, err := StartHost(t.Context(), Setup{Nodes: nodes}, server.with)
				if err != nil {
					t.Fatal(err)
				}
				defer h.Stop()
				testHost(t, h, nodes)
				if err := h.Stop(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

func testHost(t *testing.T, h Host, nodes int) {
	ctx := t.Context()
	if err := WaitReady(ctx, h); err != nil {
		t.Fatal(err)
	}
	s, err := openSession(ctx, h, 0, hubUser)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.request(ctx, 5*time.Second, "$JS.API.STREAM.CREATE.S", nil, []byte(`{"name":"S","subjects":["a.>"],"num_replicas":`+string(rune('0'+nodes))+`}`))
	if err != nil || !strings.Contains(string(m.data), `"config"`) {
		t.Fatalf("got %s %v", m.data, err)
	}
	m, err = s.request(ctx, 5*time.Second, "a.b", []string{"Nats-Msg-Id: 1"}, []byte("x"))
	if err != nil || !strings.Contains(string(m.data), `"seq":1`) {
		t.Fatalf("got %s %v", m.data, err)
	}
	m, err = s.request(ctx, 5*time.Second, "nobody", nil, nil)
	if err != nil || m.status != 503 {
		t.Errorf("nobody answered %+v %v", m, err)
	}
	s.close()
	node := nodes - 1
	if err := h.Kill(node); err != nil || h.Running(node) {
		t.Fatal(err)
	}
	if _, err := h.Dial(node); err == nil || h.Kill(node) == nil {
		t.Error("a node that is down can be dialled or killed")
	}
	if err := h.Restart(ctx, node); err != nil {
		t.Fatal(err)
	}
	if err := WaitReady(ctx, h); err != nil {
		t.Fatal(err)
	}
	if s, err = openSession(ctx, h, node, hubUser); err != nil {
		t.Fatal(err)
	}
	defer s.close()
	err = waitUntil(ctx, 10*time.Second, func() (bool, error) {
		m, err := s.request(ctx, time.Second, "$JS.API.STREAM.INFO.S", nil, nil)
		return err == nil && strings.Contains(string(m.data), `"messages":1`), nil
	})
	if err != nil {
		t.Errorf("the message is not there after a restart: %v", err)
	}
}

// TestLinksAfterRestart: after a restart nobody is given a connection to the server
// that was there before, whose end may not have been read yet.
func TestLinksAfterRestart(t *testing.T) {
	leavesNothing(t)
	for _, server := range testServers(t) {
		t.Run(server.version, func(t *testing.T) {
			ctx := t.Context()
			h, err := StartHost(ctx, Setup{}, server.with)
			if err != nil {
				t.Fatal(err)
			}
			defer h.Stop()
			l := links{h: h}
			defer l.close()
			before, err := l.as(ctx, hubUser)
			if err != nil {
				t.Fatal(err)
			}
			// As if the goroutine that reads had not come round to it.
			held, read := make(chan struct{}), make(chan struct{})
			before.subscribe("held", "", func(message) { close(held); <-read })
			before.publish("held", "", nil, nil)
			<-held
			if err := errors.Join(h.Kill(0), h.Restart(ctx, 0)); err != nil {
				t.Fatal(err)
			}
			if before.failed() != nil || l.usable(before) {
				t.Errorf("the connection to the server that is gone: %v, usable %v", before.failed(), l.usable(before))
			}
			close(read)
			after, err := l.as(ctx, hubUser)
			if err == nil {
				err = after.flush(ctx)
			}
			if err != nil || after == before {
				t.Errorf("the same connection: %v, error %v", after == before, err)
			}
		})
	}
}

func TestHostEndsWithContext(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithCancel(t.Context())
	h, err := StartHost(ctx, Setup{}, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := openSession(ctx, h, 0, hubUser)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-s.done
	if err := h.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := StartHost(ctx, Setup{}, ""); err == nil {
		t.Error("a server starts after the end of the context")
	}
}

func TestSetupRefuses(t *testing.T) {
	tests := []struct {
		name, want string
		setup      Setup
	}{
		{"nodes", "6 nodes: a proof runs 1 to 5 servers", Setup{Nodes: 6}},
		{"setting", `"monitor_port" is not a setting`, Setup{Conf: []string{"monitor_port: 1"}}},
		{"value", "configure server", Setup{Conf: []string{"max_payload: many"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			leavesNothing(t)
			if _, err := StartHost(t.Context(), tt.setup, ""); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestLeftovers: the folder of a run that was killed is removed by the next, one
// in use is kept.
func TestLeftovers(t *testing.T) {
	leavesNothing(t)
	parent := os.TempDir()
	used, err := newWorkDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	gone, err := newWorkDir(parent)
	if err != nil {
		t.Fatal(err)
	}
	gone.lock.Close()
	foreign := filepath.Join(parent, workDirPrefix+"foreign")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	removeLeftovers(parent)
	for path, want := range map[string]bool{used.path: true, gone.path: false, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v, want there %v", filepath.Base(path), err, want)
		}
	}
	if err := used.remove(); err != nil {
		t.Error(err)
	}
	os.Remove(foreign)
}
