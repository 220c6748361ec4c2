// Command pack compresses the built front end into the folder that package
// studio embeds, replacing what was there, and prints the sizes of the WASM
// files against their budgets.
//
//	go run ./internal/studio/pack web/dist internal/studio/dist
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"weir/internal/studio"
)

// budget is the most bytes of a WASM file as brotli -q 9 (DESIGN section 6).
var budget = map[string]int{"engine.wasm": 3_250_000, "server.wasm": 6_300_000}

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
	if err := clear(to); err != nil {
		return err
	}
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
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
		p, err := studio.Pack(body)
		if err != nil {
			return err
		}
		if most, ok := budget[name]; ok {
			fmt.Printf("%s: %d bytes, %d as brotli, budget %d\n", name, len(body), len(p.Brotli), most)
			if len(p.Brotli) > most {
				return fmt.Errorf("%s is over its budget", name)
			}
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target+".br", p.Brotli, 0o644); err != nil {
			return err
		}
		return os.WriteFile(target+".gz", p.Gzip, 0o644)
	})
}

// clear removes everything but the README that keeps the folder.
func clear(dir string) error {
	left, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, d := range left {
		if d.Name() == "README" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(dir, d.Name())); err != nil {
			return err
		}
	}
	return nil
}
