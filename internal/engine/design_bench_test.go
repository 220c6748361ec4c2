package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"weir/internal/engine"
)

// BenchmarkDesignCheck judges a design of 200 streams and 1,000 consumers after
// an edit, reading included, for which the budget is 80 ms and 400 ms under
// js/wasm: for the same version and, of which less is kept, for another.
func BenchmarkDesignCheck(b *testing.B) {
	var text strings.Builder
	text.WriteString("weir: 1\nserver: {nodes: 3, disk: 8TiB}\nstreams:\n")
	for i := range 200 {
		fmt.Fprintf(&text, "  S%d:\n    subjects: [s%d.>]\n    max_age: 72h\n    max_bytes: 10GiB\n    num_replicas: 3\n    consumers:\n", i, i)
		for j := range 5 {
			fmt.Fprintf(&text, "      c%d: {filter_subject: s%d.*.created, ack_policy: explicit, ack_wait: 30s, workers: {count: 4, service_time: {p50: 20ms, p99: 400ms}}}\n", j, i)
		}
	}
	requests := func(targets [2]string, texts ...string) (out [][]byte) {
		for i, t := range texts {
			req, err := json.Marshal(engine.CheckRequest{Files: []engine.File{{Name: "large.yaml", Text: t}}, Target: targets[i]})
			if err != nil {
				b.Fatal(err)
			}
			out = append(out, req)
		}
		return out
	}
	edited := strings.Replace(text.String(), "30s", "31s", 1)
	for _, bb := range []struct {
		name     string
		requests [][]byte
	}{
		{"edit", requests([2]string{"2.14", "2.14"}, text.String(), edited)},
		{"edit and version", requests([2]string{"2.12", "2.14"}, text.String(), edited)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				reply := engine.Call(context.Background(), "design.check", bb.requests[i%2], nil)
				if !strings.Contains(string(reply), `"requests":1200`) {
					b.Fatalf("%.300s", reply)
				}
			}
		})
	}
}
