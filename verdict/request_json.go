package verdict

import (
	"fmt"
	"strconv"
	"strings"
	"time"

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

// jsonFault is what is wrong with a body: the text that follows "invalid JSON",
// and the JSON path where it is.
type jsonFault struct {
	text, path string
	// at is, for a syntax error, one more than the position of the character that
	// is wrong, or past the end where more was expected.
	at     int
	ending bool
}

// object is a JSON object with known members.
type object interface {
	fields(v natsapi.Version) []field
	// goName is the server's Go type, which its texts name.
	goName() string
}

// field is one member of an object. dst says where the value goes and, by its
// type, which JSON is accepted: *string, *bool, *int, *int32, *int64, *uint64,
// *time.Duration, **time.Time, *map[string]string, enumDst, object, nullable
// or list.
type field struct {
	name string
	dst  any
	omit bool // left out of the echo when zero (Go's omitempty)
	// embedded is the Go struct within the object that holds the member.
	embedded string
}

// known makes a field of an object.
func known(name string, dst any, omit bool) field { return field{name: name, dst: dst, omit: omit} }

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

func (l listOf[T]) size() int { return len(*l.p) }
func (l listOf[T]) clear()    { *l.p = nil }

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
// whether unknown fields are refused; a lenient server starts over with the
// whole body when the strict reading failed.
func decodeRequest(v natsapi.Version, strict bool, body []byte, dst object) *jsonFault {
	if !v.AtLeast(v211) {
		// server/jetstream_api.go 2.10: json.Unmarshal, nothing is strict.
		return unmarshal(v, body, dst)
	}
	pos := 0
	for {
		pos = skipSpace(body, pos)
		if pos == len(body) {
			return nil
		}
		end, fault := scanValue(body, pos, 0)
		if fault != nil {
			fault.text = fault.streamText()
		} else {
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
		return unmarshal(v, body, dst)
	}
}

// unmarshal reads body as exactly one document, unknown fields and all.
func unmarshal(v natsapi.Version, body []byte, dst object) *jsonFault {
	pos := skipSpace(body, 0)
	end, fault := scanValue(body, pos, 0)
	if fault != nil {
		return fault
	}
	if rest := skipSpace(body, end); rest < len(body) {
		return syntaxFault(body, rest, "after top-level value")
	}
	d := decoder{src: body, pos: pos, v: v}
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
	// members and owners say where decoding is in the server's Go types.
	members, owners []string
}

func (d *decoder) document(dst object) *jsonFault {
	if fault := d.value(dst); fault != nil {
		return fault
	}
	return d.saved
}

func (d *decoder) save(text string) {
	if d.saved == nil {
		d.saved = &jsonFault{text: text, path: joinPath(d.path)}
	}
}

// mismatch saves that a value is of the wrong type, in encoding/json's words.
func (d *decoder) mismatch(value, goType string) { d.save(d.mismatchText(value, goType)) }

func (d *decoder) mismatchText(value, goType string) string {
	where := "value"
	if n := len(d.owners); n > 0 {
		where = "struct field " + d.owners[n-1] + "." + strings.Join(d.members, ".")
	}
	return "json: cannot unmarshal " + value + " into Go " + where + " of type " + goType
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
	if kind := kindOf(raw); dst.set.decoded && kind != "string" && kind != "null" {
		return &jsonFault{text: d.mismatchText(kind, "string"), path: joinPath(d.path)}
	}
	name, text := dst.set.parse(d.v, raw)
	if text != "" {
		return &jsonFault{text: text, path: joinPath(d.path)}
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
		return &jsonFault{text: err.Error(), path: joinPath(d.path)}
	}
	*dst = &t
	return nil
}

func (d *decoder) object(dst any) *jsonFault {
	var into object
	var values map[string]string
	switch dst := dst.(type) {
	case object:
		into = dst
	case nullable:
		into = dst.open()
	case *map[string]string:
		if *dst == nil {
			*dst = map[string]string{}
		}
		values = *dst
	default:
		d.mismatch("object", goType(dst))
		d.skip()
		return nil
	}
	var members []field
	if into != nil {
		members = into.fields(d.v)
		d.owners = append(d.owners, into.goName())
		defer func() { d.owners = d.owners[:len(d.owners)-1] }()
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
			d.save(fmt.Sprintf("json: unknown field %q", key))
		}
		d.skip()
		d.path = d.path[:len(d.path)-1]
		return nil
	}
	d.path = append(d.path, key)
	depth := len(d.members)
	if f.embedded != "" {
		d.members = append(d.members, f.embedded)
	}
	d.members = append(d.members, f.name)
	fault := d.value(f.dst)
	d.path, d.members = d.path[:len(d.path)-1], d.members[:depth]
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
		d.mismatch("array", goType(dst))
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
		d.mismatch("bool", goType(dst))
	case '"':
		if s, ok := dst.(*string); ok {
			*s = unquote(raw)
			return
		}
		d.mismatch("string", goType(dst))
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
		d.mismatch("number", goType(dst))
		return
	}
	if err != nil {
		d.mismatch("number "+raw, goType(dst))
	}
}

// skip moves past one value.
func (d *decoder) skip() { d.pos, _ = scanValue(d.src, d.pos, 0) }

// kindOf names the kind of a well-formed value.
func kindOf(raw []byte) string {
	switch raw[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

// goType names the Go type that the server decodes into, as its texts do.
func goType(dst any) string {
	switch dst := dst.(type) {
	case *map[string]string:
		return "map[string]string"
	case listOf[string]:
		return "[]string"
	case listOf[time.Duration]:
		return "[]time.Duration"
	case listOf[*source]:
		return "[]*server.StreamSource"
	case listOf[transform]:
		return "[]server.SubjectTransformConfig"
	case object:
		return "server." + dst.goName()
	case nullable:
		return "server." + dst.open().goName()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", dst), "*")
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
