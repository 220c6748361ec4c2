package sim

import (
	"strings"
	"testing"
	"time"

	"weir/design"
)

// TestGoals_open: a goal is met or missed only by a run that shows it.
func TestGoals_open(t *testing.T) {
	const text = `
weir: 1
streams:
  ORDERS:
    subjects: [orders.>]
    consumers:
      billing: {filter_subject: orders.new, ack_policy: explicit, workers: {count: 1, fetch: 10, service_time: 10ms}}
publishers:
  shop: {subject: orders.new, mode: async, rate: 50/s, payload: 1KiB}
goals: {GOALS}
scenarios:
  gone: [{at: 1m, scale: billing, to: 0}, {at: 4m, scale: billing, to: 1}]
`
	for _, tc := range []struct {
		name, goals, filter, scenario string
		span                          time.Duration
		open                          string
		met, missed                   bool
		verdict                       string
	}{
		{"met", "latency_p99: 1s", "orders.new", "", 5 * time.Minute, "", true, false, "The goal is met."},
		{"missed", "latency_p99: 1ms", "orders.new", "", 5 * time.Minute, "", false, true, "The goal is missed"},
		{"nothing reaches it", "latency_p99: 1s", "orders.paid", "", 5 * time.Minute, NotExercised, false, false, "0 of 1 goal is met, none is missed; 1 not exercised."},
		{"nothing reaches it, to be missed", "pending: 0", "orders.paid", "", 5 * time.Minute, NotExercised, false, false, "none is missed"},
		{"publishes are refused or not, whatever the filter", "rejected: 0%", "orders.paid", "", 5 * time.Minute, "", true, false, "The goal is met."},
		{"nothing happens", "drain: 1m", "orders.new", "", 5 * time.Minute, NotExercised, false, false, "1 not exercised"},
		{"level again in time", "drain: 10m", "orders.new", "gone", 30 * time.Minute, "", true, false, "The goal is met."},
		{"the run ends before it is level", "drain: 10m", "orders.new", "gone", 5 * time.Minute, NotDecided, false, false, "1 not decided"},
		{"the run is long enough to miss it", "drain: 10s", "orders.new", "gone", 5 * time.Minute, "", false, true, "The goal is missed"},
		{"nothing is acknowledged", "latency_p99: 1h", "orders.new, ack_wait: 1h", "", 5 * time.Minute, NotDecided, false, false, "1 not decided"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := strings.NewReplacer("GOALS", tc.goals, "filter_subject: orders.new", "filter_subject: "+tc.filter).Replace(text)
			if tc.name == "nothing is acknowledged" {
				d = strings.Replace(d, "10ms", "10m", 1)
			}
			a := simulated(t, model(t, d, DesignOptions{For: tc.span, Scenario: tc.scenario}), SimulateOptions{Seed: 1})
			g := a.Goals[0]
			if g.Open != tc.open || g.Met != tc.met || g.Missed() != tc.missed || a.Met == tc.missed {
				t.Errorf("open %q, met %v, missed %v, all met %v: %+v", g.Open, g.Met, g.Missed(), a.Met, g)
			}
			if !strings.Contains(a.Verdict, tc.verdict) {
				t.Errorf("says %q, not %q", a.Verdict, tc.verdict)
			}
		})
	}
}

// TestSweep_unknownAssets: a setting of something that the design does not have is
// not swept.
func TestSweep_unknownAssets(t *testing.T) {
	const text = `
weir: 1
streams:
  ORDERS: {subjects: [orders], consumers: {billing: {ack_policy: explicit, workers: {count: 1, service_time: 1ms}}}}
publishers: {shop: {subject: orders, mode: async, rate: 10/s, payload: 1KiB}}
`
	for _, tc := range []struct{ name, path, wrong string }{
		{"a consumer", "streams.ORDERS.consumers.biling.workers.count", `"biling" is not in streams.ORDERS.consumers; did you mean billing?`},
		{"a stream", "streams.ORDER.max_age", `"ORDER" is not in streams; did you mean ORDERS?`},
		{"a publisher", "publishers.xyz.rate", `"xyz" is not in publishers, which has shop`},
		{"none of its kind", "accounts.APP.streams.A.max_age", "the design has no accounts"},
		{"what is there", "streams.ORDERS.consumers.billing.workers.count", ""},
		{"a key that is not written", "streams.ORDERS.consumers.billing.max_ack_pending", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Setting{Path: tc.path, Values: []string{"1", "2"}}
			_, err := Sweep(t.Context(), design.NewSource("d.yaml", []byte(text)), []Setting{s}, SweepOptions{Design: DesignOptions{For: time.Minute}})
			if (err == nil) != (tc.wrong == "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
				t.Errorf("says %v, not %q", err, tc.wrong)
			}
		})
	}
}
