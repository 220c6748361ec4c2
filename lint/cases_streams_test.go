package lint

import (
	"fmt"
	"strings"

	"weir/design"
)

// streamCases are the rows about streams, limits, capacity, clusters, servers and
// permissions.
var streamCases = []caseOf{
	{id: "ret-01", code: "STR010", severity: design.Warning, path: "streams.A.discard", number: 3, design: `
streams: {A: {subjects: [a.>], discard: new, max_msgs: 3, consumers: {c: {ack_policy: explicit}}}}
`},
	{id: "gr-02", code: "STR012", severity: design.Warning, path: "streams.BUS.max_msgs", number: 70_000, words: "120,000 wait", design: `
streams: {BUS: {subjects: [bus.>], max_msgs: 50000, consumers: {c: {ack_policy: explicit, workers: {count: 1, service_time: 10ms}}}}}
publishers: {p: {subject: bus.a, rate: 10/s, bursts: [{rate: 500/s, for: 300s}], payload: 100B, mode: async}}
`},
	{id: "accepted-and-lost", code: "STR011", severity: design.Warning, words: "acknowledged and lost", number: 1, design: `
streams: {A: {subjects: [a.>], max_bytes: 5000B}}
publishers: {p: {subject: a.b, rate: 1/s, payload: 6KiB, mode: sync}}
`},
	{id: "int-01", code: "STR013", severity: design.Warning, path: "streams.B.retention", words: "nothing is republished", number: 20, design: `
streams:
  A: {subjects: [a.>], max_bytes: 1GiB}
  B: {sources: [{name: A}], retention: interest, max_bytes: 1GiB, republish: {src: ">", dest: "c.>"}}
  C: {subjects: [c.>], max_bytes: 1GiB}
publishers: {p: {subject: a.b, rate: 20/s, payload: 100B, mode: sync}}
`},
	{id: "int-02", target: "2.12", code: "STR015", severity: design.Warning, words: "no consumer asks for schedules", design: `
streams: {A: {subjects: [work.>, schedules.>], retention: interest, max_bytes: 1GiB, allow_msg_schedules: true, consumers: {c: {filter_subject: work.>, ack_policy: explicit, max_deliver: 5}}}}
`},
	{id: "int-03", code: "STR016", severity: design.Info, words: "deleting it removes what waits", number: 11, design: `
streams: {A: {subjects: [a.>], retention: interest, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_ack_pending: 11}}}}
`},
	{id: "int-03", code: "STR016", severity: design.Warning, words: "is deleted", number: 300, design: `
streams: {A: {subjects: [a.>], retention: interest, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, inactive_threshold: 5m}}}}
`},
	{id: "intr-02", code: "STR014", severity: design.Warning, words: "keeps 2 of the 3 subjects", number: 2, design: `
streams: {I: {subjects: [interest.>], retention: interest, max_bytes: 1GiB, consumers: {c: {filter_subjects: [interest.a, interest.b], ack_policy: explicit}}}}
publishers: {p: {subject: "interest.{x}", tokens: {x: [a, b, c]}, rate: 3/s, payload: 100B, mode: sync}}
`},
	{id: "rp-02", code: "STR017", severity: design.Error, words: "detected cycle", design: `
streams:
  A: {subjects: [a.>], sources: [{name: B}]}
  B: {subjects: [b.>], sources: [{name: A}]}
`},
	{id: "del-02", code: "STR020", severity: design.Warning, number: 16_000, design: `
server: {nodes: 3}
streams: {Q: {subjects: [Q.>], retention: workqueue, num_replicas: 3, discard: new, max_bytes: 10GiB}}
publishers: {p: {subject: Q.a, count: 3, rate: 8000/s, payload: 200B, mode: async}}
`},
	{id: "tag-01", code: "CLU010", severity: design.Error, path: "streams.S.placement.tags", words: "fewer than 3 servers", design: `
server: {nodes: 3, tags: ["dc:ncp"]}
streams: {S: {subjects: [a.>], num_replicas: 3, placement: {tags: ["aws-region:ncp"]}}}
`},
	{id: "rep-01", code: "CLU080", severity: design.Warning, words: "needs 2 of 2 servers", design: `
server: {nodes: 3}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 2}}
`},
	{id: "quo-04", code: "CLU020", severity: design.Warning, words: "needs 2 of its own 3", number: 0.3, design: `
server: {nodes: 5}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 3}}
scenarios: {redeploy: [{at: 1m, restart: node 1}, {at: 1m, restart: node 2}]}
`},
	{id: "dur-02", code: "CLU018", severity: design.Warning, words: "6,000 acknowledged messages", number: 120, design: `
streams: {S: {subjects: [a.>], max_bytes: 1GiB}}
publishers: {hook: {subject: a.b, rate: 50/s, payload: 1KiB, mode: sync}}
goals: {lost: 0%}
`},
	{id: "dur-03", code: "CLU012", severity: design.Warning, path: "server.zones", number: 3, words: "3 of the 3 replicas", design: `
server: {nodes: 3, zones: [host]}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 3}}
`},
	{id: "bak-02", code: "CLU016", severity: design.Warning, words: "missing in a backup", design: `
server: {nodes: 3}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 3, consumers: {c: {ack_policy: explicit, num_replicas: 1}}}}
`},
	{id: "leaf-01", code: "CLU013", severity: design.Warning, words: "by subject and by source", number: 2, design: `
streams: {orders: {subjects: [orders.>], max_bytes: 1GiB, sources: [{name: orders, external: {api: $JS.leaf.API}}]}}
leafnodes: {leaf: {domain: leaf, streams: {orders: {subjects: [orders.>], max_bytes: 1GiB}}}}
`},
	{id: "leaf-02", code: "CLU013", severity: design.Warning, words: "takes the first answer", number: 2, design: `
streams: {HUB: {subjects: [orders.>], max_bytes: 1GiB}}
leafnodes: {leaf: {domain: leaf, streams: {EDGE: {subjects: [orders.new], max_bytes: 1GiB}}}}
`},
	{id: "dom-01", code: "CLU014", severity: design.Warning, path: "leafnodes.a", words: "seen there only", number: 2, design: `
leafnodes:
  a: {streams: {A: {subjects: [a.>], max_bytes: 1GiB}}}
  b: {streams: {B: {subjects: [b.>], max_bytes: 1GiB}}}
`},
	{id: "dom-02", code: "CLU015", severity: design.Warning, path: "leafnodes.b.domain", number: 3, design: `
server: {domain: hub}
leafnodes:
  a: {domain: hub, streams: {A: {subjects: [a.>], max_bytes: 1GiB}}}
  b: {domain: hub, streams: {B: {subjects: [b.>], max_bytes: 1GiB}}}
`},
	{id: "ha-01", code: "CLU019", severity: design.Warning, path: "server.nodes", number: 10_000, words: "5000 streams and 5000 consumers", design: haAssetsDesign(5000)},
	{id: "ha-02", code: "CLU019", severity: design.Warning, number: 55_000, design: `
server: {nodes: 3}
streams: {CHAT: {subjects: [chat.>], max_bytes: 1GiB, num_replicas: 3, max_consumers: 55000}}
`},
	{id: "dedup-05", code: "STR091", severity: design.Warning, number: 120, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 0}}
`},
	{id: "src-01", code: "STR092", severity: design.Warning, number: 120, design: `
streams:
  ORIGIN: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 2m}
  SOURCE: {sources: [{name: ORIGIN}], max_bytes: 1GiB, duplicate_window: 1h}
`},
	{id: "disc-01", code: "STR093", severity: design.Warning, number: 5, design: `
streams: {A: {subjects: [a.>], max_age: 1h, discard: new, max_msgs_per_subject: 5}}
`},
	{id: "disc-02", code: "STR093", severity: design.Warning, words: "number 11", number: 10, design: `
streams: {A: {subjects: [a.>], max_age: 20s, duplicate_window: 10s, discard: new, max_msgs_per_subject: 10}}
`},
	{id: "pay-02", code: "PUB080", severity: design.Warning, words: "max_payload of 4 MiB", design: `
server: {version: "2.12", conf: {max_payload: 4MiB}}
streams: {A: {subjects: [a.>], max_bytes: 10GiB}}
publishers: {peers: {subject: a.block, rate: 1/m, payload: {p50: 1MiB, p99: 4.2MiB}, msg_id: sha256}}
`},
	{id: "ver-04", target: "2.10", code: "CFG002", severity: design.Warning, words: "allow_msg_ttl", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, allow_msg_ttl: true}}
`},
}

// haAssetsDesign has n streams of three replicas with a consumer each.
func haAssetsDesign(n int) string {
	var b strings.Builder
	b.WriteString("server: {nodes: 3}\nstreams:\n")
	for i := range n {
		fmt.Fprintf(&b, "  S%d: {subjects: [s%d.>], max_msgs: 10, num_replicas: 3, consumers: {c: {ack_policy: explicit}}}\n", i, i)
	}
	return b.String()
}
