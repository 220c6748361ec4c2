package subject

import (
	"fmt"
	"strings"
)

// StepState says how one token of a pattern stands to the token beside it.
type StepState string

// The states of a step.
const (
	StepEqual      StepState = "equal"
	StepOne        StepState = "one"         // "*" takes the token
	StepRest       StepState = "rest"        // ">" takes the token and all behind it
	StepDiffers    StepState = "differs"     // decides: no match
	StepMissing    StepState = "missing"     // decides: the subject has ended
	StepExtra      StepState = "extra"       // decides: the pattern has ended
	StepNotReached StepState = "not-reached" // behind the deciding token
)

// Step compares one token of pattern and subject; "" where a side has ended.
type Step struct {
	Pattern string    `json:"pattern"`
	Subject string    `json:"subject"`
	State   StepState `json:"state"`
	Says    string    `json:"says"`
}

// MatchExplanation says token by token why a pattern matches a subject or not.
type MatchExplanation struct {
	Pattern string       `json:"pattern"`
	Subject string       `json:"subject"`
	Match   bool         `json:"match"`
	Valid   bool         `json:"valid"` // both can be used at all
	Summary string       `json:"summary"`
	Steps   []Step       `json:"steps"`
	Try     []Suggestion `json:"try,omitempty"` // patterns that do match
	Notes   []string     `json:"notes,omitempty"`
}

// ExplainMatch explains Match(pattern, subject).
func ExplainMatch(pattern, subject string) MatchExplanation {
	e := MatchExplanation{Pattern: pattern, Subject: subject, Valid: true}
	if v := Check(pattern, Subscribe); !v.Valid {
		e.Valid = false
		e.Summary = fmt.Sprintf("Not valid: the pattern has %s.", v.Reason)
		e.Try = v.Suggestions
	} else if f := publishFault(subject); f != nil {
		e.Valid = false
		e.Summary = fmt.Sprintf("Not valid: the subject has %s.", refusalOf(subject, f, "").reason)
	}
	e.steps(Tokens(pattern), Tokens(subject))
	if !e.Valid {
		return e
	}
	e.Match = Match(pattern, subject)
	e.summarise()
	if !e.Match {
		e.Try = nearestPatterns(pattern, subject)
	}
	e.Notes = matchNotes(pattern, subject)
	return e
}

func (e *MatchExplanation) steps(p, s []string) {
	decided := false
	for i := 0; i < max(len(p), len(s)) && i < MaxExplainTokens; i++ {
		st := Step{}
		if i < len(p) {
			st.Pattern = p[i]
		}
		if i < len(s) {
			st.Subject = s[i]
		}
		if decided {
			st.State, st.Says = StepNotReached, "not reached"
		} else {
			st.State, st.Says = compareTokens(st.Pattern, st.Subject, i < len(p), i < len(s))
			decided = st.State != StepEqual && st.State != StepOne
		}
		e.Steps = append(e.Steps, st)
	}
	takeRest(e.Steps)
}

// takeRest marks the tokens behind ">" as taken by it.
func takeRest(steps []Step) {
	for i := range steps {
		if steps[i].State != StepRest {
			continue
		}
		for j := i + 1; j < len(steps) && steps[j].Pattern == ""; j++ {
			steps[j].State, steps[j].Says = StepRest, "taken by >"
		}
		return
	}
}

func compareTokens(p, s string, hasP, hasS bool) (StepState, string) {
	switch {
	case !hasP:
		return StepExtra, fmt.Sprintf("%s has no place in the pattern", quoteToken(s))
	case !hasS && p == Rest:
		return StepMissing, "> needs at least one token here"
	case !hasS:
		return StepMissing, fmt.Sprintf("nothing here for %s", quoteToken(p))
	case p == Rest:
		return StepRest, "one or more tokens"
	case p == One && s != "":
		return StepOne, "any one token"
	case p == s && s != "":
		return StepEqual, "equal"
	case strings.EqualFold(p, s) && s != "":
		return StepDiffers, fmt.Sprintf("%s is not %s: case matters", quoteToken(s), quoteToken(p))
	}
	return StepDiffers, fmt.Sprintf("%s is not %s", quoteToken(s), quoteToken(p))
}

func quoteToken(t string) string {
	if t == "" {
		return "an empty token"
	}
	return clip(t)
}

func (e *MatchExplanation) summarise() {
	if e.Match {
		e.Summary = "Match"
		if i := strings.LastIndex(e.Pattern, Rest); i == len(e.Pattern)-1 {
			took := TokenCount(e.Subject) - TokenCount(e.Pattern) + 1
			e.Summary = fmt.Sprintf("Match: > takes %s", plural(took, "token"))
		}
		return
	}
	p, s := Tokens(e.Pattern), Tokens(e.Subject)
	for i, st := range e.Steps {
		switch st.State {
		case StepDiffers:
			e.Summary = fmt.Sprintf("No match: %s", st.Says)
			if len(p) != len(s) && p[len(p)-1] != Rest {
				e.Summary = fmt.Sprintf("No match: %s against %d", plural(len(s), "token"), len(p))
			}
			return
		case StepMissing, StepExtra:
			e.Summary = fmt.Sprintf("No match: %s against %d", plural(len(s), "token"), len(p))
			if i < len(p) && p[i] == Rest {
				e.Summary += " or more"
			}
			return
		}
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// nearestPatterns proposes patterns that keep as much of pattern as they can
// and match subject.
func nearestPatterns(pattern, subject string) []Suggestion {
	p, s := Tokens(pattern), Tokens(subject)
	var out []Suggestion
	if len(p) == len(s) {
		wide := append([]string(nil), p...)
		for i := range p {
			if p[i] != s[i] && p[i] != One {
				wide[i] = One
			}
		}
		out = append(out, Suggestion{strings.Join(wide, Separator), "any one token where they differ"})
	}
	if deep, ok := sameEnds(p, s); ok {
		out = append(out, Suggestion{deep, "this depth as well; keep both patterns to accept both"})
	}
	n := 0
	for n < len(p) && n < len(s) && (p[n] == s[n] || p[n] == One) {
		n++
	}
	if n > 0 && n < len(s) {
		out = append(out, Suggestion{strings.Join(append(append([]string(nil), p[:n]...), Rest), Separator), "everything below the common part"})
	}
	kept := out[:0]
	for _, o := range out {
		if o.Subject != pattern && Valid(o.Subject) && Match(o.Subject, subject) {
			kept = append(kept, o)
		}
	}
	return kept
}

// sameEnds stretches or shrinks the run of "*" in a pattern to the depth of the
// subject, keeping the literals at both ends.
func sameEnds(p, s []string) (string, bool) {
	if len(p) == len(s) || p[len(p)-1] == Rest {
		return "", false
	}
	first := indexWildcards(p)
	if len(first) == 0 {
		return "", false
	}
	stars := len(first) + len(s) - len(p)
	if stars < 1 || first[len(first)-1]-first[0] != len(first)-1 {
		return "", false
	}
	out := append([]string(nil), p[:first[0]]...)
	for range stars {
		out = append(out, One)
	}
	return strings.Join(append(out, p[first[len(first)-1]+1:]...), Separator), true
}

func matchNotes(pattern, subject string) []string {
	var out []string
	if !IsLiteral(subject) {
		out = append(out, "the subject holds a wildcard token: published, it is delivered and stored literally; a pedantic connection gets -ERR 'Invalid Publish Subject' as well")
	}
	if f := foreignNote(pattern); f != "" {
		out = append(out, "the pattern "+f)
	}
	for _, t := range Tokens(pattern) {
		if len(t) > 1 && strings.ContainsAny(t, "*>") {
			out = append(out, fmt.Sprintf("%q in the pattern is a literal: a wildcard is a whole token", clip(t)))
			break
		}
	}
	return out
}
