package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// plumbing are the files that are not about a mechanism of the server or of a
// client.
var plumbing = map[string]bool{
	"consumer.go": false, // has the deliver policies
	"doc.go":      true, "workload.go": true, "kernel.go": true, "calendar.go": true, "distribution.go": true, "message.go": true, "segment.go": true, "redraw.go": true,
	"straight.go": true, "stream.go": true, "worker.go": true, "run.go": true, "result.go": true, "recovery.go": true, "seeds.go": true, "histogram.go": true, "trace.go": true, "estimate.go": true,
	"from_design.go": true, "from_design_arrivals.go": true, "from_design_imports.go": true, "from_design_publisher.go": true, "from_design_scenario.go": true, "from_design_workers.go": true,
	"goals.go": true, "answer.go": true, "answer_figures.go": true, "answer_estimate.go": true, "findings.go": true, "blame.go": true, "latency_floor.go": true, "recommend.go": true, "scale.go": true, "workers_needed.go": true, "sweep.go": true, "tune.go": true, "survive.go": true, "lab.go": true, "trace_csv.go": true,
}

// TestLedger: the file of a mechanism says, in the doc comment of what it
// declares, what it models, what it ignores and from where it is known, in this
// order.
func TestLedger(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") || plumbing[f] {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for _, d := range file.Decls {
			var doc *ast.CommentGroup
			switch d := d.(type) {
			case *ast.FuncDecl:
				doc = d.Doc
			case *ast.GenDecl:
				doc = d.Doc
			}
			if text := doc.Text(); strings.Contains(text, "\nModels: ") {
				has = true
				found++
				m, i, s := strings.Index(text, "\nModels: "), strings.Index(text, "\nIgnores: "), strings.Index(text, "\nSource: ")
				if m < 0 || i < m || s < i {
					t.Errorf("%s: Models, Ignores and Source are not all there, in this order:\n%s", f, text)
				}
			}
		}
		if !has {
			t.Errorf("%s is about no mechanism: say what it models, or list it as plumbing", f)
		}
	}
	if found < 25 {
		t.Errorf("%d mechanisms", found)
	}
}
