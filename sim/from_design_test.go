package sim

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"weir/design"
)

// model compiles a design that has to be right.
func model(t testing.TB, text string, o DesignOptions) *Model {
	t.Helper()
	d, problems := design.Parse("test.yaml", []byte(text))
	if problems.Failed() {
		t.Fatal(problems)
	}
	m, err := FromDesign(d, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func runModel(t testing.TB, m *Model) *Result {
	t.Helper()
	res, err := Run(context.Background(), m.Workload, Options{Seed: 1, Until: m.Until})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

const shop = `
weir: 1
server: {nodes: 3}
streams:
  ORDERS:
    subjects: [orders.>]
    num_replicas: 3
    consumers:
      eu: {filter_subject: orders.eu.created, ack_policy: explicit, workers: {count: 2, concurrency: 4, fetch: 4, service_time: 5ms}}
      all: {ack_policy: explicit, workers: {count: 2, concurrency: 4, fetch: 4, service_time: 5ms, errors: [{rate: 10%, action: nak, delay: 1s}, {rate: 5%, action: term}]}}
publishers:
  checkout: {subject: "orders.{region}.created", tokens: {region: 4}, rate: 200/s, payload: 100B}
scenarios:
  stall: [{at: 1m, stall: eu, for: 30s}]
  scale: [{at: 1m, scale: all, to: 5, for: 1m}]
  burst: [{at: 1m, burst: checkout, rate: 1000/s, for: 1m}]
  slow: [{at: 1m, slow: all, factor: 10, for: 1m}]
  node: [{at: 1m, kill: node 1, for: 1m}]
  two: [{at: 1m, kill: node 1, for: 1m}, {at: 70s, kill: node 2, for: 20s}]
`

// TestShares: a filter's word is one of a token's values, and takes its share.
func TestShares(t *testing.T) {
	res := runModel(t, model(t, shop, DesignOptions{For: 10 * time.Minute}))
	stored := float64(res.Streams[0].Stored)
	near(t, "stored", stored, 120_000, 0.02)
	near(t, "eu", float64(res.Consumers[0].Unique), stored/4, 0.03)
	all := res.Consumers[1]
	near(t, "naks", float64(all.Naks), 0.10*float64(all.Runs), 0.05)
	near(t, "terms", float64(all.Terms), 0.05*float64(all.Runs), 0.06)
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within*want {
		t.Errorf("%s: got %v, want %v within %v %%", what, got, want, 100*within)
	}
}

func TestScenarios_ofDesigns(t *testing.T) {
	tests := []struct {
		name string
		says func(m *Model, r *Result) error
	}{
		{"stall", func(_ *Model, r *Result) error {
			// 50 messages a second for 30 s wait.
			return within("pending", r.Consumers[0].MaxPending+r.Consumers[0].MaxAckPending, 1400, 1700)
		}},
		{"scale", func(m *Model, r *Result) error {
			if len(m.Workers) != 3 || m.Workers[2].Count != 3 || m.Workers[2].Start != time.Minute || m.Workers[2].Stop != 2*time.Minute {
				return fmt.Errorf("groups are %+v", m.Workers)
			}
			return within("deliveries of the new ones", r.Workers[4].Deliveries, 1000, 6000)
		}},
		{"burst", func(m *Model, r *Result) error {
			if len(m.Bursts) != 1 || m.Bursts[0].For != time.Minute {
				return fmt.Errorf("bursts are %+v", m.Bursts)
			}
			return within("stored", r.Streams[0].Stored, 5*60*200-60*200+60*1000-2000, 5*60*200-60*200+60*1000+2000)
		}},
		{"slow", func(_ *Model, r *Result) error {
			// 8 handlers of 50 ms take 160 of 200 a second, and naks come again.
			return within("pending", r.Consumers[1].MaxPending, 2000, 6000)
		}},
		{"node", func(_ *Model, r *Result) error {
			// The leader is on node 1: 4 to 9 s without it, and three attempts.
			return within("given up", r.Publishers[0].GivenUp, 4, 40)
		}},
		{"two", func(_ *Model, r *Result) error {
			// One of three is left for 20 s: every attempt waits 5 s for its answer.
			return within("unanswered", r.Publishers[0].Unanswered, 3, 8)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := model(t, shop, DesignOptions{Scenario: tt.name, For: 5 * time.Minute})
			if err := tt.says(m, runModel(t, m)); err != nil {
				t.Error(err)
			}
		})
	}
}

func within(what string, got, low, high int64) error {
	if got < low || got > high {
		return fmt.Errorf("%s: %d is not between %d and %d", what, got, low, high)
	}
	return nil
}

// TestPresets_run: every preset and each of its scenarios can be simulated.
func TestPresets_run(t *testing.T) {
	for _, p := range design.Presets() {
		d, _ := design.Parse(p.Name+".yaml", []byte(p.Text))
		names := []string{""}
		for _, s := range d.Scenarios {
			names = append(names, s.Name)
		}
		for _, name := range names {
			t.Run(p.Name+"/"+name, func(t *testing.T) {
				m, err := FromDesign(d, DesignOptions{Scenario: name, For: 5 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				res := runModel(t, m)
				if res.Streams[0].Stored+res.Streams[len(res.Streams)-1].Stored == 0 {
					t.Error("nothing was stored")
				}
			})
		}
	}
}

func TestFromDesign_refuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing publishes", "weir: 1\nstreams: {A: {subjects: [a]}}\n", "no publisher has a rate"},
		{"trace is missing", "weir: 1\nstreams: {A: {subjects: [a], consumers: {c: {ack_policy: explicit, workers: {service_time: {trace: x.csv}}}}}}\npublishers: {p: {subject: a, rate: 1/s}}\n", `"x.csv" was not given`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, problems := design.Parse("test.yaml", []byte(tt.text))
			if problems.Failed() {
				t.Fatal(problems)
			}
			if _, err := FromDesign(d, DesignOptions{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestParseArrivals(t *testing.T) {
	tests := []struct {
		name, text string
		want       []time.Duration
		err        string
	}{
		{"durations", "1s\n500ms\n", []time.Duration{500 * time.Millisecond, time.Second}, ""},
		{"head with a unit", "arrival_ms\n1\n2.5\n", []time.Duration{time.Millisecond, 2500 * time.Microsecond}, ""},
		{"dates", "time,what\n2026-01-02T00:00:00Z,a\n2026-01-02T00:00:01Z,b\n", []time.Duration{0, time.Second}, ""},
		{"no unit", "5\n6\n", nil, "has no unit"},
		{"nothing", "# empty\n", nil, "no arrival"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseArrivals([]byte(tt.text))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("got %v, %v, want %q", got, err, tt.err)
				}
				return
			}
			if err != nil || fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %v, %v, want %v", got, err, tt.want)
			}
		})
	}
}

// TestHours: the shape of a day is that of the publisher's weights.
func TestHours(t *testing.T) {
	const text = `
weir: 1
streams: {A: {subjects: [a]}}
publishers: {p: {subject: a, rate: 10/s, hours: [0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4, 4, 4, 3, 2, 1, 0, 0, 0, 0, 0, 0]}}
`
	m := model(t, text, DesignOptions{For: 24 * time.Hour})
	r := runModel(t, m)
	near(t, "a day", float64(r.Streams[0].Stored), 864_000, 0.01)
	near(t, "up to 9:00", float64(r.Streams[0].Series[9*25-1].Msgs), 864_000*6/36, 0.01)
}

// TestManyProcessesDoNotBeginTogether: a run looks at publishers that were there
// before it, so its first instant has no message of each process.
func TestManyProcessesDoNotBeginTogether(t *testing.T) {
	for _, tt := range []struct{ name, mode string }{{"sync", "sync"}, {"async", "async"}, {"retries", "sync, msg_id: uuid, retry_for: 5m, on_reject: {retry: 10, backoff: 1s, then: dlq}"}} {
		t.Run(tt.name, func(t *testing.T) {
			m := model(t, `
weir: 1
streams: {S: {subjects: [s.>], discard: new, max_msgs: 100000, consumers: {c: {ack_policy: explicit, workers: {count: 10, concurrency: 10, service_time: 10ms}}}}}
publishers: {p: {subject: s.a, rate: 50/s, count: 200, payload: 100B, mode: `+tt.mode+`}}
`, DesignOptions{For: 20 * time.Second})
			r, err := Run(t.Context(), m.Workload, Options{Seed: 1, Until: m.Until, Sample: time.Second / 10})
			if err != nil {
				t.Fatal(err)
			}
			// 1,000 are expected in 20 s, with a standard deviation of 32.
			if n := r.Consumers[0].Unique; n < 850 || n > 1_150 {
				t.Errorf("%d messages, want about 1,000", n)
			}
			if first := r.Streams[0].Series[0].Msgs; first > 20 {
				t.Errorf("%d messages in the first 0.1 s, want about 5", first)
			}
		})
	}
}
