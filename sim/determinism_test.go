package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

// traceHash is FNV-1a over every field of every event.
type traceHash uint64

func (h *traceHash) event(e Event) {
	for _, v := range []uint64{
		uint64(e.At), uint64(e.Kind), uint64(e.Stream), uint64(e.Consumer), uint64(e.Worker), uint64(e.Publisher), e.Seq, e.ConsumerSeq,
		uint64(e.Delivery), uint64(e.Received), uint64(e.Stored), uint64(e.Started), uint64(e.Ended), uint64(e.Action), uint64(e.Answer), uint64(e.Code), e.Number,
	} {
		for i := range 8 {
			*h = (*h ^ traceHash(v>>(8*i)&0xff)) * 1099511628211
		}
	}
}

func hashRun(t *testing.T, w Workload, o Options) (traceHash, *Result) {
	t.Helper()
	h := traceHash(14695981039346656037)
	o.Trace = h.event
	res, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	return h, res
}

// busy is a workload in which everything random is used: two publishers, a
// burst, three consumers with every loop, errors, faults.
func busy() Workload {
	w := Workload{
		Overhead: MeasuredOverhead,
		Streams:  []Stream{{Name: "A", MaxAge: 20 * time.Second}},
		Publishers: []Publisher{
			{Name: "p", Stream: "A", Subjects: []string{"a.x", "a.y"}, Pick: Uniform(0, 1), Keys: 10, Mode: PublishAsync, Payload: Lognormal(500, 5000),
				Phases: []Phase{{Interval: Exponential(2e6)}, {At: 10 * time.Second, Count: 3000, Interval: Constant(1e6)}}},
			{Name: "q", Stream: "A", Subjects: []string{"a.z"}, Mode: PublishCore, Payload: Constant(100), Phases: []Phase{{Interval: Constant(10e6)}}},
		},
		Consumers: []Consumer{
			{Stream: "A", Name: "c", AckWait: 300 * time.Millisecond, MaxDeliver: 4},
			{Stream: "A", Name: "d", FilterSubjects: []string{"a.x"}, BackOff: []time.Duration{200 * time.Millisecond, time.Second}},
			{Stream: "A", Name: "e", Push: true, DeliverGroup: true, MaxAckPending: 100},
		},
		Faults: []Fault{
			{At: 5 * time.Second, For: 2 * time.Second, Kind: FaultStall, Workers: "c", Worker: 0},
			{At: 15 * time.Second, For: time.Second, Kind: FaultCrash, Workers: "d", Worker: -1},
		},
	}
	errors := func(u, _ uint64, n int) Action {
		switch {
		case u>>56 < 8:
			return Action{Do: DoNak}
		case u>>56 < 16:
			return Action{Do: DoNakDelay, Delay: 150 * time.Millisecond}
		case u>>56 < 20 && n > 1:
			return Action{Do: DoTerm}
		case u>>56 < 24:
			return Action{Do: DoNothing}
		}
		return Action{}
	}
	w.Workers = []WorkerGroup{
		{Name: "c", Stream: "A", Consumer: "c", Count: 3, Concurrency: 2, Batch: 10, Expires: time.Second, Service: Lognormal(5e6, 400e6), Act: errors},
		{Name: "d", Stream: "A", Consumer: "d", Mode: ModeConsume, Count: 2, Batch: 50, Expires: 2 * time.Second, Service: Exponential(6e6), Act: errors, InProgress: 100 * time.Millisecond},
		{Name: "e", Stream: "A", Consumer: "e", Mode: ModePush, Count: 3, Service: Exponential(3e6)},
		{Name: "o", Stream: "A", Mode: ModeOrdered, Count: 1, Service: Constant(1e5)},
	}
	return w
}

// withFaults adds a restart, a kill and an election to busy.
func withFaults() Workload {
	w := busy()
	w.Streams[0].Replicas = 3
	w.Publishers[0].Mode, w.Publishers[0].Retry = PublishSync, &Retry{Delays: []time.Duration{50 * time.Millisecond}, RepeatLast: true}
	w.Faults = append(w.Faults,
		Fault{At: 7 * time.Second, For: 500 * time.Millisecond, Kind: FaultRestartServer},
		Fault{At: 12 * time.Second, For: 500 * time.Millisecond, Kind: FaultKillServer},
		Fault{At: 20 * time.Second, Kind: FaultKillLeader})
	return w
}

// TestTraceHashes: the same seed gives the same bytes, on every machine and in
// the browser. The hashes are committed; UPDATE=1 writes them.
func TestTraceHashes(t *testing.T) {
	path := filepath.Join("testdata", "hashes.txt")
	var lines []string
	for _, x := range []struct {
		name  string
		w     func() Workload
		until time.Duration
	}{{"busy", busy, 30 * time.Second}, {"faults", withFaults, 30 * time.Second}, {"hour", hour, 3 * time.Second}} {
		for seed := range uint64(3) {
			h, res := hashRun(t, x.w(), Options{Seed: seed, Until: x.until})
			lines = append(lines, fmt.Sprintf("%s seed %d: %d events, trace %016x", x.name, seed, res.Events, uint64(h)))
		}
	}
	got := strings.Join(lines, "\n") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestSeeds: another seed is another run, the same is the same.
func TestSeeds(t *testing.T) {
	o := Options{Seed: 1, Until: 10 * time.Second}
	a, _ := hashRun(t, busy(), o)
	b, _ := hashRun(t, busy(), o)
	o.Seed = 2
	c, _ := hashRun(t, busy(), o)
	if a != b || a == c {
		t.Errorf("seed 1: %x and %x, seed 2: %x", a, b, c)
	}
}

// TestRedraw: putting waiting and stored messages away, to draw them again, does
// not change a single event.
func TestRedraw(t *testing.T) {
	slow := busy()
	for i := range slow.Workers {
		slow.Workers[i].Service = Exponential(60e6) // far too slow: a backlog
	}
	bounded := slow
	bounded.Streams = []Stream{{Name: "A", MaxMsgs: 2500, Retention: Limits}}
	for _, x := range []struct {
		name string
		w    Workload
	}{{"keeping up", busy()}, {"backlog", slow}, {"max_msgs", bounded}} {
		t.Run(x.name, func(t *testing.T) {
			o := Options{Seed: 3, Until: 40 * time.Second}
			a, ra := hashRun(t, x.w, o)
			o.awake = true
			b, rb := hashRun(t, x.w, o)
			if a != b {
				t.Errorf("trace %x with segments put away, %x without", a, b)
			}
			if ra.Streams[0].Bytes != rb.Streams[0].Bytes || ra.Streams[0].Stored < 10_000 {
				t.Errorf("%d bytes against %d, %d stored", ra.Streams[0].Bytes, rb.Streams[0].Bytes, ra.Streams[0].Stored)
			}
		})
	}
}

// TestShuffledTies: whatever the order of what happens at one instant, nothing
// is lost and no rule is broken.
func TestShuffledTies(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(a.Files, func(x txtar.File) bool { return x.Name == "scenario.json" })
		var s spec
		if err := json.Unmarshal(a.Files[i].Data, &s); err != nil {
			t.Fatal(err)
		}
		w := s.workload()
		for seed := range uint64(5) {
			res, err := Run(context.Background(), w, Options{Seed: seed, Until: ms(s.DurationMS), shuffle: true, check: conserved})
			if err != nil {
				t.Errorf("%s seed %d: %v", filepath.Base(f), seed, err)
				continue
			}
			for _, p := range res.Publishers {
				if p.Stored == 0 {
					t.Errorf("%s seed %d: nothing stored", filepath.Base(f), seed)
				}
			}
		}
	}
	for seed := range uint64(3) {
		if _, err := Run(context.Background(), withFaults(), Options{Seed: seed, Until: 25 * time.Second, shuffle: true}); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}
