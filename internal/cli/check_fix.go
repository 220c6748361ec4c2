package cli

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"weir/design"
	"weir/dialect"
	"weir/lint"
)

// mostFixRounds bounds how often fixes bring others to light.
const mostFixRounds = 20

// repair writes the fixes that are certain into their files, says what it did and
// why it left others, and returns the texts as they are then, with what is found
// in them. A repair can bring to light what stood behind it, because a server
// answers one fault at a time. A dry run writes nothing.
func (c *Command) repair(sources []*design.Source, options lint.Options, dry bool) ([]*design.Source, lint.Report, error) {
	r := lint.CheckSources(sources, options)
	var round fixRound
	for range mostFixRounds {
		round = fixRound{before: sources, texts: sources}
		round.take(slices.DeleteFunc(slices.Clone(r.Findings), func(f lint.Finding) bool { return !f.Fixable() }))
		if len(round.taken) == 0 {
			break
		}
		if !dry {
			if err := writeFixed(sources, round.texts); err != nil {
				return nil, r, err
			}
			_, fixed := lint.Edits(round.taken)
			for _, f := range fixed {
				fmt.Fprintf(c.Stderr, "fixed %s: %s [%s]\n", f.Position(), f.Fix.Title, f.Code)
			}
		}
		sources = round.texts
		r = lint.CheckSources(sources, options)
	}
	for _, f := range r.Findings {
		why := round.refused[f]
		if f.Fix != nil && f.Fix.Guess {
			why = "something else may be meant just as well"
		}
		if why != "" {
			fmt.Fprintf(c.Stderr, "not fixed %s: %s [%s]: %s\n", f.Position(), f.Fix.Title, f.Code, why)
		}
	}
	return sources, r, nil
}

// fixRound takes fixes of one check into its texts.
type fixRound struct {
	before, texts []*design.Source
	taken         []lint.Finding
	refused       map[lint.Finding]string // why
}

// take takes the fixes of findings, but those that do not go with the ones taken
// before, or that leave a text that reads worse.
func (r *fixRound) take(findings []lint.Finding) {
	if len(findings) == 0 {
		return
	}
	texts, err := withFixes(r.before, slices.Concat(r.taken, findings))
	why := "another fix changes the same place"
	if err == nil {
		why = readsWorse(r.before, texts)
	}
	switch {
	case why == "":
		r.texts, r.taken = texts, slices.Concat(r.taken, findings)
	case len(findings) > 1:
		r.take(findings[:len(findings)/2])
		r.take(findings[len(findings)/2:])
	default:
		if r.refused == nil {
			r.refused = map[lint.Finding]string{}
		}
		r.refused[findings[0]] = why
	}
}

// withFixes are the texts with the fixes of findings.
func withFixes(sources []*design.Source, findings []lint.Finding) ([]*design.Source, error) {
	edits, _ := lint.Edits(findings)
	out := slices.Clone(sources)
	for i, src := range sources {
		if len(edits[src.Name]) == 0 {
			continue
		}
		text, err := design.ApplyEdits(src, edits[src.Name])
		if err != nil {
			return nil, err
		}
		out[i] = src.With(text)
	}
	return out, nil
}

// writeFixed writes the texts that are others than before, all of them or none.
func writeFixed(before, after []*design.Source) error {
	changed := map[string][]byte{}
	for i, src := range after {
		if src == before[i] {
			continue
		}
		if src.Name == stdinName {
			return badInput("--fix cannot write to standard input; give it a file")
		}
		old, err := os.ReadFile(filepath.FromSlash(src.Name))
		if err != nil {
			return fmt.Errorf("read input: %w", err)
		}
		text := src.Text
		if bom := []byte("\xef\xbb\xbf"); bytes.HasPrefix(old, bom) {
			text = slices.Concat(bom, text)
		}
		changed[src.Name] = text
	}
	return replaceFiles(changed)
}

// printFixes prints what a dry run would have changed, and in how many files.
func (c *Command) printFixes(before, after []*design.Source) (changed int) {
	for i, src := range before {
		if !bytes.Equal(src.Text, after[i].Text) {
			changed++
		}
		c.out.Write(textDiff(src.Name, src.Text, src.Name+" (fixed)", after[i].Text))
	}
	return changed
}

// readsWorse says what the readers find wrong with the texts after fixes that
// they did not before, "" for nothing: any error more, or more of those that end
// reading or lose a value. A fix is an edit of text, and where a value spans
// lines, or a key is there already, an edit can break what it touches.
func readsWorse(before, after []*design.Source) string {
	old, oldBroken := readErrors(before)
	now, nowBroken := readErrors(after)
	if len(now) <= len(old) && nowBroken <= oldBroken {
		return ""
	}
	for _, p := range now {
		if !slices.ContainsFunc(old, func(o design.Problem) bool { return o.Code == p.Code && o.Message == p.Message }) {
			return "the text would read worse: " + p.Message
		}
	}
	return "the text would read worse"
}

func readErrors(sources []*design.Source) (errors design.Problems, broken int) {
	_, problems := dialect.Read(sources)
	for _, p := range problems {
		if p.Severity != design.Error {
			continue
		}
		errors = append(errors, p)
		if p.Code == design.CodeSyntax || p.Code == design.CodeDuplicate {
			broken++
		}
	}
	return errors, broken
}

// replaceFiles gives files new contents and leaves them their permissions.
func replaceFiles(files map[string][]byte) error {
	list := make([]toWrite, 0, len(files))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path, info, err := writable(name)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		list = append(list, toWrite{path: path, text: files[name], perm: info.Mode().Perm()})
	}
	return writeFiles(list)
}

// writable returns the file that a name stands for, links followed, if it may be
// written: renaming over it would ask for no permission.
func writable(name string) (string, os.FileInfo, error) {
	path, err := filepath.EvalSymlinks(filepath.FromSlash(name))
	if err != nil {
		return "", nil, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	return path, info, err
}
