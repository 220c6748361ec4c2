// Package archives reads the archives that are part of the program: proofs,
// claims, traps, showdowns.
package archives

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
)

// All reads every file of a folder of embedded ones, in the order of their names.
// The files are part of the program and read by every test, so one that cannot be
// read or parsed is a panic.
func All[T any](files embed.FS, folder string, parse func(name string, text []byte) (T, error)) []T {
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	out := make([]T, 0, len(entries))
	for _, e := range entries {
		text, err := files.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			panic(err)
		}
		item, err := parse(e.Name(), text)
		if err != nil {
			panic(err)
		}
		out = append(out, item)
	}
	return out
}

// Record reads an archive of named sections and of one, "record", that has a line
// "key: value" for each fact. It gives the text above the sections, and hands the
// text of each of sections to its place and each line of the record to set.
func Record(text []byte, sections map[string]*string, set func(key, value string) error) (comment string, err error) {
	archive := txtar.Parse(text)
	for _, f := range archive.Files {
		body := strings.TrimSpace(string(f.Data))
		switch into := sections[f.Name]; {
		case into != nil:
			*into = body
		case f.Name == "record":
			if err := lines(body, set); err != nil {
				return "", err
			}
		default:
			known := []string{"record"}
			for name := range sections {
				known = append(known, name)
			}
			slices.Sort(known)
			return "", fmt.Errorf("%q is not a section; there are %s", f.Name, strings.Join(known, ", "))
		}
	}
	return strings.TrimSpace(string(archive.Comment)), nil
}

func lines(record string, set func(key, value string) error) error {
	for line := range strings.SplitSeq(record, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return fmt.Errorf("%q is not a line of a record; write key: value", line)
		}
		if err := set(key, value); err != nil {
			return err
		}
	}
	return nil
}
