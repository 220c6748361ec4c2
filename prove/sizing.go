//go:build !js

package prove

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"weir/size"
)

// SizingOptions are what Sizing takes besides Options. The zero value is usable.
type SizingOptions struct {
	Options
	// Folder is where the servers store, "" for the system's temporary folder.
	// It takes up to 1 GiB, with Full 4 GiB.
	Folder string
	// Full writes five times as much and looks at idle RAFT groups, connections and
	// expired ids as well: minutes instead of some twenty seconds.
	Full bool
}

// SizingEvidence is the evidence of Sizing. Its Predicted hold one figure for each
// cell, so that Held says whether all agree.
type SizingEvidence struct {
	Evidence
	Cells []SizingCell `json:"cells"`
}

// SizingCell is one figure of package size beside what the server took.
type SizingCell struct {
	size.Cell
	Computed float64 `json:"computed"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	// Off is by what share computed is off, Bar how far it may be; InBand means that
	// measured must lie between Low and High instead.
	Off    float64 `json:"off"`
	Bar    float64 `json:"bar"`
	InBand bool    `json:"in_band,omitempty"`
	Agrees bool    `json:"agrees"`
}

// Sizing fills real nats-servers inside this process with a grid of streams of its
// own and lays what they report, what lies on disk after a stop and what Go's heap
// holds beside the figures of package size: reported bytes must be exact, disk
// within 1 %, heap within 10 %. Servers listen nowhere; those of a cluster for
// routes on loopback. The heap is that of the whole process: run nothing else in it
// meanwhile.
//
// When ctx ends, the cells so far come back, marked partial, together with the
// context's error.
func Sizing(ctx context.Context, opt SizingOptions) (SizingEvidence, error) {
	z := &sizer{opt: opt, e: SizingEvidence{Evidence: newEvidence(opt.Options)}, p: progress{call: opt.Progress}}
	z.e.Partial = true
	phases := z.phases()
	for i, phase := range phases {
		if opt.Stage != nil {
			opt.Stage(phase.name)
		}
		z.p.report(i, len(phases))
		if err := context.Cause(ctx); err != nil {
			return z.e, err
		}
		cells, err := phase.run(ctx)
		if err == nil {
			err = z.keep(phase.name, cells)
		}
		if err != nil {
			return z.e, fmt.Errorf("measure %s: %w", phase.name, err)
		}
	}
	z.p.report(len(phases), len(phases))
	z.e.Partial = false
	return z.e, nil
}

// sizer is one run of Sizing.
type sizer struct {
	opt SizingOptions
	e   SizingEvidence
	p   progress
}

type sizingPhase struct {
	name string
	run  func(context.Context) ([]size.Cell, error)
}

func (z *sizer) phases() []sizingPhase {
	var out []sizingPhase
	if z.opt.Full {
		// First, while Go keeps no buffers that others have left.
		out = append(out, sizingPhase{"connections", z.connections})
	}
	for _, c := range []struct {
		cipher size.Cipher
		name   string
	}{{size.NoCipher, "file streams"}, {size.ChaCha, "streams encrypted with chacha"}, {size.AES, "streams encrypted with aes"}} {
		out = append(out, sizingPhase{c.name, func(ctx context.Context) ([]size.Cell, error) {
			return z.fileStreams(ctx, c.cipher, fileGrid(c.cipher, z.opt.Full))
		}})
	}
	out = append(out, sizingPhase{"memory streams", z.memoryStreams}, sizingPhase{"ids", z.dedupTables},
		sizingPhase{"streams, consumers and acknowledgements", z.idleAssets}, sizingPhase{"the log of three replicas", z.replicas})
	if z.opt.Full {
		out = append(out, sizingPhase{"subjects", z.subjectTrees}, sizingPhase{"expired ids", z.dedupPeak})
	}
	return out
}

// keep judges cells and writes them into the evidence.
func (z *sizer) keep(name string, cells []size.Cell) error {
	step := z.e.step("fill "+name, "what package size computes")
	step.OK = true
	for _, c := range cells {
		f, err := c.Computed()
		if err != nil {
			return err
		}
		off, ok, err := c.Agrees()
		if err != nil {
			return err
		}
		bar, inBand := c.Quantity.Bar()
		z.e.Cells = append(z.e.Cells, SizingCell{Cell: c, Computed: f.Value, Low: f.Low, High: f.High, Off: off, Bar: bar, InBand: inBand, Agrees: ok})
		step.OK = step.OK && ok
		p := Prediction{Figure: Figure{c.Name + ": " + string(c.Quantity), int64(math.Round(f.Value)), "B"}, Measured: int64(c.Measured)}
		switch {
		case c.Quantity == size.Blocks:
			p.Unit = "files"
		case inBand:
			p.Low, p.High = int64(f.Low), int64(math.Ceil(f.High))
		case bar > 0:
			// Off is a share of what was measured.
			p.Low, p.High = int64(f.Value/(1+bar)), int64(math.Ceil(f.Value/(1-bar)))
		}
		z.e.Predicted = append(z.e.Predicted, p)
	}
	return nil
}

// sizingServer is one server with a client, and where it stores.
type sizingServer struct {
	*embedded
	s *session
}

// streams is the folder of the streams of its only account.
func (v *sizingServer) streams() string {
	return filepath.Join(v.dir.path, "jetstream", "$G", "streams")
}

// start starts one server, which encrypts when told to.
func (z *sizer) start(ctx context.Context, c size.Cipher) (*sizingServer, error) {
	e := &embedded{nodes: make([]*server.Server, 1), log: []*logLines{{}}, setup: Setup{Folder: z.opt.Folder}}
	if err := e.makeStore(); err != nil {
		return nil, err
	}
	opts := &server.Options{ServerName: "weir", JetStream: true, StoreDir: e.dir.path, JetStreamMaxMemory: 8 << 30, JetStreamMaxStore: defaultMaxStore}
	if c != size.NoCipher {
		opts.JetStreamKey = "a key of a measurement"
		opts.JetStreamCipher = map[size.Cipher]server.StoreCipher{size.ChaCha: server.ChaCha, size.AES: server.AES}[c]
	}
	if err := e.run(ctx, 0, opts); err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	s, err := openSession(ctx, e, 0, "")
	if err == nil {
		err = s.keepStream(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, e.Stop())
	}
	return &sizingServer{e, s}, nil
}

// stop ends client and server and removes what was stored.
func (v *sizingServer) stop() error {
	v.s.close()
	return v.Stop()
}

// warm lets server and client allocate what they keep, so that it is not counted.
func (z *sizer) warm(ctx context.Context, v *sizingServer) error {
	s := sizingSpec{name: "warm-up", in: size.Stream{Storage: size.Memory, Message: size.Message{Subject: 10, Header: 60, Payload: 200, ID: 20}, Messages: 30_000}}
	if _, err := s.fill(ctx, v.s, "w00"); err != nil {
		return err
	}
	return v.s.must(ctx, "STREAM.DELETE.w00", nil)
}

// heapInUse is what Go's collector finds in use.
func heapInUse() float64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// blocksLeave is after how long without use a server lets go of the blocks that it
// keeps in memory (10 s, server/filestore.go v2.15.2), and a margin.
const blocksLeave = 12 * time.Second

// idle waits until streams that were busy have let go of their blocks.
func idle(ctx context.Context) error {
	start := time.Now()
	return waitUntil(ctx, time.Minute, func() (bool, error) { return time.Since(start) > blocksLeave, nil })
}
