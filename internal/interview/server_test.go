//go:build !js

package interview_test

import (
	"testing"
	"time"

	"weir/design"
	"weir/internal/interview"
	"weir/prove"
)

// TestAcceptedByTheServer applies what answers lead to on real servers, as many
// as the design has.
func TestAcceptedByTheServer(t *testing.T) {
	for name, a := range answered() {
		t.Run(name, func(t *testing.T) {
			r, faults := interview.Design(a)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			d, problems := design.Parse(name, []byte(r.Text))
			if problems.Failed() {
				t.Fatal(problems)
			}
			e, err := prove.Design(t.Context(), d, prove.DesignOptions{For: -1})
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range e.Steps {
				if !step.OK {
					t.Errorf("%s: expected %s, got %+v", step.Do, step.Expect, step.Reply)
				}
			}
			if !e.Held() {
				t.Error("what was predicted did not come out")
			}
		})
	}
}

// TestExampleRuns runs the workload of the example on three servers to its end.
// Whether times were met depends on the machine, and is not asked here.
func TestExampleRuns(t *testing.T) {
	r, _ := interview.Design(interview.Example())
	d, _ := design.Parse("example", []byte(r.Text))
	e, err := prove.Design(t.Context(), d, prove.DesignOptions{For: time.Second, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if e.Partial || e.Scaling == nil || len(e.Goals) == 0 {
		t.Errorf("partial: %v, scaling: %v, goals: %v", e.Partial, e.Scaling, e.Goals)
	}
}
