package design

import (
	"strings"
)

// Render writes a design as a design file: what was written, in the order of the
// tables, durations and sizes with units. It is for designs that come from
// another notation; a design file is changed by Format and by edits, which keep
// its comments. Metadata that the server adds itself (_nats.*) is left out.
func Render(d *Design) []byte {
	r := &renderer{}
	r.line(0, "weir: 1")
	root := sets()["design"]
	for _, f := range root.list {
		if n := d.root.Get(f.Name); n != nil && f.Name != "weir" {
			r.field(0, f.Name, n, f.shape, f)
		}
	}
	return []byte(r.b.String())
}

type renderer struct{ b strings.Builder }

func (r *renderer) line(depth int, text string) {
	r.b.WriteString(strings.Repeat("  ", depth))
	r.b.WriteString(text)
	r.b.WriteByte('\n')
}

// field writes a key and its value.
func (r *renderer) field(depth int, key string, n *Node, s *shape, f *Field) {
	if s != nil {
		s = s.pickFor(n)
	}
	head := YAMLText(key) + ":"
	switch {
	case n.Kind == Scalar:
		if text := scalarText(n, s, f); text != "" {
			head += " " + text
		}
		r.line(depth, head)
	case n.Kind == List && !holdsMaps(n):
		r.line(depth, head+" "+flowText(n, s, f))
	case n.Kind == List:
		r.line(depth, head)
		for _, item := range n.Items {
			r.item(depth+1, item, elemOf(s), f)
		}
	case len(n.Keys) == 0:
		r.line(depth, head+" {}")
	case s != nil && s.kind == kindDist:
		r.line(depth, head+" "+flowText(n, s, f))
	default:
		before := r.b.Len()
		r.line(depth, head)
		body := r.b.Len()
		r.entries(depth+1, n, s, f)
		if r.b.Len() == body { // nothing but what the server adds
			kept := r.b.String()[:before]
			r.b.Reset()
			r.b.WriteString(kept)
		}
	}
}

func elemOf(s *shape) *shape {
	if s == nil {
		return nil
	}
	return s.elem
}

// entries writes the keys of a map: those of the tables in their order, then the
// others as they stand.
func (r *renderer) entries(depth int, n *Node, s *shape, f *Field) {
	done := map[string]bool{}
	if s != nil && s.kind == kindObject {
		for _, row := range s.set.list {
			if at := n.Get(row.Name); at != nil {
				done[row.Name] = true
				r.field(depth, row.Name, at, row.shape, row)
			}
		}
	}
	for i, key := range n.Keys {
		if done[key.Text] || n.find(key.Text) != i || f != nil && f.Name == "metadata" && strings.HasPrefix(key.Text, serverMetadata) {
			continue
		}
		_, below, field := descend(n, s, f, stepText(key.Text))
		r.field(depth, key.Text, n.Items[i], below, field)
	}
}

// item writes an element of a list behind a dash.
func (r *renderer) item(depth int, n *Node, s *shape, f *Field) {
	if n.Kind != Map || len(n.Keys) == 0 {
		r.line(depth, "- "+flowText(n, s, f))
		return
	}
	inner := &renderer{}
	if s != nil {
		s = s.pickFor(n)
	}
	inner.entries(depth+1, n, s, f)
	text := inner.b.String()
	if text == "" {
		r.line(depth, "- {}")
		return
	}
	indent := strings.Repeat("  ", depth)
	r.b.WriteString(indent + "- " + strings.TrimPrefix(text, indent+"  "))
}

func holdsMaps(n *Node) bool {
	for _, item := range n.Items {
		if item.Kind == Map {
			return true
		}
	}
	return false
}

// flowText writes a value on one line.
func flowText(n *Node, s *shape, f *Field) string {
	if s != nil {
		s = s.pickFor(n)
	}
	if n.Kind == Scalar {
		if text := scalarText(n, s, f); text != "" {
			return text
		}
		return "null"
	}
	parts := make([]string, len(n.Items))
	for i, item := range n.Items {
		if n.Kind == List {
			parts[i] = flowText(item, elemOf(s), f)
			continue
		}
		_, below, field := descend(n, s, f, stepText(n.Keys[i].Text))
		parts[i] = YAMLText(n.Keys[i].Text) + ": " + flowText(item, below, field)
	}
	if n.Kind == List {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// scalarText writes a scalar in the units of the design file.
func scalarText(n *Node, s *shape, f *Field) string {
	if n.Null {
		return ""
	}
	if s != nil {
		v, err := s.decode(n, f)
		switch {
		case err != nil:
		case v.Kind == Text:
			return YAMLText(v.Text)
		case v.Kind == Duration && n.Src.API:
			return withUnit(FormatDuration(v.Int), v.Int, f, "s")
		case v.Kind == Size && n.Src.API:
			return withUnit(FormatSize(v.Int), v.Int, f, "B")
		}
	}
	if n.Quoted {
		return YAMLText(n.Text)
	}
	return n.Text
}

// withUnit gives a bare 0 its unit where the design file wants one.
func withUnit(text string, n int64, f *Field, unit string) string {
	if n == 0 && f != nil && f.Zero == "" && f.Default != "0" {
		return text + unit
	}
	return text
}

// YAMLText writes a string so that YAML reads the same string: plain where that
// is certain, else in double quotes.
func YAMLText(s string) string {
	plain := s != ""
	for i := 0; i < len(s) && plain; i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '$', c == '/':
		case c == '.', c == '-', c == '*', c == '>':
			plain = i > 0
		default:
			plain = false
		}
	}
	if plain && !looksTyped(s) {
		return s
	}
	return string(appendJSONString(nil, s))
}

// looksTyped reports whether YAML readers take a plain text for something else
// than a string: a number, a boolean, null, a date.
func looksTyped(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return true
	}
	return s[0] >= '0' && s[0] <= '9' && strings.Trim(s, "0123456789.-_eExXoObBaAcCdDfF") == "" || strings.ContainsRune(".+", rune(s[0]))
}
