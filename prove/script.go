package prove

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/natsapi"
)

// Script is a proof script as it was parsed. A script is a text with one step a
// line: a verb, its arguments, then key=value pairs. Parts with blanks stand in
// double quotes; # begins a comment; a step that begins with ? must be refused,
// by the err_code or with the text that it names. Verbs and what can be compared
// are in Verbs and Values.
//
//	harm "a second worker gets the message while the first works on it"
//	stream JOBS subjects=jobs.* retention=workqueue
//	consumer JOBS/C ack_policy=explicit ack_wait=300ms
//	publish jobs.a
//	work JOBS/C workers=2 service=450ms
//	until work.handled == 2 within 5s
//	? stream TWO subjects=jobs.> err_code=10065
type Script struct {
	text  string
	steps []*scriptStep
}

// Text is what was parsed.
func (s *Script) Text() string { return s.text }

// Limits of a script: lines, bytes of a line, times that repeat repeats.
const (
	maxScriptSteps  = 500
	maxScriptLine   = 2000
	maxScriptRepeat = 5000
)

// ScriptError is what is wrong with a script, with its place. Lines and columns
// count from 1, columns in bytes.
type ScriptError struct {
	Name      string
	Line, Col int
	Message   string
}

// Error is file:line:col: message.
func (e *ScriptError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Col, e.Message)
}

// word is a part of a line with its column.
type word struct {
	text   string
	col    int
	quoted bool
}

// pair is a key=value of a line.
type pair struct{ key, value word }

// scriptStep is one line.
type scriptStep struct {
	line, col int
	text      string
	refused   bool // begins with ?
	repeat    int  // how often, 1 without the verb repeat
	verb      *Verb
	args      []word
	keys      []pair
	left      expr // of expect, until and let
	op        string
	right     expr
	within    time.Duration
}

// key is the value of a key, "" without it.
func (s *scriptStep) key(name string) string {
	for _, p := range s.keys {
		if p.key.text == name {
			return p.value.text
		}
	}
	return ""
}

// ParseScript reads a script. name is that of the file and line the number of
// the script's first line in it. Errors are *ScriptError.
func ParseScript(name string, line int, text string) (*Script, error) {
	out := &Script{text: text}
	p := scriptParser{name: name, line: line}
	for raw := range strings.SplitSeq(text, "\n") {
		step, err := p.step(raw)
		if err != nil {
			return nil, err
		}
		if step != nil {
			if out.steps = append(out.steps, step); len(out.steps) > maxScriptSteps {
				return nil, p.fail(1, "more than %d steps", maxScriptSteps)
			}
		}
		p.line++
	}
	if len(out.steps) == 0 {
		return nil, &ScriptError{name, line, 1, "no steps"}
	}
	return out, nil
}

type scriptParser struct {
	name string
	line int
	seen bool // a step was read
	lets []string
}

func (p *scriptParser) fail(col int, format string, args ...any) *ScriptError {
	return &ScriptError{p.name, p.line, col, fmt.Sprintf(format, args...)}
}

// step reads one line; nil for one without a step.
func (p *scriptParser) step(raw string) (*scriptStep, error) {
	if len(raw) > maxScriptLine {
		return nil, p.fail(maxScriptLine+1, "the line is longer than %d bytes", maxScriptLine)
	}
	words, end, err := p.words(strings.TrimRight(raw, "\r"))
	if err != nil || len(words) == 0 {
		return nil, err
	}
	s := &scriptStep{line: p.line, col: words[0].col, text: strings.TrimSpace(raw[:end]), repeat: 1}
	if words[0].text == "?" && !words[0].quoted {
		s.refused, words = true, words[1:]
	}
	if words, err = p.repeats(s, words); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, p.fail(s.col, "a verb is missing")
	}
	s.verb = verbNamed(words[0].text)
	if s.verb == nil {
		return nil, p.fail(words[0].col, "%q is not a verb%s", words[0].text, didYouMean(words[0].text, verbNames()))
	}
	if s.refused && !s.verb.refusable {
		return nil, p.fail(s.col, "? stands before what a server can refuse, not before %s", s.verb.Name)
	}
	if s.verb.Name == "server" && p.seen {
		return nil, p.fail(words[0].col, "server must be the first step")
	}
	p.seen = true
	return s, p.arguments(s, words[0], words[1:])
}

// repeats takes "repeat N" off the front.
func (p *scriptParser) repeats(s *scriptStep, words []word) ([]word, error) {
	if len(words) == 0 || words[0].text != "repeat" {
		return words, nil
	}
	if len(words) < 3 {
		return nil, p.fail(words[0].col, "repeat takes a count and a step")
	}
	n, err := strconv.Atoi(words[1].text)
	if err != nil || n < 1 || n > maxScriptRepeat {
		return nil, p.fail(words[1].col, "%q is not a count from 1 to %d", words[1].text, maxScriptRepeat)
	}
	s.repeat = n
	return words[2:], nil
}

func didYouMean(name string, candidates []string) string {
	if near := natsapi.Suggest(name, candidates); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; there are " + strings.Join(candidates, ", ")
}

// words splits a line; end is where the last word ends.
func (p *scriptParser) words(line string) (out []word, end int, err error) {
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#':
			return out, end, nil
		}
		w := word{col: i + 1}
		var b strings.Builder
		for i < len(line) && line[i] != ' ' && line[i] != '\t' {
			if line[i] != '"' {
				b.WriteByte(line[i])
				i++
				continue
			}
			rest, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return nil, 0, p.fail(i+1, "a quoted part does not end on the line")
			}
			text, err := strconv.Unquote(rest)
			if err != nil {
				return nil, 0, p.fail(i+1, "a quoted part cannot be read")
			}
			b.WriteString(text)
			w.quoted = true
			i += len(rest)
		}
		w.text = b.String()
		out, end = append(out, w), i
	}
	return out, end, nil
}

// arguments checks what follows the verb.
func (p *scriptParser) arguments(s *scriptStep, verb word, rest []word) error {
	if s.verb.compares != comparesNothing {
		return p.comparison(s, verb, rest)
	}
	for _, w := range rest {
		key, value, isPair := strings.Cut(w.text, "=")
		if !isPair || !isKey(key) {
			s.args = append(s.args, w)
			continue
		}
		k, v := word{key, w.col, false}, word{value, w.col + len(key) + 1, w.quoted}
		if slices.ContainsFunc(s.keys, func(p pair) bool { return p.key.text == key }) {
			return p.fail(w.col, "%s is given twice", key)
		}
		if err := p.knownKey(s, k); err != nil {
			return err
		}
		s.keys = append(s.keys, pair{k, v})
	}
	if n := len(s.args); n < s.verb.min || n > s.verb.max {
		return p.fail(verb.col, "%s takes %s: %s", s.verb.Name, countOf(s.verb.min, s.verb.max), s.verb.Usage)
	}
	if s.verb.check != nil {
		if col, err := s.verb.check(s); err != nil {
			return p.fail(col, "%s", err)
		}
	}
	return nil
}

func isKey(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

func countOf(from, to int) string {
	switch {
	case from == to && to == 1:
		return "one argument"
	case from == to:
		return strconv.Itoa(to) + " arguments"
	case to > 100:
		return fmt.Sprintf("%d arguments or more", from)
	}
	return fmt.Sprintf("%d to %d arguments", from, to)
}

// knownKey refuses keys that a verb does not have. Those of the API are checked
// as a whole by the verb, which reads them as a design does.
func (p *scriptParser) knownKey(s *scriptStep, k word) error {
	if s.refused && (k.text == "err_code" || k.text == "text") || s.verb.asset != "" {
		return nil
	}
	var names []string
	for _, known := range s.verb.Keys {
		if known.Name == k.text {
			return nil
		}
		names = append(names, known.Name)
	}
	if len(names) == 0 {
		return p.fail(k.col, "%s takes no keys", s.verb.Name)
	}
	return p.fail(k.col, "%q is not a key of %s%s", k.text, s.verb.Name, didYouMean(k.text, names))
}

// operators are those of a comparison.
var operators = []string{"==", "!=", "<", "<=", ">", ">=", "~"}

// comparison reads `LEFT op RIGHT`, with `within 2s` behind it where the verb
// waits, or `NAME = EXPRESSION`.
func (p *scriptParser) comparison(s *scriptStep, verb word, rest []word) error {
	if s.verb.compares == comparesAssign {
		if len(rest) < 3 || rest[1].text != "=" || !isKey(rest[0].text) {
			return p.fail(verb.col, "let takes a name, = and an expression: %s", s.verb.Usage)
		}
		s.args = rest[:1]
		var err error
		s.left, err = p.expression(rest[2:])
		p.lets = append(p.lets, rest[0].text)
		return err
	}
	if s.verb.compares == comparesWithin {
		n := len(rest)
		if n < 2 || rest[n-2].text != "within" {
			return p.fail(verb.col, "%s needs a limit: %s", s.verb.Name, s.verb.Usage)
		}
		d, err := readDuration(rest[n-1].text)
		if err != nil {
			return p.fail(rest[n-1].col, "%s", err)
		}
		s.within, rest = d, rest[:n-2]
	}
	at := slices.IndexFunc(rest, func(w word) bool { return !w.quoted && slices.Contains(operators, w.text) })
	if at < 0 {
		return p.fail(verb.col, "%s compares two things by one of %s: %s", s.verb.Name, strings.Join(operators, " "), s.verb.Usage)
	}
	s.op = rest[at].text
	if at == 0 || at == len(rest)-1 {
		return p.fail(rest[at].col, "one side of %s is missing", s.op)
	}
	var err error
	if s.left, err = p.expression(rest[:at]); err != nil {
		return err
	}
	s.right, err = p.expression(rest[at+1:])
	return err
}

// maxScriptWait bounds wait and within.
const maxScriptWait = time.Minute

func readDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%q is not a duration; write 300ms or 2s", s)
	case d <= 0 || d > maxScriptWait:
		return 0, fmt.Errorf("%q is not between 0 and %s", s, maxScriptWait)
	}
	return d, nil
}
