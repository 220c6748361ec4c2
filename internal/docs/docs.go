// Package docs renders what is derived from Weir's records: pages under docs/
// and the TypeScript types of the engine. `go generate ./internal/docs` writes
// the files, and a test fails when one of them is stale.
package docs

import "weir/internal/cli"

//go:generate go run ./write

// File is a generated file; Path is relative to the root of the repository.
type File struct {
	Path string
	Body string
}

// Files renders everything.
func Files() []File {
	return []File{
		{"web/src/engine/types.ts", Types()},
		{"docs/cli.md", cli.Reference()},
		{"docs/proofs.md", Proofs()},
	}
}
