package lint

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"weir/design"
)

// sarifSchemaText is the schema of SARIF 2.1.0 as the module go-sarif carries it.
func sarifSchemaText(t *testing.T) string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Skip("no go command here:", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	schema := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && len(l.Value) > 10_000 {
			if schema, err = strconv.Unquote(l.Value); err != nil {
				t.Fatal(err)
			}
		}
		return true
	})
	return schema
}

// TestSARIF holds the output to the schema, for every code that the examples and
// cases give, and to another reader of the format.
func TestSARIF(t *testing.T) {
	var sources []*design.Source
	for _, c := range checkCases(t) {
		sources = append(sources, c.sources[0])
	}
	var r Report
	for _, rule := range Rules() {
		p, err := rule.Page()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range p.Bad {
			r.Findings = append(r.Findings, checkExample(e).Findings...)
		}
	}
	for _, src := range sources {
		r.Findings = append(r.Findings, CheckSources([]*design.Source{src}, Options{}).Findings...)
	}
	r.Ignored = []Ignored{{r.Findings[0], "it is meant so"}}
	r.Findings = append(r.Findings, Finding{Code: "FILE010", Severity: design.Error, Message: "nothing", File: "a b/<stdin>%.yaml"})
	var out bytes.Buffer
	if err := PrintSARIF(&out, r, "1.0.0"); err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(sarifSchemaText(t)))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("sarif.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(instance); err != nil {
		t.Errorf("%v", err)
	}
	read, err := sarif.FromBytes(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if n := len(read.Runs[0].Results); n != len(r.Findings)+1 {
		t.Errorf("another reader finds %d results, want %d", n, len(r.Findings)+1)
	}
	if uri := read.Runs[0].Results[len(r.Findings)-1].Locations[0].PhysicalLocation.ArtifactLocation.URI; uri == nil || *uri != "a%20b/%3Cstdin%3E%25.yaml" {
		t.Errorf("URI %v", uri)
	}
}
