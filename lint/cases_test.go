package lint

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// caseOf is a trouble that people had, told as a design of ours, and the
// judgement that a row of the collected cases asks for. The facts are the row's;
// the design is not.
type caseOf struct {
	id string
	// design is the text after "weir: 1"; files adds other notations.
	design string
	target string
	// code and severity are the judgement, at the path when one is given.
	code     string
	severity design.Severity
	path     string
	// number is the row's figure, 0 without one; words must be in the message.
	number float64
	words  string
}

// ruleCases are the rows that the rules about subjects and the five traps speak to.
var ruleCases = []caseOf{}

// TestCases holds the rules to the collected cases: same judgement, and its number
// within 5 %.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range slices.Concat(ruleCases, streamCases, consumerCases) {
		name := c.id
		for n := 2; seen[name]; n++ {
			name = fmt.Sprintf("%s-%d", c.id, n)
		}
		seen[name] = true
		t.Run(name, func(t *testing.T) {
			var o Options
			if c.target != "" {
				var err error
				if o.Target, err = natsapi.ParseVersion(c.target); err != nil {
					t.Fatal(err)
				}
			}
			r := CheckSources([]*design.Source{design.NewSource("design.yaml", []byte("weir: 1\n"+c.design))}, o)
			var said []string
			for _, f := range r.Findings {
				said = append(said, f.String())
				if strings.HasPrefix(f.Code, "FILE") {
					t.Errorf("the case itself: %s", f)
				}
				if f.Code == c.code && f.Severity == c.severity && (c.path == "" || f.Path == c.path) && strings.Contains(f.Message, c.words) &&
					(c.number == 0 || f.Figure != nil && math.Abs(f.Figure.Value-c.number) <= 0.05*math.Abs(c.number)) {
					return
				}
			}
			t.Errorf("no %s %s with %g %q; there is\n%s", c.severity, c.code, c.number, c.words, strings.Join(said, "\n"))
		})
	}
	t.Logf("%d rows", len(seen))
}
