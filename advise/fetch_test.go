package advise_test

import (
	"strconv"
	"strings"
	"testing"

	"weir/advise"
	"weir/design"
	"weir/sim"
)

// TestFetch_oneRule: what is advised of a batch is what the simulator recommends, by
// which weir new writes it, and what is said of a larger one is worked out.
func TestFetch_oneRule(t *testing.T) {
	for _, tt := range []struct {
		name, service, takes string
		concurrency          int
	}{
		{"orders", "{p50: 20ms, p99: 400ms}", "for 5.73 s", 8},
		{"one at a time", "20ms", "for 20 s", 1},
		{"quick", "1ms", "for 63 ms", 16},
		{"minutes", "2m", "for 33 h 20 min", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := "weir: 1\nstreams: {S: {subjects: [s], consumers: {c: {workers: {service_time: " + tt.service + "}}}}}\n"
			d, problems := design.Parse("d.yaml", []byte(text))
			if problems.Failed() {
				t.Fatal(problems)
			}
			service := d.Streams[0].Consumers[0].Workers[0].ServiceTime
			draw, err := sim.ServiceDraw(service)
			if err != nil {
				t.Fatal(err)
			}
			rule, err := sim.Recommend(sim.ConsumerNeeds{Service: draw, Concurrency: tt.concurrency})
			if err != nil {
				t.Fatal(err)
			}
			a, err := advise.ForConsumer(advise.ConsumerNeeds{Stream: "S", Name: "c", Service: service, Concurrency: tt.concurrency})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range a.Assets[0].Settings {
				if s.Field != "workers.fetch" {
					continue
				}
				if n := s.Advised; n != strconv.Itoa(rule.Fetch) {
					t.Errorf("advised %s, the simulator recommends %d", n, rule.Fetch)
				}
				if last := s.Rejected[len(s.Rejected)-1].Why; !strings.Contains(last, tt.takes) {
					t.Errorf("%q does not say %q", last, tt.takes)
				}
				return
			}
			t.Error("no fetch is advised")
		})
	}
}
