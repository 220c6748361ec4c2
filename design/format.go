package design

import (
	"bytes"
	"sort"
	"strings"
)

// Format lays a design file out in the usual way and changes nothing that it
// says: two spaces a level, lists indented below their key, one space behind
// colons and commas, none inside brackets, no white space at the ends of lines,
// at most one blank line in a row, no byte order mark, and the line ends that most
// lines have, LF or CRLF. Order,
// comments, quotes, units and the choice between block and flow stay as they
// are. The text is edited, not printed anew; formatting a formatted text gives
// the same text.
//
// A text that cannot be read is not formatted: the problems say why. A JSON
// text keeps its layout but for white space.
func Format(name string, text []byte) ([]byte, Problems) {
	src := NewSource(name, text)
	if ps := src.Check(); ps != nil {
		return nil, ps
	}
	text = bytes.ReplaceAll(src.Text, []byte("\r\n"), []byte("\n"))
	crlf := 2*bytes.Count(src.Text, []byte("\r\n")) > bytes.Count(src.Text, []byte("\n"))
	// One pass settles what people write. Some rare layouts (explicit keys, a
	// comment between a dash and its item) need another; what does not settle is
	// left alone.
	for range maxFormatPasses {
		out, ps := formatOnce(NewSource(name, text))
		if ps != nil {
			return nil, ps
		}
		if bytes.Equal(out, text) {
			if crlf {
				out = bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n"))
			}
			return out, nil
		}
		text = out
	}
	return nil, Problems{src.problem(CodeFeature, 0, 0, "the layout of this file does not settle; it is left as it is")}
}

const maxFormatPasses = 4

func formatOnce(src *Source) ([]byte, Problems) {
	root, problems := ParseYAML(src)
	if root == nil || problems.Failed() {
		return nil, problems
	}
	f := &formatter{src: src, text: src.Text, indent: map[int]int{}, flowed: map[int]int{}, kept: map[int]bool{}}
	f.node(root, 0, -1)
	f.lines()
	out := f.apply()
	after, problems := ParseYAML(NewSource(src.Name, out))
	if after == nil || problems.Failed() || canonical(after, nil, nil) != canonical(root, nil, nil) || !sameOrder(after, root) {
		return nil, Problems{src.problem(CodeFeature, root.Start, root.Start, "the layout of this file cannot be changed without changing what it says; it is left as it is")}
	}
	return out, nil
}

// sameOrder reports whether two trees have the same keys in the same order.
func sameOrder(a, b *Node) bool {
	if len(a.Keys) != len(b.Keys) || len(a.Items) != len(b.Items) {
		return false
	}
	for i, k := range a.Keys {
		if k.Text != b.Keys[i].Text {
			return false
		}
	}
	for i := range a.Items {
		if !sameOrder(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}

// formatter collects replacements of pieces of the text.
type formatter struct {
	src     *Source
	text    []byte
	splices []splice
	indent  map[int]int  // line -> columns of space in front of it
	flowed  map[int]int  // line inside a construct -> the line where it began
	kept    map[int]bool // lines inside scalars, whose white space may count
}

type splice struct {
	start, end int
	text       string
}

func (f *formatter) line(off int) int { return f.src.lineOf(off) }

// spacing puts text between two places of one line, if there is only space (and
// the characters in extra) between them now.
func (f *formatter) spacing(from, to int, extra, want string) {
	if from > to || f.line(from) != f.line(to) {
		return
	}
	between := string(f.text[from:to])
	if between != want && strings.Trim(strings.Replace(between, extra, "", 1), " \t") == "" {
		f.splices = append(f.splices, splice{from, to, want})
	}
}

// place sets where a line begins; the outermost node that begins on it decides.
func (f *formatter) place(off, columns int) {
	line := f.line(off)
	if _, ok := f.indent[line]; ok {
		return
	}
	start := int(f.src.lines[line-1])
	if len(bytes.TrimLeft(f.text[start:off], " \t")) == 0 {
		f.indent[line] = columns
	}
}

// node lays out a node whose block content begins at a column. parent is the
// column of what it stands under now, which ends its block scalars.
func (f *formatter) node(n *Node, columns, parent int) {
	if n.Start >= len(f.text) {
		return
	}
	switch first := f.text[n.Start]; {
	case first == '*' && n.End <= len(f.text): // an alias: its parts stand elsewhere
	case n.Kind == Scalar:
		f.scalar(n, parent)
	case first == '{' || first == '[':
		f.flow(n)
		f.within(n.Start, n.End, false)
	case n.Kind == Map:
		for i, key := range n.Keys {
			f.place(f.front(key), columns)
			f.value(key, n.Items[i], columns)
		}
	default:
		f.list(n, columns)
	}
}

// front is where a key begins with its anchor or tag.
func (f *formatter) front(key *Node) int {
	start := int(f.src.lines[f.line(key.Start)-1])
	if lead := bytes.TrimLeft(f.text[start:key.Start], " \t"); len(lead) > 0 && (lead[0] == '&' || lead[0] == '!') {
		return key.Start - len(lead)
	}
	return key.Start
}

// column is where a place stands in its line, from 0.
func (f *formatter) column(off int) int {
	return off - int(f.src.lines[f.line(off)-1])
}

func (f *formatter) value(key, value *Node, columns int) {
	if colon := f.beforeColon(key); colon >= 0 && !(value.Null && value.Start == value.End) {
		f.spacing(colon+1, value.Start, "", " ")
	}
	if value.Kind != Scalar && !f.isFlow(value) || f.line(value.Start) != f.line(key.Start) {
		f.place(value.Start, columns+2)
	}
	f.node(value, columns+2, f.column(key.Start))
}

func (f *formatter) isFlow(n *Node) bool {
	return n.Start < len(f.text) && (f.text[n.Start] == '{' || f.text[n.Start] == '[' || f.text[n.Start] == '*')
}

// beforeColon takes the space in front of a key's colon away and finds the colon, -1
// without one. An alias as key keeps its space: the colon would be part of its name.
func (f *formatter) beforeColon(key *Node) int {
	colon := f.colon(key.End)
	if colon >= 0 && f.text[key.Start] != '*' {
		f.spacing(key.End, colon, "", "")
	}
	return colon
}

// colon finds the colon behind a key, -1 when something else is there.
func (f *formatter) colon(at int) int {
	for at < len(f.text) && (f.text[at] == ' ' || f.text[at] == '\t') {
		at++
	}
	if at < len(f.text) && f.text[at] == ':' {
		return at
	}
	return -1
}

// list lays out a list in block form. Its items begin behind a dash, which the
// tree does not know.
func (f *formatter) list(n *Node, columns int) {
	at := n.Start
	for _, item := range n.Items {
		dash := f.dash(at, item.Start)
		if dash < 0 {
			return
		}
		f.place(dash, columns)
		if !(item.Null && item.Start == item.End) {
			f.spacing(dash+1, item.Start, "", " ")
		}
		f.node(item, columns+2, f.column(dash))
		at = max(item.End, dash+1)
	}
}

// dash finds the first dash that begins an item between two places.
func (f *formatter) dash(from, to int) int {
	for i := from; i <= to && i < len(f.text); i++ {
		switch f.text[i] {
		case '#':
			for i < len(f.text) && f.text[i] != '\n' {
				i++
			}
		case '-':
			if i+1 >= len(f.text) || strings.IndexByte(" \t\n", f.text[i+1]) >= 0 {
				return i
			}
		}
	}
	return -1
}

// scalar keeps the lines inside a scalar as they are, moved together with the
// line where it begins.
func (f *formatter) scalar(n *Node, parent int) {
	first := f.text[n.Start]
	switch {
	case n.Quoted && (first == '|' || first == '>'):
		f.keep(f.line(n.Start), f.blockEnd(f.line(n.Start), n.Start, parent))
	case n.Quoted:
		f.keep(f.line(n.Start), f.line(max(n.Start, n.End-1)))
	case !n.Null && n.Text != string(f.text[n.Start:n.End]): // plain, over several lines
		last := f.line(n.Start)
		for left := len(n.Text) - (n.End - n.Start); last < len(f.src.lines) && left > 0; {
			last++
			left -= 1 + len(strings.TrimSpace(f.src.Line(last))) // folded to one space
		}
		f.keep(f.line(n.Start), last)
	}
}

// blockEnd is the last line of a block scalar that begins on a line. Blank lines
// at its end belong to it only where the scalar keeps them ("|+").
func (f *formatter) blockEnd(first, start, parent int) int {
	header, _, _ := strings.Cut(string(f.text[start:f.src.lineEnd(first)]), "#")
	keeps := strings.Contains(header, "+")
	last := first
	for line := first + 1; line <= len(f.src.lines); line++ {
		text := f.src.Line(line)
		trimmed := strings.TrimLeft(text, " ")
		if trimmed != "" && len(text)-len(trimmed) <= parent {
			break
		}
		if trimmed != "" || keeps && line < len(f.src.lines) {
			last = line
		}
	}
	return last
}

func (f *formatter) keep(first, last int) {
	for line := first + 1; line <= last; line++ {
		f.kept[line], f.flowed[line] = true, first
	}
}

// within moves the lines of a bracket with the line where it begins.
func (f *formatter) within(start, end int, kept bool) {
	first := f.line(start)
	for line := first + 1; line <= f.line(max(start, end-1)); line++ {
		if _, ok := f.flowed[line]; !ok {
			f.flowed[line] = first
		}
		if kept {
			f.kept[line] = true
		}
	}
}

// flow lays out the inside of a bracket where it stands on one line.
func (f *formatter) flow(n *Node) {
	at := n.Start + 1
	for i, item := range n.Items {
		start := item.Start
		if n.Kind == Map {
			start = n.Keys[i].Start
		}
		if i == 0 {
			f.spacing(at, start, "", "")
		} else {
			f.spacing(at, start, ",", ", ")
		}
		if n.Kind == Map {
			key := n.Keys[i]
			if colon := f.beforeColon(key); colon >= 0 && item.End > item.Start {
				f.spacing(colon+1, item.Start, "", " ")
			}
			if f.text[key.Start] == '"' || f.text[key.Start] == '\'' {
				f.scalar(key, 0)
			}
		}
		if item.Kind != Scalar && f.isFlow(item) && f.text[item.Start] != '*' {
			f.flow(item)
		} else if item.Kind == Scalar {
			f.scalar(item, 0)
		}
		at = max(item.End, start+1)
		if n.Kind == Map && item.End == item.Start {
			at = max(at, n.Keys[i].End)
		}
	}
	if n.End > at && len(n.Items) > 0 {
		f.spacing(at, n.End-1, "", "")
	}
}

// lines settles the indentation of every line, blank lines and line ends.
func (f *formatter) lines() {
	blank := true // nothing before the first line
	total := len(f.src.lines)
	for line := 1; line <= total; line++ {
		start, end := int(f.src.lines[line-1]), f.src.lineEnd(line)
		text := f.text[start:end]
		trimmed := bytes.TrimRight(text, " \t")
		if f.kept[line] {
			f.reindent(line, text)
			blank = false
			continue
		}
		if len(trimmed) == 0 {
			if blank && line < total {
				f.splices = append(f.splices, splice{start, int(f.src.lines[line]), ""})
			} else if len(text) > 0 {
				f.splices = append(f.splices, splice{start, end, ""})
			}
			blank = true
			continue
		}
		blank = false
		if len(trimmed) < len(text) && !f.kept[line+1] {
			f.splices = append(f.splices, splice{start + len(trimmed), end, ""})
		}
		if _, placed := f.indent[line]; !placed && f.flowed[line] == 0 && bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("#")) {
			f.indent[line] = f.commentIndent(line, leading(text))
		}
		f.reindent(line, text)
	}
}

func leading(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// commentIndent is where a comment line goes: with the line below that it
// explains, or with the block above when it stands deeper than what follows.
func (f *formatter) commentIndent(line, old int) int {
	for next := line + 1; next <= len(f.src.lines); next++ {
		columns, placed := f.indent[next]
		if !placed || f.flowed[next] != 0 {
			continue
		}
		if leading([]byte(f.src.Line(next))) >= old {
			return columns
		}
		break
	}
	for before := line - 1; before >= 1; before-- {
		columns, placed := f.indent[before]
		if was := leading([]byte(f.src.Line(before))); placed && was <= old {
			if was == old {
				return columns
			}
			return columns + 2
		}
	}
	return 0
}

// reindent moves a line to its column. Lines inside a construct move as far as
// the line where it began.
func (f *formatter) reindent(line int, text []byte) {
	old := leading(text)
	columns, placed := f.indent[line]
	if first := f.flowed[line]; first != 0 {
		to, ok := f.indent[first]
		if !ok || len(bytes.TrimSpace(text)) == 0 {
			return
		}
		columns, placed = max(0, old+to-leading([]byte(f.src.Line(first)))), true
	}
	if placed && (columns != old || bytes.IndexByte(text[:old], '\t') >= 0) {
		start := int(f.src.lines[line-1])
		f.splices = append(f.splices, splice{start, start + old, strings.Repeat(" ", columns)})
	}
}

// apply puts the pieces in and ends the text with one line feed.
func (f *formatter) apply() []byte {
	sort.SliceStable(f.splices, func(i, j int) bool { return f.splices[i].start < f.splices[j].start })
	out := make([]byte, 0, len(f.text)+64)
	at := 0
	for _, s := range f.splices {
		if s.start < at {
			continue
		}
		out = append(append(out, f.text[at:s.start]...), s.text...)
		at = s.end
	}
	out = append(out, f.text[at:]...)
	if last := len(f.src.lines); f.kept[last] || f.kept[last-1] && f.src.Line(last) == "" {
		if !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, '\n')
		}
		return out
	}
	return append(bytes.TrimRight(out, " \t\n"), '\n')
}
