// Package docs renders what is derived from Weir's records: pages under docs/
// and the TypeScript types of the engine. `go generate ./internal/docs` writes
// the files, and a test fails when one of them is stale.
package docs

import (
	"fmt"

	"weir/internal/cli"
	"weir/internal/prover"
	"weir/lint"
	"weir/size"
)

//go:generate go run ./write

// File is a generated file; Path is relative to the root of the repository.
type File struct {
	Path string
	Body string
}

const accuracyIntro = `# How exact the sizing model is

Generated. Each cell was filled on a real nats-server 2.15.2 in one process, by "weir prove --sizing" with five times as many
messages; the rows are kept in size/measured.tsv. Bytes unless said; "reported" is what stream info says, "disk" what lies in
the store after a stop in good order, "heap" the live heap after collection.

`

// Files renders everything. An error means that an embedded table is broken.
func Files() ([]File, error) {
	accuracy, err := size.AccuracyTable()
	if err != nil {
		return nil, fmt.Errorf("render docs/accuracy.md: %w", err)
	}
	root, err := Root()
	if err != nil {
		return nil, err
	}
	evidence, err := EvidenceSchema(root)
	if err != nil {
		return nil, fmt.Errorf("render docs/evidence.schema.json: %w", err)
	}
	server := besideEngine("../engine/types")
	server.add(prover.New("").Methods())
	files := []File{
		{"web/src/engine/types.ts", engineTypes().text("engine")},
		{"web/src/server/types.ts", server.text("server")},
		{"docs/cli.md", cli.Reference()},
		{"docs/accuracy.md", accuracyIntro + accuracy},
		{"docs/model.md", Model()},
		{"docs/proofs.md", Proofs()},
		{"docs/claims.md", Claims()},
		{"docs/targets.md", Targets()},
		{"docs/evidence.schema.json", evidence},
		{"docs/rules/README.md", lint.RulesIndex()},
	}
	showdowns, err := Showdowns()
	if err != nil {
		return nil, fmt.Errorf("render docs/showdowns: %w", err)
	}
	pages, err := ShowdownFiles()
	if err != nil {
		return nil, fmt.Errorf("render the pages of showdowns: %w", err)
	}
	files = append(append(files, showdowns...), pages...)
	files = append(files, Fields()...)
	for _, r := range lint.Rules() {
		files = append(files, File{"docs/rules/" + r.Code + ".md", r.Doc().Page()})
	}
	return files, nil
}
