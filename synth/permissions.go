package synth

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"weir/design"
	"weir/natsapi"
	"weir/subject"
)

// client is one process of a design that connects to the servers, with the least
// that it has to be allowed.
type client struct {
	// name is the user's, account whose; what is the design path.
	name, account, path string
	publish, subscribe  []string
	// responses is true for a service, which answers on what requests name.
	responses bool
}

// allOfJetStream is what a user may publish on who creates everything.
const allOfJetStream = "$JS.API.>"

// inboxOf is the prefix of a client's inboxes: its own, so that nobody reads the
// answers of others. Clients have to be given it.
func inboxOf(user string) string { return "_INBOX_" + fileWord(user) }

// clientsOf lists the clients of a design's hub: publishers, the workers of
// consumers, subscribers, a mover of dead letters for each stream that needs one,
// and one that creates everything.
func clientsOf(d *design.Design) []client { return clientsAt(d, "") }

// clientsAt lists the clients of the hub, "", or of a leaf node site, which has
// servers and users of its own.
func clientsAt(d *design.Design, site string) []client {
	var out []client
	for _, scope := range d.Scopes() {
		if scope.Leafnode != site {
			continue
		}
		add := func(c client) {
			c.account = scope.Account
			c.subscribe = append(c.subscribe, inboxOf(c.name)+".>")
			out = append(out, c)
		}
		for _, p := range scope.Publishers {
			add(client{name: p.Name, path: p.Path, publish: reaches(d, scope, withoutTokens(p.Subject))})
		}
		for _, s := range scope.Streams {
			for _, c := range s.Consumers {
				add(workerOf(s, c))
			}
			if hasMover(s) {
				add(moverOf(scope, s))
			}
		}
		for _, s := range scope.Subscribers {
			c := client{name: s.Name, path: s.Path, subscribe: []string{s.Subject}, responses: s.Reply.Kind != design.DistAbsent}
			add(c)
		}
		if len(scope.Streams)+len(scope.KV)+len(scope.Objects) > 0 {
			add(client{name: "setup", path: scope.Path, publish: []string{allOfJetStream}})
		}
	}
	var given []client
	if site == "" {
		given = writtenUsers(d)
	}
	return named(out, given)
}

// workerOf is what the workers of a consumer need. CONSUMER.INFO is what client
// libraries ask first; without it the call times out (measured, nats.go 1.55).
func workerOf(s *design.Stream, c *design.Consumer) client {
	on := s.Name + "." + c.Name
	w := client{name: c.Name, path: c.Path, publish: []string{"$JS.ACK." + on + ".>", "$JS.API.CONSUMER.INFO." + on}}
	if c.Config.DeliverSubject != "" {
		w.subscribe = append(w.subscribe, c.Config.DeliverSubject)
		return w
	}
	w.publish = append(w.publish, "$JS.API.CONSUMER.MSG.NEXT."+on)
	return w
}

// hasMover reports whether a stream gets a mover of dead letters: where tries can run out.
// What the workers of other streams terminate they keep themselves, which asks for no
// further process.
func hasMover(s *design.Stream) bool { return len(watchedOf(s, maxDeliveries)) > 0 }

// watchedOf are the consumers of a stream about which servers send advisories of a kind,
// sorted: that tries ran out where max_deliver is set, and that a message was terminated
// where a message is acked at all.
func watchedOf(s *design.Stream, kind string) (out []string) {
	for _, c := range s.Consumers {
		if kind == maxDeliveries && c.Config.MaxDeliver > 0 || kind == msgTerminated && c.Config.AckPolicy.String() != "None" {
			out = append(out, c.Name)
		}
	}
	slices.Sort(out)
	return out
}

// moverOf reads the advisories of messages that ran out of tries, fetches the
// message by its sequence, and stores it elsewhere. Advisories that a stream of the design
// stores are read from there, by a consumer that the mover makes.
func moverOf(scope *design.Scope, s *design.Stream) client {
	m := client{name: "dead-letters-" + s.Name, path: s.Path,
		publish: []string{"$JS.API.STREAM.MSG.GET." + s.Name, "$JS.API.DIRECT.GET." + s.Name, "$JS.API.DIRECT.GET." + s.Name + ".>", deadLetterSubject(s.Name) + ".>"}}
	reads := map[string]bool{}
	for _, kind := range []string{maxDeliveries, msgTerminated} {
		watched := watchedOf(s, kind)
		in := advisoriesIn(scope, s, kind, watched)
		if in == nil {
			for _, c := range watched {
				m.subscribe = append(m.subscribe, advisoryOf(kind, s, c))
			}
			continue
		}
		if on := in.Name + "." + advisoryReader(s); !reads[on] {
			reads[on] = true
			m.publish = append(m.publish, "$JS.API.CONSUMER.CREATE."+on, "$JS.API.CONSUMER.INFO."+on, "$JS.API.CONSUMER.MSG.NEXT."+on, "$JS.ACK."+on+".>")
		}
	}
	return m
}

// What servers say about a message that a consumer will not deliver again.
const (
	maxDeliveries = "MAX_DELIVERIES"
	msgTerminated = "MSG_TERMINATED"
)

// advisoryOf is the subject of an advisory about a consumer (jsm.go and server/consumer.go,
// v2.15.2).
func advisoryOf(kind string, s *design.Stream, consumer string) string {
	return "$JS.EVENT.ADVISORY.CONSUMER." + kind + "." + s.Name + "." + consumer
}

// advisoriesIn is the stream beside another that stores the advisories of a kind about all
// watched consumers, as they are and for a further consumer: one that changes their subjects
// is none, and neither is a work queue with consumers, which takes no other on the same
// subjects (10099, 10100). nil where there is none.
func advisoriesIn(scope *design.Scope, s *design.Stream, kind string, watched []string) *design.Stream {
	if len(watched) == 0 {
		return nil
	}
	at := slices.IndexFunc(scope.Streams, func(in *design.Stream) bool {
		if in.Config.SubjectTransform != nil || in.Config.Retention.String() == "WorkQueue" && len(in.Consumers) > 0 {
			return false
		}
		return !slices.ContainsFunc(watched, func(c string) bool { return !holds(in, advisoryOf(kind, s, c)) })
	})
	if at < 0 {
		return nil
	}
	return scope.Streams[at]
}

// holds reports whether a stream takes all of a pattern.
func holds(s *design.Stream, pattern string) bool {
	return slices.ContainsFunc(s.Config.Subjects, func(subj string) bool {
		r := subject.Relate(subj, pattern).Relation
		return r == subject.Equal || r == subject.Covers
	})
}

// longestName is the longest name of a consumer that servers take (JSMaxNameLen of
// stream.go, v2.15.2).
const longestName = 255

// advisoryReader is the consumer by which the mover of a stream reads stored advisories.
func advisoryReader(s *design.Stream) string {
	name := "dead-letters-" + s.Name
	for len(name) > longestName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return name
}

// deadLetterSubject is where the mover publishes what no worker handled.
func deadLetterSubject(stream string) string { return "dead." + stream }

// withoutTokens is the pattern of a publisher's subject: * for what varies.
func withoutTokens(name string) string {
	words := strings.Split(name, ".")
	for i, w := range words {
		if strings.ContainsRune(w, '{') {
			words[i] = "*"
		}
	}
	return strings.Join(words, ".")
}

// reaches is a pattern and what the mappings of the design's server make of it. A server
// asks for permission on the subject that a mapping leads to (parser.go, v2.15.2), so
// whoever publishes needs both: what weights or clusters leave unmapped is published too.
func reaches(d *design.Design, scope *design.Scope, pattern string) []string {
	out := []string{pattern}
	if scope.Leafnode != "" || scope.Account != design.Hub {
		return out
	}
	v, ok := d.Conf(d.Server, natsapi.Conf, "mappings")
	if !ok || !v.Node.IsMap() {
		return out
	}
	for i, from := range v.Node.Keys {
		if subject.Relate(from.Text, pattern).Relation == subject.Disjoint {
			continue
		}
		for _, to := range design.Destinations(v.Node.Items[i]) {
			if to = destinationPattern(to); !slices.Contains(out, to) {
				out = append(out, to)
			}
		}
	}
	return out
}

// destinationPattern is what a destination of a mapping can become: a function gives one
// token, and those that split and slice any number of them.
func destinationPattern(destination string) string {
	var words []string
	for word := range strings.SplitSeq(destination, ".") {
		switch name := strings.ToLower(word); {
		case strings.HasPrefix(name, "{{") && strings.Contains(name, "split"), strings.HasPrefix(name, "{{") && strings.Contains(name, "slice"):
			return strings.Join(append(words, ">"), ".")
		case strings.HasPrefix(name, "{{"), strings.HasPrefix(name, "$") && len(name) > 1 && name[1] >= '0' && name[1] <= '9':
			word = "*"
		}
		words = append(words, word)
	}
	return strings.Join(words, ".")
}

// named makes the names of users different: over all accounts, because a server knows
// each user of a configuration once (opts.go parseAccounts, v2.15.2). So are their inboxes,
// or one would read the answers of another, and the variables of their passwords. Names
// that the design gives are kept, and so is the first of those that are alike.
func named(list []client, given []client) []client {
	taken := map[string]bool{gatewayPassword: true}
	isTaken := func(account, name string) bool {
		return taken[name] || taken[inboxOf(name)] || taken[passwordVariable(account, name)]
	}
	take := func(account, name string) {
		taken[name], taken[inboxOf(name)], taken[passwordVariable(account, name)] = true, true, true
	}
	for _, u := range given {
		take(u.account, u.name)
	}
	for i := range list {
		c := &list[i]
		old, name := c.name, c.name
		if isTaken(c.account, name) && c.account != design.Hub {
			name += "-" + c.account
		}
		for n, alike := 2, name; isTaken(c.account, name); n++ {
			name = withSuffix(alike, "-"+strconv.Itoa(n))
		}
		take(c.account, name)
		c.name = name
		if at := slices.Index(c.subscribe, inboxOf(old)+".>"); at >= 0 {
			c.subscribe[at] = inboxOf(name) + ".>"
		}
	}
	return list
}

// withSuffix is a name that ends in a suffix, also where fileWord cuts it.
func withSuffix(name, suffix string) string {
	runes := []rune(name)
	return string(runes[:min(len(runes), longestWord/2)]) + suffix
}

// writtenUsers are the users that the accounts of a design name.
func writtenUsers(d *design.Design) (out []client) {
	for _, a := range d.Accounts {
		for _, u := range a.Users {
			out = append(out, client{name: u.Name, account: a.Name})
		}
	}
	return out
}

// passwordVariable is the environment variable that a user's password comes from:
// credentials are never written.
func passwordVariable(account, user string) string {
	name := user
	if account != design.Hub {
		name = account + "_" + user
	}
	return variableWord(name) + "_PASSWORD"
}

// variableWord makes a name usable in that of an environment variable.
func variableWord(name string) string {
	return strings.ToUpper(strings.ReplaceAll(fileWord(name), "-", "_"))
}
