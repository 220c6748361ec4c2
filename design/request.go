package design

import (
	"sort"
	"strconv"
	"strings"
)

// Request is one JetStream API request that applies a part of a design.
type Request struct {
	// Subject is the API subject without its prefix, STREAM.CREATE.ORDERS.
	Subject string
	// Body is the JSON body. It holds what the design says and nothing else:
	// defaults are the server's. A configuration that was given as JSON of the API
	// is passed on byte for byte, because the order of its keys can decide which
	// error a server answers first.
	Body []byte
	// Kind is stream, consumer, kv or object_store.
	Kind string
	// Name is what people call it: ORDERS, ORDERS/billing, a bucket's name.
	Name string
	// Path is where the design says it.
	Path string
	// Scope is the account or leaf node whose JetStream is asked.
	Scope *Scope
	// Assumed is true for a stream that no file defines: a consumer names it, and
	// the server would have it already.
	Assumed bool

	asked  *Node             // the body where it was given whole, with the configuration inside
	inside string            // what the configuration stands under in the body, "" or "config"
	fields map[string]string // body field to design field, where they differ
}

// DesignPath is the design path of a place in the body, such as
// "config.backoff[1]" or "sources[0].name". What the design does not say (a
// bucket's fixed settings) is the path of the whole.
func (r *Request) DesignPath(bodyPath string) string {
	if r.inside != "" {
		rest, below := strings.CutPrefix(bodyPath, r.inside)
		if !below || rest != "" && rest[0] != '.' && rest[0] != '[' {
			return r.Path
		}
		bodyPath = strings.TrimPrefix(rest, ".")
	}
	if bodyPath == "" {
		return r.Path
	}
	step, rest := cutStep(bodyPath)
	if r.fields != nil {
		field, ok := r.fields[step]
		if !ok {
			return r.Path
		}
		step = field
	}
	if step == "" {
		return r.Path
	}
	if step[0] == '[' {
		return r.Path + step + rest
	}
	return r.Path + "." + step + rest
}

// KeyPlace is where a key of the request beside its configuration is written. It is
// false where there is none, and for a request that no file has as a whole.
func (r *Request) KeyPlace(key string) (Position, bool) {
	if r.asked.IsMap() && key != r.inside {
		if i := r.asked.find(key); i >= 0 {
			return r.asked.Keys[i].Place(), true
		}
	}
	return Position{}, false
}

// Config is the part of Body that is the stream's or consumer's configuration: what
// `nats stream add --config` and `nats consumer add --config` read.
func (r *Request) Config() []byte {
	if r.inside == "" {
		return r.Body
	}
	n, problems := ParseJSON(NewSource("", r.Body))
	if problems.Failed() || !n.Get(r.inside).IsMap() {
		return r.Body
	}
	return n.Get(r.inside).bytes()
}

// rawBody is a configuration that came as JSON of the API and was not mixed with
// anything: it is sent as it is.
type rawBody struct {
	body   *Node
	inside string
}

// Requests lists the API requests that apply the design, in the order in which
// they have to be sent: in each account and leaf node, streams without sources,
// then mirrors and streams with sources behind those they copy, then key-value
// and object store buckets, then consumers by name. Within a kind the order is
// that of the text.
func (d *Design) Requests() []*Request {
	var out []*Request
	for _, scope := range d.Scopes() {
		var consumers []*Request
		for _, s := range inDependencyOrder(scope.Streams) {
			out = append(out, d.streamRequest(scope, s))
			for _, c := range s.Consumers {
				consumers = append(consumers, d.consumerRequest(scope, s, c))
			}
		}
		for _, b := range bucketsInOrder(scope.KV) {
			out = append(out, b.request(scope))
		}
		for _, b := range scope.Objects {
			out = append(out, b.request(scope))
		}
		sort.SliceStable(consumers, func(i, j int) bool { return consumers[i].Name < consumers[j].Name })
		out = append(out, consumers...)
	}
	return out
}

func (d *Design) streamRequest(scope *Scope, s *Stream) *Request {
	r := &Request{Subject: "STREAM.CREATE." + s.Name, Kind: "stream", Name: s.Name, Path: s.Path, Scope: scope, Assumed: s.Assumed}
	if raw, ok := d.bodies[s.Path]; ok {
		r.Body, r.inside = raw.body.bytes(), raw.inside
		return r
	}
	w := &bodyWriter{}
	w.open()
	w.text("name", s.Name)
	w.fields(s.node, sets()["stream"], "name")
	w.close()
	r.Body = w.b
	return r
}

// consumerRequest asks as the clients do (nats.go 1.55.0, jetstream/consumer.go
// upsertConsumer): the name in the subject, and behind it the filter when there
// is one. A consumer is durable unless the design gives it a name and no
// durable_name.
func (d *Design) consumerRequest(scope *Scope, s *Stream, c *Consumer) *Request {
	r := &Request{Subject: "CONSUMER.CREATE." + s.Name + "." + c.Name, Kind: "consumer", Name: s.Name + "/" + c.Name, Path: c.Path, Scope: scope, inside: "config"}
	if f := c.Config.FilterSubject; f != "" && len(c.Config.FilterSubjects) == 0 && sendable(f) {
		r.Subject += "." + f
	}
	raw, given := d.bodies[c.Path]
	if given && c.Config.Name == "" && c.Config.Durable == "" {
		r.Subject = "CONSUMER.CREATE." + s.Name // the server makes up the name
	}
	if given && raw.inside != "" {
		r.Body, r.asked = raw.body.bytes(), raw.body
		return r
	}
	w := &bodyWriter{}
	w.open()
	w.text("stream_name", s.Name)
	w.key("config")
	if given {
		w.b = append(w.b, raw.body.bytes()...)
		w.comma = true
	} else {
		w.open()
		if c.node.Get("name") == nil && c.node.Get("durable_name") == nil {
			w.text("durable_name", c.Name)
			w.text("name", c.Name)
		}
		w.fields(c.node, sets()["consumer"], "")
		w.close()
	}
	w.close()
	r.Body = w.b
	return r
}

// sendable reports whether a filter can stand in the subject of a request:
// white space would end it and empty tokens are not delivered.
func sendable(filter string) bool {
	return !strings.ContainsAny(filter, " \t\r\n\f") && !strings.HasPrefix(filter, ".") && !strings.HasSuffix(filter, ".") && !strings.Contains(filter, "..")
}

// bytes is the node's text.
func (n *Node) bytes() []byte { return n.Src.Text[n.Start:n.End] }

// inDependencyOrder puts streams that copy others behind those they copy, and
// otherwise keeps the order. Streams that copy each other in a ring stay where
// the ring is met.
func inDependencyOrder(streams []*Stream) []*Stream {
	needs := make(map[string][]string, len(streams))
	out := make([]*Stream, 0, len(streams))
	var later []*Stream
	for _, s := range streams {
		if m := s.Config.Mirror; m != nil && m.External == nil {
			needs[s.Name] = append(needs[s.Name], m.Name)
		}
		for _, src := range s.Config.Sources {
			if src != nil && src.External == nil {
				needs[s.Name] = append(needs[s.Name], src.Name)
			}
		}
		if s.Config.Mirror == nil && len(s.Config.Sources) == 0 {
			out = append(out, s)
		} else {
			later = append(later, s)
		}
	}
	byName := make(map[string]*Stream, len(later))
	for _, s := range later {
		byName[s.Name] = s
	}
	placed := map[string]bool{}
	var place func(s *Stream)
	place = func(s *Stream) {
		if s == nil || placed[s.Name] {
			return
		}
		placed[s.Name] = true
		for _, need := range needs[s.Name] {
			place(byName[need])
		}
		out = append(out, s)
	}
	for _, s := range later {
		place(s)
	}
	return out
}

// bucketsInOrder does for buckets what inDependencyOrder does for streams.
func bucketsInOrder(buckets []*Bucket) []*Bucket {
	streams := make([]*Stream, len(buckets))
	byStream := make(map[string]*Bucket, len(buckets))
	for i, b := range buckets {
		streams[i] = &Stream{Name: b.Stream, Config: b.Config}
		byStream[b.Stream] = b
	}
	out := make([]*Bucket, 0, len(buckets))
	for _, s := range inDependencyOrder(streams) {
		out = append(out, byStream[s.Name])
	}
	return out
}

// bodyWriter writes JSON objects key by key.
type bodyWriter struct {
	b     []byte
	comma bool
}

func (w *bodyWriter) open() { w.b, w.comma = append(w.b, '{'), false }

func (w *bodyWriter) close() { w.b, w.comma = append(w.b, '}'), true }

func (w *bodyWriter) key(name string) {
	if w.comma {
		w.b = append(w.b, ',')
	}
	w.b = append(appendJSONString(w.b, name), ':')
	w.comma = true
}

func (w *bodyWriter) text(name, value string) {
	w.key(name)
	w.b = appendJSONString(w.b, value)
}

func (w *bodyWriter) raw(name, value string) {
	w.key(name)
	w.b = append(w.b, value...)
}

// fields writes the API's fields of a map and leaves out Weir's own, those that
// cannot be read and the one named skip.
func (w *bodyWriter) fields(n *Node, set *fieldSet, skip string) {
	if !n.IsMap() {
		return
	}
	for i, key := range n.Keys {
		f := set.byName[key.Text]
		if f == nil || f.Own || f.Name == skip && skip != "" || n.find(key.Text) != i {
			continue
		}
		w.field(f.Name, n.Items[i], f.shape, f)
	}
}

// field writes one field, or nothing when its value cannot be read.
func (w *bodyWriter) field(name string, n *Node, s *shape, f *Field) {
	before, comma := len(w.b), w.comma
	w.key(name)
	if !w.value(n, s, f) {
		w.b, w.comma = w.b[:before], comma
	}
}

func (w *bodyWriter) value(n *Node, s *shape, f *Field) bool {
	if n.Src != nil && n.Src.API {
		w.b = append(w.b, n.bytes()...)
		return true
	}
	switch {
	case s.kind == kindObject && (n.Kind == Map || n.Null):
		w.open()
		w.fields(n, s.set, "")
		w.close()
		return true
	case s.kind == kindMap && (n.Kind == Map || n.Null):
		w.open()
		for i, key := range n.Keys {
			w.field(key.Text, n.Items[i], s.elem, nil)
		}
		w.close()
		return true
	case s.kind == kindList && n.Kind == List:
		w.b = append(w.b, '[')
		for i, item := range n.Items {
			if i > 0 {
				w.b = append(w.b, ',')
			}
			if !w.value(item, s.elem, f) {
				return false
			}
		}
		w.b = append(w.b, ']')
		return true
	}
	v, err := s.decode(n, f)
	if err != nil {
		return false
	}
	w.scalar(v)
	return true
}

func (w *bodyWriter) scalar(v Value) {
	switch v.Kind {
	case Text:
		w.b = appendJSONString(w.b, v.Text)
	case Bool:
		w.b = strconv.AppendBool(w.b, v.Bool)
	case Uint:
		w.b = strconv.AppendUint(w.b, v.Uint, 10)
	default: // Int, Size, Duration: the kinds that the API's fields have besides
		w.b = strconv.AppendInt(w.b, v.Int, 10)
	}
}

// appendJSONString appends a JSON string; invalid UTF-8 becomes U+FFFD.
func appendJSONString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
