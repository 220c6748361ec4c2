package subject

import (
	"errors"
	"fmt"
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
	release     Release
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
	reasonElsewhere   = mapping + ": function is not available in this context" // 2.14.10 only
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
	t := &Transform{source: source, sourceCount: len(from), release: opt.Release}
	used, err := t.compile(to, wildcards, fromRest, opt)
	if err != nil {
		return nil, err
	}
	if opt.Strict && (len(wildcards) > 0 || fromRest) && used < len(wildcards) {
		return nil, &TransformError{Token: destination, Reason: reasonUnused,
			Hint: fmt.Sprintf("use all %d wildcards of %s", len(wildcards), clip(source))}
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
		if opt.Release.before(12) && len(wildcards) == 0 {
			return 0, &TransformError{Token: token, Reason: reasonIndex, Hint: "before 2.12 a function needs a * in the source; " + clip(t.source) + " has none"}
		}
		if !wild && !c.function.wildless {
			return 0, &TransformError{Token: token, Reason: reasonIndex, Hint: clip(t.source) + " has no wildcard"}
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
				Hint: fmt.Sprintf("the source has %s; > does not count", plural(len(wildcards), "wildcard"))}
		}
		if n >= 1 {
			args[i] = wildcards[n-1]
		}
	}
	return args, nil
}

// ValidateMapping accepts and refuses what nats-server's ValidateMapping does
// (server/sublist.go, v2.15.2): account mappings, and from 2.11 on the
// subject_transform of streams, mirrors and sources, pass it before NewTransform.
// It is stricter on whitespace, and before 2.14 it does not know left and right.
// In 2.10 it looks at the destination alone; its callers then call NewTransform,
// and so does this function.
func ValidateMapping(source, destination string, release Release) error {
	if destination == "" {
		return nil
	}
	if _, err := mappingFault(destination, release); err != nil {
		return err
	}
	_, err := NewTransform(source, destination, TransformOptions{Release: release})
	return err
}

// mappingFault is the part of ValidateMapping that looks at the tokens of a
// destination, with the byte offset of the token at fault.
func mappingFault(destination string, r Release) (offset int, err *TransformError) {
	reason, afterRest := reasonTransform, false
	if r.before(11) {
		reason = mapping + ": " + reasonSubject
	}
	for _, t := range Tokens(destination) {
		switch {
		case t == "" || afterRest:
			no := &TransformError{Token: t, Reason: reason, Hint: "no token may be empty or follow >"}
			if t == "" && r.before(12) {
				no.Reason += " in " // these name the token even if it is empty
			}
			return offset, no
		case isCall(t):
			if no := knownCall(t, r); no != nil {
				return offset, no
			}
		case t == Rest:
			afterRest = true
		case strings.ContainsAny(t, whitespace):
			return offset, &TransformError{Reason: reason, Hint: fmt.Sprintf("%q holds whitespace", t)}
		}
		offset += len(t) + 1
	}
	return 0, nil
}

// knownCall is the part of ValidateMapping that looks for a function's name.
func knownCall(token string, r Release) *TransformError {
	if isAccountHash(token, r) {
		return elsewhere(token)
	}
	for _, f := range functionTable {
		if r.before(f.since) || r.before(14) && (f.name == fnLeft || f.name == fnRight) {
			continue
		}
		if _, ok := callArgs(token, f.name); ok {
			return nil
		}
	}
	return unknownFunction(token, r)
}

// destinationRule refuses a destination that no source could make right, at the
// fault that NewTransform meets first. answer goes before the server's words.
func destinationRule(s string, r Release, answer string) *refusal {
	if f := firstFault(s, ""); f != nil {
		return refusalOf(s, f, answer+reasonSubject)
	}
	offset := 0
	for i, t := range Tokens(s) {
		if t == One {
			return &refusal{offset, fmt.Sprintf("wildcard * at position %d of a destination", i+1), answer + reasonSubject}
		}
		offset += len(t) + 1
	}
	offset = 0
	for _, t := range Tokens(s) {
		if _, err := parseCall(t, r); err != nil {
			return refusalOfTransform(offset, err, answer)
		}
		offset += len(t) + 1
	}
	return nil
}

func refusalOfTransform(offset int, err error, answer string) *refusal {
	reason := strings.TrimPrefix(clip(err.Error()), mapping+": ")
	var te *TransformError
	if errors.As(err, &te) && te.Hint != "" {
		reason += "; " + te.Hint
	}
	return &refusal{offset, reason, answer + cut(err.Error(), 400)}
}

// checkDestination holds the destination of a stream's subject_transform to
// ValidateMapping, which 2.10 asks for account mappings only, and NewTransform.
func checkDestination(s string, r Release) *refusal {
	if r.before(11) {
		return destinationRule(s, r, "500/10049 stream subject transform from '…' to '"+cut(s, maxClip)+"': ")
	}
	const answer = "400/10156 stream transform: "
	offset, err := mappingFault(s, r)
	if err == nil {
		return destinationRule(s, r, answer)
	}
	// The mapping's words do not say what is wrong with a token; a fault's do.
	if f := firstFault(blankCalls(s), whitespace); f != nil && f.offset <= offset+len(err.Token) {
		return refusalOf(s, f, answer+cut(err.Error(), 400))
	}
	return refusalOfTransform(offset, err, answer)
}

func checkRepublishDestination(s string, r Release) *refusal {
	no := destinationRule(s, r, "")
	if no != nil {
		no.server = fmt.Sprintf("500/10052 stream configuration for republish with transform from '…' to '%s' not valid", cut(s, maxClip))
	}
	return no
}

// blankCalls replaces the tokens that are calls by as many "x", because
// whitespace is allowed inside {{function(1, 2)}}.
func blankCalls(s string) string {
	tokens := Tokens(s)
	for i, t := range tokens {
		if isCall(t) {
			tokens[i] = strings.Repeat("x", len(t))
		}
	}
	return strings.Join(tokens, Separator)
}

// int32Arg reads a number as the server's transformIndexIntArgsHelper does; 2.10
// keeps the lower 32 bits of a longer one.
func int32Arg(s string, r Release) (int, bool) {
	bits := 32
	if r.before(11) {
		bits = 64
	}
	n, err := strconv.ParseInt(strings.Trim(s, " "), 10, bits)
	return int(int32(n)), err == nil
}
