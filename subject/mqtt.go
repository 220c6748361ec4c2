package subject

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Errors of the conversion between MQTT topics and NATS subjects.
var (
	ErrMQTTCharacter = errors.New("whitespace and DEL are not supported in MQTT topics by nats-server")
	ErrMQTTWildcard  = errors.New("wildcards are not allowed in a publish topic")
)

// FromMQTTTopic returns the NATS subject under which a server files a message
// published to an MQTT topic: "/" becomes ".", a dot becomes "//", an empty
// level becomes "/". Wildcards are refused with ErrMQTTWildcard, whitespace and
// DEL with ErrMQTTCharacter (server/mqtt.go:mqttToNATSSubjectConversion,
// v2.15.2; 2.10 and 2.11 refuse of these only SPACE, 2.12 all but DEL). Before
// the conversion a server refuses topics with NUL or invalid UTF-8, which this
// function converts: see Check(topic, MQTTTopic).
func FromMQTTTopic(topic string) (string, error) { return fromMQTT(topic, false) }

// FromMQTTFilter is FromMQTTTopic for a subscription: + becomes *, # becomes >.
// A "*" or ">" that the filter holds is kept, and is a NATS wildcard then. The
// filter "a/#" also subscribes to "a" in MQTT, for which the server adds a
// second subscription: see MQTTParent.
func FromMQTTFilter(filter string) (string, error) { return fromMQTT(filter, true) }

func fromMQTT(topic string, wildcards bool) (string, error) {
	out := make([]byte, 0, len(topic)+8)
	for i := 0; i < len(topic); i++ {
		switch c := topic[i]; {
		case c == '/':
			out = appendLevelEnd(out, topic, i)
		case refusedMQTT(c, Release{}):
			return "", fmt.Errorf("%s at byte %d: %w", byteName(c), i+1, ErrMQTTCharacter)
		case c == '.':
			out = append(out, '/', '/')
		case (c == '+' || c == '#') && !wildcards:
			return "", fmt.Errorf("%q at byte %d: %w", c, i+1, ErrMQTTWildcard)
		case c == '+':
			out = append(out, '*')
		case c == '#':
			out = append(out, '>')
		default:
			out = append(out, c)
		}
	}
	if n := len(out); n > 0 && out[n-1] == '.' {
		out = append(out, '/')
	}
	return string(out), nil
}

// appendLevelEnd writes what the "/" at i becomes: an empty level is a token
// "/" of its own, because a subject has no empty tokens.
func appendLevelEnd(out []byte, topic string, i int) []byte {
	switch {
	case i == 0 || out[len(out)-1] == '.':
		return append(out, '/', '.')
	case i == len(topic)-1 || topic[i+1] == '/':
		return append(out, '.', '/')
	}
	return append(out, '.')
}

// ToMQTTTopic is the inverse of FromMQTTTopic, as the server applies it when it
// delivers a message to an MQTT client (server/mqtt.go:natsSubjectToMQTTTopic).
// Any string gives a topic; a "/" that is not followed by "." or "/" is dropped.
func ToMQTTTopic(subject string) string {
	out := make([]byte, 0, len(subject))
	for i := 0; i < len(subject); i++ {
		switch c := subject[i]; c {
		case '/':
			if i+1 < len(subject) && subject[i+1] == '.' {
				out = append(out, '/')
				i++
			} else if i+1 < len(subject) && subject[i+1] == '/' {
				out = append(out, '.')
				i++
			}
		case '.':
			out = append(out, '/')
		default:
			out = append(out, c)
		}
	}
	return string(out)
}

// MQTTRefusal says why no server takes s as an MQTTTopic or MQTTFilter, or why no
// message can be published to s as a NATS subject, which is any other context; ""
// when there is something to convert. A filter that MQTT forbids and servers
// convert all the same ("a/#/b") is none of these: ask Check.
func MQTTRefusal(s string, c Context) string {
	switch {
	case c == MQTTTopic || c == MQTTFilter:
		if v := Check(s, c); !v.Valid && v.Server != "" {
			return v.Reason
		}
	case !Publishable(s):
		return "no subject: " + Check(s, Publish).Reason
	}
	return ""
}

// MQTTParent returns the second subject that a server subscribes to for a
// filter that ends in "/#", because in MQTT "a/#" also matches "a", where NATS
// "a.>" needs one token more; ok is false for other filters
// (server/mqtt.go:mqttNeedSubForLevelUp).
func MQTTParent(filter string) (parent string, ok bool) {
	s, err := FromMQTTFilter(filter)
	if err != nil || !strings.HasSuffix(s, ".>") || len(s) < 3 {
		return "", false
	}
	return s[:len(s)-2], true
}

func checkMQTTTopic(s string, r Release) *refusal { return checkMQTT(s, r, false) }

func checkMQTTFilter(s string, r Release) *refusal {
	if no := checkMQTT(s, r, true); no != nil {
		return no
	}
	return checkMQTTLevels(s)
}

func checkMQTT(s string, r Release, wildcards bool) *refusal {
	const closed = "the server closes the MQTT connection"
	if s == "" {
		return &refusal{-1, "it is empty", closed}
	}
	// 2.10 looks at the filters of a SUBSCRIBE only (server/mqtt.go:mqttValidateTopic).
	if at := invalidUTF8(s); at >= 0 && (wildcards || !r.before(11)) {
		return &refusal{at, fmt.Sprintf("byte %d is not UTF-8, which MQTT asks for", at+1), closed}
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == 0 && !r.before(11) || refusedMQTT(c, r):
			return &refusal{i, fmt.Sprintf("%s at byte %d", byteName(c), i+1), closed}
		case !wildcards && (c == '+' || c == '#'):
			return &refusal{i, fmt.Sprintf("wildcard %q at byte %d", c, i+1), closed}
		}
	}
	return nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// refusedMQTT reports whether a release converts no topic that holds c: SPACE on
// all, other whitespace from 2.12, DEL from 2.14 (server/mqtt.go of 2.10.29,
// 2.11.17, 2.12.15, 2.14.10 and 2.15.2).
func refusedMQTT(c byte, r Release) bool {
	switch c {
	case ' ':
		return true
	case '\t', '\n', '\r', '\f':
		return !r.before(12)
	case 0x7f:
		return !r.before(14)
	}
	return false
}

// checkMQTTLevels holds a filter to MQTT 3.1.1 section 4.7.1: + fills a level,
// # fills the last one. nats-server converts other filters without complaint
// when they still make a valid subject.
func checkMQTTLevels(filter string) *refusal {
	offset := 0
	levels := strings.Split(filter, "/")
	for i, level := range levels {
		if at := strings.IndexAny(level, "+#"); at >= 0 && len(level) > 1 {
			return &refusal{offset + at, fmt.Sprintf("%q does not fill its level %q", level[at], cut(level, maxClip)), ""}
		}
		if level == "#" && i < len(levels)-1 {
			return &refusal{offset, fmt.Sprintf("# at level %d is not the last", i+1), ""}
		}
		offset += len(level) + 1
	}
	return nil
}
