package sim

import (
	"context"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// seedsWanted are how many seeds TestConservation runs: those of WEIR_SEEDS (make
// seeds), else few.
func seedsWanted(t *testing.T) uint64 {
	switch text := os.Getenv("WEIR_SEEDS"); {
	case text != "":
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil || n == 0 {
			t.Fatalf("WEIR_SEEDS=%q is not a number of seeds", text)
		}
		return n
	case raceDetector:
		return 1
	}
	return 2
}

// TestConservation checks the invariants after every event of runs in which
// everything goes wrong.
func TestConservation(t *testing.T) {
	for seed := range seedsWanted(t) {
		if _, err := Run(context.Background(), busy(), Options{Seed: seed, Until: 4 * time.Second, check: conserved}); err != nil {
			t.Errorf("busy, seed %d: %v", seed, err)
		}
		w := withFaults()
		for i := range w.Faults {
			w.Faults[i].At /= 4
		}
		if _, err := Run(context.Background(), w, Options{Seed: seed, Until: 7 * time.Second, check: conserved}); err != nil {
			t.Errorf("faults, seed %d: %v", seed, err)
		}
	}
}

func TestProgressAndCancel(t *testing.T) {
	calls, last := 0, -1.0
	_, err := Run(context.Background(), hour(), Options{Until: 30 * time.Second, Progress: func(done float64) bool {
		if done < last || done > 1 {
			t.Errorf("progress %v after %v", done, last)
		}
		calls++
		last = done
		return calls < 5
	}})
	if !errors.Is(err, ErrStopped) || calls != 5 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	res, err := Run(ctx, hour(), Options{Until: 30 * time.Second})
	if !errors.Is(err, context.Canceled) || res == nil || res.Ended == 0 {
		t.Errorf("result %v, error %v", res, err)
	}
}

// TestBounds: what cannot be run says so, at once or in time.
func TestBounds(t *testing.T) {
	hot := textbook(1, Constant(1e6), Constant(0))
	hot.Workers[0].Act = func(uint64, uint64, int) Action { return Action{Do: DoNak} }
	flood := textbook(1, Constant(1), Constant(1e6))
	flood.Streams[0].DiscardNew, flood.Streams[0].MaxMsgs = true, 1<<40
	for _, test := range []struct {
		name string
		w    Workload
		o    Options
		want string
	}{
		{"too long", textbook(1, Constant(1e6), Constant(1)), Options{Until: 100 * 365 * 24 * time.Hour}, "longer than"},
		{"no stream", Workload{Consumers: []Consumer{{Stream: "X", Name: "c"}}}, Options{}, `stream "X" is not there`},
		{"pull reads push", Workload{Streams: []Stream{{Name: "S"}}, Consumers: []Consumer{{Stream: "S", Name: "c", Push: true}}, Workers: []WorkerGroup{{Name: "w", Stream: "S", Consumer: "c", Count: 1}}}, Options{}, "push consumer"},
		{"time stands still", Workload{Streams: []Stream{{Name: "S"}}, Publishers: []Publisher{{Name: "p", Stream: "S", Subjects: []string{"s"}, Mode: PublishAsync, Phases: []Phase{{Interval: Constant(0)}}}}}, Options{}, "time stands still"},
		{"a billion a second", textbook(1, Constant(1), Constant(1)), Options{}, "more than 1,000,000,000"},
		{"too much", flood, Options{MaxStored: 100_000, MaxMessages: 1 << 60}, "more than the simulator keeps"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Run(context.Background(), test.w, test.o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if _, err := Run(context.Background(), hot, Options{Until: 200 * time.Millisecond}); err != nil {
		t.Errorf("naks for ever: %v", err)
	}
}

// TestEstimate compares the fluid model with runs.
func TestEstimate(t *testing.T) {
	for _, test := range []struct {
		name    string
		servers int
		gap     int64
	}{{"quiet", 4, 5e6}, {"overloaded", 2, 4e6}} {
		t.Run(test.name, func(t *testing.T) {
			w := textbook(test.servers, Exponential(test.gap), Exponential(10e6))
			e, err := Estimate(w, 10*time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			res, err := Run(context.Background(), w, Options{Until: 10 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			got, want := e[0].MaxPending, float64(res.Consumers[0].MaxPending)
			if math.Abs(got-want) > 0.05*want+30 {
				t.Errorf("max pending %.0f, simulated %.0f", got, want)
			}
			if u := float64(test.servers); math.Abs(e[0].Utilisation-10e6/u/float64(test.gap)) > 0.02 {
				t.Errorf("utilisation %.3f", e[0].Utilisation)
			}
		})
	}
}

// FuzzWorkload: any workload within bounds runs, without a panic and with every
// invariant after every event.
func FuzzWorkload(f *testing.F) {
	f.Add([]byte{0})
	f.Add([]byte("a workload of some bytes, which say what it is made of"))
	f.Add([]byte{3, 1, 2, 250, 7, 9, 200, 13, 1, 0, 255, 4, 4, 4, 90, 17, 33, 2, 1, 5, 6, 8, 200, 100, 50, 25, 12, 6, 3, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		w := bytesWorkload(b)
		seed := uint64(len(b))
		for _, o := range []Options{{Seed: seed, Until: 2 * time.Second, check: conserved}, {Seed: seed, Until: 2 * time.Second, check: conserved, shuffle: true}} {
			if _, err := Run(context.Background(), w, o); err != nil {
				t.Fatalf("%+v: %v", w, err)
			}
		}
	})
}

// bytesWorkload makes a workload of bytes; each takes the next as a choice.
func bytesWorkload(b []byte) Workload {
	pick := func(n int) int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0]) % n
		b = b[1:]
		return v
	}
	some := func(unit time.Duration) time.Duration { return time.Duration(pick(50)) * unit }
	w := Workload{Overhead: MeasuredOverhead, Server: Server{Nodes: 1 + 2*pick(2)}}
	w.Streams = []Stream{{
		Name: "S", Memory: pick(2) == 1, Retention: Retention(pick(3)), MaxMsgs: int64(pick(3) * pick(60)), MaxBytes: int64(pick(2) * pick(200) * 100), MaxAge: time.Duration(pick(2)) * some(50*time.Millisecond),
		MaxMsgsPerSubject: int64(pick(3)), DiscardNew: pick(2) == 1, DiscardNewPerSubject: pick(2) == 1, DuplicateWindow: some(20 * time.Millisecond), Replicas: 1 + 2*pick(2),
	}}
	for range 1 + pick(2) {
		p := Publisher{
			Name: "p", Stream: "S", Subjects: []string{"s.a", "s.b"}, Keys: pick(5), Mode: PublishMode(pick(4)), InFlight: pick(4), BatchSize: pick(20), Payload: Uniform(0, int64(pick(2000))),
			Phases: []Phase{{At: some(10 * time.Millisecond), Count: int64(1 + pick(150)), Interval: Constant(int64(some(time.Millisecond)))}},
		}
		if pick(2) == 1 {
			p.Retry = &Retry{Delays: []time.Duration{20 * time.Millisecond}, RepeatLast: pick(2) == 1}
		}
		if pick(2) == 1 {
			p.MsgID = func(n uint64) uint64 { return n%7 + 1 }
		}
		w.Publishers = append(w.Publishers, p)
	}
	for i := range 1 + pick(3) {
		c, g := bytesReader(pick, some)
		c.Name, g.Name, g.Consumer = string(rune('a'+i)), string(rune('a'+i)), string(rune('a'+i))
		w.Consumers = append(w.Consumers, c)
		w.Workers = append(w.Workers, g)
	}
	for range pick(4) {
		w.Faults = append(w.Faults, Fault{At: some(30 * time.Millisecond), For: some(20 * time.Millisecond), Kind: FaultKind(pick(13)), Consumer: "a", Workers: "a", Worker: pick(3) - 1, Name: "p"})
	}
	return w
}

func bytesReader(pick func(int) int, some func(time.Duration) time.Duration) (Consumer, WorkerGroup) {
	mode := Mode(pick(5))
	c := Consumer{
		Stream: "S", Ack: AckPolicy(pick(3)), AckWait: some(10 * time.Millisecond), MaxDeliver: pick(4), MaxAckPending: pick(12) - 1, MaxWaiting: pick(4), Deliver: DeliverPolicy(pick(4)),
		StartSequence: uint64(pick(20)), InactiveThreshold: time.Duration(pick(2)) * some(20*time.Millisecond), Priority: PriorityPolicy(pick(4)), PriorityTimeout: some(20 * time.Millisecond),
		CreateAt: time.Duration(pick(2)) * some(10*time.Millisecond), Push: mode == ModePush, DeliverGroup: pick(2) == 1, FlowControl: pick(2) == 1, RateLimitBPS: int64(pick(2) * 80_000),
	}
	if pick(2) == 1 {
		c.BackOff = []time.Duration{some(10 * time.Millisecond), some(20 * time.Millisecond)}
	}
	if pick(3) == 1 {
		c.FilterSubjects = []string{"s.a"}
	}
	naks := pick(60)
	return c, WorkerGroup{
		Stream: "S", Mode: mode, Count: 1 + pick(3), Concurrency: pick(4), Batch: pick(20), Expires: some(20*time.Millisecond) + time.Millisecond, MaxBytes: int64(pick(2) * pick(250) * 20), NoWait: pick(3) == 1,
		Pause: some(time.Millisecond), CollectFirst: pick(3) == 1, MinPending: int64(pick(2) * pick(10)), PriorityLevel: pick(3), Start: some(10 * time.Millisecond), Stagger: some(time.Millisecond),
		Stop: time.Duration(pick(2)) * some(40*time.Millisecond), Service: Exponential(int64(some(time.Millisecond))), AckEvery: pick(3), InProgress: time.Duration(pick(2)) * (some(2*time.Millisecond) + time.Millisecond),
		InProgressHeld: pick(2) == 1, PendingMsgs: int64(pick(2) * pick(20)), PendingBytes: int64(pick(2) * pick(250) * 100),
		Act: func(u, _ uint64, _ int) Action {
			if int(u>>56) < naks {
				return Action{ActionKind(u >> 40 % 5), 15 * time.Millisecond}
			}
			return Action{}
		},
	}
}
