package design

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"weir/natsapi"
)

// Value is one value of a design: where it stands and what it means.
type Value struct {
	Node *Node
	// Field is the row of the tables that the value belongs to, nil for the
	// entries of maps with free names and for the root.
	Field *Field
	// Kind tells which of the following is set.
	Kind ValueKind
	// Int holds whole numbers that fit, bytes, and durations in nanoseconds; Uint
	// a whole number above 2^63-1.
	Int  int64
	Uint uint64
	// Float holds numbers, rates in events a second and shares from 0 to 1.
	Float float64
	// Text holds strings, enum values, versions and times as written.
	Text string
	Bool bool
}

// ValueKind says what a Value is.
type ValueKind uint8

// The kinds of values. Invalid is a value that could not be read: in a design
// file there is a Problem for it, in JSON of the API the server judges it.
const (
	Invalid ValueKind = iota
	Container
	Text
	Bool
	Int
	Uint
	Number
	Size
	Duration
	Rate
	Share
)

// Raw is the value as written, shortened to its first line.
func (v Value) Raw() string {
	if v.Node == nil || v.Node.Src == nil {
		return ""
	}
	if v.Node.Start == v.Node.End {
		return v.Node.Text // not written: what a notation fills in by itself
	}
	text := string(v.Node.Src.Text[v.Node.Start:v.Node.End])
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		text = strings.TrimRight(text[:i], "\r ")
	}
	return text
}

// valueError is a problem with a scalar, before it has a place.
type valueError struct {
	code Code
	msg  string
	// write replaces the value where there is only one thing to write.
	write string
}

func typeError(format string, args ...any) *valueError {
	return &valueError{code: CodeType, msg: fmt.Sprintf(format, args...)}
}

// decode reads a scalar of a shape; f gives names and bounds and may be nil.
func (s *shape) decode(n *Node, f *Field) (Value, *valueError) {
	v := Value{Node: n, Field: f}
	if s.kind == kindEither {
		return s.decodeEither(n, f)
	}
	if n.Kind != Scalar || n.Null {
		return v, typeError("%s%s where %s is expected", subject(f), n.what(), article(s.text()))
	}
	if n.Src != nil && n.Src.API {
		return s.decodeAPI(n, v)
	}
	switch s.kind {
	case kindString, kindTime, kindEnum, kindVersion, kindSurvive:
		return s.decodeText(n, v)
	case kindBool:
		v.Kind, v.Bool = Bool, n.Text == "true"
		if n.Quoted || n.Text != "true" && n.Text != "false" {
			return v, boolError(n, f)
		}
		return v, nil
	case kindInt:
		return decodeInt(n, v)
	case kindNumber:
		x, err := strconv.ParseFloat(n.Text, 64)
		if n.Quoted || !isNumber(n.Text) || err != nil {
			return v, typeError("%s%s is not a number", subject(f), quote(n.Text))
		}
		v.Kind, v.Float = Number, x
		return v, checkBounds(v, x)
	case kindDist:
		return s.elem.decode(n, f)
	}
	return s.decodeUnit(n, v)
}

// subject names the key in front of a complaint: "ack_wait: ".
func subject(f *Field) string {
	if f == nil {
		return ""
	}
	return f.Name + ": "
}

func article(s string) string {
	if s != "" && strings.ContainsRune("aeiou", rune(s[0])) {
		return "an " + s
	}
	return "a " + s
}

func boolError(n *Node, f *Field) *valueError {
	e := typeError("%s%s is not a boolean; write true or false", subject(f), quote(n.Text))
	switch strings.ToLower(n.Text) {
	case "yes", "on", "y", "true":
		e.write = "true"
	case "no", "off", "n", "false":
		e.write = "false"
	}
	if e.write != "" {
		e.msg = fmt.Sprintf("%s%s is not a boolean; write %s", subject(f), quote(n.Text), e.write)
	}
	return e
}

func (s *shape) decodeText(n *Node, v Value) (Value, *valueError) {
	v.Kind, v.Text = Text, n.Text
	switch s.kind {
	case kindEnum:
		for _, e := range s.enum {
			if e == n.Text {
				return v, nil
			}
		}
		e := typeError("%s%s is not known; write %s", subject(v.Field), quote(n.Text), oneOf(s.enum))
		if near := natsapi.Suggest(n.Text, s.enum); near != "" {
			e.write = near
		}
		v.Kind = Invalid
		return v, e
	case kindVersion:
		if _, err := natsapi.ParseVersion(n.Text); err != nil {
			v.Kind = Invalid
			return v, &valueError{code: CodeVersion, msg: subject(v.Field) + err.Error()}
		}
		if release, _, pre := strings.Cut(n.Text, "-"); pre {
			v.Kind = Invalid
			return v, &valueError{code: CodeVersion, msg: fmt.Sprintf("%s%q is a version before the release, and Weir knows releases; write %s", subject(v.Field), n.Text, release)}
		}
	case kindTime:
		if _, err := time.Parse(time.RFC3339Nano, n.Text); err != nil {
			v.Kind = Invalid
			return v, typeError("%s%s is not a time; write it as 2026-01-31T08:00:00Z (RFC 3339)", subject(v.Field), quote(n.Text))
		}
	case kindSurvive:
		if _, err := ParseSurvive(n.Text); err != nil {
			v.Kind = Invalid
			return v, &valueError{code: CodeType, msg: subject(v.Field) + err.Error()}
		}
	}
	return v, nil
}

func decodeInt(n *Node, v Value) (Value, *valueError) {
	if n.Quoted || !isInteger(n.Text) {
		e := typeError("%s%s is not a whole number", subject(v.Field), quote(n.Text))
		if v.Field != nil && v.Field.Unit != "" {
			e.msg += " of " + v.Field.Unit
		}
		digits := strings.NewReplacer("_", "", ",", "").Replace(n.Text)
		switch {
		case isInteger(digits):
			e.msg, e.write = e.msg+"; write "+digits, digits
		default:
			e.msg += "; counts have no unit: write digits only"
		}
		return v, e
	}
	x, err := strconv.ParseInt(n.Text, 10, 64)
	if err == nil {
		v.Kind, v.Int = Int, x
		return v, checkBounds(v, float64(x))
	}
	u, err := strconv.ParseUint(n.Text, 10, 64)
	if err != nil || v.Field != nil && v.Field.Go != "uint64" {
		return v, typeError("%s%s does not fit into a 64-bit integer", subject(v.Field), quote(n.Text))
	}
	v.Kind, v.Uint = Uint, u
	return v, nil
}

// checkBounds holds Weir's own keys and those of buckets, which the client library
// checks before it asks a server, to their range. The bounds of API fields are the
// server's to judge.
func checkBounds(v Value, x float64) *valueError {
	f := v.Field
	if f == nil || !f.Own && f.Asset != natsapi.KV && f.Asset != natsapi.ObjectStore || x == -1 && f.MinusOne != "" || x == 0 && f.Zero != "" {
		return nil
	}
	lo, hi := math.Inf(-1), math.Inf(1)
	if f.Min != "" {
		lo, _ = strconv.ParseFloat(f.Min, 64)
	}
	if f.Max != "" {
		hi, _ = strconv.ParseFloat(f.Max, 64)
	}
	if x >= lo && x <= hi {
		return nil
	}
	switch {
	case f.Max == "":
		return typeError("%s%s is less than %s", subject(f), v.Node.Text, f.Min)
	case f.Min == f.Max:
		return typeError("%s%s is not known; there is only %s", subject(f), v.Node.Text, f.Min)
	}
	return typeError("%s%s is out of range; it goes from %s to %s", subject(f), v.Node.Text, f.Min, f.Max)
}

// decodeUnit reads sizes, durations, rates and shares. 0 and -1 stand alone
// where the tables give them a meaning.
func (s *shape) decodeUnit(n *Node, v Value) (Value, *valueError) {
	var err error
	f := v.Field
	switch {
	case n.Text == "0" && (f == nil || f.Zero != "" || f.Default == "0" || s.kind == kindRate || s.kind == kindShare),
		n.Text == "-1" && f != nil && f.MinusOne != "":
		if v.Kind = unitKind[s.kind]; n.Text == "-1" {
			v.Int = -1
		}
		return v, nil
	case strings.HasPrefix(n.Text, "-"):
		err = &UnitError{n.Text, "is negative, and a " + s.text() + " is not", nil}
	case s.kind == kindDuration:
		v.Int, err = ParseDuration(n.Text)
	case s.kind == kindSize:
		v.Int, err = ParseSize(n.Text)
	case s.kind == kindRate:
		v.Float, err = ParseRate(n.Text)
	case s.kind == kindShare:
		v.Float, err = ParseShare(n.Text)
	}
	if err != nil {
		e := &valueError{code: CodeUnit, msg: subject(f) + err.Error()}
		var ue *UnitError
		if errors.As(err, &ue) && len(ue.Write) == 1 {
			e.write = ue.Write[0]
		}
		return v, e
	}
	v.Kind = unitKind[s.kind]
	return v, nil
}

var unitKind = map[kind]ValueKind{kindDuration: Duration, kindSize: Size, kindRate: Rate, kindShare: Share}

// decodeEither tries the scalar alternatives in order and reports the complaint
// of the one that is most likely meant.
func (s *shape) decodeEither(n *Node, f *Field) (Value, *valueError) {
	var first *valueError
	for _, a := range s.alts {
		if a.kind == kindObject || a.kind == kindList || a.kind == kindMap {
			continue
		}
		v, err := a.decode(n, f)
		if err == nil {
			return v, nil
		}
		if first == nil || a.kind == kindSize && n.Text != "" && n.Text[0] >= '0' && n.Text[0] <= '9' {
			first = err
		}
	}
	if first == nil {
		first = typeError("%s%s where %s is expected", subject(f), n.what(), article(s.text()))
	}
	return Value{Node: n, Field: f}, first
}

// decodeAPI reads a scalar that stands in JSON of the JetStream API, where
// durations are nanoseconds and sizes are bytes. What has the wrong type stays
// Invalid without a complaint worth showing: the server's own answer is.
func (s *shape) decodeAPI(n *Node, v Value) (Value, *valueError) {
	bad := typeError("%s%s where %s is expected", subject(v.Field), n.what(), article(s.text()))
	switch s.kind {
	case kindString, kindTime, kindEnum, kindVersion:
		if !n.Quoted {
			return v, bad
		}
		v.Kind, v.Text = Text, n.Text
	case kindBool:
		if n.Quoted || n.Text != "true" && n.Text != "false" {
			return v, bad
		}
		v.Kind, v.Bool = Bool, n.Text == "true"
	case kindInt, kindSize, kindDuration:
		if n.Quoted {
			return v, bad
		}
		x, err := strconv.ParseInt(n.Text, 10, 64)
		if err != nil {
			u, err := strconv.ParseUint(n.Text, 10, 64)
			if err != nil {
				return v, bad
			}
			v.Kind, v.Uint = Uint, u
			return v, nil
		}
		v.Int = x
		switch v.Kind = Int; s.kind {
		case kindSize:
			v.Kind = Size
		case kindDuration:
			v.Kind = Duration
		}
	default:
		return v, bad
	}
	return v, nil
}

// Survive is one entry of goals.survive.
type Survive struct {
	// Fault is node, zone, leader, restart, worker-crash or worker-stall.
	Fault string
	// For is how long it lasts; 0 for a fault that has no length of its own.
	For time.Duration
}

var survivable = []string{"node", "zone", "leader", "restart", "worker-crash", "worker-stall"}

// ParseSurvive reads an entry of goals.survive: a fault and, where it makes
// sense, how long it lasts, "worker-stall 5m".
func ParseSurvive(s string) (Survive, error) {
	fault, rest, timed := strings.Cut(s, " ")
	known := false
	for _, f := range survivable {
		known = known || f == fault
	}
	if !known {
		msg := fmt.Sprintf("%s is not a fault that Weir knows; write %s", quote(s), oneOf(survivable))
		if near := natsapi.Suggest(fault, survivable); near != "" {
			msg = fmt.Sprintf("%s is not a fault that Weir knows; did you mean %s?", quote(s), near)
		}
		return Survive{}, errors.New(msg)
	}
	out := Survive{Fault: fault}
	if timed {
		ns, err := ParseDuration(rest)
		if err != nil {
			return Survive{}, err
		}
		out.For = time.Duration(ns)
	} else if fault == "worker-stall" {
		return Survive{}, errors.New(`"worker-stall" needs a length; write worker-stall 5m`)
	}
	return out, nil
}
