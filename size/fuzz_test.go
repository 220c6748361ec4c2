package size

import (
	"math"
	"testing"
	"time"
)

// streamOf makes a stream from the fuzzer's numbers, odd ones included.
func streamOf(kind uint16, subject, header, payload, id, rate, messages, subjects, deletes float64, maxBytes, maxMsgs, maxPer int64, age, window int64) Stream {
	pick := func(bits uint16) bool { return kind&bits != 0 }
	s := Stream{Name: "S", Message: Message{Subject: subject, Header: header, Payload: payload, ID: id}, Subjects: SubjectSet{Count: subjects, Shared: header / 7},
		Rate: Rate{Mean: rate}, Messages: messages, InteriorDeletes: deletes, MaxBytes: maxBytes, MaxMsgs: maxMsgs, MaxMsgsPerSubject: maxPer,
		MaxAge: time.Duration(age), DuplicateWindow: time.Duration(window), Replicas: int(kind >> 13), DiscardNew: pick(1)}
	if pick(2) {
		s.Storage = Memory
	}
	if pick(4) {
		s.Compression = S2
	}
	if pick(8) {
		s.Cipher = AES
	}
	if pick(16) {
		s.Retention = WorkQueue
	}
	if pick(32) {
		s.Subjects.Shape = Random
	}
	if pick(64) {
		s.Rate.Bursts = []Burst{{Rate: rate * 3, For: time.Duration(age / 100), Every: time.Duration(age)}}
	}
	if pick(128) {
		s.Consumers = []Consumer{{AckPending: subjects, Share: math.Mod(math.Abs(rate), 1)}, {Memory: true, AckNone: true}}
	}
	return s
}

// FuzzStream: no input panics, and every figure that comes out is a number with a
// band around it.
func FuzzStream(f *testing.F) {
	f.Add(uint16(0), 10.0, 0.0, 128.0, 0.0, 100.0, 0.0, 5.0, 0.0, int64(-1), int64(0), int64(0), int64(time.Hour), int64(0))
	f.Add(uint16(0x6fff), 10.0, 64.0, 1e6, 36.0, 1e9, 1e12, 1e9, 1e7, int64(1<<40), int64(0), int64(1), int64(time.Hour), int64(time.Hour))
	f.Add(uint16(0x6004), 1e18, 1e18, 1e18, 1e18, 1e18, 1e18, 1e18, 1e18, int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MaxInt64))
	f.Add(uint16(0x20c8), 1e-300, math.Inf(1), math.NaN(), -1.0, 1e30, 1e-9, 0.5, 1e-20, int64(-5), int64(1), int64(1), int64(-1), int64(1))
	f.Fuzz(func(t *testing.T, kind uint16, subject, header, payload, id, rate, messages, subjects, deletes float64, maxBytes, maxMsgs, maxPer, age, window int64) {
		s := streamOf(kind, subject, header, payload, id, rate, messages, subjects, deletes, maxBytes, maxMsgs, maxPer, age, window)
		c := Cluster{Servers: []Server{{Name: "a", Disk: 1 << 40, Memory: 1 << 33}, {Name: "b", Disk: 1 << 40}, {Name: "c"}}, Streams: []Stream{s, s}}
		all, err := OfCluster(c)
		if err != nil {
			if s.Validate("streams.S") == nil {
				t.Fatalf("a valid stream is refused: %v", err)
			}
			return
		}
		for _, z := range all.Streams {
			sane(t, z.Reported, z.Disk.Total, z.Disk.Allocated, z.Disk.Blocks, z.Heap.Live, z.ClusterDisk, z.ClusterHeap, z.Writes.Rate, z.Writes.Amplification, z.Retained.Messages, z.Retained.Kept, z.Dedup.Heap)
		}
		for i, n := range all.Nodes {
			sane(t, n.Disk, n.Heap, n.Garbage, n.In, n.Out, n.CrossZone, n.Writes, n.Syncs, n.Full)
			if _, err := OfPod(c, all, i); err != nil {
				t.Fatal(err)
			}
		}
		for _, b := range all.Bindings {
			sane(t, b.Used, b.Limit, b.Share)
		}
		exposures, err := OfExposure(ExposureInput{Stream: s})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range exposures {
			sane(t, e.AtRisk, e.Outage, e.Unanswered)
		}
		if r, err := OfRecovery(s, 1e6, time.Millisecond, 0); err != nil {
			t.Fatal(err)
		} else {
			sane(t, r.Restart, r.Crash, r.CatchUp, r.DeleteRatio)
		}
		if Explain(all.Heap) == "" {
			t.Fatal("nothing is explained")
		}
	})
}

// sane fails on a figure that is no number, or whose band does not hold it.
func sane(t *testing.T, figures ...Figure) {
	t.Helper()
	for _, f := range figures {
		for _, v := range []float64{f.Value, f.Low, f.High} {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || v > Limit {
				t.Fatalf("%s is %g (%g to %g)", f.Name, f.Value, f.Low, f.High)
			}
		}
		if f.Low > f.Value || f.Value > f.High {
			t.Fatalf("%s = %g is outside %g to %g", f.Name, f.Value, f.Low, f.High)
		}
		sane(t, f.Terms...)
	}
}

// FuzzMonotone: more of anything never takes less.
func FuzzMonotone(f *testing.F) {
	f.Add(uint16(0), 10.0, 0.0, 128.0, 100.0, 1000.0, 5.0, uint8(0), 3.0)
	f.Add(uint16(6), 10.0, 64.0, 1e6, 100.0, 1e7, 1e5, uint8(3), 1.5)
	f.Add(uint16(0x6088), 10.0, 64.0, 16.0, 1e5, 1e6, 1e6, uint8(5), 1.01)
	f.Fuzz(func(t *testing.T, kind uint16, subject, header, payload, rate, messages, subjects float64, what uint8, by float64) {
		if by < 1 || by > 1e6 || messages < 1 || messages > 1e15 || subjects < 1 || subjects > messages || rate > 1e12 {
			return
		}
		// A stream that drops messages packs its last block another way with every
		// size: compare those that keep them.
		s := streamOf(kind&^16, subject, header, payload, 36, rate, messages, subjects, 0, 0, 0, 0, 0, int64(time.Minute))
		more := s
		switch what % 4 {
		case 0:
			more.Messages *= by
		case 1:
			more.Message.Payload *= by
		case 2:
			more.Rate = s.Rate.scaled(by)
		case 3:
			more.Consumers = append([]Consumer{{AckPending: 5}}, s.Consumers...)
		}
		a, errA := OfStream(s, 0, 0)
		b, errB := OfStream(more, 0, 0)
		if errA != nil || errB != nil {
			return
		}
		notLess(t, "reported", a.Reported, b.Reported)
		notLess(t, "messages", a.Retained.Messages, b.Retained.Messages)
		notLess(t, "dedup", a.Dedup.Heap, b.Dedup.Heap)
		notLess(t, "writes", a.Writes.Rate, b.Writes.Rate)
		if what%4 != 1 || s.Compression != S2 {
			// Larger records leave another tail uncompressed.
			notLess(t, "disk", a.Disk.Total, b.Disk.Total)
		}
	})
}

func notLess(t *testing.T, what string, a, b Figure) {
	t.Helper()
	if b.Value < a.Value*(1-1e-9) {
		t.Fatalf("%s: more of it takes less: %g, then %g\n%s\n%s", what, a.Value, b.Value, Explain(a), Explain(b))
	}
}

// FuzzMeasuredGrid: a table of measurements that was damaged is an error, never a
// panic.
func FuzzMeasuredGrid(f *testing.F) {
	f.Add(measuredGrid)
	f.Add(gridColumns + "\nx\treported\t1e999")
	f.Fuzz(func(t *testing.T, text string) {
		cells, err := parseGrid(text)
		if err != nil {
			return
		}
		for _, c := range cells {
			if fig, err := c.Computed(); err == nil {
				sane(t, fig)
			}
		}
	})
}
