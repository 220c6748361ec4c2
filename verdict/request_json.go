package verdict

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"weir/natsapi"
)

// Decoding of request bodies as the server does it (server/jetstream_api.go,
// unmarshalRequest, and Go's encoding/json): which of several faults of a body
// is answered depends on their kinds and on their order in the bytes, so the
// body cannot be read with a decoder of another design.
//
//   - A syntax error anywhere in a document wins.
//   - Then the first enumeration or time that is not one, wherever it stands.
//   - Then the first value of a wrong type, number out of range or, where the
//     server is strict, unknown field.
//
// Keys are matched without regard to case; of equal keys the last one wins,
// objects and maps are merged.

// maxJSONDepth is the nesting that encoding/json accepts.
const maxJSONDepth = 10000

// jsonFault is what is wrong with a body: the text that follows "invalid JSON",
// and the JSON path where it is.
type jsonFault struct{ text, path string }

// object is a JSON object with known members.
type object interface {
	fields(v natsapi.Version) []field
}

// field is one member of an object. dst says where the value goes and, by its
// type, which JSON is accepted: *string, *bool, *int, *int32, *int64, *uint64,
// *time.Duration, **time.Time, *map[string]string, enumDst, object, nullable
// or list.
type field struct {
	name string
	dst  any
	omit bool // left out of the echo when zero (Go's omitempty)
}

// enumDst is an enumeration of which one canonical name is stored.
type enumDst struct {
	value *string
	set   *enumSet
}

// nullable is an object that may be absent.
type nullable interface {
	open() object // allocates when absent
	peek() object // nil when absent
	clear()
}

// list is an array of values of one kind.
type list interface {
	elem(i int) any // grows by one when i is the length
	size() int
	cut(n int)
	clear()
	isNil() bool
}

type optional[T any, P interface {
	*T
	object
}] struct{ p **T }

func (o optional[T, P]) open() object {
	if *o.p == nil {
		*o.p = new(T)
	}
	return P(*o.p)
}

func (o optional[T, P]) peek() object {
	if *o.p == nil {
		return nil
	}
	return P(*o.p)
}

func (o optional[T, P]) clear() { *o.p = nil }

type listOf[T any] struct {
	p   *[]T
	dst func(*T) any
}

// elem reuses what an earlier, longer value of the same key left behind, as
// encoding/json does.
func (l listOf[T]) elem(i int) any {
	s := *l.p
	if i >= len(s) {
		if i >= cap(s) {
			var zero T
			s = append(s, zero)
		} else {
			s = s[:i+1]
		}
		*l.p = s
	}
	return l.dst(&s[i])
}

func (l listOf[T]) size() int   { return len(*l.p) }
func (l listOf[T]) clear()      { *l.p = nil }
func (l listOf[T]) isNil() bool { return *l.p == nil }

func (l listOf[T]) cut(n int) {
	if n == 0 {
		*l.p = []T{}
		return
	}
	*l.p = (*l.p)[:n]
}

func stringList(p *[]string) list {
	return listOf[string]{p, func(s *string) any { return s }}
}

func durationList(p *[]time.Duration) list {
	return listOf[time.Duration]{p, func(d *time.Duration) any { return d }}
}

// decodeRequest fills dst from body as a server of version v does. strict says
// whether unknown fields are refused. reset makes dst empty again: a lenient
// server starts over with the whole body when the strict reading failed.
func decodeRequest(v natsapi.Version, strict bool, body []byte, dst object) *jsonFault {
	if !v.AtLeast(v211) {
		// server/jetstream_api.go 2.10: json.Unmarshal, nothing is strict.
		return unmarshal(v, false, body, dst)
	}
	pos := 0
	for {
		pos = skipSpace(body, pos)
		if pos == len(body) {
			return nil
		}
		end, fault := scanValue(body, pos, 0)
		if fault == nil {
			d := decoder{src: body[:end], pos: pos, strict: true, v: v}
			fault = d.document(dst)
			pos = end
		}
		if fault == nil {
			continue
		}
		if strict {
			return fault
		}
		return unmarshal(v, false, body, dst)
	}
}

// unmarshal reads body as exactly one document.
func unmarshal(v natsapi.Version, strict bool, body []byte, dst object) *jsonFault {
	pos := skipSpace(body, 0)
	end, fault := scanValue(body, pos, 0)
	if fault != nil {
		return fault
	}
	if rest := skipSpace(body, end); rest < len(body) {
		return syntaxFault(body, rest, "after top-level value")
	}
	d := decoder{src: body, pos: pos, strict: strict, v: v}
	return d.document(dst)
}

// decoder walks a document that is known to be well formed.
type decoder struct {
	src    []byte
	pos    int
	strict bool
	v      natsapi.Version
	saved  *jsonFault // first fault that does not end decoding
	path   []string
}

func (d *decoder) document(dst object) *jsonFault {
	if fault := d.value(dst); fault != nil {
		return fault
	}
	return d.saved
}

func (d *decoder) save(format string, args ...any) {
	if d.saved == nil {
		d.saved = &jsonFault{fmt.Sprintf(format, args...), joinPath(d.path)}
	}
}

// value decodes one value into dst. The fault returned ends decoding.
func (d *decoder) value(dst any) *jsonFault {
	start := d.pos
	switch dst := dst.(type) {
	case enumDst:
		d.skip()
		return d.enum(dst, d.src[start:d.pos])
	case **time.Time:
		return d.time(dst)
	}
	switch c := d.src[d.pos]; {
	case c == '{':
		return d.object(dst)
	case c == '[':
		return d.array(dst)
	default:
		d.skip()
		d.literal(dst, d.src[start:d.pos])
		return nil
	}
}

func (d *decoder) enum(dst enumDst, raw []byte) *jsonFault {
	name, text := dst.set.parse(d.v, raw)
	if text != "" {
		return &jsonFault{text, joinPath(d.path)}
	}
	*dst.value = name
	return nil
}

func (d *decoder) time(dst **time.Time) *jsonFault {
	start := d.pos
	d.skip()
	raw := d.src[start:d.pos]
	if string(raw) == "null" {
		*dst = nil
		return nil
	}
	var t time.Time
	if err := t.UnmarshalJSON(raw); err != nil {
		return &jsonFault{err.Error(), joinPath(d.path)}
	}
	*dst = &t
	return nil
}

func (d *decoder) object(dst any) *jsonFault {
	var members []field
	var values map[string]string
	switch dst := dst.(type) {
	case object:
		members = dst.fields(d.v)
	case nullable:
		members = dst.open().fields(d.v)
	case *map[string]string:
		if *dst == nil {
			*dst = map[string]string{}
		}
		values = *dst
	default:
		d.save("json: cannot unmarshal object into Go value of type %s", goType(dst))
		d.skip()
		return nil
	}
	d.pos = skipSpace(d.src, d.pos+1)
	for d.src[d.pos] != '}' {
		start := d.pos
		d.pos = endOfString(d.src, d.pos)
		key := unquote(d.src[start:d.pos])
		d.pos = skipSpace(d.src, d.pos)
		d.pos = skipSpace(d.src, d.pos+1) // colon
		if values != nil {
			d.mapEntry(values, key)
		} else if fault := d.member(members, key); fault != nil {
			return fault
		}
		d.comma()
	}
	d.pos++
	return nil
}

func (d *decoder) mapEntry(values map[string]string, key string) {
	d.path = append(d.path, key)
	var s string
	d.value(&s) // a string never ends decoding
	values[key] = s
	d.path = d.path[:len(d.path)-1]
}

func (d *decoder) member(members []field, key string) *jsonFault {
	f := findField(members, key)
	if f == nil {
		d.path = append(d.path, key)
		if d.strict {
			d.save("json: unknown field %q", key)
		}
		d.skip()
		d.path = d.path[:len(d.path)-1]
		return nil
	}
	d.path = append(d.path, key)
	fault := d.value(f.dst)
	d.path = d.path[:len(d.path)-1]
	return fault
}

// findField prefers the exact name, then any that differs in case only.
func findField(members []field, key string) *field {
	for i := range members {
		if members[i].name == key {
			return &members[i]
		}
	}
	for i := range members {
		if strings.EqualFold(members[i].name, key) {
			return &members[i]
		}
	}
	return nil
}

func (d *decoder) array(dst any) *jsonFault {
	l, ok := dst.(list)
	if !ok {
		d.save("json: cannot unmarshal array into Go value of type %s", goType(dst))
		d.skip()
		return nil
	}
	d.pos = skipSpace(d.src, d.pos+1)
	n := 0
	for d.src[d.pos] != ']' {
		d.path = append(d.path, "["+strconv.Itoa(n)+"]")
		fault := d.value(l.elem(n))
		d.path = d.path[:len(d.path)-1]
		if fault != nil {
			return fault
		}
		n++
		d.comma()
	}
	d.pos++
	l.cut(n)
	return nil
}

// comma moves past the comma, if there is one, to the next token.
func (d *decoder) comma() {
	d.pos = skipSpace(d.src, d.pos)
	if d.src[d.pos] == ',' {
		d.pos = skipSpace(d.src, d.pos+1)
	}
}

// literal stores a string, number, true, false or null.
func (d *decoder) literal(dst any, raw []byte) {
	switch raw[0] {
	case 'n':
		switch dst := dst.(type) {
		case nullable:
			dst.clear()
		case list:
			dst.clear()
		case *map[string]string:
			*dst = nil
		}
	case 't', 'f':
		if b, ok := dst.(*bool); ok {
			*b = raw[0] == 't'
			return
		}
		d.save("json: cannot unmarshal bool into Go value of type %s", goType(dst))
	case '"':
		if s, ok := dst.(*string); ok {
			*s = unquote(raw)
			return
		}
		d.save("json: cannot unmarshal string into Go value of type %s", goType(dst))
	default:
		d.number(dst, string(raw))
	}
}

func (d *decoder) number(dst any, raw string) {
	var err error
	var n int64
	switch dst := dst.(type) {
	case *int64:
		if n, err = strconv.ParseInt(raw, 10, 64); err == nil {
			*dst = n
		}
	case *time.Duration:
		if n, err = strconv.ParseInt(raw, 10, 64); err == nil {
			*dst = time.Duration(n)
		}
	case *int:
		if n, err = strconv.ParseInt(raw, 10, 64); err == nil {
			*dst = int(n)
		}
	case *int32:
		if n, err = strconv.ParseInt(raw, 10, 32); err == nil {
			*dst = int32(n)
		}
	case *uint64:
		var u uint64
		if u, err = strconv.ParseUint(raw, 10, 64); err == nil {
			*dst = u
		}
	default:
		d.save("json: cannot unmarshal number into Go value of type %s", goType(dst))
		return
	}
	if err != nil {
		d.save("json: cannot unmarshal number %s into Go value of type %s", raw, goType(dst))
	}
}

// skip moves past one value.
func (d *decoder) skip() { d.pos, _ = scanValue(d.src, d.pos, 0) }

// goType names the Go type that the server decodes into, as its texts do.
func goType(dst any) string {
	switch dst := dst.(type) {
	case *map[string]string:
		return "map[string]string"
	case list:
		if _, ok := dst.(listOf[string]); ok {
			return "[]string"
		}
		return "a list"
	case object, nullable:
		return "an object"
	default:
		return strings.TrimPrefix(fmt.Sprintf("%T", dst), "*")
	}
}

func joinPath(steps []string) string {
	var b strings.Builder
	for _, s := range steps {
		if b.Len() > 0 && s[:min(1, len(s))] != "[" {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}

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

func syntaxFault(src []byte, pos int, where string) *jsonFault {
	if pos >= len(src) {
		return &jsonFault{text: "unexpected EOF"}
	}
	r, _ := utf8.DecodeRune(src[pos:])
	return &jsonFault{text: fmt.Sprintf("invalid character %q %s at offset %d", r, where, pos+1)}
}

// scanValue checks the syntax of the value at pos and returns where it ends.
func scanValue(src []byte, pos, depth int) (int, *jsonFault) {
	if pos >= len(src) {
		return pos, syntaxFault(src, pos, "")
	}
	switch c := src[pos]; {
	case c == '{' || c == '[':
		if depth >= maxJSONDepth {
			return pos, &jsonFault{text: "exceeded max depth"}
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
			return pos, syntaxFault(src, pos+i, "in literal "+word)
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
