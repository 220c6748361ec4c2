package verdict

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"weir/natsapi"
)

// appendObject writes the members of an object as the server's reply does,
// zero values of omitempty members left out.
func appendObject(b []byte, v natsapi.Version, fields []field) []byte {
	b, _ = appendMembers(b, v, fields, nil)
	return b
}

// echoOf writes a configuration and tells its members apart.
func echoOf(v natsapi.Version, fields []field) ([]byte, []member) {
	b, spans := appendMembers(make([]byte, 0, 1024), v, fields, make([]span, 0, len(fields)))
	list := make([]member, len(spans))
	for i, s := range spans {
		list[i] = member{s.name, b[s.from:s.to]}
	}
	return b, list
}

// span is where a member's value stands in a text that still grows.
type span struct {
	name     string
	from, to int
}

func appendMembers(b []byte, v natsapi.Version, fields []field, spans []span) ([]byte, []span) {
	b = append(b, '{')
	first := true
	for _, f := range fields {
		if f.omit && isZero(f.dst) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendString(b, f.name), ':')
		from := len(b)
		b = appendValue(b, v, f.dst)
		if spans != nil {
			spans = append(spans, span{f.name, from, len(b)})
		}
	}
	return append(b, '}'), spans
}

func appendValue(b []byte, v natsapi.Version, dst any) []byte {
	switch dst := dst.(type) {
	case *string:
		return appendString(b, *dst)
	case *bool:
		return strconv.AppendBool(b, *dst)
	case *int:
		return strconv.AppendInt(b, int64(*dst), 10)
	case *int32:
		return strconv.AppendInt(b, int64(*dst), 10)
	case *int64:
		return strconv.AppendInt(b, *dst, 10)
	case *uint64:
		return strconv.AppendUint(b, *dst, 10)
	case *time.Duration:
		return strconv.AppendInt(b, int64(*dst), 10)
	case **time.Time:
		if *dst != nil {
			return append((*dst).AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
		}
	case enumDst:
		return appendString(b, *dst.value)
	case *map[string]string:
		return appendStringMap(b, *dst)
	case object:
		return appendObject(b, v, dst.fields(v))
	case nullable:
		if o := dst.peek(); o != nil {
			return appendObject(b, v, o.fields(v))
		}
	case list:
		b = append(b, '[')
		for i := range dst.size() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendValue(b, v, dst.elem(i))
		}
		return append(b, ']')
	}
	return append(b, "null"...)
}

func isZero(dst any) bool {
	switch dst := dst.(type) {
	case *string:
		return *dst == ""
	case *bool:
		return !*dst
	case *int:
		return *dst == 0
	case *int32:
		return *dst == 0
	case *int64:
		return *dst == 0
	case *uint64:
		return *dst == 0
	case *time.Duration:
		return *dst == 0
	case **time.Time:
		return *dst == nil
	case enumDst:
		return *dst.value == dst.set.names[0]
	case *map[string]string:
		return len(*dst) == 0
	case nullable:
		return dst.peek() == nil
	case list:
		return dst.size() == 0
	}
	return false
}

func appendStringMap(b []byte, m map[string]string) []byte {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, k)
		b = append(b, ':')
		b = appendString(b, m[k])
	}
	return append(b, '}')
}

const hexDigits = "0123456789abcdef"

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ':
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		default:
			b = append(b, c)
		}
		i++
	}
	return append(b, '"')
}

// Kinds of a Change.
const (
	// Filled: the member was not sent, the server filled it in.
	Filled = "filled"
	// Altered: the member was sent and is stored with another value.
	Altered = "changed"
	// Dropped: the member was sent and is missing in what is stored: the server
	// does not know it, or its value is the one that stands for absent.
	Dropped = "dropped"
)

// Change is one member of a configuration that the server stores otherwise
// than it was sent, without saying so.
type Change struct {
	Path   string `json:"path"`             // member name, "max_age"; nested objects count as one
	Kind   string `json:"kind"`             // Filled, Altered or Dropped
	Sent   string `json:"sent,omitempty"`   // JSON as sent, empty when Filled
	Stored string `json:"stored,omitempty"` // JSON as stored, empty when Dropped
}

// changesOf compares the configuration in a request with its echo. Members are
// in the order of the echo, dropped ones follow by name.
func changesOf(sent []byte, echo []member) []Change {
	was := lastMembers(sent)
	out := make([]Change, 0, len(echo))
	for _, m := range echo {
		i := slices.IndexFunc(was, func(w member) bool { return strings.EqualFold(w.name, m.name) })
		switch {
		case i < 0:
			out = append(out, Change{Path: m.name, Kind: Filled, Stored: string(m.raw)})
			continue
		case !bytes.Equal(was[i].raw, m.raw) && canonical(was[i].raw) != canonical(m.raw):
			out = append(out, Change{m.name, Altered, string(was[i].raw), string(m.raw)})
		}
		was = slices.Delete(was, i, i+1)
	}
	slices.SortFunc(was, func(a, b member) int { return strings.Compare(a.name, b.name) })
	for _, w := range was {
		out = append(out, Change{Path: w.name, Kind: Dropped, Sent: string(w.raw)})
	}
	return out
}

// lastMembers are the members of a configuration in a request, of names that are
// equal but for their letter case the last. "pedantic" is not part of a stream's configuration.
func lastMembers(src []byte) []member {
	list := memberList(src)
	last := make(map[string]int, len(list))
	for i, m := range list {
		last[strings.ToLower(m.name)] = i
	}
	out := list[:0]
	for i, m := range list {
		if last[strings.ToLower(m.name)] == i && m.name != "pedantic" {
			out = append(out, m)
		}
	}
	return out
}

type member struct {
	name string
	raw  []byte
}

// members are the members of a well-formed object, the last of equal names.
func members(src []byte) map[string][]byte {
	out := map[string][]byte{}
	for _, m := range memberList(src) {
		out[m.name] = m.raw
	}
	return out
}

// memberList is empty for what is not an object.
func memberList(src []byte) []member {
	pos := skipSpace(src, 0)
	if pos >= len(src) || src[pos] != '{' {
		return nil
	}
	out := make([]member, 0, 16)
	pos = skipSpace(src, pos+1)
	for src[pos] != '}' {
		end := endOfString(src, pos)
		key := unquote(src[pos:end])
		pos = skipSpace(src, skipSpace(src, end)+1)
		end, _ = scanValue(src, pos, 0)
		out = append(out, member{key, src[pos:end]})
		pos = skipSpace(src, end)
		if src[pos] == ',' {
			pos = skipSpace(src, pos+1)
		}
	}
	return out
}

// canonicalDepth is where canonical stops looking into a value. What the server
// knows is four levels deep; reading on would take time quadratic in the depth.
const canonicalDepth = 8

// canonical writes a well-formed value so that equal values are equal strings:
// members by name, no spaces, one spelling of strings and of zero.
func canonical(raw []byte) string { return canonicalTo(raw, canonicalDepth) }

func canonicalTo(raw []byte, depth int) string {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0 || depth == 0:
		return string(raw)
	case raw[0] == '"':
		return string(appendString(nil, unquote(raw)))
	case raw[0] == '{':
		var parts []string
		for name, value := range members(raw) {
			parts = append(parts, string(appendString(nil, name))+":"+canonicalTo(value, depth-1))
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case raw[0] == '[':
		var b strings.Builder
		b.WriteByte('[')
		pos := skipSpace(raw, 1)
		for raw[pos] != ']' {
			end, _ := scanValue(raw, pos, 0)
			b.WriteString(canonicalTo(raw[pos:end], depth-1))
			pos = skipSpace(raw, end)
			if raw[pos] == ',' {
				b.WriteByte(',')
				pos = skipSpace(raw, pos+1)
			}
		}
		b.WriteByte(']')
		return b.String()
	case string(raw) == "-0":
		return "0"
	}
	return string(raw)
}
