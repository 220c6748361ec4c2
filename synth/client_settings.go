package synth

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"weir/design"
)

// Client code is the same for every design; what a design says is in the one file
// of settings that each language writes from these.

// setting is one value of a publisher, worker or mover, and why it is that.
// The value is a string, an int64, a bool, a time.Duration or a list of strings.
type setting struct {
	name  string // in lowerCamelCase
	value any
	why   string
}

// clientSettings is what the client code of a design is told.
type clientSettings struct {
	d                             *design.Design
	publishers, consumers, movers [][]setting
	notes                         []Note
	names                         map[string]bool
	// users are those that the configuration has for the code, and unnamed those that it
	// has not, since their account has users of its own.
	users, unnamed map[string]client
	// policies are the priority policies that the language's library asks under.
	policies []string
}

// What the code uses where the design says nothing.
const (
	usualAckTimeout = 5 * time.Second
	usualWindow     = 2 * time.Minute // the server's own (StreamDefaultDuplicatesWindow)
	usualAckWait    = 30 * time.Second
	usualInFlight   = 256
	usualNakDelay   = 5 * time.Second
	// longestPull is how long a pull request waits at most, because a shutdown
	// waits for the open one: what is on its way then is still handled.
	longestPull = 5 * time.Second
	// shortestBeat is the least time between two words that work goes on: below it they
	// would be most of the traffic.
	shortestBeat = 50 * time.Millisecond
	// serverHeaders begins the names of all headers that a server reads as an order
	// or writes: stream.go and msgtrace.go of 2.15.2, and a test reads them there.
	serverHeaders = "Nats-"
)

// clientSettingsOf reads a design for a language whose library can ask for messages
// under some priority policies.
func clientSettingsOf(d *design.Design, policies ...string) *clientSettings {
	c := &clientSettings{d: d, names: map[string]bool{}, users: map[string]client{}, unnamed: map[string]client{}, policies: policies}
	given := map[string]bool{}
	for _, a := range d.Accounts {
		given[a.Name] = len(a.Users) > 0
	}
	clients := clientsOf(d)
	for _, l := range d.Leafnodes {
		clients = append(clients, clientsAt(d, l.Name)...)
	}
	for _, u := range clients {
		kind := "client "
		if strings.HasPrefix(u.name, "dead-letters-") {
			kind = "mover "
		}
		if !given[u.account] || strings.HasPrefix(u.path, "leafnodes.") {
			c.users[kind+u.path] = u
		} else {
			c.unnamed[kind+u.path] = u
		}
	}
	for _, scope := range d.Scopes() {
		for _, p := range scope.Publishers {
			c.publisher(scope, p)
		}
		for _, s := range scope.Streams {
			for _, w := range s.Consumers {
				c.consumer(scope, s, w)
			}
			if hasMover(s) {
				c.mover(scope, s)
			}
		}
	}
	return c
}

func (c *clientSettings) empty() bool { return len(c.publishers)+len(c.consumers) == 0 }

// withoutMovers says what a language has no mover for.
func (c *clientSettings) withoutMovers() {
	if len(c.movers) > 0 {
		c.note("streams", "the mover of dead letters is not written in this language: generate go, typescript or python for it, it runs beside workers of any language")
	}
}

func (c *clientSettings) note(path, format string, args ...any) {
	c.notes = append(c.notes, Note{path, fmt.Sprintf(format, args...)})
}

// name is the word on the command line, which is unlike every other of its kind.
func (c *clientSettings) name(kind string, scope *design.Scope, name string) setting {
	switch {
	case scope.Leafnode != "":
		name = scope.Leafnode + "/" + name
	case scope.Account != design.Hub:
		name = scope.Account + "/" + name
	}
	for c.names[kind+name] {
		name += "'"
	}
	c.names[kind+name] = true
	return setting{"name", name, "the word on the command line"}
}

// who is the user to connect as, where the configuration has one for it.
func (c *clientSettings) who(kind, path string) []setting {
	u, ok := c.users[kind+path]
	if !ok {
		if u, ok := c.unnamed[kind+path]; ok {
			subscribe := append(slices.DeleteFunc(slices.Clone(u.subscribe), func(s string) bool { return s == inboxOf(u.name)+".>" }), "_INBOX.>")
			c.note(path, "the account has users of its own, so none is made for this %s: NATS_USER has to name one that may publish on %s and subscribe to %s",
				strings.TrimSpace(kind), comment(strings.Join(u.publish, ", ")), comment(strings.Join(subscribe, ", ")))
		}
		return []setting{
			{"user", "", "not known here: NATS_USER names it"},
			{"inboxPrefix", "", "the client library's own"},
		}
	}
	return []setting{
		{"user", u.name, "as in accounts.conf; NATS_USER overrides it"},
		{"inboxPrefix", inboxOf(u.name), "the only inboxes that this user may subscribe to"},
	}
}

func (c *clientSettings) publisher(scope *design.Scope, p *design.Publisher) {
	pattern := withoutTokens(p.Subject)
	var into *design.Stream
	for _, to := range reaches(c.d, scope, pattern) {
		if into == nil {
			into = landsIn(c.d, scope, to)
		}
	}
	if into == nil && p.Mode != "core" {
		c.note(p.Path, "no stream of the design holds %q: what it publishes ends in the fallback", comment(p.Subject))
	}
	if p.MsgIDBytes == 0 && p.Mode != "core" {
		c.note(p.Path, "the design gives no msg_id; the code sends one all the same, because a retry after a time-out would be stored twice without")
	}
	list := append([]setting{c.name("publisher ", scope, p.Name)}, c.who("client ", p.Path)...)
	list = append(list, setting{"subject", pattern, "what it may publish on: " + p.Subject})
	list = append(list, c.mode(p, into)...)
	list = append(list, c.retries(p, into)...)
	c.publishers = append(c.publishers, list)
}

// landsIn is the stream that takes what is published on a pattern, be it a bucket's: one of
// the scope, or of the account that a leaf node site belongs to.
func landsIn(d *design.Design, scope *design.Scope, pattern string) *design.Stream {
	streams := slices.Clone(scope.Streams)
	for _, b := range slices.Concat(scope.KV, scope.Objects) {
		streams = append(streams, &design.Stream{Name: b.Stream, Path: b.Path, Config: b.Config})
	}
	for _, s := range streams {
		if holds(s, pattern) {
			return s
		}
	}
	if scope.Leafnode == "" {
		return nil
	}
	for _, hub := range d.Scopes() {
		if hub.Leafnode == "" && hub.Account == orHub(scope.Account) {
			if s := landsIn(d, hub, pattern); s != nil {
				return s
			}
		}
	}
	return nil
}

// mode is how it publishes and how much may be unanswered.
func (c *clientSettings) mode(p *design.Publisher, into *design.Stream) []setting {
	if into != nil && into.Config.NoAck && p.Mode != "core" {
		c.note(p.Path, "%s has no_ack: it answers nobody, so the code publishes as mode core, and what it calls sent may not be stored", comment(into.Name))
		return []setting{{"mode", "core", "the stream has no_ack: nobody answers that a message was stored"}, {"inFlight", int64(1), "one at a time, in order"}}
	}
	mode, inFlight, why := "sync", int64(1), "one at a time, in order"
	switch p.Mode {
	case "core":
		mode, why = "core", "core NATS: nobody answers that a message was stored"
	case "async":
		mode, inFlight, why = "async", usualInFlight, "unanswered at most, and in doubt when the connection breaks; the design leaves it open"
		if p.InFlight > 0 {
			inFlight, why = int64(p.InFlight), "unanswered at most, and in doubt when the connection breaks; from in_flight"
		}
	case "batch":
		mode, inFlight, why = "async", int64(max(p.Batch, 1)), "unanswered at most, from batch"
		c.note(p.Path, "atomic batches are not written yet: the messages go one by one, %d unanswered at most, and some of a batch can be stored without the others", max(p.Batch, 1))
	}
	return []setting{{"mode", mode, "from mode"}, {"inFlight", inFlight, why}}
}

// retries is how long the same id may be sent again, and what happens to what the
// stream refuses.
func (c *clientSettings) retries(p *design.Publisher, into *design.Stream) []setting {
	timeout, why := usualAckTimeout, "the design leaves it open"
	if p.AckTimeout > 0 {
		timeout, why = p.AckTimeout, "from ack_timeout"
	}
	window := windowOf(into)
	retryFor, reason := window-2*timeout, fmt.Sprintf("two time-outs inside the duplicate_window of %s", design.FormatDuration(int64(window)))
	if half := window / 2; retryFor < half {
		retryFor, reason = half, fmt.Sprintf("half of the duplicate_window of %s", design.FormatDuration(int64(window)))
	}
	if window > 0 && timeout >= window && p.Mode != "core" {
		c.note(p.Path, "the wait for an answer, %s, is not shorter than the duplicate_window of %s: what is in doubt after it is not sent again; write a longer duplicate_window or a shorter ack_timeout", design.FormatDuration(int64(timeout)), design.FormatDuration(int64(window)))
	}
	switch {
	case window == 0:
		reason = "the stream does not recognise duplicates: nothing in doubt is sent again"
	case p.RetryFor > window:
		retryFor, reason = window, fmt.Sprintf("retry_for is longer than the duplicate_window of %s, after which a retry would be stored twice", design.FormatDuration(int64(window)))
		c.note(p.Path, "retry_for %s ends at the duplicate_window of %s in the code", design.FormatDuration(int64(p.RetryFor)), design.FormatDuration(int64(window)))
	case p.RetryFor > 0:
		retryFor, reason = p.RetryFor, fmt.Sprintf("from retry_for, inside the duplicate_window of %s", design.FormatDuration(int64(window)))
	}
	backoff, whyBackoff := 100*time.Millisecond, "the first pause; it doubles, with jitter"
	if p.OnReject.Backoff > 0 {
		backoff, whyBackoff = p.OnReject.Backoff, "the first pause, from on_reject.backoff; it doubles, with jitter"
	}
	stream, refuses := "", false
	if into != nil {
		stream = into.Name
		refuses = into.Config.Discard.String() == "New"
	}
	block := p.OnReject.Then == "block"
	then := "what is refused for good is kept in the fallback"
	switch p.OnReject.Then {
	case "block":
		then = "on_reject.then: block, so it waits for room"
	case "drop":
		if !c.d.Has(p.Path + ".on_reject.then") {
			break // nobody wrote it
		}
		c.note(p.Path, "on_reject says drop; the code keeps what is refused in the fallback file all the same, which is easier to delete than to bring back")
	case "dlq":
		c.note(p.Path, "on_reject says dlq; the code keeps what is refused in the fallback file, since a stream that is full cannot take it either")
	}
	return []setting{
		{"stream", stream, "the stream that the design stores it in; another refuses with 10060"},
		{"ackTimeout", timeout, why},
		{"retryFor", retryFor, reason},
		{"backoff", backoff, whyBackoff},
		{"backoffMax", max(5*time.Second, backoff), "the longest pause"},
		{"refusesWhenFull", refuses, "discard new: 10077 means that the stream is full; else it is a fault of the store"},
		{"fullRetries", int64(p.OnReject.Retry), "further attempts when the stream is full, from on_reject.retry"},
		{"blockWhenFull", block, then},
		c.lifetime(p, into),
		largestFor(into),
	}
}

// largestFor is the largest payload that a stream can take, 0 where it sets no limit.
func largestFor(s *design.Stream) setting {
	largest, why := int64(0), "the stream has neither max_msg_size nor max_bytes"
	if s == nil {
		return setting{"largest", largest, "no stream of the design is known to limit it"}
	}
	if most := s.Config.MaxBytes; most > 0 {
		largest, why = most, "bytes, from max_bytes: what is larger is acked and dropped at once under discard old (2.15.2)"
		if s.Config.Discard.String() == "New" {
			why = "bytes, from max_bytes: for what is larger the stream never has room (10077)"
		}
	}
	if most := int64(s.Config.MaxMsgSize); most > 0 && (largest == 0 || most < largest) {
		largest, why = most, "bytes, from max_msg_size: the stream refuses what is larger (10054), and counts the headers as well"
	}
	return setting{"largest", largest, why}
}

// lifetime is the Nats-TTL of what a publisher sends: the stream has to allow it, else
// it refuses the message with 10166.
func (c *clientSettings) lifetime(p *design.Publisher, into *design.Stream) setting {
	switch {
	case p.TTL <= 0:
		return setting{"ttl", "", "no header Nats-TTL: the design gives no ttl"}
	case p.Mode == "core" && into == nil, into != nil && into.Config.AllowMsgTTL:
		return setting{"ttl", p.TTL.String(), "the header Nats-TTL, from ttl"}
	case into == nil:
		c.note(p.Path, "ttl %s is not sent: no stream of the design holds what it publishes", design.FormatDuration(int64(p.TTL)))
		return setting{"ttl", "", "no header Nats-TTL: no stream of the design is known to allow it"}
	}
	c.note(p.Path, "ttl %s is not sent: %s has no allow_msg_ttl, and refuses what has a lifetime of its own (10166)", design.FormatDuration(int64(p.TTL)), comment(into.Name))
	return setting{"ttl", "", "no header Nats-TTL: the stream has no allow_msg_ttl, and would refuse the message"}
}

// windowOf is how long a stream recognises a message id.
func windowOf(s *design.Stream) time.Duration {
	switch {
	case s == nil:
		return usualWindow
	case s.Config.Duplicates > 0:
		return s.Config.Duplicates
	case len(s.Config.Sources) > 0 || s.Config.Mirror != nil:
		return 0 // stream.go checkStreamCfg, v2.15.2
	case s.Config.MaxAge > 0:
		return min(s.Config.MaxAge, usualWindow)
	}
	return usualWindow
}

func (c *clientSettings) consumer(scope *design.Scope, s *design.Stream, w *design.Consumer) {
	if w.Config.DeliverSubject != "" {
		c.note(w.Path, "a push consumer: the worker pulls, so it is left out")
		return
	}
	policy := strings.ReplaceAll(strings.ToLower(w.Config.PriorityPolicy.String()), " ", "_") // as the API has it
	if len(w.Config.PriorityGroups) > 0 && !slices.Contains(c.policies, policy) {
		c.note(w.Path, "priority_policy %s: the library's pull requests do not say what the server asks for then, so no worker is written in this language; generate go or python for one", comment(policy))
		return
	}
	wait := usualAckWait
	switch {
	case len(w.Config.BackOff) > 0:
		wait = w.Config.BackOff[0] // takes the place of ack_wait
	case w.Config.AckWait > 0:
		wait = w.Config.AckWait
	}
	if w.Config.AckPolicy.String() == "None" {
		c.note(w.Path, "ack_policy none: servers count a message as handled when they send it, so what fails, and what a worker holds when it ends, does not come again; write ack_policy: explicit")
	}
	if workers := workersOf(w); workers > 1 && w.Config.AckPolicy.String() == "All" {
		c.note(w.Path, "ack_policy all: an ack of one of the %d workers is for what the others hold as well, which does not come again when they fail; run one, or write ack_policy: explicit", workers)
	}
	group := &design.Workers{}
	if len(w.Workers) > 0 {
		group = w.Workers[0]
	}
	if len(w.Workers) > 1 {
		c.note(w.Path, "several groups of workers: the code has the settings of the first")
	}
	list := append([]setting{c.name("consumer ", scope, s.Name+"/"+w.Name)}, c.who("client ", w.Path)...)
	list = append(list, setting{"stream", s.Name, "the stream"}, setting{"consumer", w.Name, "the consumer on it, which has to exist"})
	list = append(list, c.pull(w, group)...)
	if len(c.policies) > 0 {
		list = append(list, c.group(w, policy))
	}
	list = append(list, c.answers(s, w, group, wait)...)
	c.consumers = append(c.consumers, list)
}

// workersOf is the number of workers of a consumer, in all of its groups.
func workersOf(w *design.Consumer) (n int) {
	for _, g := range w.Workers {
		n += max(g.Count, 1)
	}
	return n
}

// pull is how many messages a worker asks for, holds and handles at a time.
func (c *clientSettings) pull(w *design.Consumer, group *design.Workers) []setting {
	concurrency, why := int64(max(group.Concurrency, 1)), "handled at a time, from workers.concurrency"
	if w.Config.AckPolicy.String() == "All" {
		concurrency, why = 1, "ack_policy all: an ack is for all before it, so one at a time"
	}
	batch, whyBatch := concurrency, "held at most, as many as are handled: workers.fetch is left open"
	if group.Fetch > 0 {
		batch, whyBatch = max(int64(group.Fetch), concurrency), "held at most by one worker, from workers.fetch"
	}
	if most := int64(w.Config.MaxRequestBatch); most > 0 && batch > most {
		batch, whyBatch = most, "max_batch of the consumer allows no more"
	}
	expires, whyExpires := longestPull, "a pull request waits so long; a shutdown waits for the open one"
	if e := group.Expires; e > 0 && e < longestPull {
		expires, whyExpires = max(e, time.Second), "from workers.expires"
	}
	if most := w.Config.MaxRequestExpires; most > 0 && expires > most {
		expires, whyExpires = most, "max_expires of the consumer allows no more"
	}
	return []setting{
		{"concurrency", concurrency, why},
		{"batch", batch, whyBatch},
		{"expires", expires, whyExpires},
	}
}

// group is the priority group that a worker asks in: a server refuses a request
// without one (10003) where the consumer has groups.
func (c *clientSettings) group(w *design.Consumer, policy string) setting {
	groups := w.Config.PriorityGroups
	if len(groups) == 0 {
		return setting{"group", "", "the consumer has no priority_groups"}
	}
	why := "from priority_groups: a request without it is refused"
	switch policy {
	case "overflow":
		c.note(w.Path, "priority_policy overflow: all workers ask without min_pending and min_ack_pending, as the first in line; those for the overflow alone need one of them in the request")
	case "prioritized":
		c.note(w.Path, "priority_policy prioritized: all workers ask with priority 0, the first in line; others need theirs in the request")
	}
	if len(groups) > 1 {
		c.note(w.Path, "several priority_groups: the workers ask in the first, %s", comment(groups[0]))
	}
	return setting{"group", groups[0], why}
}

// answers is what a worker tells the server about what it holds.
func (c *clientSettings) answers(s *design.Stream, w *design.Consumer, group *design.Workers, wait time.Duration) []setting {
	waits := design.FormatDuration(int64(wait))
	beat, whyBeat := wait/3, "a third of the "+waits+" that the server waits: two may be late"
	if group.InProgress > 0 {
		beat, whyBeat = group.InProgress, "from workers.in_progress; the server waits "+waits
	}
	if beat > wait/2 {
		c.note(w.Path, "workers.in_progress %s is too near to the wait of %s: the code says it every %s", design.FormatDuration(int64(beat)), waits, design.FormatDuration(int64(wait/2)))
		beat, whyBeat = wait/2, "half of the "+waits+" that the server waits: in_progress of the design comes too late"
	}
	if beat < shortestBeat {
		c.note(w.Path, "the server waits %s only, and the code says that it is at work every %s: messages come again while they are handled; write a longer ack_wait, or a longer first step of backoff", waits, design.FormatDuration(int64(shortestBeat)))
		beat, whyBeat = shortestBeat, "the shortest that the code does; the "+waits+" that the server waits may be over before"
	}
	within, whyWithin := max(time.Minute, 10*wait), "ten times what the server waits, and a minute at least; then the handler is told to stop, and others get the message"
	if p99 := time.Duration(group.ServiceTime.P99Value()); 10*p99 > within {
		within, whyWithin = (10 * p99).Round(time.Second), "ten times the 99th percentile of service_time; then the handler is told to stop, and others get the message"
	}
	delay, whyDelay := usualNakDelay, "a message that failed comes again after this; the design leaves it open"
	for _, e := range group.Errors {
		if e.Action == "nak" && e.Delay > 0 {
			delay, whyDelay = e.Delay, "a message that failed comes again after this, from workers.errors.delay"
			break
		}
	}
	if len(w.Config.BackOff) > 1 {
		whyDelay += "; with backoff, servers add the difference of its steps (measured, 2.15.2)"
	}
	keeps, whyKeeps := false, "the stream keeps what is terminated"
	switch {
	case s.Config.Retention.String() != "Limits":
		keeps, whyKeeps = true, "the stream deletes what is terminated, so the worker keeps it in the fallback first"
	case !hasMover(s):
		keeps, whyKeeps = true, "no consumer of the stream has max_deliver, so it has no mover, and the worker keeps what it terminates in the fallback first"
	}
	return []setting{
		{"inProgress", beat, whyBeat},
		{"handleWithin", within, whyWithin},
		{"nakDelay", delay, whyDelay},
		{"keepPoison", keeps, whyKeeps},
	}
}

func (c *clientSettings) mover(scope *design.Scope, s *design.Stream) {
	to := deadLetterSubject(s.Name)
	into, whyInto := "", "no stream of the design holds it: dead letters go to the fallback file at once"
	if held := landsIn(c.d, scope, to+".>"); held != nil {
		into, whyInto = held.Name, "the stream that the design stores them in; without an answer of it a move is tried again for a minute"
	} else {
		c.note(s.Path, "no stream of the design holds %s.>: dead letters end in the fallback file until one does", comment(to))
	}
	list := append([]setting{c.name("mover ", scope, s.Name)}, c.who("mover ", s.Path)...)
	c.movers = append(c.movers, append(list,
		setting{"stream", s.Name, "the stream whose messages are moved"},
		setting{"deliveriesOf", watchedOf(s, maxDeliveries), "consumers whose tries run out: those with max_deliver"},
		setting{"terminatedOf", watchedOf(s, msgTerminated), "consumers whose workers may terminate a message: all but those with ack_policy none"},
		c.advisories(scope, s, "deliveriesIn", maxDeliveries),
		c.advisories(scope, s, "terminatedIn", msgTerminated),
		setting{"reader", advisoryReader(s), "the consumer on these, which the mover makes"},
		setting{"deadSubject", to, "the consumer's name follows"},
		setting{"deadStream", into, whyInto},
		setting{"serverHeaders", serverHeaders, "headers that begin so give a server orders, as Nats-Expected-Stream, Nats-TTL and Nats-Rollup do: they are renamed Dead-Letter-Nats-…, or the copy would obey them"},
		setting{"direct", s.Config.AllowDirect, "allow_direct: any replica answers"},
	))
}

// advisories says where a mover gets the advisories of a kind from.
func (c *clientSettings) advisories(scope *design.Scope, s *design.Stream, name, kind string) setting {
	watched := watchedOf(s, kind)
	if in := advisoriesIn(scope, s, kind, watched); in != nil {
		if in.Config.Retention.String() == "Interest" && kind == maxDeliveries {
			c.note(s.Path, "%s has retention interest: it keeps no advisory for a mover that never ran, so start it once before the workers", comment(in.Name))
		}
		return setting{name, in.Name, "the stream that stores the advisories " + kind + ": what is said while no mover runs is read later"}
	}
	for _, w := range watched {
		if kept := landsIn(c.d, scope, advisoryOf(kind, s, w)); kept != nil {
			c.note(s.Path, "%s stores advisories %s, and the mover does not read it: that needs a stream of the same account that stores those of all watched consumers, under their own subjects, and that is no work queue with consumers. What is said while no mover runs stays there; run two movers", comment(kept.Name), kind)
			break
		}
	}
	return setting{name, "", "no stream that could be read stores the advisories " + kind + ": they are heard as core NATS, while a mover runs"}
}
