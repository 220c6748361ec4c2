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
		if d != nil {
			problems = append(problems, confInDesign(d)...)
		}
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

// topKeys are keys of design files that no other notation begins with.
var topKeys = map[string]bool{"streams": true, "publishers": true, "subscribers": true, "goals": true, "leafnodes": true, "scenarios": true}

// recogniseWeir looks for the key weir at the top, and otherwise for a key that
// only design files have there.
func recogniseWeir(src *design.Source) int {
	text := bytes.TrimLeft(src.Text, " \t\r\n")
	if len(text) > 0 && text[0] == '{' {
		return recogniseBraces(src, text)
	}
	score := 0
	for rest := src.Text; len(rest) > 0; {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		key, _, found := strings.Cut(string(line[:min(len(line), 200)]), ":")
		switch key = strings.Trim(strings.TrimRight(key, " \t"), `"'`); {
		case !found:
		case key == "weir":
			return 100
		case key == "apiVersion" || key == "kind":
			return 0 // a Kubernetes manifest
		case topKeys[key]:
			score = 40
		}
	}
	return score
}

// recogniseBraces looks at a text that is JSON, or YAML that begins like it.
func recogniseBraces(src *design.Source, text []byte) int {
	n, _ := design.ParseJSON(src)
	if n == nil {
		first, _, _ := strings.Cut(string(text[1:min(len(text), 200)]), ":")
		if strings.Trim(first, " \t\r\n\"'") == "weir" {
			return 100
		}
		return 0
	}
	if n.Get("weir") != nil {
		return 100
	}
	for i, key := range n.Keys {
		if topKeys[key.Text] && n.Items[i].IsMap() {
			return 60
		}
	}
	return 0
}

// fileName makes a name safe to be part of a path anywhere: letters, digits, _
// and - stay, and dots inside; everything else becomes %XX, and so does the first letter
// of a name that Windows has for a device.
func fileName(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case (i > 0 || !isDevice(name)) && isPlain(c), c == '.' && i > 0 && i < len(name)-1:
			b.WriteByte(c)
		default:
			escape(&b, c)
		}
	}
	return b.String()
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// isDevice reports whether Windows takes a name for a device, whatever follows a dot
// (Microsoft, Naming Files, Paths, and Namespaces).
func isDevice(name string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	if len(base) == 4 && base[3] >= '1' && base[3] <= '9' {
		return base[:3] == "COM" || base[:3] == "LPT"
	}
	return base == "CON" || base == "PRN" || base == "AUX" || base == "NUL"
}
