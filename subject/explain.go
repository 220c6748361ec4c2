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
	Places  []Verdict `json:"places"` // the other contexts for subjects; none for a name
	// Spaces says which reserved spaces a stream's subject reaches into.
	Spaces []string `json:"spaces,omitempty"`
}

// MaxExplainTokens bounds the tokens of an Explanation; a longer subject is
// explained up to there.
const MaxExplainTokens = 256

// Explain takes s apart token by token.
func Explain(s string, c Context, r Release) Explanation {
	e := Explanation{Verdict: CheckOn(s, c, r)}
	info := contextInfo(e.Context)
	start := 0
	for i, t := range strings.SplitN(s, Separator, MaxExplainTokens+1) {
		if i == MaxExplainTokens {
			break
		}
		e.Tokens = append(e.Tokens, e.token(t, start, info, r))
		start += len(t) + 1
	}
	for i := range contexts {
		if info.Subject && contexts[i].Subject && contexts[i].Context != e.Context {
			e.Places = append(e.Places, verdictOn(s, &contexts[i], r))
		}
	}
	if e.Context == Stream {
		for _, col := range ReservedCollisions(s, r) {
			e.Spaces = append(e.Spaces, col.says())
		}
	}
	e.Summary = e.summary(info)
	return e
}

func (e *Explanation) token(t string, start int, info *ContextInfo, r Release) Token {
	tok := Token{Text: t, Start: start, Role: RoleLiteral}
	last := start+len(t) == len(e.Subject)
	switch {
	case e.Subject == "":
		tok.Says = "nothing"
	case t == "":
		tok.Says = "empty: every token needs at least one byte"
	case isDestination(e.Context):
		tok.Role, tok.Says = destinationToken(t, last, r)
	case e.Context == Publish || e.Context == APIPrefix || e.Context == KVKey || !info.Subject && e.Context != KVSearchKey && e.Context != Literal:
		tok.Says = "stands for itself"
	case t == One:
		tok.Role, tok.Says = RoleOne, "exactly one token, whatever it is"
	case t == Rest && last:
		tok.Role, tok.Says = RoleRest, "one or more tokens up to the end"
	case t == Rest:
		tok.Says = "> is allowed only as the last token"
	case strings.ContainsAny(t, "*>"):
		tok.Says = "matches only itself: a wildcard is a whole token"
	default:
		tok.Says = "matches only itself, byte for byte"
	}
	if !e.Valid && e.Place >= start && e.Place <= start+len(t) {
		tok.Role = RoleFault
		if t != "" && t != Rest {
			tok.Says = e.Reason
		}
	}
	return tok
}

func isDestination(c Context) bool { return c == TransformDestination || c == RepublishDestination }

// destinationToken says what a token of a destination makes.
func destinationToken(t string, last bool, r Release) (Role, string) {
	c, err := parseCall(t, r)
	switch {
	case t == Rest && last:
		return RoleRest, "the tokens that > of the source stands for"
	case t == Rest:
		return RoleLiteral, "> is allowed only as the last token"
	case t == One:
		return RoleLiteral, "* means nothing in a destination; {{wildcard(1)}} takes what the first * of the source stands for"
	case err != nil:
		return RoleLiteral, strings.TrimPrefix(clip(err.Error()), mapping+": ")
	case c == nil:
		return RoleLiteral, "written as it stands"
	case c.function.name == fnWildcard && c.wildcards[0] < 1:
		return RoleFunction, "the first token of the subject, because wildcards are counted from 1"
	case c.function.name == fnWildcard:
		return RoleFunction, fmt.Sprintf("what * number %d of the source stands for", c.wildcards[0])
	}
	return RoleFunction, fmt.Sprintf("%s: %s", c.function.Usage, c.function.Does)
}

func (e *Explanation) summary(info *ContextInfo) string {
	switch {
	case e.Literal:
		return fmt.Sprintf("Accepted and taken literally: %s stands for no other token.", e.Reason)
	case !e.Valid:
		return fmt.Sprintf("Not a valid %s: %s.", contextTitle(e.Context), e.Reason)
	case e.Refused != "":
		return fmt.Sprintf("A valid subject, but a stream on it is refused unless it has no_ack: %s.", e.Refused)
	case e.Subject == "":
		return fmt.Sprintf("Empty: %s.", info.empty)
	case !info.Subject:
		return fmt.Sprintf("A valid %s.", contextTitle(e.Context))
	}
	tokens := Tokens(e.Subject)
	n := len(tokens)
	switch {
	case isDestination(e.Context):
		return e.destinationSummary(tokens)
	case e.Subject == Rest:
		return "Matches every subject."
	case tokens[n-1] == Rest:
		return fmt.Sprintf("Matches subjects of %s or more tokens; %q itself is not among them.", grouped(int64(n)), cut(strings.TrimSuffix(e.Subject, ".>"), maxClip))
	case !IsLiteral(e.Subject):
		return fmt.Sprintf("Matches subjects of exactly %s.", countOf(tokens))
	}
	return fmt.Sprintf("A literal subject of %s.", countOf(tokens))
}

func (e *Explanation) destinationSummary(tokens []string) string {
	calls := 0
	for _, t := range tokens {
		if c, _ := parseCall(t, Release{}); c != nil {
			calls++
		}
	}
	switch rest := tokens[len(tokens)-1] == Rest; {
	case calls == 0 && rest:
		return fmt.Sprintf("Moves subjects to %s: what > of the source stands for follows.", clip(e.Subject))
	case calls == 0:
		return fmt.Sprintf("Every subject becomes %s.", clip(e.Subject))
	default:
		return fmt.Sprintf("Makes %s of %s from the subject. The source must have the wildcards that are named.", plural(calls, "token"), grouped(int64(len(tokens))))
	}
}
