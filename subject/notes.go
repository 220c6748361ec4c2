package subject

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// notes are the things that a reader of s should know although they do not
// decide its validity. The order is that of importance.
func notes(s string, c Context) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(s) > MaxControlLine-16 {
		add("%d bytes do not fit into a protocol line of %d bytes (max_control_line): a server closes the connection that publishes or subscribes to it, though a stream configuration may hold it", len(s), MaxControlLine)
	}
	for i, t := range Tokens(s) {
		if len(t) > 1 && strings.ContainsAny(t, "*>") && !isCall(t) {
			add("token %d, %q, is a literal: a wildcard is a whole token, there is no prefix match", i+1, clip(t))
			if t[0] == '*' || t[0] == '>' {
				add("2.12 and 2.15.2 compare only the first byte when two streams or filters are checked for overlap, and take %q for a wildcard there (server/sublist.go:tokensCanMatch)", clip(t))
			}
			break
		}
	}
	if foreign := foreignNote(s); foreign != "" && c != TransformDestination {
		add("%s", foreign)
	}
	if strings.Contains(s, "\f") && (c == Subscribe || c == Publish) {
		add("core SUB and PUB accept a form feed; every JetStream configuration refuses it")
	}
	if !utf8.ValidString(s) {
		add("not valid UTF-8: the protocol carries it, JSON configurations replace the bytes by U+FFFD")
	} else if at := strings.IndexFunc(s, isInvisible); at >= 0 {
		add("holds the invisible character %U at byte %d, which is part of the token", []rune(s[at:])[0], at+1)
	}
	return out
}

func isInvisible(r rune) bool {
	switch {
	case strings.ContainsRune(whitespace, r):
		return false
	case r < 0x20, r == 0x7f, r == 0xa0, r == 0xad, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0xfeff:
		return true
	}
	return false
}

// foreignNote recognises wildcards of MQTT and RabbitMQ and says what NATS
// would have in their place.
func foreignNote(s string) string {
	levels := strings.Split(s, "/")
	if len(levels) > 1 {
		for _, l := range levels {
			if l == "+" || l == "#" {
				n, err := FromMQTTFilter(s)
				if err == nil && Valid(n) {
					return fmt.Sprintf("looks like an MQTT filter; as a NATS subject it is %s", n)
				}
			}
		}
		return ""
	}
	tokens := Tokens(s)
	for i, t := range tokens {
		switch {
		case t == "#" && len(tokens) == 1:
			return "looks like the MQTT or RabbitMQ filter for everything; in NATS that is >"
		case t == "#" && i == len(tokens)-1:
			return fmt.Sprintf("looks like a RabbitMQ binding: there # also stands for no word at all; in NATS %s needs at least one token more, so take both %s and %s",
				replaceToken(tokens, i, Rest), strings.Join(tokens[:i], Separator), replaceToken(tokens, i, Rest))
		case t == "#":
			return fmt.Sprintf("looks like a RabbitMQ binding: NATS has no wildcard for many tokens in the middle; write %s for exactly one token there, and one pattern for each depth", replaceToken(tokens, i, One))
		case t == "+":
			return fmt.Sprintf("token %d is a literal +; if one level of MQTT is meant, write %s", i+1, replaceToken(tokens, i, One))
		}
	}
	return ""
}

func replaceToken(tokens []string, i int, by string) string {
	out := append([]string(nil), tokens...)
	out[i] = by
	return strings.Join(out, Separator)
}
