package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "SUB007",
	Name:     "streams-overlap",
	Severity: design.Error,
	Title:    "Two streams of an account ask for the same messages.",
	Why:      "A message is stored by one stream; the server compares every subject of a new stream with those of all others of the account and refuses it with 10065 (server/stream.go, v2.15.2). A service that makes a stream for each of its subjects fails as soon as somebody has a stream with a wildcard above them.",
	Fix:      "Narrow one of the two; make one stream with the wildcard and a consumer with a filter for each reader; or copy with sources or a mirror.",
	Refs:     []string{"server/stream.go", "err_code 10065"},
	Explains: []Refusal{{ErrCode: 10065, Words: ""}},
})
