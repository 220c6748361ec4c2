package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// Mechanism is what the doc comment of one mechanism of the simulator says of
// itself.
type Mechanism struct {
	Name                    string // the file's, without .go: NATS's own word
	Text                    string // what stands in front of Models
	Models, Ignores, Source string
}

// Mechanisms reads the simulator's ledger from the doc comments in dir, in the
// order of the files' names.
func Mechanisms(dir string) ([]Mechanism, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []Mechanism
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("parse simulator: %w", err)
		}
		for _, d := range file.Decls {
			var doc *ast.CommentGroup
			switch d := d.(type) {
			case *ast.FuncDecl:
				doc = d.Doc
			case *ast.GenDecl:
				doc = d.Doc
			}
			if m, ok := mechanism(doc.Text()); ok {
				m.Name = strings.TrimSuffix(filepath.Base(f), ".go")
				all = append(all, m)
			}
		}
	}
	return all, nil
}

// mechanism takes a doc comment apart at its three labels.
func mechanism(doc string) (Mechanism, bool) {
	text, rest, ok := strings.Cut(doc, "\nModels: ")
	models, rest, okModels := strings.Cut(rest, "\nIgnores: ")
	ignores, source, okIgnores := strings.Cut(rest, "\nSource: ")
	line := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	return Mechanism{Text: line(text), Models: line(models), Ignores: line(ignores), Source: line(source)}, ok && okModels && okIgnores
}

// Model renders the ledger of the simulator: what it models, what it ignores,
// and how each is known.
func Model() string {
	root, err := Root()
	if err != nil {
		panic(err) // the generator runs in the repository
	}
	all, err := Mechanisms(filepath.Join(root, "sim"))
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	b.WriteString("<!-- Generated from the doc comments in sim/; go generate ./internal/docs -->\n# What the simulator models\n\n")
	b.WriteString("Each mechanism has a file of its name in `sim/`. What is not listed under *Models* is not simulated.\n")
	for _, m := range all {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n- **Models:** %s\n- **Ignores:** %s\n- **Source:** %s\n", m.Name, m.Text, m.Models, m.Ignores, m.Source)
	}
	return b.String()
}
