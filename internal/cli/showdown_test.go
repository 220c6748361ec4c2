package cli

import (
	"bytes"
	"strings"
	"testing"

	"weir/internal/showdown"
)

// TestShowdownIsProved: a cell of a truth table has its mark only from the claim of
// a proof that ran, and what did not run has none.
func TestShowdownIsProved(t *testing.T) {
	s := &showdown.Showdown{Name: "t", Truth: &showdown.Truth{Title: "What becomes of the messages", Columns: []string{"limits", "interest", "workqueue"},
		Rows: []showdown.TruthRow{
			{Case: "no consumer", Proof: "retention-no-consumer", Cells: []string{"kept", "dropped", "kept"}},
			{Case: "not run", Proof: "none", Cells: []string{"kept", "kept", "kept"}},
		}}}
	var out, errs bytes.Buffer
	c := &Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	if code := c.Main([]string{"version"}); code != ExitYes { // makes its writers
		t.Fatal(code)
	}
	out.Reset()
	p := c.startProof("steps")
	defer p.end()
	ran := *s.Truth
	ran.Rows = ran.Rows[:1]
	runs, err := p.showdown(&showdown.Showdown{Truth: &ran}, "")
	if err != nil || len(runs) != 1 || held(runs) != ExitYes {
		t.Fatalf("%d runs, error %v", len(runs), err)
	}
	c.printTruth(s, runs)
	if err := c.out.Flush(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "✓") != 3 || !strings.Contains(got, "✓ dropped") || strings.Contains(got, "✗") {
		t.Errorf("printed:\n%s", got)
	}
	runs[0].Evidence.Claims[1].Held = false
	if got := provedCell(runs, "retention-no-consumer", 1, "dropped"); got.text != "✗ dropped" {
		t.Errorf("a claim that did not hold prints %q", got.text)
	}
}
