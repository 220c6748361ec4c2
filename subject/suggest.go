package subject

import (
	"fmt"
	"strings"
)

// suggest proposes what to write instead of a string that a context refuses.
// Every proposal is itself accepted by the context.
func suggest(s string, info *ContextInfo, r Release) []Suggestion {
	if s == "" || len(s) > MaxControlLine {
		return nil
	}
	var out []Suggestion
	add := func(subject, why string) {
		if subject == s || subject == "" || len(subject) > MaxControlLine || info.check(subject, r) != nil {
			return
		}
		for _, known := range out {
			if known.Subject == subject {
				return
			}
		}
		out = append(out, Suggestion{subject, why})
	}
	add(strings.TrimRight(s, "\r\n"), "without the line end; the text comes from a file with CRLF or LF lines")
	switch info.Context {
	case MQTTTopic, MQTTFilter:
		suggestMQTT(s, info.Context, add)
		return out
	case StreamName, ConsumerName, KVBucket, Queue:
		add(replaceBytes(s, whitespace+".*>\\/", "_"), "without the characters that such a name cannot have")
		add(keepBytes(s, "-_"), "letters, digits, - and _, which every library accepts")
		return out
	case KVKey, KVSearchKey:
		key := dropEmptyTokens(keepBytes(s, "-/_=."+wildcardsOf(info.Context)))
		add(key, "a KV key that every library accepts")
		return out
	case Publish:
		add(fillTemplate(s), "a publisher fills in every token; wildcards are for subscriptions and filters")
	case TransformDestination, RepublishDestination:
		add(numberWildcards(s), "a destination names the wildcard of the source whose token it takes")
	}
	if info.Subject {
		suggestRest(s, add)
	}
	add(dropEmptyTokens(s), "without the empty token")
	trimmed := trimTokens(s)
	add(trimmed, "without the whitespace")
	add(dropEmptyTokens(replaceBytes(trimmed, whitespace, "_")), "whitespace ends a subject in the protocol")
	return out
}

// suggestRest handles a ">" that is not the last token: people mean either one
// token there, or everything from there on.
func suggestRest(s string, add func(subject, why string)) {
	tokens := Tokens(s)
	for i, t := range tokens {
		if t != Rest || i == len(tokens)-1 {
			continue
		}
		starred := strings.Join(starRest(tokens), Separator)
		add(starred, "exactly one token at that place")
		add(strings.Join(tokens[:i+1], Separator), "everything below, one or more tokens")
		return
	}
}

// suggestMQTT handles wildcards where MQTT does not take them.
func suggestMQTT(s string, c Context, add func(subject, why string)) {
	levels := strings.Split(s, "/")
	for i, level := range levels {
		last := i == len(levels)-1
		switch {
		case !strings.ContainsAny(level, "+#"):
		case c == MQTTTopic:
			levels[i] = fmt.Sprintf("{level%d}", i+1)
		case level == "#" && !last:
			add(strings.Join(levels[:i+1], "/"), "everything below")
			levels[i] = "+"
		case level != "#" && level != "+":
			levels[i] = "+"
		}
	}
	if c == MQTTTopic {
		add(strings.Join(levels, "/"), "a publisher fills in every level; wildcards are for subscriptions")
	} else {
		add(strings.Join(levels, "/"), "+ stands for exactly one whole level")
	}
	add(replaceBytes(s, whitespace+"\x7f", "_"), "without the character that the server refuses")
}

// starRest replaces every ">" but a last one by "*".
func starRest(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		if t == Rest && i < len(tokens)-1 {
			t = One
		}
		out[i] = t
	}
	return out
}

// fillTemplate turns the wildcards of a pattern into named placeholders.
func fillTemplate(s string) string {
	tokens := Tokens(s)
	for i, t := range tokens {
		if t == One || t == Rest {
			tokens[i] = fmt.Sprintf("{token%d}", i+1)
		}
	}
	return strings.Join(tokens, Separator)
}

// numberWildcards replaces the "*" tokens of a destination by wildcard calls.
func numberWildcards(s string) string {
	tokens, n := Tokens(s), 0
	for i, t := range tokens {
		if t == One {
			n++
			tokens[i] = fmt.Sprintf("{{wildcard(%d)}}", n)
		}
	}
	return strings.Join(tokens, Separator)
}

func dropEmptyTokens(s string) string {
	kept := Tokens(s)[:0]
	for _, t := range Tokens(s) {
		if t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, Separator)
}

// trimTokens drops the whitespace around each token.
func trimTokens(s string) string {
	tokens := Tokens(s)
	for i, t := range tokens {
		tokens[i] = strings.Trim(t, whitespace)
	}
	return dropEmptyTokens(strings.Join(tokens, Separator))
}

// replaceBytes replaces each run of the given bytes by one substitute, and drops
// it at both ends.
func replaceBytes(s, bytes, by string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r < 0x80 && strings.ContainsRune(bytes, r)
	}), by)
}

// keepBytes keeps ASCII letters and digits and what also holds; a "_" takes the
// place of each run of others.
func keepBytes(s, also string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r >= 0x80 || !isNameByte(byte(r), also)
	}), "_")
}
