package design

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// SetFix is the fix that makes a path say a value, written as in a design file
// ("45s", "explicit", "[a, b]"); in JSON of the API it is put in that notation's
// units. What is written there is replaced, what is not is added to the nearest
// map that is. It is nil when the text has no place for it: where a path leads
// through a list, where the value now stands on several lines, or where the map
// was put together from several files. What is written for several paths, by an
// alias, is changed for all of them: such a fix is a guess.
func (d *Design) SetFix(title, path, value string) *Fix {
	return d.guessIfShared(d.setFix(title, path, value), path)
}

// guessIfShared marks the fix of a path whose text an alias stands for.
func (d *Design) guessIfShared(fix *Fix, path string) *Fix {
	if w := d.walk(path); fix != nil && w.alias != nil && w.alias != w.n {
		fix.Guess = true
	}
	return fix
}

func (d *Design) setFix(title, path, value string) *Fix {
	n, s, f := d.find(path)
	if n != nil && n.Src != nil && !d.filledIn(path) {
		return d.replaceValue(n, path, title, value, s, f)
	}
	steps := Split(path)
	if len(steps) == 0 || strings.HasSuffix(path, "]") && !strings.HasSuffix(path, `"]`) {
		return nil
	}
	key := steps[len(steps)-1]
	parent := Parent(path)
	into, shape, _ := d.find(parent)
	if into == nil || into.Null {
		return d.setFix(title, parent, "{"+YAMLText(key)+": "+value+"}")
	}
	if !into.IsMap() || into.Src == nil || shape == nil {
		return nil
	}
	_, s, f = descendTo(shape.pick(into), key)
	text, ok := spell(into.Src, value, s, f)
	if into.Src.Spelling != nil && f != nil {
		key = into.Src.Spelling.Key(f.Asset, f.Name)
	}
	if !ok || key == "" {
		return nil
	}
	return insertFix(into.written(), title, key, text)
}

// filledIn reports whether a path leads to what the notation fills in by itself.
func (d *Design) filledIn(path string) bool {
	parent, _, _ := d.find(Parent(path))
	steps := Split(path)
	if !parent.IsMap() || len(steps) == 0 {
		return false
	}
	at := parent.find(steps[len(steps)-1])
	return at >= 0 && parent.Keys[at].Src != nil && parent.Keys[at].Start == parent.Keys[at].End
}

// written is a map without the keys that its text does not have.
func (n *Node) written() *Node {
	if !slices.ContainsFunc(n.Keys, func(key *Node) bool { return key.Start == key.End }) {
		return n
	}
	out := &Node{Kind: Map, Start: n.Start, End: n.End, Src: n.Src}
	for i, key := range n.Keys {
		if key.Start < key.End {
			out.put(key, n.Items[i])
		}
	}
	return out
}

// KeyFix is the edit that writes another key in the place of the one that path
// ends with. It is nil where the key is not written in a text, and for two
// spellings that one JSON string has.
func (d *Design) KeyFix(title, path, key string) *Fix {
	n, _, _ := d.find(Parent(path))
	steps := Split(path)
	if n == nil || len(steps) == 0 {
		return nil
	}
	at := n.find(steps[len(steps)-1])
	if at < 0 || n.Keys[at].Src == nil || n.Keys[at].Src.Spelling != nil {
		return nil
	}
	if n.Keys[at].Quoted {
		key = strconv.Quote(key)
	}
	return d.guessIfShared(replaceFix(n.Keys[at], title, key), path)
}

// replaceValue puts a value in the place of one that is written, or behind the
// key of one that is left empty.
func (d *Design) replaceValue(n *Node, path, title, value string, s *shape, f *Field) *Fix {
	inBraces := n.Start < len(n.Src.Text) && strings.IndexByte("{[", n.Src.Text[n.Start]) >= 0
	if n.Src.lineOf(n.Start) != n.Src.lineOf(n.End) || n.Kind != Scalar && !inBraces {
		return nil
	}
	text, ok := spell(n.Src, value, s, f)
	if !ok {
		return nil
	}
	if n.End > n.Start {
		return replaceFix(n, title, text)
	}
	parent, _, _ := d.find(Parent(path))
	steps := Split(path)
	if !parent.IsMap() || len(steps) == 0 || parent.find(steps[len(steps)-1]) < 0 {
		return nil
	}
	key := parent.Keys[parent.find(steps[len(steps)-1])]
	p := n.Src.Place(key.End+1, key.End+1) // behind the colon
	return &Fix{Title: title, Edits: []Edit{{File: p.File, Line: p.Line, Col: p.Col, EndLine: p.Line, EndCol: p.Col, Text: " " + text}}}
}

// descendTo is the shape and field of a key that need not be there.
func descendTo(s *shape, key string) (bool, *shape, *Field) {
	switch s.kind {
	case kindObject:
		if f := s.set.byName[key]; f != nil {
			return true, f.shape, f
		}
	case kindMap:
		return true, s.elem, nil
	}
	return false, nil, nil
}

// spell puts a value of the design file into the notation of a text.
func spell(src *Source, value string, s *shape, f *Field) (string, bool) {
	n, problems := ParseYAML(NewSource("", []byte(value)))
	if n == nil || problems.Failed() {
		return "", false
	}
	switch {
	case src.Spelling != nil:
		return src.Spelling.value(n, s, f)
	case !src.API:
		return value, true
	}
	w := &bodyWriter{}
	if s == nil || !w.value(n, s, f) {
		return "", false
	}
	return string(w.b), true
}

// insertFix adds a key to a map: in braces behind the last one, else on a line
// of its own behind the last setting that stands on one line.
func insertFix(m *Node, title, key, text string) *Fix {
	src := m.Src
	at := func(off int, insert string) *Fix {
		p := src.Place(off, off)
		return &Fix{Title: title, Edits: []Edit{{File: src.Name, Line: p.Line, Col: p.Col, EndLine: p.Line, EndCol: p.Col, Text: insert}}}
	}
	entry := YAMLText(key) + ": " + text
	if m.Start < len(src.Text) && src.Text[m.Start] == '{' {
		if src.API || strings.HasSuffix(strings.ToLower(src.Name), ".json") {
			entry = string(appendJSONString(nil, key)) + ": " + text
		}
		last := len(m.Items) - 1
		if last < 0 {
			return at(m.Start+1, entry)
		}
		return at(max(m.Items[last].End, m.Keys[last].End), ", "+entry)
	}
	if len(m.Keys) == 0 {
		return nil
	}
	_, col := src.lineCol(m.Keys[0].Start)
	indent := strings.Repeat(" ", col-1)
	for i := len(m.Items) - 1; i >= 0; i-- {
		item := m.Items[i]
		line := src.lineOf(m.Keys[i].Start)
		oneLine := item.End > item.Start && src.lineOf(item.Start) == line && src.lineOf(item.End) == line && !(item.Quoted && strings.IndexByte("|>", src.Text[item.Start]) >= 0)
		if oneLine && (i+1 == len(m.Keys) || src.lineOf(m.Keys[i+1].Start) > line) && src.endsOn(m, i, line) {
			return at(src.lineEnd(line), "\n"+indent+entry)
		}
	}
	return at(m.Keys[0].Start, entry+"\n"+indent)
}

// endsOn reports whether the text behind an entry of a block map ends on its
// line: a plain scalar may go on below.
func (s *Source) endsOn(m *Node, i, line int) bool {
	item := m.Items[i]
	if item.Kind != Scalar || item.Quoted {
		return true
	}
	return string(s.Text[item.Start:item.End]) == item.Text && line <= len(s.lines)
}

// lineBreak is what ends the first line of a text.
func (s *Source) lineBreak() string {
	if i := bytes.IndexByte(s.Text, '\n'); i > 0 && s.Text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// ApplyEdits puts edits of one text in and returns the new text. It is an error
// when two of them overlap or one lies outside. Line breaks of the edits become those
// of the text, \r\n where its first line ends so.
func ApplyEdits(src *Source, edits []Edit) ([]byte, error) {
	splices := make([]splice, 0, len(edits))
	for _, e := range edits {
		if e.File != src.Name {
			continue
		}
		start, end := src.bytePos(e.Line, e.Col), src.bytePos(e.EndLine, e.EndCol)
		if e.Line < 1 || e.Line > len(src.lines) || e.EndLine > len(src.lines) || end < start {
			return nil, fmt.Errorf("apply edit at %d:%d: there is no such place in %s", e.Line, e.Col, src.Name)
		}
		splices = append(splices, splice{start, end, strings.ReplaceAll(e.Text, "\n", src.lineBreak())})
	}
	sort.SliceStable(splices, func(i, j int) bool { return splices[i].start < splices[j].start })
	out, at := make([]byte, 0, len(src.Text)+64), 0
	for _, s := range splices {
		if s.start < at {
			line, col := src.lineCol(s.start)
			return nil, fmt.Errorf("apply edit at %d:%d: it overlaps another one", line, col)
		}
		out = append(append(out, src.Text[at:s.start]...), s.text...)
		at = s.end
	}
	return append(out, src.Text[at:]...), nil
}
