package subject

import (
	"fmt"
	"strings"
)

// Role is what a token does in a subject.
type Role string

// The roles of tokens.
const (
	RoleLiteral  Role = "literal"
	RoleOne      Role = "one"      // "*"
	RoleRest     Role = "rest"     // ">" as the last token
	RoleFunction Role = "function" // {{…}} or $n in a destination
	RoleFault    Role = "fault"    // the token at which the subject stops being valid
)

// Token is one token of an Explanation.
type Token struct {
	Text  string `json:"text"`
	Start int    `json:"start"` // byte offset
	Role  Role   `json:"role"`
	Says  string `json:"says"`
}

// Explanation takes a subject apart in one context and says how the other
// contexts take it.
type Explanation struct {
	Verdict
	Summary string    `json:"summary"`
	Tokens  []Token   `json:"tokens"`
	Places  []Verdict `json:"places"` // the other contexts for subjects
	Spaces  []string  `json:"spaces,omitempty"`
}

// MaxExplainTokens bounds the tokens of an Explanation; a longer subject is
// explained up to there.
const MaxExplainTokens = 256

// Explain takes s apart token by token.
func Explain(s string, c Context, r Release) Explanation {
	e := Explanation{Verdict: CheckOn(s, c, r)}
	start := 0
	for i, t := range Tokens(s) {
		if i == MaxExplainTokens {
			break
		}
		e.Tokens = append(e.Tokens, explainToken(s, t, start, e.Verdict))
		start += len(t) + 1
	}
	for _, info := range contexts {
		if info.Subject && info.Context != e.Context {
			v := CheckOn(s, info.Context, r)
			v.Notes, v.Suggestions = nil, nil
			e.Places = append(e.Places, v)
		}
	}
	for _, col := range ReservedCollisions(s, r) {
		e.Spaces = append(e.Spaces, fmt.Sprintf("%s (%s): %s; witness %s", col.Space.Space, col.Space.Owner, col.Space.Effect, col.Witness))
	}
	e.Summary = e.summary()
	return e
}

func explainToken(s, t string, start int, v Verdict) Token {
	tok := Token{Text: t, Start: start, Role: RoleLiteral, Says: "matches only itself, byte for byte"}
	last := start+len(t) == len(s)
	destination := v.Context == TransformDestination || v.Context == RepublishDestination
	switch c, err := parseCall(t, Release{}); {
	case t == "":
		tok.Says = "empty: every token needs at least one byte"
	case t == One && destination:
		tok.Says = "* has no meaning in a destination; {{wildcard(1)}} takes the first * of the source"
	case t == One:
		tok.Role, tok.Says = RoleOne, "exactly one token, whatever it is"
	case t == Rest && last:
		tok.Role, tok.Says = RoleRest, "one or more tokens up to the end"
	case t == Rest:
		tok.Says = "> is allowed only as the last token"
	case destination && err != nil:
		tok.Says = strings.TrimPrefix(err.Error(), mapping+": ")
	case destination && c != nil:
		tok.Role, tok.Says = RoleFunction, c.function.Does
	case strings.ContainsAny(t, "*>"):
		tok.Says = "matches only itself: a wildcard is a whole token"
	}
	if !v.Valid && v.Place >= start && v.Place <= start+len(t) {
		tok.Role = RoleFault
		if v.Reason != "" && tok.Says == "matches only itself, byte for byte" {
			tok.Says = v.Reason
		}
	}
	return tok
}

func (e *Explanation) summary() string {
	if !e.Valid {
		return fmt.Sprintf("Not a valid %s: %s.", contextTitle(e.Context), e.Reason)
	}
	if e.Refused != "" {
		return fmt.Sprintf("A valid subject, but a stream on it is refused unless it has no_ack: %s.", e.Refused)
	}
	tokens := Tokens(e.Subject)
	n := len(tokens)
	switch {
	case !contextInfo(e.Context).Subject:
		return fmt.Sprintf("A valid %s.", contextTitle(e.Context))
	case e.Subject == Rest:
		return "Matches every subject."
	case tokens[n-1] == Rest:
		return fmt.Sprintf("Matches subjects of %d or more tokens; %q itself is not among them.", n, clip(strings.TrimSuffix(e.Subject, ".>")))
	case !IsLiteral(e.Subject):
		return fmt.Sprintf("Matches subjects of exactly %d tokens.", n)
	}
	return fmt.Sprintf("A literal subject of %s.", countOf(tokens))
}
