package interview

import (
	"fmt"
	"strings"

	"weir/natsapi"
)

// Set takes one answer over, written as key=value: the key is a field's name, and
// reader=NAME TAKES[..SLOWEST] [xN] [TYPES] adds a reader, "billing 20ms..400ms x8
// created,paid". An error says what is wrong with the key or with how a reader is
// written; values are judged by Design.
func (a *Answers) Set(key, value string) error {
	if key == "reader" {
		r, err := parseReader(value)
		if err != nil {
			return err
		}
		a.Readers = append(a.Readers, r)
		return nil
	}
	to := a.field(key)
	if to == nil {
		names := append(fieldNames(), "reader")
		if near := natsapi.Suggest(key, names); near != "" {
			return fmt.Errorf("%q is no answer; did you mean %s?", key, near)
		}
		return fmt.Errorf("%q is no answer; there are %s", key, strings.Join(names, ", "))
	}
	*to = strings.TrimSpace(value)
	return nil
}

// Get is an answer by the name of its field, "" for none.
func (a *Answers) Get(key string) string {
	if to := a.field(key); to != nil {
		return *to
	}
	return ""
}

func (a *Answers) field(name string) *string {
	switch name {
	case "what":
		return &a.What
	case "kind":
		return &a.Kind
	case "types":
		return &a.Types
	case "keys":
		return &a.Keys
	case "rate":
		return &a.Rate
	case "peak":
		return &a.Peak
	case "peak_for":
		return &a.PeakFor
	case "size":
		return &a.Size
	case "largest":
		return &a.Largest
	case "keep":
		return &a.Keep
	case "survive":
		return &a.Survive
	case "wait":
		return &a.Wait
	case "twice":
		return &a.Twice
	case "version":
		return &a.Version
	}
	return nil
}

// fieldNames are the answers but for the readers, in the order of the questions.
func fieldNames() []string {
	var out []string
	for i, q := range Questions() {
		if i == ReaderQuestion {
			continue
		}
		for _, f := range q.Fields {
			out = append(out, f.Name)
		}
	}
	return out
}

// parseReader reads a reader on one line.
func parseReader(text string) (r Reader, err error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return r, fmt.Errorf("reader %q says too little; write NAME TAKES, such as billing 20ms..400ms x8 created", text)
	}
	r.Name = words[0]
	r.Takes, r.Slowest, _ = strings.Cut(words[1], "..")
	var types []string
	for _, w := range words[2:] {
		if n, ok := strings.CutPrefix(w, "x"); ok && n != "" && strings.Trim(n, "0123456789") == "" {
			r.AtATime = n
			continue
		}
		types = append(types, split(w)...)
	}
	r.Types = strings.Join(types, ", ")
	return r, nil
}

// Parse reads a file of answers: one "key: value" or "key=value" a line, as Set
// takes them; # begins a comment. The error names the line.
func Parse(name, text string) (Answers, error) {
	var a Answers
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		at := strings.IndexAny(line, ":=")
		if at < 0 {
			return a, fmt.Errorf("%s:%d: %q has no value; write key: value", name, i+1, strings.TrimSpace(line))
		}
		if err := a.Set(strings.TrimSpace(line[:at]), line[at+1:]); err != nil {
			return a, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return a, nil
}
