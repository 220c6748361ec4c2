package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "CON042",
	Name:     "too-many-consumers",
	Severity: design.Error,
	Title:    "The stream may not have one more consumer.",
	Why: "A limit is reached: max_consumers of the stream or account, or, from 2.15, the server's limits.default_max_consumers, 1000 for a stream when neither is set (400/10026; " +
		"server/consumer.go, v2.15.2; measured). Watchers of a KV bucket count too; -1 at the stream does not lift the server's limit.",
	Fix:      "Let clients share consumers; raise limits.default_max_consumers in jetstream {} only for what the server can hold.",
	Refs:     []string{"server/consumer.go", "server/jetstream_api.go", "err_code 10026"},
	Explains: []Refusal{{ErrCode: 10026}},
})
