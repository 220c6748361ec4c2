package prove

import (
	"context"
	"testing"

	"weir/design"
)

func TestGoalsSay(t *testing.T) {
	goal := func(path, verdict string) Goal { return Goal{Path: path, Verdict: verdict} }
	for _, c := range []struct {
		name  string
		goals []Goal
		want  string
	}{
		{"none", nil, ""},
		{"one met", []Goal{goal("goals.lost", Met)}, "1 of 1 goal met, 0 missed."},
		{"one missed", []Goal{goal("goals.lost", Met), goal("goals.lost", Missed)}, "1 of 2 goals met, 1 missed."},
		{"a fault that no scenario has", []Goal{goal("goals.lost", Met), goal("goals.survive", GoalUntried)},
			"1 of 2 goals met, 0 missed; 1 of goals.survive not run, as no scenario that was played has the fault."},
		{"scaled, with faults", []Goal{goal("goals.latency_p99", NotComparable), goal("goals.drain", GoalUntried), goal("goals.survive", GoalUntried), goal("goals.survive", GoalUntried)},
			"0 of 4 goals met, 0 missed; 1 not comparable; 1 not exercised; 2 of goals.survive not run, as no scenario that was played has the fault."},
	} {
		e := Evidence{Goals: c.goals}
		if got := e.GoalsSay(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestGoals_untried holds that a design has the same goals with a workload and
// without one.
func TestGoals_untried(t *testing.T) {
	const text = `weir: 1
streams:
  S:
    subjects: [s.>]
    consumers:
      c: {ack_policy: explicit, workers: {service_time: 1ms}, goals: {latency_p99: 1s}}
      d: {ack_policy: explicit, workers: {service_time: 1ms}}
      idle: {ack_policy: explicit}
goals: {latency_p99: 2s, drain: 1m, lost: 0%, survive: [node, worker-stall 1s]}
`
	d, problems := design.Parse("d.yaml", []byte(text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	e, err := Design(context.Background(), d, DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Goals) != 8 || e.Goals[0].Goal != "latency_p99 of S/c at most 1s" || e.Goals[7].Goal != "survive worker-stall 1s" {
		t.Errorf("goals without a workload: %v", e.Goals)
	}
}

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		n          int64
		unit, want string
	}{
		{1, "messages", "1 message"}, {2000, "messages", "2,000 messages"}, {1, "deliveries", "1 delivery"}, {1, "ms", "1 ms"}, {1, "µs", "1 µs"},
		{1, "messages/s", "1 messages/s"}, {1, "", "1"}, {1, "B", "1 B"}, {0, "subjects", "0 subjects"},
	} {
		if got := Amount(c.n, c.unit); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.unit, got, c.want)
		}
	}
}
