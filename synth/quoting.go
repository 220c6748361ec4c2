package synth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
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
// characters beyond the first plane, which JSON here leaves as they are. The quotes
// are those that ruff format writes: single ones where double ones are the more
// frequent in the text.
func pythonQuoted(s string) string {
	quoted := jsonQuoted(s)
	if strings.Count(s, `"`) <= strings.Count(s, "'") {
		return quoted
	}
	inside := quoted[1 : len(quoted)-1]
	return "'" + strings.NewReplacer(`\\`, `\\`, `\"`, `"`, "'", `\'`).Replace(inside) + "'"
}

// rustQuoted is a string of Rust. What is not printable is escaped: Rust refuses a
// bare carriage return, and warns of characters that turn the direction of text.
func rustQuoted(s string) string {
	return quotedWith(s, func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) })
}

// javaQuoted is a string of Java. The compiler reads \u before anything else, so a
// line end, a quote and a backslash have their other escapes, and what is not
// printable is written in UTF-16. A backslash of the text is doubled, after which
// no u begins an escape (JLS 3.3).
func javaQuoted(s string) string {
	return quotedWith(s, func(r rune) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, u)
		}
		return b.String()
	})
}

// quotedWith is a string of a language that has C's short escapes; hidden writes a
// character that is not printable.
func quotedWith(s string, hidden func(rune) string) string {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch escape := short[r]; {
		case escape != "":
			b.WriteString(escape)
		case !unicode.IsPrint(r):
			b.WriteString(hidden(r))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// javaComment is a comment of one line in Java, where \u in a comment is read too.
func javaComment(s string) string { return strings.ReplaceAll(comment(s), `\`, `\\`) }

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

// longestWord is the length of the longest fileWord.
const longestWord = 100

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
	if len(out) > longestWord {
		out = out[:longestWord]
	}
	return out
}
