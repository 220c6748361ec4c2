// Command pack compresses the built front end into the folder that package
// studio embeds, removes what else was there, and prints the sizes of the WASM
// files against their budgets.
//
//	go run ./internal/studio/pack web/dist internal/studio/dist
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"weir/internal/studio"
)

// budget is the most bytes of a WASM file as brotli -q 9 (DESIGN section 6).
var budget = map[string]int{"engine.wasm": 3_250_000, "server.wasm": 6_000_000}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack FROM TO")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack the studio:", err)
		os.Exit(3)
	}
}

func pack(from, to string) error {
	made := map[string]bool{"README": true}
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		made[name+".br"], made[name+".gz"] = true, true
		p, err := packed(target, body)
		if err != nil {
			return err
		}
		if most, ok := budget[name]; ok {
			fmt.Printf("%s: %d bytes, %d as brotli, budget %d\n", name, len(body), len(p.Brotli), most)
			if len(p.Brotli) > most {
				return fmt.Errorf("%s is over its budget", name)
			}
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target+".br", p.Brotli, 0o644); err != nil {
			return err
		}
		return os.WriteFile(target+".gz", p.Gzip, 0o644)
	})
	if err != nil {
		return err
	}
	return clear(to, made)
}

// packed compresses a file, or takes what is there of the same content: the
// server's half minute is not spent again while only the pages change.
func packed(target string, body []byte) (studio.Packed, error) {
	gz, err := os.ReadFile(target + ".gz")
	br, err2 := os.ReadFile(target + ".br")
	if err == nil && err2 == nil && holds(gz, body) {
		return studio.Packed{Brotli: br, Gzip: gz}, nil
	}
	return studio.Pack(body)
}

// holds reports whether a gzip file is that of body.
func holds(gz, body []byte) bool {
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return false
	}
	before, err := io.ReadAll(z)
	return err == nil && bytes.Equal(before, body)
}

// clear removes the files that were not made, and folders that are empty then.
func clear(dir string, made map[string]bool) error {
	var folders []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		switch {
		case err != nil || name == ".":
			return err
		case d.IsDir():
			folders = append(folders, path)
			return nil
		case made[name]:
			return nil
		}
		return os.Remove(path)
	})
	for _, f := range slices.Backward(folders) {
		if left, readErr := os.ReadDir(f); readErr == nil && len(left) == 0 {
			err = errors.Join(err, os.Remove(f))
		}
	}
	return err
}
