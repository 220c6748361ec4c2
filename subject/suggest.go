package subject

import (
	"fmt"
	"strings"
)

// suggest proposes what to write instead of a string that a context refuses.
// Every proposal is itself accepted by the context.
func suggest(s string, info *ContextInfo) []Suggestion {
	if s == "" || len(s) > MaxControlLine {
		return nil
	}
	var out []Suggestion
	add := func(subject, why string) {
		if subject == s || info.check(subject) != nil {
			return
		}
		for _, known := range out {
			if known.Subject == subject {
				return
			}
		}
		out = append(out, Suggestion{subject, why})
	}
	if info.Subject {
		suggestRest(s, add)
	}
	if info.Context == Publish {
		add(fillTemplate(s), "a publisher names every token; wildcards are for who reads")
	}
	if info.Context == TransformDestination {
		add(numberWildcards(s), "a destination names the wildcard of the source that it takes")
	}
	add(dropEmptyTokens(s), "without the empty token")
	add(replaceBytes(dropEmptyTokens(s), whitespace, "_"), "whitespace ends a subject in the protocol")
	if !info.Subject {
		add(replaceBytes(s, whitespace+".*>\\/", "_"), "a name that every server and library accepts")
		add(onlyNameBytes(s), "a name that every server and library accepts")
	}
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

// replaceBytes replaces each run of the given bytes by one substitute, and drops
// it at both ends.
func replaceBytes(s, bytes, by string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r < 0x80 && strings.ContainsRune(bytes, r)
	}), by)
}

// onlyNameBytes keeps letters, digits, "-" and "_".
func onlyNameBytes(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_')
	}), "_")
}
