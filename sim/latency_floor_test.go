package sim

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestLatencyFloor: where no number of workers meets a goal of latency, the cause is
// named in place of a number of workers.
func TestLatencyFloor(t *testing.T) {
	const text = `
weir: 1
streams:
  ORDERS:
    subjects: [orders]
    consumers:
      billing: {ack_policy: explicit, ack_wait: 10s, workers: {count: 2, fetch: 10, service_time: 20ms, errors: ERRORS}}
publishers: {shop: {subject: orders, mode: async, rate: 30/s, payload: 1KiB}}
goals: {GOAL}
`
	for _, tc := range []struct {
		name, errors, goal, why string
	}{
		{"the delay is the limit", "{rate: 1.5%, action: nak, delay: 5s}", "latency_p99: 5s", "1.5 % of the deliveries come again only after 5 s (nak with delay)"},
		{"two causes", "[{rate: 3%, action: nak, delay: 6s}, {rate: 3%, action: nothing}]", "latency_p95: 5s", "6 % of the deliveries come again only after 6 s (nak with delay)"},
		{"nobody answers", "{rate: 2%, action: nothing}", "latency_p99: 9s", "2 % of the deliveries come again only after 10 s (ack_wait)"},
		{"handling takes longer", "{rate: 0.1%, action: nak}", "latency_p50: 10ms", "handling a message takes 20 ms at p50"},
		{"few fail", "{rate: 0.5%, action: nak, delay: 5s}", "latency_p99: 5s", ""},
		{"the delay is short", "{rate: 5%, action: nak, delay: 1s}", "latency_p99: 5s", ""},
		{"what is given up is never acknowledged", "{rate: 5%, action: term}", "latency_p99: 5s", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := model(t, strings.NewReplacer("ERRORS", tc.errors, "GOAL", tc.goal).Replace(text), DesignOptions{For: 10 * time.Minute})
			if why := m.floorOf(&m.Goals[0]); !strings.Contains(why, tc.why) || (why == "") != (tc.why == "") {
				t.Fatalf("says %q, not %q", why, tc.why)
			}
			a := simulated(t, m, SimulateOptions{Seed: 1})
			if met := a.Goals[0].Met; met != (tc.why == "") {
				t.Errorf("met %v: %+v", met, a.Goals[0])
			}
			said := ""
			for _, f := range a.Findings {
				said += f.Text + " " + f.Advice + "\n"
			}
			if !strings.Contains(said, tc.why) || strings.Contains(said, "Raise count") || strings.Contains(said, "cannot be met") != (tc.why != "") {
				t.Errorf("says %s", said)
			}
			if tc.why == "" {
				return
			}
			tuned, err := m.Tune(context.Background(), TuneOptions{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if v := tuned.Consumers[0].Verdict; tuned.Met || !strings.Contains(v, tc.why) {
				t.Errorf("tune says %q", v)
			}
		})
	}
}
