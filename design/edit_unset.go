package design

import "strings"

// UnsetFix is the fix that takes a path out of the text: the key with its value.
// Comments stay; one on the key's line has it for itself then, unless it is an
// instruction to Weir (weir:ignore) about what is gone. Of a map's only key braces
// are left, because an empty map is not the same as none. It is nil when the
// text has no such place, and for the elements of lists.
func (d *Design) UnsetFix(title, path string) *Fix {
	return d.guessIfShared(d.unsetFix(title, path), path)
}

func (d *Design) unsetFix(title, path string) *Fix {
	parent, _, _ := d.find(Parent(path))
	steps := Split(path)
	if !parent.IsMap() || len(steps) == 0 || strings.HasSuffix(path, "]") && !strings.HasSuffix(path, `"]`) {
		return nil
	}
	i := parent.find(steps[len(steps)-1])
	if i < 0 || parent.Keys[i].Src == nil {
		return nil
	}
	// Of a map that was put together from several texts only what is between the
	// neighbours of one text can be cut.
	key, item := parent.Keys[i], parent.Items[i]
	src := key.Src
	if item.Src != nil && item.Src != src {
		return nil
	}
	if inFlow(parent, key) {
		return src.cut(title, flowSpan(parent, i))
	}
	end := endOf(item, key)
	if goesOn(item) { // the text ends where the next key begins
		if i+1 >= len(parent.Keys) || parent.Keys[i+1].Src != src {
			return nil
		}
		end = src.bytePos(src.lineOf(parent.Keys[i+1].Start)-1, 1)
	}
	if parent.Src == src && len(parent.Keys) == 1 && parent != d.root {
		return src.cut(title, span{key.Start, end, "{}"})
	}
	from := src.bytePos(src.lineOf(key.Start), 1)
	if strings.TrimSpace(string(src.Text[from:key.Start])) != "" { // "- name: x": it does not begin its line
		return src.cut(title, span{key.Start, min(len(src.Text), nextStart(parent, i, end)), ""})
	}
	to := src.bytePos(src.lineOf(end), 1)
	to += len(src.Line(src.lineOf(end)))
	if comment := strings.TrimSpace(string(src.Text[end:to])); strings.HasPrefix(comment, "#") && !strings.Contains(comment, "weir:ignore") {
		return src.cut(title, span{key.Start, end + strings.IndexByte(string(src.Text[end:to]), '#'), ""})
	}
	if to < len(src.Text) && src.Text[to] == '\r' {
		to++
	}
	if to < len(src.Text) && src.Text[to] == '\n' {
		to++
	}
	return src.cut(title, span{from, to, ""})
}

// span is a part of a text and what takes its place.
type span struct {
	start, end int
	text       string
}

func (s *Source) cut(title string, at span) *Fix {
	p, q := s.Place(at.start, at.start), s.Place(at.end, at.end)
	return &Fix{Title: title, Edits: []Edit{{File: s.Name, Line: p.Line, Col: p.Col, EndLine: q.Line, EndCol: q.Col, Text: at.text}}}
}

// inFlow reports whether a map is written in braces.
func inFlow(m, key *Node) bool {
	return m.Src == key.Src && m.Start < len(m.Src.Text) && m.Src.Text[m.Start] == '{'
}

// flowSpan is an entry of a map in braces with the comma that it no longer needs.
func flowSpan(m *Node, i int) span {
	if i+1 < len(m.Keys) {
		return span{m.Keys[i].Start, m.Keys[i+1].Start, ""}
	}
	end := endOf(m.Items[i], m.Keys[i])
	if i > 0 {
		return span{endOf(m.Items[i-1], m.Keys[i-1]), end, ""}
	}
	return span{m.Keys[i].Start, end, ""}
}

// goesOn reports whether a scalar may go on below its first line.
func goesOn(n *Node) bool {
	if n.Kind != Scalar || n.Null || n.Src == nil || n.Start >= len(n.Src.Text) {
		return false
	}
	if n.Quoted {
		return strings.IndexByte("|>", n.Src.Text[n.Start]) >= 0
	}
	return n.text() != n.Text
}

// endOf is where a value ends, white space behind it left out; the end of its key
// where it is left empty.
func endOf(item, key *Node) int {
	end := max(item.End, key.End)
	if item.Null && item.End <= key.End { // behind the colon
		return min(len(key.Src.Text), key.End+1)
	}
	for end > key.End && strings.IndexByte(" \t\r\n", key.Src.Text[end-1]) >= 0 {
		end--
	}
	return end
}

// nextStart is where the next entry of a block begins, else where this one ends.
func nextStart(m *Node, i, end int) int {
	if i+1 < len(m.Keys) && m.Keys[i+1].Src == m.Keys[i].Src {
		return m.Keys[i+1].Start
	}
	return end
}
