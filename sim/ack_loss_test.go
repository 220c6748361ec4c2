package sim

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestAckLoss: a lost ack costs a second handling after ack_wait; without acks
// there is none to lose.
func TestAckLoss(t *testing.T) {
	const text = `
weir: 1
streams:
  S: {subjects: [s], consumers: {c: {ack_policy: POLICY, ack_wait: 1s, workers: {count: 2, concurrency: 4, fetch: 4, service_time: 5ms, errors: {rate: 2%, action: ack_lost}}}}}
publishers: {p: {subject: s, rate: 200/s, mode: async, payload: 100B}}
`
	for _, x := range []struct {
		policy string
		share  float64
	}{{"explicit", 0.02}, {"none", 0}} {
		t.Run(x.policy, func(t *testing.T) {
			m := model(t, strings.Replace(text, "POLICY", x.policy, 1), DesignOptions{For: 5 * time.Minute, Usual: true})
			c := runModel(t, m).Consumers[0]
			if want := x.share * float64(c.Unique); math.Abs(float64(c.HandledTwice)-want) > 0.15*want {
				t.Errorf("%d of %d handled twice, want %.0f", c.HandledTwice, c.Unique, want)
			}
			if c.AckLost < c.HandledTwice || float64(c.Sojourn.Count()) < 0.999*float64(c.Unique) {
				t.Errorf("%d acks lost, %d handled twice, %d of %d confirmed", c.AckLost, c.HandledTwice, c.Sojourn.Count(), c.Unique)
			}
		})
	}
}
