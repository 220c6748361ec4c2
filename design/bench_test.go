package design

import (
	"fmt"
	"strings"
	"testing"
)

// largeDesign is a design of the size that the budget of the studio is set for.
func largeDesign(streams, consumers int) string {
	var b strings.Builder
	b.WriteString("weir: 1\nname: large\nserver: {version: \"2.15\", nodes: 3, memory: 32GiB, disk: 2TiB}\nstreams:\n")
	for i := range streams {
		fmt.Fprintf(&b, "  S%d:\n    subjects: [s%d.>]\n    retention: limits\n    max_age: 72h\n    max_bytes: 10GiB\n    num_replicas: 3\n    duplicate_window: 2m\n    consumers:\n", i, i)
		for j := range consumers {
			fmt.Fprintf(&b, "      c%d:\n        filter_subject: s%d.*.created\n        ack_policy: explicit\n        ack_wait: 30s\n        workers: {count: 4, concurrency: 8, fetch: 50, service_time: {p50: 20ms, p99: 400ms}, in_progress: 10s, errors: {rate: 1%%, action: nak, delay: 5s}}\n", j, i)
		}
	}
	return b.String()
}

// BenchmarkParse is the budget's case: 200 streams, 1,000 consumers with their
// workers.
func BenchmarkParse(b *testing.B) {
	text := []byte(largeDesign(200, 5))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, ps := Parse("f.yaml", text); ps != nil {
			b.Fatal(ps)
		}
	}
}

func BenchmarkRequests(b *testing.B) {
	d, ps := Parse("f.yaml", []byte(largeDesign(200, 5)))
	if ps != nil {
		b.Fatal(ps)
	}
	b.ReportAllocs()
	for b.Loop() {
		d.Requests()
	}
}

func BenchmarkParseYAML(b *testing.B) {
	text := []byte(largeDesign(200, 5))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ParseYAML(NewSource("f", text))
	}
}
