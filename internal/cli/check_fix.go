package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"weir/design"
	"weir/lint"
)

// applyFixes writes the fixes of findings into their files, all of them or none,
// says what it did, and returns the texts as they are now.
func (c *Command) applyFixes(sources []*design.Source, findings []lint.Finding) ([]*design.Source, error) {
	edits, titles := lint.Edits(findings)
	out := make([]*design.Source, len(sources))
	changed := map[string][]byte{}
	for i, src := range sources {
		out[i] = src
		mine := edits[src.Name]
		if len(mine) == 0 {
			continue
		}
		if src.Name == stdinName {
			return nil, badInput("--fix cannot write to standard input; give it a file")
		}
		text, err := design.ApplyEdits(src, mine)
		if err != nil {
			return nil, badInput("%s: %w: two fixes change the same place, so nothing was changed; choose with --select", src.Name, err)
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
	if err := replaceFiles(changed); err != nil {
		return nil, err
	}
	for _, f := range titles {
		fmt.Fprintf(c.Stderr, "fixed %s: %s [%s]\n", f.Position(), f.Fix.Title, f.Code)
	}
	return out, nil
}

// replaceFiles gives files new contents: it writes all of them beside the old
// ones first, so that a full disk changes nothing.
func replaceFiles(files map[string][]byte) (err error) {
	written := map[string]string{}
	defer func() {
		for temp := range written {
			os.Remove(temp) // what was not renamed
		}
	}()
	for name, text := range files {
		path := filepath.FromSlash(name)
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		temp, err := os.CreateTemp(filepath.Dir(path), ".weir-*")
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		written[temp.Name()] = path
		_, err = temp.Write(text)
		if modeErr := temp.Chmod(info.Mode().Perm()); err == nil {
			err = modeErr
		}
		if closed := temp.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
	}
	for temp, path := range written {
		if err := os.Rename(temp, path); err != nil {
			return fmt.Errorf("write %s: %w", path, err)
		}
	}
	return nil
}
