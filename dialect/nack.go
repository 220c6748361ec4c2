package dialect

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"weir/design"
	"weir/natsapi"
)

// NACK is the controller that keeps streams, consumers and buckets as resources of
// Kubernetes. Its resources are those of nats-io/nack at f6dad09 with the CRDs of
// nats-io/k8s 957650f (v1beta2; v1beta1 has fewer keys).
var nackDialect = Dialect{
	Name:      "nack",
	Title:     nackTitle,
	Recognise: recogniseNACK,
	Read:      readNACK,
	Write:     writeNACK,
}

const (
	nackTitle = "NACK resources of Kubernetes"
	nackGroup = "jetstream.nats.io/"
)

// recogniseNACK looks for the API group of a resource, in YAML or in JSON as
// kubectl prints it.
func recogniseNACK(src *design.Source) int {
	for rest := src.Text; ; {
		at := bytes.Index(rest, []byte(nackGroup))
		if at < 0 {
			return 0
		}
		line := rest[bytes.LastIndexByte(rest[:at], '\n')+1 : at]
		if bytes.Contains(line, []byte("apiVersion")) && !bytes.Contains(line, []byte("#")) {
			return 95
		}
		rest = rest[at+len(nackGroup):]
	}
}

// nackNames are the keys of the resources that are not the API's name in camel
// case; "" for what they have no key for.
var nackNames = map[natsapi.Asset]map[string]string{
	natsapi.Stream: {"num_replicas": "replicas", "allow_rollup_hdrs": "allowRollup", "first_seq": "firstSequence",
		"discard_new_per_subject": "discardPerSubject", "allow_atomic": "allowAtomicPublish", "template_owner": ""},
	natsapi.Consumer: {"num_replicas": "replicas", "idle_heartbeat": "heartbeatInterval", "max_batch": "maxRequestBatch", "max_expires": "maxRequestExpires",
		"max_bytes": "maxRequestMaxBytes", "priority_timeout": "pinnedTtl", "name": "", "direct": "", "sourcing": ""},
	natsapi.KV:               {"num_replicas": "replicas", "metadata": ""},
	natsapi.ObjectStore:      {"num_replicas": "replicas", "max_age": "ttl"},
	natsapi.Placement:        {"preferred": ""},
	natsapi.SubjectTransform: {"src": "source"},
	natsapi.Republish:        {"src": "source", "dest": "destination", "headers_only": "headers_only"},
	natsapi.External:         {"api": "externalApiPrefix", "deliver": "externalDeliverPrefix"},
}

// nackOwn are the keys of every resource that say how the controller connects and
// what it may do.
var nackOwn = []string{"account", "creds", "nkey", "servers", "tls", "tlsFirst", "jsDomain", "preventDelete", "preventUpdate"}

func nackKey(asset natsapi.Asset, name string) string {
	if key, ok := nackNames[asset][name]; ok {
		return key
	}
	return camelCase(name)
}

// nackField is a key of a resource: a field of the API, which for the two
// prefixes of a source stands in a map of its own.
type nackField struct {
	natsapi.Field
	in string
}

// nackFields are the keys of an asset's resource.
var nackFields = func() func(natsapi.Asset) map[string]nackField {
	var mu sync.Mutex
	known := map[natsapi.Asset]map[string]nackField{}
	return func(asset natsapi.Asset) map[string]nackField {
		mu.Lock()
		defer mu.Unlock()
		if known[asset] == nil {
			known[asset] = map[string]nackField{}
			for _, f := range natsapi.Fields(asset) {
				if f.Of == natsapi.External {
					for _, part := range natsapi.Fields(f.Of) {
						known[asset][nackKey(f.Of, part.Name)] = nackField{part, f.Name}
					}
				} else if key := nackKey(asset, f.Name); key != "" {
					known[asset][key] = nackField{f, ""}
				}
			}
		}
		return known[asset]
	}
}()

// camelCase turns max_msgs into maxMsgs.
func camelCase(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts[1:] {
		if p != "" {
			parts[i+1] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}

// readNACK reads the resources of a manifest. What belongs to other API groups is
// left to Kubernetes.
func readNACK(src *design.Source) Reading {
	src.Spelling = &design.Spelling{Key: nackKey, Word: camelCase}
	docs, problems := design.ParseYAMLStream(src)
	r := &nackReader{Reading: Reading{Problems: problems}}
	for _, doc := range docs {
		r.resource(doc)
	}
	return r.Reading
}

type nackReader struct {
	Reading
	kind string // of the resource
	at   string // the design path of its asset, "" before that is known
}

func (r *nackReader) say(code design.Code, severity design.Severity, n *design.Node, format string, args ...any) {
	if len(r.Problems) < design.MaxProblems {
		r.Problems = append(r.Problems, design.Problem{Code: code, Severity: severity, Message: fmt.Sprintf(format, args...), Position: n.Place()})
		if severity == design.Error { // what is left out is not judged as if it had not been written
			r.Problems[len(r.Problems)-1].Path = r.at
		}
	}
}

func (r *nackReader) resource(n *design.Node) {
	if list := n.Get("items"); list.IsList() && strings.HasSuffix(text(n.Get("kind")), "List") {
		for _, item := range list.Items {
			r.resource(item)
		}
		return
	}
	if !strings.HasPrefix(text(n.Get("apiVersion")), nackGroup) {
		return
	}
	kind, spec := n.Get("kind"), n.Get("spec")
	r.kind, r.at = text(kind), ""
	switch {
	case r.kind == "Account": // how the controller connects
	case r.kind == "StreamTemplate":
		r.say(design.CodeFeature, design.Error, kind, "a StreamTemplate: servers from 2.11 on have no stream templates; write a Stream")
	case kind == nil || !slices.Contains([]string{"Stream", "Consumer", "KeyValue", "ObjectStore"}, r.kind):
		r.say(design.CodeFeature, design.Error, n, "%q is not a kind of %s; there are Stream, Consumer, KeyValue, ObjectStore and Account", r.kind, strings.TrimSuffix(nackGroup, "/"))
	case !spec.IsMap():
		r.say(design.CodeMissing, design.Error, n, "the %s has no spec", r.kind)
	default:
		r.asset(spec)
	}
}

// asset reads the spec of a resource.
func (r *nackReader) asset(spec *design.Node) {
	part := design.Part{Account: text(spec.Get("account"))}
	switch r.kind {
	case "Stream":
		part.Kind, part.Name = "stream", r.required(spec, "name")
		r.at = nackPath(part)
		part.Config = r.fields(spec, natsapi.Stream)
		r.defaultTo(spec, part.Config, "storage", "memory", "the server's own default is file")
		// The controller starts from jsm.go's DefaultStream and passes over an empty maxAge
		// (nack issue 377).
		r.defaultTo(spec, part.Config, "max_age", "8760h", "after a year messages are removed; the server's own default keeps them")
	case "Consumer":
		part.Kind, part.Name, part.Stream = "consumer", r.required(spec, "durableName"), r.required(spec, "streamName")
		r.at = nackPath(part)
		part.Config = r.fields(spec, natsapi.Consumer, "streamName")
		if ack := text(part.Config.Get("ack_policy")); ack != "" && ack != "none" && part.Config.Get("backoff") == nil {
			r.defaultTo(spec, part.Config, "ack_wait", "1ns", "with which every message is redelivered at once; the server's own default is 30s")
		}
	default:
		section, asset := "kv", natsapi.KV
		if r.kind == "ObjectStore" {
			section, asset = "objects", natsapi.ObjectStore
		}
		part.Kind, part.Name = "design", r.required(spec, "bucket")
		part.Config = under(r.fields(spec, asset), section, part.Name)
		if part.Account != "" {
			part.Config = under(part.Config, "accounts", part.Account)
		}
	}
	if part.Name != "" {
		r.Parts = append(r.Parts, part)
	}
}

// nackPath is where a stream or consumer comes to stand in the design.
func nackPath(p design.Part) string {
	path := "streams"
	if p.Account != "" && p.Account != design.Hub {
		path = design.Join(design.Join("accounts", p.Account), path)
	}
	if p.Kind == "stream" {
		return design.Join(path, p.Name)
	}
	return design.Join(design.Join(design.Join(path, p.Stream), "consumers"), p.Name)
}

func (r *nackReader) required(spec *design.Node, key string) string {
	name := text(spec.Get(key))
	if name == "" {
		r.say(design.CodeMissing, design.Error, spec, "the %s has no %s", r.kind, key)
	}
	return name
}

// defaultTo fills in what the CRD says where the server would say something else.
func (r *nackReader) defaultTo(spec, config *design.Node, name, value, instead string) {
	if own := spec.Get(camelCase(name)); own != nil && !own.Null && (own.Kind != design.Scalar || own.Text != "") || config.Get(name) != nil {
		return
	}
	at := &design.Node{Text: value, Start: config.Start, End: config.Start, Src: config.Src}
	config.Put(&design.Node{Text: name, Start: config.Start, End: config.Start, Src: config.Src}, at)
	r.say(design.CodeDefault, design.Warning, at, "%s is not written, and the resource's own default is %s: %s; write it", camelCase(name), value, instead)
}

// fields gives a map of the resource the API's keys and units; besides are keys
// that mean something elsewhere.
func (r *nackReader) fields(n *design.Node, asset natsapi.Asset, besides ...string) *design.Node {
	out := &design.Node{Kind: design.Map, Start: n.Start, End: n.End, Src: n.Src}
	keys := nackFields(asset)
	for i, key := range n.Keys {
		item := n.Items[i]
		f, ok := keys[key.Text]
		switch {
		case !ok && (slices.Contains(nackOwn, key.Text) || slices.Contains(besides, key.Text)):
		case !ok:
			r.unknown(key, keys)
		case item.Null, item.Kind == design.Scalar && item.Text == "": // the controller passes over it
		case f.in != "":
			into := out.Get(f.in)
			if into == nil {
				into = &design.Node{Kind: design.Map, Start: key.Start, End: item.End, Src: n.Src}
				out.Put(renamed(key, f.in), into)
			}
			into.Put(renamed(key, f.Name), item)
		default:
			if value := r.value(item, f.Field); value != nil {
				out.Put(renamed(key, f.Name), value)
			}
		}
	}
	return out
}

func (r *nackReader) unknown(key *design.Node, keys map[string]nackField) {
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	means := ""
	if near := natsapi.Suggest(key.Text, names); near != "" {
		means = "; did you mean " + near + "?"
	}
	r.say(design.CodeUnknown, design.Error, key, "%q is not a key of a %s%s Kubernetes refuses it or leaves it out", key.Text, r.kind, orEnd(means))
}

func orEnd(question string) string {
	if question == "" {
		return ":"
	}
	return question
}

// value turns a value into the design file's: a size is a bare number of bytes,
// words are in camel case, durations are as Go reads them. What the CRD or the
// controller refuses is reported and left out.
func (r *nackReader) value(n *design.Node, f natsapi.Field) *design.Node {
	key := nackKey(f.Asset, f.Name)
	switch {
	case n.IsList() && f.Type == natsapi.List:
		out, elem := *n, f
		elem.Type = f.Elem
		out.Items = make([]*design.Node, 0, len(n.Items))
		for _, item := range n.Items {
			if item = r.value(item, elem); item != nil {
				out.Items = append(out.Items, item)
			}
		}
		return &out
	case n.IsMap() && f.Type == natsapi.Object:
		return r.fields(n, f.Of)
	case n.IsMap() && f.Type == natsapi.Map:
		return n
	case f.Type == natsapi.List, f.Type == natsapi.Object, f.Type == natsapi.Map:
		r.say(design.CodeType, design.Error, n, "%s takes %s", key, f.Type.OnWire())
		return nil
	case n.Kind != design.Scalar:
		r.say(design.CodeType, design.Error, n, "%s takes one value", key)
		return nil
	}
	return r.scalar(n, f, key)
}

func (r *nackReader) scalar(n *design.Node, f natsapi.Field, key string) *design.Node {
	out := *n
	_, err := strconv.ParseInt(n.Text, 10, 64)
	integer := err == nil && !n.Quoted
	switch {
	case (f.Type == natsapi.Size || f.Type == natsapi.Int) && !integer:
		bytes := ""
		if size, err := design.ParseSize(n.Text); err == nil && f.Type == natsapi.Size {
			bytes = fmt.Sprintf(", in bytes; write %d", size)
		}
		r.say(design.CodeType, design.Error, n, "%s: %q is not an integer%s", key, n.Text, bytes)
		return nil
	case f.Type == natsapi.Bool && (n.Quoted || n.Text != "true" && n.Text != "false"):
		r.say(design.CodeType, design.Error, n, "%s: %q is not a boolean; write true or false", key, n.Text)
		return nil
	case f.Type == natsapi.Duration && !integer:
		return r.duration(n, key)
	case f.Type == natsapi.Duration && f.Name != "limit_marker_ttl": // the one that the CRD counts in nanoseconds
		r.say(design.CodeType, design.Error, n, "%s: %s is a number, and the resource wants text such as 72h", key, n.Text)
		return nil
	case f.Type == natsapi.Size && n.Text[0] != '-' && n.Text != "0":
		out.Text += "B"
	case f.Type == natsapi.Duration && n.Text != "0":
		out.Text += "ns"
	case f.Type == natsapi.Enum:
		return r.word(n, f, key)
	case f.Type == natsapi.Time:
		if _, err := time.Parse(time.RFC3339, n.Text); err != nil {
			r.say(design.CodeType, design.Error, n, "%s: %q is not %s", key, n.Text, f.Type.OnWire())
			return nil
		}
	}
	return &out
}

// word reads one of the words that the CRD has for an enum.
func (r *nackReader) word(n *design.Node, f natsapi.Field, key string) *design.Node {
	var words []string
	for _, e := range f.Enum {
		if e.Name == "" {
			continue
		}
		if word := camelCase(e.Name); word == n.Text {
			out := *n
			out.Text = e.Name
			return &out
		}
		words = append(words, camelCase(e.Name))
	}
	r.say(design.CodeType, design.Error, n, "%s: %q is not one of %s", key, n.Text, strings.Join(words, ", "))
	return nil
}

// duration reads a duration as the controller does, with Go's time.ParseDuration.
func (r *nackReader) duration(n *design.Node, key string) *design.Node {
	if _, err := time.ParseDuration(n.Text); err == nil {
		return n
	}
	write := ""
	if ns, err := design.ParseDuration(n.Text); err == nil {
		write = "; write " + design.FormatDuration(ns)
	}
	r.say(design.CodeUnit, design.Error, n, "%s: %q is not a duration in h, m, s, ms, as the controller reads it%s", key, n.Text, write)
	return nil
}

// under puts a map under keys, outermost first.
func under(n *design.Node, keys ...string) *design.Node {
	for _, key := range slices.Backward(keys) {
		outer := &design.Node{Kind: design.Map, Start: n.Start, End: n.End, Src: n.Src}
		outer.Put(&design.Node{Text: key, Start: n.Start, End: n.Start, Src: n.Src}, n)
		n = outer
	}
	return n
}

func renamed(key *design.Node, name string) *design.Node {
	out := *key
	out.Text = name
	return &out
}
