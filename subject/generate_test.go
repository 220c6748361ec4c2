package subject_test

import (
	"math/rand/v2"
	"strings"
)

// generator makes subjects, patterns, destinations and MQTT names that are
// mostly well formed and often nearly so: what plain random bytes never hit.
type generator struct{ *rand.Rand }

// newGenerator has a fixed seed, so that a failure is the same everywhere.
func newGenerator(seed uint64) generator {
	return generator{rand.New(rand.NewPCG(seed, 20))}
}

func (g generator) pick(from ...string) string { return from[g.IntN(len(from))] }

// oneIn is true once in n times.
func (g generator) oneIn(n int) bool { return g.IntN(n) == 0 }

// literalToken is short and from a small set, so that two of them often agree.
func (g generator) literalToken() string {
	switch {
	case g.oneIn(12):
		return g.pick("$JS", "$SYS", "API", "EVENT", "ACCOUNT", "$1", "$x", "$", "é", "日本", "A", "0", "12345", "a-b--c", "-a-", "a/b", "/", "+", "#")
	case g.oneIn(12):
		return g.pick("a*", "*a", "**", ">>", ">a", "a>", "*>", ">*", "a*b")
	case g.oneIn(40):
		return g.pick("\x00", "\x7f", "\v", "\xff", "\xc3", "\u00a0", "\ufffd", "\u200b")
	}
	return g.pick("a", "b", "c", "ab", "foo", "bar")
}

// brokenToken stops a subject from being valid.
func (g generator) brokenToken() string {
	return g.pick("", "", " ", "\t", "a b", "a\n", "\r", "\f", "x\fy", "\na")
}

func (g generator) count() int {
	if g.oneIn(60) {
		return 30 + g.IntN(10)
	}
	return 1 + g.IntN(5)
}

// subject is a literal subject; it is broken, or holds a wildcard token, once in
// a while.
func (g generator) subject() string { return g.joined(g.count(), 60, 40, 200) }

// pattern holds wildcards often, and is broken once in a while.
func (g generator) pattern() string {
	p := g.joined(g.count(), 4, 60, 25)
	if g.oneIn(4) {
		p += ".>"
	}
	if g.oneIn(12) {
		p = ">"
	}
	return p
}

// joined makes n tokens, of which one in star is "*", one in broken is broken and
// one in rest is ">".
func (g generator) joined(n, star, broken, rest int) string {
	tokens := make([]string, n)
	for i := range tokens {
		switch {
		case g.oneIn(broken):
			tokens[i] = g.brokenToken()
		case g.oneIn(star):
			tokens[i] = "*"
		case g.oneIn(rest):
			tokens[i] = ">"
		default:
			tokens[i] = g.literalToken()
		}
	}
	return strings.Join(tokens, ".")
}

// near makes something that a pattern matches, or nearly does: wildcards are
// filled, and then a token may change, go or come.
func (g generator) near(pattern string) string {
	var out []string
	for _, t := range strings.Split(pattern, ".") {
		switch t {
		case "*":
			t = g.literalToken()
		case ">":
			t = g.joined(1+g.IntN(3), 60, 60, 200)
		}
		switch {
		case g.oneIn(16):
			out = append(out, t, g.literalToken())
		case g.oneIn(16):
		case g.oneIn(10):
			out = append(out, g.literalToken())
		default:
			out = append(out, t)
		}
	}
	return strings.Join(out, ".")
}

// relative makes a pattern that has to do with another one.
func (g generator) relative(pattern string) string {
	if g.oneIn(4) {
		return g.pattern()
	}
	tokens := strings.Split(g.near(pattern), ".")
	for i := range tokens {
		if g.oneIn(3) {
			tokens[i] = "*"
		}
	}
	if g.oneIn(3) {
		tokens[len(tokens)-1] = ">"
	}
	return strings.Join(tokens, ".")
}

// destination makes a transform destination for a source.
func (g generator) destination(source string) string {
	tokens := make([]string, g.count())
	for i := range tokens {
		switch {
		case g.oneIn(2):
			tokens[i] = g.call()
		case g.oneIn(80):
			tokens[i] = g.brokenToken()
		case g.oneIn(40):
			tokens[i] = "*"
		default:
			tokens[i] = g.literalToken()
		}
	}
	out := strings.Join(tokens, ".")
	if strings.HasSuffix(source, ">") != g.oneIn(20) {
		out += ".>"
	}
	return out
}

// call makes a destination token that calls a mapping function, rightly or not.
func (g generator) call() string {
	if g.oneIn(4) {
		return "$" + g.number()
	}
	name := g.pick("wildcard", "partition", "split", "splitFromLeft", "splitFromRight", "sliceFromLeft", "sliceFromRight",
		"left", "right", "random", "Wildcard", "Partition", "SplitFromLeft", "Random", "Left")
	if g.oneIn(20) {
		name = g.pick("unknown", "SPLIT", "wildCard", "sliceFromleft", "", "account-hash", "Account-Hash-Import")
	}
	args := []string{g.number()}
	for len(args) < 4 && !g.oneIn(2) {
		args = append(args, g.number())
	}
	if strings.EqualFold(name, "split") && !g.oneIn(8) {
		args = []string{g.number(), g.pick("-", "--", "", "a", "b", " ", ",", ")", "é", "\xff", ":")}
	}
	if g.oneIn(30) {
		args = nil
	}
	space := func() string {
		if g.oneIn(10) {
			return g.pick(" ", "  ", "\t", "\n", "\f")
		}
		return ""
	}
	t := "{{" + space() + name + space() + "(" + strings.Join(args, ","+space()) + space() + ")" + space() + "}}"
	if g.oneIn(30) {
		t = g.pick("x"+t, t+"x", "{{"+t, t+"}}", "{{"+t+"}}", t+t, strings.TrimSuffix(t, "}"), strings.ReplaceAll(t, "(", ""), "{{\n("+t)
	}
	return t
}

func (g generator) number() string {
	if g.oneIn(12) {
		return g.pick("0", "-1", "-7", "+1", " 2", "3 ", "01", "", "x", "2147483647", "2147483648", "4294967296", "-2147483649",
			"99999999999999999999", "1_0", "0x1", "\t1", "1.5", "é")
	}
	return g.pick("1", "1", "1", "2", "2", "3", "10")
}

// mqtt makes an MQTT topic or filter.
func (g generator) mqtt() string {
	levels := make([]string, 1+g.IntN(5))
	for i := range levels {
		switch {
		case g.oneIn(5):
			levels[i] = ""
		case g.oneIn(8):
			levels[i] = g.pick("+", "#", "a+", "#b", "+#")
		case g.oneIn(6):
			levels[i] = g.pick(".", "..", ".a", "a.", "a.b", "*", ">", "$SYS", "é", "é", "\v")
		case g.oneIn(30):
			levels[i] = g.pick(" ", "\t", "\r", "\n", "\f", "\x7f", "a b", "\x00", "\xff")
		default:
			levels[i] = g.pick("a", "b", "sensor", "1")
		}
	}
	return strings.Join(levels, "/")
}
