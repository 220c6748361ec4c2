//go:build !js

package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"weir/size"
)

// fullScale is how much more a full run writes.
const fullScale = 5

// fileGrid is what is written to a file store: sizes, header blocks, subjects,
// limits and deletions that package size must tell apart.
func fileGrid(c size.Cipher, full bool) []sizingSpec {
	scale := 1.0
	if full {
		scale = fullScale
	}
	in := func(subject, header, payload, subjects, messages float64, change ...func(*size.Stream)) size.Stream {
		s := size.Stream{Cipher: c, Message: size.Message{Subject: subject, Header: header, Payload: payload},
			Subjects: size.SubjectSet{Count: subjects}, Messages: messages * scale}
		for _, f := range change {
			f(&s)
		}
		return s
	}
	if c != size.NoCipher {
		return []sizingSpec{
			{name: string(c) + " 300 B", in: in(17, 0, 300, 50, 40_000)},
			{name: string(c) + " 60 KiB", in: in(33, 120, 61_440, 1, 150)},
		}
	}
	s2 := func(s *size.Stream) { s.Compression = size.S2 }
	grid := []sizingSpec{
		{name: "40 B", in: in(7, 0, 40, 1, 120_000)},
		{name: "40 B, headers", in: in(23, 37, 40, 5_000, 100_000)},
		{name: "300 B, long subjects", in: in(60, 0, 300, 50, 50_000)},
		{name: "700 B, many subjects", in: in(23, 120, 700, 30_000, 30_000)},
		{name: "5,000 B", in: in(9, 37, 5_000, 1, 4_000)},
		{name: "60 KiB", in: in(9, 0, 61_440, 5, 300)},
		{name: "300 B, s2, JSON", in: in(23, 0, 300, 50, 90_000, s2), json: true},
		{name: "1,500 B, s2, JSON, ids", in: in(23, 80, 1_500, 50, 20_000, s2, func(s *size.Stream) { s.Message.ID = 36 }), json: true},
		{name: "300 B, s2, random", in: in(23, 0, 300, 50, 60_000, s2)},
		{name: "max_bytes 10 MB", in: in(11, 0, 200, 1, 100_000, func(s *size.Stream) { s.MaxBytes = 10_000_000 })},
		{name: "max_msgs 20,000", in: in(11, 0, 200, 1, 100_000, func(s *size.Stream) { s.MaxMsgs = 20_000 })},
		{name: "one message a subject", in: in(20, 0, 150, 2_000, 100_000, func(s *size.Stream) { s.MaxMsgsPerSubject = 1 })},
		{name: "300 B, 2,000 deleted", in: in(20, 0, 300, 1, 40_000), deletes: 2_000},
		{name: "40 B, 3 consumers", in: in(12, 0, 40, 1, 50_000, func(s *size.Stream) { s.Consumers = make([]size.Consumer, 3) }), fetched: 700},
	}
	if full {
		grid = append(grid, sizingSpec{name: "1 MB", in: in(9, 0, 1_000_000, 1, 40)}, sizingSpec{name: "3 B", in: in(5, 0, 3, 1, 400_000)})
	}
	return grid
}

// removes says whether the stream of a spec drops or loses messages, so that its
// disk is a band.
func (s sizingSpec) removes() bool {
	return s.in.MaxBytes > 0 || s.in.MaxMsgs > 0 || s.in.MaxMsgsPerSubject > 0 || s.deletes > 0
}

func (s sizingSpec) diskQuantity() size.Quantity {
	switch {
	case s.removes():
		return size.DiskBand
	case s.in.Compression == size.S2:
		return size.DiskS2
	}
	return size.DiskBytes
}

// fileStreams fills one server with file streams, stops it, and looks at what it
// reported and at what lies on disk.
func (z *sizer) fileStreams(ctx context.Context, c size.Cipher, grid []sizingSpec) (cells []size.Cell, err error) {
	v, err := z.start(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.stop()) }()
	for i := range grid {
		cell, err := v.fileStream(ctx, fmt.Sprintf("s%02d", i), &grid[i])
		if err != nil {
			return cells, fmt.Errorf("fill %s: %w", grid[i].name, err)
		}
		cells = append(cells, cell)
	}
	v.s.close()
	if err := v.Kill(0); err != nil { // in good order: see HostInfo.KillIs
		return cells, err
	}
	for i, s := range grid {
		at := filepath.Join(v.streams(), fmt.Sprintf("s%02d", i))
		disk, err := fileSizes(at)
		if err != nil {
			return cells, err
		}
		q := s.diskQuantity()
		cells = append(cells, size.Cell{Name: s.name, Quantity: q, Stream: s.in, Version: ServerVersion, Measured: disk})
		if q == size.DiskBand {
			continue
		}
		blocks, err := filepath.Glob(filepath.Join(at, "msgs", "*.blk"))
		if err != nil {
			return cells, err
		}
		cells = append(cells, size.Cell{Name: s.name, Quantity: size.Blocks, Stream: s.in, Version: ServerVersion, Measured: float64(len(blocks))})
	}
	return cells, nil
}

// fileStream fills one stream and reads what the server says of it.
func (v *sizingServer) fileStream(ctx context.Context, name string, s *sizingSpec) (size.Cell, error) {
	samples, err := s.fill(ctx, v.s, name)
	if err != nil {
		return size.Cell{}, err
	}
	for i := range s.deletes {
		if err := v.s.must(ctx, "STREAM.MSG.DELETE."+name, fmt.Appendf(nil, `{"seq":%d}`, 10+i*3)); err != nil {
			return size.Cell{}, err
		}
	}
	s.in.InteriorDeletes = float64(s.deletes)
	for i := range s.in.Consumers {
		if err := v.s.consume(ctx, name, fmt.Sprintf("c%d", i), s.fetched, 1); err != nil {
			return size.Cell{}, err
		}
		s.in.Consumers[i].AckPending = float64(s.fetched)
	}
	info, err := v.s.stored(ctx, name, 0)
	if err != nil {
		return size.Cell{}, err
	}
	s.in.Name, s.in.Messages = s.name, float64(info.State.Messages)
	cell := size.Cell{Name: s.name, Quantity: size.ReportedBytes, Stream: s.in, Measured: float64(info.State.Bytes), Version: ServerVersion}
	if s.in.Compression != size.S2 {
		return cell, nil
	}
	m, err := size.MeasureS2(samples, s.in, 0)
	if err != nil {
		return size.Cell{}, err
	}
	s.in.S2Ratio = m.Ratio.Value
	return cell, allCompressed(ctx, filepath.Join(v.streams(), name))
}

// allCompressed waits until every block but the last is compressed.
func allCompressed(ctx context.Context, stream string) error {
	return waitUntil(ctx, storedWithin, func() (bool, error) {
		blocks, err := filepath.Glob(filepath.Join(stream, "msgs", "*.blk"))
		raw := 0
		for _, b := range blocks {
			head := make([]byte, 3)
			f, err := os.Open(b)
			if err != nil {
				return false, nil // replaced at this moment
			}
			n, _ := f.Read(head) // an empty block is a raw one
			f.Close()
			if string(head[:n]) != "cmp" {
				raw++
			}
		}
		return raw <= 1, err
	})
}

// replicas writes a stream of three replicas, one publish at a time, and looks at
// its log on one server; in full, at idle groups as well.
func (z *sizer) replicas(ctx context.Context) (cells []size.Cell, err error) {
	h, err := startReady(ctx, Setup{Nodes: 3, Folder: z.opt.Folder}, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = stopped(err, h.Stop()) }()
	e, ok := h.(*embedded)
	if !ok {
		return nil, errors.New("the servers do not run in this process")
	}
	s, err := openSession(ctx, h, 0, hubUser)
	if err != nil {
		return nil, err
	}
	defer s.close()
	const messages, payload, subject = 3_000, 200, "r00.abcdefgh"
	in := size.Stream{Replicas: 3, Messages: messages, Message: size.Message{Subject: float64(len(subject)), Payload: payload}}
	if err := s.must(ctx, "STREAM.CREATE.r00", sizingSpec{in: in}.config("r00")); err != nil {
		return nil, err
	}
	// The logs lie with the system account, whatever it is called.
	folders, err := filepath.Glob(filepath.Join(e.dir.path, nodeName(0), "jetstream", "*", "_js_"))
	if err != nil || len(folders) != 1 {
		return nil, errors.Join(fmt.Errorf("find the logs of %s: %d folders", nodeName(0), len(folders)), err)
	}
	logs := func() (float64, error) { return fileSizes(folders[0]) }
	before, err := logs()
	if err != nil {
		return nil, err
	}
	for range messages {
		ack, silent, err := s.ackedPublish(ctx, answerWithin, subject, nil, make([]byte, payload))
		if err == nil && silent != "" {
			err = errors.New(silent)
		}
		if err = errors.Join(err, ack.asError()); err != nil {
			return nil, err
		}
	}
	after := 0.0
	err = waitUntil(ctx, 10*time.Second, func() (ok bool, err error) {
		after, err = logs()
		return after-before > messages*payload, err
	})
	cells = []size.Cell{{Name: "three replicas, 200 B", Quantity: size.RaftLog, Measured: after - before, Version: ServerVersion, Stream: in}}
	if err != nil || !z.opt.Full {
		return cells, err
	}
	more, err := idleGroups(ctx, h, s)
	return append(cells, more...), err
}
