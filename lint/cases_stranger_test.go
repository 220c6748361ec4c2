package lint

import "weir/design"

// strangerCases are rows as somebody writes them who does not know the rules: other
// names, other notations, less said.
var strangerCases = []judged{
	{name: "q-01 of JSON without a stream", code: "CON027", severity: design.Warning, number: 2, times: 1, info: `
{"stream_name":"M","config":{"durable_name":"one","deliver_subject":"in.1","deliver_group":"workers","ack_policy":"explicit"}}
{"stream_name":"M","config":{"durable_name":"two","deliver_subject":"in.2","deliver_group":"workers","ack_policy":"explicit"}}`},
	{name: "dom-02 counts sites", code: "CLU015", severity: design.Warning, number: 3, times: 1, design: `
server: {domain: hub}
leafnodes: {plants: {count: 2, domain: hub, streams: {A: {subjects: [a.>], max_bytes: 1GiB}}}}
`},
	{name: "leaf-02 of two sites", code: "CLU013", severity: design.Warning, number: 2, times: 1, design: `
leafnodes: {e1: {domain: e1, streams: {L1: {subjects: [ev.>], max_bytes: 1GiB}}}, e2: {domain: e2, streams: {L2: {subjects: [ev.*], max_bytes: 1GiB}}}}
`},
	{name: "leaf-02 of sites of one kind", code: "CLU013", severity: design.Info, number: 3, times: 1, design: `
leafnodes: {e1: {domain: e1, count: 3, streams: {L1: {subjects: [ev.>], max_bytes: 1GiB}}}}
`},
	{name: "sites in accounts of their own", code: "CLU013", design: `
accounts: {A: {}, B: {}}
leafnodes: {e1: {domain: e1, account: A, streams: {L1: {subjects: [ev.>], max_bytes: 1GiB}}}, e2: {domain: e2, account: B, streams: {L2: {subjects: [ev.*], max_bytes: 1GiB}}}}
`},
	{name: "dur-02 on a server that is one", code: "CLU018", severity: design.Warning, number: 120, times: 1, design: `
server: {nodes: 1}
streams: {HOOKS: {subjects: [hooks.*], max_bytes: 1GiB}}
publishers: {webhook: {subject: hooks.a, rate: 5/s, payload: 2KiB}}
`},
	{name: "dur-02 with an interval that somebody chose", code: "CLU018", severity: design.Info, number: 5, design: `
server: {nodes: 1, conf: {sync_interval: 5s}}
streams: {HOOKS: {subjects: [hooks.*], max_bytes: 1GiB}}
publishers: {webhook: {subject: hooks.a, rate: 5/s, payload: 2KiB}}
`},
	{name: "dur-03 by tags", code: "CLU012", severity: design.Warning, number: 3, times: 1, design: `
server: {nodes: 3, tags: ["host:alpha"]}
streams: {A: {subjects: [a.>], num_replicas: 3, max_bytes: 1GiB}}
`},
	{name: "servers of one data centre", code: "CLU012", design: `
server: {nodes: 3, tags: ["dc:alpha", "ssd"]}
streams: {A: {subjects: [a.>], num_replicas: 3, max_bytes: 1GiB}}
`},
	{name: "map-01 of a sink that acks at checkpoints", code: "CON083", severity: design.Warning, number: 200, times: 1, design: `
streams: {SINK: {subjects: [sink.>], max_age: 24h, consumers: {flink: {ack_policy: all, workers: {count: 1, service_time: 5s}}}}}
publishers: {src: {subject: sink.a, rate: 1000/s, payload: 500B, mode: async}}
`},
	{name: "ord-02 that keeps up", code: "CON023", severity: design.Info, number: 200, times: 1, design: `
streams: {ORD: {subjects: ["orders.*"], max_bytes: 5GiB, subject_transform: {src: "orders.*", dest: "orders.{{partition(2,1)}}.{{wildcard(1)}}"}, consumers: {p0: {filter_subject: "orders.0.*", max_ack_pending: 1, ack_policy: explicit, workers: {service_time: 5ms}}, p1: {filter_subject: "orders.1.*", max_ack_pending: 1, ack_policy: explicit, workers: {service_time: 5ms}}}}}
publishers: {shop: {subject: "orders.{customer}", tokens: {customer: 5000}, rate: 300/s, payload: 1KiB}}
`},
	{name: "push-01 of what a stream keeps", code: "CON002", severity: design.Warning, number: 1_000_000, times: 1, design: `
streams: {HIST: {subjects: [hist.>], max_msgs: 1000000, consumers: {reader: {deliver_subject: push.reader, ack_policy: none}}}}
publishers: {p: {subject: hist.a, rate: 1000/s, payload: 200B, mode: async}}
`},
	{name: "recr-01 of an hour", code: "CON020", severity: design.Info, number: 10_000_000, times: 1, design: `
streams: {S: {subjects: [s.>], max_msgs: 10000000, consumers: {c: {ack_policy: explicit, inactive_threshold: 1h}}}}
publishers: {p: {subject: s.a, rate: 100/s, payload: 100B}}
`},
	{name: "pull-02 by what a fetch waits", code: "CON015", severity: design.Error, number: 5, times: 1, design: `
streams: {S: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_expires: 5s, workers: {expires: 30s, service_time: 1ms}}}}}
`},
	{name: "pull-02 where nobody says how long", code: "CON015", severity: design.Warning, number: 5, words: "(30s, the default)", times: 1, design: `
streams: {S: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_expires: 5s, workers: {service_time: 1ms}}}}}
`},
	{name: "pay-02 that no stream stores", code: "PUB080", severity: design.Error, number: 1, times: 1, design: `
server: {conf: {max_payload: 4MiB}}
subscribers: {s: {subject: b.>}}
publishers: {peer: {subject: b.block, rate: 1/m, payload: 4.1MiB, mode: core}}
`},
	{name: "mm-06 of a stream that keeps all", code: "CON081", severity: design.Info, number: 150, words: "no queue for dead letters", times: 1, design: `
streams: {SQS: {subjects: [sqs.>], max_age: 96h, max_bytes: 1GiB, consumers: {w: {ack_policy: explicit, max_deliver: 5, workers: {service_time: 20ms}}}}}
`},
	{name: "kv-03 by gets", code: "KV001", severity: design.Info, number: 5_000_000, times: 1, design: `
kv: {QUEUES: {keys: 50000, value: 200B, max_bytes: 1GiB, reads: 100/s, writes: 10/s}}
`},
	{name: "kv-02 by writes", code: "KV005", severity: design.Info, number: 864, times: 1, design: `
kv: {UNEVEN: {keys: 100000, value: 200B, max_bytes: 10GiB, writes: 1000/s, watchers: 2}}
`},
	{name: "ord-03 as it is", code: "CON046", severity: design.Info, number: 3, times: 1, design: `
streams: {Q: {subjects: [q], retention: workqueue, max_msgs: 500, discard: new, duplicate_window: 2s, consumers: {w: {ack_policy: explicit, ack_wait: 30s, workers: {count: 4, fetch: 1, service_time: 50ms}}}}}
`},
	{name: "ord-03 where somebody says so", code: "CON046", severity: design.Warning, number: 999, times: 1, design: `
streams: {Q: {subjects: [q.>], retention: workqueue, max_bytes: 1GiB, consumers: {w: {description: handles a file's parts in order, ack_policy: explicit}}}}
`},
	{name: "nobody says that orders are ordered", code: "CON046", design: `
streams: {ORDERS: {description: all orders of the shop, subjects: [orders.>], max_bytes: 1GiB, consumers: {billing: {ack_policy: explicit, workers: {count: 4, service_time: 50ms, errors: {rate: 1%}}}}}}
`},
	{name: "dedup-01 without an ack_timeout", code: "PUB081", severity: design.Warning, number: 30, times: 1, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 1/m, payload: 100B, msg_id: 12B, retry_for: 720h}}
`},
	{name: "dedup-03 as far as it can be seen", code: "PUB019", severity: design.Info, number: 120, times: 1, design: `
streams: {PRODUCTS: {subjects: ["product.*"], retention: workqueue, max_bytes: 1GiB, consumers: {idx: {ack_policy: explicit}}}}
publishers: {ui: {subject: "product.{id}", tokens: {id: 1000}, rate: 20/s, payload: 2KiB, msg_id: 8B}}
`},
	{name: "dedup-04 by what workers publish", code: "PUB019", severity: design.Warning, number: 120, times: 1, design: `
streams: {SCAN: {subjects: [scan.>], retention: workqueue, max_bytes: 1GiB, consumers: {scanner: {ack_policy: explicit, ack_wait: 10m}}}}
publishers: {again: {subject: scan.create, after: SCAN/scanner, rate: 3/h, payload: 200B, msg_id: 36B}}
`},
	{name: "ids of each attempt", code: "PUB019", design: `
streams: {SCAN: {subjects: [scan.>], retention: workqueue, max_bytes: 1GiB, consumers: {scanner: {ack_policy: explicit, ack_wait: 10m}}}}
publishers: {again: {subject: scan.create, after: SCAN/scanner, rate: 3/h, payload: 200B, msg_id: nuid}}
`},
	{name: "ttl-02 on a release that has the fault", target: "2.11.3", code: "PUB014", severity: design.Warning, number: 1, times: 1, design: `
kv: {LOCKS: {history: 1, limit_marker_ttl: 30s, max_bytes: 100MiB}}
`},
	{name: "ttl-02 on the next one", target: "2.11.4", code: "PUB014", design: `
kv: {LOCKS: {history: 1, limit_marker_ttl: 30s, max_bytes: 100MiB}}
`},
	{name: "lps-01 of nobody's rate", code: "CON037", severity: design.Info, number: 5, times: 1, design: `
streams: {C: {subjects: [contracts.>], max_msgs_per_subject: 5, max_bytes: 1GiB, consumers: {c: {deliver_policy: last_per_subject, filter_subject: "contracts.*", ack_policy: explicit}}}}
`},
	{name: "kaf-02 by a short mapping", code: "CON045", severity: design.Warning, number: 2, times: 1, design: `
server: {conf: {mappings: {"o.*": "o.{{partition(3,1)}}.{{wildcard(1)}}"}}}
streams: {O: {subjects: ["o.*.*"], max_bytes: 10GiB, consumers: {a: {filter_subject: "o.0.*", ack_policy: explicit, max_ack_pending: 1}}}}
`},
	{name: "flt-01 by what a server counts", code: "SUB014", severity: design.Warning, number: 1_000_000, times: 1, info: `
{"config":{"name":"EV","subjects":["ev.*.*"],"max_msgs_per_subject":3},"state":{"messages":3000000,"num_subjects":1000000}}
{"stream_name":"EV","name":"all","config":{"durable_name":"all","filter_subject":"ev.*.*","ack_policy":"explicit"}}`},
	{name: "mem-02 by what a server counts", code: "CAP014", severity: design.Warning, number: 1.27e9, times: 1, info: `
{"config":{"name":"KV_D","subjects":["$KV.D.>"],"max_msgs_per_subject":1},"state":{"messages":10000000,"num_subjects":10000000}}`},
	{name: "disk-01 by what a server counts", code: "STR094", severity: design.Warning, number: 90_000_000, times: 1, info: `
{"config":{"name":"K","subjects":["k.>"]},"state":{"messages":1000000,"bytes":900000000,"first_ts":"2026-01-01T00:00:00Z","last_ts":"2026-01-11T00:00:00Z"}}`},
	{name: "perm-02 of all streams", code: "SEC011", severity: design.Warning, number: 300, times: 1, design: `
accounts: {$G: {users: {w: {publish: ["$JS.API.STREAM.INFO.*", "$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.MSG.NEXT.>", "$JS.ACK.>"], subscribe: ["_INBOX.>"]}}}}
`},
}
