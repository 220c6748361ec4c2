package prove

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"weir/size"
)

// LatencyOptions are what Latency takes besides Options. The zero value is
// usable.
type LatencyOptions struct {
	Options
	// With is the server to run: "" for the embedded one, else see FindServer.
	With string
	// Folder is where the servers store, "" for the system's temporary folder. The
	// disk that it lies on is what is measured.
	Folder string
	// Each is how long one row is measured, 0 for DefaultLatencyEach.
	Each time.Duration
	// Payload is the size of a message in bytes, 0 for DefaultLatencyPayload.
	Payload int
}

// Defaults of LatencyOptions.
const (
	DefaultLatencyEach    = 500 * time.Millisecond
	DefaultLatencyPayload = 256
)

// LatencyEvidence is the evidence of Latency.
type LatencyEvidence struct {
	Evidence
	Machine Machine      `json:"machine"`
	Payload int          `json:"payload"` // bytes of a message
	Rows    []LatencyRow `json:"rows"`
}

// Machine is what was measured.
type Machine struct {
	System string `json:"system"` // "linux/amd64"
	CPUs   int    `json:"cpus"`
	Disk   string `json:"disk"` // "ext4 on vda1", or why it is not known
	// DiskIsMemory is true where the folder lies in memory, so that file storage
	// was not on a disk.
	DiskIsMemory bool `json:"disk_is_memory,omitempty"`
}

// LatencyRow is one way of publishing. Times are in µs from publish to PubAck.
type LatencyRow struct {
	Replicas     int    `json:"replicas"`
	Storage      string `json:"storage"`
	SyncInterval string `json:"sync_interval"` // "default" (2m) or "always"
	Mode         string `json:"mode"`          // sync: one at a time; async: several unanswered
	Streams      int    `json:"streams"`       // published to at the same time
	InFlight     int    `json:"in_flight"`     // unanswered publishes of each stream
	Messages     int64  `json:"messages"`
	PerSecond    int64  `json:"per_second"`
	P50          int64  `json:"p50_us"`
	P90          int64  `json:"p90_us"`
	P99          int64  `json:"p99_us"`
	P999         int64  `json:"p99_9_us"`
	Max          int64  `json:"max_us"`
}

// asyncInFlight is how many publishes of a stream are unanswered in mode async.
const asyncInFlight = 256

// latencyServers are the servers that rows are measured on, one after the other.
var latencyServers = []struct {
	nodes  int
	always bool
}{{1, false}, {1, true}, {3, false}, {3, true}}

// Latency measures how long a publish takes on this machine: alone and
// replicated, in memory and on its own disk, with the fsync that JetStream does
// by itself (sync_interval, 2 min) and one before each PubAck (always), one at a
// time and many in flight, and what one to eight streams take together.
//
// It is this machine, with servers and client in one process (or on loopback)
// and no network between them: rows compare with each other, not with another
// machine's. It takes some twenty times LatencyOptions.Each. When ctx ends, the
// rows so far come back, marked partial, together with the context's error.
func Latency(ctx context.Context, opt LatencyOptions) (LatencyEvidence, error) {
	if opt.Each <= 0 {
		opt.Each = DefaultLatencyEach
	}
	if opt.Payload <= 0 {
		opt.Payload = DefaultLatencyPayload
	}
	e := LatencyEvidence{Evidence: newEvidence(opt.Options), Payload: opt.Payload}
	e.Machine = Machine{System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU()}
	e.Machine.Disk, e.Machine.DiskIsMemory = diskOf(opt.Folder)
	e.Partial = true
	if opt.Payload > maxPayload {
		return e, &InputError{fmt.Errorf("a payload of %d bytes is more than max_payload, %d", opt.Payload, maxPayload)}
	}
	p := progress{call: opt.Progress}
	total := 0
	for _, s := range latencyServers {
		total += len(latencyRows(s.nodes, s.always))
	}
	for _, s := range latencyServers {
		if err := e.measure(ctx, s.nodes, s.always, opt, func() { p.report(len(e.Rows), total) }); err != nil {
			return e, err
		}
	}
	e.Partial = false
	return e, nil
}

// latencyRows are the rows that are measured on one set of servers.
func latencyRows(nodes int, always bool) []LatencyRow {
	syncs := "default"
	if always {
		syncs = "always"
	}
	row := func(storage, mode string, streams int) LatencyRow {
		inFlight := 1
		if mode == "async" {
			inFlight = asyncInFlight
		}
		return LatencyRow{Replicas: nodes, Storage: storage, SyncInterval: syncs, Mode: mode, Streams: streams, InFlight: inFlight}
	}
	rows := []LatencyRow{row("file", "sync", 1), row("file", "async", 1)}
	if always {
		return rows
	}
	for _, streams := range []int{2, 4, 8} {
		rows = append(rows, row("file", "async", streams))
	}
	return append(rows, row("memory", "sync", 1), row("memory", "async", 1))
}

// measure starts servers and measures their rows.
func (e *LatencyEvidence) measure(ctx context.Context, nodes int, always bool, opt LatencyOptions, done func()) (err error) {
	setup := Setup{Nodes: nodes, Folder: opt.Folder}
	if always {
		setup.Conf = []string{confLine("sync_interval", "always")}
	}
	h, err := startReady(ctx, setup, opt.With)
	if err != nil {
		return err
	}
	defer func() { err = stopped(err, h.Stop()) }()
	e.ranOn(h.Info())
	if err := keepOne(ctx, h); err != nil {
		return err
	}
	for _, row := range latencyRows(nodes, always) {
		m := latencyRun{h: h, row: row, opt: opt, hist: newHistogram()}
		if err := m.run(ctx); err != nil {
			return fmt.Errorf("publish R%d %s %s: %w", row.Replicas, row.Storage, row.Mode, err)
		}
		e.Rows = append(e.Rows, m.row)
		step := e.step(fmt.Sprintf("publish R%d %s, sync_interval %s, %s, %s", row.Replicas, row.Storage, row.SyncInterval, row.Mode, size.Counted(row.Streams, "stream", "streams")), "a PubAck for every message")
		step.OK = true
		step.Figures = []Figure{{"published", m.row.Messages, "messages"}, {"rate", m.row.PerSecond, "messages/s"}, {"p50", m.row.P50, "µs"}, {"p99", m.row.P99, "µs"}}
		done()
	}
	return nil
}

// keepOne makes keepStream's stream before the rows come and go.
func keepOne(ctx context.Context, h Host) error {
	s, err := openSession(ctx, h, firstRunning(h), hubUser)
	if err != nil {
		return err
	}
	defer s.close()
	return s.keepStream(ctx)
}

// latencyRun measures one row.
type latencyRun struct {
	h   Host
	row LatencyRow
	opt LatencyOptions

	mu   sync.Mutex
	hist *hdrhistogram.Histogram
}

func (m *latencyRun) run(ctx context.Context) error {
	l := links{h: m.h}
	defer l.close()
	control, err := l.as(ctx, hubUser)
	if err != nil {
		return err
	}
	for i := range m.row.Streams {
		body := fmt.Appendf(nil, `{"name":"L%d","subjects":["l.%d"],"storage":%q,"num_replicas":%d,"max_bytes":%d}`, i, i, m.row.Storage, m.row.Replicas, maxLatencyBytes)
		if err := m.ask(ctx, control, fmt.Sprintf("STREAM.CREATE.L%d", i), body); err != nil {
			return err
		}
	}
	errs := make([]error, m.row.Streams)
	var wait sync.WaitGroup
	started := time.Now()
	for i := range m.row.Streams {
		wait.Go(func() { errs[i] = m.publish(ctx, fmt.Sprintf("l.%d", i)) })
	}
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	m.fill(time.Since(started))
	for i := range m.row.Streams {
		if err := m.ask(ctx, control, fmt.Sprintf("STREAM.DELETE.L%d", i), nil); err != nil {
			return err
		}
	}
	return nil
}

// maxLatencyBytes bounds each stream of a measurement.
const maxLatencyBytes = 64 << 20

func (m *latencyRun) ask(ctx context.Context, s *session, subject string, body []byte) error {
	a, err := s.api(ctx, answerWithin, subject, body)
	if err == nil && a.silent != "" {
		err = errors.New(a.silent)
	}
	return errors.Join(err, a.asError())
}

// publish publishes to one stream until the time is over, each publisher with a
// connection of its own.
func (m *latencyRun) publish(ctx context.Context, subject string) error {
	s, err := openSession(ctx, m.h, firstRunning(m.h), hubUser)
	if err != nil {
		return err
	}
	defer s.close()
	data := make([]byte, m.opt.Payload)
	type open struct {
		answer <-chan message
		cancel func()
		at     time.Time
	}
	var waiting []open
	take := func() error {
		o := waiting[0]
		waiting = waiting[1:]
		a, err := awaitAck(ctx, s, o.answer, o.cancel, answerWithin)
		if err == nil && a.silent != "" {
			err = errors.New(a.silent)
		}
		if err = errors.Join(err, a.asError()); err == nil {
			m.record(time.Since(o.at))
		}
		return err
	}
	for end := time.Now().Add(m.opt.Each); time.Now().Before(end); {
		answer, cancel := s.ask(subject, nil, data)
		if waiting = append(waiting, open{answer, cancel, time.Now()}); len(waiting) >= m.row.InFlight {
			if err := take(); err != nil {
				return err
			}
		}
	}
	for len(waiting) > 0 {
		if err := take(); err != nil {
			return err
		}
	}
	return nil
}

func (m *latencyRun) record(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	// Beyond the histogram's range is at its end.
	_ = m.hist.RecordValue(min(max(1, d.Microseconds()), m.hist.HighestTrackableValue()))
}

func (m *latencyRun) fill(took time.Duration) {
	h := m.hist
	m.row.Messages, m.row.PerSecond = h.TotalCount(), int64(float64(h.TotalCount())/took.Seconds())
	m.row.P50, m.row.P90, m.row.P99, m.row.P999, m.row.Max = h.ValueAtPercentile(50), h.ValueAtPercentile(90), h.ValueAtPercentile(99), h.ValueAtPercentile(99.9), h.Max()
}
