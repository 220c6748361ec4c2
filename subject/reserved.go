package subject

import "fmt"

// Reserved is a part of the subject space that the server or its libraries use.
type Reserved struct {
	Space  string `json:"space"`  // pattern
	Owner  string `json:"owner"`  // who uses it
	Effect string `json:"effect"` // what a stream or publisher that collides meets
	// Refused is what a stream without no_ack gets whose subjects collide, "" when
	// the server does not protect the space.
	Refused string `json:"refused,omitempty"`
	// Except is the part of the space that a stream may capture all the same.
	Except string `json:"except,omitempty"`
	Since  string `json:"since"` // first release that uses the space
	Source string `json:"source"`
	since  int
}

const (
	apiOverlap    = "500/10052 subjects that overlap with jetstream api require no-ack to be true"
	systemOverlap = "500/10052 subjects that overlap with system api require no-ack to be true"
	streamCheck   = "server/stream.go:checkStreamCfg, 2.10.29 to 2.15.2"
)

var reservedTable = []Reserved{
	{"$JS.>", "JetStream API, acks, advisories", "the stream would answer the API's callers with its own publish acks", apiOverlap, "$JS.EVENT.>", "2.10", streamCheck, 10},
	{"$JSC.>", "JetStream cluster", "internal traffic of the cluster", apiOverlap, "$JS.EVENT.>", "2.10", streamCheck, 10},
	{"$NRG.>", "RAFT groups", "internal traffic of RAFT", apiOverlap, "$JS.EVENT.>", "2.10", streamCheck, 10},
	{"$SYS.>", "system account and server events", "system requests and events", systemOverlap, "$SYS.ACCOUNT.>", "2.10", streamCheck, 10},
	{"$KV.>", "KV buckets: $KV.BUCKET.key", "captures the writes of every bucket, or overlaps with its stream (10065)", "", "", "2.10", "ADR-8", 10},
	{"$O.>", "object stores: $O.BUCKET.C.> and $O.BUCKET.M.>", "captures the chunks of every object, or overlaps with its stream (10065)", "", "", "2.10", "ADR-20", 10},
	{"$MQTT.>", "MQTT sessions and messages", "captures the server's own MQTT streams' subjects", "", "", "2.10", "server/mqtt.go", 10},
	{"$SRV.>", "service discovery (PING, STATS, INFO)", "a stream answers discovery requests with publish acks", "", "", "2.10", "ADR-32", 10},
	{"_INBOX.>", "replies to requests", "a stream stores replies, and its publish acks reach the requester as a second reply", "", "", "2.10", "nats.go v1.55 nats.go:InboxPrefix", 10},
	{"_R_.>", "replies across accounts and gateways", "internal reply subjects", "", "", "2.10", "server/accounts.go", 10},
}

// ReservedSpaces returns the spaces that servers of a release use.
func ReservedSpaces(r Release) []Reserved {
	var out []Reserved
	for _, space := range reservedTable {
		if !r.before(space.since) {
			out = append(out, space)
		}
	}
	return out
}

// Collision is a pattern that reaches into a reserved space.
type Collision struct {
	Pattern string   `json:"pattern"`
	Space   Reserved `json:"space"`
	Witness string   `json:"witness"` // a subject of both, "" when there is none
	// Refused says what the server answers to a stream with this subject, "" when
	// it accepts it.
	Refused string `json:"refused,omitempty"`
}

// ReservedCollisions returns the reserved spaces that a Valid pattern reaches
// into, those that make the server refuse a stream first. A pattern that begins
// with a wildcard reaches all of them ("*.>" cannot be a stream's subject), and
// ">" is refused for a reason of its own: see CaptureAll. Refusals are the
// server's own, by CollideOn; where that goes beyond the truth ("*x.>" counts as
// a collision with "$JS.>") there is no Witness.
func ReservedCollisions(pattern string, r Release) []Collision {
	if !Valid(pattern) {
		return nil
	}
	var refused, open []Collision
	for _, space := range ReservedSpaces(r) {
		if !CollideOn(pattern, space.Space, r) { // true wherever they share a subject
			continue
		}
		c := Collision{Pattern: pattern, Space: space, Witness: Relate(pattern, space.Space).Both}
		switch {
		case space.Refused != "" && !MatchesFilterOn(pattern, space.Except, r):
			c.Refused = space.Refused
			refused = append(refused, c)
		case c.Witness != "":
			open = append(open, c)
		}
	}
	return append(refused, open...)
}

// CaptureAll is what the server answers to a stream on ">" without no_ack, and
// with it unless the stream has one replica (server/stream.go, v2.15.2).
const CaptureAll = "500/10052 capturing all subjects requires no-ack to be true"

// streamRefusal returns what a stream with this subject is refused with
// although the subject is valid, or "".
func streamRefusal(pattern string, r Release) string {
	if pattern == Rest {
		return CaptureAll
	}
	for _, c := range ReservedCollisions(pattern, r) {
		if c.Refused != "" {
			return fmt.Sprintf("%s (%s)", c.Refused, c.reach())
		}
	}
	return ""
}

// reach says where the pattern and the space meet.
func (c Collision) reach() string {
	if c.Witness == "" {
		return fmt.Sprintf("the server compares only the first byte of %s with %s", clip(c.Pattern), c.Space.Space)
	}
	return fmt.Sprintf("it reaches %s, for instance %s", c.Space.Space, clip(c.Witness))
}

// says is a line on the collision of a stream's subject.
func (c Collision) says() string {
	space := c.Space
	switch {
	case c.Refused != "":
		return fmt.Sprintf("%s (%s): refused without no_ack; %s", space.Space, space.Owner, c.reach())
	case space.Refused != "":
		return fmt.Sprintf("%s (%s): accepted, because %s may be captured; %s", space.Space, space.Owner, space.Except, c.reach())
	}
	return fmt.Sprintf("%s (%s): %s; %s", space.Space, space.Owner, space.Effect, c.reach())
}
