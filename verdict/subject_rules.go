package verdict

import (
	"errors"
	"strings"

	"weir/subject"
)

// The rules of subjects as a server version has them, on top of package subject.

// badSubject is ErrBadSubject (server/errors.go).
const badSubject = "invalid subject"

// release is the version as package subject takes it.
func (j *judge) release() subject.Release {
	return subject.Release{Major: j.v.Major, Minor: j.v.Minor}
}

// publishable is IsValidPublishSubject (server/sublist.go).
func publishable(s string) bool { return subject.Valid(s) && subject.IsLiteral(s) }

// collide is SubjectsCollide (server/sublist.go). Most pairs of a design differ
// in their first token already.
func (j *judge) collide(a, b string) bool {
	j.compared++
	x, y := firstToken(a), firstToken(b)
	if x != y && !looksWild(x) && !looksWild(y) {
		return false
	}
	return subject.Collide(j.wildcardsOnly(a), j.wildcardsOnly(b))
}

// maxCompared bounds the pairs of subjects that one request may make Judge
// compare; beyond it no more overlaps are looked for. 6,000 subjects in one
// stream stay below. The server itself has no bound and takes its time.
const maxCompared = 20_000_000

// tired says that enough pairs were compared.
func (j *judge) tired() bool { return j.compared > maxCompared }

func firstToken(s string) string {
	if i := strings.IndexByte(s, '.'); i >= 0 {
		return s[:i]
	}
	return s
}

func looksWild(token string) bool { return token != "" && (token[0] == '*' || token[0] == '>') }

// within is subjectIsSubsetMatch (server/sublist.go): b selects all that a does.
func (j *judge) within(a, b string) bool {
	j.compared++
	return subject.MatchesFilter(j.wildcardsOnly(a), j.wildcardsOnly(b))
}

// wildcardsOnly makes what package subject takes for a wildcard be one. The
// server goes by the first byte of a token ("*x"); 2.14.10 does not, 2.15.2 does.
func (j *judge) wildcardsOnly(s string) string {
	if !j.has(wholeWildcards) || !strings.ContainsAny(s, "*>") {
		return s
	}
	tokens := subject.Tokens(s)
	for i, t := range tokens {
		if len(t) > 1 && looksWild(t) {
			tokens[i] = "\x00" + t
		}
	}
	return strings.Join(tokens, subject.Separator)
}

func (j *judge) newTransform(source, destination string) error {
	_, err := subject.NewTransform(source, destination, subject.TransformOptions{Release: j.release()})
	return err
}

// validDestination is ValidateMappingDestination (server/sublist.go, 2.10): the
// shape of a destination, without its source and the functions' arguments.
func (j *judge) validDestination(destination string) bool {
	if destination == "" {
		return true
	}
	tokens := subject.Tokens(destination)
	for i, t := range tokens {
		if t == "" || t == subject.Rest && i < len(tokens)-1 {
			return false
		}
		call := len(t) > 4 && strings.HasPrefix(t, "{{") && strings.HasSuffix(t, "}}")
		if !call {
			if strings.ContainsAny(t, "\t\n\f\r ") {
				return false
			}
			continue
		}
		var bad *subject.TransformError
		err := subject.ValidateMapping("", t, j.release())
		if errors.As(err, &bad) && strings.HasSuffix(bad.Reason, "unknown function") {
			return false
		}
	}
	return true
}
