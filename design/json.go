package design

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ParseJSON reads a JSON text into nodes that know their bytes. It reads what
// encoding/json reads (RFC 8259, any value at the top) and keeps numbers as
// their digits and doubled keys as they are, so that what a server would make
// of the text can still be said. What people write and JSON does not have
// (comments, trailing commas, single quotes, NaN, several values) is refused
// with its place and what to do. The node is nil when there is a problem of
// severity Error.
func ParseJSON(src *Source) (*Node, Problems) {
	if ps := src.Check(); ps != nil {
		return nil, ps
	}
	p := &jsonParser{src: src, text: src.Text}
	p.space()
	if p.at >= len(p.text) {
		return nil, Problems{src.problem(CodeSyntax, p.at, p.at, "the file is empty")}
	}
	n := p.value(0)
	if p.err == nil {
		if p.space(); p.err == nil && p.at < len(p.text) {
			p.fail(p.at, p.at+1, "more text behind the end of the JSON value; put several values into a list")
		}
	}
	if p.err != nil {
		return nil, Problems{*p.err}
	}
	return n, nil
}

// ParseJSONStream reads the JSON values of a text that holds one or several,
// one behind the other, as `nats` and jq print them.
func ParseJSONStream(src *Source) ([]*Node, Problems) {
	if ps := src.Check(); ps != nil {
		return nil, ps
	}
	p := &jsonParser{src: src, text: src.Text}
	var out []*Node
	for p.space(); p.err == nil && (p.at < len(p.text) || len(out) == 0); p.space() {
		if p.at >= len(p.text) {
			return nil, Problems{src.problem(CodeSyntax, p.at, p.at, "the file is empty")}
		}
		out = append(out, p.value(0))
		if p.err != nil {
			break
		}
	}
	if p.err != nil {
		return nil, Problems{*p.err}
	}
	return out, nil
}

type jsonParser struct {
	src   *Source
	text  []byte
	at    int
	nodes int
	slab  nodeSlab
	err   *Problem // the first problem; parsing stops at it
}

func (p *jsonParser) fail(start, end int, format string, args ...any) {
	p.failAs(CodeSyntax, start, end, format, args...)
}

func (p *jsonParser) failAs(code Code, start, end int, format string, args ...any) {
	if p.err == nil {
		pr := p.src.problem(code, start, min(end, len(p.text)), format, args...)
		p.err = &pr
	}
}

// space skips white space and refuses comments where one would stand.
func (p *jsonParser) space() {
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
		case '/', '#':
			end := p.at
			for end < len(p.text) && p.text[end] != '\n' && p.text[end] != '\r' {
				end++
			}
			p.fail(p.at, end, "JSON has no comments, and the nats CLI and the server refuse them; remove it, or write the configuration as a YAML design file")
			return
		default:
			return
		}
	}
}

// node counts a new node against the limit.
func (p *jsonParser) node(kind NodeKind) *Node {
	if p.nodes++; p.nodes > MaxNodes {
		p.failAs(CodeLimit, p.at, p.at+1, "the file has more than %d values; Weir reads at most that many", MaxNodes)
	}
	n := p.slab.node()
	n.Kind, n.Start, n.Src = kind, p.at, p.src
	return n
}

func (p *jsonParser) value(depth int) *Node {
	if depth > MaxDepth {
		p.failAs(CodeLimit, p.at, p.at+1, "nested deeper than %d levels; Weir reads at most that many", MaxDepth)
		return nil
	}
	if p.at >= len(p.text) {
		p.fail(p.at, p.at, "the text ends where a value is expected; is the file cut off?")
		return nil
	}
	switch c := p.text[p.at]; {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.str()
	case c == '\'':
		p.fail(p.at, p.at+1, "JSON strings stand in double quotes; write \" instead of '")
		return nil
	case c == ',' || c == ']' || c == '}' || c == ':':
		p.fail(p.at, p.at+1, "%q where a value is expected", string(rune(c)))
		return nil
	}
	return p.word()
}

// word reads a number, true, false or null, and explains what is none of them.
func (p *jsonParser) word() *Node {
	n := p.node(Scalar)
	for p.at < len(p.text) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(p.text[p.at])) {
		p.at++
	}
	n.End, n.Text = p.at, string(p.text[n.Start:p.at])
	switch {
	case n.Text == "null":
		n.Null = true
	case n.Text == "true", n.Text == "false":
	case isNumber(n.Text):
		if digits := strings.TrimPrefix(n.Text, "-"); len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
			p.fail(n.Start, n.End, "%s: a JSON number has no leading zeros", quote(n.Text))
		}
	case strings.EqualFold(n.Text, "nan") || strings.Contains(strings.ToLower(n.Text), "inf"):
		p.fail(n.Start, n.End, "%s: JSON has no NaN and no infinity", quote(n.Text))
	default:
		p.fail(n.Start, n.End, "%s is not a JSON value; put text into double quotes", quote(n.Text))
	}
	return n
}

func (p *jsonParser) array(depth int) *Node {
	n := p.node(List)
	p.at++
	p.space()
	for p.err == nil {
		if p.at < len(p.text) && p.text[p.at] == ']' {
			break
		}
		item := p.value(depth + 1)
		if p.err != nil {
			return nil
		}
		n.Items = append(n.Items, item)
		if !p.separator(']', "list") {
			break
		}
	}
	p.at++
	n.End = p.at
	return n
}

func (p *jsonParser) object(depth int) *Node {
	n := p.node(Map)
	p.at++
	p.space()
	for p.err == nil {
		if p.at < len(p.text) && p.text[p.at] == '}' {
			break
		}
		key := p.key()
		if key == nil {
			return nil
		}
		item := p.value(depth + 1)
		if p.err != nil {
			return nil
		}
		n.put(key, item)
		if !p.separator('}', "object") {
			break
		}
	}
	p.at++
	n.End = p.at
	return n
}

// key reads a key and its colon; nil when there is none.
func (p *jsonParser) key() *Node {
	if p.at >= len(p.text) {
		p.fail(p.at, p.at, "the text ends inside an object; is the file cut off?")
		return nil
	}
	if p.text[p.at] != '"' {
		end := p.at + 1
		for end < len(p.text) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(p.text[end])) {
			end++
		}
		p.fail(p.at, end, "%s where a key is expected; JSON keys stand in double quotes", quote(string(p.text[p.at:end])))
		return nil
	}
	key := p.str()
	if p.space(); p.err != nil {
		return nil
	}
	if p.at >= len(p.text) || p.text[p.at] != ':' {
		p.fail(p.at, p.at+1, "a colon is expected behind the key %s", quote(key.Text))
		return nil
	}
	p.at++
	if p.space(); p.err != nil {
		return nil
	}
	return key
}

// separator reads what follows an element and reports whether there is another.
func (p *jsonParser) separator(closing byte, what string) bool {
	p.space()
	switch {
	case p.err != nil:
		return false
	case p.at >= len(p.text):
		p.fail(p.at, p.at, "the text ends inside a JSON %s; is the file cut off?", what)
		return false
	case p.text[p.at] == closing:
		return false
	case p.text[p.at] != ',':
		p.fail(p.at, p.at+1, "%s where a comma or %q is expected", quote(p.rune()), string(rune(closing)))
		return false
	}
	comma := p.at
	p.at++
	if p.space(); p.err == nil && p.at < len(p.text) && (p.text[p.at] == '}' || p.text[p.at] == ']') {
		p.fail(comma, comma+1, "JSON has no trailing commas, and the nats CLI and the server refuse them; remove it")
		pos := p.src.Place(comma, comma+1)
		p.err.Fix = &Fix{Title: "Remove the comma", Edits: []Edit{{File: pos.File, Line: pos.Line, Col: pos.Col, EndLine: pos.EndLine, EndCol: pos.EndCol}}}
	}
	return p.err == nil
}

func (p *jsonParser) rune() string {
	_, n := utf8.DecodeRune(p.text[p.at:])
	return string(p.text[p.at : p.at+n])
}

// str reads a string in double quotes.
func (p *jsonParser) str() *Node {
	n := p.node(Scalar)
	n.Quoted = true
	p.at++
	from := p.at
	var unescaped []byte // nil as long as the bytes stand for themselves
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			if unescaped == nil {
				n.Text = string(p.text[from:p.at])
			} else {
				n.Text = string(append(unescaped, p.text[from:p.at]...))
			}
			p.at++
			n.End = p.at
			return n
		case c == '\\':
			unescaped = append(unescaped, p.text[from:p.at]...)
			unescaped = p.escape(unescaped)
			if p.err != nil {
				return n
			}
			from = p.at
		case c < ' ':
			p.fail(n.Start, p.at, "the string that begins here is not closed on its line")
			return n
		default:
			p.at++
		}
	}
	p.fail(n.Start, n.Start+1, "the string that begins here is not closed; is the file cut off?")
	return n
}

// escape reads one escape sequence. Half a surrogate pair becomes U+FFFD, as in
// encoding/json.
func (p *jsonParser) escape(out []byte) []byte {
	start := p.at
	if p.at+1 < len(p.text) {
		c := p.text[p.at+1]
		if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
			p.at += 2
			return append(out, "\"\\/\b\f\n\r\t"[i])
		}
		if r, ok := p.unicode(p.at); ok {
			p.at += 6
			if utf16.IsSurrogate(r) {
				if low, ok := p.unicode(p.at); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
					p.at += 6
					return utf8.AppendRune(out, utf16.DecodeRune(r, low))
				}
				r = utf8.RuneError
			}
			return utf8.AppendRune(out, r)
		}
	}
	p.fail(start, start+2, "%s is not a JSON escape", quote(string(p.text[start:min(start+2, len(p.text))])))
	return out
}

// unicode reads \uXXXX at a place without moving on.
func (p *jsonParser) unicode(at int) (rune, bool) {
	if at+6 > len(p.text) || p.text[at] != '\\' || p.text[at+1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(p.text[at+2:at+6]), 16, 32)
	return rune(v), err == nil && p.text[at+2] != '+' && p.text[at+2] != '_'
}
