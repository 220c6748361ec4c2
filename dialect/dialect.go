// Package dialect reads and writes the notations in which people keep their
// streams and consumers. Each notation is one file of the package and one value
// in Dialects: JSON of the NATS API is in json.go, the design file itself in
// weir.go.
//
//	designs, problems := dialect.Read([]*design.Source{design.NewSource("orders.json", text)})
//
// Which notation a text is in shows in its content; the file name only helps
// where the content could be two things. Every value keeps its place in the text
// it came from, so that what is said about a design points into the right file.
//
// The package does not judge what it reads. Values that a server would refuse
// are passed on as they are.
package dialect

import (
	"fmt"
	"strings"

	"weir/design"
)

// Dialect is one notation.
type Dialect struct {
	// Name is the word for it in flags and messages, Title what people call it.
	Name, Title string
	// Recognise says how sure it is that a text is in this notation, from 0 (it is
	// not) to 100 (it says so itself).
	Recognise func(src *design.Source) int
	// Foreign reports whether a text that Recognise takes, because of its file name or
	// its first character, is some other program's: of a folder it is left out. It is
	// nil where Recognise goes by the content alone.
	Foreign func(src *design.Source) bool
	// Read takes a text apart.
	Read func(src *design.Source) Reading
	// ReadTogether takes the place of Read in notations whose files belong
	// together: those are the texts in this notation, all the texts of the call, of
	// which it may name some as read with them.
	ReadTogether func(those, all []*design.Source) Reading
	// Write says a design in this notation. What it cannot say is listed, a
	// Warning for each thing; nothing is left out silently. It is nil for a
	// notation that Weir only reads.
	Write func(d *design.Design) (files []File, unsaid design.Problems)
}

// Reading is what one text says: a design of its own, or parts of one.
type Reading struct {
	// Design is nil unless the text is a whole design.
	Design   *design.Design
	Parts    []design.Part
	Problems design.Problems
	// Included are other texts of the call that were read along with it.
	Included []*design.Source
}

// File is a file to be written. Path has slashes and no part that leads outside.
type File struct {
	Path string
	Text []byte
}

// Dialects lists the notations.
func Dialects() []Dialect { return []Dialect{weirDialect, jsonDialect, nackDialect, confDialect} }

// Find is the dialect of a name; the error lists those there are.
func Find(name string) (Dialect, error) {
	var names []string
	for _, d := range Dialects() {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Dialect{}, fmt.Errorf("%q is not a notation that Weir knows; write %s", name, strings.Join(names, " or "))
}

// Recognise is the dialect that a text is in, ok is false when it is in none.
func Recognise(src *design.Source) (found Dialect, ok bool) {
	best := 0
	for _, d := range Dialects() {
		if score := d.Recognise(src); score > best {
			found, best = d, score
		}
	}
	return found, best > 0
}

// Read makes designs of texts in any notation. Texts that are parts of a design
// are put together with the one design file among them, or into one of their
// own. Several design files are several designs, each by itself, and the parts
// are then one more. A text in no known notation is a Problem with the code
// design.CodeNotation; one of a known notation that cannot be read is there with
// what could be read of it. Without any text that says something there is no
// design.
func Read(sources []*design.Source) ([]*design.Design, design.Problems) {
	var designs []*design.Design
	var parts []design.Part
	var problems design.Problems
	readable := false
	take := func(r Reading) {
		problems = append(problems, r.Problems...)
		parts = append(parts, r.Parts...)
		if r.Design != nil {
			designs = append(designs, r.Design)
		}
		readable = true
	}
	included := map[*design.Source]bool{}
	for _, d := range Dialects() {
		if those := inDialect(d, sources); d.ReadTogether != nil && len(those) > 0 {
			r := d.ReadTogether(those, sources)
			for _, src := range r.Included {
				included[src] = true
			}
			take(r)
		}
	}
	for _, src := range sources {
		d, ok := Recognise(src)
		switch {
		case included[src] || ok && d.ReadTogether != nil:
		case !ok:
			problems = append(problems, unknownNotation(src))
		default:
			take(d.Read(src))
		}
	}
	switch {
	case len(parts) == 0 && (len(designs) > 0 || !readable):
		return designs, problems
	case len(designs) == 1:
		d, more := design.Assemble(designs[0], parts)
		return []*design.Design{d}, append(problems, more...)
	}
	d, more := design.Assemble(nil, parts)
	return append(designs, d), append(problems, more...)
}

// inDialect are the texts in a notation.
func inDialect(d Dialect, sources []*design.Source) []*design.Source {
	var out []*design.Source
	for _, src := range sources {
		if found, ok := Recognise(src); ok && found.Name == d.Name {
			out = append(out, src)
		}
	}
	return out
}

func unknownNotation(src *design.Source) design.Problem {
	if unclean := src.Check(); len(unclean) > 0 {
		return unclean[0]
	}
	var titles []string
	for _, d := range Dialects() {
		titles = append(titles, d.Title)
	}
	p := design.Problem{Code: design.CodeNotation, Severity: design.Error, Position: design.Position{File: src.Name},
		Message: "the file is in no notation that Weir reads: " + strings.Join(titles, ", ")}
	if len(strings.TrimSpace(string(src.Text[:min(len(src.Text), 4096)]))) == 0 && len(src.Text) <= 4096 {
		p.Message = "the file is empty"
	}
	return p
}
