//go:build !js

package prove

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"
)

// children is a Host of nats-server processes on loopback ports that the system
// picks. Only who knows the password of the run gets in.
type children struct {
	setup   Setup
	binary  string
	version string
	dir     *workDir
	routes  []int
	pass    string

	mu      sync.Mutex
	nodes   []*child // nil while a node is down
	started [MaxNodes]int
}

// child is one running process.
type child struct {
	cmd  *exec.Cmd
	addr string
	gone chan struct{} // closed when the process has ended
}

// startChildren starts a Setup on a server binary.
func startChildren(ctx context.Context, setup Setup, with string) (Host, error) {
	binary, version, err := FindServer(ctx, with)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		h, err := startProcesses(ctx, setup, binary, version)
		if err == nil || ctx.Err() != nil || setup.nodes() == 1 || attempt == startAttempts {
			return h, err
		}
	}
}

func startProcesses(ctx context.Context, setup Setup, binary, version string) (Host, error) {
	n := setup.nodes()
	h := &children{setup: setup, binary: binary, version: version, nodes: make([]*child, n)}
	var err error
	if h.pass, err = newSecret(); err != nil {
		return nil, err
	}
	if h.dir, err = newWorkDir(setup.Folder); err != nil {
		return nil, err
	}
	if n > 1 {
		h.routes, err = freePorts(n)
	}
	for i := 0; i < n && err == nil; i++ {
		err = h.Restart(ctx, i)
	}
	if err != nil {
		return nil, errors.Join(err, h.Stop())
	}
	return h, nil
}

// Info implements Host.
func (h *children) Info() HostInfo {
	return HostInfo{Kind: "child", Version: h.version, Nodes: len(h.nodes), Kills: true, KillIs: "the process is killed (SIGKILL)"}
}

func (h *children) secret() string { return h.pass }

func (h *children) store() string { return h.dir.path }

func (h *children) full() bool {
	for i := range h.nodes {
		if h.log(i).saidDiskFull() {
			return true
		}
	}
	return false
}

func (h *children) folder(node int, name string) string {
	return filepath.Join(h.dir.path, nodeName(node)+name)
}

// Restart implements Host.
func (h *children) Restart(ctx context.Context, node int) error {
	if h.Running(node) {
		return fmt.Errorf("restart %s: it runs", nodeName(node))
	}
	ports := h.folder(node, ".ports")
	if err := errors.Join(os.RemoveAll(ports), os.MkdirAll(ports, 0o700)); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	conf := h.setup.conf(nodeConf{node: node, store: h.folder(node, ""), ports: ports, routes: h.routes, secret: h.pass})
	path := h.folder(node, ".conf")
	if err := os.WriteFile(path, []byte(conf), 0o600); err != nil {
		return fmt.Errorf("start server: %w", err)
	}
	c, err := h.startProcess(node, path)
	if err != nil {
		return err
	}
	c.addr, err = waitForPorts(ctx, c, ports)
	if err != nil {
		c.kill()
		return fmt.Errorf("start server: %w; it said: %s", err, h.Logs(node))
	}
	h.mu.Lock()
	h.nodes[node] = c
	h.started[node]++
	h.mu.Unlock()
	return nil
}

// startProcess starts the server from a goroutine that keeps its thread until
// the process ends: the parent-death signal of Linux is tied to that thread.
func (h *children) startProcess(node int, conf string) (*child, error) {
	log, err := os.OpenFile(h.folder(node, ".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	c := &child{cmd: exec.Command(h.binary, "-c", conf), gone: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = log, log
	c.cmd.SysProcAttr = diesWithParent()
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.cmd.Start()
		log.Close()
		started <- err
		if err == nil {
			// How it ended is in its log.
			_ = c.cmd.Wait()
			close(c.gone)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	pids, err := os.OpenFile(filepath.Join(h.dir.path, pidsFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(pids, c.cmd.Process.Pid)
		err = errors.Join(err, pids.Close())
	}
	if err != nil {
		c.kill()
		return nil, fmt.Errorf("note process: %w", err)
	}
	return c, nil
}

func (c *child) kill() {
	// It may have ended by itself.
	_ = c.cmd.Process.Kill()
	<-c.gone
}

// waitForPorts reads the address of clients from the file that the server
// writes when it listens (ports_file_dir).
func waitForPorts(ctx context.Context, c *child, dir string) (string, error) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(startWithin); time.Now().Before(end); {
		if addr := portsIn(dir); addr != "" {
			return addr, nil
		}
		select {
		case <-ctx.Done():
			return "", context.Cause(ctx)
		case <-c.gone:
			return "", errors.New("the process ended")
		case <-tick.C:
		}
	}
	return "", fmt.Errorf("not ready within %s", startWithin)
}

func portsIn(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.ports"))
	if err != nil || len(files) == 0 {
		return ""
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		return ""
	}
	var ports struct {
		Clients []string `json:"nats"`
	}
	// A file that is being written is read again.
	if json.Unmarshal(text, &ports) != nil || len(ports.Clients) == 0 {
		return ""
	}
	u, err := url.Parse(ports.Clients[0])
	if err != nil {
		return ""
	}
	return u.Host
}

func (h *children) at(node int) *child {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.nodes[node]
}

func (h *children) starts(node int) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.started[node]
}

// Running implements Host.
func (h *children) Running(node int) bool { return h.at(node) != nil }

// Dial implements Host.
func (h *children) Dial(node int) (net.Conn, error) {
	c := h.at(node)
	if c == nil {
		return nil, fmt.Errorf("dial server: %s is down", nodeName(node))
	}
	conn, err := net.DialTimeout("tcp", c.addr, startWithin)
	if err != nil {
		return nil, fmt.Errorf("dial server: %w", err)
	}
	return conn, nil
}

// Kill implements Host.
func (h *children) Kill(node int) error {
	h.mu.Lock()
	c := h.nodes[node]
	h.nodes[node] = nil
	h.mu.Unlock()
	if c == nil {
		return fmt.Errorf("kill %s: it is down", nodeName(node))
	}
	c.kill()
	return nil
}

// Logs implements Host.
func (h *children) Logs(node int) string { return h.log(node).String() }

// log are the last warnings and errors in a node's log.
func (h *children) log(node int) *logLines {
	log := &logLines{}
	text, err := os.ReadFile(h.folder(node, ".log"))
	if err != nil {
		return log
	}
	for line := range strings.Lines(string(text)) {
		for _, level := range []string{"[WRN] ", "[ERR] ", "[FTL] "} {
			if _, said, ok := strings.Cut(line, level); ok {
				log.add("", "%s", []any{strings.TrimSpace(said)})
			}
		}
	}
	return log
}

// Stop implements Host.
func (h *children) Stop() error {
	for i := range h.nodes {
		if h.Running(i) {
			// A node that is running can be killed.
			_ = h.Kill(i)
		}
	}
	full := h.full() // by the logs, which go with the folder
	err := h.dir.remove()
	if full {
		err = errors.Join(ErrDiskFull, err)
	}
	return err
}

// endProcesses ends the servers that a run left behind when it was killed. A
// process is only ended while its command line names the run's folder: the
// number may be another's by now.
func endProcesses(dir string) {
	text, err := os.ReadFile(filepath.Join(dir, pidsFile))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		pid, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil || !strings.Contains(commandLine(pid), dir) {
			continue
		}
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill()
		}
	}
}
