package engine

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLongTexts: what the page is given of a subject of a megabyte it can draw,
// wherever the subject is named.
func TestLongTexts(t *testing.T) {
	const long = 1 << 18 // a quarter, for the time that a test may take
	shapes := map[string]string{
		"one token":   strings.Repeat("x", long),
		"many tokens": strings.Repeat("ab.", long/3) + "c",
		"wildcards":   strings.Repeat("*.", long/2) + "c",
		"letters":     strings.Repeat("日", long/3),
		"a function":  "{{" + strings.Repeat("y", long) + "}}",
		"levels":      strings.Repeat("a/", long/2) + "#",
		"empty token": strings.Repeat("a.", long/2),
	}
	for name, s := range shapes {
		requests := map[string]any{
			"subject.explain":     ExplainRequest{Subject: s},
			"subject.match":       MatchRequest{Pattern: s, Subject: s},
			"subject.relate":      RelateRequest{A: s, B: ">"},
			"subject.overlaps":    OverlapsRequest{Patterns: []string{s, s, ">", s}},
			"subject.transform":   TransformRequest{Source: ">", Destination: "a.>", Subjects: []string{s, s}},
			"subject.partition":   PartitionRequest{Keys: []string{s}, Partitions: 3},
			"subject.cardinality": CardinalityRequest{Template: s},
			"subject.mqtt":        MQTTRequest{Text: s, Kind: "filter"},
		}
		for method, req := range requests {
			t.Run(name+"/"+method, func(t *testing.T) { askLong(t, method, req) })
		}
		t.Run(name+"/destination", func(t *testing.T) {
			askLong(t, "subject.transform", TransformRequest{Source: s, Destination: s, Subjects: []string{"a"}})
			askLong(t, "subject.explain", ExplainRequest{Subject: s, Context: "transform-destination"})
			askLong(t, "subject.explain", ExplainRequest{Subject: s, Context: "stream"})
		})
	}
}

func askLong(t *testing.T, method string, req any) {
	t.Helper()
	in, err := json.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	out := Call(context.Background(), method, in, nil)
	if len(out) > 300_000 {
		t.Errorf("%s: the reply has %d bytes, it begins %.200s", method, len(out), out)
	}
	if !utf8.Valid(out) || strings.Contains(string(out), "\ufffd") {
		t.Errorf("%s: cut inside a letter", method)
	}
}

func TestGroupCounts(t *testing.T) {
	counts := make([]int, 1_000_001)
	for i := range counts {
		counts[i] = i % 3
	}
	groups := groupCounts(counts)
	if len(groups) > mostBars || len(groups) < mostBars/2 {
		t.Fatalf("%d groups", len(groups))
	}
	next, keys := 0, 0
	for _, g := range groups {
		if g.From != next || g.To < g.From || g.Mean < 0.99 || g.Mean > 1.01 {
			t.Errorf("%+v does not go on from %d", g, next)
		}
		next, keys = g.To+1, keys+g.Keys
	}
	if next != len(counts) || keys != 1_000_000 {
		t.Errorf("up to %d, %d keys", next, keys)
	}
	if groupCounts(counts[:mostBars]) != nil {
		t.Error("few partitions were grouped")
	}
}
