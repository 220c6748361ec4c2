package lint

import (
	"reflect"
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// TestKept: with what earlier checks found out a check says the same as without,
// whatever was edited since, and for whichever version.
func TestKept(t *testing.T) {
	targets := append(natsapi.Known(), natsapi.Version{})
	var kept Kept
	n := 0
	check := func(text string) {
		t.Helper()
		// Each text twice in a row for one version: the second time all of it is kept.
		target := targets[n/2%len(targets)]
		n++
		sources := []*design.Source{design.NewSource("design.yaml", []byte(text))}
		want := CheckSources(sources, Options{Target: target})
		got := CheckSources(sources, Options{Target: target, Kept: &kept})
		if n%3 == 0 { // some checks forget nothing, as those for several versions of one text
			kept.Forget()
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("for %s with what was kept:\n%s\n%+v\nwithout:\n%s\n%+v\n%s", target, got.Sentence(), got.Findings, want.Sentence(), want.Findings, text)
		}
	}
	for _, p := range design.Presets() {
		healthy, problems := design.Parse(p.Name+".yaml", []byte(p.Text))
		if problems != nil {
			t.Fatal(problems)
		}
		for i, m := range mutants(healthy) {
			text, ok := mutate(p.Text, m)
			if ok && i%3 == 0 {
				check(text)
				check(text)
				check(p.Text)
			}
		}
	}
	eachPage(t, func(t *testing.T, _ *Rule, p Page) {
		for _, e := range append(append(p.Bad, p.Good...), p.Fixed) {
			check(e.Text)
			check(e.Text)
		}
	})
	for _, first := range []string{"jobs.a", "jobs.b", "jobs.a"} { // what the second is refused for, and is not
		text := `{weir: 1, streams: {JOBS: {subjects: [jobs.*], retention: workqueue, consumers: {first: {ack_policy: explicit, filter_subject: ` + first + `}, second: {ack_policy: explicit, filter_subject: jobs.b}}}}}`
		check(text)
		check(text)
	}
	t.Logf("%d checks", n)
}

// TestKeptForgets: what is kept does not grow with the number of edits.
func TestKeptForgets(t *testing.T) {
	var kept Kept
	text := largeDesign(3, 4)
	for i := range 50 {
		edited := strings.Replace(text, "ack_wait: 30s", "ack_wait: "+design.FormatDuration(int64(31+i)*1e9), 1)
		for _, target := range []string{"2.12", "2.14"} {
			v, err := natsapi.ParseVersion(target)
			if err != nil {
				t.Fatal(err)
			}
			CheckSources([]*design.Source{design.NewSource("design.yaml", []byte(edited))}, Options{Target: v, Kept: &kept})
		}
		kept.Forget()
	}
	if n := len(kept.consumers.before); n > 2*12 {
		t.Errorf("%d configurations of consumers are kept of a design with 12 for two versions", n)
	}
}
