package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SEC012",
	Name:     "answers-are-blocked",
	Severity: design.Warning,
	Title:    "A user may send requests and not receive the answers.",
	Why: "PubAcks, fetched messages and replies of the API come on an inbox, _INBOX.> unless the client is given another prefix. A subscription outside of what is allowed is refused, and every " +
		"request ends in a time-out (server/client.go, v2.15.2).",
	Fix:   "Allow _INBOX.>, or a prefix of the user's own that its client is given as well.",
	Refs:  []string{"server/client.go", "nats-server #3819"},
	Check: func(f *Facts) { f.blockedAnswers() },
})

// clientTimeout is how long nats.go waits for an answer of JetStream, in seconds.
const clientTimeout = 5

func (f *Facts) blockedAnswers() {
	for _, a := range f.Accounts {
		for _, u := range a.Users {
			if len(u.Subscribe.Allow)+len(u.Subscribe.Deny) == 0 || may(u.Subscribe, "_INBOX.>") || !f.asksFor(a, u) {
				continue
			}
			said := Said{Write: "allow _INBOX.>", Value: strings.Join(u.Subscribe.Allow, ", "), Figure: &Figure{"time that a request waits in vain", clientTimeout, "s", Bound}}
			own := ""
			for _, s := range allowed(u.Subscribe) {
				if prefix, ok := strings.CutSuffix(s, "."+subject.Rest); ok && strings.HasPrefix(prefix, "_") {
					own = prefix
				}
			}
			switch {
			case own != "":
				said.Severity = design.Info
				said.What = fmt.Sprintf("lets it listen on %s and not on _INBOX.>: a client with another prefix gets no answer, and each request waits %d s in vain", clip(own)+".>", clientTimeout)
				said.Write = "give its client the inbox prefix " + clip(own)
			default:
				said.What = fmt.Sprintf("lets it send requests and listen on no inbox: no PubAck, no fetched message and no answer arrives, and each request waits %d s in vain", clientTimeout)
			}
			f.Report(design.Join(u.Path, "subscribe"), said)
		}
	}
}

// asksFor reports whether a user sends what is answered: to the API, or to a
// stream.
func (f *Facts) asksFor(a *design.Account, u *design.User) bool {
	for _, s := range allowed(u.Publish) {
		if subject.Meet(s, "$JS.API.>") {
			return true
		}
		for _, stream := range f.Streams {
			for _, captured := range stream.Config.Subjects {
				if stream.Scope.Account == a.Name && subject.Meet(captured, s) {
					return true
				}
			}
		}
	}
	return len(u.Publish.Allow) == 0
}
