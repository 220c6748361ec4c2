package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"weir/internal/claims"
	"weir/prove"
	"weir/size"
)

// provedClaim is a claim whose proofs were run.
type provedClaim struct {
	ID      string         `json:"id"`
	Verdict claims.Verdict `json:"verdict"`
	Often   string         `json:"often"`
	Proofs  []string       `json:"proofs"`
	// Result is confirmed, not confirmed, not run, or no proof.
	Result string `json:"result"`
}

// proofsOf are the proofs that claims name, each once, in the order of the claims.
func proofsOf(list []claims.Claim) ([]prove.Proof, error) {
	var out []prove.Proof
	for _, cl := range list {
		for _, name := range cl.Proofs {
			if slices.ContainsFunc(out, func(p prove.Proof) bool { return p.Name == name }) {
				continue
			}
			p, err := prove.FindProof(name)
			if err != nil {
				return nil, fmt.Errorf("find the proof of %s: %w", cl.ID, err)
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// proveClaims runs the proofs of claims again. What Ctrl-C or a server that does
// not start leaves unrun is said to be so.
func (c *Command) proveClaims(list []claims.Claim, with, out string, asJSON bool) (int, error) {
	proofs, err := proofsOf(list)
	if err != nil {
		return ExitTrouble, err
	}
	if len(proofs) == 0 {
		return ExitUsage, badInput("none of these claims can be run; weir claims ID names what they rest on")
	}
	p := c.startProof("steps")
	defer p.end()
	var runs []ranProof
	var ended error
	for i, proof := range proofs {
		options := p.options
		if stage := options.Stage; stage != nil {
			where := fmt.Sprintf("proof %d of %d, %s", i+1, len(proofs), proof.Name)
			options.Stage = func(name string) { stage(where + ": " + name) }
			options.Stage("starting")
		}
		e, err := proof.Run(p.ctx, prove.ScriptOptions{Options: options, With: with})
		if err != nil {
			ended = p.explain(err)
			break
		}
		runs = append(runs, ranProof{proof.Name, proof.Claim, e})
	}
	p.end()
	if out != "" && len(runs) > 0 {
		ended = errors.Join(ended, writeEvidence(out, runs))
	}
	results := resultsOf(list, runs)
	if asJSON {
		err = c.printJSON(map[string]any{"claims": results, "runs": runs})
	} else {
		c.printResults(results, runs)
	}
	if err = errors.Join(ended, err); err != nil {
		return ExitTrouble, err
	}
	if slices.ContainsFunc(results, func(r provedClaim) bool { return r.Result == "not confirmed" }) {
		return ExitNo, nil
	}
	return ExitYes, nil
}

// resultsOf says of each claim what its runs came to. One that did not hold
// decides, then one that was not run.
func resultsOf(list []claims.Claim, runs []ranProof) []provedClaim {
	var out []provedClaim
	for _, cl := range list {
		r := provedClaim{cl.ID, cl.Verdict, cl.Often, cl.Proofs, "confirmed"}
		if len(cl.Proofs) == 0 {
			r.Result, r.Proofs = "no proof", []string{}
		}
		for _, name := range cl.Proofs {
			i := slices.IndexFunc(runs, func(run ranProof) bool { return run.Name == name })
			switch {
			case i >= 0 && len(runs[i].Evidence.NotExercised) == 0 && !runs[i].Evidence.Held():
				r.Result = "not confirmed"
			case r.Result == "confirmed" && (i < 0 || len(runs[i].Evidence.NotExercised) > 0):
				r.Result = "not run"
			}
		}
		out = append(out, r)
	}
	return out
}

func (c *Command) printResults(results []provedClaim, runs []ranProof) {
	var rows [][]cell
	count := map[string]int{}
	for _, r := range results {
		count[r.Result]++
		result := dim(r.Result)
		switch r.Result {
		case "no proof":
			continue
		case "confirmed":
			result = good(r.Result)
		case "not confirmed":
			result = bad(r.Result)
		}
		rows = append(rows, []cell{plain(r.ID), claimVerdictCell(r.Verdict), result, plain(r.Often), dim(strings.Join(r.Proofs, ", "))})
	}
	c.table("", rows)
	for _, run := range runs {
		if !run.Evidence.Held() {
			c.out.WriteByte('\n')
			c.printRun(run, true)
		}
	}
	version := ""
	if len(runs) > 0 {
		version = " on nats-server " + runs[0].Evidence.Server.Version
	}
	fmt.Fprintf(c.out, "\n%s%s: verdicts of %d claims confirmed, %d not confirmed, %d not run; %d rest on their sources alone.\n",
		size.Counted(len(runs), "proof ran", "proofs ran"), version, count["confirmed"], count["not confirmed"], count["not run"], count["no proof"])
}
