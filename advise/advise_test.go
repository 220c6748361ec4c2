package advise_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"weir/advise"
	"weir/design"
	"weir/sim"
	"weir/size"
)

func parse(t testing.TB, text string) *design.Design {
	t.Helper()
	d, problems := design.Parse("design.yaml", []byte(text))
	if problems.Failed() {
		t.Fatalf("parse: %v\n%s", problems, text)
	}
	return d
}

func forDesign(t testing.TB, d *design.Design) advise.Advice {
	t.Helper()
	a, err := advise.ForDesign(d)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// setting finds one setting of one asset.
func setting(t testing.TB, a advise.Advice, asset, field string) advise.Setting {
	t.Helper()
	for _, x := range a.Assets {
		if x.Name != asset {
			continue
		}
		for _, s := range x.Settings {
			if s.Field == field {
				return s
			}
		}
	}
	t.Fatalf("no advice on %s of %s", field, asset)
	return advise.Setting{}
}

const orders = `
weir: 1
server: {version: "2.12", nodes: 3, disk: 200GiB}
streams:
  ORDERS:
    subjects: [orders.>]
    max_age: 72h
    consumers:
      billing:
        filter_subject: orders.*.created
        workers: {count: 4, concurrency: 8, fetch: 50, service_time: {p50: 20ms, p99: 400ms}}
publishers:
  checkout:
    subject: orders.{region}.created
    tokens: {region: 12}
    rate: 400/s
    payload: {mean: 1KiB, p99: 16KiB}
    msg_id: uuid
    mode: async
    retry_for: 90s
`

func TestStreamSettings(t *testing.T) {
	a := forDesign(t, parse(t, orders))
	tests := []struct{ field, advised string }{
		{"storage", "file"}, {"num_replicas", "3"}, {"discard", "old"}, {"max_age", "72h"}, {"duplicate_window", "2m"},
		{"max_msg_size", "128KiB"}, {"allow_direct", "true"},
	}
	for _, tt := range tests {
		if s := setting(t, a, "ORDERS", tt.field); s.Advised != tt.advised {
			t.Errorf("%s: advised %s, want %s (%s)", tt.field, s.Advised, tt.advised, s.Reason)
		}
	}
	// 72 h of 400/s: the records' bytes by the exact formula, and a tenth more.
	record, err := size.OfRecord(size.Message{Subject: float64(len("orders.region12.created")), Header: float64(size.HeaderBlock(size.HeaderField{Name: "Nats-Msg-Id", Value: strings.Repeat("x", 36)})), Payload: 1024}, size.File)
	if err != nil {
		t.Fatal(err)
	}
	want := 400 * 72 * 3600 * record.Reported.Value * 1.1
	got, err := design.ParseSize(setting(t, a, "ORDERS", "max_bytes").Advised)
	if err != nil || math.Abs(float64(got)/want-1) > 0.05 {
		t.Errorf("max_bytes %d, want about %.0f: %v", got, want, err)
	}
}

// TestWrittenIsKept holds the promise that nothing written is changed, and that
// what works against the workload is named.
func TestWrittenIsKept(t *testing.T) {
	text := strings.Replace(orders, "max_age: 72h", "max_age: 72h\n    max_bytes: 10GiB\n    duplicate_window: 30s\n    num_replicas: 2", 1)
	text = strings.Replace(text, "        workers:", "        ack_wait: 1s\n        max_ack_pending: 4\n        workers:", 1)
	a := forDesign(t, parse(t, text))
	for _, tt := range []struct{ asset, field, says string }{
		{"ORDERS", "max_bytes", "full after"},
		{"ORDERS", "duplicate_window", "stored a second time"},
		{"ORDERS", "num_replicas", "majority"},
		{"ORDERS/billing", "ack_wait", "second worker"},
		{"ORDERS/billing", "max_ack_pending", "4 of 32"},
	} {
		s := setting(t, a, tt.asset, tt.field)
		if s.State != advise.Against || !strings.Contains(s.Reason, tt.says) {
			t.Errorf("%s of %s: %s, %q; want it to work against the workload and say %q", tt.field, tt.asset, s.State, s.Reason, tt.says)
		}
	}
	if a.Against != 5 { // retry_for fits the window that is advised
		t.Errorf("%d written values work against the workload, want 5: %+v", a.Against, a.Assets)
	}
	d := parse(t, text)
	edits, _ := advise.Edits(d, a)
	out, err := design.ApplyEdits(design.NewSource("design.yaml", []byte(text)), edits)
	if err != nil {
		t.Fatal(err)
	}
	after := parse(t, string(out))
	for _, c := range design.Diff(d, after) {
		if c.Op != design.Created {
			t.Errorf("advice changes what was written: %s", c.Text())
		}
	}
}

func TestGoalsThatCannotBeMet(t *testing.T) {
	text := strings.Replace(orders, "disk: 200GiB", "disk: 20GiB", 1)
	a := forDesign(t, parse(t, text))
	if len(a.Relax) == 0 || !strings.Contains(a.Relax[0], "72 h") && !strings.Contains(a.Relax[0], "3 d") {
		t.Errorf("72 h on 20 GiB: %q", a.Relax)
	}
	text = strings.Replace(orders, "nodes: 3,", "nodes: 1,", 1) + "goals: {survive: [node]}\n"
	a = forDesign(t, parse(t, text))
	if len(a.Relax) == 0 || !strings.Contains(a.Relax[0], "three") {
		t.Errorf("the loss of the only node: %q", a.Relax)
	}
}

// TestPresets holds the advice to designs that are known to be good: nothing in
// them works against their own goals, the broken one apart.
func TestPresets(t *testing.T) {
	for _, p := range design.Presets() {
		t.Run(p.Name, func(t *testing.T) {
			d := parse(t, p.Text)
			a := forDesign(t, d)
			broken := p.Name == "five-traps"
			for _, asset := range a.Assets {
				for _, s := range asset.Settings {
					if s.State == advise.Against && !broken {
						t.Errorf("%s of %s, written %s: %s", s.Field, asset.Name, s.Written, s.Reason)
					}
					if s.Reason == "" || s.Advised == "" {
						t.Errorf("%s of %s has no reason or no value", s.Field, asset.Name)
					}
				}
				if asset.Config != "" && !json.Valid([]byte(asset.Config)) {
					t.Errorf("configuration of %s is no JSON:\n%s", asset.Name, asset.Config)
				}
			}
			if !broken && len(a.Relax) > 0 {
				t.Errorf("a goal of a good design cannot be met: %q", a.Relax)
			}
			if broken && a.Against < 3 {
				t.Errorf("only %d settings of the broken design are named", a.Against)
			}
			taken(t, p.Text, a)
		})
	}
}

// taken takes the advice, and asks again: nothing may be left open that the
// text has a place for.
func taken(t *testing.T, text string, a advise.Advice) {
	t.Helper()
	d := parse(t, text)
	edits, without := advise.Edits(d, a)
	out, err := design.ApplyEdits(design.NewSource("design.yaml", []byte(text)), edits)
	if err != nil {
		t.Fatal(err)
	}
	again := forDesign(t, parse(t, string(out)))
	if again.Open > len(without) {
		for _, x := range again.Assets {
			for _, s := range x.Settings {
				if s.State == advise.Open {
					t.Errorf("%s of %s is open again after the advice was taken: %s", s.Field, x.Name, s.Advised)
				}
			}
		}
	}
	if again.Against > a.Against {
		t.Errorf("the advice works against itself: %d settings, %d before\n%s", again.Against, a.Against, out)
	}
}

func TestAckWaitAgainstTheWork(t *testing.T) {
	ms := float64(time.Millisecond)
	tests := []struct {
		name    string
		needs   advise.ConsumerNeeds
		advised string
		beats   bool // in_progress is advised
	}{
		{"short work", advise.ConsumerNeeds{Service: design.Distribution{Kind: design.DistLognormal, P50: 20 * ms, P99: 400 * ms}, Concurrency: 8, Workers: 4, Rate: 100}, "30s", false},
		{"constant 35 s", advise.ConsumerNeeds{Service: design.Distribution{Kind: design.DistConstant, Mean: 35e9}, Workers: 2, Rate: 0.01}, "1m", false},
		{"minutes", advise.ConsumerNeeds{Service: design.Distribution{Kind: design.DistLognormal, P50: 60e9, P99: 600e9}, Workers: 2, Rate: 0.01}, "30s", true},
		{"batch of 100 at 0.4 s", advise.ConsumerNeeds{Service: design.Distribution{Kind: design.DistConstant, Mean: 0.4e9}, Workers: 3, Fetch: 100, Rate: 1}, "1m", false},
		{"nothing known", advise.ConsumerNeeds{Workers: 1}, "30s", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.needs.Stream, tt.needs.Name = "JOBS", "worker"
			a, err := advise.ForConsumer(tt.needs)
			if err != nil {
				t.Fatal(err)
			}
			if s := setting(t, a, "JOBS/worker", "ack_wait"); s.Advised != tt.advised {
				t.Errorf("ack_wait %s, want %s: %s", s.Advised, tt.advised, s.Reason)
			}
			beats := false
			for _, s := range a.Assets[0].Settings {
				beats = beats || s.Field == "workers.in_progress"
			}
			if beats != tt.beats {
				t.Errorf("in_progress advised: %v, want %v", beats, tt.beats)
			}
		})
	}
}

func TestBadNeeds(t *testing.T) {
	for _, r := range []float64{-1, math.NaN(), math.Inf(1), 1e30} {
		if _, err := advise.ForStream(advise.StreamNeeds{Name: "A", Rate: size.Rate{Mean: r}, Message: size.Message{Payload: 100}}); err == nil && r != 1e30 {
			t.Errorf("a rate of %v is taken", r)
		}
		if _, err := advise.ForConsumer(advise.ConsumerNeeds{Name: "a", Rate: r}); err == nil {
			t.Errorf("a rate of %v is taken for a consumer", r)
		}
	}
}

// TestNumbersAreJudged: what servers refuse is not printed as advice.
func TestNumbersAreJudged(t *testing.T) {
	stream := advise.StreamNeeds{Name: "A", Subjects: []string{"a.>"}, Rate: size.Rate{Mean: 5}, Message: size.Message{Payload: 100, Subject: 3}, Keep: time.Hour}
	worker := advise.ConsumerNeeds{Stream: "A", Name: "c", Rate: 5}
	tests := []struct {
		name, says string
		stream     func(*advise.StreamNeeds)
		consumer   func(*advise.ConsumerNeeds)
	}{
		{"name of two words", "no name of a stream", func(n *advise.StreamNeeds) { n.Name = "a b" }, nil},
		{"name with a dot", "no name of a stream", func(n *advise.StreamNeeds) { n.Name = "a.b" }, nil},
		{"no name", "no name of a stream", func(n *advise.StreamNeeds) { n.Name = "" }, nil},
		{"subject with an empty token", "10052", func(n *advise.StreamNeeds) { n.Subjects = []string{"a..b"} }, nil},
		{"subjects that overlap", "10052", func(n *advise.StreamNeeds) { n.Subjects = []string{"a.>", "a.b"} }, nil},
		{"the JetStream API", "10052", func(n *advise.StreamNeeds) { n.Subjects = []string{"$JS.API.>"} }, nil},
		{"kept for less than 100 ms", "10052", func(n *advise.StreamNeeds) { n.Keep = 50 * time.Millisecond }, nil},
		{"a message above max_payload", "max_payload", func(n *advise.StreamNeeds) { n.Message.Payload = 20 << 20 }, nil},
		{"good stream", "", func(*advise.StreamNeeds) {}, nil},
		{"consumer's name with a dot", "no name of a consumer", nil, func(n *advise.ConsumerNeeds) { n.Name = "a.b" }},
		{"filter with > in the middle", "servers refuse c", nil, func(n *advise.ConsumerNeeds) { n.Filters = []string{"a.>.b"} }},
		{"filters that overlap", "servers refuse c", nil, func(n *advise.ConsumerNeeds) { n.Filters = []string{"a.*", "a.b"} }},
		{"good consumer", "", nil, func(n *advise.ConsumerNeeds) { n.Filters = []string{"a.b"} }},
		{"good consumer of a work queue", "", nil, func(n *advise.ConsumerNeeds) { n.Retention = size.WorkQueue }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var err error
			if tt.stream != nil {
				n := stream
				tt.stream(&n)
				_, err = advise.ForStream(n)
			} else {
				n := worker
				tt.consumer(&n)
				_, err = advise.ForConsumer(n)
			}
			if (err != nil) != (tt.says != "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v, want %q", err, tt.says)
			}
		})
	}
}

// TestNumbersThatDoNotFit: what does not fit is said, and what is advised fits.
func TestNumbersThatDoNotFit(t *testing.T) {
	a, err := advise.ForStream(advise.StreamNeeds{Name: "A", Subjects: []string{"a"}, Rate: size.Rate{Mean: 800}, Message: size.Message{Payload: 1024, Subject: 1}, Keep: 72 * time.Hour, Disk: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := design.ParseSize(setting(t, a, "A", "max_bytes").Advised); err != nil || n > 1<<30 {
		t.Errorf("max_bytes %d on a disk of 1 GiB: %v", n, err)
	}
	if len(a.Relax) != 1 || !strings.Contains(a.Relax[0], "or keep 15 min") {
		t.Errorf("%q", a.Relax)
	}
	a, err = advise.ForStream(advise.StreamNeeds{Name: "A", Subjects: []string{"a"}, Rate: size.Rate{Mean: 8}, Message: size.Message{Payload: 1024, Subject: 1, ID: 36}, Keep: time.Minute, RetryFor: 10 * time.Minute})
	if err != nil || len(a.Relax) != 1 || !strings.Contains(a.Relax[0], "let retries end after 50 s") {
		t.Errorf("retries that outlast the messages: %v, %q", err, a.Relax)
	}
	for _, takes := range []time.Duration{10 * time.Minute, time.Hour, 48 * time.Hour} {
		a, err := advise.ForConsumer(advise.ConsumerNeeds{Stream: "A", Name: "c", Rate: 100, Workers: 1, Service: design.Distribution{Kind: design.DistExponential, Mean: float64(takes)}})
		if err != nil || setting(t, a, "A/c", "workers.count").State != advise.Against {
			t.Errorf("one worker for 100/s of %v: %v", takes, err)
		}
	}
}

// TestGoalsNoSettingMeets names them.
func TestGoalsNoSettingMeets(t *testing.T) {
	a := forDesign(t, parse(t, orders+"goals: {survive: [zone], latency_p99: 100ms}\n"))
	all := strings.Join(a.Relax, "\n")
	for _, says := range []string{"loss of a zone", "latency_p99 of 100 ms cannot be met by ORDERS/billing: the work alone takes 400 ms"} {
		if !strings.Contains(all, says) {
			t.Errorf("nothing says %q: %q", says, a.Relax)
		}
	}
}

func ExampleForStream() {
	a, _ := advise.ForStream(advise.StreamNeeds{Name: "ORDERS", Subjects: []string{"orders.>"},
		Rate: size.Rate{Mean: 800}, Message: size.Message{Subject: 17, Payload: 1229}, Keep: 72 * time.Hour, Replicas: 3})
	fmt.Println(a.Assets[0].Config)
	fmt.Println(a.Assets[0].Command)
	// Output:
	// {
	//   "name": "ORDERS",
	//   "subjects": [
	//     "orders.>"
	//   ],
	//   "retention": "limits",
	//   "max_bytes": 292057776128,
	//   "max_age": 259200000000000,
	//   "max_msg_size": 32768,
	//   "discard": "old",
	//   "storage": "file",
	//   "num_replicas": 3,
	//   "duplicate_window": 120000000000,
	//   "allow_direct": true
	// }
	// nats stream add --config ORDERS.json
}

// TestWorkers_agree: the count that is advised is the simulator's, bursts and
// the wait for a batch's slowest message included, and simulated it does.
func TestWorkers_agree(t *testing.T) {
	const text = `
weir: 1
streams:
  S: {subjects: [s], consumers: {c: {ack_policy: explicit, workers: {count: 2, concurrency: 4, fetch: 8, loop: consume, service_time: {p50: 20ms, p99: 400ms}}}}}
publishers: {p: {subject: s, rate: 60/s, mode: async, bursts: [{rate: 400/s, for: 2m, at: 2m}]}}
goals: {latency_p99: 1s, drain: 5m}
`
	counts := map[string]int{}
	for _, loop := range []string{"consume", "fetch"} {
		d := parse(t, strings.Replace(text, "loop: consume", "loop: "+loop, 1))
		advised := setting(t, forDesign(t, d), "S/c", "workers.count")
		if advised.State != advise.Against {
			t.Errorf("%s: two workers are %s", loop, advised.State)
		}
		n, err := strconv.Atoi(advised.Advised)
		if err != nil {
			t.Fatal(err)
		}
		counts[loop] = n
		m, err := sim.FromDesign(parse(t, strings.NewReplacer("loop: consume", "loop: "+loop, "count: 2", "count: "+advised.Advised).Replace(text)), sim.DesignOptions{For: 20 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if needed, ok := m.WorkersNeeded(0); !ok || needed.Count != n {
			t.Errorf("%s: advised %d, the simulator needs %d", loop, n, needed.Count)
		}
		a, err := m.Simulate(t.Context(), sim.SimulateOptions{Seed: 1})
		if err != nil || !a.Met {
			t.Errorf("%s: %d workers do not meet the goals: %v, %v", loop, n, err, a.Verdict)
		}
	}
	if counts["fetch"] < counts["consume"]*3/2 {
		t.Errorf("waiting for the slowest of a batch costs nothing: %v", counts)
	}
}
