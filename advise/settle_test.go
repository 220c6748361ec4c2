package advise_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"weir/advise"
	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// advised is a text with the advice on it taken.
func advised(t *testing.T, text string) (string, advise.Advice) {
	t.Helper()
	d := parse(t, text)
	a := forDesign(t, d)
	edits, _ := advise.Edits(d, a)
	out, err := design.ApplyEdits(design.NewSource("design.yaml", []byte(text)), edits)
	if err != nil {
		t.Fatal(err)
	}
	return string(out), a
}

// refused are the assets that package verdict refuses.
func refused(d *design.Design) (out []string) {
	for _, j := range verdict.JudgeDesign(d, natsapi.Version{}) {
		if j.Answer.Verdict != verdict.OK {
			out = append(out, j.Request.Path+": "+j.Answer.Description)
		}
	}
	return out
}

// states are the written settings of an advice that work against it.
func againstIn(a advise.Advice) (out []string) {
	for _, asset := range a.Assets {
		for _, s := range asset.Settings {
			if s.State == advise.Against {
				out = append(out, s.Path+": "+s.Written+" -> "+s.Advised+": "+s.Reason)
			}
		}
	}
	return out
}

// stands takes the advice on a design: servers refuse nothing that they accepted
// before, nothing that was written is changed, and the same advice has nothing
// more to say.
func stands(t *testing.T, text string) {
	t.Helper()
	before := parse(t, text)
	out, a := advised(t, text)
	after := parse(t, out)
	was := refused(before)
	for _, r := range refused(after) {
		if !slices.Contains(was, r) {
			t.Errorf("refused with the advice taken: %s", r)
		}
	}
	for _, c := range design.Diff(before, after) {
		if c.Op != design.Created {
			t.Errorf("advice changes what was written: %s", c.Text())
		}
	}
	again, b := advised(t, out)
	if again != out {
		t.Errorf("a second time changes the text again:\n%s", again)
	}
	if !slices.Equal(againstIn(a), againstIn(b)) {
		t.Errorf("against before:\n%q\nafter:\n%q", againstIn(a), againstIn(b))
	}
	if !slices.Equal(a.Relax, b.Relax) {
		t.Errorf("to relax before:\n%q\nafter:\n%q", a.Relax, b.Relax)
	}
	if t.Failed() {
		t.Log(out)
	}
}

// TestAdviceStands holds the presets, and designs that servers accepted until
// their advice was taken, to that.
func TestAdviceStands(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) { stands(t, p.Text) })
	}
	files, err := filepath.Glob("testdata/stands/*.yaml")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d designs: %v", len(files), err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			stands(t, string(text))
		})
	}
}

// TestAdviceStands_inProgress: what the ack_wait that is advised stands on is
// advised with it.
func TestAdviceStands_inProgress(t *testing.T) {
	text := `
weir: 1
streams: {JOBS: {subjects: [jobs], consumers: {c: {workers: {count: 4, service_time: {p50: 60s, p99: 600s}}}}}}
publishers: {p: {subject: jobs, rate: 1/m, payload: 1KiB}}
`
	stands(t, text)
	_, a := advised(t, text)
	if s := setting(t, a, "JOBS/c", "workers.in_progress"); s.State != advise.Open || s.Advised != "10s" {
		t.Errorf("%+v", s)
	}
	if s := setting(t, a, "JOBS/c", "ack_wait"); s.Advised != "30s" {
		t.Errorf("%+v", s)
	}
}
