package lint

import (
	"fmt"

	"weir/design"
)

var _ = rule(Rule{
	Code:     "SEC013",
	Name:     "publisher-may-not",
	Severity: design.Warning,
	Title:    "No user of the account may publish what this publisher sends.",
	Why: "A publish that is not allowed is dropped by the server and reported as an asynchronous error, not to the call: a core publish seems to succeed, and a JetStream publish ends in a time-out " +
		"(server/client.go, v2.15.2).",
	Fix:   "Allow the subject to the publisher's user.",
	Refs:  []string{"server/client.go"},
	Check: func(f *Facts) { f.publishersMay() },
})

func (f *Facts) publishersMay() {
	for _, scope := range f.Scopes() {
		users := f.usersOf(scope)
		if len(users) == 0 {
			continue
		}
		for _, p := range feedsOf(scope) {
			permitted := false
			for _, u := range users {
				permitted = permitted || may(u.Publish, p.Pattern)
			}
			if permitted {
				continue
			}
			rate := LoadOf([]Feed{p}).High
			f.Report(design.Join(p.Path, "subject"), Said{What: fmt.Sprintf("is allowed to none of the %s of its account as a whole: up to %s a second are dropped", counted(len(users), "user"), perSecond(rate)),
				Write: "allow " + clip(p.Pattern) + " to its user", Figure: &Figure{"messages dropped", rate, "msgs/s", Bound}})
		}
	}
}
