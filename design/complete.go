package design

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"weir/natsapi"
)

// Completion is one thing that may be written at a place.
type Completion struct {
	// Label is the key or value, Insert what to write for it.
	Label  string `json:"label"`
	Insert string `json:"insert"`
	// Key is true for a key, false for a value.
	Key bool `json:"key"`
	// Detail is the type and the default, Doc what it is for.
	Detail string `json:"detail,omitempty"`
	Doc    string `json:"doc,omitempty"`
}

// Complete lists what may be written at a line and column of a text that need
// not be whole: a design file, or JSON of the API. At is the word that it would
// take the place of. Fields that servers of the version lack are left out, and so
// are keys that the map has already.
func Complete(src *Source, line, col int, v natsapi.Version) (list []Completion, at Position) {
	if len(src.Text) > MaxFileBytes || !utf8.Valid(src.Text) {
		return nil, Position{File: src.Name, Line: line, Col: col}
	}
	off := src.bytePos(line, col)
	p := locate(src, off)
	at = src.Place(p.from, off)
	if p.from == off {
		at.EndLine, at.EndCol = at.Line, at.Col
	}
	if p.key {
		return p.keys(v), at
	}
	return p.values(v), at
}

func (p cursorPlace) keys(v natsapi.Version) []Completion {
	if p.set == nil {
		return nil
	}
	var out []Completion
	for _, f := range p.set.list {
		if !f.In(v) || slices.Contains(p.present, f.Name) {
			continue
		}
		c := Completion{Label: f.Name, Insert: f.Name + ": ", Key: true, Detail: f.TypeText(), Doc: Doc(f)}
		if p.json {
			c.Insert = `"` + f.Name + `": `
		}
		if f.Default != "" {
			c.Detail += ", default " + f.DefaultIn(v)
		}
		out = append(out, c)
	}
	return out
}

func (p cursorPlace) values(v natsapi.Version) []Completion {
	var out []Completion
	add := func(text, doc string) {
		c := Completion{Label: text, Insert: text, Doc: doc}
		if p.json && p.shape.kind != kindBool && p.shape.kind != kindInt {
			c.Insert = `"` + text + `"`
		}
		out = append(out, c)
	}
	if p.shape == nil {
		return nil
	}
	p.shape.each(func(s *shape) {
		switch {
		case s.kind == kindBool:
			add("true", "")
			add("false", "")
		case s.kind == kindVersion:
			for _, known := range slices.Backward(natsapi.Known()) {
				add(fmt.Sprintf(`"%d.%d"`, known.Major, known.Minor), "nats-server "+known.String())
			}
		case s.kind == kindEnum && p.field != nil:
			for _, name := range s.enum {
				if since := sinceOf(p.field, name); since.Has(v) {
					add(name, strings.TrimSuffix("since "+since.String(), "since 2.9"))
				}
			}
		case s.kind == kindSurvive:
			for _, fault := range survivable {
				add(fault, "")
			}
		case p.field != nil && !p.json && p.field.DefaultIn(v) != "" && (s.kind == kindDuration || s.kind == kindSize || s.kind == kindInt):
			add(p.field.DefaultIn(v), "the default")
		}
	})
	return out
}

func sinceOf(f *Field, value string) natsapi.Releases {
	for _, e := range f.Enum {
		if e.Name == value {
			return e.Since
		}
	}
	return nil
}

// Hover is what is known about the key or value at a place; ok is false where
// nothing is. at is the word that it is about, path where it stands in the
// design, or in the configuration.
func Hover(src *Source, line, col int, v natsapi.Version) (doc FieldDoc, path string, at Position, ok bool) {
	if len(src.Text) > MaxFileBytes || !utf8.Valid(src.Text) {
		return FieldDoc{}, "", Position{}, false
	}
	off := src.bytePos(line, col)
	for off < len(src.Text) && isWordByte(src.Text[off]) {
		off++
	}
	p := locate(src, off)
	f := p.field
	if p.key {
		if p.set == nil {
			return FieldDoc{}, "", Position{}, false
		}
		word := strings.Trim(strings.TrimSpace(p.word), `"'`)
		f, path = p.set.byName[word], Join(p.path, word)
	} else {
		path = p.path
	}
	if f == nil || p.from >= off {
		return FieldDoc{}, "", Position{}, false
	}
	return DocOf(f, v), path, src.Place(p.from, off), true
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
