package design

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nats-io/jsm.go/api"

	"weir/natsapi"
)

const wholeDesign = `weir: 1
name: whole
server: {version: "2.12", nodes: 3, cores: 8, memory: 8GiB, disk: 200GiB, zones: [a, b, c], tags: [ssd], domain: hub, conf: {max_payload: 1MiB}}
streams:
  COPY:
    mirror: {name: SUM, opt_start_time: "2026-01-01T00:00:00Z"}
  SUM:
    sources: [{name: ORDERS, filter_subject: "orders.*.refunded"}]
  ORDERS:
    subjects: [orders.>]
    retention: interest
    max_age: 72h
    max_bytes: 10GiB
    storage: memory
    metadata: {io.nats.x: "true"}
    consumer_limits: {max_ack_pending: 5}
    goals: {pending: 0}
    consumers:
      billing:
        filter_subject: orders.*.created
        ack_policy: explicit
        backoff: [1s, 1m]
        workers:
          - {name: a, count: 4, concurrency: 8, fetch: 50, fetch_bytes: 1MiB, expires: 5s, service_time: {p50: 20ms, p99: 400ms}, in_progress: 10s, errors: {rate: 1%, action: term}}
          - {name: b, service_time: 5ms, errors: [{rate: 2%, delay: 3s}]}
        goals: {latency_p99: 1s, survive: [node, worker-stall 5m]}
publishers:
  checkout:
    subject: orders.{region}.created
    tokens: {region: [eu, us], kind: {count: 9, skew: 1.5}, shop: 3}
    rate: 120/m
    bursts: [{rate: 10/s, for: 10m, every: 24h, at: 1h}]
    payload: {mean: 1KiB, p99: 16KiB}
    compresses_to: 40%
    msg_id: 24B
    mode: async
    in_flight: 256
    repeats: 0.5%
    on_reject: {retry: 5, backoff: 1s, then: dlq}
subscribers: {live: {subject: a.>, queue: q, service_time: {mean: 1ms}, reply: {trace: sizes.csv}}}
kv: {SESSIONS: {history: 3, ttl: 1m, keys: 200, value: 300B, writes: 50/s, watchers: 2}}
objects: {FILES: {max_bytes: 1GiB, count: 7, size: {mean: 1MiB}}}
accounts:
  APP:
    limits: {max_storage: 1GiB}
    users: {svc: {publish: [a, b], subscribe: {allow: c, deny: [d]}, allow_responses: {max: 2, expires: 1m}}}
    exports: [{service: api.>, accounts: [X], response_threshold: 1s}]
    imports: [{stream: {account: X, subject: x.>}, to: y.>, prefix: p}]
    streams: {S: {subjects: [s]}}
leafnodes: {plant: {domain: plant, count: 50, account: APP, latency: 60ms, outages: {for: 1h, every: 24h}, server: {nodes: 2}, streams: {L: {}}}}
clusters: {eu: {nodes: 5}}
gateways: {link: {between: [hub, eu], latency: 80ms}}
goals: {latency_p99: 250ms, oldest_pending: 10m, handled_twice: 0.1%, lost: 0%}
scenarios: {a: [{at: 10m, stall: billing, for: 2m}, {at: 20m, scale: billing, to: 9}, {at: 30m, burst: checkout, rate: 9/s}, {at: 40m, slow: billing, factor: 3}]}
`

// TestModel reads one design that uses every part of the format.
func TestModel(t *testing.T) {
	d, ps := Parse("d.yaml", []byte(wholeDesign))
	if ps != nil {
		t.Fatal(ps)
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	order := d.Streams[2]
	tests := []struct {
		name      string
		got, want any
	}{
		{"version", d.Version, natsapi.Version{Major: 2, Minor: 12, Patch: 15}},
		{"server", d.Server, Server{Path: "server", Version: "2.12", Nodes: 3, Cores: 8, Memory: 8 << 30, Disk: 200 << 30, Zones: []string{"a", "b", "c"}, Tags: []string{"ssd"}, Domain: "hub"}},
		{"mirror", d.Streams[0].Config, api.StreamConfig{Name: "COPY", Mirror: &api.StreamSource{Name: "SUM", OptStartTime: &at}}},
		{"stream", order.Config, api.StreamConfig{Name: "ORDERS", Subjects: []string{"orders.>"}, Retention: api.InterestPolicy, MaxAge: 72 * time.Hour, MaxBytes: 10 << 30,
			Storage: api.MemoryStorage, Metadata: map[string]string{"io.nats.x": "true"}, ConsumerLimits: api.StreamConsumerLimits{MaxAckPending: 5}}},
		{"consumer", order.Consumers[0].Config, api.ConsumerConfig{Durable: "billing", Name: "billing", FilterSubject: "orders.*.created", AckPolicy: api.AckExplicit, BackOff: []time.Duration{time.Second, time.Minute}}},
		{"workers", order.Consumers[0].Workers, []*Workers{
			{Name: "a", Path: "streams.ORDERS.consumers.billing.workers[0]", Count: 4, Concurrency: 8, Fetch: 50, FetchBytes: 1 << 20, Loop: "consume", Expires: 5 * time.Second,
				ServiceTime: Distribution{Kind: DistLognormal, P50: 20e6, P99: 400e6}, InProgress: 10 * time.Second, Errors: []Errors{{Rate: 0.01, Action: "term"}}},
			{Name: "b", Path: "streams.ORDERS.consumers.billing.workers[1]", Count: 1, Loop: "consume", Concurrency: 1, ServiceTime: Distribution{Kind: DistConstant, Mean: 5e6}, Errors: []Errors{{Rate: 0.02, Action: "nak", Delay: 3 * time.Second}}},
		}},
		{"consumer's goals", order.Consumers[0].Goals, Goals{Path: "streams.ORDERS.consumers.billing.goals", LatencyP99: time.Second, Survive: []Survive{{"node", 0}, {"worker-stall", 5 * time.Minute}}}},
		{"publisher", d.Publishers[0], &Publisher{Name: "checkout", Path: "publishers.checkout", Subject: "orders.{region}.created",
			Tokens: []Token{{Name: "region", Count: 2, Examples: []string{"eu", "us"}}, {Name: "kind", Count: 9, Skew: 1.5}, {Name: "shop", Count: 3}},
			Count:  1, Rate: 2, Bursts: []Burst{{Rate: 10, At: time.Hour, For: 10 * time.Minute, Every: 24 * time.Hour}}, Payload: Distribution{Kind: DistLognormal, Mean: 1024, P99: 16384},
			CompressesTo: 0.4, MsgID: "24B", MsgIDBytes: 24, Mode: "async", InFlight: 256, Repeats: 0.005, OnReject: OnReject{5, time.Second, "dlq"}}},
		{"subscriber", d.Subscribers[0], &Subscriber{Name: "live", Path: "subscribers.live", Subject: "a.>", Queue: "q", Count: 1, Concurrency: 1,
			ServiceTime: Distribution{Kind: DistExponential, Mean: 1e6}, Reply: Distribution{Kind: DistEmpirical, Trace: "sizes.csv"}}},
		{"kv", d.KV[0].Config, api.StreamConfig{Name: "KV_SESSIONS", Subjects: []string{"$KV.SESSIONS.>"}, MaxBytes: -1, MaxMsgs: -1, MaxConsumers: -1, MaxMsgsPer: 3, MaxMsgSize: -1,
			MaxAge: time.Minute, Duplicates: time.Minute, Discard: api.DiscardNew, RollupAllowed: true, DenyDelete: true, AllowDirect: true}},
		{"objects", d.Objects[0].Value, Distribution{Kind: DistExponential, Mean: 1 << 20}},
		{"user", d.Accounts[0].Users[0], &User{Name: "svc", Path: "accounts.APP.users.svc", Publish: Permission{Allow: []string{"a", "b"}}, Subscribe: Permission{[]string{"c"}, []string{"d"}},
			AllowResponses: true, MaxResponses: 2, Expires: time.Minute}},
		{"export", d.Accounts[0].Exports, []Export{{Path: "accounts.APP.exports[0]", Subject: "api.>", Service: true, Accounts: []string{"X"}, Threshold: time.Second}}},
		{"import", d.Accounts[0].Imports, []Import{{Path: "accounts.APP.imports[0]", Account: "X", Subject: "x.>", To: "y.>", Prefix: "p"}}},
		{"account's stream", d.Accounts[0].Streams[0].Path, "accounts.APP.streams.S"},
		{"leaf node", []any{d.Leafnodes[0].Count, d.Leafnodes[0].BindTo, d.Leafnodes[0].OutageFor, d.Leafnodes[0].Server.Nodes, d.Leafnodes[0].Streams[0].Path},
			[]any{50, "APP", time.Hour, 2, "leafnodes.plant.streams.L"}},
		{"cluster", d.Clusters[0].Nodes, 5},
		{"gateway", d.Gateways[0], &Gateway{"link", "gateways.link", []string{"hub", "eu"}, Distribution{Kind: DistConstant, Mean: 80e6}}},
		{"goals", d.Goals, Goals{Path: "goals", LatencyP99: 250 * time.Millisecond, OldestPending: 10 * time.Minute, HandledTwice: 0.001}},
		{"events", d.Scenarios[0].Events, []Event{
			{Path: "scenarios.a[0]", At: 10 * time.Minute, Do: "stall", Target: "billing", For: 2 * time.Minute},
			{Path: "scenarios.a[1]", At: 20 * time.Minute, Do: "scale", Target: "billing", To: 9},
			{Path: "scenarios.a[2]", At: 30 * time.Minute, Do: "burst", Target: "checkout", Rate: 9},
			{Path: "scenarios.a[3]", At: 40 * time.Minute, Do: "slow", Target: "billing", Factor: 3}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, tt.got, cmpopts.IgnoreUnexported(Consumer{}, Stream{}), cmpopts.EquateApprox(0, 1e-12)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
	if !d.Has("goals.lost") || d.Has("goals.rejected") || !d.Has("streams.ORDERS.goals.pending") {
		t.Error("a goal of 0 is not told from none")
	}
}

// TestOrderOfRequests holds the order in which a design is applied: streams
// without sources, those that copy behind what they copy, buckets, consumers.
func TestOrderOfRequests(t *testing.T) {
	d, ps := Parse("d.yaml", []byte(wholeDesign))
	if ps != nil {
		t.Fatal(ps)
	}
	var got []string
	for _, r := range d.Requests() {
		got = append(got, r.Kind+" "+r.Scope.Account+" "+r.Subject)
	}
	want := []string{"stream $G STREAM.CREATE.ORDERS", "stream $G STREAM.CREATE.SUM", "stream $G STREAM.CREATE.COPY", "kv $G STREAM.CREATE.KV_SESSIONS",
		"object_store $G STREAM.CREATE.OBJ_FILES", "consumer $G CONSUMER.CREATE.ORDERS.billing.orders.*.created", "stream APP STREAM.CREATE.S", "stream APP STREAM.CREATE.L"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRingOfSources(t *testing.T) {
	d, ps := Parse("d.yaml", []byte("weir: 1\nstreams: {A: {sources: [{name: B}]}, B: {sources: [{name: A}, {name: C}]}, C: {mirror: {name: C}}, D: {}}\n"))
	if ps != nil {
		t.Fatal(ps)
	}
	var got []string
	for _, r := range d.Requests() {
		got = append(got, r.Name)
	}
	if diff := cmp.Diff([]string{"D", "C", "B", "A"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestBucketRequests holds what clients make of buckets (nats.go 1.55.0).
func TestBucketRequests(t *testing.T) {
	const tail = `"allow_rollup_hdrs":true,"allow_direct":true}`
	tests := []struct{ name, text, want, at string }{
		{"kv", `{K: {}}`, `{"name":"KV_K","subjects":["$KV.K.>"],"max_bytes":-1,"max_msgs":-1,"max_consumers":-1,"max_msgs_per_subject":1,"max_msg_size":-1,"duplicate_window":120000000000,"deny_delete":true,"discard":"new",` + tail, ""},
		{"settings", `{K: {history: 5, ttl: 30s, max_value_size: 1KiB, storage: memory, compression: true, limit_marker_ttl: 1m}}`,
			`{"name":"KV_K","subjects":["$KV.K.>"],"max_bytes":-1,"max_msgs":-1,"max_consumers":-1,"max_msgs_per_subject":5,"max_msg_size":1024,"max_age":30000000000,"duplicate_window":30000000000,"deny_delete":true,"allow_msg_ttl":true,"subject_delete_marker_ttl":60000000000,"discard":"new","storage":"memory","compression":"s2",` + tail, "max_age=kv.K.ttl max_msgs_per_subject=kv.K.history deny_delete=kv.K storage=kv.K.storage"},
		{"mirror", `{K: {mirror: {name: M}}}`, `{"name":"KV_K","max_bytes":-1,"max_msgs":-1,"max_consumers":-1,"max_msgs_per_subject":1,"max_msg_size":-1,"duplicate_window":120000000000,"deny_delete":true,"mirror":{"name":"KV_M"},"mirror_direct":true,"discard":"new",` + tail, "mirror.name=kv.K.mirror.name"},
		{"sources", `{K: {sources: [{name: M}, {name: RAW, subject_transforms: [{src: a, dest: b}]}]}}`,
			`{"name":"KV_K","subjects":["$KV.K.>"],"max_bytes":-1,"max_msgs":-1,"max_consumers":-1,"max_msgs_per_subject":1,"max_msg_size":-1,"duplicate_window":120000000000,"deny_delete":true,"sources":[{"name":"KV_M","subject_transforms":[{"src":"$KV.M.>","dest":"$KV.K.>"}]},{"name":"RAW","subject_transforms":[{"src":"a","dest":"b"}]}],"discard":"new",` + tail, "sources[1].name=kv.K.sources[1].name"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, ps := Parse("d.yaml", []byte("weir: 1\nkv: "+tt.text+"\n"))
			if ps != nil {
				t.Fatal(ps)
			}
			r := d.Requests()[0]
			if string(r.Body) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", r.Body, tt.want)
			}
			for _, pair := range splitPairs(tt.at) {
				if got := r.DesignPath(pair[0]); got != pair[1] {
					t.Errorf("%s is %s, want %s", pair[0], got, pair[1])
				}
			}
		})
	}
}

func splitPairs(s string) (out [][2]string) {
	for _, pair := range strings.Fields(s) {
		from, to, _ := strings.Cut(pair, "=")
		out = append(out, [2]string{from, to})
	}
	return out
}
