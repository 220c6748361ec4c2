package lint

import "weir/design"

// consumerCases are the rows about consumers, workers, publishers and buckets.
var consumerCases = []caseOf{
	{id: "ack-05", code: "CON001", severity: design.Warning, number: 1, path: "streams.S.consumers.c.backoff[0]", design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, backoff: [1s, 5s, 30s], max_deliver: 5, workers: {service_time: 2s}}}}}
`},
	{id: "ack-06", code: "CON010", severity: design.Warning, number: 2, words: "ack_wait: 10s is not used", design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, ack_wait: 10s, backoff: [2s, 10s], max_deliver: 3}}}}
`},
	{id: "ack-10", code: "CON010", severity: design.Warning, number: 5, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, ack_wait: 30s, backoff: [5s, 5s], max_deliver: 5}}}}
`},
	{id: "ack-07", code: "CON011", severity: design.Warning, words: "for ever", design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, ack_wait: 60s, workers: {errors: [{rate: 1%, action: nak}]}}}}}
`},
	// Five tries of a millisecond each are over in 5 ms.
	{id: "mm-03", code: "CON011", severity: design.Warning, number: 0.005, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_deliver: 5, workers: {service_time: 1ms, errors: [{rate: 1%, action: nak}]}}}}}
`},
	// A sink that acks every 5 s holds each message for 5 s: 1000 places are 200/s.
	{id: "map-01", code: "CON013", severity: design.Warning, number: 200, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: all, ack_wait: 30s, workers: {concurrency: 5000, service_time: 5s}}}}}
publishers: {p: {subject: a.b, rate: 1000/s, payload: 100B, mode: async}}
`},
	{id: "ord-02", code: "CON013", severity: design.Info, number: 20, words: "one message after the other", design: `
streams: {S: {subjects: [orders.*], consumers: {c: {ack_policy: explicit, max_ack_pending: 1, workers: {service_time: 50ms}}}}}
`},
	{id: "pull-04", code: "CON014", severity: design.Warning, number: 10, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_ack_pending: 10, workers: {fetch: 100}}}}}
`},
	{id: "pull-02", code: "CON015", severity: design.Warning, number: 50, design: `
streams: {S: {subjects: [a.>], consumers: {c: {ack_policy: explicit, max_batch: 50, workers: {fetch: 100, expires: 30s}}}}}
`},
	{id: "int-04", code: "CON017", severity: design.Info, words: "nothing reads the advisory", design: `
streams: {S: {subjects: [a.>], retention: interest, consumers: {c: {ack_policy: explicit, max_deliver: 3}}}}
`},
	{id: "mm-01", code: "CON017", severity: design.Warning, number: 90, words: "100 % of the messages", design: `
streams: {S: {subjects: [a.>], retention: workqueue, consumers: {c: {ack_policy: explicit, max_deliver: 3, max_ack_pending: 1, workers: {errors: [{rate: 100%, action: nothing}]}}}}}
`},
	// Three waits of 4 s, and the message is stranded.
	{id: "mm-05", code: "CON017", severity: design.Warning, number: 12, design: `
streams: {Z: {subjects: [zdd.*], retention: workqueue, consumers: {c: {filter_subject: zdd.world, ack_policy: explicit, max_deliver: 3, ack_wait: 4s, workers: {errors: [{rate: 100%, action: nothing}]}}}}}
`},
	{id: "mm-06", code: "CON017", severity: design.Info, words: "MAX_DELIVERIES", design: `
streams: {S: {subjects: [a.>], retention: workqueue, consumers: {c: {ack_policy: explicit, max_deliver: 5}}}}
`},
	// The same id each minute against 2 m: every second copy, 30 in an hour.
	{id: "dedup-01", code: "PUB011", severity: design.Warning, number: 30, design: `
streams: {S: {subjects: [a.>], duplicate_window: 2m}}
publishers: {p: {subject: a.b, rate: 1/s, payload: 100B, mode: sync, msg_id: uuid, ack_timeout: 60s, retry_for: 1h}}
`},
}
