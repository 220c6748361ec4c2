package engine

import (
	"context"

	"weir/internal/claims"
	"weir/lint"
)

var claimMethods = []method{
	on("claims.list", "What is often repeated, with verdicts and evidence.", listClaims),
	on("claims.one", "One claim, by id or name, with the rules that it belongs to.", oneClaim),
	on("traps.list", "The traps: five fatal ones, then the silent ones.", listTraps),
	on("traps.page", "One trap with its rules and the claims about it.", trapPage),
}

// ClaimsRequest asks claims.list. Verdict is one of the verdicts, "" for all.
type ClaimsRequest struct {
	Verdict string `json:"verdict,omitempty"`
}

// ClaimsReply is the ledger, by what it is about.
type ClaimsReply struct {
	// Sentence counts the claims by verdict.
	Sentence string        `json:"sentence"`
	Groups   []ClaimsGroup `json:"groups"`
	Verdicts []string      `json:"verdicts"`
}

// ClaimsGroup are the claims about one thing.
type ClaimsGroup struct {
	About  string         `json:"about"`
	Claims []claims.Claim `json:"claims"`
}

func listClaims(_ context.Context, in ClaimsRequest, _ Progress) (ClaimsReply, error) {
	var out ClaimsReply
	var listed []claims.Claim
	for _, v := range claims.Verdicts() {
		out.Verdicts = append(out.Verdicts, string(v))
	}
	for _, about := range claims.Subjects() {
		g := ClaimsGroup{About: about}
		for _, c := range claims.All() {
			if c.About == about && (in.Verdict == "" || string(c.Verdict) == in.Verdict) {
				g.Claims = append(g.Claims, c)
			}
		}
		if len(g.Claims) > 0 {
			out.Groups = append(out.Groups, g)
			listed = append(listed, g.Claims...)
		}
	}
	out.Sentence = claims.Sentence(listed)
	return out, nil
}

// ClaimRequest asks claims.one for an id or a name.
type ClaimRequest struct {
	ID string `json:"id"`
}

// ClaimReply is a claim, and the rules that it belongs to.
type ClaimReply struct {
	claims.Claim
	InDesign []RuleRow `json:"in_design"`
}

func oneClaim(_ context.Context, in ClaimRequest, _ Progress) (ClaimReply, error) {
	c, err := claims.Find(in.ID)
	if err != nil {
		return ClaimReply{}, &Error{Code: CodeBadRequest, Path: "id", Message: err.Error()}
	}
	rules, err := rulesNamed(c.Rules)
	return ClaimReply{c, rules}, err
}

// rulesNamed are rows of rules by code.
func rulesNamed(codes []string) ([]RuleRow, error) {
	var out []RuleRow
	for _, code := range codes {
		r, err := lint.FindRule(code)
		if err != nil {
			return out, err
		}
		out = append(out, ruleRow(r))
	}
	return out, nil
}

// TrapsRequest is the request of traps.list.
type TrapsRequest struct{}

// TrapsReply lists the traps.
type TrapsReply struct {
	Traps []claims.Trap `json:"traps"`
}

func listTraps(context.Context, TrapsRequest, Progress) (TrapsReply, error) {
	return TrapsReply{Traps: claims.Traps()}, nil
}

// TrapRequest asks traps.page for a name.
type TrapRequest struct {
	Name string `json:"name"`
}

// TrapReply is what stands below a trap's story.
type TrapReply struct {
	Rules []TrapRule `json:"rules"`
	// Often are the claims about it: what is repeated, and what is so.
	Often []claims.Claim `json:"often"`
}

// TrapRule is the rule that finds a trap in a design. Bad is a design that has
// it, Fixed the same without.
type TrapRule struct {
	RuleRow
	Why   string `json:"why"`
	Fix   string `json:"fix"`
	Bad   string `json:"bad"`
	Fixed string `json:"fixed"`
}

func trapPage(_ context.Context, in TrapRequest, _ Progress) (TrapReply, error) {
	t, err := claims.FindTrap(in.Name)
	if err != nil {
		return TrapReply{}, &Error{Code: CodeBadRequest, Path: "name", Message: err.Error()}
	}
	var out TrapReply
	for _, code := range t.Rules {
		r, err := lint.FindRule(code)
		if err != nil {
			return out, err
		}
		d := r.Doc()
		rule := TrapRule{RuleRow: ruleRow(r), Why: d.Why, Fix: d.Fix, Fixed: d.Fixed.Text}
		if len(d.Bad) > 0 {
			rule.Bad = d.Bad[0].Text
		}
		out.Rules = append(out.Rules, rule)
	}
	for _, id := range t.Claims {
		c, err := claims.Find(id)
		if err != nil {
			return out, err
		}
		out.Often = append(out.Often, c)
	}
	return out, nil
}
