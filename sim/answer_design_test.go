package sim

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/design"
)

// burstShop is four workers that saturate, a burst, and goals.
const burstShop = `
weir: 1
streams:
  ORDERS:
    subjects: [orders]
    consumers:
      billing: {ack_policy: explicit, workers: {count: 4, fetch: 50, service_time: 32.7ms}}
publishers:
  checkout: {subject: orders, mode: async, rate: 60/s, payload: 1KiB, bursts: [{rate: 300/s, for: 10m, at: 10m}]}
goals: {latency_p99: 250ms, drain: 10m, lost: 0%, utilisation: 80%}
`

func simulated(t *testing.T, m *Model, o SimulateOptions) *Answer {
	t.Helper()
	a, err := m.Simulate(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestFindings: what the sentences say is what queueing theory says: 4 workers
// of 33 ms a message take 121 a second; a burst of 300 a second for ten minutes
// leaves 107,000, drained at 61 a second in 29 minutes; 11 workers take 336, nine
// tenths of which are just enough for a burst in which nothing may wait.
func TestFindings(t *testing.T) {
	m := model(t, burstShop, DesignOptions{For: 2 * time.Hour})
	a := simulated(t, m, SimulateOptions{Seed: 1})
	if len(a.Findings) == 0 {
		t.Fatal("nothing is said")
	}
	f := a.Findings[0]
	for _, want := range []string{"saturate at 121", "10 min burst of checkout: 300 msg/s leaves 10", "drained after 2"} {
		if !strings.Contains(f.Text, want) {
			t.Errorf("%q does not say %q", f.Text, want)
		}
	}
	if !strings.HasPrefix(f.Advice, "Raise count to 11: with fewer, latency_p99 misses 250 ms") {
		t.Errorf("advice is %q", f.Advice)
	}
	if a.Met || len(a.Goals) != 4 {
		t.Fatalf("met %v, %d goals", a.Met, len(a.Goals))
	}
	met := map[string]bool{}
	for _, g := range a.Goals {
		met[g.Name] = g.Met
		if g.Met != (g.Margin >= 0) {
			t.Errorf("%s: met %v with margin %v", g.Name, g.Met, g.Margin)
		}
	}
	if met["latency_p99"] || met["drain"] || !met["lost"] {
		t.Errorf("goals met: %v", met)
	}
	// The count that is advised does what is said, and one that is much smaller not.
	for _, x := range []struct {
		count string
		met   bool
	}{{"11", true}, {"9", false}} {
		better := model(t, strings.Replace(burstShop, "count: 4", "count: "+x.count, 1), DesignOptions{For: time.Hour})
		if b := simulated(t, better, SimulateOptions{Seed: 1}); b.Met != x.met {
			t.Errorf("%s workers: met %v: %+v", x.count, b.Met, b.Goals)
		}
	}
}

// TestFindings_late: a fault that the run ends before has not been survived.
func TestFindings_late(t *testing.T) {
	const text = burstShop + `
scenarios: {later: [{at: 10m, stall: billing, for: 2m}, {at: 20m, burst: checkout, rate: 100/s, for: 5m}, {at: 1m, stall: billing, for: 1s}]}
`
	a := simulated(t, model(t, text, DesignOptions{Scenario: "later", For: 5 * time.Minute}), SimulateOptions{Seed: 1})
	var late []string
	for _, f := range a.Findings {
		if strings.Contains(f.Text, "these figures have nothing of it") {
			late = append(late, f.Severity+" "+f.Path+": "+f.Text+" "+f.Advice)
		}
	}
	want := []string{
		"warning scenarios.later[0]: Stall of billing begins at 10 min, and the run ends at 5 min: these figures have nothing of it. Simulate 24m.",
		"warning scenarios.later[1]: Burst of checkout begins at 20 min, and the run ends at 5 min: these figures have nothing of it. Simulate 50m.",
	}
	if !slices.Equal(late, want) {
		t.Errorf("got %q, want %q", late, want)
	}
}

// TestEstimate_agrees: the coarse answer is near the simulated one.
func TestEstimate_agrees(t *testing.T) {
	m := model(t, burstShop, DesignOptions{For: 2 * time.Hour})
	began := time.Now()
	e, err := m.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 100*time.Millisecond && !testing.Short() {
		t.Logf("the estimate took %v", took) // a busy machine; BenchmarkEstimate measures
	}
	if !e.Estimate || len(e.Goals) > 0 {
		t.Error("an estimate says that it is one, and judges nothing")
	}
	want, _ := simulated(t, m, SimulateOptions{Seed: 1}).Consumers[0].Figure("pending")
	got, _ := e.Consumers[0].Figure("pending")
	near(t, "pending at most", got.Value, want.Value, 0.03)
}

// BenchmarkEstimate: the coarse answer has to be there in 100 ms.
func BenchmarkEstimate(b *testing.B) {
	m := model(b, burstShop, DesignOptions{For: 2 * time.Hour})
	for b.Loop() {
		if _, err := m.Estimate(); err != nil {
			b.Fatal(err)
		}
	}
}

func TestSimulate_seeds(t *testing.T) {
	m := model(t, shop, DesignOptions{For: 2 * time.Minute})
	calls := 0
	a := simulated(t, m, SimulateOptions{Seed: 1, Seeds: 5, Parallel: 2, Progress: func(done float64) bool { calls++; return done <= 1 }})
	f, _ := a.Consumers[0].Figure("acked_rate")
	if a.Seeds != 5 || f.Half <= 0 || !strings.Contains(f.Text, "±") {
		t.Errorf("%d seeds, %+v", a.Seeds, f)
	}
	again := simulated(t, m, SimulateOptions{Seed: 1, Seeds: 5, Parallel: 1})
	if g, _ := again.Consumers[0].Figure("acked_rate"); g != f {
		t.Errorf("in parallel %v, one by one %v", f, g)
	}
}

func TestSimulate_stops(t *testing.T) {
	m := model(t, burstShop, DesignOptions{For: 10 * time.Hour})
	a, err := m.Simulate(context.Background(), SimulateOptions{Seed: 1, Progress: func(done float64) bool { return done < 0.01 }})
	if !errors.Is(err, ErrStopped) || a == nil || a.Partial == "" || a.Met || len(a.Goals) > 0 {
		t.Errorf("got %v, %+v", err, a)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Simulate(ctx, SimulateOptions{Seeds: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestSurvive(t *testing.T) {
	const text = `
weir: 1
server: {nodes: 3}
streams:
  A: {subjects: [a], storage: memory, num_replicas: %R, consumers: {c: {ack_policy: explicit, workers: {count: 1, service_time: 20ms}}}}
publishers: {p: {subject: a, rate: 40/s}}
goals: {survive: [node, worker-crash, worker-stall 1m]}
`
	tests := []struct {
		name, replicas string
		met            []bool
	}{
		{"three replicas", "3", []bool{true, true, true}},
		{"one replica in memory", "1", []bool{false, true, true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := model(t, strings.Replace(text, "%R", tt.replicas, 1), DesignOptions{For: 10 * time.Minute})
			goals, err := m.JudgeSurvive(context.Background(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range goals {
				if g.Met != tt.met[i] {
					t.Errorf("%s: met %v, %s, %s", g.Name, g.Met, g.Got, g.Text)
				}
			}
		})
	}
}

func TestParseSetting(t *testing.T) {
	tests := []struct {
		name, in, want, err string
	}{
		{"range", "a.b=1..4", "1 2 3 4", ""},
		{"step", "a=1..10/3", "1 4 7 10", ""},
		{"times with a step", "a=10s..30s/10s", "10s 20s 30s", ""},
		{"times", "a=0s..7s", "0s 1s 2s 3s 4s 5s 6s 7s", ""},
		{"list", "a=1s,1m", "1s 1m", ""},
		{"backwards", "a=4..1", "", "no range"},
		{"too many", "a=1..1000000", "", "more than 1000 values"},
		{"two units", "a=1s..4m", "", "same unit"},
		{"nothing", "a=", "", "no setting"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := ParseSetting(tt.in)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %v, %v", s, err)
				}
				return
			}
			if got := strings.Join(s.Values, " "); err != nil || got != tt.want {
				t.Errorf("got %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// TestSweep: latency falls with the count, and the knee and the cheapest lie
// where capacity passes the rate.
func TestSweep(t *testing.T) {
	text := strings.Replace(burstShop, ", bursts: [{rate: 300/s, for: 10m, at: 10m}]", "", 1)
	s, err := ParseSetting("streams.ORDERS.consumers.billing.workers.count=1..8")
	if err != nil {
		t.Fatal(err)
	}
	a, err := Sweep(context.Background(), design.NewSource("a.yaml", []byte(text)), []Setting{s}, SweepOptions{Design: DesignOptions{For: 5 * time.Minute}, Seed: 1, Parallel: 2})
	if err != nil {
		t.Fatal(err)
	}
	last := math.Inf(1)
	for i, r := range a.Rows {
		f, _ := figure(r.Figures, "latency_p99")
		if f.Value > last*1.05 {
			t.Errorf("count %d: p99 rises to %s", i+1, f.Text)
		}
		last = f.Value
	}
	// Two workers take 61 of 60 a second and are always busy; three are busy 66 %.
	if a.Consumer != "ORDERS/billing" || a.Cheapest != 2 || a.Knee != 1 && a.Knee != 2 {
		t.Errorf("%q, cheapest %d, knee %d: %s", a.Consumer, a.Cheapest, a.Knee, a.Verdict)
	}
}

func TestTune(t *testing.T) {
	text := strings.NewReplacer(", bursts: [{rate: 300/s, for: 10m, at: 10m}]", "", "count: 4", "count: 9, concurrency: 1").Replace(burstShop)
	a, err := model(t, text, DesignOptions{For: 5 * time.Minute}).Tune(context.Background(), TuneOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c := a.Consumers[0]
	if !a.Met || c.Chosen < 0 || c.Front[c.Chosen].Count != 3 {
		t.Fatalf("%+v", a)
	}
	for i := 1; i < len(c.Front); i++ {
		if c.Front[i].Count < c.Front[i-1].Count {
			t.Errorf("the front is not in order: %+v", c.Front)
		}
	}
}

// TestRecommend: what is recommended does it, simulated.
func TestRecommend(t *testing.T) {
	tests := []struct {
		name string
		n    ConsumerNeeds
	}{
		{"slow and uneven", ConsumerNeeds{Rate: 50, Concurrency: 4, Service: Lognormal(int64(50*time.Millisecond), int64(2*time.Second))}},
		{"quick", ConsumerNeeds{Rate: 5000, Service: Exponential(int64(100 * time.Microsecond))}},
		{"minutes", ConsumerNeeds{Rate: 0.5, Service: Lognormal(int64(20*time.Second), int64(3*time.Minute))}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Recommend(tt.n)
			if err != nil {
				t.Fatal(err)
			}
			gap := int64(float64(time.Second) / tt.n.Rate)
			w := Workload{
				Streams:    []Stream{{Name: "S"}},
				Consumers:  []Consumer{{Stream: "S", Name: "c", AckWait: a.AckWait, BackOff: a.BackOff, MaxDeliver: a.MaxDeliver, MaxAckPending: a.MaxAckPending}},
				Publishers: []Publisher{{Name: "p", Stream: "S", Subjects: []string{"s"}, Phases: []Phase{{Interval: Exponential(gap)}}}},
				Workers: []WorkerGroup{{Name: "w", Stream: "S", Consumer: "c", Mode: ModeConsume, Count: a.Count, Concurrency: max(1, tt.n.Concurrency), Batch: a.Fetch, Service: tt.n.Service,
					InProgress: a.InProgress, InProgressHeld: true}},
				Overhead: MeasuredOverhead,
			}
			// A hundred thousand messages, or an hour: one in a thousand shows.
			until := min(time.Hour, time.Duration(1e5/tt.n.Rate*float64(time.Second)))
			r, err := Run(context.Background(), w, Options{Seed: 1, Until: until})
			if err != nil {
				t.Fatal(err)
			}
			c := r.Consumers[0]
			if twice := ratio(float64(c.HandledTwice), float64(c.Unique)); twice > 0.001 {
				t.Errorf("%v are handled twice", twice)
			}
			if c.NumPending > int64(tt.n.Rate)+5 || c.Stranded > 0 {
				t.Errorf("%d are pending at the end, %d stranded", c.NumPending, c.Stranded)
			}
		})
	}
	if _, err := Recommend(ConsumerNeeds{Rate: 1e9, Service: Constant(int64(time.Hour))}); err == nil {
		t.Error("an impossible rate is recommended something")
	}
}

// TestBounds_ofDesigns: what cannot be simulated says so at once.
func TestBounds_ofDesigns(t *testing.T) {
	tests := []struct {
		name, change, to, want string
		span                   time.Duration
	}{
		{"a billion messages a second", "60/s", "1000000000/s", "shorten the run or lower the rate", time.Hour},
		{"ten years", "60/s", "60/s", "shorten the run or lower the rate", 10 * 365 * 24 * time.Hour},
		{"beyond every length", "60/s", "1/d", "is longer than", 100 * 365 * 24 * time.Hour},
		{"no service time", "service_time: 32.7ms", "fetch_bytes: 1MiB", "", time.Minute},
		{"zero service time", "service_time: 32.7ms", "service_time: 0s", "", time.Minute},
		{"no workers", "count: 4", "count: 0", "", time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := model(t, strings.Replace(burstShop, tt.change, tt.to, 1), DesignOptions{For: tt.span})
			began := time.Now()
			_, err := m.Simulate(context.Background(), SimulateOptions{Seed: 1})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestCopies: streams that feed each other end, and say so.
func TestCopies(t *testing.T) {
	const text = `
weir: 1
streams:
  A: {subjects: [a.>], republish: {src: "a.>", dest: "b.>"}}
  B: {subjects: [b.>], republish: {src: "b.>", dest: "a.>"}}
  M: {mirror: {name: A}}
publishers: {p: {subject: a.x, rate: 10/s}}
`
	m := model(t, text, DesignOptions{For: time.Minute})
	if len(m.Circles) != 1 || !slices.Equal(m.Circles[0].Streams, []string{"A", "B", "A"}) {
		t.Errorf("the circle is not noted: %v, %v", m.Circles, m.Notes)
	}
	runModel(t, m)
}

// TestFindings_capacity: the two rates that workers have are told apart, and only
// where they differ.
func TestFindings_capacity(t *testing.T) {
	const text = `
weir: 1
streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, workers: {count: 2, concurrency: 10, service_time: 150ms, fetch: FETCH}}}}}
publishers: {p: {subject: s, mode: async, rate: 40/s, payload: 1KiB}}
`
	for _, tc := range []struct {
		name, fetch string
		waits       bool
	}{{"as many as it handles at once", "10", true}, {"many more", "100", false}} {
		t.Run(tc.name, func(t *testing.T) {
			a := simulated(t, model(t, strings.Replace(text, "FETCH", tc.fetch, 1), DesignOptions{For: 5 * time.Minute}), SimulateOptions{Seed: 1})
			said := a.Findings[0].Text
			if strings.Contains(said, "their handlers alone take 133") != tc.waits || !strings.Contains(said, "saturate at") {
				t.Errorf("says %q", said)
			}
		})
	}
}
