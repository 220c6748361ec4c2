package design

import (
	"slices"
	"strings"

	"weir/natsapi"
)

// Input is how a form asks for a value.
type Input string

// The inputs of a form. A Structure is not asked for in one field: it is written
// in the text.
const (
	Switch    Input = "switch"
	Choice    Input = "choice"
	Word      Input = "word"  // one value, written as in a file without quotes
	Words     Input = "words" // values with commas between
	Structure Input = "structure"
)

// InputOf is how a form asks for a field, with the values of a Choice that
// servers of a version take.
func InputOf(f *Field, v natsapi.Version) (Input, []string) {
	s := f.shape
	if s.kind == kindEither {
		if i := slices.IndexFunc(s.alts, func(a *shape) bool { return a.kind == kindList && a.elem.kind == kindString }); i >= 0 {
			return Words, nil
		}
		s = s.alts[0]
	}
	switch s.kind {
	case kindBool:
		return Switch, []string{"true", "false"}
	case kindEnum:
		var names []string
		for _, name := range s.enum {
			if sinceOf(f, name).Has(v) {
				names = append(names, name)
			}
		}
		return Choice, names
	case kindObject, kindMap:
		return Structure, nil
	case kindList:
		if s.elem.kind > kindSurvive {
			return Structure, nil
		}
		return Words, nil
	}
	return Word, nil
}

// InputText is what a form shows of what is written at a path, "" where nothing
// is: a string without its quotes, the values of a list with commas between,
// anything else as it stands.
func (d *Design) InputText(path string) string {
	n, _, _ := d.find(path)
	switch {
	case n == nil || n.Src == nil || n.Null:
		return ""
	case n.Kind == Scalar:
		return d.fileText(n, path)
	case n.Kind == List:
		words := make([]string, 0, len(n.Items))
		for i, item := range n.Items {
			if item.Kind != Scalar {
				return n.text()
			}
			words = append(words, d.fileText(item, Index(path, i)))
		}
		return strings.Join(words, ", ")
	}
	return n.text()
}

// fileText is a scalar as a design file has it: JSON of the API counts
// nanoseconds and bytes.
func (d *Design) fileText(n *Node, path string) string {
	if !n.Src.API {
		return n.Text
	}
	v, ok := d.Value(path)
	if !ok {
		return n.Text
	}
	switch v.Kind {
	case Duration:
		return FormatDuration(v.Int)
	case Size:
		return FormatSize(v.Int)
	}
	return n.Text
}

func (n *Node) text() string { return string(n.Src.Text[n.Start:min(n.End, len(n.Src.Text))]) }

// FormValue is what a form's text stands for, as a design file has it: strings
// get the quotes that they need, lists their brackets.
func FormValue(f *Field, text string) string {
	text = strings.TrimSpace(text)
	input, _ := InputOf(f, natsapi.Embedded)
	switch {
	case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["), text == "":
		return text
	case input == Words:
		var words []string
		for w := range strings.SplitSeq(text, ",") {
			if w = strings.TrimSpace(w); w != "" {
				words = append(words, quoted(elementOf(f.shape), w))
			}
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return quoted(f.shape, text)
}

// elementOf is the shape of what a list has.
func elementOf(s *shape) *shape {
	if s.kind == kindEither {
		for _, a := range s.alts {
			if a.kind == kindList {
				return a.elem
			}
		}
	}
	if s.kind == kindList {
		return s.elem
	}
	return s
}

// quoted puts quotes around strings that YAML would read as something else.
func quoted(s *shape, text string) string {
	if s.kind == kindString || s.kind == kindVersion || s.kind == kindTime {
		return YAMLText(strings.Trim(text, `"`))
	}
	return text
}
