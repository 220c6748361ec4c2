//go:build !js

package size

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestAgainstServer fills a real nats-server, in this process and without a
// port, with a grid of streams of its own, and holds the model to what the
// server reports, what lies on disk after a clean stop, and what Go's heap says.
// WEIR_SIZING=full
// writes five times as much and looks at idle RAFT groups and connections as well;
// UPDATE=1 rewrites measured.tsv.
func TestAgainstServer(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("fills real servers for about a minute, and weighs their heap: not with -short, and not under the race detector, which slows it and has a heap of its own")
	}
	full := os.Getenv("WEIR_SIZING") == "full"
	var cells []Cell
	for _, cipher := range []Cipher{NoCipher, ChaCha, AES} {
		cells = append(cells, measureStreams(t, cipher, fileGrid(cipher, full))...)
	}
	cells = append(cells, measureMemory(t, full)...)
	cells = append(cells, measureDedup(t, full)...)
	cells = append(cells, measureSubjects(t)...)
	cells = append(cells, measureIdle(t)...)
	cells = append(cells, measureCluster(t, full)...)
	cells = append(cells, measureDedupPeak(t)...)
	judgeCells(t, cells)
	if os.Getenv("UPDATE") == "1" {
		text := gridColumns + "\n"
		for _, c := range cells {
			text += c.row() + "\n"
		}
		if err := os.WriteFile("measured.tsv", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// spec is a stream to fill: how it is configured, and what is written to it.
type spec struct {
	name string
	// in is the model's input: Messages is how many are written.
	in Stream
	// json writes compressible payloads instead of random ones.
	json bool
	// kept is how many messages the server keeps; 0 is all.
	kept float64
	// deletes removes this many messages from the middle.
	deletes int
	// fetched is how many messages each consumer takes and does not acknowledge.
	fetched int
}

// fileGrid is what is written to a file store: other sizes, header blocks and
// subjects than the vectors have.
func fileGrid(c Cipher, full bool) []spec {
	scale := 1.0
	if full {
		scale = 5
	}
	in := func(subject, header, payload, subjects, messages float64, change ...func(*Stream)) Stream {
		s := Stream{Cipher: c, Message: Message{Subject: subject, Header: header, Payload: payload}, Subjects: SubjectSet{Count: subjects}, Messages: messages * scale}
		for _, f := range change {
			f(&s)
		}
		return s
	}
	if c != NoCipher {
		return []spec{
			{name: string(c) + " 300 B", in: in(17, 0, 300, 50, 40_000)},
			{name: string(c) + " 60 KiB", in: in(33, 120, 61_440, 1, 150)},
		}
	}
	s2 := func(s *Stream) { s.Compression = S2 }
	grid := []spec{
		{name: "40 B", in: in(7, 0, 40, 1, 120_000)},
		{name: "40 B, headers", in: in(23, 37, 40, 5_000, 100_000)},
		{name: "300 B, long subjects", in: in(60, 0, 300, 50, 50_000)},
		{name: "700 B, many subjects", in: in(23, 120, 700, 30_000, 30_000)},
		{name: "5,000 B", in: in(9, 37, 5_000, 1, 4_000)},
		{name: "60 KiB", in: in(9, 0, 61_440, 5, 300)},
		{name: "300 B, s2, JSON", in: in(23, 0, 300, 50, 90_000, s2), json: true},
		{name: "1,500 B, s2, JSON, ids", in: in(23, 80, 1_500, 50, 20_000, s2, func(s *Stream) { s.Message.ID = 36 }), json: true},
		{name: "300 B, s2, random", in: in(23, 0, 300, 50, 60_000, s2)},
		{name: "max_bytes 10 MB", in: in(11, 0, 200, 1, 100_000, func(s *Stream) { s.MaxBytes = 10_000_000 })},
		{name: "max_msgs 20,000", in: in(11, 0, 200, 1, 100_000, func(s *Stream) { s.MaxMsgs = 20_000 }), kept: 20_000},
		{name: "one message a subject", in: in(20, 0, 150, 2_000, 100_000, func(s *Stream) { s.MaxMsgsPerSubject = 1 }), kept: 2_000},
		{name: "300 B, 2,000 deleted", in: in(20, 0, 300, 1, 40_000), deletes: 2_000},
		{name: "40 B, 3 consumers", in: in(12, 0, 40, 1, 50_000, func(s *Stream) { s.Consumers = make([]Consumer, 3) }), fetched: 700},
	}
	if full {
		grid = append(grid, spec{name: "1 MB", in: in(9, 0, 1_000_000, 1, 40)}, spec{name: "3 B", in: in(5, 0, 3, 1, 400_000)})
	}
	return grid
}

// inProcess starts a server without a port and connects to it.
func inProcess(t *testing.T, c Cipher) (*server.Server, *nats.Conn, string) {
	t.Helper()
	dir := t.TempDir()
	o := &server.Options{DontListen: true, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true}
	if c != NoCipher {
		o.JetStreamKey = "a key for a test"
		o.JetStreamCipher = map[Cipher]server.StoreCipher{ChaCha: server.ChaCha, AES: server.AES}[c]
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return s, nc, dir
}

// eventually waits for a condition of the server.
func eventually(t *testing.T, what string, within time.Duration, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	end := time.After(within)
	for !ok() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("waited %v for %s", within, what)
		}
	}
}

// config is the stream configuration of a spec.
func (s spec) config(name string) *nats.StreamConfig {
	c := &nats.StreamConfig{Name: name, Subjects: []string{name + ".>"}, MaxMsgs: s.in.MaxMsgs, MaxBytes: s.in.MaxBytes, MaxMsgsPerSubject: s.in.MaxMsgsPerSubject}
	if c.MaxMsgs == 0 {
		c.MaxMsgs = -1
	}
	if c.MaxBytes == 0 {
		c.MaxBytes = -1
	}
	if s.in.storage() == Memory {
		c.Storage = nats.MemoryStorage
	}
	if s.in.Compression == S2 {
		c.Compression = nats.S2Compression
	}
	return c
}

// subjects makes the subjects of a stream, all of the length that was asked for.
func (s spec) subjects(name string) []string {
	n := int(max(s.in.Subjects.Count, 1))
	shared := strings.Repeat("z", int(s.in.Subjects.Shared))
	width := int(s.in.Message.Subject) - len(name) - 1 - len(shared)
	random := rand.New(rand.NewPCG(1, uint64(n)))
	out := make([]string, n)
	for i := range out {
		key := fmt.Sprintf("%0*d", width, i)
		if s.in.Subjects.Shape == Random {
			key = hexKey(random, width)
		}
		out[i] = name + "." + key + shared
	}
	return out
}

func hexKey(r *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%016x", r.Uint64())
	}
	return b.String()[:n]
}

// payload makes payload i: random bytes, or JSON of the same length with words
// that repeat and numbers that do not.
func (s spec) payload(r *rand.Rand, i int) []byte {
	n := int(s.in.Message.Payload)
	if !s.json {
		b := make([]byte, n)
		for k := range b {
			b[k] = byte(r.Uint32())
		}
		return b
	}
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, `{"order":%d,"customer":"%x","state":"created","amount":%d.%02d,"currency":"EUR","note":"deliver to the back door"}`,
			i, r.Uint64(), r.IntN(1000), r.IntN(100))
	}
	return []byte(b.String()[:n])
}

// header makes a header block of exactly the length that was asked for.
func (s spec) header(r *rand.Rand) nats.Header {
	left := int(s.in.Message.Header)
	if left == 0 {
		return nil
	}
	h := nats.Header{}
	left -= HeaderBlock(HeaderField{})
	left += len(": \r\n")
	if id := int(s.in.Message.ID); id > 0 {
		h.Set("Nats-Msg-Id", hexKey(r, id))
		added, _ := MsgIDHeader(id)
		left -= added
	}
	if left > 0 {
		h.Set("Pad", strings.Repeat("p", left-len("Pad: \r\n")))
	}
	return h
}

// fill creates the stream and writes it, and returns the payloads of the first
// messages.
func (s spec) fill(t *testing.T, nc *nats.Conn, name string) [][]byte {
	t.Helper()
	js, err := nc.JetStream(nats.MaxWait(20 * time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := js.AddStream(s.config(name)); err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	subjects := s.subjects(name)
	r := rand.New(rand.NewPCG(7, 11))
	var samples [][]byte
	ahead := 0
	for i := 0; i < int(s.in.Messages); i++ {
		m := &nats.Msg{Subject: subjects[i%len(subjects)], Header: s.header(r), Data: s.payload(r, i)}
		if len(samples) < 30_000 && s.in.Compression == S2 {
			samples = append(samples, m.Data)
		}
		if err := nc.PublishMsg(m); err != nil {
			t.Fatal(err)
		}
		// A stream takes 100,000 messages or 128 MiB it has not stored yet, and
		// drops what comes on top.
		if ahead += len(m.Data) + 1_000; ahead > 40*MiB {
			last(t, js, name, uint64(i+1))
			ahead = 0
		}
	}
	last(t, js, name, uint64(s.in.Messages))
	return samples
}

// last waits until the server has stored so many messages, and returns its state.
func last(t *testing.T, js nats.JetStreamContext, name string, n uint64) nats.StreamState {
	t.Helper()
	var state nats.StreamState
	eventually(t, "messages to be stored", time.Minute, func() bool {
		i, err := js.StreamInfo(name)
		if err != nil {
			return false
		}
		state = i.State
		return state.LastSeq >= n
	})
	return state
}

// measureStreams fills one server with file streams, stops it, and looks at what
// it reported and at what lies on disk.
func measureStreams(t *testing.T, c Cipher, grid []spec) []Cell {
	t.Helper()
	s, nc, dir := inProcess(t, c)
	js, _ := nc.JetStream(nats.MaxWait(20 * time.Second))
	var cells []Cell
	for i := range grid {
		name := fmt.Sprintf("s%02d", i)
		samples := grid[i].fill(t, nc, name)
		afterwards(t, js, name, &grid[i])
		state := last(t, js, name, 0)
		kept := grid[i].kept
		if kept == 0 && grid[i].in.MaxBytes == 0 {
			kept = grid[i].in.Messages - float64(grid[i].deletes)
		}
		grid[i].in.Messages = float64(state.Msgs)
		grid[i].in.Name = grid[i].name
		cells = append(cells, Cell{Name: grid[i].name, Quantity: ReportedBytes, Stream: grid[i].in, Measured: float64(state.Bytes), Version: server.VERSION})
		if kept > 0 && float64(state.Msgs) != kept {
			t.Errorf("%s: %d messages kept, not %.0f", grid[i].name, state.Msgs, kept)
		}
		if grid[i].in.Compression == S2 {
			m, err := MeasureS2(samples, grid[i].in, 0)
			if err != nil {
				t.Fatal(err)
			}
			grid[i].in.S2Ratio = m.Ratio.Value
			allCompressed(t, filepath.Join(dir, "jetstream", "$G", "streams", name))
		}
	}
	nc.Close()
	s.Shutdown()
	s.WaitForShutdown()
	for i := range grid {
		at := filepath.Join(dir, "jetstream", "$G", "streams", fmt.Sprintf("s%02d", i))
		q := grid[i].diskQuantity()
		cells = append(cells, Cell{Name: grid[i].name, Quantity: q, Stream: grid[i].in, Version: server.VERSION, Measured: fileSizes(t, at)})
		if q != DiskBand {
			files, err := filepath.Glob(filepath.Join(at, "msgs", "*.blk"))
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, Cell{Name: grid[i].name, Quantity: Blocks, Stream: grid[i].in, Version: server.VERSION, Measured: float64(len(files))})
		}
	}
	return cells
}

func (s spec) diskQuantity() Quantity {
	switch {
	case drops(s.in) || s.deletes > 0:
		return DiskBand
	case s.in.Compression == S2:
		return DiskS2
	}
	return DiskBytes
}

// afterwards deletes messages and creates consumers with pending
// acknowledgements.
func afterwards(t *testing.T, js nats.JetStreamContext, name string, s *spec) {
	t.Helper()
	for i := 0; i < s.deletes; i++ {
		if err := js.DeleteMsg(name, uint64(10+i*3)); err != nil {
			t.Fatal(err)
		}
	}
	s.in.InteriorDeletes = float64(s.deletes)
	for i := range s.in.Consumers {
		durable := fmt.Sprintf("c%d", i)
		if _, err := js.AddConsumer(name, &nats.ConsumerConfig{Durable: durable, AckPolicy: nats.AckExplicitPolicy, AckWait: time.Hour}); err != nil {
			t.Fatal(err)
		}
		sub, err := js.PullSubscribe(name+".>", durable, nats.Bind(name, durable))
		if err != nil {
			t.Fatal(err)
		}
		for got := 0; got < s.fetched; {
			msgs, err := sub.Fetch(s.fetched-got, nats.MaxWait(10*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			got += len(msgs)
		}
		s.in.Consumers[i].AckPending = float64(s.fetched)
	}
}

// allCompressed waits until every block but the last is compressed.
func allCompressed(t *testing.T, stream string) {
	t.Helper()
	eventually(t, "full blocks to be compressed", time.Minute, func() bool {
		blocks, err := filepath.Glob(filepath.Join(stream, "msgs", "*.blk"))
		if err != nil {
			t.Fatal(err)
		}
		raw := 0
		for _, b := range blocks {
			head := make([]byte, 3)
			f, err := os.Open(b)
			if err != nil {
				return false
			}
			n, _ := f.Read(head)
			f.Close()
			if string(head[:n]) != "cmp" {
				raw++
			}
		}
		return raw <= 1
	})
}

// fileSizes adds up the files below a folder.
func fileSizes(t *testing.T, dir string) float64 {
	t.Helper()
	total := 0.0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += float64(info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}

// liveHeap is what Go's collector finds in use.
func liveHeap() float64 {
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// warm lets server and client allocate what they keep, so that it is not
// counted.
func warm(t *testing.T, nc *nats.Conn) nats.JetStreamContext {
	t.Helper()
	s := spec{name: "warm-up", in: Stream{Storage: Memory, Message: Message{Subject: 10, Header: 60, Payload: 200, ID: 20}, Messages: 30_000}}
	s.fill(t, nc, "w00")
	js, _ := nc.JetStream(nats.MaxWait(20 * time.Second))
	if err := js.DeleteStream("w00"); err != nil {
		t.Fatal(err)
	}
	return js
}

// measureMemory fills memory streams one after the other and looks at the heap.
func measureMemory(t *testing.T, full bool) []Cell {
	t.Helper()
	_, nc, _ := inProcess(t, NoCipher)
	js := warm(t, nc)
	scale := 1.0
	if full {
		scale = 4
	}
	in := func(subject, header, payload, subjects, messages float64, shape KeyShape) Stream {
		return Stream{Storage: Memory, Message: Message{Subject: subject, Header: header, Payload: payload},
			Subjects: SubjectSet{Count: subjects, Shape: shape, Key: subject - 4}, Messages: messages * scale}
	}
	grid := []spec{
		{name: "memory 5 B", in: in(9, 0, 5, 1, 120_000, Sequential)},
		{name: "memory 40 B", in: in(20, 0, 40, 200, 90_000, Sequential)},
		{name: "memory 300 B, headers", in: in(33, 120, 300, 5_000, 50_000, Sequential)},
		{name: "memory 700 B, UUIDs", in: in(40, 0, 700, 40_000, 40_000, Random)},
		{name: "memory 5,000 B", in: in(9, 37, 5_000, 1, 6_000, Sequential)},
	}
	var cells []Cell
	for i, s := range grid {
		name := fmt.Sprintf("m%02d", i)
		before := liveHeap()
		s.fill(t, nc, name)
		s.in.Name = s.name
		state := last(t, js, name, 0)
		cells = append(cells,
			Cell{Name: s.name, Quantity: ReportedBytes, Stream: s.in, Measured: float64(state.Bytes), Version: server.VERSION},
			Cell{Name: s.name, Quantity: MemoryHeap, Stream: s.in, Measured: liveHeap() - before, Version: server.VERSION})
		if err := js.DeleteStream(name); err != nil {
			t.Fatal(err)
		}
	}
	return cells
}

// measureDedup fills dedup tables of ids of several lengths: streams that keep a
// single message, so that only the table grows.
func measureDedup(t *testing.T, full bool) []Cell {
	t.Helper()
	_, nc, _ := inProcess(t, NoCipher)
	js := warm(t, nc)
	ids := map[float64]float64{12: 150_000, 22: 100_000, 36: 60_000, 50: 120_000, 100: 80_000}
	var cells []Cell
	for i, length := range []float64{12, 22, 36, 50, 100} {
		n := ids[length]
		if full {
			n *= 5
		}
		_, block := MsgIDHeader(int(length))
		s := spec{name: fmt.Sprintf("ids of %.0f B", length), in: Stream{Storage: Memory, MaxMsgs: 1, Messages: n, DuplicateWindow: 10 * time.Minute,
			Message: Message{Subject: 5, Header: float64(block), ID: length}}}
		name := fmt.Sprintf("d%02d", i)
		before := liveHeap()
		s.fill(t, nc, name)
		cells = append(cells, Cell{Name: s.name, Quantity: DedupHeap, Stream: s.in, Measured: liveHeap() - before, Version: server.VERSION})
		if err := js.DeleteStream(name); err != nil {
			t.Fatal(err)
		}
	}
	return cells
}

// measureSubjects looks at the heap of a file stream's subjects once its blocks
// have left memory and their subjects have not: ten seconds after the last use.
func measureSubjects(t *testing.T) []Cell {
	t.Helper()
	grid := []spec{
		{name: "60,000 UUID subjects", in: Stream{Message: Message{Subject: 40, Payload: 20}, Subjects: SubjectSet{Count: 60_000, Shape: Random, Key: 36}, Messages: 60_000}},
		{name: "80,000 numbered subjects", in: Stream{Message: Message{Subject: 22, Payload: 20}, Subjects: SubjectSet{Count: 80_000, Shared: 8}, Messages: 160_000}},
	}
	var cells []Cell
	for i, s := range grid {
		sv, nc, _ := inProcess(t, NoCipher)
		warm(t, nc)
		before := liveHeap()
		s.fill(t, nc, fmt.Sprintf("u%02d", i))
		idle(t)
		cells = append(cells, Cell{Name: s.name, Quantity: SubjectHeap, Stream: s.in, Measured: liveHeap() - before, Version: server.VERSION})
		nc.Close()
		sv.Shutdown()
	}
	return cells
}

// measureIdle looks at the heap of empty streams, of idle consumers, and of
// pending acknowledgements.
func measureIdle(t *testing.T) []Cell {
	t.Helper()
	_, nc, _ := inProcess(t, NoCipher)
	js := warm(t, nc)
	const streams, consumers, pending = 150, 200, 40_000
	before := liveHeap()
	for i := 0; i < streams; i++ {
		if _, err := js.AddStream(&nats.StreamConfig{Name: fmt.Sprintf("e%03d", i), Subjects: []string{fmt.Sprintf("e%03d.>", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	cells := []Cell{{Name: "empty streams", Quantity: StreamHeap, Stream: Stream{Messages: streams}, Measured: liveHeap() - before, Version: server.VERSION}}
	before = liveHeap()
	for i := 0; i < consumers; i++ {
		if _, err := js.AddConsumer("e000", &nats.ConsumerConfig{Durable: fmt.Sprintf("c%d", i), AckPolicy: nats.AckExplicitPolicy}); err != nil {
			t.Fatal(err)
		}
	}
	cells = append(cells, Cell{Name: "idle consumers", Quantity: ConsumerHeap, Stream: Stream{Consumers: make([]Consumer, consumers)}, Measured: liveHeap() - before, Version: server.VERSION})
	s := spec{name: "pending", in: Stream{Storage: Memory, Message: Message{Subject: 9, Payload: 4}, Messages: pending}}
	s.fill(t, nc, "q00")
	before = liveHeap()
	if _, err := js.AddConsumer("q00", &nats.ConsumerConfig{Durable: "c", AckPolicy: nats.AckExplicitPolicy, MaxAckPending: -1, AckWait: time.Hour}); err != nil {
		t.Fatal(err)
	}
	sub, err := js.PullSubscribe("q00.>", "c", nats.Bind("q00", "c"))
	if err != nil {
		t.Fatal(err)
	}
	for got := 0; got < pending; {
		msgs, err := sub.Fetch(min(1000, pending-got), nats.MaxWait(10*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		got += len(msgs)
	}
	// The subscription's own channel is half a megabyte.
	if err := sub.Unsubscribe(); err != nil {
		t.Fatal(err)
	}
	return append(cells, Cell{Name: "one consumer, 40,000 pending", Quantity: ConsumerHeap, Stream: Stream{Consumers: []Consumer{{AckPending: pending}}}, Measured: liveHeap() - before, Version: server.VERSION})
}

// measureDedupPeak publishes through several windows and keeps the sample with
// the most heap for a live id: expired ids stay until the server rebuilds its
// slice. Samples of times when the machine did not keep pace do not count.
func measureDedupPeak(t *testing.T) []Cell {
	t.Helper()
	_, nc, _ := inProcess(t, NoCipher)
	js := warm(t, nc)
	const window, lasts, rate = 2 * time.Second, 11 * time.Second, 15_000
	// The server looks for expired ids when the oldest expires, not before.
	const late = 200 * time.Millisecond
	if _, err := js.AddStream(&nats.StreamConfig{Name: "p00", Subjects: []string{"p00.>"}, Storage: nats.MemoryStorage, MaxMsgs: 1, Duplicates: window}); err != nil {
		t.Fatal(err)
	}
	c := Cell{Name: "ids of 36 B, five windows", Quantity: DedupPeak, Version: server.VERSION,
		Stream: Stream{Storage: Memory, Messages: 1, DuplicateWindow: window, Message: Message{Subject: 5, Header: 63, ID: 36}}}
	before, sent, most := liveHeap(), 0, 0.0
	var at []time.Duration // when each message was sent: the test's own heap
	start := time.Now()
	next := 500 * time.Millisecond
	r := rand.New(rand.NewPCG(3, 5))
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		passed := time.Since(start)
		for ; sent < int(passed.Seconds()*rate); sent++ {
			if err := nc.PublishMsg(&nats.Msg{Subject: "p00.x", Header: nats.Header{"Nats-Msg-Id": []string{hexKey(r, 36)}}}); err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Since(start))
		}
		if passed > next {
			next += 250 * time.Millisecond
			last(t, js, "p00", uint64(sent))
			heap := liveHeap() - before - float64(8*cap(at))
			now := time.Since(start)
			live := float64(sent - sort.Search(len(at), func(i int) bool { return at[i] > now-window-late }))
			if live > rate*window.Seconds()*0.8 && live < rate*window.Seconds()*1.5 && heap/live > most {
				most, c.Measured, c.Stream.Rate.Mean = heap/live, heap, live/window.Seconds()
			}
		}
		if passed > lasts {
			break
		}
	}
	if c.Measured == 0 {
		t.Log("dedup peak: not measured, this machine did not publish evenly for eleven seconds")
		return nil
	}
	t.Logf("dedup peak: %.0f B for a live id of 36 B, 136 B before any expired", most)
	return []Cell{c}
}
