package subject

import (
	"fmt"
	"strings"
)

// Surprise is a cell of a matrix that people get wrong: what it says against
// what its name suggests.
type Surprise struct {
	Pattern int    `json:"pattern"` // index, -1 when the subject itself is meant
	Subject int    `json:"subject"` // index, -1 when the pattern itself is meant
	Title   string `json:"title"`
	Text    string `json:"text"`
}

// surpriseSearch bounds the cells that Surprises looks at.
const surpriseSearch = 200_000

// Surprises returns up to most surprising cells of a matrix, each of another
// kind, those that lose messages first. Only the first surpriseSearch cells are
// searched.
func (m *Matrix) Surprises(most int) []Surprise {
	var out []Surprise
	for _, kind := range surpriseKinds {
		if len(out) == most {
			break
		}
		if s, ok := m.firstSurprise(kind); ok {
			out = append(out, s)
		}
	}
	return out
}

// surpriseKind looks at one cell; pattern or subject is "" when only the other
// side is looked at.
type surpriseKind struct {
	onPattern, onSubject bool
	find                 func(pattern, subject string) (title, text string)
}

var surpriseKinds = []surpriseKind{
	{true, false, restInside},
	{true, true, parentOfRest},
	{true, true, deeperThanStar},
	{false, true, publishedWildcard},
	{true, true, caseOnly},
	{true, true, prefixStar},
	{false, true, emptyInside},
}

func (m *Matrix) firstSurprise(k surpriseKind) (Surprise, bool) {
	left := surpriseSearch
	for si, s := range m.Subjects {
		for pi, p := range m.Patterns {
			if left--; left < 0 {
				return Surprise{}, false
			}
			if k.onPattern && k.onSubject && (!Valid(p) || !Publishable(s)) {
				continue
			}
			if title, text := k.find(p, s); title != "" {
				found := Surprise{pi, si, title, text}
				if !k.onPattern {
					found.Pattern = -1
				}
				if !k.onSubject {
					found.Subject = -1
				}
				return found, true
			}
			if !k.onPattern {
				break
			}
		}
		if !k.onSubject {
			break
		}
	}
	return Surprise{}, false
}

func restInside(p, _ string) (string, string) {
	f := firstFault(p, whitespace)
	if f == nil || f.kind != faultAfterRest {
		return "", ""
	}
	return p, fmt.Sprintf("> stands before the end: the server refuses it everywhere. %s takes one token there.", strings.Join(starRest(Tokens(p)), Separator))
}

func parentOfRest(p, s string) (string, string) {
	if p != s+".>" {
		return "", ""
	}
	return s, fmt.Sprintf("%s does not match it: > needs at least one more token. A message published here needs a pattern of its own.", p)
}

func deeperThanStar(p, s string) (string, string) {
	tp, ts := Tokens(p), Tokens(s)
	if len(ts) != len(tp)+1 || tp[len(tp)-1] == Rest || IsLiteral(p) || !IsLiteral(s) {
		return "", ""
	}
	if _, ok := sameEnds(tp, ts); !ok || tp[0] != ts[0] {
		return "", ""
	}
	return s, fmt.Sprintf("%s does not match it: * is exactly one token, here are two.", p)
}

func publishedWildcard(_, s string) (string, string) {
	if !Publishable(s) || IsLiteral(s) {
		return "", ""
	}
	return s, "Published, it is delivered and stored literally: it reaches who reads by wildcard, never the subjects it seems to name."
}

func caseOnly(p, s string) (string, string) {
	if Match(p, s) || !Match(strings.ToLower(p), strings.ToLower(s)) {
		return "", ""
	}
	return s, fmt.Sprintf("%s does not match it: case matters in every token.", p)
}

func prefixStar(p, s string) (string, string) {
	tp, ts := Tokens(p), Tokens(s)
	if len(tp) != len(ts) || Match(p, s) {
		return "", ""
	}
	for i, t := range tp {
		if len(t) > 1 && strings.HasSuffix(t, One) && strings.HasPrefix(ts[i], t[:len(t)-1]) {
			return p, fmt.Sprintf("It does not match %s: %s is a literal token, there is no prefix match.", s, t)
		}
	}
	return "", ""
}

func emptyInside(_, s string) (string, string) {
	f := publishFault(s)
	if f == nil || f.kind != faultEmptyToken {
		return "", ""
	}
	return s, "An empty token: a server that is not pedantic takes the message and delivers it to nobody, not even to >."
}
