package prove

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/nats-io/nats-server/v2/server"
)

// startWithin is how long a server may take until it answers. An embedded one
// takes some 10 ms; a slow tab is the reason for the rest.
const startWithin = 10 * time.Second

// embedded is a Host of nats-servers inside this process. They handle no signals
// and have no client port: clients come through memory. The nodes of a cluster
// listen for routes on loopback.
type embedded struct {
	setup  Setup
	dir    *workDir // nil without JetStream
	routes []int
	pass   string
	log    []*logLines

	mu      sync.Mutex
	nodes   []*server.Server // nil while a node is down
	started [MaxNodes]int
}

// startEmbedded starts one server with default settings and without users, with
// JetStream or without. The caller stops it.
func startEmbedded(ctx context.Context, jetStream bool) (*embedded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e := &embedded{nodes: make([]*server.Server, 1), log: []*logLines{{}}}
	opts := &server.Options{ServerName: "weir"}
	if jetStream {
		if err := e.makeStore(); err != nil {
			return nil, err
		}
		opts.JetStream, opts.StoreDir = true, e.dir.path
		// Both are set because a server in a tab detects neither.
		opts.JetStreamMaxMemory, opts.JetStreamMaxStore = 256<<20, 256<<20
	}
	if err := e.run(ctx, 0, opts); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e, nil
}

// startNodes starts what a Setup says.
func startNodes(ctx context.Context, setup Setup) (*embedded, error) {
	n := setup.nodes()
	e := &embedded{setup: setup, nodes: make([]*server.Server, n)}
	var err error
	if e.pass, err = newSecret(); err != nil {
		return nil, err
	}
	for i := range n {
		e.log = append(e.log, &logLines{node: i, tell: setup.Log})
	}
	if err := e.makeStore(); err != nil {
		return nil, err
	}
	if n > 1 {
		e.routes, err = freePorts(n)
	}
	for i := 0; i < n && err == nil; i++ {
		err = e.Restart(ctx, i)
	}
	if err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return e, nil
}

func (e *embedded) makeStore() (err error) {
	e.dir, err = newWorkDir(e.setup.Folder)
	return err
}

func (e *embedded) full() bool { return slices.ContainsFunc(e.log, (*logLines).saidDiskFull) }

// Info implements Host.
func (e *embedded) Info() HostInfo {
	kind := "embedded"
	if runtime.GOOS == "js" {
		kind = "tab"
	}
	return HostInfo{Kind: kind, Version: ServerVersion, Nodes: len(e.nodes),
		KillIs: "the server is shut down in good order: it hands over what it leads and syncs its files"}
}

func (e *embedded) secret() string { return e.pass }

func (e *embedded) store() string {
	if e.dir == nil {
		return ""
	}
	return e.dir.path
}

// Restart implements Host.
func (e *embedded) Restart(ctx context.Context, node int) error {
	if e.Running(node) {
		return fmt.Errorf("restart %s: it runs", nodeName(node))
	}
	opts := &server.Options{}
	conf := e.setup.conf(nodeConf{node: node, store: filepath.Join(e.dir.path, nodeName(node)), routes: e.routes, secret: e.pass})
	if err := opts.ProcessConfigString(conf); err != nil {
		return fmt.Errorf("configure server: %w", withoutPlace(err))
	}
	return e.run(ctx, node, opts)
}

// run starts a server in the place of a node.
func (e *embedded) run(ctx context.Context, node int, opts *server.Options) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	opts.NoSigs, opts.DisableJetStreamBanner = true, true
	opts.DontListen = opts.Cluster.Port == 0
	ns, err := server.NewServer(opts)
	if err != nil {
		return fmt.Errorf("make server: %w", err)
	}
	ns.SetLoggerV2(e.log[node], false, false, false)
	if !opts.DontListen {
		if err := listenNowhere(ns); err != nil {
			return err
		}
	}
	ns.Start()
	// A server whose JetStream failed reports fatal and never becomes ready.
	if !ns.ReadyForConnections(startWithin) || opts.JetStream && !ns.JetStreamEnabled() {
		ns.Shutdown()
		ns.WaitForShutdown()
		return fmt.Errorf("start server: not ready within %s; it said: %s", startWithin, e.log[node])
	}
	e.mu.Lock()
	e.nodes[node] = ns
	e.started[node]++
	e.mu.Unlock()
	return nil
}

// checkSetting has the embedded server read a setting, a line in ConfKeys, as it
// would at its start.
func checkSetting(line string) error {
	switch ConfKeys[settingName(line)] {
	case "jetstream":
		line = "jetstream {" + line + "}"
	case "limits":
		line = "jetstream {limits {" + line + "}}"
	}
	var opts server.Options
	return withoutPlace(opts.ProcessConfigString(line))
}

// withoutPlace takes the place, such as ":2:1: ", out of the first error of reading a
// configuration: nobody has seen the text, which was made here.
func withoutPlace(err error) error {
	if err == nil {
		return nil
	}
	said, _, _ := strings.Cut(err.Error(), "\n")
	if _, rest, ok := strings.Cut(said, ": "); ok && strings.HasPrefix(said, ":") {
		said = rest
	}
	return errors.New(said)
}

func (e *embedded) at(node int) *server.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.nodes[node]
}

func (e *embedded) starts(node int) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.started[node]
}

// Running implements Host.
func (e *embedded) Running(node int) bool { return e.at(node) != nil }

// Dial implements Host. Writes to the connection do not wait for the server's
// reads.
func (e *embedded) Dial(node int) (net.Conn, error) {
	ns := e.at(node)
	if ns == nil {
		return nil, fmt.Errorf("dial server: %s is down", nodeName(node))
	}
	conn, err := ns.InProcessConn()
	if err != nil {
		return nil, fmt.Errorf("dial server: %w", err)
	}
	return newBufferedConn(conn), nil
}

// Kill implements Host.
func (e *embedded) Kill(node int) error {
	e.mu.Lock()
	ns := e.nodes[node]
	e.nodes[node] = nil
	e.mu.Unlock()
	if ns == nil {
		return fmt.Errorf("kill %s: it is down", nodeName(node))
	}
	ns.Shutdown()
	ns.WaitForShutdown()
	return nil
}

// Logs implements Host.
func (e *embedded) Logs(node int) string { return e.log[node].String() }

// Stop implements Host.
func (e *embedded) Stop() error {
	for i := range e.nodes {
		if e.Running(i) {
			// A node that is running can be killed.
			_ = e.Kill(i)
		}
	}
	if e.dir == nil {
		return nil
	}
	err := e.dir.remove()
	if e.full() {
		err = errors.Join(ErrDiskFull, err)
	}
	return err
}

// nowhere is a listener that nobody can reach.
type nowhere struct {
	once   sync.Once
	closed chan struct{}
}

// Accept waits until the listener is closed.
func (n *nowhere) Accept() (net.Conn, error) {
	<-n.closed
	return nil, net.ErrClosed
}

// Close ends Accept.
func (n *nowhere) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

// Addr is what the server writes into its INFO.
func (n *nowhere) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// listenNowhere gives a server a client listener that has no port. A server told
// not to listen (DontListen) never starts its routes, because StartRouting waits
// for the client listener, and nothing exported puts another one in; but
// AcceptLoop takes the one that is there (getServerListener, server/server.go,
// v2.15.2).
func listenNowhere(ns *server.Server) error {
	field := reflect.ValueOf(ns).Elem().FieldByName("listener")
	if !field.IsValid() || field.Type() != reflect.TypeFor[net.Listener]() {
		return errors.New("start server: nats-server keeps its client listener elsewhere than in the release that Weir was made for")
	}
	*(*net.Listener)(unsafe.Pointer(field.UnsafeAddr())) = &nowhere{closed: make(chan struct{})}
	return nil
}

// logLines keeps the last warnings and errors of a server for error messages.
// Each line, notices too, is also told.
type logLines struct {
	node  int
	tell  func(node int, level, text string) // nil to tell nobody
	mu    sync.Mutex
	lines []string
	full  bool // a line said that the disk is full
}

func (l *logLines) add(level, format string, v []any) {
	const most = 50
	l.told(level, format, v)
	l.mu.Lock()
	defer l.mu.Unlock()
	line := fmt.Sprintf(format, v...)
	l.full = l.full || saysDiskFull(line)
	l.lines = append(l.lines, line)
	if len(l.lines) > most {
		l.lines = l.lines[len(l.lines)-most:]
	}
}

func (l *logLines) saidDiskFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.full
}

// String joins the lines kept, "nothing" when there are none.
func (l *logLines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.lines) == 0 {
		return "nothing"
	}
	return strings.Join(l.lines, "; ")
}

func (l *logLines) told(level, format string, v []any) {
	if l.tell != nil {
		l.tell(l.node, level, fmt.Sprintf(format, v...))
	}
}

// The levels of server.Logger. Notices and below are not kept.

func (l *logLines) Noticef(format string, v ...any) { l.told("INF", format, v) }
func (l *logLines) Debugf(string, ...any)           {}
func (l *logLines) Tracef(string, ...any)           {}

func (l *logLines) Warnf(format string, v ...any)  { l.add("WRN", format, v) }
func (l *logLines) Errorf(format string, v ...any) { l.add("ERR", format, v) }
func (l *logLines) Fatalf(format string, v ...any) { l.add("FTL", format, v) }

// bufferedConn is a connection whose Write only appends to memory, which a
// goroutine drains. The in-process connection of nats-server is a synchronous
// pipe: where both sides write at once, a plain one stands still until the
// server's write deadline of 10 s has passed.
type bufferedConn struct {
	net.Conn
	mu      sync.Mutex
	wake    sync.Cond
	pending []byte
	err     error // set once nothing can be written any more
}

func newBufferedConn(conn net.Conn) *bufferedConn {
	c := &bufferedConn{Conn: conn}
	c.wake.L = &c.mu
	go c.drain()
	return c
}

// Write appends p and returns at once. An error is that of an earlier write, or
// net.ErrClosed.
func (c *bufferedConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return 0, c.err
	}
	c.pending = append(c.pending, p...)
	c.wake.Signal()
	return len(p), nil
}

// Close closes the connection and drops what has not been written.
func (c *bufferedConn) Close() error {
	c.fail(net.ErrClosed)
	return c.Conn.Close()
}

func (c *bufferedConn) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = errors.Join(c.err, err)
	c.wake.Signal()
}

func (c *bufferedConn) drain() {
	for {
		c.mu.Lock()
		for len(c.pending) == 0 && c.err == nil {
			c.wake.Wait()
		}
		out, err := c.pending, c.err
		c.pending = nil
		c.mu.Unlock()
		if err != nil {
			return
		}
		if _, err := c.Conn.Write(out); err != nil {
			c.fail(err)
			return
		}
	}
}
