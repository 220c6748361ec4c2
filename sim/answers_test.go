package sim

import (
	"context"
	"slices"
	"testing"
	"time"
)

// stalled is a consumer whose only worker stops for ten seconds.
func stalled() Workload {
	w := textbook(1, Constant(20e6), Constant(10e6))
	w.Faults = []Fault{{At: 20 * time.Second, For: 10 * time.Second, Kind: FaultStall, Workers: "w", Worker: -1}}
	return w
}

// TestRecovery: 50/s arrive and 100/s can be done, so a stall of 10 s is made
// good in another 10 s.
func TestRecovery(t *testing.T) {
	res, err := Run(context.Background(), stalled(), Options{Until: time.Minute, Sample: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Recoveries) != 1 {
		t.Fatalf("recoveries %v", res.Recoveries)
	}
	r := res.Recoveries[0]
	if r.Took < 9*time.Second || r.Took > 11*time.Second || r.Peak < 490 || r.Peak > 510 {
		t.Errorf("took %v, peak %d", r.Took, r.Peak)
	}
	c := res.Consumers[0]
	if c.MaxOldest < int64(9*time.Second) || c.MaxPendingBytes != c.MaxPending {
		t.Errorf("oldest %v, %d bytes of %d messages of one byte", time.Duration(c.MaxOldest), c.MaxPendingBytes, c.MaxPending)
	}
}

func TestRepeat(t *testing.T) {
	w := textbook(2, Exponential(6e6), Exponential(10e6))
	res, err := Repeat(context.Background(), w, Options{Seed: 5, Until: time.Minute}, 8, 2)
	if err != nil {
		t.Fatal(err)
	}
	var waits []float64
	for i, r := range res {
		alone, err := Run(context.Background(), w, Options{Seed: 5 + uint64(i), Until: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if r.Consumers[0].Wait.Mean() != alone.Consumers[0].Wait.Mean() {
			t.Errorf("seed %d gives another run beside others", 5+i)
		}
		waits = append(waits, float64(r.Consumers[0].Wait.Mean()))
	}
	mean, half := Interval(waits)
	if half <= 0 || mean <= slices.Min(waits) || mean >= slices.Max(waits) {
		t.Errorf("mean %v ± %v of %v", mean, half, waits)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Repeat(ctx, hour(), Options{Until: time.Minute}, 3, 2); err == nil {
		t.Error("a cancelled context is no error")
	}
}

// TestLastPerSubject: the last message of each subject, then what follows.
func TestLastPerSubject(t *testing.T) {
	w := Workload{
		Streams:    []Stream{{Name: "S"}},
		Publishers: []Publisher{{Name: "p", Stream: "S", Subjects: []string{"s.a", "s.b", "s.c"}, Mode: PublishAsync, Phases: []Phase{{Count: 10, Interval: Constant(1e6)}, {At: time.Second, Count: 2, Interval: Constant(1e6)}}}},
		Consumers:  []Consumer{{Stream: "S", Name: "c", Deliver: DeliverLastPerSubject, CreateAt: 500 * time.Millisecond, FilterSubjects: []string{"s.a", "s.c"}}},
		Workers:    []WorkerGroup{{Name: "w", Stream: "S", Consumer: "c", Count: 1}},
	}
	var got []uint64
	_, err := Run(context.Background(), w, Options{Until: 2 * time.Second, check: conserved, Trace: func(e Event) {
		if e.Kind == EventStart {
			got = append(got, e.Seq)
		}
	}})
	if want := []uint64{9, 10, 12}; err != nil || !slices.Equal(got, want) {
		t.Errorf("delivered %v, want %v, error %v", got, want, err)
	}
}

// TestFrozenReader: a frozen process fills the server's buffer; beyond
// max_pending the connection is closed. With ack none what was under way is
// lost, with explicit ack max_ack_pending stops the server long before. A pull
// reader finds its batch when it goes on, and asks for the next.
func TestFrozenReader(t *testing.T) {
	for _, test := range []struct {
		name   string
		ack    AckPolicy
		mode   Mode
		closed int64
	}{{"ack none", AckNone, ModePush, 1}, {"ack explicit", AckExplicit, ModePush, 0}, {"pull", AckExplicit, ModeFetch, 0}} {
		t.Run(test.name, func(t *testing.T) {
			w := Workload{
				Overhead:   MeasuredOverhead,
				Server:     Server{MaxPending: 4 << 20},
				Streams:    []Stream{{Name: "S"}},
				Publishers: []Publisher{{Name: "p", Stream: "S", Subjects: []string{"s"}, Mode: PublishAsync, Payload: Constant(1024), Phases: []Phase{{At: time.Second, Count: 20_000, Interval: Constant(1e5)}}}},
				Consumers:  []Consumer{{Stream: "S", Name: "c", Push: test.mode == ModePush, Ack: test.ack, AckWait: 2 * time.Second}},
				Workers:    []WorkerGroup{{Name: "w", Stream: "S", Consumer: "c", Mode: test.mode, Count: 1, Batch: 100, Service: Constant(1e3)}},
				Faults:     []Fault{{At: 500 * time.Millisecond, For: 8 * time.Second, Kind: FaultFreeze, Workers: "w", Worker: 0}},
			}
			res, err := Run(context.Background(), w, Options{Until: 30 * time.Second, check: nil})
			if err != nil {
				t.Fatal(err)
			}
			c := res.Consumers[0]
			if c.SlowConsumers != test.closed {
				t.Errorf("%d connections closed, want %d", c.SlowConsumers, test.closed)
			}
			if test.ack == AckExplicit && c.Unique != 20_000 {
				t.Errorf("%d of 20,000 delivered", c.Unique)
			}
			if test.ack == AckNone && (c.Unique > 14_000 || c.Unique == 0) {
				t.Errorf("%d delivered: what was in the closed connection is not lost", c.Unique)
			}
		})
	}
}

// TestSlowReader: a reader that takes less than what is sent is closed when it has
// not read what was to be written within write_deadline, and again after it has
// come back; with flow control the server never sends so far ahead, and a fast
// enough one loses nothing.
func TestSlowReader(t *testing.T) {
	for _, test := range []struct {
		name      string
		perSecond int64
		flow      bool
		closed    bool
	}{{"too slow", 5 << 18, false, true}, {"too slow with flow control", 5 << 18, true, false}, {"fast enough", 4 << 20, false, false}} {
		t.Run(test.name, func(t *testing.T) {
			w := Workload{
				Overhead:   MeasuredOverhead,
				Streams:    []Stream{{Name: "S"}},
				Publishers: []Publisher{{Name: "p", Stream: "S", Subjects: []string{"s"}, Mode: PublishAsync, Payload: Constant(10_240), Phases: []Phase{{At: time.Second, Count: 2_000, Interval: Constant(1e5)}}}},
				Consumers:  []Consumer{{Stream: "S", Name: "c", Push: true, Ack: AckNone, FlowControl: test.flow, IdleHeartbeat: time.Second}},
				Workers:    []WorkerGroup{{Name: "w", Stream: "S", Consumer: "c", Mode: ModePush, Count: 1, ReadPerSecond: test.perSecond, Service: Constant(1e3)}},
			}
			res, err := Run(context.Background(), w, Options{Until: 3 * time.Minute, check: conserved})
			if err != nil {
				t.Fatal(err)
			}
			c := res.Consumers[0]
			if (c.SlowConsumers > 0) != test.closed {
				t.Errorf("%d connections closed", c.SlowConsumers)
			}
			if got := c.Unique == 2_000; got == test.closed {
				t.Errorf("%d of 2,000 delivered", c.Unique)
			}
		})
	}
}
