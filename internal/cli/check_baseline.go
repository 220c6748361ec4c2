package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"weir/design"
	"weir/lint"
	"weir/size"
)

// saveBaseline writes what is found as a baseline.
func (c *Command) saveBaseline(name string, findings []lint.Finding) (int, error) {
	if err := writeFiles([]toWrite{{path: name, text: lint.NewBaseline(findings, fromFolderOf(name)).JSON()}}); err != nil {
		return ExitTrouble, fmt.Errorf("write baseline: %w", err)
	}
	fmt.Fprintf(c.out, "wrote %s with %s; next: weir check --baseline %s\n", name, size.Counted(len(findings), "finding", "findings"), name)
	return ExitYes, nil
}

// fromFolderOf names files by their paths from the folder of another file, however
// they were typed and wherever weir is run; what has no such path keeps its name.
func fromFolderOf(name string) func(file string) string {
	folder, err := filepath.Abs(filepath.Dir(name))
	return func(file string) string {
		full, bad := filepath.Abs(filepath.FromSlash(file))
		if err != nil || bad != nil || file == "" || file == stdinName {
			return file
		}
		rel, bad := filepath.Rel(folder, full)
		if bad != nil {
			return file
		}
		return filepath.ToSlash(rel)
	}
}

// beyondBaseline leaves out what a baseline knows, and says how much that is.
func (c *Command) beyondBaseline(name string, findings []lint.Finding, files []string) ([]lint.Finding, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, inputError{fmt.Errorf("open baseline: %w", err)}
	}
	b, err := lint.ReadBaseline(text)
	if err != nil {
		return nil, badInput("%s: %w; weir check --write-baseline %s makes one", name, err, name)
	}
	fresh, known, stale := b.Split(findings, files, fromFolderOf(name))
	if len(known) > 0 {
		fmt.Fprintf(c.Stderr, "%s of %s left out\n", size.Counted(len(known), "finding", "findings"), name)
	}
	if stale > 0 {
		fmt.Fprintf(c.Stderr, "%s of %s not found any more; weir check --write-baseline %s takes out what is mended\n", size.Counted(stale, "finding", "findings"), name, name)
	}
	return fresh, nil
}

// withIgnoreFiles adds the .weir.yaml of the working folder and of the folders of
// the files.
func (c *Command) withIgnoreFiles(sources []*design.Source) ([]*design.Source, error) {
	seen := map[string]bool{}
	for _, src := range sources {
		seen[filepath.Clean(filepath.FromSlash(src.Name))] = true
	}
	folders := []string{"."}
	for _, src := range sources {
		if src.Name != stdinName {
			folders = append(folders, filepath.Dir(filepath.FromSlash(src.Name)))
		}
	}
	for _, folder := range folders {
		name := filepath.Join(folder, lint.IgnoreFile)
		if seen[name] {
			continue
		}
		seen[name] = true
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		src, err := c.text(name)
		if err != nil {
			return nil, err
		}
		sources = append(sources, src)
	}
	return sources, nil
}
