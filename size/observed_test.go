package size

import (
	"strings"
	"testing"

	"weir/design"
	"weir/dialect"
)

// TestFromDesign_observed: a stream whose info says what it holds is sized as that,
// where nothing says what is published into it.
func TestFromDesign_observed(t *testing.T) {
	const info = `{"config":{"name":"A","subjects":["a.>"],"storage":"STORAGE","num_replicas":1,"retention":"limits"},"created":"2026-05-01T10:00:00Z","state":STATE}`
	for _, tc := range []struct {
		name, storage, state string
		messages, bytes      float64
	}{
		{"file", "file", `{"messages":1200000,"bytes":1800000000,"num_subjects":40}`, 1_200_000, 1_800_000_000},
		{"memory", "memory", `{"messages":1000,"bytes":100000}`, 1_000, 100_000},
		{"empty", "file", `{"messages":0,"bytes":0}`, 0, 0},
		{"impossible", "file", `{"messages":1000,"bytes":10}`, 0, 0},
		{"negative", "file", `{"messages":-1,"bytes":-1}`, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text := strings.NewReplacer("STORAGE", tc.storage, "STATE", tc.state).Replace(info)
			designs, problems := dialect.Read([]*design.Source{design.NewSource("a.json", []byte(text))})
			if problems.Failed() || len(designs) != 1 {
				t.Fatal(problems)
			}
			z, err := FromDesign(designs[0], DesignOptions{})
			if err != nil {
				t.Fatal(err)
			}
			s := z.Streams[0]
			got := s.Size.Retained.Messages.Value
			near := func(a, b float64) bool { return a-b < 1 && b-a < 1 }
			if !near(got, tc.messages) || !near(s.Size.Reported.Value, tc.bytes) {
				t.Errorf("%v messages, %v B, want %v and %v", got, s.Size.Reported.Value, tc.messages, tc.bytes)
			}
		})
	}
}
