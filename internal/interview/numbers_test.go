package interview_test

import (
	"slices"
	"strings"
	"testing"

	"weir/design"
	"weir/internal/interview"
	"weir/lint"
	"weir/synth"
)

// TestFromNumbers: what four numbers lead to is complete, healthy, and every target
// can be written from it.
func TestFromNumbers(t *testing.T) {
	for _, c := range []struct {
		name    string
		numbers interview.Numbers
		holds   string
	}{
		{"example", interview.ExampleNumbers(), "concurrency: 1 #"},
		{"slow work", interview.Numbers{Rate: "200/s", Size: "64KiB", Workers: "3", Work: "2s"}, "concurrency: 191 #"},
		{"a message an hour", interview.Numbers{Rate: "1/h", Size: "10B", Workers: "1", Work: "1ms"}, "count: 1"},
		{"many", interview.Numbers{Rate: "2000/s", Size: "200B", Workers: "5", Work: "5ms"}, "concurrency: 3 #"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, faults := interview.FromNumbers(c.numbers)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if !strings.Contains(r.Text, c.holds) || r.Advised < 10 {
				t.Errorf("%d values were advised in\n%s\nwithout %q", r.Advised, r.Text, c.holds)
			}
			src := design.NewSource(interview.FileName, []byte(r.Text))
			for _, f := range lint.CheckSources([]*design.Source{src}, lint.Options{}).Findings {
				if f.Severity != design.Info {
					t.Errorf("%s: %s\n%s", f.Code, f.Message, r.Text)
				}
			}
			d, problems := design.ParseSource(src)
			if problems.Failed() {
				t.Fatal(problems)
			}
			for _, target := range synth.Targets() {
				if _, err := synth.Generate(target.Name, d); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

func TestFromNumbersRefuses(t *testing.T) {
	example := interview.ExampleNumbers()
	for _, c := range []struct {
		name  string
		edit  func(*interview.Numbers)
		field string
		says  string
	}{
		{"no unit", func(n *interview.Numbers) { n.Rate = "800" }, "rate", "unit"},
		{"nothing is published", func(n *interview.Numbers) { n.Rate = "0/s" }, "rate", "publishes nothing"},
		{"too large", func(n *interview.Numbers) { n.Size = "2MiB" }, "size", "max_payload"},
		{"no workers", func(n *interview.Numbers) { n.Workers = "0" }, "workers", "whole number from 1"},
		{"no time", func(n *interview.Numbers) { n.Work = "0s" }, "work", "no time"},
		{"not enough workers", func(n *interview.Numbers) { n.Rate, n.Workers, n.Work = "10000/s", "1", "1h" }, "workers", "more workers"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := example
			c.edit(&n)
			_, faults := interview.FromNumbers(n)
			if !slices.ContainsFunc(faults, func(f interview.Fault) bool { return f.Field == c.field && strings.Contains(f.Says, c.says) }) {
				t.Errorf("faults are %v", faults)
			}
		})
	}
}
