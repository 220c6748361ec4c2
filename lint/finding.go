// Package lint holds what Weir has to say about a design: findings, how they are
// come by, and the ways to print them.
//
//	report := lint.CheckSources([]*design.Source{design.NewSource("orders.yaml", text)}, lint.Options{})
//	err := lint.PrintText(os.Stdout, report.Findings, sources)
//	fmt.Println(report.Sentence())
//
// A refusal of the server is found by package verdict and explained here: an
// explainer looks for its reason and never checks again. What a reader of
// package design or dialect has to say becomes a finding as it is.
package lint

import (
	"cmp"
	"fmt"
	"slices"

	"weir/design"
)

// Finding is one thing that Weir has to say about a file. Its JSON form is what
// `weir check --format json` prints and what the studio reads.
type Finding struct {
	// Code is stable and names the kind of finding: API10052 for a refusal of the
	// server, FILE001… for what cannot be read, a rule's own code.
	Code     string          `json:"code"`
	Severity design.Severity `json:"severity"`
	Message  string          `json:"message"`
	// Path is the design path, "" when the finding is about the file.
	Path string `json:"path"`
	File string `json:"file"`
	// Line and Col count from 1, Col in characters; 0 when there is no place. The
	// end is exclusive and 0 when it is not known.
	Line    int `json:"line"`
	Col     int `json:"col"`
	EndLine int `json:"end_line,omitempty"`
	EndCol  int `json:"end_col,omitempty"`
	// Alias is the code API… of a refusal that a rule explains.
	Alias string `json:"alias,omitempty"`
	// Figure is the number that shows the harm; nil without one.
	Figure *Figure `json:"figure,omitempty"`
	// ErrCode is the server's err_code for a refusal, else 0.
	ErrCode int `json:"err_code,omitempty"`
	// Fix is what to write instead, nil when that is not certain.
	Fix *design.Fix `json:"fix,omitempty"`
	// What, Remedy and Server are the parts of Message, for those who lay them out
	// apart: the value and what is wrong with it, what to write, and what the
	// server answers. All are empty where the message is one sentence.
	What   string `json:"-"`
	Remedy string `json:"-"`
	Server string `json:"-"`
}

// FromProblem makes a finding of what a reader had to say.
func FromProblem(p design.Problem) Finding {
	f := Finding{Code: string(p.Code), Severity: p.Severity, Message: p.Message, Path: p.Path, Fix: p.Fix}
	return f.At(p.Position)
}

// At is the finding at another place.
func (f Finding) At(p design.Position) Finding {
	f.File, f.Line, f.Col, f.EndLine, f.EndCol = p.File, p.Line, p.Col, p.EndLine, p.EndCol
	return f
}

// Position is where the finding points.
func (f Finding) Position() design.Position {
	return design.Position{File: f.File, Line: f.Line, Col: f.Col, EndLine: f.EndLine, EndCol: f.EndCol}
}

// String is the finding as one line, file:line:col: severity: message [CODE].
func (f Finding) String() string {
	if where := f.Position().String(); where != "" {
		return fmt.Sprintf("%s: %s: %s [%s]", where, f.Severity, f.Message, f.Code)
	}
	return fmt.Sprintf("%s: %s [%s]", f.Severity, f.Message, f.Code)
}

// severityRank orders severities from bad to harmless.
var severityRank = map[design.Severity]int{design.Error: 0, design.Warning: 1, design.Info: 2}

// AtLeast reports whether the finding is as bad as a severity or worse.
func (f Finding) AtLeast(s design.Severity) bool { return severityRank[f.Severity] <= severityRank[s] }

// Sort puts findings into the order of files and places; at one place the worst
// comes first.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(a.Position().Compare(b.Position()), cmp.Compare(severityRank[a.Severity], severityRank[b.Severity]),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message))
	})
}

// Summary counts findings for people: "2 errors, 1 warning", "no findings".
func Summary(findings []Finding) string {
	var counts [3]int
	for _, f := range findings {
		counts[severityRank[f.Severity]]++
	}
	text := ""
	for i, word := range []string{"error", "warning", "note"} {
		if counts[i] == 0 {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d %s", counts[i], word)
		if counts[i] > 1 {
			text += "s"
		}
	}
	if text == "" {
		return "no findings"
	}
	return text
}
