package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"weir/design"
)

// snippetWidth is how many characters of a line a snippet shows; of a longer
// line it shows the part around the place.
const snippetWidth = 110

// PrintText writes findings for people, one after the other: a line
// file:line:col: severity: message [CODE], and under it the line of the text
// with a mark below the place. Snippets are left out for files that are not among
// the sources. Control characters of the text are replaced, so that a file
// cannot write to the terminal.
func PrintText(w io.Writer, findings []Finding, sources []*design.Source) error {
	byName := make(map[string]*design.Source, len(sources))
	for _, s := range sources {
		byName[s.Name] = s
	}
	for _, f := range findings {
		text := printable(f.String()) + "\n" + snippet(f, byName[f.File])
		if _, err := io.WriteString(w, text); err != nil {
			return fmt.Errorf("write findings: %w", err)
		}
	}
	return nil
}

// snippet is the line of a finding and the mark below it, "" without a place.
func snippet(f Finding, src *design.Source) string {
	if src == nil || f.Line < 1 {
		return ""
	}
	width := src.LineWidth(f.Line)
	from := min(max(0, f.Col-1), width)
	to := from + 1
	switch {
	case f.EndLine == f.Line && f.EndCol > f.Col:
		to = f.EndCol - 1
	case f.EndLine > f.Line:
		to = width
	}
	to = max(from+1, min(to, width))
	start, end, head, tail := 0, width, "", ""
	if width > snippetWidth {
		if start = max(0, min(from-snippetWidth/3, width-snippetWidth)); start > 0 {
			head = "…"
		}
		if end = min(width, start+snippetWidth); end < width {
			tail = "…"
		}
		to = min(to, max(end, from+1))
	}
	number := fmt.Sprintf("%4d", f.Line)
	var mark strings.Builder
	for _, r := range head + src.LinePart(f.Line, start+1, from+1) {
		if r == '\t' {
			mark.WriteByte('\t')
			continue
		}
		mark.WriteByte(' ')
	}
	mark.WriteString("^" + strings.Repeat("~", to-from-1))
	return fmt.Sprintf("%s | %s\n%s | %s\n", number, printable(head+src.LinePart(f.Line, start+1, end+1)+tail), strings.Repeat(" ", len(number)), mark.String())
}

// printable replaces what would move the cursor or change colours.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Bidi_Control, r)) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// PrintJSON writes findings as a JSON array, [] when there are none.
func PrintJSON(w io.Writer, findings []Finding) error {
	if findings == nil {
		findings = []Finding{}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(findings); err != nil {
		return fmt.Errorf("write findings: %w", err)
	}
	return nil
}
