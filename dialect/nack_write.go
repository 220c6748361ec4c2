package dialect

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// writeNACK writes a resource for each stream, consumer and bucket of the hub and
// its accounts.
func writeNACK(d *design.Design) ([]File, design.Problems) {
	w := &nackWriter{d: d, names: map[string]bool{}, unsaid: unsaid(d, nackTitle)}
	for _, s := range d.Scopes() {
		w.account = s.Account
		if s.Leafnode != "" {
			continue // said by unsaid: the site has a controller of its own
		}
		for _, stream := range s.Streams {
			if w.metadata = stream.Config.Metadata; !stream.Assumed {
				w.resource("Stream", natsapi.Stream, stream.Path, stream.Name, "streams/"+fileName(stream.Name), given{"name", stream.Name})
			}
			for _, c := range stream.Consumers {
				w.metadata = c.Config.Metadata
				w.resource("Consumer", natsapi.Consumer, c.Path, c.Name, "consumers/"+fileName(stream.Name)+"/"+fileName(c.Name),
					given{"streamName", stream.Name}, given{"durableName", c.Name})
			}
		}
		for _, b := range s.KV {
			w.metadata = b.Config.Metadata
			w.resource("KeyValue", natsapi.KV, b.Path, b.Name, "kv/"+fileName(b.Name), given{"bucket", b.Name})
		}
		for _, b := range s.Objects {
			w.metadata = b.Config.Metadata
			w.resource("ObjectStore", natsapi.ObjectStore, b.Path, b.Name, "objects/"+fileName(b.Name), given{"bucket", b.Name})
		}
	}
	w.unsaid.Sort()
	return apart(w.files), w.unsaid
}

type nackWriter struct {
	d        *design.Design
	account  string
	metadata map[string]string // of the asset that is being written
	names    map[string]bool   // of resources, by kind
	files    []File
	unsaid   design.Problems
	b        strings.Builder
}

// given is a key of a resource that stands whatever the design writes.
type given struct{ key, value string }

// resource writes one resource into a file.
func (w *nackWriter) resource(kind string, asset natsapi.Asset, path, name, file string, keys ...given) {
	w.b.Reset()
	w.line(0, "apiVersion: "+nackGroup+"v1beta2")
	w.line(0, "kind: "+kind)
	w.line(0, "metadata:")
	w.line(1, "name: "+w.resourceName(kind, name))
	w.line(0, "spec:")
	for _, k := range keys {
		w.line(1, k.key+": "+design.YAMLText(k.value))
	}
	if w.account != design.Hub {
		w.line(1, "account: "+design.YAMLText(w.account))
	}
	w.fields(1, path, asset)
	w.defaults(asset, path)
	w.files = append(w.files, File{Path: scopePath(&design.Scope{Account: w.account}) + file + ".yaml", Text: []byte(w.b.String())})
}

// defaults writes what the server would assume and the resource's own default
// would change.
func (w *nackWriter) defaults(asset natsapi.Asset, path string) {
	if asset == natsapi.Stream && !w.d.Has(design.Join(path, "storage")) {
		w.line(1, "storage: file")
	}
	switch {
	case asset == natsapi.Stream && !w.d.Has(design.Join(path, "max_age")):
		w.line(1, "maxAge: 0s") // left out, the controller makes it a year
	case asset == natsapi.Consumer && !w.d.Has(design.Join(path, "ack_wait")) && !w.d.Has(design.Join(path, "backoff")):
		if v, ok := w.d.Value(design.Join(path, "ack_policy")); ok && v.Text != "none" {
			f, _ := natsapi.Lookup(natsapi.Consumer, "ack_wait")
			w.line(1, "ackWait: "+f.Default)
		}
	}
}

// fields writes what the design says of an asset at a path.
func (w *nackWriter) fields(depth int, path string, asset natsapi.Asset) {
	for _, f := range natsapi.Fields(asset) {
		at := design.Join(path, f.Name)
		key := nackKey(asset, f.Name)
		switch {
		case !w.d.Has(at), depth == 1 && (f.Name == "name" || f.Name == "bucket" || f.Name == "durable_name"):
		case f.Of == natsapi.External:
			w.fields(depth, at, f.Of)
		case key == "":
			w.leaveOut(at, f.Name)
		case f.Type == natsapi.List:
			w.list(depth, key, at, f)
		case f.Of != "":
			w.line(depth, key+":")
			w.fields(depth+1, at, f.Of)
		case f.Type == natsapi.Map:
			w.words(depth, key, w.metadata)
		default:
			if v, ok := w.d.Value(at); ok {
				w.line(depth, key+": "+nackScalar(v))
			}
		}
	}
}

func (w *nackWriter) list(depth int, key, path string, f natsapi.Field) {
	w.line(depth, key+":")
	for i := 0; w.d.Has(design.Index(path, i)); i++ {
		at := design.Index(path, i)
		if f.Of != "" {
			w.line(depth+1, "-")
			w.fields(depth+2, at, f.Of)
		} else if v, ok := w.d.Value(at); ok {
			w.line(depth+1, "- "+nackScalar(v))
		}
	}
}

// words writes a map of the user's own keys.
func (w *nackWriter) words(depth int, key string, words map[string]string) {
	w.line(depth, key+":")
	for _, name := range slices.Sorted(maps.Keys(words)) {
		w.line(depth+1, design.YAMLText(name)+": "+design.YAMLText(words[name]))
	}
}

func (w *nackWriter) leaveOut(path, name string) {
	w.unsaid = append(w.unsaid, design.Problem{Code: design.CodeUnsaid, Severity: design.Warning, Path: path, Position: w.d.Where(path),
		Message: name + " cannot be said in " + nackTitle})
}

// resourceName is a name that Kubernetes takes, RFC 1123, and that no other
// resource of the kind has.
func (w *nackWriter) resourceName(kind, name string) string {
	if w.account != design.Hub {
		name = w.account + "-" + name
	}
	base := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, name)
	const longest = 50 // of the 63 that a label may have: a number may follow
	base = base[:min(len(base), longest)]
	base = strings.Trim(base, "-")
	if base == "" {
		base = strings.ToLower(kind)
	}
	unique := base
	for i := 2; w.names[kind+"/"+unique]; i++ {
		unique = fmt.Sprintf("%s-%d", base, i)
	}
	w.names[kind+"/"+unique] = true
	return unique
}

func (w *nackWriter) line(depth int, text string) {
	w.b.WriteString(strings.Repeat("  ", depth) + text + "\n")
}

func nackScalar(v design.Value) string {
	switch v.Kind {
	case design.Duration:
		return design.YAMLText(design.FormatDuration(v.Int))
	case design.Size:
		return fmt.Sprint(v.Int)
	case design.Bool:
		return fmt.Sprint(v.Bool)
	case design.Text:
		if v.Field != nil && v.Field.Type == natsapi.Enum {
			return camelCase(v.Text)
		}
		return design.YAMLText(v.Text)
	}
	return v.Raw()
}
