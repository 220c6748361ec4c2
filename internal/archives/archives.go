// Package archives reads the archives that are part of the program: proofs,
// claims, traps, showdowns.
package archives

import (
	"embed"
	"path"
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
