//go:build !js

package prove

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"sort"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"weir/size"
)

// memoryStreams fills memory streams one after the other and looks at the heap.
func (z *sizer) memoryStreams(ctx context.Context) (cells []size.Cell, err error) {
	scale := 1.0
	if z.opt.Full {
		scale = 4
	}
	in := func(subject, header, payload, subjects, messages float64, shape size.KeyShape) size.Stream {
		return size.Stream{Storage: size.Memory, Message: size.Message{Subject: subject, Header: header, Payload: payload},
			Subjects: size.SubjectSet{Count: subjects, Shape: shape, Key: subject - 4}, Messages: messages * scale}
	}
	grid := []sizingSpec{
		{name: "memory 5 B", in: in(9, 0, 5, 1, 120_000, size.Sequential)},
		{name: "memory 40 B", in: in(20, 0, 40, 200, 90_000, size.Sequential)},
		{name: "memory 300 B, headers", in: in(33, 120, 300, 5_000, 50_000, size.Sequential)},
		{name: "memory 700 B, UUIDs", in: in(40, 0, 700, 40_000, 40_000, size.Random)},
		{name: "memory 5,000 B", in: in(9, 37, 5_000, 1, 6_000, size.Sequential)},
	}
	err = z.weigh(ctx, grid, func(s sizingSpec, heap float64, info streamInfo) {
		cells = append(cells,
			size.Cell{Name: s.name, Quantity: size.ReportedBytes, Stream: s.in, Measured: float64(info.State.Bytes), Version: ServerVersion},
			size.Cell{Name: s.name, Quantity: size.MemoryHeap, Stream: s.in, Measured: heap, Version: ServerVersion})
	})
	return cells, err
}

// weigh fills streams one after the other on one server and says what the heap
// grew by.
func (z *sizer) weigh(ctx context.Context, grid []sizingSpec, found func(s sizingSpec, heap float64, info streamInfo)) (err error) {
	v, err := z.start(ctx, size.NoCipher)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.stop()) }()
	if err := z.warm(ctx, v); err != nil {
		return err
	}
	for i, s := range grid {
		name := fmt.Sprintf("m%02d", i)
		before := heapInUse()
		if _, err := s.fill(ctx, v.s, name); err != nil {
			return fmt.Errorf("fill %s: %w", s.name, err)
		}
		s.in.Name = s.name
		info, err := v.s.stored(ctx, name, 0)
		if err != nil {
			return err
		}
		found(s, heapInUse()-before, info)
		if err := v.s.must(ctx, "STREAM.DELETE."+name, nil); err != nil {
			return err
		}
	}
	return nil
}

// dedupTables fills dedup tables of ids of several lengths: streams that keep a
// single message, so that only the table grows.
func (z *sizer) dedupTables(ctx context.Context) (cells []size.Cell, err error) {
	var grid []sizingSpec
	for _, c := range []struct{ length, ids float64 }{{12, 150_000}, {22, 100_000}, {36, 60_000}, {50, 120_000}, {100, 80_000}} {
		if z.opt.Full {
			c.ids *= fullScale
		}
		_, block := size.MsgIDHeader(int(c.length))
		grid = append(grid, sizingSpec{name: fmt.Sprintf("ids of %.0f B", c.length), in: size.Stream{Storage: size.Memory, MaxMsgs: 1, Messages: c.ids,
			DuplicateWindow: 10 * time.Minute, Message: size.Message{Subject: 5, Header: float64(block), ID: c.length}}})
	}
	err = z.weigh(ctx, grid, func(s sizingSpec, heap float64, _ streamInfo) {
		s.in.Name = ""
		cells = append(cells, size.Cell{Name: s.name, Quantity: size.DedupHeap, Stream: s.in, Measured: heap, Version: ServerVersion})
	})
	return cells, err
}

// subjectTrees looks at the heap of a file stream's subjects once its blocks have
// left memory and their subjects have not.
func (z *sizer) subjectTrees(ctx context.Context) ([]size.Cell, error) {
	var cells []size.Cell
	for _, s := range []sizingSpec{
		{name: "60,000 UUID subjects", in: size.Stream{Message: size.Message{Subject: 40, Payload: 20},
			Subjects: size.SubjectSet{Count: 60_000, Shape: size.Random, Key: 36}, Messages: 60_000}},
		{name: "80,000 numbered subjects", in: size.Stream{Message: size.Message{Subject: 22, Payload: 20},
			Subjects: size.SubjectSet{Count: 80_000, Shared: 8}, Messages: 160_000}},
	} {
		heap, err := z.subjectTree(ctx, s)
		if err != nil {
			return cells, err
		}
		cells = append(cells, size.Cell{Name: s.name, Quantity: size.SubjectHeap, Stream: s.in, Measured: heap, Version: ServerVersion})
	}
	return cells, nil
}

func (z *sizer) subjectTree(ctx context.Context, s sizingSpec) (heap float64, err error) {
	v, err := z.start(ctx, size.NoCipher)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, v.stop()) }()
	if err := z.warm(ctx, v); err != nil {
		return 0, err
	}
	before := heapInUse()
	if _, err := s.fill(ctx, v.s, "u00"); err != nil {
		return 0, err
	}
	if err := idle(ctx); err != nil {
		return 0, err
	}
	return heapInUse() - before, nil
}

// idleAssets looks at the heap of empty streams, of idle consumers, and of pending
// acknowledgements.
func (z *sizer) idleAssets(ctx context.Context) (cells []size.Cell, err error) {
	v, err := z.start(ctx, size.NoCipher)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.stop()) }()
	if err := z.warm(ctx, v); err != nil {
		return nil, err
	}
	const streams, consumers, pending = 150, 200, 40_000
	before := heapInUse()
	for i := range streams {
		name := fmt.Sprintf("e%03d", i)
		if err := v.s.must(ctx, "STREAM.CREATE."+name, sizingSpec{}.config(name)); err != nil {
			return nil, err
		}
	}
	cells = []size.Cell{{Name: "empty streams", Quantity: size.StreamHeap, Stream: size.Stream{Messages: streams}, Measured: heapInUse() - before, Version: ServerVersion}}
	before = heapInUse()
	for i := range consumers {
		if err := v.s.consume(ctx, "e000", fmt.Sprintf("c%d", i), 0, 1); err != nil {
			return cells, err
		}
	}
	cells = append(cells, size.Cell{Name: "idle consumers", Quantity: size.ConsumerHeap, Stream: size.Stream{Consumers: make([]size.Consumer, consumers)},
		Measured: heapInUse() - before, Version: ServerVersion})
	s := sizingSpec{name: "pending", in: size.Stream{Storage: size.Memory, Message: size.Message{Subject: 9, Payload: 4}, Messages: pending}}
	if _, err := s.fill(ctx, v.s, "q00"); err != nil {
		return cells, err
	}
	before = heapInUse()
	if err := v.s.consume(ctx, "q00", "c", pending, 1); err != nil {
		return cells, err
	}
	return append(cells, size.Cell{Name: "one consumer, 40,000 pending", Quantity: size.ConsumerHeap, Stream: size.Stream{Consumers: []size.Consumer{{AckPending: pending}}},
		Measured: heapInUse() - before, Version: ServerVersion}), nil
}

// connections looks at the heap of connections with one subscription, which two
// other servers learn of. They come over loopback: in-process ones have buffers of
// their own.
func (z *sizer) connections(ctx context.Context) ([]size.Cell, error) {
	servers, stop, err := startPlain(ctx)
	defer stop()
	if err != nil {
		return nil, err
	}
	const connections = 300
	before := heapInUse()
	var dialer net.Dialer
	for i := range connections {
		c, err := dialer.DialContext(ctx, "tcp", servers[1].Addr().String())
		if err != nil {
			return nil, fmt.Errorf("dial server: %w", err)
		}
		defer c.Close()
		if _, err := fmt.Fprintf(c, "CONNECT {\"verbose\":false}\r\nSUB g.%d 1\r\nPING\r\n", i); err != nil {
			return nil, fmt.Errorf("connect: %w", err)
		}
	}
	err = waitUntil(ctx, startWithin, func() (bool, error) {
		known := true
		for _, ns := range servers {
			known = known && ns.NumSubscriptions() >= connections
		}
		return known, nil
	})
	return []size.Cell{{Name: "300 connections", Quantity: size.ConnectionHeap, Version: ServerVersion, Measured: heapInUse() - before,
		Stream: size.Stream{Messages: connections}}}, err
}

// startPlain starts a cluster of three servers without JetStream that listen on
// loopback. stop ends those that were started.
func startPlain(ctx context.Context) (servers []*server.Server, stop func(), err error) {
	stop = func() {
		for _, ns := range servers {
			ns.Shutdown()
			ns.WaitForShutdown()
		}
	}
	ports, err := freePorts(3)
	if err != nil {
		return nil, stop, err
	}
	var routes []*url.URL
	for _, port := range ports {
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	for i, port := range ports {
		ns, err := server.NewServer(&server.Options{ServerName: nodeName(i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: clusterName, Host: "127.0.0.1", Port: port}, Routes: routes})
		if err != nil {
			return servers, stop, fmt.Errorf("make server: %w", err)
		}
		ns.Start()
		servers = append(servers, ns)
	}
	return servers, stop, waitUntil(ctx, startWithin, func() (bool, error) {
		ready := true
		for _, ns := range servers {
			ready = ready && ns.NumRoutes() > 0 && ns.ReadyForConnections(time.Second)
		}
		return ready, nil
	})
}

// idleGroups looks at the heap of idle streams and consumers of three replicas.
func idleGroups(ctx context.Context, h Host, s *session) ([]size.Cell, error) {
	const streams, consumers = 30, 2
	if err := idle(ctx); err != nil {
		return nil, err
	}
	before := heapInUse()
	for i := range streams {
		name := fmt.Sprintf("g%02d", i)
		if err := s.must(ctx, "STREAM.CREATE."+name, sizingSpec{in: size.Stream{Replicas: 3}}.config(name)); err != nil {
			return nil, err
		}
		for k := range consumers {
			if err := s.consume(ctx, name, fmt.Sprintf("c%d", k), 0, 0); err != nil {
				return nil, err
			}
		}
	}
	if err := idle(ctx); err != nil {
		return nil, err
	}
	cells := []size.Cell{{Name: "30 streams, 60 consumers, R3", Quantity: size.RaftHeap, Version: ServerVersion, Measured: heapInUse() - before,
		Stream: size.Stream{Replicas: 3, Messages: streams, Consumers: make([]size.Consumer, consumers)}}}
	return cells, nil
}

// dedupPeak publishes through several windows and keeps the sample with the most
// heap for a live id: expired ids stay until the server rebuilds its slice.
// Samples of times when the machine did not keep pace do not count; where none is
// left, there is no cell.
func (z *sizer) dedupPeak(ctx context.Context) (cells []size.Cell, err error) {
	v, err := z.start(ctx, size.NoCipher)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.stop()) }()
	if err := z.warm(ctx, v); err != nil {
		return nil, err
	}
	in := size.Stream{Storage: size.Memory, Messages: 1, MaxMsgs: 1, DuplicateWindow: peakWindow, Message: size.Message{Subject: 5, Header: 63, ID: 36}}
	if err := v.s.must(ctx, "STREAM.CREATE.p00", sizingSpec{in: in}.config("p00")); err != nil {
		return nil, err
	}
	in.MaxMsgs = 0
	c := size.Cell{Name: "ids of 36 B, five windows", Quantity: size.DedupPeak, Version: ServerVersion, Stream: in}
	if err := v.s.peak(ctx, &c); err != nil {
		return nil, err
	}
	if c.Measured == 0 {
		z.e.leaveOut("expired ids", "this machine did not publish evenly for eleven seconds")
		return nil, nil
	}
	return []size.Cell{c}, nil
}

const (
	peakWindow = 2 * time.Second
	peakLasts  = 11 * time.Second
	peakRate   = 15_000
	// peakLate is how much later than its time an id may expire: the server looks
	// when the oldest expires, not before.
	peakLate = 200 * time.Millisecond
)

// peak publishes ids and samples the heap into a cell.
func (s *session) peak(ctx context.Context, c *size.Cell) error {
	before, sent, most := heapInUse(), 0, 0.0
	var at []time.Duration // when each message was sent: this function's own heap
	start, next := time.Now(), 500*time.Millisecond
	r := rand.New(rand.NewPCG(3, 5))
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		passed := time.Since(start)
		for ; sent < int(passed.Seconds()*peakRate); sent++ {
			s.publish("p00.x", "", []string{"Nats-Msg-Id: " + hexKey(r, 36)}, nil)
			at = append(at, time.Since(start))
		}
		if passed > peakLasts {
			return nil
		}
		if passed <= next {
			continue
		}
		next += 250 * time.Millisecond
		if _, err := s.stored(ctx, "p00", int64(sent)); err != nil {
			return err
		}
		heap := heapInUse() - before - float64(8*cap(at))
		now := time.Since(start)
		live := float64(sent - sort.Search(len(at), func(i int) bool { return at[i] > now-peakWindow-peakLate }))
		even := peakRate * peakWindow.Seconds()
		if live > even*0.8 && live < even*1.5 && heap/live > most {
			most, c.Measured, c.Stream.Rate.Mean = heap/live, heap, live/peakWindow.Seconds()
		}
	}
}
