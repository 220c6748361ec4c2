// Command write puts the generated files of package docs in their places. Run
// it through `go generate ./internal/docs`.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"weir/internal/docs"
)

func main() {
	root, err := docs.Root()
	if err == nil {
		err = write(root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "write docs:", err)
		os.Exit(3)
	}
}

func write(root string) error {
	files, err := docs.Files()
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(f.Body), 0o644); err != nil {
			return err
		}
	}
	return nil
}
