package dialect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"weir/design"
)

// confNode is one value of a nats-server.conf as the scanner found it: where it
// stands, and where what is in it stands. What it means is the server's own
// parser's business (package conf), which knows no columns of values and no
// order of keys.
type confNode struct {
	src        *design.Source
	start, end int
	// keys and items are those of a map; items alone those of a list.
	keys  []confKey
	items []*confNode
	isMap bool
	// variable is the name behind an unquoted $, and refers to what it stands for;
	// nil where the text does not define it.
	variable string
	refers   *confNode
	index    map[string]int // where the last key of a name is, of a map with many
}

// confKey is a key of a map and where it stands.
type confKey struct {
	text       string
	src        *design.Source
	start, end int
}

// last is the value of a key; the server lets the last one count.
func (n *confNode) last(key string) (confKey, *confNode) {
	if n.index != nil {
		if i, ok := n.index[key]; ok {
			return n.keys[i], n.items[i]
		}
		return confKey{}, nil
	}
	for i := len(n.keys) - 1; i >= 0; i-- {
		if n.keys[i].text == key {
			return n.keys[i], n.items[i]
		}
	}
	return confKey{}, nil
}

// indexFrom is the number of keys from which a map gets an index.
const indexFrom = 16

// add puts a key and its value at the end of a map.
func (n *confNode) add(key confKey, value *confNode) {
	n.keys, n.items = append(n.keys, key), append(n.items, value)
	switch {
	case n.index != nil:
		n.index[key.text] = len(n.keys) - 1
	case len(n.keys) == indexFrom:
		n.index = make(map[string]int, 2*indexFrom)
		for i, k := range n.keys {
			n.index[k.text] = i
		}
	}
}

// confInclude is an include directive: the name of the file, where the whole
// directive stands, and the map that the file's keys go into.
type confInclude struct {
	name       string
	start, end int
	into       *confNode
}

// confScanner walks through a text as the lexer of nats-server does
// (conf/lex.go, v2.15.2). It stops at the first thing that the lexer would
// refuse, and leaves it to the lexer to say so.
type confScanner struct {
	src  *design.Source
	text string
	pos  int
	root *confNode
	maps []*confNode // the maps around, outermost first
	// stopped is true when something could not be followed.
	stopped  bool
	includes []confInclude
	unknown  []*confNode // variables that the text does not define
	// include gives the keys of a file, nil when it is not there.
	include func(i confInclude) *confNode
	depth   int
	nodes   int
	seen    []string // keys at the top, that of a value which is cut off too
	beyond  bool     // more values, or deeper ones, than Weir reads; pos is where
	// unclosed is what the end of the text, or the closing byte of something else, came
	// in, "" for nothing: a quoted text, a block, a map, a list; from is where that
	// begins.
	unclosed string
	from     int
}

func (s *confScanner) run() *confNode {
	s.text = string(s.src.Text)
	s.root = &confNode{src: s.src, end: len(s.text), isMap: true}
	s.maps = []*confNode{s.root}
	for !s.stopped {
		s.space()
		if s.pos >= len(s.text) {
			break
		}
		if c := s.text[s.pos]; c == '{' || c == '}' { // braces around everything, as in JSON
			s.pos++
			continue
		}
		s.entry(s.root, true)
		s.endOfValue("\n\r;,}", 0)
	}
	return s.root
}

func (s *confScanner) stop() { s.stopped = true }

// openQuote stops in a text whose closing quote is missing.
func (s *confScanner) openQuote(from int) {
	s.unclosed, s.from = "quoted text", from
	s.stop()
}

// peek is the byte here, 0 at the end.
func (s *confScanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *confScanner) rune() (rune, int) { return utf8.DecodeRuneInString(s.text[s.pos:]) }

// space skips white space, line ends and comments.
func (s *confScanner) space() {
	for s.pos < len(s.text) {
		if s.comment() {
			continue
		}
		r, n := s.rune()
		if !unicode.IsSpace(r) {
			return
		}
		s.pos += n
	}
}

// comment skips a comment up to its line end and reports whether one is here.
func (s *confScanner) comment() bool {
	if s.peek() != '#' && !strings.HasPrefix(s.text[s.pos:], "//") {
		return false
	}
	if i := strings.IndexAny(s.text[s.pos:], "\r\n"); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.text)
	}
	return true
}

// blank skips spaces and tabs; with lines also all other white space.
func (s *confScanner) blank(lines bool) {
	for s.pos < len(s.text) {
		r, n := s.rune()
		if r != ' ' && r != '\t' && !(lines && unicode.IsSpace(r)) {
			return
		}
		s.pos += n
	}
}

// endOfValue skips up to behind the end of a value: one of the bytes in ends. The
// closing byte of what is around, keep, is left there; 0 where nothing is around.
func (s *confScanner) endOfValue(ends string, keep byte) {
	for !s.stopped {
		s.blank(false)
		if s.comment() {
			continue
		}
		c := s.peek()
		switch {
		case s.pos >= len(s.text):
		case strings.IndexByte(ends, c) >= 0:
			s.pos++
		case c == keep:
		default:
			s.stop()
		}
		return
	}
}

// entry reads a key and its value, or an include.
func (s *confScanner) entry(m *confNode, top bool) {
	key, quoted := s.key()
	if s.stopped {
		return
	}
	if r, _ := s.rune(); !quoted && strings.EqualFold(key.text, "include") && unicode.IsSpace(r) {
		s.includeHere(m, key)
		return
	}
	if top {
		s.seen = append(s.seen, key.text)
	}
	s.blank(true)
	lines := !top
	if c := s.peek(); c == '=' || c == ':' {
		s.pos++
		s.blank(lines)
	}
	value := s.value()
	if value != nil && !s.stopped {
		m.add(key, value)
	}
}

func (s *confScanner) key() (key confKey, quoted bool) {
	start := s.pos
	if q := s.peek(); q == '"' || q == '\'' {
		end := strings.IndexByte(s.text[start+1:], q)
		if end < 0 {
			s.openQuote(start)
			return key, true
		}
		s.pos = start + end + 2
		return confKey{s.text[start+1 : start+1+end], s.src, start, s.pos}, true
	}
	for first := true; s.pos < len(s.text); first = false {
		r, n := s.rune()
		if r == '=' || r == ':' || !first && unicode.IsSpace(r) {
			break
		}
		s.pos += n
	}
	if s.pos == start {
		s.stop()
	}
	return confKey{s.text[start:s.pos], s.src, start, s.pos}, false
}

func (s *confScanner) includeHere(m *confNode, key confKey) {
	s.blank(false)
	i := confInclude{start: key.start, into: m}
	switch q := s.peek(); {
	case q == '"' || q == '\'':
		end := strings.IndexByte(s.text[s.pos+1:], q)
		if end < 0 {
			s.openQuote(s.pos)
			return
		}
		i.name = s.text[s.pos+1 : s.pos+1+end]
		s.pos += end + 2
	case q >= '0' && q <= '9' || q == 0 || strings.IndexByte("-[{(\\\r\n", q) >= 0:
		s.stop()
		return
	default:
		end := strings.IndexAny(s.text[s.pos:], "\r\n;} \t'")
		if end < 0 {
			end = len(s.text) - s.pos
		}
		i.name = s.text[s.pos : s.pos+end]
		if s.pos += end; s.peek() == '\'' {
			s.pos++
		}
	}
	i.end = s.pos
	s.includes = append(s.includes, i)
	if from := s.include(i); from != nil {
		for k, key := range from.keys {
			m.add(key, from.items[k])
		}
	}
}

// value reads a value; nil when there is none.
func (s *confScanner) value() *confNode {
	n := &confNode{src: s.src, start: s.pos}
	s.nodes++
	s.depth++
	defer func() { s.depth--; n.end = s.pos }()
	if s.depth > design.MaxDepth || s.nodes > design.MaxNodes {
		s.beyond = true
		s.stop()
		return nil
	}
	switch c := s.peek(); {
	case c == 0, c == '.', c == '\n', c == '\r':
		s.stop()
	case c == '[':
		s.pos++
		s.list(n)
	case c == '{':
		s.pos++
		s.fields(n)
	case c == '\'':
		s.until("'")
	case c == '"':
		s.pos++
		s.escaped("\"")
		if s.pos >= len(s.text) {
			s.openQuote(n.start)
		}
		s.pos++
	case c == '(':
		s.block()
	case c >= '0' && c <= '9' || c == '-':
		s.number()
	default:
		s.word(n)
	}
	if s.stopped || s.pos > len(s.text) {
		s.pos = min(s.pos, len(s.text))
		s.stop()
		return nil
	}
	return n
}

// until skips a quoted text without escapes.
func (s *confScanner) until(quote string) {
	end := strings.Index(s.text[s.pos+1:], quote)
	if end < 0 {
		s.openQuote(s.pos)
		return
	}
	s.pos += end + 2
}

// escaped skips up to one of the bytes in ends, over pairs of \ and what follows.
// It reports whether there were any.
func (s *confScanner) escaped(ends string) (any bool) {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if strings.IndexByte(ends, c) >= 0 {
			return any
		}
		if c == '\\' {
			any = true
			s.pos++
		}
		s.pos++
	}
	return any
}

// block skips ( … ) whose end stands on a line of its own.
func (s *confScanner) block() {
	for from := s.pos; ; {
		i := strings.Index(s.text[from:], "\n)")
		if i < 0 {
			s.unclosed, s.from = "block", s.pos
			s.stop()
			return
		}
		from += i + 2
		if from >= len(s.text) || s.text[from] == '\n' {
			s.pos = from
			return
		}
	}
}

// wordEnds end a text without quotes; a single quote does too, and is swallowed.
const wordEnds = "\n\r;,]} \t'"

func (s *confScanner) word(n *confNode) {
	start := s.pos
	escapes := s.escaped(wordEnds)
	word := s.text[start:min(s.pos, len(s.text))]
	if s.peek() == '\'' {
		s.pos++
		return // never a variable
	}
	if name, ok := strings.CutPrefix(word, "$"); ok && !escapes && !strings.HasPrefix(name, bcryptPrefix) {
		n.variable = name
		switch n.refers = s.lookup(name); {
		case n.refers == nil:
			s.unknown = append(s.unknown, n)
		case n.refers.refers != nil: // what stands for something else, to the end
			n.refers = n.refers.refers
		}
	}
}

// bcryptPrefix begins a password hash, which need not be quoted
// (conf/parse.go, lookupVariable).
const bcryptPrefix = "2a$"

// lookup is the value of a variable: a key of a map around that stands before.
func (s *confScanner) lookup(name string) *confNode {
	for i := len(s.maps) - 1; i >= 0; i-- {
		if _, v := s.maps[i].last(name); v != nil {
			return v
		}
	}
	return nil
}

// number skips what begins with a digit or a minus, which need not be a number
// in the end.
func (s *confScanner) number() {
	negative := s.peek() == '-'
	start := s.pos
	if negative {
		s.pos++
	}
	digits := func() {
		for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
			s.pos++
		}
	}
	digits()
	c := s.peek()
	switch {
	case c == '-' && !negative:
		if s.pos-start == 4 {
			s.pos = min(start+len("2006-01-02T15:04:05Z"), len(s.text))
			return
		}
		s.stop()
	case c == '.':
		s.pos++
		if digits(); s.peek() == '.' {
			for c := s.peek(); c >= '0' && c <= '9' || c == '.' || c == ':' || c == '-'; c = s.peek() {
				s.pos++
			}
		}
	case c != 0 && strings.IndexByte("kKmMgGtTpPeE", c) >= 0:
		s.pos++
		for c := s.peek(); c == 'b' || c == 'B' || c == 'i' || c == 'I'; c = s.peek() {
			s.pos++
		}
		if c := s.peek(); c != 0 && strings.IndexByte("\n\r};, \t", c) < 0 {
			s.restOfWord()
		}
	case negative:
	case c != 0 && strings.IndexByte("\n\r};, \t", c) < 0:
		_, n := s.rune() // swallowed whatever it is, a ] or a quote too: conf/lex.go, lexNumberOrDateOrStringOrIP
		s.pos += n
		s.restOfWord()
	}
}

func (s *confScanner) restOfWord() {
	if s.escaped(wordEnds); s.peek() == '\'' {
		s.pos++
	}
}

// within notes that the end of the text, or the closing byte of the other kind, came
// inside of a list or map, unless one inside of it is cut off already.
func (s *confScanner) within(what string, other byte, n *confNode) {
	if s.stopped && s.unclosed == "" && !s.beyond && (s.pos >= len(s.text) || s.text[s.pos] == other) {
		s.unclosed, s.from = what, n.start
	}
}

func (s *confScanner) list(n *confNode) {
	defer s.within("list", '}', n)
	for !s.stopped {
		s.space()
		switch s.peek() {
		case ']':
			s.pos++
			return
		case 0, ',':
			s.stop()
			return
		}
		item := s.value()
		if s.stopped {
			return
		}
		n.items = append(n.items, item)
		s.endOfValue(",\n\r", ']')
	}
}

func (s *confScanner) fields(n *confNode) {
	n.isMap = true
	s.maps = append(s.maps, n)
	defer func() { s.maps = s.maps[:len(s.maps)-1] }()
	defer s.within("map", ']', n)
	for !s.stopped {
		s.space()
		switch s.peek() {
		case '}':
			s.pos++
			return
		case 0, ']':
			s.stop()
			return
		}
		s.entry(n, false)
		s.endOfValue(";,\n\r", '}')
	}
}
