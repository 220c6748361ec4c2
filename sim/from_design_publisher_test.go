package sim

import (
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
