package lint

import (
	"fmt"
	"slices"
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
			asks, at := f.asksFor(a, u), design.Join(u.Path, "subscribe")
			hears := heard(u.Subscribe)
			switch {
			case len(hears) == 0 && (asks || len(u.Subscribe.Allow) > 0):
				f.Report(at, deafened(u.Subscribe))
			case asks && !hearsInbox(u.Subscribe) && !slices.ContainsFunc(hears, func(s string) bool { return isOwnInbox(s, u.Name) }):
				f.Report(at, withoutInbox(u.Subscribe, hears))
			}
		}
	}
}

// heard are the subjects of a permission that its denials leave something of.
func heard(p design.Permission) []string {
	allow := allowed(p)
	if len(p.Allow) == 0 {
		allow = []string{subject.Rest}
	}
	return slices.DeleteFunc(allow, func(s string) bool {
		return subject.Valid(s) && subject.Uncovered(s, deniedBy(p)) == ""
	})
}

// deniedBy are the valid subjects that a permission denies.
func deniedBy(p design.Permission) []string {
	return slices.DeleteFunc(allowed(design.Permission{Allow: p.Deny}), func(s string) bool { return !subject.Valid(s) })
}

// hearsInbox reports whether a client may listen on the inbox that it has unless it is
// given another: _INBOX.> is allowed, and the two tokens that clients put behind
// _INBOX are not denied (nats.go, NewInbox).
func hearsInbox(p design.Permission) bool {
	return may(design.Permission{Allow: p.Allow}, "_INBOX.>") && subject.Uncovered("_INBOX.*.*", deniedBy(p)) != ""
}

// isOwnInbox reports whether a subject is the inboxes of a prefix named after a user,
// _INBOX_<user>.>: who allows that means to give it to the client, and weir generate writes
// it so. In the name, _ stands for what is no letter, digit, _ or - of ASCII.
func isOwnInbox(s, user string) bool {
	return s == "_INBOX_"+strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, user)+"."+subject.Rest
}

// deafened is what is said of a user that may listen on nothing.
func deafened(p design.Permission) Said {
	said := Said{Write: "take what the user is to hear out of deny", Value: strings.Join(p.Allow, ", "), Figure: &Figure{"time that a request waits in vain", clientTimeout, "s", Bound},
		What: "lets it receive nothing: deny takes all of it away, and each request waits " + fmt.Sprint(clientTimeout) + " s in vain"}
	if len(p.Allow) > 0 {
		said.What = fmt.Sprintf("lets it receive nothing: deny (%s) takes away all that allow gives, and each request waits %d s in vain", clip(strings.Join(p.Deny, ", ")), clientTimeout)
	}
	return said
}

// withoutInbox is what is said of a user that sends requests and hears something, but
// no answers on _INBOX.>.
func withoutInbox(p design.Permission, hears []string) Said {
	said := Said{Write: "allow _INBOX.>", Value: strings.Join(p.Allow, ", "), Figure: &Figure{"time that a request waits in vain", clientTimeout, "s", Bound},
		What: fmt.Sprintf("lets it send requests and listen on no inbox: no PubAck, no fetched message and no answer arrives, and each request waits %d s in vain", clientTimeout)}
	if may(design.Permission{Allow: p.Allow}, "_INBOX.>") {
		said.Write = "take _INBOX.> out of deny"
	}
	for _, s := range hears {
		if prefix, ok := strings.CutSuffix(s, "."+subject.Rest); ok && strings.HasPrefix(prefix, "_") && prefix != "_INBOX" {
			said.Severity = design.Info
			said.What = fmt.Sprintf("lets it listen on %s and not on _INBOX.>: a client with another prefix gets no answer, and each request waits %d s in vain", clip(prefix)+".>", clientTimeout)
			said.Write = "give its client the inbox prefix " + clip(prefix)
		}
	}
	return said
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
