package lint

import "weir/design"

var _ = rule(Rule{
	Code:     "SUB008",
	Name:     "own-subjects-overlap",
	Severity: design.Error,
	Title:    "Two subjects of one stream share messages.",
	Why:      "The server compares the subjects of a stream with each other and refuses overlaps and repetitions with 10052 (server/stream.go checkStreamCfg, v2.15.2). Note that a.> does not match a itself: that pair is no overlap.",
	Fix:      "Leave out the narrower of the two: the wider one has its messages.",
	Refs:     []string{"server/stream.go checkStreamCfg", "err_code 10052"},
	Explains: []Refusal{{ErrCode: 10052, Words: "overlaps with"}},
})
