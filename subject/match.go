package subject

// Match reports whether a message published to subject reaches a subscription,
// stream or consumer filter on pattern, as the server routes it
// (server/sublist.go, Sublist.Match). A wildcard counts only as a whole token
// of the pattern; the subject is taken literally, so a message published to
// "foo.*" matches "foo.*" and "foo.>" and not "foo.bar". An empty pattern
// matches only an empty subject here; as a consumer's filter_subject it means
// no filter, which is the caller's business.
//
// Both are taken to be valid; for an invalid one the answer is false wherever
// the deciding token is empty or follows a ">". Match allocates nothing.
func Match(pattern, subject string) bool {
	p, s := 0, 0
	for {
		if p < len(pattern) && (p+1 == len(pattern) || pattern[p+1] == '.') {
			switch pattern[p] {
			case '>':
				return p+1 == len(pattern) && s < len(subject) && subject[s] != '.'
			case '*':
				from := s
				for s < len(subject) && subject[s] != '.' {
					s++
				}
				if s == from {
					return false
				}
				p++
				if p == len(pattern) || s == len(subject) {
					return p == len(pattern) && s == len(subject)
				}
				p++
				s++
				continue
			}
		}
		for p < len(pattern) && pattern[p] != '.' {
			if s >= len(subject) || subject[s] != pattern[p] {
				return false
			}
			p++
			s++
		}
		if p == len(pattern) || s == len(subject) {
			return p == len(pattern) && s == len(subject)
		}
		if subject[s] != '.' {
			return false
		}
		p++
		s++
	}
}

// MatchesFilter is nats-server's SubjectMatchesFilter (v2.15.2,
// server/sublist.go:isSubsetMatchTokenized) to the letter: every subject that
// subject matches is matched by filter too. Use it where the server's
// configuration checks are followed; use Match and Covers for what is true.
//
// The difference: the server's function takes a filter token that merely begins
// with "*" for a wildcard ("*x" accepts "y"), although its own routing does not,
// and lets ">" accept an empty trailing token.
func MatchesFilter(subject, filter string) bool {
	s, f := cursor{s: subject}, cursor{s: filter}
	for f.next() {
		if !s.next() || f.token == "" {
			return false
		}
		if f.token == Rest {
			return true
		}
		if s.token == "" || s.token == Rest {
			return false
		}
		if s.token == One {
			if f.token != One {
				return false
			}
			continue
		}
		if f.token[0] != '*' && s.token != f.token {
			return false
		}
	}
	return !s.next()
}

// Collide is nats-server's SubjectsCollide (v2.15.2, server/sublist.go) to the
// letter: it decides whether two streams overlap (10065). Use Relate for what
// is true.
//
// The difference: once both patterns hold a wildcard the server looks only at
// the first byte of each token, so "*x.>" and "b.>" count as colliding.
func Collide(a, b string) bool {
	if a == b {
		return true
	}
	aShape, bShape := shapeOf(a), shapeOf(b)
	switch {
	case aShape.literal() && bShape.literal():
		return false
	case aShape.literal():
		return MatchesFilter(a, b)
	case bShape.literal():
		return MatchesFilter(b, a)
	}
	if aShape.tokens < bShape.tokens && !aShape.rest || bShape.tokens < aShape.tokens && !bShape.rest ||
		!aShape.rest && !bShape.rest && aShape.tokens != bShape.tokens {
		return false
	}
	x, y := cursor{s: a}, cursor{s: b}
	for x.next() && y.next() {
		if x.token == "" || y.token == "" {
			return false
		}
		if looksWild(x.token) || looksWild(y.token) {
			continue
		}
		if x.token != y.token {
			return false
		}
	}
	return true
}

// looksWild is the server's tokensCanMatch test of one token: first byte only.
func looksWild(token string) bool { return token[0] == '*' || token[0] == '>' }

// shape is what the server's analyzeTokens and len(tokens) tell of a pattern.
type shape struct {
	tokens    int
	one, rest bool
}

func (s shape) literal() bool { return !s.one && !s.rest }

func shapeOf(pattern string) shape {
	var sh shape
	for c := (cursor{s: pattern}); c.next(); {
		sh.tokens++
		sh.one = sh.one || c.token == One
		sh.rest = sh.rest || c.token == Rest
	}
	return sh
}

// cursor walks the tokens of a subject without allocating.
type cursor struct {
	s     string
	at    int  // offset behind the current token's separator
	done  bool // the last token has been handed out
	token string
}

func (c *cursor) next() bool {
	if c.done {
		return false
	}
	for i := c.at; i < len(c.s); i++ {
		if c.s[i] == '.' {
			c.token = c.s[c.at:i]
			c.at = i + 1
			return true
		}
	}
	c.token = c.s[c.at:]
	c.done = true
	return true
}
