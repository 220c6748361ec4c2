package subject

import (
	"fmt"
	"strconv"
	"strings"
)

// Names of the mapping functions, upper case where the server takes either case.
const (
	fnWildcard       = "Wildcard"
	fnPartition      = "Partition"
	fnSplitFromLeft  = "SplitFromLeft"
	fnSplitFromRight = "SplitFromRight"
	fnSliceFromLeft  = "SliceFromLeft"
	fnSliceFromRight = "SliceFromRight"
	fnRight          = "Right"
	fnLeft           = "Left"
	fnSplit          = "Split"
	fnRandom         = "Random"
)

// Function describes one mapping function for help and menus.
type Function struct {
	Name    string `json:"name"` // as the documentation spells it
	Usage   string `json:"usage"`
	Does    string `json:"does"`
	Example string `json:"example"` // source | destination | subject | result
	Since   string `json:"since"`
}

// function is a mapping function: how its arguments are read and what it writes.
type function struct {
	Function
	name     string
	since    int  // minor release of 2.x, 0 for 2.10 and older
	wildless bool // allowed when the source has no wildcard
	parse    func(f *function, token string, args []string, r Release) (*call, error)
	write    func(w *work, c *call, args []int) // appends to w.out; args are 0-based source tokens
}

// call is a function with its arguments.
type call struct {
	function  *function
	wildcards []int // 1-based wildcard numbers
	number    int
	delimiter string
}

// Functions lists the mapping functions, in the order in which the server looks
// for them (server/subject_transform.go:indexPlaceHolders).
func Functions() []Function {
	out := make([]Function, len(functionTable))
	for i, f := range functionTable {
		out[i] = f.Function
	}
	return out
}

var functionTable = [...]*function{
	{Function{"wildcard", "{{wildcard(n)}} or $n", "the token that the n-th * of the source stands for", "foo.*.* | bar.{{wildcard(2)}}.$1 | foo.a.b | bar.b.a", "2.10"},
		fnWildcard, 0, false, parseWildcard, writeWildcard},
	{Function{"partition", "{{partition(n, w, …)}} or {{partition(n)}}", "FNV-1a-32 of the named wildcard tokens, or of the whole subject, modulo n", "orders.* | orders.{{wildcard(1)}}.{{partition(3,1)}} | orders.eu | orders.eu.2", "2.10; without token numbers 2.12"},
		fnPartition, 0, true, parsePartition, writePartition},
	{Function{"splitFromLeft", "{{splitFromLeft(w, n)}}", "the token cut in two after its first n bytes", "* | {{splitFromLeft(1,3)}} | 12345 | 123.45", "2.10"},
		fnSplitFromLeft, 0, false, parseIndexNumber, writeSplitFromLeft},
	{Function{"splitFromRight", "{{splitFromRight(w, n)}}", "the token cut in two before its last n bytes", "* | {{splitFromRight(1,3)}} | 12345 | 12.345", "2.10"},
		fnSplitFromRight, 0, false, parseIndexNumber, writeSplitFromRight},
	{Function{"sliceFromLeft", "{{sliceFromLeft(w, n)}}", "the token cut into pieces of n bytes from the left", "* | {{sliceFromLeft(1,2)}} | 12345 | 12.34.5", "2.10"},
		fnSliceFromLeft, 0, false, parseIndexNumber, writeSliceFromLeft},
	{Function{"sliceFromRight", "{{sliceFromRight(w, n)}}", "the token cut into pieces of n bytes from the right", "* | {{sliceFromRight(1,2)}} | 12345 | 1.23.45", "2.10"},
		fnSliceFromRight, 0, false, parseIndexNumber, writeSliceFromRight},
	{Function{"right", "{{right(w, n)}}", "the last n bytes of the token", "* | {{right(1,2)}} | 12345 | 45", "2.14; before that in republish, and on 2.10 in stream transforms"},
		fnRight, 0, false, parseIndexNumber, writeRight},
	{Function{"left", "{{left(w, n)}}", "the first n bytes of the token", "* | {{left(1,2)}} | 12345 | 12", "2.14; before that in republish, and on 2.10 in stream transforms"},
		fnLeft, 0, false, parseIndexNumber, writeLeft},
	{Function{"split", "{{split(w, delimiter)}}", "the token split at the delimiter; empty pieces vanish", "* | {{split(1,-)}} | a-b--c | a.b.c", "2.10"},
		fnSplit, 0, false, parseSplit, writeSplit},
	{Function{"random", "{{random(n)}}", "a random number from 0 to n-1", "* | {{wildcard(1)}}.{{random(5)}} | a | a.3", "2.12"},
		fnRandom, 12, true, parseRandom, writeRandom},
}

// isCall reports whether a destination token has the shape {{…}}.
func isCall(token string) bool {
	return len(token) > 4 && strings.HasPrefix(token, "{{") && strings.HasSuffix(token, "}}")
}

// parseCall reads a destination token. A literal token, "$x" with no number
// included, gives nil without error.
func parseCall(token string, r Release) (*call, error) {
	if len(token) > 1 && token[0] == '$' {
		n, err := strconv.Atoi(token[1:])
		if err != nil {
			return nil, nil
		}
		return &call{function: functionTable[0], wildcards: []int{n}}, nil
	}
	if !isCall(token) {
		return nil, nil
	}
	if isAccountHash(token, r) {
		return nil, elsewhere(token)
	}
	f, args, ok := findCall(token, r)
	if !ok {
		return nil, unknownFunction(token, r)
	}
	return f.parse(f, token, args, r)
}

func unknownFunction(token string, r Release) *TransformError {
	e := &TransformError{Token: token, Reason: reasonFunction, Hint: "the functions are"}
	for i, f := range functionTable {
		if i > 0 {
			e.Hint += ","
		}
		e.Hint += " " + f.Function.Name
	}
	if f, _, ok := findCall(token, Release{}); ok && r != (Release{}) {
		e.Hint = fmt.Sprintf("%s came with nats-server %s", f.Function.Name, f.Since)
	}
	return e
}

// accountHash are functions that only 2.14.10 knows, and replaces by the hash of
// an account's name before a mapping is checked: in account mappings, imports,
// exports and the deny lists of leafnodes, and nowhere else
// (server/subject_transform.go:expandSubjectPlaceholders).
var accountHash = [...]string{"Account-Hash", "Account-Hash-Import", "Account-Hash-Leaf-Remote"}

func isAccountHash(token string, r Release) bool {
	if r != (Release{2, 14}) {
		return false
	}
	for _, name := range accountHash {
		if _, ok := callArgs(token, name); ok {
			return true
		}
	}
	return false
}

func elsewhere(token string) *TransformError {
	return &TransformError{Token: token, Reason: reasonElsewhere, Hint: "2.14.10 fills it in account mappings, imports, exports and leafnode deny lists only"}
}

// findCall finds the first function of the table that the token calls.
func findCall(token string, r Release) (*function, []string, bool) {
	for _, f := range functionTable {
		if r.before(f.since) {
			continue
		}
		if inner, ok := callArgs(token, f.name); ok {
			return f, splitArgs(inner), true
		}
	}
	return nil, nil, false
}

// callArgs finds what stands between the parentheses of {{name(…)}}. It accepts
// what the server's regular expression {{\s*name\s*\((.*)\)\s*}} finds: the
// leftmost start, the rightmost end on the same line, anything around. Each line
// is searched for its end once, so that the time stays linear.
func callArgs(token, name string) (string, bool) {
	lineEnd, end := -1, -1 // the line that was searched, and its last ")" before "}}"
	for from := 0; ; from++ {
		at := strings.Index(token[from:], "{{")
		if at < 0 {
			return "", false
		}
		from += at
		rest, ok := skipName(skipSpace(token[from+2:]), name)
		if !ok {
			continue
		}
		rest = skipSpace(rest)
		if !strings.HasPrefix(rest, "(") {
			continue
		}
		start := len(token) - len(rest) + 1
		if start > lineEnd {
			lineEnd = len(token)
			if nl := strings.IndexByte(token[start:], '\n'); nl >= 0 {
				lineEnd = start + nl
			}
			end = lastCallEnd(token, start, lineEnd)
		}
		if end >= start {
			return token[start:end], true
		}
	}
}

// lastCallEnd returns the place of the last ")" in token[start:lineEnd] that "}}"
// follows, whitespace and line breaks between them, or -1.
func lastCallEnd(token string, start, lineEnd int) int {
	for end := lineEnd; ; {
		at := strings.LastIndexByte(token[start:end], ')')
		if at < 0 {
			return -1
		}
		end = start + at
		if strings.HasPrefix(skipSpace(token[end+1:]), "}}") {
			return end
		}
	}
}

// skipName removes name from the front of s; an upper case letter of name
// matches either case, a lower case one only itself.
func skipName(s, name string) (string, bool) {
	if len(s) < len(name) {
		return s, false
	}
	for i := range len(name) {
		c := name[i]
		if s[i] != c && (c < 'A' || c > 'Z' || s[i] != c+'a'-'A') {
			return s, false
		}
	}
	return s[len(name):], true
}

func skipSpace(s string) string { return strings.TrimLeft(s, whitespace) }

// splitArgs splits at commas, dropping the whitespace behind each.
func splitArgs(s string) []string {
	args := strings.Split(s, ",")
	for i := range args[1:] {
		args[i+1] = skipSpace(args[i+1])
	}
	return args
}

func parseWildcard(f *function, token string, args []string, _ Release) (*call, error) {
	switch {
	case len(args) == 1 && args[0] == "":
		return nil, &TransformError{Token: token, Reason: reasonFewArgs, Hint: "write " + f.Usage}
	case len(args) > 1:
		return nil, &TransformError{Token: token, Reason: reasonManyArgs, Hint: "write " + f.Usage}
	}
	n, err := strconv.Atoi(strings.Trim(args[0], " "))
	if err != nil {
		return nil, &TransformError{Token: token, Reason: reasonArg, Hint: "write " + f.Usage}
	}
	return &call{function: f, wildcards: []int{n}}, nil
}

func parsePartition(f *function, token string, args []string, r Release) (*call, error) {
	if r.before(12) && len(args) < 2 {
		return nil, &TransformError{Token: token, Reason: reasonFewArgs, Hint: "before 2.12 name the wildcards: {{partition(n,1)}}"}
	}
	n, err := strconv.Atoi(strings.Trim(args[0], " "))
	if err != nil || n > maxInt32 && !r.before(12) {
		return nil, &TransformError{Token: token, Reason: reasonArg, Hint: "write " + f.Usage}
	}
	c := &call{function: f, number: int(int32(n))}
	for _, a := range args[1:] {
		w, err := strconv.Atoi(strings.Trim(a, " "))
		if err != nil {
			return nil, &TransformError{Token: token, Reason: reasonArg, Hint: "write " + f.Usage}
		}
		c.wildcards = append(c.wildcards, w)
	}
	return c, nil
}

const maxInt32 = 1<<31 - 1

func parseIndexNumber(f *function, token string, args []string, r Release) (*call, error) {
	switch {
	case len(args) < 2:
		return nil, &TransformError{Token: token, Reason: reasonFewArgs, Hint: "write " + f.Usage}
	case len(args) > 2:
		return nil, &TransformError{Token: token, Reason: reasonManyArgs, Hint: "write " + f.Usage}
	}
	w, err := strconv.Atoi(strings.Trim(args[0], " "))
	n, ok := int32Arg(args[1], r)
	if err != nil || !ok {
		return nil, &TransformError{Token: token, Reason: reasonArg, Hint: "write " + f.Usage}
	}
	return &call{function: f, wildcards: []int{w}, number: n}, nil
}

func parseSplit(f *function, token string, args []string, _ Release) (*call, error) {
	switch {
	case len(args) < 2:
		return nil, &TransformError{Token: token, Reason: reasonFewArgs, Hint: "write " + f.Usage}
	case len(args) > 2:
		return nil, &TransformError{Token: token, Reason: reasonManyArgs, Hint: "write " + f.Usage}
	}
	w, err := strconv.Atoi(strings.Trim(args[0], " "))
	if err != nil || strings.ContainsAny(args[1], " .") {
		return nil, &TransformError{Token: token, Reason: reasonArg, Hint: "write " + f.Usage}
	}
	return &call{function: f, wildcards: []int{w}, delimiter: args[1]}, nil
}

func parseRandom(f *function, token string, args []string, _ Release) (*call, error) {
	if len(args) != 1 {
		return nil, &TransformError{Token: token, Reason: reasonFewArgs, Hint: "write " + f.Usage}
	}
	n, err := strconv.Atoi(strings.Trim(args[0], " "))
	if err != nil || n > maxInt32 {
		return nil, &TransformError{Token: token, Reason: reasonArg, Hint: "write " + f.Usage}
	}
	return &call{function: f, number: int(int32(n))}, nil
}
