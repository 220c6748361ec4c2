package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "SUB009",
	Name:     "workqueue-consumers-overlap",
	Severity: design.Error,
	Title:    "Two consumers of a workqueue ask for the same messages.",
	Why:      "In a workqueue a message belongs to one consumer, so filters may not overlap and only one consumer may be without a filter: 10099 and 10100 (server/consumer.go, v2.15.2).",
	Fix:      "Let several workers share one consumer, give each consumer subjects of its own, or use retention interest when each is to get a copy.",
	Refs:     []string{"server/consumer.go", "err_code 10099", "err_code 10100"},
	Explains: []Refusal{{ErrCode: 10099, Words: ""}, {ErrCode: 10100, Words: ""}},
	Proof:    "workqueue-overlap",
})
