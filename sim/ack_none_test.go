package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// ackNone is a design whose one consumer has ack_policy none.
func ackNone(consumer, publisher, rest string) string {
	return fmt.Sprintf(`
weir: 1
server: {version: "2.12"}
streams:
  ORDERS:
    subjects: [orders]
    consumers:
      billing: {ack_policy: none, %s}
publishers:
  shop: {subject: orders, payload: 1KiB, %s}
%s
`, consumer, publisher, rest)
}

// TestAckNone_lost: what the server sent is handled, or is counted as lost.
func TestAckNone_lost(t *testing.T) {
	const busy = "rate: 190/s"
	workers := func(rest string) string {
		return "workers: {count: 2, concurrency: 1, service_time: 10ms, " + rest + "}"
	}
	scenario := func(events string) string { return "scenarios: {s: [" + events + "]}" }
	for _, tc := range []struct {
		name, design, scenario string
		held, failed           bool
	}{
		{"nothing happens", ackNone(workers("fetch: 50"), busy, ""), "", false, false},
		{"a worker with a batch crashes", ackNone(workers("fetch: 50"), busy, scenario("{at: 1m, crash: billing}")), "s", true, false},
		{"a worker that crashes comes back", ackNone(workers("fetch: 50"), busy, scenario("{at: 1m, crash: billing, for: 10s}")), "s", true, false},
		{"a worker that is stalled goes on with what it has", ackNone(workers("fetch: 50"), busy, scenario("{at: 1m, stall: billing, for: 10s}")), "s", false, false},
		{"what a client library has is lost as well", ackNone(workers("loop: consume, fetch: 200"), busy, scenario("{at: 1m, crash: billing}")), "s", true, false},
		{"a push consumer", ackNone("deliver_subject: d, "+strings.Replace(workers("pending_limit: 100"), "count: 2", "count: 1", 1), busy, ""), "", true, false},
		{"handlers fail", ackNone(workers("fetch: 50, errors: {rate: 1%, action: nak, delay: 5s}"), busy, ""), "", false, true},
		{"handlers end without an answer", ackNone(workers("fetch: 50, errors: {rate: 1%, action: nothing}"), busy, ""), "", false, true},
		{"a term gives the message up on purpose", ackNone(workers("fetch: 50, errors: {rate: 1%, action: term}"), busy, ""), "", false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := model(t, tc.design, DesignOptions{Scenario: tc.scenario, For: 10 * time.Minute})
			m = m.Scaled(Scale{Publish: 2 * time.Minute})
			r, err := Run(context.Background(), m.Workload, Options{Seed: 1, Until: m.Until})
			if err != nil {
				t.Fatal(err)
			}
			c := r.Consumers[0]
			if (c.LostHeld > 0) != tc.held || (c.LostFailed > 0) != tc.failed {
				t.Errorf("%d lost in hand, %d failed", c.LostHeld, c.LostFailed)
			}
			if handled := int64(c.Sojourn.Count()) + c.Terms; c.Sent != handled+c.LostHeld+c.LostFailed || c.NumPending != 0 {
				t.Errorf("%d sent, %d handled, %d lost in hand, %d failed, %d pending", c.Sent, handled, c.LostHeld, c.LostFailed, c.NumPending)
			}
			if c.Sent != r.Streams[0].Stored || c.arrived() != c.Sent {
				t.Errorf("%d sent and %d arrived of %d stored", c.Sent, c.arrived(), r.Streams[0].Stored)
			}
		})
	}
}

// TestAckNone_survive: a crash of a worker with ack none is not survived, one with
// ack explicit is.
func TestAckNone_survive(t *testing.T) {
	none := ackNone("workers: {count: 2, concurrency: 1, fetch: 50, service_time: 10ms}", "rate: 190/s", "goals: {lost: 0%, survive: [worker-crash, worker-stall 5m]}")
	for _, tc := range []struct {
		name, design string
		want         string // which faults are survived
	}{
		{"none", none, "false true"},
		{"explicit", strings.Replace(none, "ack_policy: none", "ack_policy: explicit", 1), "true true"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := model(t, tc.design, DesignOptions{For: 10 * time.Minute})
			goals, err := m.JudgeSurvive(context.Background(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(goals[0].Met, goals[1].Met); got != tc.want {
				t.Errorf("met %s, want %s: %+v", got, tc.want, goals)
			}
		})
	}
}
