package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "SUB010",
	Name:     "filters-overlap",
	Severity: design.Error,
	Title:    "Two filters of one consumer share messages, or one stands beside the list.",
	Why:      "filter_subjects may not cover one another (10138) and do not go with filter_subject (10136) (server/consumer.go, v2.15.2). 2.10 and 2.11 also refuse pairs that only cross, such as f.*.x and f.b.*.",
	Fix:      "Leave the narrower filter out, and write either filter_subject or filter_subjects.",
	Refs:     []string{"server/consumer.go", "err_code 10138", "err_code 10136"},
	Explains: []Refusal{{ErrCode: 10138, Words: ""}, {ErrCode: 10136, Words: ""}},
})
