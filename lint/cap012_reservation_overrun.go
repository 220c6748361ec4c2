package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "CAP012",
	Name:     "reservation-overrun",
	Severity: design.Error,
	Title:    "The streams reserve more than the server has.",
	Why: "max_bytes is reserved when a stream is created, in each replica, however little it holds: the sum may not exceed max_memory_store or max_file_store (10028, 10047; " +
		"server/jetstream.go, v2.15.2). In a cluster the answer is 10005, and streams created within seconds of each other may all be accepted (measured).",
	Fix:      "Write smaller max_bytes, or a larger max_file_store or max_memory_store.",
	Refs:     []string{"server/jetstream.go", "err_code 10028", "err_code 10047", "err_code 10005"},
	Explains: []Refusal{{ErrCode: 10028}, {ErrCode: 10047}, {ErrCode: 10005, Words: "insufficient storage"}},
})
