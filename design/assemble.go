package design

import (
	"fmt"
	"strings"
)

// AssumedStream is the name of the stream that a consumer's configuration is
// judged in when neither it nor its file says which stream it belongs to.
const AssumedStream = "STREAM"

// Part is one named thing that was read from an outside notation, to be put into
// a design.
type Part struct {
	// Kind is "stream", "consumer", or "design" for any part of a design file: its
	// Config is then a map with the design file's keys, joined key by key.
	Kind string
	// Name is the stream's or consumer's name, "" for a consumer without one.
	// Stream is that of a consumer's stream, "" when the text does not say.
	Name, Stream string
	// Account is the account it belongs to, "" for $G.
	Account string
	// Config is the map with the configuration, with the API's keys. Its Source
	// says in which units the values are.
	Config *Node
	// Body is what was sent or would be sent to the API, Inside the key of it that
	// Config stands under; nil when Config itself is.
	Body   *Node
	Inside string
	// Info is what a server said of the asset beside its configuration, as stream and
	// consumer info do; nil for none.
	Info *Node
	// Version is the server version that the text names, "" for none.
	Version *Node
	// ConfKeys are the keys of a nats-server.conf that not every version has.
	ConfKeys []ConfKey
}

// Assemble puts parts into one design, together with a design file that was
// parsed, which may be nil. A name that is given twice is joined; where a
// setting then has two values, both places are reported. The design is never
// nil.
func Assemble(base *Design, parts []Part) (*Design, Problems) {
	a := &assembler{bodies: map[string]rawBody{}, infos: map[string]*Node{}, assumed: map[string]bool{}, owned: map[*Node]bool{}, unnamed: map[*Node]int{}}
	a.root = a.own(&Node{Kind: Map})
	if base != nil && base.root != nil {
		a.root = a.own(base.root)
	}
	for _, p := range parts {
		if p.Kind == "design" {
			a.join(a.root, p.Config, "")
		}
	}
	a.only = onlyStream(base, parts)
	for _, p := range parts {
		if p.Kind == "stream" {
			a.stream(p)
		}
	}
	for _, p := range parts {
		if p.Kind == "consumer" {
			a.consumer(p)
		}
	}
	a.versionOf(parts)
	d := build(a.root)
	for _, p := range parts {
		d.confKeys = append(d.confKeys, p.ConfKeys...)
	}
	a.finish(d)
	a.problems.Sort()
	return d, a.problems
}

// With is the design with settings that it leaves open, as if they had been
// written: values is a map with the design file's keys. A value of a setting that
// is written already is a problem.
func (d *Design) With(values *Node) (*Design, Problems) {
	a := &assembler{bodies: map[string]rawBody{}, infos: d.infos, assumed: map[string]bool{}, owned: map[*Node]bool{}}
	a.root = a.own(&Node{Kind: Map})
	if d.root != nil {
		a.root = a.own(d.root)
	}
	a.join(a.root, values, "")
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			a.assumed[s.Path] = s.Assumed
		}
	}
	out := build(a.root)
	a.finish(out)
	return out, a.problems
}

type assembler struct {
	root     *Node
	bodies   map[string]rawBody
	infos    map[string]*Node
	assumed  map[string]bool // paths of streams that no text defines
	only     string          // the one stream that the texts define, if it is one
	owned    map[*Node]bool  // maps made here, which may be added to
	unnamed  map[*Node]int   // how many consumers without a name a map has
	problems Problems
}

// own is a copy of a map that may be added to; the maps of a text may not.
func (a *assembler) own(n *Node) *Node {
	if a.owned[n] {
		return n
	}
	c := *n
	c.Keys, c.Items, c.index = nil, nil, nil
	for i, k := range n.Keys {
		c.put(k, n.Items[i])
	}
	a.owned[&c] = true
	return &c
}

// below is the map under a key, made or copied so that it can be added to.
func (a *assembler) below(n *Node, key string) *Node {
	at := n.find(key)
	if at < 0 {
		m := a.own(&Node{Kind: Map})
		n.put(&Node{Kind: Scalar, Text: key}, m)
		return m
	}
	n.Items[at] = a.own(orMap(n.Items[at]))
	return n.Items[at]
}

// join puts the keys of a map into another, and the keys of its maps.
func (a *assembler) join(into, from *Node, path string) {
	for i, key := range from.Keys {
		value, at := from.Items[i], Join(path, key.Text)
		have := into.find(key.Text)
		switch {
		case have < 0:
			into.put(key, value)
		case into.Items[have].Kind == Map && value.Kind == Map:
			into.Items[have] = a.own(into.Items[have])
			a.join(into.Items[have], value, at)
		default:
			f, _ := FieldAt(at)
			var s *shape
			if f != nil {
				s = f.shape
			}
			if !sameValue(into.Items[have], value, s, f) {
				a.conflict(at, into.Items[have], value)
			}
		}
	}
}

// streams is the map of streams of an account and its path.
func (a *assembler) streams(account string) (*Node, string) {
	if account == "" || account == Hub {
		return a.below(a.root, "streams"), "streams"
	}
	acc := a.below(a.below(a.root, "accounts"), account)
	return a.below(acc, "streams"), Join("accounts", account) + ".streams"
}

func (a *assembler) stream(p Part) {
	streams, path := a.streams(p.Account)
	a.put(streams, Join(path, p.Name), p, "stream")
}

// consumer puts a consumer under its stream. One that does not name it belongs
// to the only stream there is, if there is one.
func (a *assembler) consumer(p Part) {
	streams, path := a.streams(p.Account)
	name := p.Stream
	if name == "" {
		name = AssumedStream
		if a.only != "" {
			name = a.only
		}
	}
	at := Join(path, name)
	if streams.find(name) < 0 {
		a.assumed[at] = true
	}
	stream := a.below(streams, name)
	consumers := a.below(stream, "consumers")
	if p.Name == "" {
		p.Name = a.unusedName(consumers)
	}
	a.put(consumers, Join(Join(at, "consumers"), p.Name), p, "consumer")
}

// unusedName is a name for a consumer that has none: the server would make one
// up.
func (a *assembler) unusedName(consumers *Node) string {
	for {
		a.unnamed[consumers]++
		name := "CONSUMER"
		if i := a.unnamed[consumers]; i > 1 {
			name = fmt.Sprintf("CONSUMER-%d", i)
		}
		if consumers.find(name) < 0 {
			return name
		}
	}
}

// onlyStream is the name of the stream of $G that the texts define, "" when they
// define none or several.
func onlyStream(base *Design, parts []Part) string {
	names := map[string]bool{}
	if base != nil {
		for _, s := range base.Streams {
			names[s.Name] = true
		}
	}
	for _, p := range parts {
		if p.Kind == "stream" && (p.Account == "" || p.Account == Hub) {
			names[p.Name] = true
		}
	}
	if len(names) != 1 {
		return ""
	}
	for name := range names {
		return name
	}
	return ""
}

// put adds a configuration under its name, or joins it with what is there.
func (a *assembler) put(m *Node, path string, p Part, asset string) {
	if p.Info != nil {
		a.infos[path] = p.Info
	}
	at := m.find(p.Name)
	if at < 0 {
		m.put(&Node{Kind: Scalar, Text: p.Name, Start: p.Config.Start, End: p.Config.Start + 1, Src: p.Config.Src}, p.Config)
		body := rawBody{p.Config, ""}
		if p.Body != nil {
			body = rawBody{p.Body, p.Inside}
		}
		if p.Config.Src != nil && p.Config.Src.API {
			a.bodies[path] = body
		}
		return
	}
	delete(a.bodies, path)
	joined := a.own(orMap(m.Items[at]))
	for i, key := range p.Config.Keys {
		f := sets()[asset].byName[key.Text]
		have := joined.find(key.Text)
		switch {
		case have < 0:
			joined.put(key, p.Config.Items[i])
		case f != nil && !sameValue(joined.Items[have], p.Config.Items[i], f.shape, f):
			a.conflict(Join(path, key.Text), joined.Items[have], p.Config.Items[i])
		}
	}
	m.Items[at] = joined
}

func orMap(n *Node) *Node {
	if n.Kind == Map {
		return n
	}
	return &Node{Kind: Map}
}

// conflict reports two values of one setting, at both places.
func (a *assembler) conflict(path string, one, other *Node) {
	say := func(n, m *Node) {
		a.problems = append(a.problems, Problem{Code: CodeConflict, Severity: Error, Path: path, Position: n.Place(),
			Message: fmt.Sprintf("%s is %s here and %s at %s; what is named twice needs the same values", path, rawText(n), rawText(m), m.Place())})
	}
	say(one, other)
	say(other, one)
}

func rawText(n *Node) string { return shorten(Value{Node: n}.Raw()) }

// sameValue reports whether two nodes say the same, whatever units they are
// written in.
func sameValue(a, b *Node, s *shape, f *Field) bool {
	return canonical(a, s, f) == canonical(b, s, f)
}

// versionOf takes the server version from the texts when the design names none.
func (a *assembler) versionOf(parts []Part) {
	if s := a.root.Get("server"); s.IsMap() && s.Get("version") != nil {
		return
	}
	for _, p := range parts {
		if p.Version != nil {
			a.below(a.root, "server").put(&Node{Kind: Scalar, Text: "version", Src: p.Version.Src, Start: p.Version.Start, End: p.Version.End}, p.Version)
			return
		}
	}
}

// finish gives the design what a tree cannot say.
func (a *assembler) finish(d *Design) {
	d.bodies, d.infos = a.bodies, a.infos
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			s.Assumed = a.assumed[s.Path]
		}
	}
}

// canonical is a text that is equal for equal values: API values as their JSON
// with keys in order, distributions and Weir's own values as they are read.
func canonical(n *Node, s *shape, f *Field) string {
	var b strings.Builder
	writeCanonical(&b, n, s, f)
	return b.String()
}

func writeCanonical(b *strings.Builder, n *Node, s *shape, f *Field) {
	if s != nil {
		s = s.pickFor(n)
	}
	switch n.Kind {
	case List:
		b.WriteByte('[')
		for _, item := range n.Items {
			var elem *shape
			if s != nil && s.kind == kindList {
				elem = s.elem
			}
			writeCanonical(b, item, elem, f)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case Map:
		b.WriteByte('{')
		for _, key := range sortedKeys(n) {
			item, below, field := descend(n, s, f, stepText(key))
			b.WriteString(quoteKey(key))
			writeCanonical(b, item, below, field)
			b.WriteByte(',')
		}
		b.WriteByte('}')
	default:
		if n.Null {
			b.WriteString("null")
			return
		}
		if s != nil {
			if v, err := s.decode(n, f); err == nil {
				fmt.Fprintf(b, "%d:%d/%d/%g/%s/%t", v.Kind, v.Int, v.Uint, v.Float, v.Text, v.Bool)
				return
			}
		}
		b.WriteString(quoteKey(n.Text))
	}
}
