package lint

import (
	"embed"
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

//go:embed *.txtar
var pageFiles embed.FS

// Page is what is written about a rule for people, and its examples.
type Page struct {
	// About explains the rule, in paragraphs of Markdown.
	About string
	// Bad are designs in which the rule finds something, at the lines that end
	// with a comment "# want CODE"; Fixed is the first one repaired; Good are
	// healthy designs near by.
	Bad, Good []Example
	Fixed     Example
	// Claim and Proof are a proof script of the rule's own, "" without.
	Claim, Proof string
}

// Example is a file of a rule's page.
type Example struct{ Name, Text string }

// File is the name of the rule's files without their endings.
func (r *Rule) File() string {
	return strings.ToLower(r.Code) + "_" + strings.ReplaceAll(r.Name, "-", "_")
}

// Page reads the rule's page. The pages are part of the program; a test reads
// them all, so an error is a fault of the program.
func (r *Rule) Page() (Page, error) {
	text, err := pageFiles.ReadFile(r.File() + ".txtar")
	if err != nil {
		return Page{}, fmt.Errorf("read page of %s: %w", r.Code, err)
	}
	archive := txtar.Parse(text)
	p := Page{About: strings.TrimSpace(string(archive.Comment))}
	for _, f := range archive.Files {
		e := Example{f.Name, string(f.Data)}
		switch {
		case f.Name == "claim":
			p.Claim = strings.TrimSpace(e.Text)
		case f.Name == "proof":
			p.Proof = e.Text
		case strings.HasPrefix(f.Name, "bad"):
			p.Bad = append(p.Bad, e)
		case strings.HasPrefix(f.Name, "good"):
			p.Good = append(p.Good, e)
		case strings.HasPrefix(f.Name, "fixed"):
			p.Fixed = e
		default:
			return p, fmt.Errorf("page of %s: %q is not a section; there are bad, good, fixed, claim and proof", r.Code, f.Name)
		}
	}
	return p, nil
}

// Plain is an example without its marks of what is found.
func (e Example) Plain() string {
	var b strings.Builder
	for line := range strings.Lines(e.Text) {
		if text, _, marked := strings.Cut(line, "# want "); marked {
			line = strings.TrimRight(text, " ") + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

// Wants are the codes that an example's lines ask for, by line from 1.
func (e Example) Wants() map[int][]string {
	out := map[int][]string{}
	n := 0
	for line := range strings.Lines(e.Text) {
		n++
		if _, codes, marked := strings.Cut(line, "# want "); marked {
			out[n] = strings.Fields(codes)
		}
	}
	return out
}
