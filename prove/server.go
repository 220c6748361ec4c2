package prove

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// startWithin is how long a server may take until it answers. An embedded one
// takes some 10 ms; a slow tab is the reason for the rest.
const startWithin = 10 * time.Second

// embedded is a real nats-server inside this process, reachable only through
// dial: it listens nowhere and handles no signals.
type embedded struct {
	ns    *server.Server
	store string // temporary folder of JetStream, "" without
	log   logLines
}

// startEmbedded starts a server with default settings, with JetStream or
// without. The caller stops it.
func startEmbedded(ctx context.Context, jetStream bool) (*embedded, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	e := &embedded{}
	opts := &server.Options{ServerName: "weir", DontListen: true, NoSigs: true}
	if jetStream {
		dir, err := os.MkdirTemp("", "weir-prove-")
		if err != nil {
			return nil, fmt.Errorf("make store: %w", err)
		}
		e.store = dir
		// Both are set because a server in a tab detects neither.
		opts.JetStream, opts.StoreDir, opts.DisableJetStreamBanner = true, dir, true
		opts.JetStreamMaxMemory, opts.JetStreamMaxStore = 256<<20, 256<<20
	}
	ns, err := server.NewServer(opts)
	if err != nil {
		e.stop()
		return nil, fmt.Errorf("make server: %w", err)
	}
	e.ns = ns
	ns.SetLoggerV2(&e.log, false, false, false)
	ns.Start()
	// A server whose JetStream failed reports fatal and never becomes ready.
	if !ns.ReadyForConnections(startWithin) || jetStream && !ns.JetStreamEnabled() {
		lines := e.log.String()
		e.stop()
		return nil, fmt.Errorf("start server: not ready within %s; it said: %s", startWithin, lines)
	}
	return e, nil
}

// dial opens a connection whose writes do not wait for the server's reads.
func (e *embedded) dial() (net.Conn, error) {
	conn, err := e.ns.InProcessConn()
	if err != nil {
		return nil, fmt.Errorf("dial server: %w", err)
	}
	return newBufferedConn(conn), nil
}

// stop ends the server and removes its files. It may be called more than once.
func (e *embedded) stop() error {
	if e.ns != nil {
		e.ns.Shutdown()
		e.ns.WaitForShutdown()
	}
	if e.store == "" {
		return nil
	}
	if err := os.RemoveAll(e.store); err != nil {
		return fmt.Errorf("remove store: %w", err)
	}
	return nil
}

// logLines keeps the last warnings and errors of a server for error messages.
type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *logLines) add(format string, v []any) {
	const most = 50
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fmt.Sprintf(format, v...))
	if len(l.lines) > most {
		l.lines = l.lines[len(l.lines)-most:]
	}
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

// The levels of server.Logger. Notices and below are not kept.

func (l *logLines) Noticef(string, ...any) {}
func (l *logLines) Debugf(string, ...any)  {}
func (l *logLines) Tracef(string, ...any)  {}

func (l *logLines) Warnf(format string, v ...any)  { l.add(format, v) }
func (l *logLines) Errorf(format string, v ...any) { l.add(format, v) }
func (l *logLines) Fatalf(format string, v ...any) { l.add(format, v) }

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
