package prove

import (
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
