package design

import (
	"strings"
	"unicode/utf8"
)

// plainYAML reads the part of YAML that nearly all design files are written in:
// block maps and lists, flow maps and lists, plain words and quoted texts without
// escapes, comments. For whatever else there is (anchors, tags, block scalars,
// values over several lines, tabs, quoted keys, several documents, anything that
// is wrong) it gives up, and the YAML library reads the text and says what is the
// matter. What it does read is the tree that the library would have given,
// FuzzPlainYAML holds it to that; but a design of 200 streams takes a tenth of
// the time, which is what an editor needs that judges while somebody types.
type plainYAML struct {
	src  *Source
	text string // all of it: the nodes' texts are parts of it
	at   int    // the next byte to read
	// column is that of at, when it stands on the first character of a line.
	column int
	nodes  int
	slab   nodeSlab
	lists  []*Node // free room for the keys and items of collections
	open   []*Node // what the collections being read have so far
}

// plainDepth is how deeply nested a text plainYAML reads; the library counts and
// refuses beyond.
const plainDepth = MaxDepth / 2

// readPlainYAML is the tree of a text, nil where it takes the YAML library to
// say what it is. The text has passed checkYAML.
func readPlainYAML(src *Source) *Node {
	if !src.ascii && !plainRunes(src.Text) {
		return nil
	}
	p := &plainYAML{src: src, text: string(src.Text)}
	if strings.ContainsAny(p.text, "\t\r") || !p.nextLine() || p.column != 0 {
		return nil
	}
	if n := p.block(0); n != nil && p.at == len(p.text) && p.nodes <= MaxNodes {
		return n
	}
	return nil
}

// plainRunes reports whether a text has only characters that every reader of
// YAML takes for printable.
func plainRunes(text []byte) bool {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r >= 0x7f && r < 0xa0 || r == 0xfeff || r >= 0xfffe && r <= 0xffff || r == utf8.RuneError {
			return false
		}
		text = text[n:]
	}
	return true
}

// nextLine goes on to the first character of the next line that has more than a
// comment, and reports whether the rest of the line it stands on has nothing
// else. At the end of the text at is its length and column -1.
func (p *plainYAML) nextLine() bool {
	start := p.at == 0
	for {
		from := p.at
		for p.at < len(p.text) && p.text[p.at] == ' ' {
			p.at++
		}
		switch {
		case p.at == len(p.text):
			p.column = -1
			return true
		case p.text[p.at] == '#' && (start || p.at > from):
			if i := strings.IndexByte(p.text[p.at:], '\n'); i >= 0 {
				p.at += i
			} else {
				p.at = len(p.text)
			}
			continue
		case p.text[p.at] == '\n':
			p.at++
			start = true
		default:
			p.column = p.at - from
			return start
		}
	}
}

func (p *plainYAML) make(kind NodeKind, start, end int) *Node {
	p.nodes++
	n := p.slab.node()
	n.Kind, n.Start, n.End, n.Src = kind, start, end, p.src
	return n
}

func (p *plainYAML) scalar(start, end int) *Node {
	n := p.make(Scalar, start, end)
	n.Text = p.text[start:end]
	n.Null = isYAMLNull(n.Text)
	return n
}

// dash reports whether an item of a list begins here.
func (p *plainYAML) dash() bool { return strings.HasPrefix(p.text[p.at:], "- ") }

// block reads the map or list whose first line this is; nil gives up.
func (p *plainYAML) block(depth int) *Node {
	if depth > plainDepth {
		return nil
	}
	if p.dash() {
		return p.list(depth)
	}
	return p.blockMap(p.column, depth)
}

// blockMap reads the map whose keys stand in a column.
func (p *plainYAML) blockMap(column, depth int) *Node {
	n := p.make(Map, p.at, p.at)
	from := len(p.open)
	for {
		key := p.key()
		if key == nil {
			return nil
		}
		value := p.value(column, depth)
		if value == nil || p.column > column {
			return nil
		}
		p.open = append(p.open, key, value)
		n.End = max(value.End, key.End)
		if p.column < column {
			return p.closeMap(n, from)
		}
	}
}

// value reads what stands behind the colon of a key in a column, and goes on to
// the next line.
func (p *plainYAML) value(column, depth int) *Node {
	colon := p.at
	if c := p.sameLine(); c == 0 || c == '#' {
		if p.at = colon; !p.nextLine() {
			return nil
		}
		if p.column > column || p.column == column && p.dash() {
			return p.block(depth + 1)
		}
		return p.scalar(colon, colon)
	}
	return p.line(column, depth)
}

// line reads a value that ends on its line, or where its brackets close; a next
// line that is indented deeper than a column would go on with it.
func (p *plainYAML) line(column, depth int) *Node {
	var n *Node
	switch p.text[p.at] {
	case '[', '{':
		n = p.flow(column, depth+1)
	case '"', '\'':
		n = p.quoted()
	default:
		n = p.plain(false)
	}
	if n == nil || !p.nextLine() || p.column > column {
		return nil
	}
	return n
}

// list reads the list whose dashes stand in the column of the line.
func (p *plainYAML) list(depth int) *Node {
	column := p.column
	n := p.make(List, p.at, p.at)
	from := len(p.open)
	for {
		dash := p.at
		p.at++
		if c := p.sameLine(); c == 0 || c == '#' || depth > plainDepth {
			return nil
		}
		var item *Node
		if p.keyEnd() > 0 {
			item = p.blockMap(column+p.at-dash, depth+1)
		} else {
			item = p.line(column, depth)
		}
		if item == nil || p.column > column {
			return nil
		}
		p.open = append(p.open, item)
		n.End = item.End
		if p.column < column || !p.dash() {
			return p.closeList(n, from)
		}
	}
}

// flow reads a map or list in brackets, inside of a block in a column.
func (p *plainYAML) flow(column, depth int) *Node {
	if depth > plainDepth {
		return nil
	}
	kind, closing := List, byte(']')
	if p.text[p.at] == '{' {
		kind, closing = Map, '}'
	}
	n := p.make(kind, p.at, p.at)
	from := len(p.open)
	p.at++
	c := p.flowSpace(column)
	for c != closing || len(p.open) > from {
		if c != 0 && kind == Map {
			key := p.key()
			if key == nil {
				return nil
			}
			p.open = append(p.open, key)
			c = p.sameLine()
		}
		item := p.flowItem(c, column, depth)
		if item == nil {
			return nil
		}
		p.open = append(p.open, item)
		if c = p.flowSpace(column); c == closing {
			break
		} else if c != ',' {
			return nil
		}
		p.at++
		c = p.flowSpace(column)
	}
	p.at++
	n.End = p.at
	if kind == Map {
		return p.closeMap(n, from)
	}
	return p.closeList(n, from)
}

func (p *plainYAML) flowItem(c byte, column, depth int) *Node {
	switch c {
	case 0:
		return nil
	case '[', '{':
		return p.flow(column, depth+1)
	case '"', '\'':
		return p.quoted()
	}
	return p.plain(true)
}

// flowSpace goes over blanks, line ends and comments between brackets to the
// next character, which it returns; 0 gives up. Lines are indented deeper than
// the column of the block around them.
func (p *plainYAML) flowSpace(column int) byte {
	from := p.at
	if c := p.sameLine(); c != 0 && c != '#' {
		return c
	}
	if p.at = from; !p.nextLine() || p.column <= column {
		return 0
	}
	return p.text[p.at]
}

// sameLine goes over blanks to the next character, which it returns; 0 at the
// end of the line.
func (p *plainYAML) sameLine() byte {
	if p.skipSpaces(); p.at == len(p.text) || p.text[p.at] == '\n' {
		return 0
	}
	return p.text[p.at]
}

func (p *plainYAML) skipSpaces() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

// maxPlainKey is the longest key that is read: far from the 1,024 characters
// behind which YAML no longer looks for a colon.
const maxPlainKey = 200

// keyEnd is where the colon of the plain key stands that begins here, 0 when
// there is none.
func (p *plainYAML) keyEnd() int {
	end := min(len(p.text), p.at+maxPlainKey)
	for i := p.at; i < end; i++ {
		switch c := p.text[i]; {
		case wordByte[c]:
		case (c == '-' || c == '*' || c == '>') && i > p.at:
		case c == ':' && i > p.at && (i+1 == len(p.text) || p.text[i+1] == ' ' || p.text[i+1] == '\n'):
			return i
		default:
			return 0
		}
	}
	return 0
}

// wordByte are the bytes that mean nothing but themselves wherever they stand.
var wordByte = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.' || c == '/' || c == '+'
	}
	return is
}()

// key reads a plain key and its colon.
func (p *plainYAML) key() *Node {
	end := p.keyEnd()
	if end == 0 {
		return nil
	}
	n := p.scalar(p.at, end)
	p.at = end + 1
	return n
}

// plain reads a scalar without quotes, in brackets or not.
func (p *plainYAML) plain(flow bool) *Node {
	start, i := p.at, p.at
	switch c := p.text[start]; {
	case wordByte[c], c >= utf8.RuneSelf:
	case c == '~', c == '-' && start+1 < len(p.text) && wordByte[p.text[start+1]]:
	default:
		return nil
	}
	for ; i < len(p.text); i++ {
		c := p.text[i]
		if c == '\n' || c == '#' && p.text[i-1] == ' ' {
			break
		}
		if c == ':' && (i+1 == len(p.text) || !wordByte[p.text[i+1]]) {
			return nil
		}
		if flow && (c == ',' || c == ']' || c == '}' || c == '[' || c == '{') {
			break
		}
	}
	for p.text[i-1] == ' ' {
		i--
	}
	p.at = i
	return p.scalar(start, i)
}

// quoted reads a text in quotes that says no more than what stands there.
func (p *plainYAML) quoted() *Node {
	quote := p.text[p.at]
	for i := p.at + 1; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case c == '\n', c == '\\' && quote == '"':
			return nil
		case c == quote:
			if i+1 < len(p.text) && p.text[i+1] == '\'' && quote == '\'' {
				return nil
			}
			n := p.make(Scalar, p.at, i+1)
			n.Text, n.Quoted = p.text[p.at+1:i], true
			p.at = i + 1
			return n
		}
	}
	return nil
}

// room is a slice for the parts of a collection, from a block of many.
func (p *plainYAML) room(n int) []*Node {
	if n > len(p.lists) {
		p.lists = make([]*Node, max(512, n))
	}
	out := p.lists[:n:n]
	p.lists = p.lists[n:]
	return out
}

func (p *plainYAML) closeList(n *Node, from int) *Node {
	n.Items = p.room(len(p.open) - from)
	copy(n.Items, p.open[from:])
	p.open = p.open[:from]
	return n
}

// closeMap gives a map its keys and values; nil where a key stands there twice.
func (p *plainYAML) closeMap(n *Node, from int) *Node {
	parts := p.open[from:]
	n.Keys, n.Items = p.room(len(parts) / 2)[:0], p.room(len(parts) / 2)[:0]
	for i := 0; i < len(parts); i += 2 {
		if n.find(parts[i].Text) >= 0 {
			return nil
		}
		n.put(parts[i], parts[i+1])
	}
	p.open = p.open[:from]
	return n
}
