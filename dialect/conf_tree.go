package dialect

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats-server/v2/conf"

	"weir/design"
)

// confValue is a value of a nats-server.conf as the server reads it, with its
// place. scalar is a string, int64, float64, bool or time.Time, or nil for a map
// or list.
type confValue struct {
	scalar any
	isMap  bool
	isList bool
	fields []confField // in the order of the text, each key once
	items  []*confValue
	node   *confNode
	// used is true where a variable refers to the value: the server then does not
	// mind a key that it does not know.
	used bool
	// open is true for what the text does not say: a variable that it does not
	// define.
	open bool
}

// confField is a key of a map and its value.
type confField struct {
	confKey
	value *confValue
}

// each is the entries of a list, or the one value that is none.
func (v *confValue) each() []*confValue {
	if v.isList {
		return v.items
	}
	return []*confValue{v}
}

// get is the value of a key, whatever its letter case; nil when there is none.
func (v *confValue) get(names ...string) *confValue {
	if v == nil {
		return nil
	}
	for _, f := range v.fields {
		for _, name := range names {
			if strings.EqualFold(f.text, name) {
				return f.value
			}
		}
	}
	return nil
}

func (v *confValue) text() (string, bool) {
	if v == nil {
		return "", false
	}
	s, ok := v.scalar.(string)
	return s, ok
}

// confParser reads files of one call.
type confParser struct {
	files    map[string]*design.Source // by cleaned name
	used     map[*design.Source]bool   // those that another one includes
	stack    []string
	problems design.Problems
	included int // files read for an include, and their bytes
	bytes    int
	// partial is true once an include was not there: what is missing may be in it.
	partial bool
}

// Bounds of what the include directives of one call bring in. The server has
// none, and files that include each other twice double with each.
const (
	maxIncludes     = 1_000
	maxIncludeBytes = design.MaxFileBytes
)

func newConfParser(sources []*design.Source) *confParser {
	p := &confParser{files: map[string]*design.Source{}, used: map[*design.Source]bool{}}
	for _, src := range sources {
		p.files[path.Clean(src.Name)] = src
	}
	return p
}

func (p *confParser) say(code design.Code, severity design.Severity, at design.Position, format string, args ...any) {
	if len(p.problems) < design.MaxProblems {
		p.problems = append(p.problems, design.Problem{Code: code, Severity: severity, Position: at, Message: fmt.Sprintf(format, args...)})
	}
}

// parse reads a text and what it includes. The value is nil when the server
// would not read it; the problems say why.
func (p *confParser) parse(src *design.Source) (*confValue, *confNode) {
	if problems := src.Check(); problems != nil {
		p.problems = append(p.problems, problems...)
		return nil, nil
	}
	if src.Marked { // it is a part of the first key
		p.say(design.CodeConf, design.Error, src.Place(0, 0), "the file begins with a byte order mark, and the server does not start; save it as UTF-8 without one")
	}
	const deepest = 20
	if slices.Contains(p.stack, src.Name) || len(p.stack) >= deepest {
		p.say(design.CodeSyntax, design.Error, src.Place(0, 0), "the file includes itself: %s", strings.Join(append(p.stack, src.Name), " includes "))
		return nil, nil
	}
	p.stack = append(p.stack, src.Name)
	defer func() { p.stack = p.stack[:len(p.stack)-1] }()
	e := &confExpansion{env: map[int]any{}, left: design.MaxNodes}
	s := &confScanner{src: src}
	s.include = func(i confInclude) *confNode { return p.include(s, i, e) }
	root := s.run()
	if p.deeperThan(s) {
		return nil, nil
	}
	p.doubled(root)
	p.environment(s, e)
	tokens, err := parseConf(e.rewrite(s))
	if err != nil {
		p.syntax(s, err)
		return nil, nil
	}
	p.undefined(s, e, slices.Contains(e.files, nil))
	value := e.value(tokens, root)
	if e.left < 0 {
		p.say(design.CodeLimit, design.Error, src.Place(0, 0), "with its variables expanded the file has more than %d values; Weir reads at most that many", design.MaxNodes)
		return nil, nil
	}
	return value, root
}

// undefined says once in a file which variables neither it nor the environment
// defines. Without an environment nobody knows whether the server's own has them, and
// with one they may still stand in a file that was not given.
func (p *confParser) undefined(s *confScanner, e *confExpansion, partial bool) {
	var names []string
	var first *confNode
	for k, n := range s.unknown {
		if _, ok := e.env[k]; ok || slices.Contains(names, n.variable) {
			continue
		}
		if names = append(names, n.variable); first == nil {
			first = n
		}
	}
	if first == nil {
		return
	}
	what, list := "variable "+strconv.Quote(names[0])+" is not defined in front of its use: the server takes it from its environment, and does not start without it", ""
	if len(names) > 1 {
		what, list = fmt.Sprintf("%d variables are not defined in front of their use: the server takes them from its environment, and does not start without them", len(names)), "; set "+strings.Join(names, ", ")
	}
	severity, remedy := design.Info, "; weir reads its own environment with --env"
	if s.src.Env != nil {
		severity, remedy = design.Error, "; weir's own environment lacks "+map[bool]string{true: "it", false: "them"}[len(names) == 1]
		if partial {
			severity = design.Warning
		}
	}
	p.say(design.CodeMissing, severity, s.src.Place(first.start, first.end),
		"%s%s%s", what, list, remedy)
}

// environment looks up the variables that the text does not define. A value is
// read as it would be in a file, so that it may be a number or a list
// (conf/parse.go, lookupVariable, v2.15.2); one that refers to something else in
// its turn stays open.
func (p *confParser) environment(s *confScanner, e *confExpansion) {
	if s.src.Env == nil {
		return
	}
	for k, n := range s.unknown {
		text, ok := s.src.Env(n.variable)
		if !ok {
			continue
		}
		if e.env[k] = mark; strings.ContainsAny(text, "$\n") || strings.Contains(strings.ToLower(text), "include") {
			continue
		}
		values, err := parseConf("v=" + text)
		v, ok := values["v"]
		if design.NewSource("", []byte(text)).Check() != nil || err != nil || !ok {
			p.say(design.CodeSyntax, design.Error, s.src.Place(n.start, n.end), "the value of %s in the environment is none that the server can read", strconv.Quote(n.variable))
			continue
		}
		e.env[k] = v
	}
}

func (p *confParser) deeperThan(s *confScanner) bool {
	if !s.beyond {
		return false
	}
	p.say(design.CodeLimit, design.Error, s.src.Place(s.pos, s.pos), "the file has more than %d values or nests deeper than %d levels", design.MaxNodes, design.MaxDepth)
	return true
}

// include reads the file that a directive names, when it was given: Weir reads
// no other file.
func (p *confParser) include(s *confScanner, i confInclude, e *confExpansion) *confNode {
	e.files = append(e.files, nil)
	// filepath.Join, also for a name that begins with a slash: conf/parse.go,
	// itemInclude.
	name := path.Join(path.Dir(s.src.Name), i.name)
	src := p.files[name]
	if src == nil {
		p.partial = true
		why := "not among the files given, so what it says is not known; give it too"
		if s.src.Absent[name] {
			why = "the file is not there; the server does not start without it"
		}
		p.say(design.CodeMissing, design.Warning, s.src.Place(i.start, i.end), "%s is included and %s", strconv.Quote(name), why)
		return nil
	}
	p.used[src] = true
	p.included++
	p.bytes += len(src.Text)
	if p.included > maxIncludes || p.bytes > maxIncludeBytes {
		if p.included-1 <= maxIncludes && p.bytes-len(src.Text) <= maxIncludeBytes { // say it once
			p.say(design.CodeLimit, design.Error, s.src.Place(i.start, i.end), "the include directives bring in more than %d files or %d bytes; Weir reads at most that many", maxIncludes, maxIncludeBytes)
		}
		return nil
	}
	value, root := p.parse(src)
	if value == nil {
		return nil
	}
	e.files[len(e.files)-1] = value
	return root
}

// doubled warns of keys that one file writes twice in a map, with different values:
// the server keeps the last one (conf/parse.go, setValue, v2.15.2), of maps too, and
// says nothing.
func (p *confParser) doubled(n *confNode) {
	last := map[string]*confNode{}
	for i, key := range slices.Backward(n.keys) {
		switch again := last[key.text]; {
		case again == nil:
			last[key.text] = n.items[i]
		case again.src == key.src && again.written() != n.items[i].written():
			p.say(design.CodeDuplicate, design.Warning, key.place(), "%q is written again in line %d; the server takes the last value, and nothing of this one", key.text, again.src.Place(again.start, again.end).Line)
		}
	}
	for _, item := range n.items {
		p.doubled(item)
	}
}

func (n *confNode) written() string { return string(n.src.Text[n.start:n.end]) }

// syntax reports what the server's parser refuses. Its messages name the line, or
// a value.
func (p *confParser) syntax(s *confScanner, err error) {
	at, message := s.src.Place(s.pos, s.pos), err.Error()
	_, line, named := strings.Cut(message, "on line ")
	switch {
	case s.unclosed != "":
		end := at
		at, message = s.src.Place(s.from, s.from+1), "the "+s.unclosed+" that begins here is not closed"
		switch {
		case s.unclosed == "block":
			message += "; its ) stands at the beginning of a line, with nothing behind it"
		case s.unclosed == "quoted text":
		case s.pos < len(s.text):
			message += fmt.Sprintf(" in front of the %c at %d:%d", s.text[s.pos], end.Line, end.Col)
		default:
			message += "; is the file cut off?"
		}
	case named:
		digits := line[:len(line)-len(strings.TrimLeft(line, "0123456789"))]
		if line, bad := strconv.Atoi(digits); bad == nil && line != at.Line {
			at = design.Position{File: s.src.Name, Line: line, Col: 1}
		}
	default:
		if _, value, ok := strings.Cut(message, "'"); ok {
			value, _, _ = strings.Cut(value, "'")
			if n := s.root.valued(value); n != nil {
				at = n.src.Place(n.start, n.end)
			}
		}
	}
	p.say(design.CodeSyntax, design.Error, at, "the server cannot read the file: %s", message)
}

// valued is the first value that is written as a text, or that a variable of that
// name stands for.
func (n *confNode) valued(text string) *confNode {
	for _, item := range n.items {
		if len(item.items) == 0 && (item.written() == text || item.variable == text && text != "") {
			return item
		}
		if found := item.valued(text); found != nil {
			return found
		}
	}
	return nil
}

// parseConf is the server's own parser. It panics on some texts that it should
// refuse.
func parseConf(text string) (m map[string]any, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, fmt.Errorf("the parser gives up: %v", r)
		}
	}()
	return conf.ParseWithChecks(text)
}

// confExpansion takes the place of what the server's parser would read from the
// disk and from the environment: included files and unknown variables stand in
// the text that it gets as marks, which are replaced in what it returns.
type confExpansion struct {
	files []*confValue // of each include, nil when it is not known
	env   map[int]any  // what the environment says, by place in confScanner.unknown
	left  int          // values that may still be put together; below 0 the rest is left out
}

// mark is a byte that no text has (Source.Check).
const mark = "\x01"

func (e *confExpansion) rewrite(s *confScanner) string {
	type edit struct {
		start, end int
		text       string
	}
	var edits []edit
	for i, include := range s.includes {
		edits = append(edits, edit{include.start, include.end, e.keys(i)})
	}
	for k, n := range s.unknown {
		known := ""
		if _, ok := e.env[k]; ok {
			known = "$" + strconv.Itoa(k)
		}
		edits = append(edits, edit{n.start, n.end, `"` + mark + known + `"`})
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, x := range edits {
		if x.end > s.pos || x.start < at {
			continue
		}
		b.WriteString(s.text[at:x.start])
		b.WriteString(x.text)
		at = x.end
	}
	b.WriteString(s.text[at:s.pos])
	rest := s.text[s.pos:]
	if s.stopped { // the parser fails here, and must not get further than that
		rest = harmless(rest)
	}
	b.WriteString(rest)
	return b.String()
}

// harmless is a text that neither reads files nor the environment.
func harmless(text string) string {
	const directive = "include" // in any letter case
	out := []byte(text)
	for i, c := range out {
		if c == '$' || i+len(directive) <= len(out) && strings.EqualFold(text[i:i+len(directive)], directive) {
			out[i] = '_'
		}
	}
	return string(out)
}

// keys are the keys of an included file with marks for values.
func (e *confExpansion) keys(file int) string {
	parts := []string{`"` + mark + `": 0`}
	if v := e.files[file]; v != nil {
		for i, f := range v.fields {
			quote := `"`
			if strings.Contains(f.text, quote) {
				quote = "'"
			}
			if !strings.Contains(f.text, quote) {
				parts = append(parts, fmt.Sprintf("%s%s%s: '%s%d:%d'", quote, f.text, quote, mark, file, i))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// confToken is what the server's parser returns in pedantic mode.
type confToken interface {
	Value() any
	IsUsedVariable() bool
}

// value puts together what the server's parser and the scanner know.
func (e *confExpansion) value(v any, n *confNode) *confValue {
	out := &confValue{node: n}
	if e.left--; e.left < 0 {
		return out // a variable that stands for maps of variables doubles with each
	}
	if t, ok := v.(confToken); ok {
		out.used, v = t.IsUsedVariable(), t.Value()
	}
	if n != nil && n.refers != nil {
		n = n.refers
	}
	switch v := v.(type) {
	case map[string]any:
		out.isMap = true
		out.fields = e.mapFields(v, n, out.node)
	case []any:
		out.isList = true
		for i, item := range v {
			child := out.node
			if n != nil && i < len(n.items) {
				child = n.items[i]
			}
			out.items = append(out.items, e.value(item, child))
		}
	case string:
		return e.replaced(v, out)
	default:
		out.scalar = v
	}
	return out
}

func (e *confExpansion) replaced(s string, out *confValue) *confValue {
	rest, ok := strings.CutPrefix(s, mark)
	switch {
	case !ok:
		out.scalar = s
	case rest == "":
		out.open = true
	case rest[0] == '$':
		k, _ := strconv.Atoi(rest[1:])
		return e.value(e.env[k], &confNode{src: out.node.src, start: out.node.start, end: out.node.end})
	default:
		file, field, _ := strings.Cut(rest, ":")
		i, _ := strconv.Atoi(file)
		k, _ := strconv.Atoi(field)
		if i < len(e.files) && e.files[i] != nil && k < len(e.files[i].fields) {
			from := *e.files[i].fields[k].value
			from.used = from.used || out.used
			return &from
		}
		out.open = true
	}
	return out
}

func (e *confExpansion) mapFields(m map[string]any, n, around *confNode) []confField {
	order := map[string]int{}
	if n != nil {
		for i, k := range n.keys {
			order[k.text] = i
		}
	}
	fields := make([]confField, 0, len(m))
	for key, v := range m {
		if key == mark {
			continue
		}
		k, child := confKey{text: key, src: around.src, start: around.start, end: around.start}, around
		if n != nil {
			if at, value := n.last(key); value != nil {
				k, child = at, value
			}
		}
		fields = append(fields, confField{k, e.value(v, child)})
	}
	slices.SortFunc(fields, func(a, b confField) int {
		if d := order[a.text] - order[b.text]; d != 0 {
			return d
		}
		return strings.Compare(a.text, b.text)
	})
	return fields
}
