package size

import "strings"

// maxExplainDepth bounds the lines of Explain: figures of a cluster nest cluster,
// node, stream, term, coefficient.
const maxExplainDepth = 12

// Explain prints a figure and its working as text: the result first, then the
// formula, then what each term is, indented, then sources. It ends with a
// newline.
func Explain(f Figure) string {
	var b strings.Builder
	explain(&b, f, 0)
	return b.String()
}

func explain(b *strings.Builder, f Figure, depth int) {
	in := strings.Repeat("  ", depth)
	b.WriteString(in + f.Name + " = " + f.String() + inBytes(f, depth))
	if tag := f.Rests(); tag != "" {
		b.WriteString("  [" + tag + "]")
	}
	b.WriteString("\n")
	if f.Formula != "" {
		b.WriteString(in + "  = " + f.Formula + "\n")
	}
	if f.Saturated {
		b.WriteString(in + "  ! beyond 64 bits: shown at the largest value that a server can write\n")
	}
	if f.Note != "" {
		b.WriteString(in + "  ! " + f.Note + "\n")
	}
	if f.Source != "" {
		b.WriteString(in + "  source: " + f.Source + "\n")
	}
	if depth >= maxExplainDepth {
		return
	}
	for _, t := range f.Terms {
		explain(b, t, depth+1)
	}
}

// inBytes is the exact number behind a rounded size: of the result, and of terms
// below a MiB.
func inBytes(f Figure, depth int) string {
	exact := f.ExactBytes()
	if exact == "" || depth > 0 && f.Value >= MiB {
		return ""
	}
	return ", " + exact
}

// ExactBytes is the number of bytes behind a size that is printed rounded, and ""
// for other figures.
func (f Figure) ExactBytes() string {
	if f.Unit != Bytes || f.Value < KiB || f.Saturated {
		return ""
	}
	return FormatCount(f.Value) + " B"
}

// Rests says in a word or two what a figure rests on, "" for arithmetic on what is
// known.
func (f Figure) Rests() string {
	switch f.Basis {
	case Given:
		return "given"
	case Measured:
		return "coefficient measured"
	case ReadInSource:
		return "read in source, not measured"
	case Assumed:
		return "assumed, not measured"
	}
	if len(f.Terms) > 0 && !f.Measured() {
		return "computed; not measured"
	}
	return ""
}
