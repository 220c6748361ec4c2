package sim

import (
	"context"
	"runtime"
	"testing"
	"time"

	"weir/design"
)

// presetMessages bounds the runs of a preset: minutes of the busiest burst.
const presetMessages = 1_000_000

// TestPresets_meetGoals: a preset is an example of a design that does what it
// wants: each meets every goal, those of survive included.
func TestPresets_meetGoals(t *testing.T) {
	if raceDetector || runtime.GOOS == "js" {
		t.Skip("too slow here, and a shorter run ends before bursts are worked off: make test-go runs it natively")
	}
	for _, p := range design.Presets() {
		if p.Name == "five-traps" {
			continue // is one of what not to do
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			m := model(t, p.Text, DesignOptions{})
			m.Until = shortened(t, m, presetMessages)
			a := simulated(t, m, SimulateOptions{Seed: 1})
			survived, err := m.JudgeSurvive(context.Background(), 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			a.AddGoals(m, survived)
			if len(a.Goals) == 0 {
				t.Error("it has no goals")
			}
			for _, g := range a.Goals {
				if !g.reliable() {
					t.Errorf("%s of %s: wanted %s, got %s (%s)", g.Name, g.Consumer, g.Wanted, g.Got, g.Text)
				}
			}
			for _, f := range a.Findings {
				if f.Severity == severityWarning {
					t.Errorf("%s: %s %s", f.Path, f.Text, f.Advice)
				}
			}
		})
	}
}

// shortened is how long a model's run may be for a number of messages.
func shortened(t *testing.T, m *Model, most float64) time.Duration {
	t.Helper()
	e, err := Estimate(m.Workload, m.Until)
	if err != nil {
		t.Fatal(err)
	}
	busiest := 0.0
	for _, c := range e {
		busiest = max(busiest, c.Peak)
	}
	return min(m.Until, time.Duration(most/max(busiest, 1e-3)*float64(time.Second)))
}

// TestWorkersNeeded_ofPresets: by the model that says how many workers are
// needed, no preset has fewer.
func TestWorkersNeeded_ofPresets(t *testing.T) {
	asked := 0
	for _, p := range design.Presets() {
		if p.Name == "five-traps" {
			continue
		}
		m := model(t, p.Text, DesignOptions{})
		for i := range m.Consumers {
			n, ok := m.WorkersNeeded(i)
			if c := m.crew(i); ok && n.Count > c.count {
				t.Errorf("%s: %s has %d workers and needs %d: %s", p.Name, m.ConsumerPaths[i], c.count, n.Count, n.Why)
			}
			if ok {
				asked++
			}
		}
	}
	if asked < 8 {
		t.Errorf("%d consumers were asked", asked)
	}
}
