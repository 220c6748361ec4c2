package sim

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/design"
)

// TestPartial: what a run gives on its way are the beginnings of its result, longer
// each time, and it gives them without changing the result.
func TestPartial(t *testing.T) {
	w, o := hour(), Options{Seed: 3, Until: 2 * time.Minute}
	alone, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	var parts []*Result
	o.Partial = func(result func() *Result) { parts = append(parts, result()) }
	whole, err := Run(context.Background(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) < 10 {
		t.Fatalf("%d partial results", len(parts))
	}
	points := 0
	for i, p := range parts {
		for k, c := range p.Consumers {
			have, all := c.Series, whole.Consumers[k].Series
			if len(have) < points || !slices.Equal(have, all[:len(have)]) {
				t.Fatalf("partial result %d of %s is not the beginning of the result", i, c.Name)
			}
		}
		points = len(p.Consumers[0].Series)
	}
	if last := parts[len(parts)-1]; points == 0 || last.Consumers[0].Sojourn.Count() > whole.Consumers[0].Sojourn.Count() {
		t.Errorf("%d points at the end", points)
	}
	for k, c := range whole.Consumers {
		if !slices.Equal(c.Series, alone.Consumers[k].Series) || c.Acked != alone.Consumers[k].Acked || c.Sojourn.Percentile(99) != alone.Consumers[k].Sojourn.Percentile(99) {
			t.Errorf("%s is another with somebody looking on", c.Name)
		}
	}
}

// TestPartOfAnAnswer: what ends before its time answers about what it has, and says
// that it is a part.
func TestPartOfAnAnswer(t *testing.T) {
	const text = `
weir: 1
goals: {latency_p99: 100ms, survive: [node, worker-stall 5m]}
streams:
  S: {subjects: [s.>], consumers: {c: {ack_policy: explicit, workers: {count: 2, concurrency: 4, fetch: 4, service_time: {p50: 5ms, p99: 20ms}}}}}
publishers: {p: {subject: s.a, rate: 200/s, mode: async, payload: 100B}}
`
	m := model(t, text, DesignOptions{For: 10 * time.Minute})
	// from is a share that stops what reports it.
	from := func(share float64) func(float64) bool { return func(done float64) bool { return done < share } }
	for _, tt := range []struct {
		name, want string
		seeds      int
		share      float64
	}{
		{"one run", "the run ended at", 1, 0.3},
		{"several, none over", "the run ended at", 10, 0.01},
		{"several, some over", "of 10 runs came to their end, and figures are those of them: ", 10, 0.5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := m.Simulate(t.Context(), SimulateOptions{Seeds: tt.seeds, Progress: from(tt.share)})
			if !errors.Is(err, ErrStopped) || a == nil || !strings.Contains(a.Partial, tt.want) || a.Met || !strings.Contains(a.Verdict, "Not answered in full: ") || len(a.Consumers) != 1 {
				t.Fatalf("%+v, %v", a, err)
			}
		})
	}
	t.Run("sweep", func(t *testing.T) {
		s, err := ParseSetting("streams.S.consumers.c.workers.count=1..10")
		if err != nil {
			t.Fatal(err)
		}
		a, err := Sweep(t.Context(), design.NewSource("d.yaml", []byte(text)), []Setting{s}, SweepOptions{Design: DesignOptions{For: time.Minute}, Progress: from(0.4)})
		if !errors.Is(err, ErrStopped) || len(a.Rows) != 4 || !strings.HasPrefix(a.Partial, "4 of 10 variants were simulated: ") || a.Knee != -1 || !strings.HasPrefix(a.Verdict, "Not answered in full: 4 of 10") {
			t.Fatalf("%+v, %v", a, err)
		}
	})
	t.Run("tune", func(t *testing.T) {
		a, err := m.Tune(t.Context(), TuneOptions{Progress: from(0)})
		if !errors.Is(err, ErrStopped) || len(a.Consumers) != 1 || !a.Consumers[0].Partial || a.Consumers[0].Tried != 1 || len(a.Consumers[0].Front) != 1 || a.Met || !strings.HasPrefix(a.Partial, "0 of 1 consumer was searched") {
			t.Fatalf("%+v, %v", a, err)
		}
	})
	t.Run("survive", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		goals, err := m.JudgeSurvive(ctx, 1, nil)
		a := Answer{}
		a.AddGoals(m, goals)
		if err == nil || len(goals) != 0 || a.Met || !strings.HasPrefix(a.Partial, "2 of 2 faults of goals.survive were not run") {
			t.Fatalf("%v, %+v", err, a)
		}
	})
}
