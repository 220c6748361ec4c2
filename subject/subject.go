// Package subject knows NATS subjects: what is one and in which context, what
// a pattern matches, how two patterns relate, what a transform makes of a
// subject and which partition a key falls into.
//
// It is pure: it opens nothing, keeps no state and imports nothing else of
// Weir. It does not judge stream or consumer configurations (package verdict)
// and it does not route messages.
//
//	subject.Match("orders.*.created", "orders.eu.created") // true
//
// Rules are those of nats-server v2.15.2 (server/sublist.go,
// server/subject_transform.go, server/mqtt.go), against which this package is
// fuzzed; where older servers differ, the doc comment says so.
package subject

import "strings"

const (
	// Separator stands between two tokens of a subject.
	Separator = "."
	// One is the wildcard that stands for exactly one token.
	One = "*"
	// Rest is the wildcard that stands for one or more trailing tokens.
	Rest = ">"
)

// MaxControlLine is the longest protocol line in bytes that a server with
// default settings reads (max_control_line, server/const.go). A subject must
// fit into it together with the rest of its PUB or SUB line, so a subject near
// this length is accepted in a stream configuration but cannot be published to.
const MaxControlLine = 4096

// whitespace holds the bytes that IsValidSubject refuses inside a token
// (server/sublist.go:isValidSubject). VT and NBSP are not among them.
const whitespace = "\t\n\f\r "

// Tokens splits s at its dots. Tokens("") is one empty token, as in the server.
func Tokens(s string) []string { return strings.Split(s, Separator) }

// TokenCount returns the number of tokens of s without allocating.
func TokenCount(s string) int { return strings.Count(s, Separator) + 1 }

// Valid reports whether a server accepts s in a stream or consumer
// configuration and in SUB: no empty token, nothing after a ">" token, none of
// TAB, LF, FF, CR, SPACE. Wildcards are allowed, and are wildcards only as
// whole tokens. It equals nats-server's IsValidSubject (v2.15.2).
//
// Core SUB itself tolerates FF, which every JetStream configuration refuses.
func Valid(s string) bool { return firstFault(s, whitespace) == nil }

// ValidLiteral reports whether s has neither empty tokens nor wildcard tokens.
// It equals nats-server's IsValidLiteralSubject (v2.15.2), which a pedantic
// publish must pass. Like that function it does not look for whitespace, which
// never reaches it: the protocol parser splits the line first. Ask
// Check(s, Publish) whether a client can publish to s.
func ValidLiteral(s string) bool {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			continue
		}
		switch i - start {
		case 0:
			return false
		case 1:
			if s[start] == '*' || s[start] == '>' {
				return false
			}
		}
		start = i + 1
	}
	return true
}

// IsLiteral reports whether no token of s is a wildcard. It says nothing about
// validity: "foo*" and "a..b" are literal.
func IsLiteral(s string) bool {
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			continue
		}
		if i-start == 1 && (s[start] == '*' || s[start] == '>') {
			return false
		}
		start = i + 1
	}
	return true
}

// faultKind names what is wrong with a token.
type faultKind int

const (
	faultEmptySubject faultKind = iota
	faultEmptyToken
	faultAfterRest
	faultByte
)

// fault is the first place at which a string stops being a valid subject.
type fault struct {
	kind   faultKind
	token  int  // 0-based index of the token
	offset int  // byte offset into the subject
	char   byte // for faultByte
}

// firstFault finds what Valid refuses, with its place, or nil. It looks in the
// server's order: token by token, and inside a token emptiness first.
func firstFault(s, refused string) *fault {
	if s == "" {
		return &fault{kind: faultEmptySubject}
	}
	token, start, afterRest := 0, 0, false
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != '.' {
			continue
		}
		t := s[start:i]
		switch {
		case t == "":
			return &fault{kind: faultEmptyToken, token: token, offset: start}
		case afterRest:
			return &fault{kind: faultAfterRest, token: token - 1, offset: start - 2}
		case t == Rest:
			afterRest = true
		default:
			if at := strings.IndexAny(t, refused); at >= 0 {
				return &fault{kind: faultByte, token: token, offset: start + at, char: t[at]}
			}
		}
		token++
		start = i + 1
	}
	return nil
}
