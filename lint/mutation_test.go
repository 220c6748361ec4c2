package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/design"
	"weir/subject"
)

// mutant is a healthy design with one fault put into it, and the rule that has to
// find it.
type mutant struct {
	name, code string
	set        []written
}

// written is a value to write at a path.
type written struct{ path, value string }

// mutants lists the faults that can be put into a design, one by one: at every
// consumer, stream and publisher that a fault can stand at.
func mutants(d *design.Design) []mutant {
	var out []mutant
	add := func(code, path, value string, more ...written) {
		out = append(out, mutant{fmt.Sprintf("%s at %s: %s", code, path, value), code, append([]written{{path, value}}, more...)})
	}
	for _, s := range d.Streams {
		if len(s.Config.Subjects) == 0 {
			continue
		}
		first := s.Config.Subjects[0]
		root := subject.Tokens(first)[0]
		at := design.Join(s.Path, "subjects")
		add("SUB011", at, `[">"]`)
		add("SUB001", at, fmt.Sprintf(`[%s.>.x]`, root))
		add("SUB008", at, fmt.Sprintf(`[%s.>, %s.a.b]`, root, root))
		for _, other := range d.Streams {
			if other != s && len(other.Config.Subjects) > 0 {
				add("SUB007", design.Join(other.Path, "subjects"), fmt.Sprintf("[%q]", first))
				break
			}
		}
		for _, c := range s.Consumers {
			out = append(out, consumerMutants(s, c, root)...)
			out = append(out, workMutants(d, s, c)...)
		}
	}
	for _, p := range d.Publishers {
		out = append(out, sendingMutants(p, d.Streams)...)
	}
	return slices.Concat(out, streamMutants(d), bucketMutants(d), publisherMutants(d))
}

func consumerMutants(s *design.Stream, c *design.Consumer, root string) []mutant {
	var out []mutant
	add := func(code, path, value string) {
		out = append(out, mutant{fmt.Sprintf("%s at %s: %s", code, path, value), code, []written{{path, value}}})
	}
	filter := design.Join(c.Path, "filter_subject")
	if len(c.Config.FilterSubjects) == 0 {
		add("SUB001", filter, root+".>.x")
		add("SUB002", filter, fmt.Sprintf("%q", root+"*.x"))
		add("SUB003", filter, "nothing.of.it")
		add("SUB010", filter, root+".a.b")
		out[len(out)-1].set = []written{{design.Join(c.Path, "filter_subjects"), fmt.Sprintf("[%s.>, %s.a.b]", root, root)}}
	}
	for _, w := range c.Workers {
		p99, known := P99(w.ServiceTime)
		if known && p99 > 10*time.Millisecond && w.InProgress == 0 && len(c.Config.BackOff) == 0 && c.Config.AckPolicy.String() != "None" && c.Config.AckWait > 0 {
			add("CON001", design.Join(c.Path, "ack_wait"), design.FormatDuration(int64(p99/2)))
		}
	}
	return out
}

func publisherMutants(d *design.Design) []mutant {
	var out []mutant
	for _, p := range d.Publishers {
		at := design.Join(p.Path, "subject")
		stored := false
		for _, s := range d.Streams {
			for _, subj := range s.Config.Subjects {
				if subject.Meet(p.Pattern(), subj) {
					stored = true
					if s.Config.Discard.String() == "New" {
						mode := design.Join(p.Path, "mode")
						out = append(out, mutant{"PUB001 at " + mode, "PUB001", []written{{mode, "core"}}})
					}
				}
			}
		}
		if !stored || p.Mode == "core" {
			continue
		}
		out = append(out,
			mutant{"SUB005 at " + at, "SUB005", []written{{at, fmt.Sprintf("%q", "mistyped"+p.Subject)}}},
			mutant{"SUB015 at " + at, "SUB015", []written{{at, fmt.Sprintf("%q", p.Pattern()+".*")}}})
	}
	return out
}

// TestMutants: of the faults that are put into the presets at least 95 % are
// found, and there are at least a hundred of them.
func TestMutants(t *testing.T) {
	made, found := 0, 0
	for _, p := range design.Presets() {
		if p.Name == "five-traps" {
			continue
		}
		healthy, problems := design.Parse(p.Name+".yaml", []byte(p.Text))
		if problems != nil {
			t.Fatal(problems)
		}
		for _, m := range mutants(healthy) {
			text, ok := mutate(p.Text, m)
			if !ok {
				continue // the value stands on several lines
			}
			made++
			hit := false
			r := CheckSources([]*design.Source{design.NewSource(p.Name+".yaml", []byte(text))}, Options{})
			for _, f := range r.Findings {
				hit = hit || f.Code == m.code && f.Severity != design.Info
			}
			if hit {
				found++
				continue
			}
			var said []string
			for _, f := range r.Findings {
				said = append(said, f.Code+" "+f.Path)
			}
			t.Logf("%s: %s is not found; there is %s", p.Name, m.name, strings.Join(said, ", "))
		}
	}
	t.Logf("%d of %d faults found", found, made)
	if made < 100 || found*100 < made*95 {
		t.Errorf("%d of %d faults are found, want 95 of 100 of at least 100", found, made)
	}
}

// mutate writes the values of a fault into a text; ok is false when there is no
// place for one.
func mutate(text string, m mutant) (string, bool) {
	for _, s := range m.set {
		src := design.NewSource("design.yaml", []byte(text))
		d, problems := design.ParseSource(src)
		if problems.Failed() {
			return "", false
		}
		fix := d.SetFix("", s.path, s.value)
		if fix == nil {
			return "", false
		}
		edited, err := design.ApplyEdits(src, fix.Edits)
		if err != nil {
			return "", false
		}
		text = string(edited)
	}
	return text, true
}
