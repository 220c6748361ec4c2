package synth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Names and values of a design reach a text only through one of these.

// jsonQuoted is a string of JSON, and of JavaScript, TypeScript and YAML, which
// take the same escapes. U+2028 and U+2029 are escaped too.
func jsonQuoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""` // a string always has JSON
	}
	return escapedControls(strings.TrimSuffix(b.String(), "\n"))
}

// escapedControls escapes what JSON leaves as it is and editors do not show.
func escapedControls(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029) && r <= 0xffff {
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// goQuoted is a string of Go.
func goQuoted(s string) string { return strconv.Quote(s) }

// pythonQuoted is a string of Python: JSON's escapes are Python's, but for
// characters beyond the first plane, which JSON here leaves as they are.
func pythonQuoted(s string) string { return jsonQuoted(s) }

// confQuoted is a string of nats-server.conf. Its lexer knows \n, \r, \t, \", \\
// and \xHH inside double quotes (conf/lex.go, v2.15.2).
func confQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\x%02X`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// comment is a text on one line, for a comment of any language: nothing in it can
// end the line or the comment.
func comment(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == 0x2028 || r == 0x2029 || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, s)
	return strings.ReplaceAll(strings.TrimSpace(s), "*/", "* /")
}

// fileWord makes a name usable in a file name of every system; different names
// may come out alike, which Generate then refuses.
func fileWord(s string) string {
	out := strings.Map(func(r rune) rune {
		if r < 0x80 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-') {
			return r
		}
		return '_'
	}, s)
	if out == "" {
		return "_"
	}
	if len(out) > 100 {
		out = out[:100]
	}
	return out
}
