package showdown

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"weir/design"
	"weir/internal/claims"
)

// A section is lines, a line is fields with " | " between them.
const between = " | "

// sections are the readers of an archive's sections, each with the number of
// fields of its lines.
var sections = map[string]struct {
	fields int
	read   func(*Showdown, []string) error
}{
	"decide": {3, func(s *Showdown, f []string) error { s.Decide = append(s.Decide, Reason{f[0], f[1], f[2]}); return nil }},
	"figures": {4, func(s *Showdown, f []string) error {
		s.Outside = append(s.Outside, Outside{f[0], f[1], f[2], f[3]})
		return nil
	}},
	"sources": {5, func(s *Showdown, f []string) error {
		s.Sources = append(s.Sources, Source{f[0], f[1], f[2], f[3], f[4]})
		return nil
	}},
	"loses":     {3, readLoss},
	"stalls":    {8, readStall},
	"translate": {4, readTranslation},
}

// parse reads one archive and checks that all it says has grounds.
func parse(name string, text []byte) (*Showdown, error) {
	archive := txtar.Parse(text)
	s := &Showdown{Name: strings.TrimSuffix(name, ".txtar"), About: strings.TrimSpace(string(archive.Comment)), designOf: map[string]string{}}
	for _, f := range archive.Files {
		if err := s.section(f.Name, string(f.Data)); err != nil {
			return nil, fmt.Errorf("%s: section %s: %w", name, f.Name, err)
		}
	}
	for i := range s.Sides {
		s.Sides[i].Design = s.designOf[strings.ToLower(s.Sides[i].Letter)]
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

func (s *Showdown) section(name, text string) error {
	if letter, ok := strings.CutSuffix(name, ".yaml"); ok {
		s.designOf[letter] = text
		return nil
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	switch name {
	case "page":
		return s.page(lines)
	case "truth":
		return s.truth(lines)
	case "claims":
		return s.readClaims(strings.Fields(text))
	}
	kind, known := sections[name]
	if !known {
		return fmt.Errorf("%q is not a section", name)
	}
	for _, line := range lines {
		fields := strings.SplitN(line, between, kind.fields)
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		fields = append(fields, make([]string, kind.fields-len(fields))...)
		if err := kind.read(s, fields); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
	}
	return nil
}

// page reads what stands at the top, a key and its value a line.
func (s *Showdown) page(lines []string) error {
	texts := map[string]*string{"title": &s.Title, "question": &s.Question, "verdict": &s.Verdict, "chart": &s.chart}
	for _, line := range lines {
		key, value, _ := strings.Cut(line, " ")
		var err error
		switch {
		case texts[key] != nil:
			*texts[key] = value
		case len(key) == 1:
			s.Sides = append(s.Sides, Side{Letter: strings.ToUpper(key), Name: value})
		case key == "order":
			s.order, err = strconv.Atoi(value)
		case key == "for":
			s.length, err = duration(value)
		case key == "outage":
			s.outage, err = readOutage(value)
		default:
			err = fmt.Errorf("%q is not a key of a page", key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func duration(text string) (time.Duration, error) {
	ns, err := design.ParseDuration(text)
	return time.Duration(ns), err
}

func readOutage(text string) (o outage, err error) {
	f := strings.Fields(text)
	if len(f) != 3 || f[0] != "crash" && f[0] != "freeze" {
		return o, fmt.Errorf("%q is not crash or freeze, a time and a length", text)
	}
	o.kind = f[0]
	if o.at, err = duration(f[1]); err == nil {
		o.how, err = duration(f[2])
	}
	return o, err
}

// truth reads the table: its title, then a case, a proof and a cell for each side
// a line.
func (s *Showdown) truth(lines []string) error {
	s.Truth = &Truth{Title: lines[0]}
	for _, side := range s.Sides {
		s.Truth.Columns = append(s.Truth.Columns, side.Name)
	}
	for _, line := range lines[1:] {
		f := strings.Split(line, between)
		if len(f) != 2+len(s.Sides) {
			return fmt.Errorf("%q has not a case, a proof and %d cells", line, len(s.Sides))
		}
		s.Truth.Rows = append(s.Truth.Rows, TruthRow{Case: f[0], Proof: f[1], Cells: f[2:]})
	}
	return nil
}

// readGrounds reads "proof NAME", "source KEY" or "computed".
func readGrounds(text string) (g Grounds, err error) {
	kind, value, _ := strings.Cut(text, " ")
	switch {
	case kind == "proof" && value != "":
		g.Proof = value
	case kind == "source" && value != "":
		g.Source = value
	case text == "computed":
		g.Computed = true
	default:
		err = fmt.Errorf("%q is neither proof NAME, source KEY nor computed", text)
	}
	return g, err
}

func readLoss(s *Showdown, f []string) error {
	g, err := readGrounds(f[2])
	s.Loses = append(s.Loses, Loss{f[0], f[1], g})
	return err
}

// readClaims takes claims of the ledger by their ids.
func (s *Showdown) readClaims(ids []string) error {
	for _, id := range ids {
		c, err := claims.Find(id)
		if err != nil {
			return err
		}
		s.Claims = append(s.Claims, c)
	}
	return nil
}

// check refuses what has no grounds, and sources that nothing names.
func (s *Showdown) check() error {
	if s.Title == "" || s.Question == "" || s.Verdict == "" || len(s.Sides) < 2 || len(s.Decide) == 0 || len(s.Loses) == 0 {
		return fmt.Errorf("there must be title, question, verdict, two sides, decide and loses")
	}
	used := map[string]bool{}
	sourced := func(key, of string) error {
		used[key] = true
		if _, ok := s.SourceOf(key); !ok && key != "" {
			return fmt.Errorf("%q: there is no source %q", of, key)
		}
		return nil
	}
	loses := map[string]bool{}
	for _, l := range s.Loses {
		loses[l.Side] = true
		if err := sourced(l.Source, l.Text); err != nil {
			return err
		}
	}
	for _, c := range s.Claims {
		if len(c.Proofs)+len(c.Refs) == 0 {
			return fmt.Errorf("claim %s has no proof and no source", c.ID)
		}
	}
	for _, o := range s.Outside {
		if err := sourced(o.Source, o.Figure); err != nil || o.Source == "" || o.Defect == "" {
			return fmt.Errorf("%q: an outside figure has a source, and says what is wrong with it: %w", o.Figure, err)
		}
	}
	for _, t := range s.toKafka {
		if err := sourced(t.source, t.text); err != nil {
			return err
		}
	}
	for _, one := range s.Sources {
		if one.Version == "" || one.Date == "" || one.Bias == "" || !used[one.Key] {
			return fmt.Errorf("source %q: it has version, date and bias, and something names it", one.Key)
		}
	}
	for _, side := range s.Sides {
		if !loses[side.Letter] {
			return fmt.Errorf("nothing says where %s loses", side.Name)
		}
	}
	return nil
}
