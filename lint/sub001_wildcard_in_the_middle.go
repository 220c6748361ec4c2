package lint

import (
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB001",
	Name:     "wildcard-in-the-middle",
	Severity: design.Error,
	Title:    "A > that is not the last token makes the subject invalid.",
	Why: "> stands for one or more tokens and may only be the last one; the server refuses a stream or filter with a > before that " +
		"(server/sublist.go IsValidSubject, v2.15.2). A core subscription on it closes the connection of nats.go for good, and a publish on it " +
		"is not checked at all: the message is stored under that literal subject.",
	Fix:  "Write * for one token in the middle, as often as there are tokens; or end the subject with > and look at the rest in the handler.",
	Refs: []string{"server/sublist.go IsValidSubject"},
	Explains: []Refusal{
		{10052, "invalid subject", restBeforeEnd}, {10049, "invalid subject", restBeforeEnd}, {10144, "", restBeforeEnd}, {10145, "", restBeforeEnd},
		{10151, "", restBeforeEnd}, {10155, "", restBeforeEnd},
	},
	Proof: "wildcard-in-the-middle",
})

// restBeforeEnd reports whether a subject has the token > before its last one.
func restBeforeEnd(s string) bool {
	tokens := strings.Split(s, subject.Separator)
	for _, t := range tokens[:len(tokens)-1] {
		if t == subject.Rest {
			return true
		}
	}
	return false
}
