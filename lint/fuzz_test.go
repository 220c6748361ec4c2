package lint

import (
	"strings"
	"testing"
	"unicode/utf8"

	"weir/design"
	"weir/natsapi"
)

// FuzzCheck holds the check of two files to answering every text: places lie in
// the texts, messages are short and readable, each fix can be applied alone.
func FuzzCheck(f *testing.F) {
	for _, p := range design.Presets() {
		f.Add("a.yaml", p.Text, "", 4)
	}
	for _, c := range checkCases(f) {
		f.Add(c.sources[0].Name, string(c.sources[0].Text), `{"name":"A","subjects":["a.>"]}`, 0)
	}
	f.Add("a.json", `{"stream_name":"A","config":{"ack_policy":"explicit","durable_name":"x"}}`, `[{"name":"A"}]`, 2)
	f.Fuzz(func(t *testing.T, name, one, other string, version int) {
		sources := []*design.Source{design.NewSource(name, []byte(one)), design.NewSource("other.json", []byte(other))}
		known := natsapi.Known()
		r := CheckSources(sources, Options{Target: known[max(0, version%len(known))]})
		for _, finding := range r.Findings {
			checkFinding(t, finding, sources)
		}
		if r.Sentence() == "" {
			t.Error("no sentence")
		}
	})
}

func checkFinding(t *testing.T, f Finding, sources []*design.Source) {
	t.Helper()
	if f.Message == "" || f.Code == "" || len(f.Message) > 4000 || !utf8.ValidString(f.Message) {
		t.Errorf("a message of %d bytes: %.100q", len(f.Message), f.Message)
	}
	if (strings.HasPrefix(f.Code, "API") || f.Alias != "") != (f.ErrCode != 0) {
		t.Errorf("%s has err_code %d", f.Code, f.ErrCode)
	}
	if f.Line < 0 || f.Col < 0 || f.EndLine != 0 && (f.EndLine < f.Line || f.EndLine == f.Line && f.EndCol < f.Col) {
		t.Errorf("%s ends at %d:%d", f, f.EndLine, f.EndCol)
	}
	if f.Fix == nil {
		return
	}
	for _, src := range sources {
		if src.Name == f.File {
			if _, err := design.ApplyEdits(src, f.Fix.Edits); err != nil && sources[0].Name != sources[1].Name {
				t.Errorf("%s: fix %q: %v", f, f.Fix.Title, err)
			}
		}
	}
}
