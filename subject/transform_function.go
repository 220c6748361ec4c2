package subject

import (
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
	write    func(c *call, b *strings.Builder, subject string, tokens []string, args []int, random func(int) int)
}

// call is a function with its arguments.
type call struct {
	function  *function
	wildcards []int // 1-based wildcard numbers
	number    int
	delimiter string
}

func (c *call) write(b *strings.Builder, subject string, tokens []string, args []int, random func(int) int) {
	c.function.write(c, b, subject, tokens, args, random)
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
	{Function{"right", "{{right(w, n)}}", "the last n bytes of the token", "* | {{right(1,2)}} | 12345 | 45", "2.10; in stream transforms 2.14"},
		fnRight, 0, false, parseIndexNumber, writeRight},
	{Function{"left", "{{left(w, n)}}", "the first n bytes of the token", "* | {{left(1,2)}} | 12345 | 12", "2.10; in stream transforms 2.14"},
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
	f, args, ok := findCall(token, r)
	if !ok {
		return nil, unknownFunction(token, r)
	}
	return f.parse(f, token, args, r)
}

func unknownFunction(token string, r Release) *TransformError {
	e := &TransformError{Token: token, Reason: reasonFunction}
	if f, _, ok := findCall(token, Release{}); ok && r != (Release{}) {
		e.Hint = f.Function.Name + " exists here since " + f.Since
	}
	return e
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
// leftmost start, the rightmost end on the same line, anything around.
func callArgs(token, name string) (string, bool) {
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
		rest = rest[1:]
		line := rest
		if nl := strings.IndexByte(rest, '\n'); nl >= 0 {
			line = rest[:nl]
		}
		for end := len(line); end >= 0; {
			// A ")" directly behind the line break's place still ends the dot-star.
			end = strings.LastIndexByte(line[:end], ')')
			if end < 0 {
				break
			}
			if strings.HasPrefix(skipSpace(rest[end+1:]), "}}") {
				return rest[:end], true
			}
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
		if s[i] != c && (c >= 'a' || s[i] != c+'a'-'A') {
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

func parseIndexNumber(f *function, token string, args []string, _ Release) (*call, error) {
	switch {
	case len(args) < 2:
		return nil, &TransformError{Token: token, Reason: reasonFewArgs, Hint: "write " + f.Usage}
	case len(args) > 2:
		return nil, &TransformError{Token: token, Reason: reasonManyArgs, Hint: "write " + f.Usage}
	}
	w, err := strconv.Atoi(strings.Trim(args[0], " "))
	n, ok := int32Arg(args[1])
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

func writeWildcard(_ *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	if len(args) > 0 && args[0] < len(tokens) {
		b.WriteString(tokens[args[0]])
	}
}

func writePartition(c *call, b *strings.Builder, subject string, tokens []string, args []int, _ func(int) int) {
	key := subject
	if len(args) > 0 {
		var k strings.Builder
		for _, at := range args {
			k.WriteString(tokens[at])
		}
		key = k.String()
	}
	b.WriteString(strconv.Itoa(PartitionOf(key, c.number)))
}

func writeRandom(c *call, b *strings.Builder, _ string, _ []string, _ []int, random func(int) int) {
	n := c.number
	if n < 0 {
		n = -n // the server takes a remainder, whose sign is the dividend's
	}
	if n == 0 {
		b.WriteString("0")
		return
	}
	b.WriteString(strconv.Itoa(random(n)))
}

func writeSplitFromLeft(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	writeCut(b, tokens[args[0]], c.number, c.number)
}

func writeSplitFromRight(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	writeCut(b, tokens[args[0]], c.number, len(tokens[args[0]])-c.number)
}

// writeCut cuts a token in two at a place, if n is positive and leaves
// something on both sides.
func writeCut(b *strings.Builder, token string, n, at int) {
	if n <= 0 || n >= len(token) {
		b.WriteString(token)
		return
	}
	b.WriteString(token[:at])
	b.WriteByte('.')
	b.WriteString(token[at:])
}

func writeSliceFromLeft(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	writeSlices(b, tokens[args[0]], c.number, c.number)
}

func writeSliceFromRight(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	token := tokens[args[0]]
	first := c.number
	if c.number > 0 && len(token)%c.number > 0 {
		first = len(token) % c.number
	}
	writeSlices(b, token, c.number, first)
}

// writeSlices cuts a token into pieces of n bytes, the first piece having its
// own length.
func writeSlices(b *strings.Builder, token string, n, first int) {
	if n <= 0 || n >= len(token) {
		b.WriteString(token)
		return
	}
	for at, size := 0, first; at < len(token); at, size = at+size, n {
		if at > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token[at:min(at+size, len(token))])
	}
}

func writeLeft(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	token := tokens[args[0]]
	if c.number > 0 && c.number < len(token) {
		token = token[:c.number]
	}
	b.WriteString(token)
}

func writeRight(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	token := tokens[args[0]]
	if c.number > 0 && c.number < len(token) {
		token = token[len(token)-c.number:]
	}
	b.WriteString(token)
}

func writeSplit(c *call, b *strings.Builder, _ string, tokens []string, args []int, _ func(int) int) {
	pieces := strings.Split(tokens[args[0]], c.delimiter)
	for i, p := range pieces {
		b.WriteString(p)
		// The server's own condition: no dot before an empty piece, nor behind an
		// empty first one.
		if i < len(pieces)-1 && pieces[i+1] != "" && (i > 0 || p != "") {
			b.WriteByte('.')
		}
	}
}
