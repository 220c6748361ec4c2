package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"weir/design"
	"weir/lint"
	"weir/natsapi"
	"weir/prove"
)

// TestRuleProofs: every proof that a rule names exists, and the scripts of its own
// hold on the real server and on those of WEIR_SERVERS. What rules name is run by
// the tests of package prove.
func TestRuleProofs(t *testing.T) {
	own := 0
	for _, r := range lint.Rules() {
		page, err := r.Page()
		if err != nil {
			t.Fatal(err)
		}
		if r.Proof == "" && page.Proof == "" {
			continue
		}
		p, ok, err := ruleProof(r.Code)
		if err != nil || !ok {
			t.Errorf("%s: %v", r.Code, err)
			continue
		}
		if page.Proof == "" {
			continue
		}
		own++
		for _, with := range append([]string{""}, filepath.SplitList(os.Getenv("WEIR_SERVERS"))...) {
			t.Run(filepath.Base(with)+"/"+r.Code, func(t *testing.T) {
				if testing.Short() {
					t.Skip("starts servers")
				}
				mustHold(t, p, with)
			})
		}
	}
	if own < 2 {
		t.Errorf("only %d rules have a proof of their own", own)
	}
}

// TestHarmsHaveCures: every proof that shows a harm, a trap's or a rule's, shows
// its cure after it.
func TestHarmsHaveCures(t *testing.T) {
	all := prove.Proofs()
	for _, r := range lint.Rules() {
		if p, ok, err := ruleProof(r.Code); ok && err == nil {
			all = append(all, p)
		}
	}
	harms := 0
	for _, p := range all {
		harm := ""
		for line := range strings.Lines(p.Text) {
			switch verb, sentence, _ := strings.Cut(strings.TrimSpace(line), " "); verb {
			case "harm":
				harm = sentence
				harms++
			case "cure":
				harm = ""
			}
		}
		if harm != "" {
			t.Errorf("%s has no cure for %s", p.Name, harm)
		}
	}
	if harms < 30 {
		t.Errorf("only %d harms are shown", harms)
	}
}

// mustHold runs a proof, which claims nothing on a server that it is not about. It is tried more than once, for a busy machine can miss the
// times of a script; a claim that is false fails every time.
func mustHold(t *testing.T, p prove.Proof, with string) {
	t.Helper()
	const tries = 3
	for try := 1; ; try++ {
		e, err := p.Run(t.Context(), prove.ScriptOptions{With: with})
		v, _ := natsapi.ParseVersion(e.Server.Version)
		if err == nil && e.Held() && (len(e.Claims) > 0 || !p.AppliesTo(v)) {
			return
		}
		if try == tries {
			t.Fatalf("does not hold in %d tries: %v %+v", tries, err, e.Steps)
		}
	}
}

// TestClusterExamples: the healthy examples for clusters are accepted by a real
// cluster. Those for one server are replayed by the tests of package lint.
func TestClusterExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("starts clusters")
	}
	proved := map[string]bool{}
	for _, r := range lint.Rules() {
		page, err := r.Page()
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range append(page.Good, page.Fixed) {
			if !strings.HasSuffix(e.Name, ".yaml") {
				continue // what a server reported
			}
			d, problems := design.Parse(e.Name, []byte(e.Text))
			if problems.Failed() {
				t.Fatal(r.Code, problems)
			}
			if d.Server.Nodes < 2 || d.Server.Nodes > prove.MaxNodes || proved[e.Text] || len(d.Accounts)+len(d.Leafnodes)+len(d.Clusters) > 0 {
				continue
			}
			proved[e.Text] = true
			evidence, err := prove.Design(t.Context(), d, prove.DesignOptions{For: -1})
			if err != nil {
				t.Errorf("%s %s: %v", r.Code, e.Name, err)
				continue
			}
			for _, step := range evidence.Steps {
				if step.Reply != nil && step.Reply.ErrCode != 0 {
					t.Errorf("%s %s: %s is refused: %d %s", r.Code, e.Name, strings.TrimSpace(step.Do), step.Reply.ErrCode, step.Reply.Text)
				}
			}
		}
	}
	if len(proved) == 0 {
		t.Error("no example is for a cluster")
	}
}
