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
	check   func(string) *refusal
}

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
	invalid   = "500/10052 invalid subject"
)

var contexts = []ContextInfo{
	{Subscribe, "core subscribe", "no empty token, no whitespace, > only as the last token; wildcards are whole tokens", sublistGo + ":IsValidSubject", true,
		subjectRule(whitespace, "-ERR 'Invalid Subject'")},
	{Publish, "core publish", "a subject without empty tokens, whitespace or wildcard tokens", sublistGo + ":IsValidLiteralSubject, client.go:processPub", true, checkPublish},
	{Stream, "stream subject", "a valid subject; reserved spaces need no_ack", "nats-server v2.15.2 server/stream.go:checkStreamCfg", true, subjectRule(whitespace, invalid)},
	{Filter, "consumer filter", "a valid subject", "nats-server v2.15.2 server/consumer.go:checkConsumerCfg", true, subjectRule(whitespace, invalid)},
	{MirrorFilter, "mirror filter", "a valid subject", "nats-server v2.15.2 server/stream.go", true, subjectRule(whitespace, "500/10049 subject filter for the mirror invalid subject")},
	{SourceFilter, "source filter", "a valid subject", "nats-server v2.15.2 server/stream.go", true, subjectRule(whitespace, "500/10049 subject filter for the source: invalid subject")},
	{TransformSource, "transform source", "a valid subject (before 2.11 whitespace passed)", "nats-server v2.15.2 server/stream.go:checkStreamCfg", true, subjectRule(whitespace, "400/10155 stream transform source: invalid subject")},
	{TransformDestination, "transform destination", "a subject whose tokens may be $N or {{function(…)}} and are never *", "nats-server v2.15.2 server/sublist.go:ValidateMapping", true, checkDestination},
	{RepublishSource, "republish source", "tokens as in a subject; whitespace passes", "nats-server v2.15.2 server/subject_transform.go:subjectInfo", true, subjectRule("", "500/10052 stream configuration for republish … not valid")},
	{RepublishDestination, "republish destination", "as a transform destination, outside the stream's own subjects", "nats-server v2.15.2 server/stream.go:checkStreamCfg", true, checkDestination},
	{StreamName, "stream name", "1 to 255 bytes without space, tab, CR, LF, FF, . * > \\ /", "nats-server v2.15.2 server/jetstream.go:isValidAssetName; ADR-6", false, checkAssetName("stream")},
	{ConsumerName, "consumer name", "1 to 255 bytes without space, tab, CR, LF, FF, . * > \\ /", "nats-server v2.15.2 server/consumer.go; ADR-6", false, checkAssetName("consumer")},
	{KVBucket, "KV bucket", "letters, digits, _ and -", "ADR-8; nats.go v1.55 jetstream/kv.go", false, checkBucket},
	{KVKey, "KV key", "letters, digits, - / _ = and dots between tokens", "ADR-8; nats.go v1.55 jetstream/kv.go", false, keyRule("")},
	{KVSearchKey, "KV watch key", "a KV key that may hold the wildcards * and >", "ADR-8; nats.go v1.55 jetstream/kv.go", false, keyRule("*>")},
	{Queue, "queue group", "not empty, no whitespace", "nats.go v1.55 nats.go:badQueue", false, checkQueue},
	{APIPrefix, "JetStream API prefix", "a valid subject in which * and > do not occur at all", "jsm.go: IsValidName of a prefix", false, checkPrefix},
	{SubscribeStrict, "subscribe, strict client", "a valid subject in which * and > stand only as whole tokens", "nats.java 2.x Validator, strict mode", true, checkStrict},
	{Literal, "literal subject", "no token is a wildcard; says nothing of validity", sublistGo + ":subjectIsLiteral", false, checkLiteral},
	{MQTTTopic, "MQTT publish topic", "no + or #, no whitespace, no DEL", "nats-server v2.15.2 server/mqtt.go:mqttTopicToNATSPubSubject", false, checkMQTT(false)},
	{MQTTFilter, "MQTT topic filter", "+ and # as whole levels, no whitespace, no DEL", "nats-server v2.15.2 server/mqtt.go:mqttFilterToNATSSubject", false, checkMQTT(true)},
}

// Publishable reports whether a client can put s on the wire in PUB: no empty
// token and no SPACE, TAB, CR or LF, at which the protocol parser would split
// the line. A subject that holds wildcards is publishable: a server that was
// not told to be pedantic delivers and stores it literally (measured on 2.15.2).
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

// subjectRule refuses what firstFault finds with the given bytes refused.
func subjectRule(refused, server string) func(string) *refusal {
	return func(s string) *refusal { return refusalOf(s, firstFault(s, refused), server) }
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

func checkPublish(s string) *refusal {
	if f := publishFault(s); f != nil {
		server := "-ERR 'Invalid Publish Subject' if pedantic, otherwise accepted and delivered to nobody"
		if f.kind == faultByte {
			server = "the protocol line is split at this byte"
		}
		return refusalOf(s, f, server)
	}
	offset := 0
	for i, t := range Tokens(s) {
		if t == One || t == Rest {
			return &refusal{offset, fmt.Sprintf("wildcard %s at position %d", t, i+1),
				"-ERR 'Invalid Publish Subject' if pedantic, otherwise delivered and stored literally"}
		}
		offset += len(t) + 1
	}
	return nil
}

func checkStrict(s string) *refusal {
	if r := refusalOf(s, firstFault(s, whitespace), "-ERR 'Invalid Subject'"); r != nil {
		return r
	}
	offset := 0
	for i, t := range Tokens(s) {
		if at := strings.IndexAny(t, "*>"); at >= 0 && len(t) > 1 {
			return &refusal{offset + at, fmt.Sprintf("%q inside the longer token %q at position %d", t[at], t, i+1),
				"the server accepts it and takes it literally"}
		}
		offset += len(t) + 1
	}
	return nil
}

func checkLiteral(s string) *refusal {
	offset := 0
	for i, t := range Tokens(s) {
		if t == One || t == Rest {
			return &refusal{offset, fmt.Sprintf("token %d is the wildcard %s", i+1, t), ""}
		}
		offset += len(t) + 1
	}
	return nil
}

func checkQueue(s string) *refusal {
	if s == "" {
		return &refusal{-1, "it is empty", ""}
	}
	if at := strings.IndexAny(s, whitespace); at >= 0 {
		return &refusal{at, fmt.Sprintf("%s at byte %d", byteName(s[at]), at+1), "the protocol line is split at this byte"}
	}
	return nil
}

func checkPrefix(s string) *refusal {
	if r := refusalOf(s, firstFault(s, whitespace), ""); r != nil {
		return r
	}
	if at := strings.IndexAny(s, "*>"); at >= 0 {
		return &refusal{at, fmt.Sprintf("%q at byte %d", s[at], at+1), ""}
	}
	return nil
}
