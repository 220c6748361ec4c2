package sim

import (
	"testing"
	"time"
)

// TestScaled: a run in half of the time has the same messages and shares, and
// half of the latency.
func TestScaled(t *testing.T) {
	const text = `
weir: 1
streams:
  S: {subjects: [s], consumers: {c: {ack_policy: explicit, ack_wait: 1s, workers: {count: 8, concurrency: 4, fetch: 8, service_time: {p50: 200ms, p99: 2s}, errors: {rate: 5%, action: nak, delay: 4s}}}}}
publishers: {p: {subject: s, rate: 40/s, mode: async, payload: 100B, bursts: [{rate: 4000/s, for: 1m}]}}
`
	m := model(t, text, DesignOptions{For: 20 * time.Minute, Usual: true})
	all := runModel(t, m).Consumers[0]
	half := m.Scaled(Scale{Time: 2, Rate: 1})
	half.Until = m.Until / 2
	short := runModel(t, half).Consumers[0]
	near(t, "messages", float64(short.Unique), float64(all.Unique), 0.03)
	near(t, "messages at 40/s", float64(all.Unique), 40*20*60, 0.03)
	near(t, "handled twice", float64(short.HandledTwice), float64(all.HandledTwice), 0.1)
	near(t, "redeliveries", float64(short.Redeliveries), float64(all.Redeliveries), 0.05)
	near(t, "p50", 2*float64(short.Sojourn.Percentile(50)), float64(all.Sojourn.Percentile(50)), 0.05)
	if all.HandledTwice == 0 {
		t.Error("nothing is handled twice")
	}
	// A publisher that kept to half of its rate only.
	less := m.Scaled(Scale{Published: map[string]float64{"p": 0.5, "other": 0.1}})
	near(t, "messages at 20/s", float64(runModel(t, less).Consumers[0].Unique), 20*20*60, 0.03)
	// A fifth of the rates with a quarter of the workers, published for a while.
	part := m.Scaled(Scale{Rate: 0.2, Publish: time.Minute, Workers: func(*WorkerGroup) (int, int) { return 2, 4 }})
	r := runModel(t, part)
	if len(r.Workers) != 2 {
		t.Errorf("%d workers", len(r.Workers))
	}
	near(t, "messages of a minute", float64(r.Streams[0].Stored), 0.2*40*60, 0.15)
}
