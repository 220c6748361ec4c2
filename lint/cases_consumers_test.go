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
	{id: "pull-02", code: "CON015", severity: design.Warning, number: 50, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_batch: 50, workers: {fetch: 100, expires: 30s}}}}}
`},
}
