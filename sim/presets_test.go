package sim

import (
	"context"
	"testing"
	"time"

	"weir/design"
)

// TestPresetsMeetTheirGoals simulates each preset with its burst: what a person
// opens first does what it promises. Only five-traps is there to be repaired.
func TestPresetsMeetTheirGoals(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates some ten million messages")
	}
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			d, problems := design.Parse(p.Name, []byte(p.Text))
			if problems != nil {
				t.Fatal(problems)
			}
			// Bursts are over in 20 minutes, and what they left in 30; faults are looked at for five.
			m, err := FromDesign(d, DesignOptions{For: 30 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			short, err := FromDesign(d, DesignOptions{For: 5 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			a, err := m.Simulate(context.Background(), SimulateOptions{Points: 10})
			if err != nil {
				t.Fatal(err)
			}
			goals, err := short.JudgeSurvive(context.Background(), 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			a.AddGoals(m, goals)
			if a.Met == (p.Name == "five-traps") {
				t.Errorf("goals met: %v; %s", a.Met, a.Verdict)
			}
		})
	}
}
