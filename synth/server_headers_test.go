//go:build !js

package synth_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestServerHeaders reads the server's source: every header that a publish gives it
// orders with begins as the mover of dead letters is told, or the copy of a message
// would obey what was meant for the original.
func TestServerHeaders(t *testing.T) {
	needs(t, "go")
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nats-io/nats-server/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(strings.TrimSpace(string(dir)), "server", "stream.go")
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "Nats-"
	if settings := text(t, generate(t, "go", parse(t, faulty)), "settings.go"); !strings.Contains(settings, "ServerHeaders: "+strconv.Quote(begin)) {
		t.Errorf("the mover is told otherwise:\n%s", settings)
	}
	orders := 0
	for _, decl := range file.Decls {
		block, ok := decl.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST || !strings.HasPrefix(block.Doc.Text(), "Headers for published messages") {
			continue
		}
		ast.Inspect(block, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				orders++
				if word, err := strconv.Unquote(lit.Value); err != nil || !strings.HasPrefix(word, begin) {
					t.Errorf("the server obeys the header %s, which the mover would keep", lit.Value)
				}
			}
			return true
		})
	}
	if orders < 20 {
		t.Errorf("%s has %d headers for published messages; the test does not find them any more", name, orders)
	}
}
