package dialect

import (
	"bytes"
	"strings"

	"weir/design"
)

var weirDialect = Dialect{
	Name:      "weir",
	Title:     "a Weir design file",
	Recognise: recogniseWeir,
	Read: func(src *design.Source) Reading {
		d, problems := design.ParseSource(src)
		return Reading{Design: d, Problems: problems}
	},
	Write: func(d *design.Design) ([]File, design.Problems) {
		name := fileName(d.Name)
		if name == "" {
			name = "design"
		}
		return []File{{Path: name + ".yaml", Text: design.Render(d)}}, nil
	},
}

// recogniseWeir looks for the key weir, and otherwise for a top-level key that
// only design files have.
func recogniseWeir(src *design.Source) int {
	score := 0
	rest := src.Text
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		text := strings.TrimLeft(strings.TrimSpace(string(line[:min(len(line), 200)])), "{ \t")
		key, _, found := strings.Cut(text, ":")
		switch key = strings.Trim(strings.TrimSpace(key), `"'`); {
		case !found || line[0] == ' ' && !strings.HasPrefix(strings.TrimSpace(string(src.Text[:min(len(src.Text), 64)])), "{"):
		case key == "weir":
			return 100
		case key == "apiVersion" || key == "kind":
			return 0 // a Kubernetes manifest
		case key == "streams" || key == "publishers" || key == "subscribers" || key == "goals" || key == "leafnodes" || key == "scenarios":
			if !strings.Contains(text, `"`) {
				score = 40
			}
		}
	}
	return score
}

// fileName makes a name safe to be part of a path anywhere: letters, digits, _
// and - stay, and dots inside; everything else becomes %XX.
func fileName(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-', c == '.' && i > 0 && i < len(name)-1:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}
