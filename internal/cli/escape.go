package cli

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"weir/size"
)

// escape writes the bytes that a TSV cell cannot hold as \t \n \r \0 \f \xNN and
// \\: control bytes, DEL, bytes that are not UTF-8, and the backslash itself.
func escape(s string) string { return escapeBytes(s, true) }

// oneLine is escape for texts that are read by people: backslashes stay single.
func oneLine(s string) string { return escapeBytes(s, false) }

func escapeBytes(s string, backslash bool) string {
	if !needsEscape(s, backslash) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := s[i]; {
		case c == '\t':
			b.WriteString(`\t`)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\f':
			b.WriteString(`\f`)
		case c == 0:
			b.WriteString(`\0`)
		case c == '\\' && backslash:
			b.WriteString(`\\`)
		case c < 0x20 || c == 0x7f || r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func needsEscape(s string, backslash bool) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == 0x7f || c == '\\' && backslash {
			return true
		}
	}
	return !utf8.ValidString(s)
}

// unescape reads what escape writes. A backslash that begins none of its escapes
// stands for itself.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		if at := strings.IndexByte(`tnr0f\`, s[i+1]); at >= 0 {
			b.WriteByte("\t\n\r\x00\f\\"[at])
			i++
			continue
		}
		if s[i+1] == 'x' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+2:i+4], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		b.WriteByte('\\')
	}
	return b.String()
}

// jsonTexts is v with each of its texts as escape writes it, or v itself when
// that is not wanted. JSON holds no bytes that are not UTF-8; the escapes do.
func jsonTexts[T any](v T, escaped bool) T {
	if !escaped {
		return v
	}
	out := reflect.ValueOf(&v).Elem()
	escapeTexts(out)
	return v
}

// escapeTexts changes the texts of a value that can be set. What lies behind
// pointers, slices and interfaces is copied first: it belongs to others.
func escapeTexts(v reflect.Value) {
	if !v.CanSet() {
		return // a field that JSON does not show
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(escape(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			escapeTexts(v.Field(i))
		}
	case reflect.Slice:
		if v.IsNil() {
			return
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range list.Len() {
			escapeTexts(list.Index(i))
		}
		v.Set(list)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		inside := reflect.New(v.Elem().Type())
		inside.Elem().Set(v.Elem())
		escapeTexts(inside.Elem())
		if v.Kind() == reflect.Pointer {
			v.Set(inside)
		} else {
			v.Set(inside.Elem())
		}
	}
}

// show writes a subject for people: as it is when it can be read and is not too
// long, else quoted or cut.
func show(s string) string {
	const most = 100
	rest := ""
	if len(s) > most {
		rest = fmt.Sprintf("… (%s bytes)", thousands(len(s)))
		cut := most
		for cut > most-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	if s != "" && !strings.Contains(s, " ") && isPrintable(s) {
		return s + rest
	}
	return strconv.Quote(s) + rest
}

func isPrintable(s string) bool {
	for _, r := range s {
		if r == utf8.RuneError || !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}

// thousands writes 12345 as 12,345.
func thousands(n int) string { return size.FormatCount(float64(n)) }
