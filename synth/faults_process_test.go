//go:build !js

package synth_test

import (
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// patience bounds every wait; machines under load are slow.
const patience = 60 * time.Second

// process is a client under test.
type process struct {
	f     *fault
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *heardOutput
	log   *heardOutput
	ended chan struct{} // closed when the process has gone and all was read
	err   error         // why it ended
}

// heardOutput is what a process printed so far. Something arrives at more after
// each piece.
type heardOutput struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newOutput() *heardOutput { return &heardOutput{more: make(chan struct{}, 1)} }

func (o *heardOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(p)
	select {
	case o.more <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (o *heardOutput) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// lines are the whole lines so far.
func (o *heardOutput) lines() []string {
	text := o.String()
	i := strings.LastIndexByte(text, '\n')
	if i < 0 {
		return nil
	}
	return strings.Split(text[:i], "\n")
}

// run starts a command of the client code.
func (f *fault) run(command, name, url string, env ...string) *process {
	f.Helper()
	p := &process{f: f, out: newOutput(), log: newOutput(), ended: make(chan struct{})}
	p.cmd = exec.Command(f.command[0], append(f.command[1:], command, name)...)
	p.cmd.Dir = f.dir
	p.cmd.Env = append(append(os.Environ(), "NATS_URL="+url, "NATS_PASSWORD=secret"), env...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.log
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		f.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		f.Fatal(err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	f.Cleanup(func() {
		p.cmd.Process.Kill()
		<-p.ended
		if strings.Contains(p.log.String(), "MaxListenersExceededWarning") { // Node's word for listeners that pile up
			f.Errorf("%s %s leaks listeners", command, name)
		}
		if f.Failed() {
			f.Logf("%s %s said:\n%s", command, name, p.log)
		}
	})
	return p
}

// send writes lines to a publisher and says that there are no more. A process that
// is gone does not read them.
func (p *process) send(lines []string) {
	io.WriteString(p.stdin, strings.Join(lines, "\n")+"\n")
	p.stdin.Close()
}

// waitFor waits until the lines so far satisfy a condition, which is asked again
// now and then, because it may look elsewhere as well.
func (p *process) waitFor(enough func(lines []string) bool) {
	p.f.Helper()
	p.until(p.out, func() bool { return enough(p.out.lines()) })
}

func (p *process) until(o *heardOutput, enough func() bool) {
	p.f.Helper()
	late := time.After(patience)
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for !enough() {
		select {
		case <-o.more:
		case <-again.C:
		case <-p.ended:
			if !enough() {
				p.f.Fatalf("the process ended too early: %v\n%s", p.err, p.log)
			}
			return
		case <-late:
			p.f.Fatalf("waited in vain; it printed\n%s\nand said\n%s", p.out, p.log)
		}
	}
}

// wait waits for n lines.
func (p *process) wait(n int) {
	p.f.Helper()
	p.waitFor(func(lines []string) bool { return len(lines) >= n })
}

func (p *process) waitLog(text string) {
	p.f.Helper()
	p.until(p.log, func() bool { return strings.Contains(p.log.String(), text) })
}

func (p *process) signal(s syscall.Signal) {
	p.f.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.f.Fatal(err)
	}
}

func (p *process) kill() {
	p.f.Helper()
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// whole are the whole lines of a process that was killed.
func (p *process) whole() []string { return p.out.lines() }

// gone waits for a process that was told to end, which has to end well.
func (p *process) gone() []string {
	p.f.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.f.Fatalf("it does not end; it said\n%s", p.log)
	}
	if p.err != nil {
		p.f.Errorf("it ended with %v and said\n%s", p.err, p.log)
	}
	return p.out.lines()
}

// leaves waits for a process to end and returns its exit code, which it must choose
// itself: nothing that nobody caught may end it.
func (p *process) leaves() int {
	p.f.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.f.Fatalf("it does not end; it said\n%s", p.log)
	}
	for _, trace := range []string{"Traceback", "node:internal", "goroutine ", "panicked", "Exception in thread", "\n    at "} {
		if strings.Contains(p.log.String(), trace) {
			p.f.Errorf("nobody caught what it ended with:\n%s", p.log)
		}
	}
	return p.cmd.ProcessState.ExitCode()
}

// end waits for a publisher that has read all of its lines.
func (p *process) end() []string {
	p.f.Helper()
	return p.gone()
}

// wire is a way to the server that can swallow what the server answers.
type wire struct {
	f          *fault
	listener   net.Listener
	swallowing atomic.Bool
	mu         sync.Mutex
	open       []net.Conn
}

func (f *fault) wire() *wire {
	f.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	w := &wire{f: f, listener: l}
	go w.accept(f.server.Addr().String())
	f.Cleanup(func() { l.Close(); w.cut() })
	return w
}

func (w *wire) url() string { return "nats://" + w.listener.Addr().String() }

func (w *wire) accept(to string) {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", to)
		if err != nil {
			near.Close()
			continue
		}
		w.mu.Lock()
		w.open = append(w.open, near, far)
		w.mu.Unlock()
		go func() { io.Copy(far, near); far.Close() }()
		go func() { io.Copy(answers{near, w}, far); near.Close() }()
	}
}

// answers writes what the server says, or does not.
type answers struct {
	net.Conn
	w *wire
}

func (a answers) Write(p []byte) (int, error) {
	if a.w.swallowing.Load() {
		return len(p), nil
	}
	return a.Conn.Write(p)
}

func (w *wire) swallow(on bool) { w.swallowing.Store(on) }

// cut closes every connection.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		c.Close()
	}
	w.open = nil
}
