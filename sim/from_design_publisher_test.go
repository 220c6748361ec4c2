package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestPartitionsOfCountedKeys: keys that are counted and not named fall into all
// partitions, evenly.
func TestPartitionsOfCountedKeys(t *testing.T) {
	m := model(t, `
weir: 1
streams:
  S:
    subjects: [o.*]
    subject_transform: {src: "o.*", dest: "o.{{partition(4,1)}}.{{wildcard(1)}}"}
    consumers:
      p0: {ack_policy: explicit, filter_subject: "o.0.*", workers: {count: 1, service_time: 1ms}}
      p3: {ack_policy: explicit, filter_subject: "o.3.*", workers: {count: 1, service_time: 1ms}}
publishers: {p: {subject: "o.{k}", tokens: {k: 1000}, rate: 100/s, payload: 100B}}
`, DesignOptions{For: 10 * time.Minute})
	for c := range m.Consumers {
		if needed, ok := m.WorkersNeeded(c); !ok || needed.Rate < 24 || needed.Rate > 26 {
			t.Errorf("%s gets %g/s, not 25: %v", m.Consumers[c].Name, needed.Rate, ok)
		}
	}
	if res := runModel(t, m); res.Streams[0].Stored < 57_000 || res.Streams[0].Stored > 63_000 {
		t.Errorf("stored %d of 60,000", res.Streams[0].Stored)
	}
}

// TestCircles: streams that pass messages round without end are named and warned of,
// whatever the goals; those that only look like it are not; and a mesh of streams, which
// has more ways than anybody can wait for, is answered.
func TestCircles(t *testing.T) {
	mesh := "weir: 1\nstreams:\n"
	for i := range 16 {
		var from []string
		for k := range 16 {
			if k != i {
				from = append(from, fmt.Sprintf("{name: S%d}", k))
			}
		}
		mesh += fmt.Sprintf("  S%d: {subjects: [s%d.>], sources: [%s]}\n", i, i, strings.Join(from, ", "))
	}
	for _, tt := range []struct{ name, text, want string }{
		{"republished to each other", `
weir: 1
goals: {lost: 0}
streams:
  A: {subjects: [a.>], republish: {src: "a.>", dest: "b.>"}, consumers: {c: {ack_policy: explicit, workers: {count: 10, service_time: 1ms}}}}
  B: {subjects: [b.>], republish: {src: "b.>", dest: "a.>"}}
publishers: {p: {subject: a.x, rate: 100/s, payload: 100B}}
`, "A -> B -> A"},
		{"entered from outside", `
weir: 1
streams:
  X: {subjects: [x.>], republish: {src: "x.>", dest: "c.>"}}
  C: {subjects: [c.>], republish: {src: "c.>", dest: "d.>"}}
  D: {subjects: [d.>], republish: {src: "d.>", dest: "c.>"}}
publishers: {p: {subject: x.x, rate: 100/s, payload: 100B}}
`, "C -> D -> C"},
		{"back under a subject that goes no further", `
weir: 1
streams:
  A: {subjects: [a.>, c.>], republish: {src: "a.>", dest: "b.>"}}
  B: {subjects: [b.>], republish: {src: "b.>", dest: "c.>"}}
publishers: {p: {subject: a.x, rate: 100/s, payload: 100B}}
`, ""},
		{"a mesh", mesh + "publishers: {p: {subject: s0.x, rate: 1/s, payload: 100B}}\n", "S0 -> S1 -> S0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := model(t, tt.text, DesignOptions{For: 10 * time.Second})
			a, err := m.Simulate(t.Context(), SimulateOptions{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			if coarse, err := m.Estimate(); err != nil || coarse.Met != (tt.want == "") || !strings.Contains(coarse.Verdict, tt.want) {
				t.Errorf("the estimate: %v, %+v", err, coarse)
			}
			if tt.want == "" {
				if !a.Met || len(a.Findings) > 0 && a.Findings[0].Severity == severityWarning {
					t.Errorf("%s: %+v", a.Verdict, a.Findings)
				}
				return
			}
			if a.Met || !strings.Contains(a.Verdict, "goes round without end ("+tt.want+")") || a.Findings[0].Advice == "" {
				t.Errorf("%s: %+v", a.Verdict, a.Findings)
			}
			if warned := strings.Count(fmt.Sprint(a.Findings), "warning"); warned > mostCircles+1 {
				t.Errorf("%d warnings", warned)
			}
		})
	}
}
