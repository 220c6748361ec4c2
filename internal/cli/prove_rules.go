package cli

import (
	"weir/lint"
	"weir/prove"
)

// ruleProof is the proof that shows the harm that a rule is about: its own
// script, or the proof that it names. ok is false when there is no such rule.
func ruleProof(word string) (p prove.Proof, ok bool, err error) {
	r, err := lint.FindRule(word)
	if err != nil {
		return p, false, nil
	}
	page, err := r.Page()
	switch {
	case err != nil:
		return p, true, err
	case page.Proof != "":
		text := page.About + "\n-- claim --\n" + page.Claim + "\n-- proof --\n" + page.Proof
		p, err = prove.ParseProof(r.Code+".txtar", []byte(text))
		return p, true, err
	case r.Proof != "":
		p, err = prove.FindProof(r.Proof)
		return p, true, err
	}
	return p, true, badInput("%s has no proof: %s", r.Code, r.Title)
}
