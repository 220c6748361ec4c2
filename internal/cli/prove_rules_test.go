package cli

import (
	"testing"

	"weir/lint"
	"weir/prove"
)

// TestRuleProofs: every proof that a rule names exists, and the scripts of its own
// hold on the real server. What rules name is run by the tests of package prove.
func TestRuleProofs(t *testing.T) {
	const tries = 3 // a busy machine can miss the times of a script
	own := 0
	for _, r := range lint.Rules() {
		page, err := r.Page()
		if err != nil {
			t.Fatal(err)
		}
		if r.Proof == "" && page.Proof == "" {
			continue
		}
		p, ok, err := ruleProof(r.Code)
		if err != nil || !ok {
			t.Errorf("%s: %v", r.Code, err)
			continue
		}
		if page.Proof == "" {
			continue
		}
		own++
		t.Run(r.Code, func(t *testing.T) {
			if testing.Short() {
				t.Skip("starts servers")
			}
			for try := 1; ; try++ {
				e, err := p.Run(t.Context(), prove.ScriptOptions{})
				if err == nil && e.Held() && len(e.Claims) > 0 {
					return
				}
				if try == tries {
					t.Fatalf("does not hold in %d tries: %v %+v", tries, err, e.Steps)
				}
			}
		})
	}
	if own < 2 {
		t.Errorf("only %d rules have a proof of their own", own)
	}
}
