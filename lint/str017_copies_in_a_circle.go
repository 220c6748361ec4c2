package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "STR017",
	Name:     "copies-in-a-circle",
	Severity: design.Error,
	Title:    "Two streams copy from each other, or a stream from itself.",
	Why: "A copied message would come back and be copied again, without end. The server follows the sources of streams of one account and refuses the one that closes " +
		"the circle with 10052, unless filters keep the two directions apart (server/stream.go, v2.15.2).",
	Fix:      "Take one of the sources out, or give each a filter_subject that no copied message has.",
	Refs:     []string{"server/stream.go", "err_code 10052", "nats-server #3825"},
	Explains: []Refusal{{ErrCode: 10052, Words: "detected cycle"}},
})
