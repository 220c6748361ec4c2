package cli

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"weir/design"
	"weir/dialect"
	"weir/lint"
)

// applyFixes writes the fixes of findings into their files, all of them or none,
// says what it did, and returns the texts as they are now. A dry run writes
// nothing.
func (c *Command) applyFixes(sources []*design.Source, findings []lint.Finding, dry bool) ([]*design.Source, error) {
	edits, titles := lint.Edits(findings)
	out := make([]*design.Source, len(sources))
	changed := map[string][]byte{}
	for i, src := range sources {
		out[i] = src
		mine := edits[src.Name]
		if len(mine) == 0 {
			continue
		}
		if src.Name == stdinName && !dry {
			return nil, badInput("--fix cannot write to standard input; give it a file")
		}
		text, err := design.ApplyEdits(src, mine)
		if err != nil {
			return nil, badInput("%s: %w: two fixes change the same place, so nothing was changed; choose with --select", src.Name, err)
		}
		if dry {
			out[i] = design.NewSource(src.Name, text)
			continue
		}
		before, err := os.ReadFile(filepath.FromSlash(src.Name))
		if err != nil {
			return nil, fmt.Errorf("read input: %w", err)
		}
		if bom := []byte("\xef\xbb\xbf"); bytes.HasPrefix(before, bom) {
			text = append(bom, text...)
		}
		changed[src.Name] = text
		out[i] = design.NewSource(src.Name, text)
	}
	if readsWorse(sources, out) {
		return nil, badInput("%s: the fixes together would leave a text that reads worse, so nothing was changed; repair it by hand, or choose with --select", sources[0].Name)
	}
	if err := replaceFiles(changed); err != nil {
		return nil, err
	}
	if dry {
		return out, nil // the diff says it
	}
	for _, f := range titles {
		fmt.Fprintf(c.Stderr, "fixed %s: %s [%s]\n", f.Position(), f.Fix.Title, f.Code)
	}
	return out, nil
}

// printFixes prints what a dry run would have changed.
func (c *Command) printFixes(before, after []*design.Source) {
	for i, src := range before {
		c.out.Write(diff.Diff(src.Name, src.Text, src.Name+" (fixed)", after[i].Text))
	}
}

// readsWorse reports whether the readers find more wrong with the texts after
// fixes than before: any error more, or more of those that end reading or lose a
// value. A fix is an edit of text, and where a value spans lines, or a key is
// there already, an edit can break what it touches.
func readsWorse(before, after []*design.Source) bool {
	oldErrors, oldBroken := readErrors(before)
	newErrors, newBroken := readErrors(after)
	return newErrors > oldErrors || newBroken > oldBroken
}

func readErrors(sources []*design.Source) (errors, broken int) {
	_, problems := dialect.Read(sources)
	for _, p := range problems {
		if p.Severity != design.Error {
			continue
		}
		errors++
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
