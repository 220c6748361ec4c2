package size

import (
	"fmt"
	"strings"
	"testing"
)

// largeDesign is a design of the size that the budget is set for: with its
// findings, 50 ms.
func largeDesign(streams, consumers int) string {
	var b strings.Builder
	b.WriteString("weir: 1\nname: large\nserver: {version: \"2.15\", nodes: 3, memory: 32GiB, disk: 4TiB}\nstreams:\n")
	for i := range streams {
		fmt.Fprintf(&b, "  S%d:\n    subjects: [s%d.>]\n    max_age: 72h\n    max_bytes: 10GiB\n    num_replicas: 3\n    consumers:\n", i, i)
		for j := range consumers {
			fmt.Fprintf(&b, "      c%d: {filter_subject: s%d.*.created, ack_policy: explicit, workers: {count: 4, concurrency: 8, fetch: 50, service_time: {p50: 20ms, p99: 400ms}}}\n", j, i)
		}
	}
	b.WriteString("publishers:\n")
	for i := range streams {
		fmt.Fprintf(&b, "  p%d: {subject: \"s%d.{region}.created\", tokens: {region: 12}, rate: %d/s, bursts: [{rate: 500/s, for: 5m, every: 24h}], payload: 1KiB, msg_id: uuid}\n", i, i, 10+i)
	}
	return b.String()
}

// BenchmarkFromDesign is the budget's case: 200 streams, 1,000 consumers.
func BenchmarkFromDesign(b *testing.B) {
	d := parsed(b, largeDesign(200, 5))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := FromDesign(d, DesignOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
