package lint

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/subject"
)

var _ = rule(Rule{
	Code:     "SEC010",
	Name:     "worker-may-not",
	Severity: design.Warning,
	Title:    "A user may do one part of what a consumer's worker has to do, and not the other.",
	Why: "Fetching is a publish to $JS.API.CONSUMER.MSG.NEXT, acking one to $JS.ACK, and client libraries ask $JS.API.CONSUMER.INFO first; a push consumer needs its deliver_subject. What is not " +
		"allowed is dropped with an asynchronous error: fetches time out, and unacked messages come back (server/client.go, v2.15.2; measured with nats.go 1.55).",
	Fix:   "Allow the missing subjects; weir generate server-conf writes users with the least they need.",
	Refs:  []string{"server/client.go", "ADR-1", "kube-agents #1393"},
	Check: func(f *Facts) { f.Consumers(f.workersMay) },
})

// usersOf are the users of the account that a scope of the hub belongs to.
func (f *Facts) usersOf(s *design.Scope) []*design.User {
	if s.Leafnode != "" {
		return nil
	}
	if f.users == nil {
		f.users = map[string][]*design.User{}
		for _, a := range f.Accounts {
			f.users[a.Name] = append(f.users[a.Name], a.Users...)
		}
	}
	return f.users[s.Account]
}

// may reports whether a user's permission covers a subject or pattern as a whole.
func may(p design.Permission, pattern string) bool {
	for _, d := range p.Deny {
		if subject.Meet(d, pattern) {
			return false
		}
	}
	return len(p.Allow) == 0 || subject.Uncovered(pattern, allowed(p)) == ""
}

// allowed are the subjects of a permission's list; the queue that may follow one
// is left out.
func allowed(p design.Permission) []string {
	var out []string
	for _, a := range p.Allow {
		if words := strings.Fields(a); len(words) > 0 {
			out = append(out, words[0])
		}
	}
	return out
}

func (f *Facts) workersMay(c *Consumer) {
	users := f.usersOf(c.Of.Scope)
	if len(users) == 0 {
		return
	}
	on := c.Of.Config.Name + "." + c.Name
	next, info, ack := "$JS.API.CONSUMER.MSG.NEXT."+on, "$JS.API.CONSUMER.INFO."+on, "$JS.ACK."+on+".>"
	readers := 0
	for _, u := range users {
		reads := may(u.Publish, next)
		if c.IsPush() {
			reads = may(u.Subscribe, c.Config.DeliverSubject)
		}
		if !reads {
			continue
		}
		readers++
		at := design.Join(u.Path, "publish")
		if c.Acks() && !may(u.Publish, ack) {
			tries, figure := "without end", &Figure{"time between deliveries", c.Config.AckWait.Seconds(), "s", Computed}
			if n := c.Config.MaxDeliver; n > 0 {
				tries, figure = fmt.Sprintf("%d times", n), &Figure{"deliveries of each message", float64(n), "deliveries", Computed}
			}
			f.Report(at, Said{What: fmt.Sprintf("lets it read consumer %s/%s and not ack: %s is not allowed, so that every message is delivered %s", clip(c.Of.Name), clip(c.Name), clip(ack), tries),
				Value: strings.Join(u.Publish.Allow, ", "), Write: "allow " + clip(ack), Figure: figure})
		}
		if !c.IsPush() && !may(u.Publish, info) {
			f.Report(at, Said{Severity: design.Info, What: fmt.Sprintf("lets it fetch from consumer %s/%s and not ask for it: client libraries send %s first and time out", clip(c.Of.Name), clip(c.Name), clip(info)),
				Value: strings.Join(u.Publish.Allow, ", "), Write: "allow " + clip(info)})
		}
	}
	if readers > 0 || !f.everyoneRestricted(users, c.IsPush()) {
		return
	}
	needs, at := next, c.Path
	if c.IsPush() {
		needs, at = c.Config.DeliverSubject, design.Join(c.Path, "deliver_subject")
	}
	f.Report(at, Said{What: fmt.Sprintf("can be read by none of the %s of its account: nobody is allowed %s", counted(len(users), "user"), clip(needs)),
		Write: "allow it to the user of its workers", Figure: &Figure{"users who may read it", 0, "users", Computed}})
}

// everyoneRestricted is true when each user has a list of what is allowed.
func (f *Facts) everyoneRestricted(users []*design.User, subscribe bool) bool {
	for _, u := range users {
		p := u.Publish
		if subscribe {
			p = u.Subscribe
		}
		if len(p.Allow) == 0 {
			return false
		}
	}
	return true
}

// streamOfAPI is the stream in an API subject that a user may publish, with its
// prefix taken off; "" when the subject is another one.
func streamOfAPI(allowed, prefix string) (stream string, rest []string) {
	after, ok := strings.CutPrefix(allowed, prefix)
	if !ok || after == "" {
		return "", nil
	}
	tokens := subject.Tokens(after)
	return tokens[0], tokens[1:]
}
