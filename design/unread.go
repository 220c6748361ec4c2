package design

import (
	"math"
	"strconv"
	"strings"

	"weir/natsapi"
)

// Unread lists what of the JSON of the API in a design the model could not take
// up: values of another type than the API has (Error: servers refuse the request
// with 10025), entries of lists that are null, and keys that no server version
// knows (Warning). The model reads such a value as if it were not written, so that
// whoever goes on with the model has to say so. Each problem has the path of its
// value. Design files need none of it: their reader reports the same by itself.
func Unread(d *Design) Problems {
	u := &unreader{}
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			u.object(s.node, sets()["stream"], s.Path)
			for _, c := range s.Consumers {
				u.object(c.node, sets()["consumer"], c.Path)
				if name := d.bodies[c.Path].body.Get("stream_name"); name != nil && d.bodies[c.Path].inside != "" {
					u.value(name, &shape{kind: kindString}, nil, "stream_name", c.Path)
				}
			}
		}
	}
	u.problems.Sort()
	return u.problems
}

// unreader walks what came from JSON of the API.
type unreader struct{ problems Problems }

func fromAPI(n *Node) bool { return n.Src != nil && n.Src.API }

func (u *unreader) say(code Code, severity Severity, n *Node, path, message string) {
	if len(u.problems) < MaxProblems {
		u.problems = append(u.problems, Problem{Code: code, Severity: severity, Message: message, Path: path, Position: n.Place()})
	}
}

func (u *unreader) object(n *Node, set *fieldSet, path string) {
	if !n.IsMap() {
		return
	}
	for i, key := range n.Keys {
		item, f, at := n.Items[i], set.byName[key.Text], Join(path, key.Text)
		switch {
		case !fromAPI(item) || n.find(key.Text) != i:
		case f == nil || f.Own:
			u.unknown(key, set, at)
		default:
			u.value(item, f.shape.pickFor(item), f, f.Name, at)
		}
	}
}

func (u *unreader) unknown(key *Node, set *fieldSet, path string) {
	if _, ok := natsapi.Lookup(natsapi.StreamRequest, key.Text); ok && set.asset == "stream" {
		return // of the request, not of the stream
	}
	message := quote(key.Text) + " is not a field of " + article(strings.ReplaceAll(set.asset, "_", " ")) + " and is left out"
	if near := natsapi.Suggest(key.Text, set.names()); near != "" {
		message += "; did you mean " + near + "?"
	}
	u.say(CodeUnknown, Warning, key, path, message)
}

func (u *unreader) value(n *Node, s *shape, f *Field, name, path string) {
	if n.Null {
		return // to encoding/json as if it were not written
	}
	switch {
	case s.kind == kindObject && n.IsMap():
		u.object(n, s.set, path)
	case s.kind == kindMap && n.IsMap():
		for i, key := range n.Keys {
			u.value(n.Items[i], s.elem, nil, key.Text, Join(path, key.Text))
		}
	case s.kind == kindList && n.IsList():
		for i, item := range n.Items {
			at := Index(path, i)
			if item.Null {
				u.say(CodeType, Warning, item, at, Index(name, i)+": null is read as an empty value")
				continue
			}
			u.value(item, s.elem, f, Index(name, i), at)
		}
	default:
		u.scalar(n, s, f, name, path)
	}
}

func (u *unreader) scalar(n *Node, s *shape, f *Field, name, path string) {
	v, err := s.decode(n, nil)
	if err == nil && (!v.fits(f) || s.kind == kindEnum && !isWord(s, f, v.Text) || s.kind == kindTime && !isTime(v.Text)) {
		err = typeError("")
	}
	if err == nil {
		return
	}
	what := n.what()
	if n.Kind == Scalar && !n.Quoted {
		what = shorten(n.Text)
	}
	message := name + ": " + what + " is not " + s.wireText() + ", which the JetStream API takes"
	if write := OnWire(n, natsapi.Type(s.text())); write != "" {
		message += "; write " + write
	}
	u.say(CodeType, Error, n, path, message)
}

// fits reports whether a whole number goes into the field's Go type, as
// encoding/json asks.
func (v Value) fits(f *Field) bool {
	if f == nil || v.Kind != Int && v.Kind != Size && v.Kind != Duration && v.Kind != Uint {
		return true
	}
	switch f.Go {
	case "uint64":
		return v.Kind == Uint || v.Int >= 0
	case "int32":
		return v.Kind != Uint && v.Int >= math.MinInt32 && v.Int <= math.MaxInt32
	}
	return v.Kind != Uint
}

// isWord reports whether a word is one of an enumeration to some server version;
// some versions take any letter case.
func isWord(s *shape, f *Field, word string) bool {
	for _, e := range s.enum {
		if strings.EqualFold(e, word) {
			return true
		}
	}
	if f != nil {
		for _, e := range f.Enum {
			if e.Name == word { // "" where servers take it
				return true
			}
		}
	}
	return false
}

func isTime(s string) bool {
	_, err := (&shape{kind: kindTime}).decodeText(&Node{Text: s}, Value{})
	return err == nil
}

// wireText names what the JetStream API takes for a shape, "a whole number of
// nanoseconds".
func (s *shape) wireText() string {
	switch s.kind {
	case kindList:
		return natsapi.List.OnWire()
	case kindMap, kindObject:
		return natsapi.Object.OnWire()
	case kindEnum:
		return "one of " + strings.Join(s.enum, ", ")
	}
	return natsapi.Type(s.text()).OnWire()
}

// OnWire is what to write in JSON of the API for a type in the place of a value of
// another one, such as 7200000000000 for "2h"; "" where that is not certain.
func OnWire(n *Node, t natsapi.Type) string {
	if !n.IsScalar() || n.Null {
		return ""
	}
	var value int64
	err := strconv.ErrSyntax
	switch {
	case t == natsapi.String && !n.Quoted:
		return strconv.Quote(n.Text)
	case t == natsapi.Bool && n.Quoted && (n.Text == "true" || n.Text == "false"):
		return n.Text
	case !n.Quoted:
	case isInteger(n.Text) && (t == natsapi.Int || t == natsapi.Size || t == natsapi.Duration):
		value, err = strconv.ParseInt(n.Text, 10, 64)
	case t == natsapi.Duration:
		value, err = ParseDuration(n.Text)
	case t == natsapi.Size:
		value, err = ParseSize(n.Text)
	}
	if err != nil {
		return ""
	}
	return strconv.FormatInt(value, 10)
}
