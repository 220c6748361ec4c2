package sim

import (
	"strings"
	"testing"
	"time"
)

// TestFindings_blame: a backlog is the fault's where the burst around it stays below
// what the workers take, and the burst's where it is there without the fault.
func TestFindings_blame(t *testing.T) {
	for _, tt := range []struct{ name, burst, event, want, never string }{
		{"stall in a burst below saturation", "200/s", "{at: 5m, stall: billing, for: 5m}", "the 5 min stall of billing leaves", "burst of checkout: 200"},
		{"stall before it", "150/s", "{at: 1m, stall: billing, for: 3m}", "the 3 min stall of billing leaves", "burst of checkout: 150"},
		{"short stall in a burst beyond it", "500/s", "{at: 6m, stall: billing, for: 1s}", "burst of checkout: 500 msg/s leaves", "stall of billing leaves"},
		{"short burst beyond it", "500/s", "{at: 40m, stall: billing, for: 1s}", "burst of checkout: 500 msg/s leaves", "stall of billing leaves"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := `
weir: 1
streams:
  ORDERS:
    subjects: [orders]
    consumers:
      billing: {ack_policy: explicit, workers: {count: 4, concurrency: 2, fetch: 50, service_time: 25ms}}
publishers:
  checkout: {subject: orders, mode: async, rate: 100/s, payload: 1KiB, bursts: [{rate: ` + tt.burst + `, for: 10m, at: 3m}]}
scenarios: {s: [` + tt.event + `]}
`
			a := simulated(t, model(t, text, DesignOptions{For: time.Hour, Scenario: "s"}), SimulateOptions{Seed: 1})
			said := ""
			for _, f := range a.Findings {
				said += f.Text + " " + f.Advice + "\n"
			}
			if !strings.Contains(said, tt.want) || strings.Contains(said, tt.never) {
				t.Errorf("%q does not say %q, or says %q", said, tt.want, tt.never)
			}
			for _, k := range a.Marks {
				if strings.Contains(k.Text, tt.never) && len(k.Recoveries) > 0 {
					t.Errorf("%s: %+v", k.Text, k.Recoveries)
				}
			}
		})
	}
}

// TestWorkersNeeded_least: one worker fewer than the count that is advised for a
// backlog does not drain it in time, and the advised count does.
func TestWorkersNeeded_least(t *testing.T) {
	lab := Lab{Rate: 500, BurstRate: 2000, BurstAt: time.Minute, BurstFor: time.Minute, Workers: 6, Fetch: 50,
		ServiceP50: 5 * time.Millisecond, ServiceP99: 50 * time.Millisecond, MaxAckPending: 1000, AckWait: 30 * time.Second}
	m, err := LabModel(lab)
	if err != nil {
		t.Fatal(err)
	}
	m.Goals = []WantedGoal{{Name: "drain", Consumer: 0, Limit: float64(time.Minute)}}
	n, ok := m.WorkersNeeded(0)
	if !ok {
		t.Fatal("no count is found")
	}
	for _, x := range []struct {
		count int
		met   bool
	}{{n.Count, true}, {n.Count - 1, false}} {
		lab.Workers = x.count
		m, err := LabModel(lab)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := simulated(t, m, SimulateOptions{Seed: 1}).Consumers[0].Figure("drain")
		if met := f.Value <= 60; met != x.met {
			t.Errorf("%d workers, advised %d: drained after %s", x.count, n.Count, f.Text)
		}
	}
}

// TestEstimate_burst: the coarse answer says when more arrives than workers take.
func TestEstimate_burst(t *testing.T) {
	for _, tt := range []struct{ name, rate, burst, want string }{
		{"always", "400/s", "500/s", "Estimate: more arrives at ORDERS/billing than its workers can take."},
		{"in the burst", "100/s", "900/s", "Estimate: during the burst more arrives at ORDERS/billing than its workers can take, 900 msg/s of 31"},
		{"in a long one, by the mean of the run as well", "200/s", "2000/s", "Estimate: during the burst more arrives"},
		{"never", "100/s", "200/s", "Estimate: workers can take what arrives."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := model(t, `
weir: 1
streams:
  ORDERS: {subjects: [orders], consumers: {billing: {ack_policy: explicit, workers: {count: 4, concurrency: 2, fetch: 50, service_time: 25ms}}}}
publishers:
  checkout: {subject: orders, mode: async, rate: `+tt.rate+`, payload: 1KiB, bursts: [{rate: `+tt.burst+`, for: 10m, at: 3m}]}
`, DesignOptions{For: time.Hour}).Estimate()
			if err != nil || !strings.HasPrefix(a.Verdict, tt.want) {
				t.Errorf("%q does not begin with %q; %v", a.Verdict, tt.want, err)
			}
		})
	}
}
