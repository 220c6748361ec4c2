package sim

import (
	"context"
	"testing"
	"time"
)

// hour is one stream at 10,000 messages a second, read by two consumers with ten
// workers each.
func hour() Workload {
	perSecond := int64(time.Second / 10_000)
	w := Workload{
		Streams:    []Stream{{Name: "ORDERS", MaxAge: 72 * time.Hour}},
		Publishers: []Publisher{{Name: "checkout", Stream: "ORDERS", Subjects: []string{"orders.created"}, Mode: PublishAsync, Payload: Lognormal(1000, 8000), Phases: []Phase{{Interval: Exponential(perSecond)}}}},
		Overhead:   MeasuredOverhead,
	}
	for _, name := range []string{"billing", "shipping"} {
		w.Consumers = append(w.Consumers, Consumer{Stream: "ORDERS", Name: name})
		w.Workers = append(w.Workers, WorkerGroup{
			Name: name, Stream: "ORDERS", Consumer: name, Count: 10, Concurrency: 4, Batch: 50, Expires: 5 * time.Second,
			Service: Exponential(int64(2 * time.Millisecond)),
		})
	}
	return w
}

func runHour(b *testing.B, length time.Duration) {
	var events uint64
	for b.Loop() {
		res, err := Run(context.Background(), hour(), Options{Seed: 1, Until: length})
		if err != nil {
			b.Fatal(err)
		}
		events = res.Events
		b.ReportMetric(float64(res.Streams[0].Stored), "messages")
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
}

// BenchmarkHour is the budget: an hour in 12 s on one core.
func BenchmarkHour(b *testing.B) { runHour(b, time.Hour) }

// BenchmarkMinute is the same in a size for every day.
func BenchmarkMinute(b *testing.B) { runHour(b, time.Minute) }
