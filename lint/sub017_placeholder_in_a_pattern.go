package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SUB017",
	Name:     "placeholder-in-a-pattern",
	Severity: design.Warning,
	Title:    "A word in braces is an ordinary token of a stream's subject or a filter, and matches no other.",
	Why: "Only * and > are wildcards (server/sublist.go, v2.15.2; measured): a stream on t.{id} stores the subject t.{id}, letter for letter. Words in braces are Weir's, for " +
		"the subjects of publishers, where each message has a value in their place.",
	Fix:   "Write * for the token.",
	Refs:  []string{"server/sublist.go IsValidSubject"},
	Check: func(f *Facts) { f.eachPattern(f.placeholder) },
})

func (f *Facts) placeholder(path, s string) {
	tokens := strings.Split(s, subject.Separator)
	word := ""
	for i, t := range tokens {
		if strings.HasPrefix(t, "{") && strings.HasSuffix(t, "}") && !strings.HasPrefix(t, "{{") {
			word, tokens[i] = t, subject.One
		}
	}
	if word == "" || !subject.Valid(s) {
		return
	}
	meant := clip(strings.Join(tokens, subject.Separator))
	f.Report(path, Said{What: fmt.Sprintf("matches only itself: %s is a placeholder in a publisher's subject, and an ordinary token here", quote(word)), Write: "write " + meant,
		Figure: &Figure{"subjects that the token matches", 1, "subjects", Computed}})
}
