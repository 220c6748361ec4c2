package subject

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Transform maps subjects from a source pattern to a destination, as a stream's
// subject_transform, a mirror's or source's subject_transforms, republish and
// account mappings do. Make one with NewTransform.
type Transform struct {
	source      string
	sourceCount int // tokens of the source
	parts       []part
}

// part is one token of a destination: literal text or a call.
type part struct {
	text string
	call *call
	args []int // 0-based source tokens that the call reads
}

// TransformOptions chooses the rules of NewTransform. The zero value means a
// stream transform on the newest release.
type TransformOptions struct {
	// Strict asks for a reversible transform, as account imports need: only
	// wildcard(n) and $n, and every wildcard of the source used
	// (server/subject_transform.go:NewSubjectTransformStrict).
	Strict bool
	// Release is the server's; before 2.12 random and partition(n) without
	// token numbers do not exist.
	Release Release
}

// TransformError says why a transform is refused. Error gives the server's words.
type TransformError struct {
	Token  string // the destination token, "" when the whole is meant
	Reason string // the server's reason
	Hint   string // what to write instead, "" when nothing better is known
}

// Error returns the text that nats-server gives.
func (e *TransformError) Error() string {
	if e.Token == "" {
		return e.Reason
	}
	return e.Reason + " in " + e.Token
}

const mapping = "invalid mapping destination"

// The server's reasons (server/errors.go, v2.15.2).
const (
	reasonSubject     = "invalid subject"
	reasonTransform   = mapping + ": invalid transform"
	reasonUnused      = mapping + ": not using all of the token wildcard(s)"
	reasonFunction    = mapping + ": unknown function"
	reasonIndex       = mapping + ": wildcard index out of range"
	reasonFewArgs     = mapping + ": not enough arguments passed to the function"
	reasonArg         = mapping + ": function argument is invalid or in the wrong format"
	reasonManyArgs    = mapping + ": too many arguments passed to the function"
	reasonImport      = mapping + ": the only mapping function allowed for import transforms is {{Wildcard()}}"
	reasonNoTransform = "no matching transforms available"
)

// NewTransform checks and compiles a transform, accepting and refusing what
// nats-server's NewSubjectTransform or NewSubjectTransformStrict does. An empty
// source means ">". An empty destination is no transform: the result is nil
// without error, and a nil Transform leaves subjects as they are. Errors are
// *TransformError.
func NewTransform(source, destination string, opt TransformOptions) (*Transform, error) {
	if destination == "" {
		return nil, nil
	}
	if source == "" {
		source = Rest
	}
	from, fromOK := tokensOf(source)
	to, toOK := tokensOf(destination)
	wildcards := indexWildcards(from)
	if !fromOK || !toOK {
		return nil, &TransformError{Reason: reasonSubject, Hint: whyTokens(source, fromOK, destination)}
	}
	if n := len(indexWildcards(to)); n > 0 {
		return nil, &TransformError{Reason: reasonSubject, Hint: "write {{wildcard(1)}} where the destination has *"}
	}
	fromRest, toRest := from[len(from)-1] == Rest, to[len(to)-1] == Rest
	if fromRest != toRest {
		return nil, &TransformError{Reason: reasonSubject, Hint: "source and destination must both end with > or neither"}
	}
	t := &Transform{source: source, sourceCount: len(from)}
	used, err := t.compile(to, wildcards, fromRest, opt)
	if err != nil {
		return nil, err
	}
	if opt.Strict && (len(wildcards) > 0 || fromRest) && used < len(wildcards) {
		return nil, &TransformError{Token: destination, Reason: reasonUnused,
			Hint: fmt.Sprintf("use all %d wildcards of %s", len(wildcards), source)}
	}
	return t, nil
}

// tokensOf splits a subject as the server's subjectInfo does: no empty token,
// nothing after ">"; whitespace passes.
func tokensOf(s string) ([]string, bool) {
	if s == "" {
		return nil, false
	}
	tokens := Tokens(s)
	for i, t := range tokens {
		if t == "" || t == Rest && i < len(tokens)-1 {
			return nil, false
		}
	}
	return tokens, true
}

func whyTokens(source string, sourceOK bool, destination string) string {
	bad := destination
	if !sourceOK {
		bad = source
	}
	if r := refusalOf(bad, firstFault(bad, ""), ""); r != nil {
		return fmt.Sprintf("%q: %s", bad, r.reason)
	}
	return ""
}

// indexWildcards returns the positions of the "*" tokens.
func indexWildcards(tokens []string) []int {
	var at []int
	for i, t := range tokens {
		if t == One {
			at = append(at, i)
		}
	}
	return at
}

// compile turns the destination's tokens into parts and returns how many
// wildcard references they hold.
func (t *Transform) compile(to []string, wildcards []int, fromRest bool, opt TransformOptions) (used int, err error) {
	wild := len(wildcards) > 0 || fromRest
	for _, token := range to {
		c, err := parseCall(token, opt.Release)
		if err != nil {
			return 0, err
		}
		if c == nil {
			t.parts = append(t.parts, part{text: token})
			continue
		}
		if wild && opt.Strict && c.function.name != fnWildcard {
			return 0, &TransformError{Token: token, Reason: reasonImport}
		}
		if len(wildcards) == 0 && opt.Release.before(12) {
			return 0, &TransformError{Token: token, Reason: reasonIndex, Hint: t.source + " has no *"}
		}
		if !wild && !c.function.wildless {
			return 0, &TransformError{Token: token, Reason: reasonIndex, Hint: t.source + " has no wildcard"}
		}
		p := part{call: c}
		if wild {
			used += len(c.wildcards)
			if p.args, err = resolve(token, c.wildcards, wildcards); err != nil {
				return 0, err
			}
		}
		t.parts = append(t.parts, p)
	}
	return used, nil
}

// resolve maps 1-based wildcard numbers to source tokens. Like the server, it
// lets numbers below 1 through: they read the first token.
func resolve(token string, numbers, wildcards []int) ([]int, error) {
	args := make([]int, len(numbers))
	for i, n := range numbers {
		if n > len(wildcards) {
			return nil, &TransformError{Token: fmt.Sprintf("%s: [%d]", token, n), Reason: reasonIndex,
				Hint: fmt.Sprintf("the source has %d wildcards; > does not count", len(wildcards))}
		}
		if n >= 1 {
			args[i] = wildcards[n-1]
		}
	}
	return args, nil
}

// Apply returns what a literal subject becomes. It returns an error when the
// subject has an empty or a wildcard token, or does not match the source, as
// the server's Match does. random(n) takes its number from random, which must
// return a value in [0, n); nil means math/rand.
func (t *Transform) Apply(subject string, random func(n int) int) (string, error) {
	if t == nil {
		return subject, nil
	}
	if t.source == Rest && len(t.parts) == 1 && t.parts[0].text == Rest {
		return subject, nil
	}
	if !ValidLiteral(subject) {
		return "", &TransformError{Reason: reasonSubject}
	}
	if t.source != Rest && !MatchesFilter(subject, t.source) {
		return "", &TransformError{Reason: reasonNoTransform, Hint: fmt.Sprintf("%q does not match %s", subject, t.source)}
	}
	if random == nil {
		random = rand.IntN
	}
	tokens := Tokens(subject)
	var b strings.Builder
	for i, p := range t.parts {
		if i > 0 {
			b.WriteByte('.')
		}
		switch {
		case p.call != nil:
			p.call.write(&b, subject, tokens, p.args, random)
		case p.text == Rest:
			b.WriteString(strings.Join(tokens[min(t.sourceCount-1, len(tokens)):], Separator))
		default:
			b.WriteString(p.text)
		}
	}
	return b.String(), nil
}

// PartitionOf returns the partition in [0, n) that the server's partition
// function gives a key: FNV-1a (32 bits) modulo n
// (server/subject_transform.go:getHashPartition). n must be above 0; for 0 the
// answer is 0, as in the server.
func PartitionOf(key string, n int) int {
	if n == 0 {
		return 0
	}
	h := fnv.New32a()
	h.Write([]byte(key))
	return int(h.Sum32() % uint32(n))
}

// ValidateMapping accepts and refuses what nats-server's ValidateMapping does:
// the check that stream transforms and account mappings pass before
// NewTransform. It is stricter on whitespace, and on releases before 2.14 it
// does not know left and right (server/sublist.go).
func ValidateMapping(source, destination string, release Release) error {
	if destination == "" {
		return nil
	}
	afterRest := false
	for _, t := range Tokens(destination) {
		if t == "" || afterRest {
			return &TransformError{Token: t, Reason: reasonTransform, Hint: "no token may be empty or follow >"}
		}
		if isCall(t) {
			if f, _, ok := findCall(t, release); !ok || release.before(14) && (f.name == fnLeft || f.name == fnRight) {
				return unknownFunction(t, release)
			}
			continue
		}
		if t == Rest {
			afterRest = true
		} else if strings.ContainsAny(t, whitespace) {
			return &TransformError{Reason: reasonTransform, Hint: fmt.Sprintf("%q holds whitespace", t)}
		}
	}
	_, err := NewTransform(source, destination, TransformOptions{Release: release})
	return err
}

func checkDestination(s string) *refusal {
	const answer = "400/10156 stream transform: "
	if s == "" {
		return &refusal{-1, "it is empty", ""}
	}
	offset := 0
	for i, t := range Tokens(s) {
		if t == One {
			return &refusal{offset, fmt.Sprintf("wildcard * at position %d of a destination", i+1), answer + reasonSubject}
		}
		if _, err := parseCall(t, Release{}); err != nil {
			return &refusal{offset, strings.TrimPrefix(err.Error(), mapping+": "), answer + err.Error()}
		}
		offset += len(t) + 1
	}
	// Spaces are allowed inside {{function(1, 2)}}, so only other tokens are held to them.
	return refusalOf(s, firstFault(blankCalls(s), whitespace), answer+reasonTransform)
}

// blankCalls replaces the tokens that are calls by as many "x".
func blankCalls(s string) string {
	tokens := Tokens(s)
	for i, t := range tokens {
		if isCall(t) {
			tokens[i] = strings.Repeat("x", len(t))
		}
	}
	return strings.Join(tokens, Separator)
}

// int32Arg reads a number as the server's transformIndexIntArgsHelper does.
func int32Arg(s string) (int, bool) {
	n, err := strconv.ParseInt(strings.Trim(s, " "), 10, 32)
	return int(n), err == nil
}
