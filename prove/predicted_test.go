package prove

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPredictedBesideMeasured: what the simulator and sizing say of the scaled
// run stands beside what was measured. The margins are those of a machine that
// has other things to do: a consumer whose work outlasts ack_wait, and one whose
// does not, are told apart by both.
func TestPredictedBesideMeasured(t *testing.T) {
	leavesNothing(t)
	e, err := Design(t.Context(), parseDesign(t, `
weir: 1
streams:
  JOBS:
    subjects: [jobs.*]
    storage: memory
    consumers:
      late: {ack_policy: explicit, ack_wait: 500ms, max_deliver: 3, workers: {count: 2, concurrency: 20, fetch: 40, service_time: 1s}}
      once: {ack_policy: explicit, ack_wait: 20s, workers: {count: 2, concurrency: 20, fetch: 40, service_time: 100ms}}
  IDLE:
    subjects: [idle.*]
    consumers: {c: {ack_policy: explicit, workers: {count: 1, service_time: 100ms}}}
publishers:
  p: {subject: "jobs.{k}", tokens: {k: 2}, rate: 10/s, payload: 1KiB, mode: async}
`), DesignOptions{Seed: 1, For: 3 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	found := func(name string) Prediction {
		t.Helper()
		for _, p := range e.Predicted {
			if p.Name == "workload: "+name {
				return p
			}
		}
		t.Fatalf("nothing is predicted of %s: %+v", name, e.Predicted)
		return Prediction{}
	}
	for _, c := range []string{"late", "once"} {
		for _, name := range []string{"redeliveries", "handled twice", "num_pending at most", "publish to ack p50", "publish to ack p99", "busy share"} {
			if p := found(name + " of JOBS/" + c); p.From != FromSimulation || p.Decides() || p.Low > p.Value || p.Value > p.High {
				t.Errorf("%+v", p)
			}
		}
	}
	for _, p := range e.Pending {
		if p.Consumer != "IDLE/c" {
			checkLooks(t, p)
		}
	}
	for _, p := range e.Predicted { // nobody has measured how long no message takes
		if strings.HasSuffix(p.Name, "of IDLE/c") && p.Unit == "ms" {
			t.Errorf("%+v", p)
		}
	}
	if len(e.Pending) != 3 {
		t.Errorf("%d consumers were looked at", len(e.Pending))
	}
	messages := found("messages that JOBS took").Measured
	if p := found("handled twice of JOBS/late"); p.Value < messages*8/10 || p.Measured < messages/2 {
		t.Errorf("of %d messages that outlast ack_wait: %+v", messages, p)
	}
	if p := found("handled twice of JOBS/once"); p.Value != 0 || p.Measured > messages/5 {
		t.Errorf("of %d messages with time enough: %+v", messages, p)
	}
	if p := found("publish to ack p50 of JOBS/late"); p.Value < 200 || p.Measured < 200 {
		t.Errorf("a second of work, in a fifth of the time: %+v", p)
	}
	if p := found("bytes of JOBS"); p.From != FromSizing || !p.Agrees() || !p.Decides() {
		t.Errorf("%+v", p)
	}
	for _, n := range e.NotExercised {
		if strings.HasPrefix(n.What, "prediction") {
			t.Errorf("%+v", n)
		}
	}
}

// checkLooks: looks at a consumer that never has nothing to do, with what was
// simulated beside each.
func checkLooks(t *testing.T, p Pending) {
	t.Helper()
	n := len(p.AtMS)
	if n < 5 || len(p.NumPending) != n || len(p.NumAckPending) != n || len(p.Predicted) != n || len(p.Low) != n || len(p.High) != n {
		t.Fatalf("%s: %d looks, %d %d %d %d %d", p.Consumer, n, len(p.NumPending), len(p.NumAckPending), len(p.Predicted), len(p.Low), len(p.High))
	}
	if !slices.IsSorted(p.AtMS) || p.AtMS[n-1] < 2_000 {
		t.Errorf("%s: looked at %v", p.Consumer, p.AtMS)
	}
	open, predicted := int64(0), int64(0)
	for i := range n {
		open, predicted = max(open, p.NumPending[i]+p.NumAckPending[i]), max(predicted, p.Predicted[i])
		if p.Low[i] > p.Predicted[i] || p.Predicted[i] > p.High[i] {
			t.Errorf("%s at %d ms: %d is not between %d and %d", p.Consumer, p.AtMS[i], p.Predicted[i], p.Low[i], p.High[i])
		}
	}
	if open == 0 || predicted == 0 {
		t.Errorf("%s: at most %d open, %d predicted", p.Consumer, open, predicted)
	}
}

// TestLooksAreThinnedOut: a long run keeps looks from its begin to its end, evenly.
func TestLooksAreThinnedOut(t *testing.T) {
	var l looks
	const all = 5*mostLooks + 3
	for i := range all {
		l.add(time.Duration(i)*time.Millisecond, consumerInfo{NumPending: int64(i), NumAckPending: 1})
	}
	n := len(l.AtMS)
	if n > mostLooks || n < mostLooks/2 || l.AtMS[0] != 0 || l.AtMS[n-1] < all-16 {
		t.Fatalf("%d looks from %d to %d", n, l.AtMS[0], l.AtMS[n-1])
	}
	for i, at := range l.AtMS {
		if l.NumPending[i] != at || at != int64(i)*l.AtMS[1] || l.Open(i) != at+1 {
			t.Fatalf("look %d: at %d, %d open", i, at, l.Open(i))
		}
	}
}
