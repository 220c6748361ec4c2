package lint

import (
	"math"
	"slices"
	"strings"
	"testing"

	"weir/design"
	"weir/natsapi"
)

// judged is what a rule has to say of a design, or that it has nothing to say.
type judged struct {
	name, target, code string
	severity           design.Severity // "" for silence
	number             float64
	words, not         string // of the message
	times              int    // how often, 0 for at least once
	design             string // the text after "weir: 1"
	info               string // JSON in its place
}

// judgedCases are verdicts that rules once missed or gave without a ground.
var judgedCases = []judged{
	{name: "a replica that is offline", code: "CLU023", severity: design.Warning, number: 0, times: 1, words: "n3 is offline (heard of 2 h ago, 5210 entries behind), it survives no further loss", info: `{"config": {"name": "A", "subjects": ["a"], "num_replicas": 3, "max_bytes": 1000000}, "cluster": {"leader": "n1", "replicas": [{"name": "n2", "current": true, "active": 1000000}, {"name": "n3", "offline": true, "current": false, "active": 7200000000000, "lag": 5210}]}}`},
	{name: "two replicas of five that are behind", code: "CLU023", severity: design.Warning, number: 0, times: 1, words: "n3 is not current, n4 is not current (7 entries behind)", info: `{"config": {"name": "A", "subjects": ["a"], "num_replicas": 5, "max_bytes": 1000000}, "cluster": {"leader": "n1", "replicas": [{"name": "n2", "current": true}, {"name": "n3", "current": false}, {"name": "n4", "current": false, "lag": 7}, {"name": "n5", "current": true}]}}`},
	{name: "no leader", code: "CLU023", severity: design.Warning, number: 0, times: 1, words: "no leader, publishes, fetches and acks get 10008", info: `{"config": {"name": "A", "subjects": ["a"], "num_replicas": 3, "max_bytes": 1000000}, "cluster": {"name": "C", "replicas": [{"name": "n2", "offline": true}, {"name": "n3", "offline": true}]}}`},
	{name: "all are current", code: "CLU023", info: `{"config": {"name": "A", "subjects": ["a"], "num_replicas": 3, "max_bytes": 1000000}, "cluster": {"leader": "n1", "replicas": [{"name": "n2", "current": true}, {"name": "n3", "current": true, "lag": 2}]}}`},
	{name: "a partition with less room than its share", code: "CON023", severity: design.Warning, number: 100, times: 2, words: "150 arrive", design: `
streams: {C: {subjects: [cart.*], max_age: 1h, max_bytes: 10GiB, subject_transform: {src: "cart.*", dest: "cart.{{partition(2,1)}}.{{wildcard(1)}}"}, consumers: {a: {filter_subject: "cart.0.*", ack_policy: explicit, max_ack_pending: 1, max_deliver: 5, workers: {service_time: 10ms}}, b: {filter_subject: "cart.1.*", ack_policy: explicit, max_ack_pending: 1, max_deliver: 5, workers: {service_time: 10ms}}}}}
publishers: {p: {subject: "cart.{id}", tokens: {id: 5000}, rate: 300/s, payload: 100B}}
`},
	{name: "a partition whose workers do less than its share", code: "CON060", severity: design.Warning, number: 50, times: 1, design: `
streams: {C: {subjects: [cart.*], max_age: 1h, max_bytes: 10GiB, subject_transform: {src: "cart.*", dest: "cart.{{partition(2,1)}}.{{wildcard(1)}}"}, consumers: {a: {filter_subject: "cart.0.*", ack_policy: explicit, max_deliver: 5, workers: {service_time: 10ms}}, b: {filter_subject: "cart.1.*", ack_policy: explicit, max_deliver: 5, workers: {service_time: 5ms}}}}}
publishers: {p: {subject: "cart.{id}", tokens: {id: 5000}, rate: 300/s, payload: 100B}}
`},
	{name: "a filter on one of the named values", code: "CON060", severity: design.Warning, number: 20, times: 1, design: `
streams: {J: {subjects: [j.>], max_bytes: 1GiB, consumers: {v: {filter_subject: "j.video.*", ack_policy: explicit, max_deliver: 5, workers: {service_time: 100ms}}}}}
publishers: {p: {subject: "j.{kind}.{n}", tokens: {kind: [video, mail], n: 1000}, rate: 60/s, payload: 100B}}
`},
	{name: "a filter on a value that nobody named", code: "CON060", design: `
streams: {J: {subjects: [j.>], max_bytes: 1GiB, consumers: {v: {filter_subject: "j.video.*", ack_policy: explicit, max_deliver: 5, workers: {service_time: 100ms}}}}}
publishers: {p: {subject: "j.{kind}.{n}", tokens: {kind: 2, n: 1000}, rate: 60/s, payload: 100B}}
`},
	{name: "a tail beyond the 99th percentile is an assumption", code: "CON001", severity: design.Info, words: "lognormal", design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 2m, max_deliver: 5, workers: {service_time: {p50: 500ms, p99: 20s}}}}}}
`},
	{name: "the 99th percentile itself is not", code: "CON001", severity: design.Warning, number: 0.053, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 4s, max_deliver: 5, workers: {service_time: {p50: 500ms, p99: 10s}}}}}}
`},
	{name: "a payload tail is an assumption", code: "PUB080", severity: design.Info, words: "lognormal", design: `
server: {conf: {max_payload: 8MiB}}
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 1/s, payload: {p50: 1KiB, p99: 5MiB}}}
`},
	{name: "a payload over the limit at its 99th percentile", code: "PUB080", severity: design.Error, design: `
streams: {S: {subjects: [s.>], max_bytes: 1GiB}}
publishers: {p: {subject: s.a, rate: 1/s, payload: {p50: 1KiB, p99: 2MiB}}}
`},
	{name: "objects that are written again leave no marker", code: "KV003", severity: design.Info, design: `
objects: {FACES: {max_bytes: 100GiB, count: 40000, size: 60KiB, writes: 0.5/s}}
`},
	{name: "objects that pass through do", code: "KV003", severity: design.Warning, design: `
objects: {JOBS: {max_bytes: 100GiB, count: 20, size: 60KiB, writes: 0.5/s}}
`},
	{name: "partitions are told once", code: "CON046", severity: design.Info, times: 1, words: "3 consumers like it", design: `
streams: {C: {subjects: ["cart.*.*"], max_bytes: 1GiB, consumers: {a: {filter_subject: "cart.0.*", ack_policy: explicit}, b: {filter_subject: "cart.1.*", ack_policy: explicit}, c: {filter_subject: "cart.2.*", ack_policy: explicit}}}}
`},
	{name: "partitions one of which keeps the order", code: "CON046", severity: design.Warning, times: 1, number: 999, design: `
streams: {C: {subjects: ["cart.*.*"], max_bytes: 1GiB, consumers: {a: {filter_subject: "cart.0.*", ack_policy: explicit}, b: {filter_subject: "cart.1.*", ack_policy: explicit, max_ack_pending: 1}}}}
`},
	{name: "one number of ids", code: "STR001", severity: design.Warning, number: 76.6 * (1 << 30), words: "expired", design: `
server: {memory: 32GiB}
streams: {S: {subjects: [s.>], max_bytes: 1GiB, duplicate_window: 168h}}
publishers: {p: {subject: s.a, rate: 1000/s, payload: 100B, msg_id: uuid, retry_for: 1m}}
`},
	{name: "2.10.14 keeps what no consumer asks for", target: "2.10.14", code: "STR014", severity: design.Warning, words: "stay until", not: "acknowledged and removed", design: `
streams: {I: {subjects: [i.*], retention: interest, max_bytes: 1GiB, consumers: {c: {filter_subjects: [i.a, i.b], ack_policy: explicit}}}}
publishers: {p: {subject: "i.{k}", tokens: {k: [a, b, c]}, rate: 1/s, payload: 100B}}
`},
	{name: "2.10.15 does not", target: "2.10.15", code: "STR014", severity: design.Warning, words: "removed at once", design: `
streams: {I: {subjects: [i.*], retention: interest, max_bytes: 1GiB, consumers: {c: {filter_subjects: [i.a, i.b], ack_policy: explicit}}}}
publishers: {p: {subject: "i.{k}", tokens: {k: [a, b, c]}, rate: 1/s, payload: 100B}}
`},
	{name: "the default window of a copy before 2.14", target: "2.12", code: "STR092", severity: design.Warning, number: 10, not: "leave it out", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 10s}, B: {sources: [{name: A}], max_bytes: 1GiB}}
`},
	{name: "no default window of a copy from 2.14 on", target: "2.14", code: "STR092", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 10s}, B: {sources: [{name: A}], max_bytes: 1GiB}}
`},
	{name: "a long window of a copy before 2.14", target: "2.11", code: "STR092", severity: design.Warning, not: "leave it out", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 1m}, B: {sources: [{name: A}], max_bytes: 1GiB, duplicate_window: 1h}}
`},
	{name: "the slow group of two takes few messages", code: "CON001", severity: design.Warning, number: 0.0001111, not: "all of them", words: "group slow", design: `
streams: {T: {subjects: [t.>], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 5, workers: [{name: fast, count: 2, service_time: 10ms}, {name: slow, count: 1, service_time: 45s}]}}}}
`},
	{name: "two consumers of a workqueue meet inside of the stream", code: "SUB009", severity: design.Error, words: "get v.", design: `
streams: {V: {subjects: [v.>], retention: workqueue, consumers: {a: {ack_policy: explicit}, b: {ack_policy: explicit}}}}
`},
	{name: "braces in a stream's subject", code: "SUB017", severity: design.Warning, words: "t.*", design: `
streams: {T: {subjects: ["t.{id}"], max_bytes: 1GiB}}
publishers: {p: {subject: "t.{id}", tokens: {id: 100}, rate: 1/s, payload: 100B}}
`},
	{name: "braces in a filter", code: "SUB017", severity: design.Warning, words: "t.*.new", design: `
streams: {T: {subjects: ["t.>"], max_bytes: 1GiB, consumers: {c: {filter_subject: "t.{id}.new", ack_policy: explicit}}}}
`},
	{name: "a circle of two workers", code: "SUB018", severity: design.Warning, times: 1, number: 2, words: "B/b", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, consumers: {a: {ack_policy: explicit}}}, B: {subjects: [b.>], max_bytes: 1GiB, consumers: {b: {ack_policy: explicit}}}}
publishers: {x: {subject: b.x, after: A/a, rate: 1/s, payload: 1KiB}, y: {subject: a.y, after: B/b, rate: 1/s, payload: 1KiB}}
`},
	{name: "a circle through a copy", code: "SUB018", severity: design.Warning, times: 1, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB}, B: {sources: [{name: A}], max_bytes: 1GiB, consumers: {b: {ack_policy: explicit}}}}
publishers: {y: {subject: a.y, after: b, rate: 1/s, payload: 1KiB}}
`},
	{name: "the values of a placeholder decide whether it comes back", code: "SUB018", severity: design.Info, times: 1, words: "may come back", design: `
streams: {A: {subjects: [a.*], max_bytes: 1GiB, consumers: {b: {filter_subject: a.new, ack_policy: explicit}}}}
publishers: {y: {subject: "a.{state}", tokens: {state: 5}, after: A/b, rate: 1/s, payload: 1KiB}}
`},
	{name: "named values that do not come back", code: "SUB018", design: `
streams: {A: {subjects: [a.*], max_bytes: 1GiB, consumers: {b: {filter_subject: a.new, ack_policy: explicit}}}}
publishers: {y: {subject: "a.{state}", tokens: {state: [done, failed]}, after: A/b, rate: 1/s, payload: 1KiB}}
`},
	{name: "the default store of a server of today", code: "CAP011", severity: design.Info, number: 6 << 30, design: `
server: {disk: 8GiB}
streams: {A: {subjects: [a.>], max_bytes: 5GiB}}
`},
	{name: "the default store with room", code: "CAP011", design: `
server: {disk: 80GiB}
streams: {A: {subjects: [a.>], max_bytes: 5GiB}}
`},
	{name: "an ephemeral consumer that is to live a while", code: "CON036", severity: design.Info, design: `
streams: {A: {subjects: [a.>], max_bytes: 5GiB, consumers: {tmp: {name: tmp, ack_policy: explicit, inactive_threshold: 2m, max_deliver: 5}}}}
`},
	{name: "a pending limit that is written", code: "CON035", severity: design.Warning, number: 1000, design: `
streams: {T: {subjects: [t.>], max_bytes: 10GiB, consumers: {o: {name: o, deliver_subject: d.o, ack_policy: none, flow_control: true, idle_heartbeat: 5s, workers: {service_time: 2ms, pending_limit: 1000000, pending_bytes: 1GiB}}}}}
publishers: {p: {subject: t.a, rate: 1500/s, payload: 100B, mode: async, in_flight: 100}}
`},
	{name: "a filter on everything", code: "SUB004", design: `
streams: {S: {subjects: ["s.*"], max_msgs_per_subject: 1, max_bytes: 1GiB, consumers: {boot: {deliver_policy: last_per_subject, filter_subject: ">", ack_policy: explicit, max_deliver: 5}}}}
`},
	{name: "a message that waits four minutes for a dead worker", code: "CON025", severity: design.Warning, number: 240, design: `
streams: {S: {subjects: [s], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 4m, max_deliver: 5, workers: {count: 3, service_time: 50ms}}}}}
`},
	{name: "four minutes for work of a minute", code: "CON025", design: `
streams: {S: {subjects: [s], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 4m, max_deliver: 5, workers: {count: 3, service_time: 60s}}}}}
`},
	{name: "partitions for what arrives", code: "CON023", severity: design.Warning, times: 3, words: "make 6 partitions", design: `
streams: {O: {subjects: ["o.*"], max_age: 1h, max_bytes: 1GiB, subject_transform: {src: "o.*", dest: "o.{{partition(3,1)}}.{{wildcard(1)}}"}, consumers: {p0: {filter_subject: "o.0.*", ack_policy: explicit, max_ack_pending: 1, max_deliver: 5, workers: {service_time: 4ms}}, p1: {filter_subject: "o.1.*", ack_policy: explicit, max_ack_pending: 1, max_deliver: 5, workers: {service_time: 4ms}}, p2: {filter_subject: "o.2.*", ack_policy: explicit, max_ack_pending: 1, max_deliver: 5, workers: {service_time: 4ms}}}}}
publishers: {p: {subject: "o.{cust}", tokens: {cust: 20000}, rate: 1200/s, payload: 100B, mode: async, in_flight: 100}}
`},
	{name: "a filter that a mirror never has", code: "SUB003", severity: design.Warning, times: 1, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB}, M: {mirror: {name: A}, max_bytes: 1GiB, consumers: {c: {filter_subject: m.x, ack_policy: explicit}, d: {filter_subject: a.x, ack_policy: explicit}}}}
`},
	{name: "a filter that a copy of copies never has", code: "SUB003", severity: design.Warning, times: 1, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB}, B: {sources: [{name: A, subject_transforms: [{src: "a.*", dest: "b.$1"}]}], max_bytes: 1GiB}, M: {mirror: {name: B}, max_bytes: 1GiB, consumers: {c: {filter_subject: a.x, ack_policy: explicit}, d: {filter_subject: b.x, ack_policy: explicit}}}}
`},
	{name: "copies of what no file defines", code: "SUB003", design: `
streams: {M: {mirror: {name: ELSEWHERE}, max_bytes: 1GiB, consumers: {c: {filter_subject: m.x, ack_policy: explicit}}}}
`},
	{name: "named and counted words", code: "SUB006", design: `
streams: {JOBS: {subjects: ["jobs.>"], retention: workqueue, max_bytes: 1GiB, consumers: {v: {filter_subject: "jobs.video.>", ack_policy: explicit}, m: {filter_subject: "jobs.mail.>", ack_policy: explicit}}}}
publishers: {p: {subject: "jobs.{kind}.{n}", tokens: {kind: [video, mail], n: 10000}, rate: 1/s, payload: 300B, mode: sync, msg_id: uuid}}
`},
	{name: "a named word that nobody reads", code: "SUB006", severity: design.Warning, words: "jobs.fax.", number: 28800, design: `
streams: {JOBS: {subjects: ["jobs.>"], retention: workqueue, max_bytes: 1GiB, consumers: {v: {filter_subject: "jobs.video.>", ack_policy: explicit}, m: {filter_subject: "jobs.mail.>", ack_policy: explicit}}}}
publishers: {p: {subject: "jobs.{kind}.{n}", tokens: {kind: [video, mail, fax], n: 10000}, rate: 1/s, payload: 300B, mode: sync, msg_id: uuid}}
`},
	{name: "named words that are stored", code: "SUB005", design: `
streams: {J: {subjects: ["j.video.>", "j.mail.>"], max_bytes: 1GiB}}
publishers: {p: {subject: "j.{kind}.{n}", tokens: {kind: [video, mail], n: 10000}, rate: 1/s, payload: 300B, mode: sync, msg_id: uuid}}
`},
	{name: "ack none with nothing known to fail", code: "CON017", severity: design.Info, design: `
streams: {N: {subjects: [n.>], retention: interest, max_bytes: 1GiB, consumers: {log: {ack_policy: none, deliver_subject: d.log, flow_control: true, idle_heartbeat: 5s, workers: {service_time: 1ms}}}}}
`},
	{name: "a filter that selects in a stream of several subjects", code: "SUB004", design: `
streams: {D: {subjects: [born.*.*, died.*.*], max_bytes: 1GiB, consumers: {c: {filter_subject: "*.orang.bert", ack_policy: explicit}}}}
`},
	{name: "one max_ack_pending for a consumer", code: "STR012", severity: design.Warning, words: "max_ack_pending: 400", design: `
streams: {S: {subjects: [s.>], max_bytes: 10GiB, consumers: {c: {ack_policy: explicit, max_ack_pending: 50, max_deliver: 5, workers: {count: 20, concurrency: 10, service_time: 100ms}}}}}
publishers: {p: {subject: s.a, rate: 1500/s, payload: 100B}}
`},
	{name: "one partition of those that are published", code: "CON046", severity: design.Warning, number: 299, times: 1, design: `
streams: {P: {subjects: [part.*], max_bytes: 1GiB, consumers: {p0: {filter_subject: part.0, ack_policy: explicit, ack_wait: 2m, max_ack_pending: 300}}}}
publishers: {p: {subject: "part.{n}", tokens: {n: ["0", "1", "2"]}, rate: 30/s, payload: 100B}}
`},
	{name: "one worker goes on past what failed", code: "CON046", severity: design.Info, number: 299, times: 1, design: `
streams: {P: {subjects: [part.*], max_bytes: 1GiB, consumers: {p0: {filter_subject: part.0, ack_policy: explicit, ack_wait: 2m, max_ack_pending: 300, workers: {count: 1, service_time: 1ms}}}}}
publishers: {p: {subject: "part.{n}", tokens: {n: ["0", "1", "2"]}, rate: 30/s, payload: 100B}}
`},
	{name: "one partition of those that a mapping makes", code: "CON046", severity: design.Warning, number: 299, times: 1, design: `
streams: {P: {subjects: [part.*], max_bytes: 1GiB, subject_transform: {src: "part.*", dest: "part.{{partition(4,1)}}.{{wildcard(1)}}"}, consumers: {p2: {filter_subject: part.2.>, ack_policy: explicit, ack_wait: 2m, max_ack_pending: 300}}}}
`},
	{name: "a priority is no partition", code: "CON046", design: `
streams: {P: {subjects: [part.*], max_bytes: 1GiB, consumers: {p1: {filter_subject: part.1, ack_policy: explicit, ack_wait: 2m, max_ack_pending: 300}}}}
publishers: {p: {subject: "part.{n}", tokens: {n: ["1", "2"]}, rate: 30/s, payload: 100B}}
`},
	{name: "what nobody reads is counted", code: "SUB006", severity: design.Info, words: "it or 2 more like it", times: 1, design: `
streams: {P: {subjects: [part.*], max_bytes: 1GiB, consumers: {p0: {filter_subject: part.0, ack_policy: explicit}}}}
publishers:
  p: {subject: "part.{n}", tokens: {n: ["0", "1", "2"]}, rate: 30/s, payload: 100B}
  q: {subject: part.x, rate: 30/s, payload: 100B}
`},
	{name: "as many handlers as may be unacked", code: "CON038", severity: design.Warning, number: 5000, words: "max_ack_pending: 20", design: `
streams: {S: {subjects: [dev.*], max_bytes: 1GiB, max_msgs_per_subject: 1, consumers: {c: {ack_policy: explicit, deliver_policy: last_per_subject, filter_subject: dev.*, ack_wait: 30s, max_ack_pending: 20, workers: {count: 4, concurrency: 5, service_time: 500ms}}}}}
publishers: {p: {subject: "dev.{d}", tokens: {d: 200000}, rate: 10/s, payload: 300B}}
`},
	{name: "few unacked, and fewer handlers", code: "CON038", severity: design.Warning, number: 10000, design: `
streams: {S: {subjects: [dev.*], max_bytes: 1GiB, max_msgs_per_subject: 1, consumers: {c: {ack_policy: explicit, deliver_policy: last_per_subject, filter_subject: dev.*, ack_wait: 30s, max_ack_pending: 20, workers: {count: 2, concurrency: 5, service_time: 500ms}}}}}
publishers: {p: {subject: "dev.{d}", tokens: {d: 200000}, rate: 10/s, payload: 300B}}
`},
	{name: "many unacked, and fewer handlers", code: "CON038", severity: design.Info, number: 10000, design: `
streams: {S: {subjects: [dev.*], max_bytes: 1GiB, max_msgs_per_subject: 1, consumers: {c: {ack_policy: explicit, deliver_policy: last_per_subject, filter_subject: dev.*, ack_wait: 30s, max_ack_pending: 1000, workers: {count: 2, concurrency: 5, service_time: 500ms}}}}}
publishers: {p: {subject: "dev.{d}", tokens: {d: 200000}, rate: 10/s, payload: 300B}}
`},
	{name: "partitions that lose alike", code: "STR012", severity: design.Warning, words: "for 2 partitions", times: 1, design: `
streams: {P: {subjects: [part.*], max_bytes: 1GiB, max_msgs: 1000, consumers: {p0: {filter_subject: part.0, ack_policy: explicit, workers: {service_time: 1s}}, p1: {filter_subject: part.1, ack_policy: explicit, workers: {service_time: 1s}}}}}
publishers: {p: {subject: "part.{n}", tokens: {n: ["0", "1"]}, rate: 30/s, payload: 100B}}
`},
	{name: "each fetch is refused for its heartbeat", code: "CON026", severity: design.Error, number: 3, design: `
streams: {S: {subjects: [k], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, workers: {expires: 6s, heartbeat: 5s, service_time: 1s}}}}}
`},
	{name: "several sites share no domain", code: "STR022", severity: design.Warning, words: "site-1.API", times: 1, design: `
server: {domain: core}
streams: {ALL: {max_bytes: 1GiB, sources: [{name: R, external: {api: $JS.site.API}}]}}
leafnodes: {house: {count: 2, domain: site, streams: {R: {subjects: [r.*], max_bytes: 1GiB}}}}
`},
	{name: "one of several sites", code: "STR022", severity: design.Warning, words: "site-3", times: 1, design: `
server: {domain: core}
streams: {ALL: {max_bytes: 1GiB, sources: [{name: R, external: {api: $JS.site-2.API}}, {name: R, external: {api: $JS.site-3.API}}]}}
leafnodes: {house: {count: 2, domain: site, streams: {R: {subjects: [r.*], max_bytes: 1GiB}}}}
`},
	{name: "a domain that is like none of the design's", code: "STR022", severity: design.Warning, words: "has the domain faraway", times: 1, design: `
server: {domain: core}
streams: {M: {max_bytes: 1GiB, mirror: {name: R, external: {api: $JS.faraway.API}}}}
leafnodes: {house: {domain: site, streams: {R: {subjects: [r.*], max_bytes: 1GiB}}}}
`},
	{name: "a domain where none is described", code: "STR022", severity: design.Info, times: 1, design: `
streams: {M: {max_bytes: 1GiB, mirror: {name: R, external: {api: $JS.faraway.API}}}}
`},
	{name: "the domain of the hub, asked for at a site", code: "STR022", design: `
server: {domain: core}
streams: {C: {subjects: [c.*], max_bytes: 1GiB}}
leafnodes: {house: {count: 2, domain: site, streams: {M: {max_bytes: 1GiB, mirror: {name: C, external: {api: $JS.core.API}}}}}}
`},
	{name: "work longer than fetches wait is not cured by heartbeats", code: "CON026", severity: design.Warning, words: "another thread", not: "expires: 30s", design: `
streams: {S: {subjects: [k], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 5m, workers: {count: 1, fetch: 1, expires: 6s, heartbeat: 1s, service_time: 90s, in_progress: 60s}}}}}
`},
	{name: "work that 30 s bear is", code: "CON026", severity: design.Warning, words: "expires: 30s", design: `
streams: {S: {subjects: [k], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 5m, workers: {count: 1, fetch: 1, expires: 6s, heartbeat: 1s, service_time: 20s}}}}}
`},
	{name: "poison fails every try", code: "CON081", severity: design.Warning, number: 0.01, words: "1 % where the fault is in the message", design: `
streams: {WQ: {subjects: [wq.*], retention: workqueue, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 5, workers: {count: 1, service_time: 10ms, errors: {rate: 1%, action: nothing}}}}}}
`},
	{name: "poison is more than what chance leaves", code: "CON081", severity: design.Warning, number: 0.01, design: `
streams: {WQ: {subjects: [wq.*], retention: workqueue, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 3, workers: {count: 1, service_time: 10ms, errors: {rate: 1%, action: nak}}}}}}
`},
	{name: "poison of a stream that keeps all is a note", code: "CON081", severity: design.Info, number: 0.01, design: `
streams: {L: {subjects: [l.*], max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 5, workers: {count: 1, service_time: 10ms, errors: {rate: 1%, action: nothing}}}}}}
`},
	{name: "what no error is written for is a note", code: "CON081", severity: design.Info, number: 90, design: `
streams: {EV: {subjects: [ev.*], retention: interest, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, ack_wait: 30s, max_deliver: 3, workers: {count: 1, service_time: 10ms}}}}}
`},
	{name: "refused at the limit of a subject", code: "PUB001", severity: design.Warning, number: 2.8, words: "7 messages of each subject", design: `
streams: {S: {subjects: ["pool.*"], max_bytes: 1GiB, max_msgs_per_subject: 7, discard: new, discard_new_per_subject: true, max_age: 40s, duplicate_window: 30s}}
publishers: {p: {subject: "pool.{x}", tokens: {x: 4}, rate: 10/s, payload: 300B, msg_id: uuid, retry_for: 20s}}
`},
	{name: "no subject of many reaches its limit before max_age", code: "PUB001", design: `
streams: {S: {subjects: ["pool.*"], max_bytes: 1GiB, max_msgs_per_subject: 7, discard: new, discard_new_per_subject: true, max_age: 40s, duplicate_window: 30s}}
publishers: {p: {subject: "pool.{x}", tokens: {x: 400}, rate: 10/s, payload: 300B, mode: core}}
`},
	{name: "max_age keeps the stream below max_bytes", code: "PUB001", design: `
streams: {S: {subjects: ["pool.*"], max_bytes: 1GiB, discard: new, max_age: 40s, duplicate_window: 30s}}
publishers: {p: {subject: "pool.{x}", tokens: {x: 4}, rate: 10/s, payload: 300B, mode: core}}
`},
	{name: "a burst fills what the mean does not", code: "PUB001", severity: design.Warning, words: "1,000 messages", design: `
streams: {S: {subjects: ["pool"], max_bytes: 1GiB, max_msgs: 1000, discard: new, max_age: 40s, duplicate_window: 30s}}
publishers: {p: {subject: "pool", rate: 10/s, bursts: [{rate: 500/s, for: 10s, every: 1h}], payload: 300B, mode: core}}
`},
	{name: "the limit that is reached first is the one named", code: "PUB001", severity: design.Warning, words: "holds 1,000 messages: after 1 min 40 s", not: "GiB", number: 100, design: `
streams: {S: {subjects: ["pool"], max_bytes: 1GiB, max_msgs: 1000, discard: new}}
publishers: {p: {subject: "pool", rate: 10/s, payload: 300B, mode: core}}
`},
}

// TestJudged holds rules to verdicts, and to silence.
func TestJudged(t *testing.T) {
	for _, c := range slices.Concat(judgedCases, strangerCases, firstUseCases) {
		t.Run(c.name, func(t *testing.T) {
			var o Options
			if c.target != "" {
				o.Target, _ = natsapi.ParseVersion(c.target)
			}
			found := 0
			source := design.NewSource("d.yaml", []byte("weir: 1"+c.design))
			if c.info != "" {
				source = design.NewSource("i.json", []byte(c.info))
			}
			r := CheckSources([]*design.Source{source}, o)
			for _, f := range r.Findings {
				if strings.HasPrefix(f.Code, "FILE") {
					t.Errorf("the case itself: %s", f)
				}
				if f.Code != c.code {
					continue
				}
				found++
				switch {
				case f.Severity != c.severity || !strings.Contains(f.Message, c.words) || c.not != "" && strings.Contains(f.Message, c.not):
					t.Errorf("%s %q %q wanted, not %s", c.severity, c.words, c.not, f)
				case c.number != 0 && (f.Figure == nil || math.Abs(f.Figure.Value-c.number) > 0.05*c.number):
					t.Errorf("%g wanted, not %+v: %s", c.number, f.Figure, f)
				}
			}
			if c.severity == "" && found > 0 || c.severity != "" && found == 0 || c.times > 0 && found != c.times {
				t.Errorf("%d times; there is %v", found, r.Findings)
			}
		})
	}
}
