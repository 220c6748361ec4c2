package verdict

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Syntax of JSON as encoding/json reads it, with its words for what is wrong.

// maxJSONDepth is the nesting that encoding/json accepts.
const maxJSONDepth = 10000

func skipSpace(src []byte, pos int) int {
	for pos < len(src) {
		switch src[pos] {
		case ' ', '\t', '\r', '\n':
			pos++
		default:
			return pos
		}
	}
	return pos
}

// syntaxFault is what is wrong at a position. Reading a stream of documents the
// server adds where that is, and words a missing end otherwise.
func syntaxFault(src []byte, pos int, where string) *jsonFault {
	if pos >= len(src) {
		return &jsonFault{text: "unexpected end of JSON input", at: pos, ending: true}
	}
	return &jsonFault{text: "invalid character " + quoteByte(src[pos]) + " " + where, at: pos + 1}
}

// quoteByte is a byte as encoding/json quotes it.
func quoteByte(c byte) string {
	switch c {
	case '\'':
		return `'\''`
	case '"':
		return `'"'`
	}
	s := strconv.Quote(string(rune(c)))
	return "'" + s[1:len(s)-1] + "'"
}

func (f *jsonFault) streamText() string {
	if f.ending {
		return "unexpected EOF"
	}
	return fmt.Sprintf("%s at offset %d", f.text, f.at)
}

// scanValue checks the syntax of the value at pos and returns where it ends.
func scanValue(src []byte, pos, depth int) (int, *jsonFault) {
	if pos >= len(src) {
		return pos, syntaxFault(src, pos, "")
	}
	switch c := src[pos]; {
	case c == '{' || c == '[':
		if depth >= maxJSONDepth {
			return pos, &jsonFault{text: "exceeded max depth", at: pos + 1}
		}
		return scanComposite(src, pos, depth)
	case c == '"':
		return scanString(src, pos)
	case c == '-' || c >= '0' && c <= '9':
		return scanNumber(src, pos)
	case c == 't':
		return scanWord(src, pos, "true")
	case c == 'f':
		return scanWord(src, pos, "false")
	case c == 'n':
		return scanWord(src, pos, "null")
	}
	return pos, syntaxFault(src, pos, "looking for beginning of value")
}

func scanComposite(src []byte, pos, depth int) (int, *jsonFault) {
	isObject := src[pos] == '{'
	closing, after := byte(']'), "after array element"
	if isObject {
		closing, after = '}', "after object key:value pair"
	}
	pos = skipSpace(src, pos+1)
	if pos < len(src) && src[pos] == closing {
		return pos + 1, nil
	}
	var fault *jsonFault
	for {
		if isObject {
			if pos, fault = scanKey(src, pos); fault != nil {
				return pos, fault
			}
		}
		if pos, fault = scanValue(src, pos, depth+1); fault != nil {
			return pos, fault
		}
		pos = skipSpace(src, pos)
		switch {
		case pos < len(src) && src[pos] == closing:
			return pos + 1, nil
		case pos < len(src) && src[pos] == ',':
			pos = skipSpace(src, pos+1)
		default:
			return pos, syntaxFault(src, pos, after)
		}
	}
}

func scanKey(src []byte, pos int) (int, *jsonFault) {
	if pos >= len(src) || src[pos] != '"' {
		return pos, syntaxFault(src, pos, "looking for beginning of object key string")
	}
	pos, fault := scanString(src, pos)
	if fault != nil {
		return pos, fault
	}
	pos = skipSpace(src, pos)
	if pos >= len(src) || src[pos] != ':' {
		return pos, syntaxFault(src, pos, "after object key")
	}
	return skipSpace(src, pos+1), nil
}

func scanString(src []byte, pos int) (int, *jsonFault) {
	for pos++; pos < len(src); pos++ {
		switch c := src[pos]; {
		case c == '"':
			return pos + 1, nil
		case c < ' ':
			return pos, syntaxFault(src, pos, "in string literal")
		case c == '\\':
			pos++
			if pos >= len(src) {
				return pos, syntaxFault(src, pos, "")
			}
			if src[pos] == 'u' {
				for i := 1; i <= 4; i++ {
					if pos+i >= len(src) || !isHex(src[pos+i]) {
						return pos, syntaxFault(src, pos+i, `in \u hexadecimal character escape`)
					}
				}
				pos += 4
			} else if strings.IndexByte(`"\/bfnrt`, src[pos]) < 0 {
				return pos, syntaxFault(src, pos, "in string escape code")
			}
		}
	}
	return pos, syntaxFault(src, pos, "")
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// endOfString is scanString for a string known to be well formed.
func endOfString(src []byte, pos int) int {
	for pos++; src[pos] != '"'; pos++ {
		if src[pos] == '\\' {
			pos++
		}
	}
	return pos + 1
}

func scanNumber(src []byte, pos int) (int, *jsonFault) {
	if src[pos] == '-' {
		pos++
	}
	digits := func(where string) *jsonFault {
		start := pos
		for pos < len(src) && src[pos] >= '0' && src[pos] <= '9' {
			pos++
		}
		if pos == start {
			return syntaxFault(src, pos, where)
		}
		return nil
	}
	if pos < len(src) && src[pos] == '0' {
		pos++
	} else if fault := digits("in numeric literal"); fault != nil {
		return pos, fault
	}
	if pos < len(src) && src[pos] == '.' {
		pos++
		if fault := digits("after decimal point in numeric literal"); fault != nil {
			return pos, fault
		}
	}
	if pos < len(src) && (src[pos] == 'e' || src[pos] == 'E') {
		pos++
		if pos < len(src) && (src[pos] == '+' || src[pos] == '-') {
			pos++
		}
		if fault := digits("in exponent of numeric literal"); fault != nil {
			return pos, fault
		}
	}
	return pos, nil
}

func scanWord(src []byte, pos int, word string) (int, *jsonFault) {
	for i := range len(word) {
		if pos+i >= len(src) || src[pos+i] != word[i] {
			return pos, syntaxFault(src, pos+i, fmt.Sprintf("in literal %s (expecting %s)", word, quoteByte(word[i])))
		}
	}
	return pos + len(word), nil
}

// unquote decodes a well-formed JSON string; what is not UTF-8 becomes U+FFFD.
func unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	simple := true
	for _, c := range raw {
		if c == '\\' || c >= utf8.RuneSelf {
			simple = false
			break
		}
	}
	if simple {
		return string(raw)
	}
	b := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			r, n := utf8.DecodeRune(raw[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		var n int
		b, n = appendEscape(b, raw[i:])
		i += n
	}
	return string(b)
}

// appendEscape decodes the escape that raw begins with and says how long it is.
func appendEscape(b, raw []byte) ([]byte, int) {
	switch raw[1] {
	case 'u':
		r, n := hexRune(raw), 6
		if r >= 0xD800 && r < 0xE000 { // surrogates
			low := rune(-1)
			if len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u' {
				low = hexRune(raw[6:])
			}
			if r < 0xDC00 && low >= 0xDC00 && low < 0xE000 {
				r, n = (r-0xD800)<<10|(low-0xDC00)+0x10000, 12
			} else {
				r = utf8.RuneError
			}
		}
		return utf8.AppendRune(b, r), n
	case 'b':
		return append(b, '\b'), 2
	case 'f':
		return append(b, '\f'), 2
	case 'n':
		return append(b, '\n'), 2
	case 'r':
		return append(b, '\r'), 2
	case 't':
		return append(b, '\t'), 2
	}
	return append(b, raw[1]), 2
}

func hexRune(raw []byte) rune {
	n, err := strconv.ParseUint(string(raw[2:6]), 16, 32)
	if err != nil {
		return -1
	}
	return rune(n)
}
