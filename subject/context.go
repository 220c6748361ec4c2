package subject

import (
	"fmt"
	"slices"
	"strings"
)

// Context is a place in which a subject or a name is used. Each has rules of
// its own, listed by Contexts.
type Context string

// The contexts that Check knows.
const (
	Subscribe            Context = "subscribe"
	SubscribeStrict      Context = "subscribe-strict"
	Publish              Context = "publish"
	Queue                Context = "queue"
	Stream               Context = "stream"
	Filter               Context = "filter"
	MirrorFilter         Context = "mirror-filter"
	SourceFilter         Context = "source-filter"
	TransformSource      Context = "transform-source"
	TransformDestination Context = "transform-destination"
	RepublishSource      Context = "republish-source"
	RepublishDestination Context = "republish-destination"
	Literal              Context = "is-literal"
	StreamName           Context = "stream-name"
	ConsumerName         Context = "consumer-name"
	KVBucket             Context = "kv-bucket"
	KVKey                Context = "kv-key"
	KVSearchKey          Context = "kv-search-key"
	APIPrefix            Context = "api-prefix"
	MQTTTopic            Context = "mqtt-publish-topic"
	MQTTFilter           Context = "mqtt-filter"
)

// ContextInfo describes a Context for help texts and menus.
type ContextInfo struct {
	Context Context `json:"context"`
	Title   string  `json:"title"`
	Rule    string  `json:"rule"`   // what is accepted, in one sentence
	Source  string  `json:"source"` // where the rule comes from
	Subject bool    `json:"subject"`
	check   rule
	empty   string // what "" means where it is accepted, "" where it is not
}

// rule returns why servers of a release do not take s, or nil.
type rule func(s string, r Release) *refusal

// refusal is why a context does not take a string. place is the byte offset,
// -1 when the whole is meant; server is what the server answers, if it is asked.
type refusal struct {
	place  int
	reason string
	server string
}

// Contexts returns all contexts in the order of menus.
func Contexts() []ContextInfo { return slices.Clone(contexts) }

// ContextNamed returns the context of that name; ok is false for unknown names.
func ContextNamed(name string) (Context, bool) {
	c := Context(name)
	return c, contextInfo(c) != nil
}

func contextInfo(c Context) *ContextInfo {
	for i := range contexts {
		if contexts[i].Context == c {
			return &contexts[i]
		}
	}
	return nil
}

const (
	sublistGo = "nats-server v2.15.2 server/sublist.go"
	streamGo  = "nats-server v2.15.2 server/stream.go"
	invalid   = "500/10052 invalid subject"
)

var contexts = []ContextInfo{
	{Context: Subscribe, Title: "core subscribe", Rule: "no empty token, no whitespace, > only as the last token; wildcards are whole tokens", Source: sublistGo + ":IsValidSubject", Subject: true,
		check: subjectRule(whitespace, subscribeAnswer)},
	{Context: Publish, Title: "core publish", Rule: "a subject without empty tokens, wildcard tokens, space, tab, CR or LF", Source: sublistGo + ":IsValidLiteralSubject, client.go:processPub", Subject: true,
		check: checkPublish},
	{Context: Stream, Title: "stream subject", Rule: "a valid subject; reserved spaces need no_ack", Source: streamGo + ":checkStreamCfgLocked", Subject: true,
		check: subjectRule(whitespace, always(invalid))},
	{Context: Filter, Title: "consumer filter", Rule: "a valid subject", Source: "nats-server v2.15.2 server/consumer.go:checkConsumerCfg", Subject: true,
		check: subjectRule(whitespace, filterAnswer)},
	{Context: MirrorFilter, Title: "mirror filter", Rule: "a valid subject, or empty", Source: streamGo + ":addStreamWithAssignmentAndMode", Subject: true,
		check: subjectRule(whitespace, quoting("500/10049 subject filter '%s' for the mirror invalid subject")), empty: "no filter: the mirror takes every message"},
	{Context: SourceFilter, Title: "source filter", Rule: "a valid subject, or empty", Source: streamGo + ":addStreamWithAssignmentAndMode", Subject: true,
		check: subjectRule(whitespace, quoting("500/10049 subject filter '%s' for the source: invalid subject")), empty: "no filter: the stream takes every message of the source"},
	{Context: TransformSource, Title: "transform source", Rule: "a valid subject, or empty; on 2.10 whitespace passes", Source: streamGo + ":checkStreamCfgLocked", Subject: true,
		check: checkTransformSource, empty: "the same as >"},
	{Context: TransformDestination, Title: "transform destination", Rule: "a subject whose tokens may be $N or {{function(…)}} and are never *", Source: sublistGo + ":ValidateMapping", Subject: true,
		check: checkDestination, empty: "no transform: subjects stay as they are"},
	{Context: RepublishSource, Title: "republish source", Rule: "tokens as in a subject, or empty; whitespace passes", Source: "nats-server v2.15.2 server/subject_transform.go:subjectInfo", Subject: true,
		check: subjectRule("", quoting("500/10052 stream configuration for republish with transform from '%s' to '…' not valid")), empty: "the same as >"},
	{Context: RepublishDestination, Title: "republish destination", Rule: "as a transform destination, outside the stream's own subjects; whitespace passes", Source: streamGo + ":checkStreamCfgLocked", Subject: true,
		check: checkRepublishDestination, empty: "accepted, and nothing is republished"},
	{Context: StreamName, Title: "stream name", Rule: "1 to 255 bytes without space, tab, CR, LF, FF, . * > \\ /", Source: "nats-server v2.15.2 server/jetstream.go:isValidAssetName; ADR-6",
		check: checkAssetName("stream")},
	{Context: ConsumerName, Title: "consumer name", Rule: "1 to 255 bytes without space, tab, CR, LF, FF, . * > \\ /", Source: "nats-server v2.15.2 server/consumer.go; ADR-6",
		check: checkAssetName("consumer")},
	{Context: KVBucket, Title: "KV bucket", Rule: "letters, digits, _ and -", Source: "ADR-8; nats.go v1.55 jetstream/kv.go",
		check: checkBucket},
	{Context: KVKey, Title: "KV key", Rule: "letters, digits, - / _ = and dots between tokens", Source: "ADR-8; nats.go v1.55 jetstream/kv.go",
		check: keyRule(KVKey)},
	{Context: KVSearchKey, Title: "KV watch key", Rule: "a KV key that may hold the wildcards * and >", Source: "ADR-8; nats.go v1.55 jetstream/kv.go",
		check: keyRule(KVSearchKey)},
	{Context: Queue, Title: "queue group", Rule: "not empty, no space, tab, CR or LF", Source: "nats.go v1.55 nats.go:badQueue",
		check: checkQueue},
	{Context: APIPrefix, Title: "JetStream API prefix", Rule: "a valid subject in which * and > do not occur at all", Source: "jsm.go v0.5.1, IsValidName of a prefix",
		check: checkPrefix},
	{Context: SubscribeStrict, Title: "a strict client's subscribe", Rule: "a valid subject in which * and > stand only as whole tokens", Source: "nats.java 2.x Validator, strict mode", Subject: true,
		check: checkStrict},
	{Context: Literal, Title: "literal subject", Rule: "no token is a wildcard; says nothing of validity", Source: sublistGo + ":subjectIsLiteral",
		check: checkLiteral},
	{Context: MQTTTopic, Title: "MQTT publish topic", Rule: "UTF-8 without + or #, whitespace, NUL and DEL", Source: "nats-server v2.15.2 server/mqtt.go:mqttTopicToNATSPubSubject",
		check: checkMQTTTopic},
	{Context: MQTTFilter, Title: "MQTT topic filter", Rule: "UTF-8, + and # as whole levels, no whitespace, NUL and DEL", Source: "nats-server v2.15.2 server/mqtt.go:mqttFilterToNATSSubject",
		check: checkMQTTFilter},
}

// lineBytes are the bytes that split or end a protocol line: PUB splits at SPACE
// and TAB and ends at LF, SUB splits at CR as well (measured on 2.15.2).
const lineBytes = " \t\r\n"

// Publishable reports whether a message on s can reach anybody: no empty token
// and none of SPACE, TAB, CR and LF, at which a protocol line is split or ends. A
// subject that holds wildcards is publishable: a server delivers and stores it
// literally (measured on 2.15.2).
func Publishable(s string) bool { return publishFault(s) == nil }

func publishFault(s string) *fault {
	if s == "" {
		return &fault{kind: faultEmptySubject}
	}
	start, token := 0, 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) {
			switch s[i] {
			case ' ', '\t', '\r', '\n':
				return &fault{kind: faultByte, token: token, offset: i, char: s[i]}
			case '.':
			default:
				continue
			}
		}
		if i == start {
			return &fault{kind: faultEmptyToken, token: token, offset: start}
		}
		token++
		start = i + 1
	}
	return nil
}

// answer is what a server says to a subject with a fault.
type answer func(s string, f *fault) string

func always(text string) answer { return func(string, *fault) string { return text } }

func quoting(format string) answer {
	return func(s string, _ *fault) string { return fmt.Sprintf(format, cut(s, maxClip)) }
}

// subjectRule refuses what firstFault finds with the given bytes refused.
func subjectRule(refused string, says answer) rule {
	return func(s string, _ Release) *refusal {
		f := firstFault(s, refused)
		if f == nil {
			return nil
		}
		return refusalOf(s, f, says(s, f))
	}
}

const lineEnds = "the line ends there and the server closes the connection"

// subscribeAnswer is what SUB meets (measured on 2.15.2).
func subscribeAnswer(_ string, f *fault) string {
	switch {
	case f.kind == faultEmptySubject:
		return "the server closes the connection"
	case f.kind == faultByte && f.char == '\n':
		return lineEnds
	case f.kind == faultByte && f.char == '\f':
		return "core SUB takes it; JetStream answers " + invalid
	case f.kind == faultByte:
		return "SUB splits its line there: what follows is taken for a queue group, or the server closes the connection"
	}
	return "-ERR 'Invalid Subject'"
}

// publishAnswer is what PUB meets (measured on 2.15.2).
func publishAnswer(f *fault) string {
	switch {
	case f.kind == faultEmptySubject:
		return "the server closes the connection"
	case f.kind == faultByte && f.char == '\n':
		return lineEnds
	case f.kind == faultByte && f.char == '\r':
		return "PUB carries it, but SUB splits its line there, and client libraries refuse it"
	case f.kind == faultByte:
		return "PUB splits its line there: what follows is taken for a reply subject, or the server closes the connection"
	}
	return "accepted and delivered to nobody; a pedantic connection gets -ERR 'Invalid Publish Subject'"
}

func filterAnswer(s string, _ *fault) string {
	if s == "" {
		return "400/10139 consumer filter in FilterSubjects cannot be empty; an empty filter_subject means no filter"
	}
	return invalid
}

func checkTransformSource(s string, r Release) *refusal {
	if r.before(11) {
		return subjectRule("", quoting("500/10049 stream subject transform from '%s' to '…': invalid subject"))(s, r)
	}
	return subjectRule(whitespace, quoting("400/10155 stream transform source: invalid subject %s"))(s, r)
}

func refusalOf(s string, f *fault, server string) *refusal {
	if f == nil {
		return nil
	}
	r := &refusal{place: f.offset, server: server}
	switch f.kind {
	case faultEmptySubject:
		r.reason = "it is empty"
	case faultEmptyToken:
		r.reason = fmt.Sprintf("empty token at position %d", f.token+1)
	case faultAfterRest:
		r.reason = fmt.Sprintf("> at position %d is not the last token", f.token+1)
	case faultByte:
		r.reason = fmt.Sprintf("%s at byte %d", byteName(f.char), f.offset+1)
	}
	return r
}

func byteName(c byte) string {
	switch c {
	case ' ':
		return "space"
	case '\t':
		return "tab"
	case '\n':
		return "line feed"
	case '\r':
		return "carriage return"
	case '\f':
		return "form feed"
	case 0:
		return "NUL"
	case 0x7f:
		return "DEL"
	}
	return fmt.Sprintf("%q", rune(c))
}

// takenLiterally is what the server does with a wildcard that is published
// (measured on 2.15.2).
const takenLiterally = "delivered and stored literally; a pedantic connection gets -ERR 'Invalid Publish Subject' as well"

func checkPublish(s string, _ Release) *refusal {
	if f := publishFault(s); f != nil {
		return refusalOf(s, f, publishAnswer(f))
	}
	offset := 0
	for i, t := range Tokens(s) {
		if t == One || t == Rest {
			return &refusal{offset, fmt.Sprintf("wildcard %s at position %d", t, i+1), takenLiterally}
		}
		offset += len(t) + 1
	}
	return nil
}

func checkStrict(s string, r Release) *refusal {
	if no := subjectRule(whitespace, subscribeAnswer)(s, r); no != nil {
		return no
	}
	return insideToken(s, "the server accepts it and takes it literally")
}

// insideToken refuses a "*" or ">" that is not a token of its own.
func insideToken(s, server string) *refusal {
	offset := 0
	for i, t := range Tokens(s) {
		if at := strings.IndexAny(t, "*>"); at >= 0 && len(t) > 1 {
			return &refusal{offset + at, fmt.Sprintf("%c at byte %d is part of the longer token %q at position %d", t[at], offset+at+1, cut(t, maxClip), i+1), server}
		}
		offset += len(t) + 1
	}
	return nil
}

func checkLiteral(s string, _ Release) *refusal {
	offset := 0
	for i, t := range Tokens(s) {
		if t == One || t == Rest {
			return &refusal{offset, fmt.Sprintf("token %d is the wildcard %s", i+1, t), ""}
		}
		offset += len(t) + 1
	}
	return nil
}

func checkQueue(s string, _ Release) *refusal {
	if s == "" {
		return &refusal{-1, "it is empty", ""}
	}
	if at := strings.IndexAny(s, lineBytes); at >= 0 {
		return &refusal{at, fmt.Sprintf("%s at byte %d", byteName(s[at]), at+1), "the protocol line is split or ends at this byte"}
	}
	return nil
}

func checkPrefix(s string, _ Release) *refusal {
	if r := refusalOf(s, firstFault(s, whitespace), ""); r != nil {
		return r
	}
	if at := strings.IndexAny(s, "*>"); at >= 0 {
		return &refusal{at, fmt.Sprintf("%q at byte %d", s[at], at+1), ""}
	}
	return nil
}
