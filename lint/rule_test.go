package lint

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weir/design"
	"weir/dialect"
	"weir/natsapi"
	"weir/verdict"
)

// TestRulesAreWhole: each rule has what pages are made of, and the files of its
// name; and no file is without its rule.
func TestRulesAreWhole(t *testing.T) {
	stems := map[string]bool{}
	for _, r := range Rules() {
		stems[r.File()] = true
		for name, text := range map[string]string{"Title": r.Title, "Why": r.Why, "Fix": r.Fix} {
			if len(text) < 20 || !strings.HasSuffix(text, ".") {
				t.Errorf("%s: %s is not a sentence: %q", r.Code, name, text)
			}
		}
		if len(r.Refs) == 0 {
			t.Errorf("%s has no source in Refs", r.Code)
		}
		if found, err := FindRule(strings.ToLower(r.Name)); err != nil || found != r {
			t.Errorf("FindRule(%q) = %v, %v", r.Name, found, err)
		}
		p, err := r.Page()
		switch {
		case err != nil:
			t.Error(err)
		case len(p.About) < 80, len(p.Bad) == 0, len(p.Good) == 0, p.Fixed.Text == "":
			t.Errorf("%s: the page has no explanation, bad, good or fixed", r.Code)
		case (p.Claim == "") != (p.Proof == ""):
			t.Errorf("%s: a proof has a claim", r.Code)
		}
	}
	for _, ext := range []string{".go", ".txtar"} {
		files, err := filepath.Glob("*[0-9][0-9][0-9]_*" + ext)
		if err != nil || len(files) == 0 {
			t.Fatal(err, len(files))
		}
		for _, f := range files {
			if stem := strings.TrimSuffix(f, ext); !stems[stem] && !strings.HasSuffix(stem, "_test") {
				t.Errorf("%s belongs to no rule", f)
			}
		}
		if len(files) < len(stems) {
			t.Errorf("%d rules and %d files of %s", len(stems), len(files), ext)
		}
	}
}

func checkExample(e Example) Report {
	return CheckSources([]*design.Source{design.NewSource(e.Name, []byte(e.Plain()))}, Options{})
}

// eachPage calls f for each rule with its page, as a subtest.
func eachPage(t *testing.T, f func(t *testing.T, r *Rule, p Page)) {
	for _, r := range Rules() {
		t.Run(r.Code, func(t *testing.T) {
			p, err := r.Page()
			if err != nil {
				t.Fatal(err)
			}
			f(t, r, p)
		})
	}
}

// TestExamples: a rule finds what its bad examples mark, there and nowhere else;
// fixed and good ones are quiet in all rules.
func TestExamples(t *testing.T) {
	eachPage(t, func(t *testing.T, r *Rule, p Page) {
		for _, e := range p.Bad {
			var got, want []string
			for _, f := range checkExample(e).Findings {
				if f.Code == r.Code {
					got = append(got, fmt.Sprintf("line %d: %s", f.Line, f.Code))
				}
				if f.Code == r.Code && f.Message != strings.TrimSpace(f.Message) || strings.Contains(f.Message, "%!") {
					t.Errorf("%s", f)
				}
				if strings.HasPrefix(f.Code, "FILE") {
					t.Errorf("%s", f)
				}
			}
			for line, codes := range e.Wants() {
				for _, code := range codes {
					want = append(want, fmt.Sprintf("line %d: %s", line, code))
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
				t.Errorf("%s (-want +got):\n%s", e.Name, diff)
			}
		}
		for _, e := range append(p.Good, p.Fixed) {
			for _, f := range checkExample(e).Findings {
				if f.Severity != design.Info {
					t.Errorf("%s", f)
				}
			}
		}
	})
}

// TestExampleFixes: where a rule offers a fix, it makes the fixed example of the
// first bad one, and what --fix leaves is free of the finding.
func TestExampleFixes(t *testing.T) {
	eachPage(t, func(t *testing.T, r *Rule, p Page) {
		for i, e := range p.Bad {
			plain := Example{e.Name, e.Plain()}
			var mine []Finding
			for _, f := range checkExample(plain).Findings {
				if f.Code == r.Code && f.Fix != nil {
					f.Fix.Guess = false // the example is of those who take it
					mine = append(mine, f)
				}
			}
			if len(mine) == 0 {
				continue
			}
			edits, _ := Edits(mine)
			text, err := design.ApplyEdits(design.NewSource(e.Name, []byte(plain.Text)), edits[e.Name])
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p.Fixed.Text, string(text)); i == 0 && diff != "" {
				t.Errorf("%s after its fix (-want +got):\n%s", e.Name, diff)
			}
			for _, f := range checkExample(Example{e.Name, string(text)}).Findings {
				if f.Code == r.Code && f.Fix != nil {
					t.Errorf("%s: the fix leaves %s", e.Name, f)
				}
			}
		}
	})
}

// TestExamplesOnTheServer sends the examples of designs for one server to the
// real one: what a rule explains is refused with that err_code, everything else
// is accepted. Those for clusters are held to package verdict, which is held to
// the server.
func TestExamplesOnTheServer(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	replayed := 0
	eachPage(t, func(t *testing.T, r *Rule, p Page) {
		for _, e := range slices.Concat(p.Bad, p.Good, []Example{p.Fixed}) {
			designs, problems := dialect.Read([]*design.Source{design.NewSource(e.Name, []byte(e.Plain()))})
			if problems.Failed() || len(designs) != 1 {
				t.Fatal(e.Name, problems)
			}
			explained := strings.HasPrefix(e.Name, "bad") && len(r.Explains) > 0
			for _, j := range verdict.JudgeDesign(designs[0], natsapi.Version{}) {
				if j.Answer.Verdict != verdict.OK && !explained {
					t.Errorf("%s: %s %s is refused: %d %s", e.Name, j.Request.Kind, j.Request.Name, j.Answer.ErrCode, j.Answer.Description)
				}
			}
			judged := verdict.JudgeDesign(designs[0], natsapi.Embedded)
			if len(judged) == 0 || len(judged[0].Site.Setting.Nodes) > 1 || len(designs[0].Accounts)+len(designs[0].Leafnodes)+len(designs[0].Clusters) > 0 {
				continue
			}
			nc := startServer(t, judged[0].Site)
			for _, j := range judged {
				if j.Orphan || j.Answer.Verdict == verdict.NoReply || j.Answer.Verdict == verdict.Crash {
					continue
				}
				replayed++
				reply := ask(t, nc, j.Request)
				got := 0
				if reply.Error != nil {
					got = reply.Error.ErrCode
				}
				if got != j.Answer.ErrCode {
					t.Errorf("%s: %s answers %d, and Weir says %d", e.Name, j.Request.Name, got, j.Answer.ErrCode)
				}
				if got != 0 && explained && !slices.ContainsFunc(r.Explains, func(x Refusal) bool { return x.ErrCode == got }) {
					t.Errorf("%s: %s answers %d, which %s does not explain", e.Name, j.Request.Name, got, r.Code)
				}
			}
		}
	})
	if replayed < 5 {
		t.Errorf("only %d requests were replayed", replayed)
	}
}

// TestCodesAreWords: a code is what a rule may be called by, in file names too.
func TestCodesAreWords(t *testing.T) {
	for _, r := range Rules() {
		if !regexp.MustCompile(`^[A-Z]{2,3}[0-9]{3}$`).MatchString(r.Code) || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`).MatchString(r.Name) {
			t.Errorf("%s %s", r.Code, r.Name)
		}
	}
}
