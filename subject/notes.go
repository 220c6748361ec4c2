package subject

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxNoteBytes bounds what notes look at: a longer string is no subject that
// anybody wrote.
const maxNoteBytes = 1 << 16

// notes are the things that a reader of s should know although they do not
// decide its validity. The order is that of importance.
func notes(s string, c Context, r Release) []string {
	switch {
	case c == MQTTTopic || c == MQTTFilter:
		return mqttNotes(s, c)
	case !contextInfo(c).Subject:
		return nil
	}
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(s) > MaxControlLine-16 {
		add("%s bytes do not fit into a protocol line of %s bytes (max_control_line): a server closes the connection that publishes or subscribes to it, though a stream configuration may hold it", grouped(int64(len(s))), grouped(MaxControlLine))
	}
	if len(s) > maxNoteBytes {
		return out
	}
	for i, t := range Tokens(s) {
		if len(t) > 1 && strings.ContainsAny(t, "*>") && !isCall(t) {
			add("token %d, %q, is a literal: a wildcard is a whole token, there is no prefix match", i+1, cut(t, maxClip))
			if (t[0] == '*' || t[0] == '>') && !r.comparesWholeTokens() {
				add("where streams and filters are checked for overlap, servers other than 2.14.10 look at the first byte only and take %q for a wildcard (server/sublist.go:tokensCanMatch)", cut(t, maxClip))
			}
			break
		}
	}
	if foreign := foreignNote(s); foreign != "" && !isDestination(c) {
		add("%s", foreign)
	}
	switch c {
	case RepublishSource:
		if at := strings.IndexAny(s, " \t\n"); at >= 0 {
			add("the server accepts the %s, but PUB cannot carry it, so this source matches nothing", byteName(s[at]))
		}
	case RepublishDestination:
		if blank := blankCalls(s); strings.ContainsAny(blank, whitespace) {
			add("the server accepts the %s, and 2.12 to 2.15 then republish nothing (server/stream.go: \"suppressing republish\")", byteName(blank[strings.IndexAny(blank, whitespace)]))
		}
	}
	if strings.Contains(s, "\f") && (c == Subscribe || c == Publish) {
		add("core SUB and PUB accept a form feed; every JetStream configuration refuses it")
	}
	return append(out, encodingNotes(s)...)
}

func encodingNotes(s string) []string {
	if !utf8.ValidString(s) {
		return []string{"not valid UTF-8: the protocol carries it, JSON configurations replace the bytes by U+FFFD"}
	}
	if strings.HasPrefix(s, "\ufeff") {
		return []string{"begins with a byte order mark (U+FEFF), which is part of the first token; a file saved as \"UTF-8 with BOM\" has it"}
	}
	if at := strings.IndexFunc(s, isInvisible); at >= 0 {
		c, _ := utf8.DecodeRuneInString(s[at:])
		return []string{fmt.Sprintf("holds the invisible character %U at byte %d, which is part of the token", c, at+1)}
	}
	return nil
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

// foreignNote recognises wildcards and separators of MQTT and RabbitMQ and says
// what NATS would have in their place.
func foreignNote(s string) string {
	if strings.Contains(s, "/") {
		return slashNote(s)
	}
	tokens := Tokens(s)
	for i, t := range tokens {
		switch {
		case t == "#" && len(tokens) == 1:
			return "looks like the MQTT or RabbitMQ filter for everything; in NATS that is >"
		case t == "#" && i == len(tokens)-1:
			return fmt.Sprintf("looks like a RabbitMQ binding: there # also stands for no word at all; in NATS %s needs at least one token more, so take both %s and %[1]s",
				replaceToken(tokens, i, Rest), clip(strings.Join(tokens[:i], Separator)))
		case t == "#":
			return fmt.Sprintf("looks like a RabbitMQ binding: NATS has no wildcard for many tokens in the middle; write %s for exactly one token there, and one pattern for each depth", replaceToken(tokens, i, One))
		case t == "+":
			return fmt.Sprintf("token %d is a literal +; if one level of MQTT is meant, write %s", i+1, replaceToken(tokens, i, One))
		}
	}
	return ""
}

// slashNote is for who writes levels as in MQTT.
func slashNote(s string) string {
	asSubject, err := FromMQTTFilter(s)
	if err != nil || !Valid(asSubject) {
		return ""
	}
	for level := range strings.SplitSeq(s, "/") {
		if level == "+" || level == "#" {
			if parent, ok := MQTTParent(s); ok {
				return fmt.Sprintf("looks like an MQTT filter; as NATS subjects it is %s and %s, because in MQTT # also stands for the level above it", clip(asSubject), clip(parent))
			}
			return fmt.Sprintf("looks like an MQTT filter; as a NATS subject it is %s", clip(asSubject))
		}
	}
	if strings.Contains(s, Separator) {
		return ""
	}
	return fmt.Sprintf("to NATS this is one token, because only dots separate; the MQTT topic %s is the subject %s", clip(s), clip(asSubject))
}

func replaceToken(tokens []string, i int, by string) string {
	out := append([]string(nil), tokens...)
	out[i] = by
	return clip(strings.Join(out, Separator))
}

// mqttNotes says which NATS subjects stand behind an MQTT topic or filter.
func mqttNotes(s string, c Context) []string {
	if len(s) > maxNoteBytes {
		return nil
	}
	if c == MQTTTopic {
		as, err := FromMQTTTopic(s)
		if err != nil {
			return nil
		}
		out := []string{fmt.Sprintf("published under the NATS subject %s", clip(as))}
		if strings.Contains(s, Separator) {
			out = append(out, "a dot becomes //, because dots separate NATS tokens")
		}
		if !IsLiteral(as) {
			out = append(out, "holds a level that is a NATS wildcard; it is delivered and stored literally")
		}
		return out
	}
	as, err := FromMQTTFilter(s)
	if err != nil {
		return nil
	}
	if f := firstFault(as, whitespace); f != nil {
		return []string{fmt.Sprintf("becomes %s, which is no valid NATS subject: %s", clip(as), refusalOf(as, f, "").reason)}
	}
	if checkMQTTLevels(s) != nil {
		return []string{fmt.Sprintf("MQTT forbids it; nats-server's conversion makes the subject %s of it, in which only whole tokens are wildcards", clip(as))}
	}
	out := []string{fmt.Sprintf("subscribes to the NATS subject %s", clip(as))}
	if parent, ok := MQTTParent(s); ok {
		out[0] += fmt.Sprintf(" and to %s, because in MQTT # also stands for the level above it", clip(parent))
	}
	if strings.ContainsAny(s, "*>") {
		out = append(out, "a level * or > is no MQTT wildcard, but becomes a NATS wildcard here")
	}
	return out
}
