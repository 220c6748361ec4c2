package lint

import (
	"math"
	"strings"
	"testing"

	"weir/design"
)

// fieldCases are troubles that people told of in public, in our words and with
// numbers of ours; id says where, by repository and issue.
var fieldCases = []caseOf{
	{id: "nats-server/7512", code: "STR024", severity: design.Warning, number: 2.25, info: `
{"config": {"name": "W", "subjects": ["w.>"], "retention": "workqueue"}, "state": {"messages": 40000000, "num_deleted": 90000000, "first_seq": 1, "last_seq": 130000000}}`},
	{id: "nats-server/3295", code: "SEC015", severity: design.Warning, path: "accounts.$G.users.reader.subscribe", words: "its inbox", design: `
streams: {METER: {subjects: ["meter.*"], max_bytes: 1GiB}}
accounts: {$G: {users: {reader: {publish: ["$JS.API.STREAM.NAMES", "$JS.API.CONSUMER.>"], subscribe: [meter.kitchen, _INBOX.>]}}}}
`},
	{id: "nats-server/662", code: "SEC012", severity: design.Warning, words: "listen on no inbox", design: `
streams: {METER: {subjects: ["meter.*"], max_bytes: 1GiB}}
accounts: {$G: {users: {reader: {publish: ["$JS.API.>"], subscribe: ["_INBOX.*"]}}}}
`},
	{id: "nats-server/5488", code: "CON042", severity: design.Error, words: "10026", design: `
streams: {METER: {subjects: [meter.>], retention: interest, max_consumers: 1, max_bytes: 1GiB, consumers: {a: {ack_policy: explicit}, b: {ack_policy: explicit}}}}
`},
	{id: "nats-server/4841", code: "CON043", severity: design.Warning, number: 20_000, info: `
{"config": {"name": "S", "subjects": ["s.>"]}, "state": {"messages": 10, "consumer_count": 20000}}`},
	{id: "bbvch-ai/aihub-core/1828", code: "CON058", severity: design.Warning, number: 365, design: `
streams: {E: {subjects: [e.>], max_bytes: 1GiB, consumers: {replay-0c1d2e3f4a5b6c7d8e9f: {ack_policy: explicit}}}}
`},
	{id: "nats.net/244", code: "STR021", severity: design.Info, number: 0.04, words: "write 40000000000 (40s)", info: `
{"durable_name": "c", "ack_policy": "explicit", "ack_wait": 40000000}`},
	{id: "nats-server/5608", code: "STR001", severity: design.Info, number: 4 * (1 << 30), words: "31,536,000 ids", info: `
{"name": "O", "subjects": ["o.>"], "duplicate_window": 31536000000000000, "max_age": 31536000000000000}`},
	{id: "quarkus-reactive-messaging-nats-jetstream/487", code: "CON001", severity: design.Warning, number: 0.4, words: "write fetch: 3000", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 1m, max_ack_pending: 10000, workers: {fetch: 10000, service_time: 10ms}}}}}
`},
	{id: "johnweldon.com jetstream-redelivery", code: "CON010", severity: design.Warning, number: 0.7, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {deliver_subject: d.c, ack_policy: explicit, workers: {service_time: 100ms}}}}}
`},
	{id: "watermill/531", code: "CON036", severity: design.Warning, words: "at the beginning", number: 100_000, design: `
streams: {S: {subjects: [s.>], max_msgs: 100000, consumers: {c: {name: c, ack_policy: explicit, workers: {service_time: 10ms}}}}}
`},
	{id: "nats.java/708", code: "SUB005", severity: design.Warning, words: "503", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
publishers: {p: {subject: order.new, rate: 1/s, payload: 100B, mode: sync}}
`},
	{id: "nats-server/4281", code: "CAP012", severity: design.Error, words: "10047", design: `
server: {conf: {jetstream: {max_file_store: 10GiB}}}
streams:
  A: {subjects: [a], max_bytes: 9GiB}
  B: {subjects: [b], max_bytes: 2GiB}
`},
	{id: "nats.docs/876", code: "KV004", severity: design.Warning, number: 80, info: `
{"name": "KV_H", "subjects": ["$KV.H.>"], "max_msgs_per_subject": 80, "max_bytes": 1000000}`},
	{id: "openobserve/10642", code: "KV005", severity: design.Warning, number: 90, info: `
{"config": {"name": "KV_LOCK", "subjects": ["$KV.LOCK.>"], "max_msgs_per_subject": 3}, "state": {"messages": 20000, "first_seq": 1, "last_seq": 1800000}}`},
	{id: "nats.go/1001", code: "PUB012", severity: design.Warning, number: 100_000, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 9000/s, payload: 960B, mode: async, in_flight: 100000}}
`},
	{id: "numaflow/220", code: "CON043", severity: design.Warning, number: 10_000, design: `
kv: {OT: {history: 1, max_bytes: 1GiB, keys: 100, value: 100B, watchers: 10000}}
`},
	{id: "a synchronous loop at 9,000 a second", code: "PUB016", severity: design.Warning, number: 5700, design: `
server: {nodes: 3}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, num_replicas: 3}}
publishers: {p: {subject: s.a, rate: 9000/s, payload: 100B, mode: sync}}
`},
	{id: "max_msg_size above max_payload", code: "PUB080", severity: design.Info, path: "streams.S.max_msg_size", number: 1 << 20, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, max_msg_size: 8MiB}}
`},
	{id: "a filter on what was published, not on what is stored", code: "SUB003", severity: design.Warning, words: "eu.>", design: `
streams: {S: {subjects: [orders.>], max_bytes: 1GiB, subject_transform: {src: orders.>, dest: eu.>}, consumers: {c: {filter_subject: orders.new, ack_policy: explicit}}}}
`},
	{id: "an MQTT filter as subject", code: "SUB002", severity: design.Warning, words: "home.*.>", design: `
streams: {S: {subjects: [home/+/#], max_bytes: 1GiB}}
`},
	{id: "two copies of a workqueue", code: "STR002", severity: design.Warning, words: "copies as well", number: 2, design: `
streams:
  W: {subjects: [w.>], retention: workqueue, max_bytes: 1GiB}
  A: {sources: [{name: W}], max_bytes: 1GiB}
  B: {sources: [{name: W}], max_bytes: 1GiB}
`},
	{id: "a domain that is not quite one", code: "STR022", severity: design.Warning, words: "$JS.plant.API", design: `
streams: {M: {mirror: {name: A, external: {api: $JS.plantt.API}}, max_bytes: 1GiB}}
leafnodes: {plant: {domain: plant, streams: {A: {subjects: [a.>], max_bytes: 1GiB}}}}
`},
	{id: "in-progress acks that come too late", code: "CON001", severity: design.Warning, number: 1, words: "write in_progress: 4s", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 10s, workers: {service_time: 60s, in_progress: 15s}}}}}
`},
	{id: "one bucket replica and a goal", code: "CLU017", severity: design.Warning, path: "kv.K.num_replicas", design: `
server: {nodes: 3}
kv: {K: {history: 1, ttl: 1h, max_bytes: 1GiB}}
goals: {survive: [node]}
`},
	{id: "a group of a pull consumer", code: "CON027", severity: design.Info, info: `
{"stream_name": "S", "config": {"durable_name": "c", "ack_policy": "explicit", "deliver_group": "g"}}`},
	{id: "ack all in a group", code: "CON018", severity: design.Info, info: `
{"stream_name": "S", "config": {"durable_name": "c", "ack_policy": "all", "deliver_subject": "d", "deliver_group": "g"}}`},
}

// plainCases are JSON of single assets with no design beside it: what they leave
// open is a note at most, and what is said needs no more than is written.
var plainCases = []struct {
	name, code string
	severity   design.Severity
	number     float64
	files      []string
}{
	{"max_deliver of a workqueue", "CON081", design.Info, 60, []string{`{"name": "Q", "subjects": ["q.>"], "retention": "workqueue", "max_bytes": 1000000}`,
		`{"stream_name": "Q", "config": {"durable_name": "c", "ack_policy": "explicit", "max_deliver": 2}}`}},
	{"no limit at all", "STR094", design.Info, 0, []string{`{"name": "S", "subjects": ["s.>"]}`}},
	{"a workqueue that drops its oldest", "STR012", design.Info, 0, []string{`{"name": "Q", "subjects": ["q.>"], "retention": "workqueue", "max_msgs": 1000}`}},
	{"a wildcard inside of a token", "SUB002", design.Warning, 1, []string{`{"stream_name": "S", "config": {"durable_name": "c", "ack_policy": "explicit", "filter_subject": "orders*.new"}}`}},
	{"an ordered consumer", "CON036", design.Info, 0, []string{`{"stream_name": "S", "config": {"name": "c", "ack_policy": "none", "mem_storage": true, "num_replicas": 1}}`}},
}

func TestPlainCases(t *testing.T) {
	for _, c := range plainCases {
		t.Run(c.name, func(t *testing.T) {
			var sources []*design.Source
			for i, text := range c.files {
				sources = append(sources, design.NewSource(string(rune('a'+i))+".json", []byte(text)))
			}
			r := CheckSources(sources, Options{})
			found := false
			for _, f := range r.Findings {
				if f.Severity == design.Warning && f.Code != c.code {
					t.Errorf("besides: %s", f)
				}
				found = found || f.Code == c.code && f.Severity == c.severity && (c.number == 0 || f.Figure != nil && math.Abs(f.Figure.Value-c.number) <= 0.05*c.number)
			}
			if !found {
				t.Errorf("no %s %s; there is %v", c.severity, c.code, r.Findings)
			}
			if c.severity == design.Info && c.code != "CON036" && !strings.Contains(r.Unknown(), c.code) {
				t.Errorf("%s does not say what it would need: %v", c.code, r.Unknown())
			}
		})
	}
}

// TestNothingToSay: designs of which a rule has spoken without a ground.
func TestNothingToSay(t *testing.T) {
	for _, c := range []struct{ name, code, design string }{
		{"discard new that replaces within a subject is never full", "PUB001", `
streams: {LAST: {subjects: [last.*], discard: new, max_msgs_per_subject: 1, max_bytes: 1GiB}}
publishers: {p: {subject: "last.{k}", tokens: {k: 100}, rate: 100/s, payload: 300B, mode: core}}
`},
		{"every subject that the publisher names is read", "SUB006", `
streams: {JOBS: {subjects: ["jobs.*.*"], retention: workqueue, max_bytes: 1GiB, consumers: {v: {filter_subject: "jobs.video.*", ack_policy: explicit}, m: {filter_subject: "jobs.mail.*", ack_policy: explicit}}}}
publishers: {p: {subject: "jobs.{kind}.new", tokens: {kind: [video, mail]}, rate: 1/s, payload: 300B, mode: sync, msg_id: uuid}}
`},
		{"a mapping may bring the subject to a stream", "SUB005", `
server: {conf: {mappings: {"order.new": [{dest: orders.new}]}}}
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
publishers: {p: {subject: order.new, rate: 1/s, payload: 100B, mode: sync}}
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, f := range CheckSources([]*design.Source{design.NewSource("d.yaml", []byte("weir: 1"+c.design))}, Options{}).Findings {
				if f.Code == c.code || f.Severity == design.Error {
					t.Error(f)
				}
			}
		})
	}
}

// TestBurstBetweenSyncs: a power cut takes what a burst writes between two syncs.
func TestBurstBetweenSyncs(t *testing.T) {
	text := `weir: 1
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 10/s, payload: 100B, mode: sync, bursts: [{rate: 500/s, for: 5m, every: 1d}]}}
`
	for _, f := range CheckSources([]*design.Source{design.NewSource("d.yaml", []byte(text))}, Options{}).Findings {
		if f.Code == "CLU018" && !strings.Contains(f.Message, "60,000") {
			t.Error(f)
		}
	}
}

// TestTypeOfAnEntry: what a list or map holds is judged by what its entries are.
func TestTypeOfAnEntry(t *testing.T) {
	text := `{"stream_name": "S", "config": {"durable_name": "c", "ack_policy": "explicit", "max_deliver": 4, "backoff": [1000000000, "2s"]}}`
	r := CheckSources([]*design.Source{design.NewSource("c.json", []byte(text))}, Options{})
	if len(r.Findings) == 0 || !strings.Contains(r.Findings[0].Message, `backoff[1]: "2s"`) || !strings.Contains(r.Findings[0].Message, "write 2000000000") {
		t.Error(r.Findings)
	}
}
