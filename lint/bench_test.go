package lint

import (
	"fmt"
	"strings"
	"testing"

	"weir/design"
)

// largeDesign is the design of the budgets: 200 streams, 1,000 consumers with
// their workers, 200 publishers.
func largeDesign(streams, consumers int) string {
	var b strings.Builder
	b.WriteString("weir: 1\nname: large\nserver: {version: \"2.15\", nodes: 3, memory: 32GiB, disk: 8TiB}\nstreams:\n")
	for i := range streams {
		fmt.Fprintf(&b, "  S%d:\n    subjects: [s%d.>]\n    retention: limits\n    max_age: 72h\n    max_bytes: 10GiB\n    num_replicas: 3\n    duplicate_window: 2m\n    consumers:\n", i, i)
		for j := range consumers {
			fmt.Fprintf(&b, "      c%d:\n        filter_subject: s%d.*.created\n        ack_policy: explicit\n        ack_wait: 30s\n        workers: {count: 4, concurrency: 8, fetch: 50, service_time: {p50: 20ms, p99: 400ms}, in_progress: 10s, errors: {rate: 1%%, action: nak, delay: 5s}}\n", j, i)
		}
	}
	b.WriteString("publishers:\n")
	for i := range streams {
		fmt.Fprintf(&b, "  p%d: {subject: \"s%d.{key}.created\", tokens: {key: 1000}, rate: 20/s, payload: 1KiB, msg_id: uuid, mode: async, in_flight: 64, retry_for: 1m, on_reject: {retry: 5, then: dlq}}\n", i, i)
	}
	return b.String()
}

// BenchmarkCheck judges a parsed design of 200 streams and 1,000 consumers: the
// budget is 50 ms, 250 ms under js/wasm.
func BenchmarkCheck(b *testing.B) {
	d, problems := design.Parse("large.yaml", []byte(largeDesign(200, 5)))
	if problems != nil {
		b.Fatal(problems)
	}
	b.ReportAllocs()
	for b.Loop() {
		if r := Check([]*design.Design{d}, nil, Options{}); len(r.Findings) > 0 || r.Consumers != 1000 {
			b.Fatal(r.Sentence(), r.Findings[:min(3, len(r.Findings))])
		}
	}
}

// BenchmarkCheckEdited judges the same design again and again, each time with
// another ack_wait of one consumer, as the studio does while somebody types.
func BenchmarkCheckEdited(b *testing.B) {
	text := largeDesign(200, 5)
	var designs []*design.Design
	for _, wait := range []string{"30s", "31s"} {
		d, problems := design.Parse("large.yaml", []byte(strings.Replace(text, "ack_wait: 30s", "ack_wait: "+wait, 1)))
		if problems != nil {
			b.Fatal(problems)
		}
		designs = append(designs, d)
	}
	var kept Kept
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if r := Check(designs[i%2:i%2+1], nil, Options{Kept: &kept}); len(r.Findings) > 0 || r.Consumers != 1000 {
			b.Fatal(r.Sentence(), r.Findings[:min(3, len(r.Findings))])
		}
		kept.Forget()
	}
}

// BenchmarkCheckSources is the same with reading: the budget is 80 ms, 400 ms
// under js/wasm.
func BenchmarkCheckSources(b *testing.B) {
	text := []byte(largeDesign(200, 5))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if r := CheckSources([]*design.Source{design.NewSource("large.yaml", text)}, Options{}); r.Consumers != 1000 {
			b.Fatal(r.Sentence())
		}
	}
}

// BenchmarkCheckRefused is a design of which every stream is refused.
func BenchmarkCheckRefused(b *testing.B) {
	text := strings.ReplaceAll(largeDesign(200, 5), "*.created", ">.created")
	d, _ := design.Parse("large.yaml", []byte(text))
	b.ReportAllocs()
	for b.Loop() {
		if r := Check([]*design.Design{d}, nil, Options{}); len(r.Findings) != 1000 {
			b.Fatal(r.Sentence())
		}
	}
}

// BenchmarkManyStreams judges 5,000 streams with a consumer each: a design whose
// size grows by ten must not take a hundred times as long.
func BenchmarkManyStreams(b *testing.B) {
	d, problems := design.Parse("many.yaml", []byte("weir: 1\n"+haAssetsDesign(5000)))
	if problems != nil {
		b.Fatal(problems)
	}
	for b.Loop() {
		if r := Check([]*design.Design{d}, nil, Options{}); r.Consumers != 5000 {
			b.Fatal(r.Sentence())
		}
	}
}
