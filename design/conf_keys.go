package design

import (
	"slices"

	"weir/natsapi"
)

// ConfKey is a key of nats-server.conf that not every server version has: a
// server does not start with a key that it does not know (server/opts.go,
// unknownConfigFieldErr).
type ConfKey struct {
	// Field is the key's row. Around are the blocks that it stands in as far as they
	// came with a version too, outermost first.
	Field  natsapi.Field
	Around []natsapi.Field
	// Server is the path of the server whose file it is: server,
	// leafnodes.plant.server, clusters.east. Path is that of the key below it.
	Server, Path string
	Position
}

// Versioned reports whether a field is not in every version that Weir knows.
func Versioned(f natsapi.Field) bool {
	return slices.ContainsFunc(natsapi.Known(), func(v natsapi.Version) bool { return !f.In(v) })
}

// ConfKeys are the keys under server.conf of the design's servers, and those of
// the files of servers that were read into it, that not every server version has,
// in the order of the text.
func (d *Design) ConfKeys() []ConfKey {
	w := confWalk{out: slices.Clone(d.confKeys)}
	servers := []string{"server"}
	for _, l := range d.Leafnodes {
		servers = append(servers, Join(l.Path, "server"))
	}
	for _, c := range d.Clusters {
		servers = append(servers, Join("clusters", c.Name))
	}
	for _, w.server = range servers {
		path := Join(w.server, "conf")
		if n, s, _ := d.find(path); n.IsMap() {
			w.object(n, objectOf(s), path, nil)
		}
	}
	slices.SortStableFunc(w.out, func(a, b ConfKey) int { return a.Position.Compare(b.Position) })
	return slices.CompactFunc(w.out, func(a, b ConfKey) bool { return a.Position == b.Position && a.Field.Name == b.Field.Name })
}

// confWalk looks for keys that came with a version in the tree of a design.
type confWalk struct {
	server string
	out    []ConfKey
}

func (w *confWalk) object(n *Node, set *fieldSet, path string, around []natsapi.Field) {
	if set == nil || !n.IsMap() {
		return
	}
	for i, key := range n.Keys {
		f := set.byName[key.Text]
		if f == nil || !f.Asset.IsConf() {
			continue
		}
		at, inside := Join(path, key.Text), around
		if Versioned(f.Field) {
			w.out = append(w.out, ConfKey{f.Field, around, w.server, at, key.Place()})
			inside = append(slices.Clip(around), f.Field)
		}
		w.value(n.Items[i], f.shape, at, inside)
	}
}

// value goes on below a key: into a block, or the blocks of a map or list.
func (w *confWalk) value(n *Node, s *shape, path string, around []natsapi.Field) {
	s = s.pick(n)
	switch {
	case s.kind == kindObject:
		w.object(n, s.set, path, around)
	case s.kind == kindMap && n.IsMap():
		for i, key := range n.Keys {
			w.value(n.Items[i], s.elem, Join(path, key.Text), around)
		}
	case s.kind == kindList && n.IsList():
		for i, item := range n.Items {
			w.value(item, s.elem, Index(path, i), around)
		}
	}
}
