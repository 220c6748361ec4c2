package engine

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"weir/design"
	"weir/lint"
	"weir/natsapi"
)

// judgedDesign has findings by which versions differ.
const judgedDesign = "weir: 1\nserver: {version: \"2.12\"}\nstreams:\n  A: {subjects: [a.>.b], allow_msg_counter: true}\n  B: {subjects: [b.>], max_age: 1h, persist_mode: async}\n"

func filesOf(text string) []File { return []File{{"a.yaml", text}} }

// check is a check that remembers nothing.
func check(text string, target natsapi.Version) lint.Report {
	return lint.CheckSources([]*design.Source{design.NewSource("a.yaml", []byte(text))}, lint.Options{Target: target})
}

// TestJudgedVersions: each version says what a check of its own says, and a second
// time without a check.
func TestJudgedVersions(t *testing.T) {
	l := lastReports{}
	targets := append(natsapi.Known(), natsapi.Version{})
	first := map[natsapi.Version]*lint.Report{}
	differ := map[string]bool{}
	for round := range 2 {
		for _, target := range targets {
			got, err := l.judge(filesOf(judgedDesign), target)
			if err != nil {
				t.Fatal(err)
			}
			if round == 1 && got != first[target] {
				t.Errorf("%s was checked again", target)
			}
			first[target] = got
			if want := check(judgedDesign, target); !reflect.DeepEqual(*got, want) {
				t.Errorf("for %s:\n%+v\na check that remembers nothing:\n%+v", target, *got, want)
			}
			differ[fmt.Sprint(got.Findings)] = true
		}
	}
	if len(differ) < 2 {
		t.Error("the versions find the same: the design tells nothing apart")
	}
}

// TestJudgedEdited: after an edit nothing is said of the text before it.
func TestJudgedEdited(t *testing.T) {
	l := lastReports{}
	edited := strings.Replace(judgedDesign, "a.>.b", "a.*.b", 1)
	for _, text := range []string{judgedDesign, edited, judgedDesign} {
		for _, target := range natsapi.Known() {
			got, err := l.judge(filesOf(text), target)
			if err != nil {
				t.Fatal(err)
			}
			if want := check(text, target); !reflect.DeepEqual(*got, want) {
				t.Errorf("for %s:\n%+v\na check that remembers nothing:\n%+v", target, *got, want)
			}
			if target == natsapi.Known()[0] && len(l.reports) != 1 {
				t.Errorf("%d reports are remembered after an edit", len(l.reports))
			}
		}
	}
}

// TestJudgedBound: patches without end are not remembered.
func TestJudgedBound(t *testing.T) {
	l := lastReports{}
	for patch := range 3 * maxVersions {
		v, err := natsapi.ParseVersion(fmt.Sprintf("2.12.%d", patch))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.judge(filesOf(judgedDesign), v); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.reports); n > maxVersions {
		t.Errorf("%d versions are remembered", n)
	}
}

// TestJudgedAside: files that are not worked on displace nothing, and say the same.
func TestJudgedAside(t *testing.T) {
	ctx, files := context.Background(), filesOf(judgedDesign)
	if _, err := checkDesign(ctx, CheckRequest{Files: files, Target: "2.12"}, nil); err != nil {
		t.Fatal(err)
	}
	before, designs := judgements.reports[0].report, readings.designs
	for _, p := range design.Presets() {
		one := CheckRequest{Files: []File{{"design.yaml", p.Text}}, Aside: true}
		aside, err := checkDesign(ctx, one, nil)
		if err != nil {
			t.Fatal(err)
		}
		if judgements.files[0] != files[0] || judgements.reports[0].report != before || &readings.designs[0] != &designs[0] {
			t.Fatalf("%s took the place of the design", p.Name)
		}
		if want := lint.CheckSources([]*design.Source{design.NewSource("design.yaml", []byte(p.Text))}, lint.Options{}); aside.Verdict != want.Verdict() || len(aside.Findings) != len(want.Findings) {
			t.Errorf("%s: %s, but %s", p.Name, aside.Verdict, want.Verdict())
		}
	}
}
