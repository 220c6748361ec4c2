package lint

import "weir/design"

// streamCases are the rows about streams, limits, capacity, clusters, servers and
// permissions.
var streamCases = []caseOf{
	{id: "dedup-05", code: "STR091", severity: design.Warning, number: 120, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 0}}
`},
	{id: "src-01", code: "STR092", severity: design.Warning, number: 120, design: `
streams:
  ORIGIN: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 2m}
  SOURCE: {sources: [{name: ORIGIN}], max_bytes: 1GiB, duplicate_window: 1h}
`},
	{id: "disc-02", code: "STR093", severity: design.Warning, words: "number 11", number: 10, design: `
streams: {A: {subjects: [a.>], max_age: 20s, duplicate_window: 10s, discard: new, max_msgs_per_subject: 10}}
`},
	{id: "pay-02", code: "PUB080", severity: design.Warning, words: "max_payload of 4 MiB", design: `
server: {version: "2.12", conf: {max_payload: 4MiB}}
streams: {A: {subjects: [a.>], max_bytes: 10GiB}}
publishers: {peers: {subject: a.block, rate: 1/m, payload: {p50: 1MiB, p99: 4.2MiB}, msg_id: sha256}}
`},
}
