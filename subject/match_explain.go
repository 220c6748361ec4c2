package subject

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
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

// ExplainMatch explains Match(pattern, subject). At most MaxExplainTokens steps
// are written down; the summary speaks of all tokens.
func ExplainMatch(pattern, subject string) MatchExplanation {
	e := MatchExplanation{Pattern: pattern, Subject: subject, Valid: true}
	p, s := Tokens(pattern), Tokens(subject)
	deciding := e.steps(p, s)
	if v := Check(pattern, Subscribe); !v.Valid {
		e.Valid = false
		e.Summary = fmt.Sprintf("The pattern is not valid: %s.", v.Reason)
		e.Try = v.Suggestions
		return e
	}
	if f := publishFault(subject); f != nil {
		e.Valid = false
		e.Summary = fmt.Sprintf("The subject cannot be published: %s.", refusalOf(subject, f, "").reason)
		return e
	}
	e.Match = Match(pattern, subject)
	e.Summary = summarise(p, s, e.Match, deciding)
	if !e.Match {
		e.Try = nearestPatterns(pattern, subject, p, s)
	}
	e.Notes = matchNotes(pattern, subject)
	return e
}

// steps compares token by token and returns the step that decided, which is not
// among e.Steps when it lies far behind; its State is "" when all agree.
func (e *MatchExplanation) steps(p, s []string) (deciding Step) {
	behindRest := false
	for i := range max(len(p), len(s)) {
		st := Step{}
		if i < len(p) {
			st.Pattern = p[i]
		}
		if i < len(s) {
			st.Subject = s[i]
		}
		switch {
		case deciding.State != "":
			st.State, st.Says = StepNotReached, "not reached"
		case behindRest && i >= len(p):
			st.State, st.Says = StepRest, "taken by >"
		case behindRest:
			st.State, st.Says = StepNotReached, "not reached: > is allowed only as the last token"
		default:
			st.State, st.Says = compareTokens(st.Pattern, st.Subject, i < len(p), i < len(s))
			behindRest = st.State == StepRest
			if st.State == StepDiffers || st.State == StepMissing || st.State == StepExtra {
				deciding = st
			}
		}
		if i < MaxExplainTokens {
			e.Steps = append(e.Steps, st)
		} else if deciding.State != "" || behindRest {
			break
		}
	}
	return deciding
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

// quoteToken writes a token so that a reader sees where it begins and ends.
func quoteToken(t string) string {
	if t == "" {
		return "an empty token"
	}
	for _, r := range t {
		if r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return strconv.Quote(cut(t, maxClip))
		}
	}
	return clip(t)
}

func summarise(p, s []string, match bool, deciding Step) string {
	rest := p[len(p)-1] == Rest
	switch {
	case match && rest:
		return fmt.Sprintf("Match: > takes %s", plural(len(s)-len(p)+1, "token"))
	case match:
		return "Match"
	case rest && len(s) < len(p):
		return fmt.Sprintf("No match: %s against %s or more", plural(len(s), "token"), grouped(int64(len(p))))
	case !rest && len(s) != len(p):
		return fmt.Sprintf("No match: %s against %s", plural(len(s), "token"), grouped(int64(len(p))))
	}
	return "No match: " + deciding.Says
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return grouped(int64(n)) + " " + word + "s"
}

// nearestPatterns proposes patterns that keep as much of pattern as they can
// and match subject. What keeps no literal token is no proposal.
func nearestPatterns(pattern, subject string, p, s []string) []Suggestion {
	var out []Suggestion
	add := func(tokens []string, why string) {
		try := strings.Join(tokens, Separator)
		if len(try) > MaxControlLine || try == pattern || !Valid(try) || !Match(try, subject) || !keepsLiteral(tokens) {
			return
		}
		for _, known := range out {
			if known.Subject == try {
				return
			}
		}
		out = append(out, Suggestion{try, why})
	}
	if len(p) <= len(s) {
		add(recase(p, s), "the same in the subject's upper and lower case")
	}
	if len(p) == len(s) {
		add(widen(p, s), "any one token where they differ")
	}
	if deep, ok := sameEnds(p, s); ok {
		add(deep, "this depth as well; keep both patterns to accept both")
	}
	if p[len(p)-1] == Rest && len(s) == len(p)-1 {
		add(p[:len(p)-1], "> needs one token more; keep both patterns to accept both")
	}
	n := 0
	for n < len(p) && n < len(s) && (p[n] == s[n] || p[n] == One) {
		n++
	}
	if n == len(p) && indexWildcards(p) == nil {
		add(slices.Concat(p, []string{Rest}), "everything below; keep both patterns, as this one needs a token more")
	}
	for n == len(p) && n > 1 && p[n-1] == One {
		n-- // orders.* was meant to go on: orders.>
	}
	if n < len(s) {
		add(slices.Concat(p[:n], []string{Rest}), "everything below the common part")
	}
	return out
}

func keepsLiteral(tokens []string) bool {
	return slices.ContainsFunc(tokens, func(t string) bool { return t != One && t != Rest })
}

// recase takes the subject's spelling where only the case differs.
func recase(p, s []string) []string {
	out := slices.Clone(p)
	for i := range p {
		if strings.EqualFold(p[i], s[i]) {
			out[i] = s[i]
		}
	}
	return out
}

// widen puts "*" where the two differ.
func widen(p, s []string) []string {
	out := slices.Clone(p)
	for i := range p {
		if p[i] != s[i] {
			out[i] = One
		}
	}
	return out
}

// sameEnds stretches or shrinks the run of "*" in a pattern to the depth of the
// subject, keeping the literals at both ends.
func sameEnds(p, s []string) ([]string, bool) {
	if len(p) == len(s) || p[len(p)-1] == Rest {
		return nil, false
	}
	first := indexWildcards(p)
	if len(first) == 0 {
		return nil, false
	}
	stars := len(first) + len(s) - len(p)
	if stars < 0 || first[len(first)-1]-first[0] != len(first)-1 {
		return nil, false
	}
	return slices.Concat(p[:first[0]], slices.Repeat([]string{One}, stars), p[first[len(first)-1]+1:]), true
}

func matchNotes(pattern, subject string) []string {
	var out []string
	if !IsLiteral(subject) {
		out = append(out, "the subject holds a wildcard token: published, it is delivered and stored literally; a pedantic connection gets -ERR 'Invalid Publish Subject' as well")
	}
	for _, side := range []struct{ name, text string }{{"pattern", pattern}, {"subject", subject}} {
		if len(side.text) > maxNoteBytes {
			continue
		}
		if f := foreignNote(side.text); f != "" && (side.name == "pattern" || strings.Contains(side.text, "/")) {
			out = append(out, fmt.Sprintf("the %s: %s", side.name, f))
		}
	}
	for _, t := range Tokens(pattern) {
		if len(t) > 1 && strings.ContainsAny(t, "*>") {
			out = append(out, fmt.Sprintf("%q in the pattern is a literal: a wildcard is a whole token", cut(t, maxClip)))
			break
		}
	}
	return out
}
