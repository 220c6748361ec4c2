package engine

import (
	"context"

	"weir/lint"
)

var ruleMethods = []method{
	on("rules.list", "The rules, without their pages.", listRules),
	on("rules.page", "One rule with its explanation and examples.", rulePage),
}

// RulesRequest asks rules.list. Family is the letters of codes, "" for all.
type RulesRequest struct {
	Family string `json:"family,omitempty"`
}

// RulesReply lists the rules by family and number.
type RulesReply struct {
	Rules []RuleRow `json:"rules"`
}

// RuleRow is one rule in a list.
type RuleRow struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	// Family is what the letters of the code stand for.
	Family string `json:"family"`
	Title  string `json:"title"`
	// Proof names the proof that shows the harm, "" for none.
	Proof string `json:"proof,omitempty"`
}

func listRules(_ context.Context, in RulesRequest, _ Progress) (RulesReply, error) {
	var out RulesReply
	for _, r := range lint.Rules() {
		if in.Family != "" && r.Family() != in.Family {
			continue
		}
		out.Rules = append(out.Rules, ruleRow(r))
	}
	return out, nil
}

func ruleRow(r *lint.Rule) RuleRow {
	d := r.Doc()
	return RuleRow{d.Code, d.Name, string(d.Severity), d.Family, d.Title, d.Proof}
}

// RulePageRequest asks rules.page for a code or a name.
type RulePageRequest struct {
	Code string `json:"code"`
}

// RulePageReply is a rule's page. Means says what its severity means, Holds for
// which releases it is, "" for all.
type RulePageReply struct {
	lint.RuleDoc
	Means string `json:"means"`
	Holds string `json:"holds,omitempty"`
}

func rulePage(_ context.Context, in RulePageRequest, _ Progress) (RulePageReply, error) {
	r, err := lint.FindRule(in.Code)
	if err != nil {
		return RulePageReply{}, &Error{Code: CodeBadRequest, Path: "code", Message: err.Error()}
	}
	d := r.Doc()
	return RulePageReply{d, d.Means(), d.Holds()}, nil
}
