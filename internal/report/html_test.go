package report_test

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weir/internal/report"
)

// hostile is a text that breaks out where it is not escaped.
const hostile = "</style><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;\x00\x1b[31m\u202e"

// everywhere is a document with a text at each place that takes one.
func everywhere(t string) report.Document {
	working := &report.Working{Name: t, Text: t, Range: t, Formula: t, Rests: t, Source: t, Note: t, Terms: []report.Working{{Name: t, Text: t, Formula: t}}}
	axis := report.Axis{Max: 2, Ticks: []report.Tick{{At: 0, Text: t}, {At: 2, Text: t}}}
	return report.Document{Title: t, Lead: []string{t}, Foot: t, Sections: []report.Section{{ID: t, Title: t, Says: t, Level: report.Level(t), Notes: []string{t}, Blocks: []report.Block{
		{Title: t, Text: t},
		{Title: t, Table: &report.Table{Columns: []report.Column{{Title: t}, {Title: t, Num: true}}, Rows: []report.Row{{Level: report.Level(t), Cells: []report.Cell{{Text: t, Mono: true}, {Text: t, Working: working}}}}, Left: 3}},
		{Title: t, Code: &report.Code{Name: t, Text: t + "\n" + t, Numbered: true}},
		{Code: &report.Code{Name: t, Text: t}},
		{Title: t, Chart: &report.Chart{Title: t, X: axis, Y: axis, Xs: []float64{0, 1, 2}, Series: []report.Series{{Name: t, Values: []float64{0, 1, 9}}, {Name: t, Values: []float64{2, 1}}}, Marks: []report.Mark{{From: 1, To: 2, Text: t}}}},
	}}}}
}

// TestHostileTexts reads the file as a browser does: whatever stands in the
// texts, the elements are those of a harmless document.
func TestHostileTexts(t *testing.T) {
	want := elements(t, report.HTML(everywhere("harmless")))
	got := elements(t, report.HTML(everywhere(hostile)))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("texts change the document (-harmless +hostile):\n%s", diff)
	}
	for _, tag := range got {
		if strings.HasPrefix(tag, "script") || strings.HasPrefix(tag, "img") || strings.Contains(tag, " on") {
			t.Errorf("the document holds %s", tag)
		}
	}
}

// elements lists the elements of a document with the names of their attributes.
func elements(t *testing.T, text string) (out []string) {
	t.Helper()
	z := xml.NewDecoder(strings.NewReader(text))
	z.Strict, z.AutoClose, z.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		k, err := z.Token()
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if k, ok := k.(xml.StartElement); ok {
			tag := k.Name.Local
			for _, a := range k.Attr {
				tag += " " + a.Name.Local
				if a.Name.Local == "src" || a.Name.Local == "href" && !strings.HasPrefix(a.Value, "#") {
					t.Errorf("%s asks for %s", k.Name.Local, a.Value)
				}
			}
			out = append(out, tag)
		}
	}
}

// TestHTML compares a whole file.
func TestHTML(t *testing.T) {
	got := report.HTML(everywhere("text"))
	if again := report.HTML(everywhere("text")); again != got {
		t.Error("two writings differ")
	}
	golden := filepath.Join("testdata", "everywhere.html")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func FuzzHTML(f *testing.F) {
	f.Add(hostile)
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return // what is empty is left out
		}
		harmless := strings.Map(func(r rune) rune { // as many lines
			if r == '\n' {
				return r
			}
			return 'x'
		}, text)
		if diff := cmp.Diff(elements(t, report.HTML(everywhere(harmless))), elements(t, report.HTML(everywhere(text)))); diff != "" {
			t.Error(diff)
		}
	})
}
