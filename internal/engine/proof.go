package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"weir/design"
	"weir/internal/predict"
	"weir/lint"
)

var proofMethods = []method{
	on("proof.plan", "What a proof of a design can be run with: its scenarios and its servers.", proofPlan),
	on("proof.predict", "What the simulator and sizing say of a workload that ran scaled down, beside what it measured.", proofPredict),
}

// ProofPlanRequest is a design.
type ProofPlanRequest struct {
	Files []File `json:"files"`
}

// ProofPlan is what a proof can be run with, or, where the design cannot be read,
// the findings that say why.
type ProofPlan struct {
	// Nodes is how many servers the design has.
	Nodes     int            `json:"nodes"`
	Scenarios []PlayScenario `json:"scenarios"`
	Findings  []lint.Finding `json:"findings"`
}

// PlayScenario is a scenario of a design; Says is what happens in it.
type PlayScenario struct {
	Name string `json:"name"`
	Says string `json:"says"`
}

func proofPlan(_ context.Context, in ProofPlanRequest, _ Progress) (ProofPlan, error) {
	d, faults, err := oneDesign(in.Files, "files")
	if err != nil || len(faults) > 0 {
		return ProofPlan{Findings: faults}, err
	}
	out := ProofPlan{Nodes: max(1, d.Server.Nodes)}
	for _, s := range d.Scenarios {
		var parts []string
		for _, e := range s.Events {
			parts = append(parts, eventSays(e))
		}
		out.Scenarios = append(out.Scenarios, PlayScenario{s.Name, strings.Join(parts, "; ")})
	}
	return out, nil
}

// eventSays is an event of a scenario in words: "kill node for 1m, at 5m".
func eventSays(e design.Event) string {
	says := strings.TrimSpace(strings.ReplaceAll(e.Do, "_", " ") + " " + e.Target)
	if e.For > 0 {
		says += " for " + design.FormatDuration(int64(e.For))
	}
	return fmt.Sprintf("%s, at %s", says, design.FormatDuration(int64(e.At)))
}

// ProofPredictRequest is a design and what a run of it measured.
type ProofPredictRequest struct {
	Files    []File      `json:"files"`
	Measured predict.Run `json:"measured"`
}

// ProofPredictReply is what is predicted of it, and what is not.
type ProofPredictReply struct {
	predict.Predicted
	// Charts lay what was measured of each consumer over what is predicted of it.
	Charts []ProofChart `json:"charts"`
}

func proofPredict(ctx context.Context, in ProofPredictRequest, _ Progress) (ProofPredictReply, error) {
	d, faults, err := oneDesign(in.Files, "files")
	if err != nil {
		return ProofPredictReply{}, err
	}
	if len(faults) > 0 {
		return ProofPredictReply{}, &Error{Code: CodeBadRequest, Path: "files", Message: "the design cannot be read: " + faults[0].Message}
	}
	for i, c := range in.Measured.Consumers {
		if n := len(c.Pending.AtMS); n > maxPoints || n != len(c.Pending.NumPending) || n != len(c.Pending.NumAckPending) {
			return ProofPredictReply{}, &Error{Code: CodeBadRequest, Path: fmt.Sprintf("measured.consumers[%d].pending", i), Message: fmt.Sprintf("its lists are of one length and at most %d", maxPoints)}
		}
	}
	if in.Measured.Span <= 0 || in.Measured.Until > longestPredicted || in.Measured.Until < in.Measured.Span {
		return ProofPredictReply{}, &Error{Code: CodeBadRequest, Path: "measured", Message: fmt.Sprintf("a run of %s is not one of a proof", in.Measured.Until)}
	}
	all, err := predict.Workload(ctx, d, in.Measured)
	return ProofPredictReply{all, proofCharts(in.Measured, all.Courses)}, err
}

// longestPredicted bounds a run that is simulated for its predictions.
const longestPredicted = 20 * time.Minute
