package lint

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"weir/design"
)

func findingsOf(name, text string) ([]Finding, []*design.Source) {
	src := design.NewSource(name, []byte(text))
	_, problems := design.ParseSource(src)
	var out []Finding
	for _, p := range problems {
		out = append(out, FromProblem(p))
	}
	Sort(out)
	return out, []*design.Source{src}
}

func TestPrintText(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a value", "weir: 1\nstreams:\n  A:\n    max_age: 30\n", `d.yaml:4:14: error: max_age: "30" has no unit; write 30ms, 30s, 30m or 30h [FILE007]
   4 |     max_age: 30
     |              ^~
`},
		{"tabs and characters of several bytes", "weir: 1\nname: \"ä\tö\" # é\nnmae: x\n", `d.yaml:3:1: error: a design file has no key "nmae"; did you mean name? [FILE005]
   3 | nmae: x
     | ^~~~
`},
		{"a control character", "weir: 1\nname: \"\x1b[31m\"\n", `d.yaml:2:8: error: control character U+001B; write it as an escape in a quoted string [FILE003]
   2 | name: "` + "\uFFFD" + `[31m"
     |        ^
`},
		{"a long line", "weir: 1\nkv: {" + strings.Repeat("aaaaaaaaa: {}, ", 1) + "B: {ttl: 5, description: " + strings.Repeat("x", 200) + "}}\n", `d.yaml:2:30: error: ttl: "5" has no unit; write 5ms, 5s, 5m or 5h [FILE007]
   2 | kv: {aaaaaaaaa: {}, B: {ttl: 5, description: ` + strings.Repeat("x", 65) + `…
     |                              ^
`},
		{"at the end of the text", "weir: 1\nname: [", `d.yaml:2:8: error: a value is expected here; is the file cut off? [FILE001]
   2 | name: [
     |        ^
`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			findings, sources := findingsOf("d.yaml", tt.text)
			var b strings.Builder
			if err := PrintText(&b, findings, sources); err != nil {
				t.Fatal(err)
			}
			if b.String() != tt.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), tt.want)
			}
		})
	}
}

func TestPrintJSON(t *testing.T) {
	findings, _ := findingsOf("d.yaml", "weir: 1\nnmae: <x>\n")
	findings = append(findings, Finding{Code: "API10052", Severity: design.Error, Message: "m", Path: "streams.A", ErrCode: 10052})
	var b strings.Builder
	if err := PrintJSON(&b, findings); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0]["code"] != "FILE005" || got[0]["line"] != 2.0 || got[0]["end_col"] != 5.0 || got[1]["err_code"] != 10052.0 {
		t.Errorf("got %v", got)
	}
	edit := got[0]["fix"].(map[string]any)["edits"].([]any)[0].(map[string]any)
	if edit["text"] != "name" || edit["file"] != "d.yaml" || edit["col"] != 1.0 || edit["end_col"] != 5.0 {
		t.Errorf("edit %v", edit)
	}
	if _, there := got[0]["err_code"]; there {
		t.Error("err_code without a refusal")
	}
	b.Reset()
	if err := PrintJSON(&b, nil); err != nil || b.String() != "[]\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestSummaryAndOrder(t *testing.T) {
	fs := []Finding{{File: "b", Severity: design.Info}, {File: "a", Line: 2, Severity: design.Warning}, {File: "a", Line: 2, Severity: design.Error}, {File: "a", Line: 1, Severity: design.Warning}}
	Sort(fs)
	var order []string
	for _, f := range fs {
		order = append(order, f.File+string(f.Severity))
	}
	if got := strings.Join(order, " "); got != "awarning aerror awarning binfo" {
		t.Errorf("order %s", got)
	}
	if got := Summary(fs); got != "1 error, 2 warnings, 1 note" {
		t.Errorf("summary %q", got)
	}
	if got := Summary(nil); got != "no findings" {
		t.Errorf("summary %q", got)
	}
	if !fs[1].AtLeast(design.Warning) || fs[3].AtLeast(design.Warning) {
		t.Error("AtLeast")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestPrintSaysWhenItCannotWrite(t *testing.T) {
	fs := []Finding{{Message: "m"}}
	if err := PrintText(full{}, fs, nil); err == nil {
		t.Error("no error")
	}
	if err := PrintJSON(full{}, fs); err == nil {
		t.Error("no error")
	}
}
