package lint

import (
	"strings"
	"testing"

	"weir/design"
)

// firstUseCases are what somebody ran into who used Weir without knowing it.
var firstUseCases = []judged{
	{name: "workers that are none", code: "CON060", severity: design.Warning, number: 600, words: "write count and concurrency for 15 handlers", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.>", ack_policy: explicit, max_deliver: 5, workers: {count: 0, service_time: {mean: 20ms}}}}}}
publishers: {shop: {subject: "orders.{region}.{event}", tokens: {region: [eu, us], event: [created, paid]}, rate: 600/s, payload: 1KiB}}
`},
	{name: "workers that are none, beside some", code: "CON060", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.>", ack_policy: explicit, max_deliver: 5, workers: [{name: a, count: 0, service_time: 20ms}, {name: b, count: 40, service_time: 20ms}]}}}}
publishers: {shop: {subject: "orders.{region}.{event}", tokens: {region: [eu, us], event: [created, paid]}, rate: 600/s, payload: 1KiB}}
`},
	{name: "a filter that no publisher meets", code: "SUB003", severity: design.Warning, words: "it has 2 tokens, and the publisher's subject has 3", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.paid", ack_policy: explicit, max_deliver: 5}}}}
publishers: {shop: {subject: "orders.{region}.{event}", tokens: {region: [eu, us], event: [created, paid]}, rate: 600/s, payload: 1KiB}}
`},
	{name: "a filter on a value that is not among those named", code: "SUB003", severity: design.Info, words: "orders.{region}.{event}", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.*.refunded", ack_policy: explicit, max_deliver: 5}}}}
publishers: {shop: {subject: "orders.{region}.{event}", tokens: {region: [eu, us], event: [created, paid]}, rate: 600/s, payload: 1KiB}}
`},
	{name: "a filter that a publisher meets", code: "SUB003", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.*.paid", ack_policy: explicit, max_deliver: 5}}}}
publishers: {shop: {subject: "orders.{region}.{event}", tokens: {region: [eu, us], event: [created, paid]}, rate: 600/s, payload: 1KiB}}
`},
	{name: "a filter of a stream without publishers", code: "SUB003", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.paid", ack_policy: explicit, max_deliver: 5}}}}
`},
	{name: "a filter on a subject of the stream that nobody described", code: "SUB003", severity: design.Info, design: `
streams: {ORDERS: {subjects: ["pay.*", "orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "pay.a", ack_policy: explicit, max_deliver: 5}}}}
publishers: {shop: {subject: "orders.{region}.{event}", tokens: {region: [eu, us], event: [created, paid]}, rate: 600/s, payload: 1KiB}}
`},
	{name: "a user that is denied all", code: "SEC012", severity: design.Warning, number: 5, words: "receive nothing", not: "no answer", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {app: {publish: ["orders.>"], subscribe: {allow: ["_INBOX.>"], deny: [">"]}}}}}
`},
	{name: "a user that is denied all, with nothing allowed", code: "SEC012", severity: design.Warning, number: 5, words: "receive nothing", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {app: {publish: ["orders.>"], subscribe: {allow: [], deny: [">"]}}}}}
`},
	{name: "a user whose inbox is denied", code: "SEC012", severity: design.Warning, number: 5, words: "take _INBOX.> out of deny", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {app: {publish: ["orders.>"], subscribe: {allow: ["_INBOX.>", "news"], deny: ["_INBOX.>"]}}}}}
`},
	{name: "a user with inboxes of its own name", code: "SEC012", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {"my app-1": {publish: ["orders.>"], subscribe: ["_INBOX_my_app-1.>"]}}}}
`},
	{name: "a user with the inboxes of another", code: "SEC012", severity: design.Info, number: 5, words: "give its client the inbox prefix _INBOX_app", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {apple: {publish: ["orders.>"], subscribe: ["_INBOX_app.>"]}}}}
`},
	{name: "a user whose own inboxes are denied", code: "SEC012", severity: design.Warning, number: 5, words: "receive nothing", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {app: {publish: ["orders.>"], subscribe: {allow: ["_INBOX_app.>"], deny: ["_INBOX_app.>"]}}}}}
`},
	{name: "a user that is denied the inboxes of another", code: "SEC012", design: `
streams: {ORDERS: {subjects: [orders.>], max_bytes: 1GiB}}
accounts: {$G: {users: {app: {publish: ["orders.>"], subscribe: {allow: ["_INBOX.>"], deny: ["_INBOX.other.>"]}}}}}
`},
	{name: "two replicas on three servers", code: "CLU080", severity: design.Warning, words: "write num_replicas: 3", design: `
server: {nodes: 3}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, num_replicas: 2}}
`},
	{name: "two replicas that the goals ask more of", code: "CLU080", design: `
server: {nodes: 3}
goals: {survive: [node]}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, num_replicas: 2}}
`},
	{name: "four replicas on four servers", code: "CLU080", severity: design.Warning, words: "write num_replicas: 3", design: `
server: {nodes: 4}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, num_replicas: 4}}
`},
	{name: "a dot in the name of a consumer", code: "API10017", severity: design.Error, words: "'.' at byte 8; write billing_eu", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {billing.eu: {ack_policy: explicit}}}}
`},
	{name: "a dot in the name of a stream is one fault", code: "API10056", design: `
streams: {S.A: {subjects: [s.>], max_bytes: 1GiB, consumers: {b: {ack_policy: explicit}, c: {}}}}
`},
	{name: "sync close to what loopback gives", code: "PUB016", severity: design.Info, number: 0.0002, words: "one within 200 µs each", design: `
server: {nodes: 3}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, num_replicas: 3}}
publishers: {p: {subject: s.a, rate: 5000/s, payload: 100B, mode: sync}}
`},
	{name: "sync far from it", code: "PUB016", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 500/s, payload: 100B, mode: sync}}
`},
	{name: "max_payload belongs to the server", code: "PUB080", severity: design.Error, number: 1, words: "write server.conf.max_payload: 4MiB or more", not: "of stream", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 1/s, payload: 3MiB}}
`},
	{name: "a wildcard in front of a word", code: "SUB002", severity: design.Warning, number: 1, words: "such as orders.*.paid", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.*paid", ack_policy: explicit, max_deliver: 5}}}}
`},
	{name: "a wildcard behind a word", code: "SUB002", severity: design.Warning, number: 1, words: "such as orders.eu.*.paid", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.eu*.paid", ack_policy: explicit, max_deliver: 5}}}}
`},
	{name: "an unclosed placeholder", code: "SUB019", severity: design.Warning, number: 1, words: "write {region}", design: `
streams: {ORDERS: {subjects: ["orders.>"], max_age: 1h, max_bytes: 10GiB, consumers: {c: {filter_subject: "orders.>", ack_policy: explicit, max_deliver: 5}}}}
publishers: {p: {subject: "orders.{region", tokens: {region: 2}, rate: 1/s, payload: 1KiB}}
`},
	{name: "an age that max_msgs is full before", code: "STR028", severity: design.Info, number: 100, words: "max_msgs (1,000) is full after 1 min 40 s", design: `
streams: {S: {subjects: [s.>], max_age: 1h, max_msgs: 1000}}
publishers: {p: {subject: s.a, rate: 10/s, payload: 100B}}
`},
	{name: "an age that is reached first", code: "STR028", design: `
streams: {S: {subjects: [s.>], max_age: 1h, max_msgs: 100000}}
publishers: {p: {subject: s.a, rate: 10/s, payload: 100B}}
`},
	{name: "acks of none beside a goal", code: "CON017", severity: design.Warning, number: 50, words: "worker-crash", design: `
goals: {survive: [worker-crash]}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: none, workers: {count: 1, fetch: 50, service_time: 1ms}}}}}
`},
	{name: "a deliberate none", code: "CON017", design: `
goals: {survive: [node]}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, num_replicas: 3, consumers: {c: {ack_policy: none, workers: {count: 1, fetch: 50, service_time: 1ms}}}}}
`},
	{name: "advisories of another stream", code: "CON064", severity: design.Warning, words: "T/d and all others", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_deliver: 5}}}, T: {subjects: [t.>], max_bytes: 1GiB, consumers: {d: {ack_policy: explicit}}}, D: {subjects: ["$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.T.*"], max_bytes: 1GiB}}
`},
	{name: "advisories of no stream, to a subscriber", code: "CON064", severity: design.Warning, words: "no consumer of the design has such a name", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_deliver: 5}}}}
subscribers: {u: {subject: "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.X.c"}}
`},
	{name: "advisories before anybody has a limit", code: "CON064", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit}}}, D: {subjects: ["$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.*"], max_bytes: 1GiB}}
`},
	{name: "a number that no int holds, of handlers", code: "CON060", severity: design.Warning, words: "1,000,000,000,000,000 handlers", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_deliver: 5, workers: {service_time: 10000h}}}}}
publishers: {p: {subject: a.b, rate: 1000000000000/s, payload: 1KiB}}
`},
	{name: "a number that no int holds, of messages", code: "CON012", severity: design.Warning, words: "write max_ack_pending: 1000000000000000 or more", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_ack_pending: 10, max_deliver: 5, workers: {service_time: 1ms, errors: {rate: 100%, action: nak, delay: 10000h}}}}}}
publishers: {p: {subject: a.b, rate: 1000000000000/s, payload: 1KiB}}
`},
	{name: "a number that no int holds, of bits", code: "CON034", severity: design.Warning, words: "write 1000000000000000 or more", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {d: {deliver_subject: x, ack_policy: none, rate_limit_bps: 1}}}}
publishers: {p: {subject: a.b, rate: 1000000000000/s, payload: 8MiB}}
`},
}

// TestStreamNotRead: where a stream could not be read, what publishers send may well be
// for it.
func TestStreamNotRead(t *testing.T) {
	const rest = "publishers: {p: {subject: s.a, rate: 1/s, payload: 1KiB, mode: sync}}\n"
	for _, streams := range []string{
		"streams: {S: {subjects: [s.>]}, S: {subjects: [t.>]}}\n",
		"streams: {S: {subjects: s.>}, T: {subjects: [t.>]}}\n",
	} {
		for _, f := range CheckSources([]*design.Source{design.NewSource("a.yaml", []byte("weir: 1\n"+streams+rest))}, Options{}).Findings {
			if f.Code == "SUB005" {
				t.Errorf("%s: %s", streams, f)
			}
		}
	}
}

// TestIgnoreComments: what looks like an ignore and is none is said.
func TestIgnoreComments(t *testing.T) {
	for comment, says := range map[string]string{
		"# weir:ignore STR094 SUB006 both": "each code in a comment of its own",
		"# weir: ignore":                   "names no code",
		"# weir : ignore STR094":           "needs a reason",
	} {
		r := CheckSources([]*design.Source{design.NewSource("a.yaml", []byte("weir: 1\n"+comment+"\nstreams: {S: {subjects: [s.>]}}\n"))}, Options{})
		if len(r.Findings) == 0 || r.Findings[0].Code != CodeBadIgnore || !strings.Contains(r.Findings[0].Message, says) {
			t.Errorf("%s: %v", comment, r.Findings)
		}
	}
}

// TestBaselineWorse: what got worse is not what a baseline knows.
func TestBaselineWorse(t *testing.T) {
	same := func(file string) string { return file }
	found := func(name string, value float64, severity design.Severity) []Finding {
		return []Finding{{Code: "CON060", Severity: severity, Path: "streams.S", File: "a.yaml", Figure: &Figure{name, value, "msg/s", Computed}}}
	}
	b, err := ReadBaseline(NewBaseline(found("what waits grows by", 100, design.Warning), same).JSON())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		now   []Finding
		fresh int
	}{
		{"as before", found("what waits grows by", 100, design.Warning), 0}, {"better", found("what waits grows by", 10, design.Info), 0},
		{"worse", found("what waits grows by", 120, design.Warning), 1}, {"an error now", found("what waits grows by", 100, design.Error), 1},
		{"more is not worse", found("time until it is full", 120, design.Warning), 0},
	} {
		if fresh, _, stale := b.Split(tt.now, []string{"a.yaml"}, same); len(fresh) != tt.fresh || stale != 0 {
			t.Errorf("%s: %v, %d stale", tt.name, fresh, stale)
		}
	}
}

// TestBrokenElsewhere: what cannot be read in one design hides nothing in another that
// has the same names.
func TestBrokenElsewhere(t *testing.T) {
	text := func(filter, wait string) []byte {
		return []byte("weir: 1\nstreams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {filter_subject: " + filter + ", ack_policy: explicit, ack_wait: " + wait + "}}}}\n")
	}
	r := CheckSources([]*design.Source{design.NewSource("a.yaml", text("s.>.made", "30s")), design.NewSource("b.yaml", text("s.*.made", "30"))}, Options{})
	var found []string
	for _, f := range r.Findings {
		if f.Severity != design.Info {
			found = append(found, f.File+" "+f.Code)
		}
	}
	if got := strings.Join(found, ", "); got != "a.yaml SUB001, b.yaml FILE007" {
		t.Errorf("found %s: %v", got, r.Findings)
	}
}
