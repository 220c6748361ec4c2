package lint

import "weir/design"

// consumerCases are the rows about consumers, workers, publishers and buckets.
var consumerCases = []caseOf{
	{id: "ack-07", code: "CON080", severity: design.Warning, words: "no end", design: `
streams: {JOBS: {subjects: [jobs.>], max_bytes: 1GiB, consumers: {work: {ack_policy: explicit, ack_wait: 60s, workers: {count: 2, service_time: 50ms, errors: {rate: 1%, action: nak}}}}}}
`},
	{id: "int-04", code: "CON081", severity: design.Warning, words: "last try", design: `
streams: {EVENTS: {subjects: [events.>], retention: interest, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 3, workers: {count: 1, service_time: 10ms, errors: {rate: 100%, action: nothing}}}}}}
`},
	{id: "mm-01", code: "CON081", severity: design.Warning, words: "stays in the stream", design: `
streams: {Q: {subjects: [q.>], retention: workqueue, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 3, max_ack_pending: 1, workers: {count: 1, service_time: 10ms, errors: {rate: 100%, action: nothing}}}}}}
`},
	{id: "ack-10", code: "CON082", severity: design.Warning, number: 5, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, backoff: [5s, 5s], max_deliver: 5}}}}
`},
	{id: "gr-03", code: "CON084", severity: design.Warning, number: 30, design: `
streams: {A: {subjects: [a.>], max_age: 20s, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_ack_pending: 10}}}}
`},
	{id: "pull-04", code: "CON014", severity: design.Warning, number: 10, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_ack_pending: 10, workers: {fetch: 100}}}}}
`},
	{id: "pull-02", code: "CON015", severity: design.Error, number: 50, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_batch: 50, workers: {fetch: 100, expires: 30s}}}}}
`},
	{id: "ack-03", code: "CON025", severity: design.Warning, number: 600, design: `
streams: {W: {subjects: [w.>], retention: workqueue, max_bytes: 1GiB, consumers: {c: {deliver_subject: work, deliver_group: g, ack_policy: explicit, ack_wait: 10m, workers: {count: 4, service_time: {p50: 1s, p99: 35s}}}}}}
`},
	{id: "ack-12", code: "CON025", severity: design.Warning, number: 300, design: `
streams: {W: {subjects: [w.>], retention: workqueue, max_bytes: 1GiB, consumers: {c: {deliver_subject: work, deliver_group: g, ack_policy: explicit, ack_wait: 5m}}}}
`},
	{id: "ack-05", code: "CON001", severity: design.Warning, number: 1, words: "2s", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, backoff: [1s, 5s, 30s], max_deliver: 5, workers: {service_time: 2s}}}}}
`},
	{id: "ack-06", code: "CON082", severity: design.Warning, number: 2, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 10s, backoff: [2s, 10s], max_deliver: 3, workers: {service_time: 13s}}}}}
`},
	{id: "ack-06", code: "CON024", severity: design.Warning, number: 12, words: "count as failed", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 10s, backoff: [2s, 10s], max_deliver: 3, workers: {service_time: 13s}}}}}
`},
	{id: "mm-03", code: "CON080", severity: design.Warning, number: 0.005, words: "all 5 tries", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_deliver: 5, workers: {service_time: 1ms, errors: {rate: 1%, action: nak}}}}}}
`},
	{id: "mm-05", code: "CON081", severity: design.Warning, number: 12, design: `
streams: {Z: {subjects: [zdd.*], retention: workqueue, max_bytes: 1GiB, consumers: {c: {filter_subject: zdd.world, ack_policy: explicit, max_deliver: 3, ack_wait: 4s, workers: {service_time: 10ms, errors: {rate: 100%, action: nothing}}}}}}
`},
	{id: "map-01", code: "CON083", severity: design.Warning, number: 200, design: `
streams: {F: {subjects: [f.>], max_bytes: 1GiB, consumers: {sink: {ack_policy: all, workers: {concurrency: 10000, service_time: 5s}}}}}
publishers: {p: {subject: f.a, rate: 1000/s, payload: 100B}}
`},
	{id: "inact-01", target: "2.10", code: "CON019", severity: design.Warning, number: 9, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {name: c, ack_policy: explicit, workers: {fetch: 3, service_time: 3s}}}}}
`},
	{id: "recr-01", code: "CON020", severity: design.Warning, number: 10_000_000, words: "again", design: `
streams: {S: {subjects: [s.>], max_msgs: 10000000, consumers: {c: {ack_policy: explicit, inactive_threshold: 1m, deliver_policy: all}}}}
publishers: {p: {subject: s.a, rate: 100/s, payload: 100B}}
`},
	{id: "recr-01", code: "CON020", severity: design.Warning, number: 24_000, words: "lost", design: `
streams: {S: {subjects: [s.>], max_msgs: 10000000, consumers: {c: {ack_policy: explicit, inactive_threshold: 1m, deliver_policy: new}}}}
publishers: {p: {subject: s.a, rate: 100/s, payload: 100B}}
`},
	{id: "ord-02", code: "CON023", severity: design.Warning, number: 50, design: `
streams: {O: {subjects: ["orders.*"], max_bytes: 1GiB, consumers: {p0: {ack_policy: explicit, max_ack_pending: 1, workers: {service_time: 20ms}}}}}
publishers: {p: {subject: "orders.{customer}", tokens: {customer: 1000}, rate: 500/s, payload: 100B}}
`},
	{id: "kaf-04", code: "CON023", severity: design.Warning, number: 120, words: "block all others", design: `
streams: {O: {subjects: ["orders.*"], max_bytes: 1GiB, consumers: {p0: {ack_policy: explicit, max_ack_pending: 1, max_deliver: 5, workers: {service_time: 20ms, errors: {rate: 0.1%, action: nak, delay: 30s}}}}}}
`},
	{id: "hb-01", code: "CON026", severity: design.Warning, number: 2, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 5m, workers: {fetch: 1, expires: 5s, heartbeat: 1s, service_time: 1m}}}}}
`},
	{id: "q-01", code: "CON027", severity: design.Warning, number: 2, design: `
streams: {S: {subjects: [mysubject], max_bytes: 1GiB, consumers: {a: {deliver_subject: d.a, deliver_group: g, ack_policy: explicit}, b: {deliver_subject: d.b, deliver_group: g, ack_policy: explicit}}}}
`},
	{id: "q-04", code: "CON028", severity: design.Warning, words: "client libraries refuse", number: 1, design: `
streams: {Evaluation: {subjects: [evaluation.>], retention: workqueue, max_bytes: 1GiB, consumers: {c: {deliver_subject: _INBOX.Evaluation.new, ack_policy: explicit}}}}
subscribers: {worker: {subject: _INBOX.Evaluation.new, queue: "0"}}
`},
	{id: "kaf-01", code: "CON046", severity: design.Warning, number: 511, design: `
streams: {K: {subjects: [k.>], max_bytes: 1GiB, consumers: {p0: {filter_subject: k.0.>, ack_policy: explicit, ack_wait: 2m, max_ack_pending: 512}, p1: {filter_subject: k.1.>, ack_policy: explicit, ack_wait: 2m, max_ack_pending: 512}}}}
`},
	{id: "kaf-02", code: "CON045", severity: design.Warning, number: 1, words: "foo.2", design: `
server: {conf: {mappings: {"foo.*": [{dest: "foo.{{partition(3,1)}}.{{wildcard(1)}}"}]}}}
streams: {K: {subjects: [foo.>], max_bytes: 1GiB, consumers: {p0: {filter_subject: foo.0.*, ack_policy: explicit, max_ack_pending: 1}, p1: {filter_subject: foo.1.*, ack_policy: explicit, max_ack_pending: 1}}}}
`},
	{id: "kaf-03", code: "CON047", severity: design.Warning, number: 1, design: `
server: {conf: {mappings: {"foo.*.*": [{dest: "foo.$1.$2.{{partition(4,1)}}"}]}}}
streams: {K: {subjects: [foo.>], max_bytes: 1GiB}}
publishers: {p: {subject: "foo.a.{key}", tokens: {key: 1000}, rate: 10/s, payload: 100B}}
`},
	{id: "oc-01", code: "CON035", severity: design.Warning, number: 555, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {name: c, deliver_subject: d, ack_policy: none, flow_control: true, idle_heartbeat: 5s, mem_storage: true, workers: {service_time: 10ms}}}}}
publishers: {p: {subject: s.a, rate: 1000/s, payload: 20B}}
`},
	{id: "oc-02", code: "CON036", severity: design.Warning, words: "gone when its server restarts", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {name: c, ack_policy: none, mem_storage: true, num_replicas: 1, inactive_threshold: 5m}}}}
goals: {survive: [restart]}
`},
	{id: "aall-02", code: "CON036", severity: design.Warning, words: "max_ack_pending: 1", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {name: c, ack_policy: all, mem_storage: true, num_replicas: 1, inactive_threshold: 5m}}}}
`},
	{id: "lps-01", code: "CON037", severity: design.Warning, number: 5, design: `
streams: {C: {subjects: ["contracts.*"], max_msgs_per_subject: 5, consumers: {c: {deliver_policy: last_per_subject, filter_subject: contracts.>, ack_policy: explicit, workers: {concurrency: 100, service_time: 1s}}}}}
publishers: {p: {subject: "contracts.{id}", tokens: {id: 10}, rate: 50/s, payload: 100B}}
`},
	{id: "cons-01", code: "CON038", severity: design.Warning, number: 200, design: `
streams: {C: {subjects: ["c.*"], max_msgs_per_subject: 1, consumers: {c: {deliver_policy: last_per_subject, filter_subject: c.>, ack_policy: explicit, max_ack_pending: 50, workers: {concurrency: 100, service_time: 100ms}}}}}
publishers: {p: {subject: "c.{id}", tokens: {id: 100000}, rate: 5/s, payload: 100B}}
`},
	{id: "int-05", code: "CON039", severity: design.Info, number: 20, design: `
streams: {I: {subjects: [k.>], retention: interest, discard: new, max_bytes: 5000B, consumers: {c: {ack_policy: explicit, workers: {service_time: 10ms, errors: {rate: 100%, action: nothing}}}}}}
publishers: {p: {subject: k.a, rate: 1/s, payload: 217B}}
`},
	{id: "up-03", target: "2.10.7", code: "CON040", severity: design.Error, words: "has to be more than the 3 waits", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, backoff: [1s, 2s, 3s], max_deliver: 3}}}}
`},
	{id: "up-03", target: "2.10.7", code: "CON040", severity: design.Error, words: "has to be more than the 1 wait", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, backoff: [3s]}}}}
`},
	{id: "up-03", target: "2.12", code: "CON040", severity: design.Error, words: "10116", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, backoff: [1s, 2s, 3s], max_deliver: 2}}}}
`},
	{id: "ha-04", target: "2.15", code: "CON043", severity: design.Warning, number: 5000, words: "10026", design: `
kv: {OFFSETS: {history: 1, max_bytes: 1GiB, watchers: 5000}}
`},
	{id: "pub-02", target: "2.11", code: "PUB012", severity: design.Warning, number: 25000, words: "10167", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 5000/s, payload: 100B, mode: async, in_flight: 25000}}
`},
	{id: "pub-02", target: "2.15", code: "PUB012", severity: design.Warning, number: 25000, words: "in_flight: 1000", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 5000/s, payload: 100B, mode: async, in_flight: 25000}}
`},
	{id: "pub-03", code: "PUB012", severity: design.Warning, number: 130000, words: "look at every answer", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 5000/s, payload: 100B, mode: sync, count: 130000, on_reject: {retry: 0, then: drop}}}
`},
	{id: "ttl-01", code: "PUB013", severity: design.Warning, number: 1, words: "stays for ever", design: `
kv: {S: {history: 1, limit_marker_ttl: 30s, max_bytes: 1GiB}}
publishers: {create: {subject: $KV.S.key, rate: 1/s, payload: 100B, ttl: 60s}, update: {subject: $KV.S.key, rate: 1/s, payload: 100B}}
`},
	{id: "ttl-05", code: "KV003", severity: design.Warning, number: 3000000, words: "purge deletes", design: `
kv: {S: {history: 1, max_bytes: 10GiB, keys: 3000000, value: 100B, writes: 10/s}}
`},
	{id: "kv-01", code: "KV001", severity: design.Warning, number: 6, design: `
kv: {S: {history: 1, ttl: 24h, max_bytes: 10GiB, keys: 3000000, value: 100B, watchers: 1}}
`},
	{id: "obj-01", code: "KV003", severity: design.Warning, words: "use names again", design: `
objects: {PASS: {max_bytes: 10GiB, count: 100, size: 1MiB, writes: 1/s}}
`},
	{id: "dedup-01", code: "PUB081", severity: design.Warning, number: 30, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, duplicate_window: 2m}}
publishers: {p: {subject: s.a, rate: 1/m, payload: 100B, mode: sync, msg_id: uuid, ack_timeout: 60s, retry_for: 24h}}
`},
	{id: "dedup-05", code: "STR091", severity: design.Warning, number: 120, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, duplicate_window: 0}}
`},
	{id: "mm-01", code: "CON081", severity: design.Warning, number: 90, info: `
{"name": "Q", "subjects": ["q.>"], "retention": "workqueue", "storage": "file"}
{"stream_name": "Q", "config": {"durable_name": "c", "ack_policy": "explicit", "max_deliver": 3, "max_ack_pending": 1}}`},
	{id: "ack-10", code: "CON082", severity: design.Warning, number: 5, info: `
{"durable_name": "c", "ack_policy": "explicit", "ack_wait": 30000000000, "backoff": [5000000000, 5000000000], "max_deliver": 5}`},
	{id: "kv-01", code: "KV001", severity: design.Warning, number: 6, info: `
{"config": {"name": "KV_P", "subjects": ["$KV.P.>"], "max_msgs_per_subject": 1}, "state": {"messages": 3000000, "num_subjects": 3000000}}
{"stream_name": "KV_P", "name": "w", "config": {"name": "w", "deliver_subject": "_INBOX.x", "ack_policy": "none", "deliver_policy": "last_per_subject", "filter_subject": "$KV.P.>"}}`},
	{id: "kv-02", code: "KV005", severity: design.Warning, number: 100, info: `
{"config": {"name": "KV_P", "subjects": ["$KV.P.>"], "max_msgs_per_subject": 1}, "state": {"messages": 100000, "first_seq": 1, "last_seq": 10000000, "num_subjects": 100000}}`},
	{id: "cons-01", code: "CON038", severity: design.Warning, number: 2000, info: `
{"config": {"name": "S", "subjects": ["s.>"]}, "state": {"messages": 200000, "num_subjects": 100000}}
{"stream_name": "S", "name": "c", "config": {"durable_name": "c", "ack_policy": "explicit", "deliver_policy": "last_per_subject", "filter_subject": "s.>", "max_ack_pending": 50}}`},
	{id: "info-01", code: "CON023", severity: design.Warning, number: 1_200_000, words: "1,200,000 messages wait", info: `
{"config": {"name": "ORDERS", "subjects": ["orders.>"], "retention": "limits", "max_bytes": 10737418240, "storage": "file", "num_replicas": 1}, "state": {"messages": 1284412, "bytes": 200000, "consumer_count": 1}}
{"stream_name": "ORDERS", "name": "billing", "num_pending": 1200000, "num_ack_pending": 1, "delivered": {"consumer_seq": 84412, "stream_seq": 84412},
  "config": {"durable_name": "billing", "ack_policy": "explicit", "ack_wait": 30000000000, "max_ack_pending": 1}}
`},
	{id: "map-03", code: "CON050", severity: design.Warning, number: 970, info: `
{"config": {"name": "W", "subjects": ["w.>"], "retention": "workqueue"}, "state": {"messages": 2000}}
{"stream_name": "W", "name": "c", "num_pending": 1030, "num_ack_pending": 970, "config": {"durable_name": "c", "ack_policy": "explicit"}}`},
	{id: "mm-04", code: "CON051", severity: design.Warning, number: 220, info: `
{"config": {"name": "W", "subjects": ["w.>"], "retention": "workqueue"}, "state": {"messages": 220, "consumer_count": 1}}
{"stream_name": "W", "name": "c", "num_pending": 0, "num_ack_pending": 0, "config": {"durable_name": "c", "ack_policy": "explicit", "deliver_policy": "all", "max_deliver": 5}}`},
	{id: "push-01", code: "CON002", severity: design.Warning, number: 1_000_000, info: `
{"config": {"name": "S", "subjects": ["s.>"]}, "state": {"messages": 1000000, "bytes": 200000000}}
{"stream_name": "S", "name": "c1", "num_pending": 1000000, "config": {"name": "c1", "deliver_subject": "d.1", "ack_policy": "none"}}`},
	{id: "ha-02", code: "CON043", severity: design.Warning, number: 55_000, info: `
{"config": {"name": "CHAT", "subjects": ["chat.>"]}, "state": {"messages": 1000000, "consumer_count": 55000}}`},
}

// consumerNotSpokenTo are rows about consumers that no rule can speak to, with the
// reason.
var consumerNotSpokenTo = map[string]string{
	"inact-04": "asks to compare what is wanted with what a server has: weir diff of the design and the consumer's info says it",
	"drift-01": "asks to compare what is wanted with what a server has: weir diff of the design and the consumer's info says it",
	"mm-02":    "a change of max_deliver against messages on their way: a design says what is wanted, not what was delivered how often",
	"mm-06":    "asks for a generated mover and its stream, which weir generate writes; CON081 says that nothing does it by itself",
	"dedup-03": "what a message id is made of is the application's: a design knows its length only",
	"dedup-04": "who publishes again after a failed job, and when, is the application's: a design has no such publisher",
	"ttl-02":   "a fault of 2.11.0 to 2.11.3 when a bucket is changed; designs are judged by newest patches, and a design does not say what it was before",
	"obj-02":   "a fault of one client library's versions, seen in the stream's bytes after a replace",
	"kv-03":    "how often who lists all keys is not in a design; KV001 says what one listing brings",
	"churn-01": "how often clients ask for consumer info is not in a design",
	"ord-03":   "whether order matters is not in a design unless it makes partitions, which CON046 is about",
}
