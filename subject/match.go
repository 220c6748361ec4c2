package subject

// Match reports whether a message published to subject reaches a subscription,
// stream or consumer filter on pattern, as the server routes it
// (server/sublist.go, Sublist.Match). A wildcard counts only as a whole token
// of the pattern; the subject is taken literally, so a message published to
// "foo.*" matches "foo.*" and "foo.>" and not "foo.bar". An empty pattern
// matches only an empty subject here; as a consumer's filter_subject it means
// no filter, which is the caller's business.
//
// Both are taken to be valid: ask Valid and Publishable, or Check, for what comes
// from outside. The answer for others is of no use ("a..b" matches itself here,
// while a server delivers it to nobody), but there is no panic. Match allocates
// nothing.
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
// configuration checks are followed; use Match and CoversAll for what is true.
//
// The difference: the server's function takes a filter token that merely begins
// with "*" for a wildcard ("*x" accepts "y"), although its own routing does not,
// and lets ">" accept an empty trailing token.
func MatchesFilter(subject, filter string) bool {
	return MatchesFilterOn(subject, filter, Release{})
}

// MatchesFilterOn is MatchesFilter as servers of a release have it: 2.14.10
// compares whole tokens, 2.10 to 2.12 and 2.15.2 the first byte.
func MatchesFilterOn(subject, filter string, r Release) bool {
	whole := r.comparesWholeTokens()
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
		if !takesOne(f.token, whole) && s.token != f.token {
			return false
		}
	}
	return !s.next()
}

// takesOne is the server's test for a "*" in a filter.
func takesOne(token string, whole bool) bool {
	return token[0] == '*' && (!whole || len(token) == 1)
}

// Collide is nats-server's SubjectsCollide (v2.15.2, server/sublist.go) to the
// letter: it decides whether two streams overlap (10065). Use Relate for what
// is true.
//
// The difference: once both patterns hold a wildcard the server looks only at
// the first byte of each token, so "*x.>" and "b.>" count as colliding.
func Collide(a, b string) bool { return CollideOn(a, b, Release{}) }

// CollideOn is Collide as servers of a release have it: 2.14.10 compares whole
// tokens, 2.10 to 2.12 and 2.15.2 the first byte.
func CollideOn(a, b string, r Release) bool {
	if a == b {
		return true
	}
	aShape, bShape := shapeOf(a), shapeOf(b)
	switch {
	case aShape.literal() && bShape.literal():
		return false
	case aShape.literal():
		return MatchesFilterOn(a, b, r)
	case bShape.literal():
		return MatchesFilterOn(b, a, r)
	}
	if aShape.tokens < bShape.tokens && !aShape.rest || bShape.tokens < aShape.tokens && !bShape.rest {
		return false
	}
	whole := r.comparesWholeTokens()
	x, y := cursor{s: a}, cursor{s: b}
	for x.next() && y.next() {
		if x.token == "" || y.token == "" {
			return false
		}
		if looksWild(x.token, whole) || looksWild(y.token, whole) {
			continue
		}
		if x.token != y.token {
			return false
		}
	}
	return true
}

// looksWild is the server's tokensCanMatch test of one token.
func looksWild(token string, whole bool) bool {
	return (token[0] == '*' || token[0] == '>') && (!whole || len(token) == 1)
}

// shape is what the server's analyzeTokens and len(tokens) tell of a pattern.
type shape struct {
	tokens    int
	one, rest bool
}

func (s shape) literal() bool { return !s.one && !s.rest }

func shapeOf(pattern string) shape {
	sh := shape{tokens: 1}
	for i := range len(pattern) {
		switch c := pattern[i]; c {
		case '.':
			sh.tokens++
		case '*', '>':
			if (i == 0 || pattern[i-1] == '.') && (i+1 == len(pattern) || pattern[i+1] == '.') {
				sh.one = sh.one || c == '*'
				sh.rest = sh.rest || c == '>'
			}
		}
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
