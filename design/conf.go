package design

import (
	"strings"

	"weir/natsapi"
)

// Conf finds a key of nats-server.conf in what a design says of a server: in its
// block under conf, or beside the others at the top of conf, under any of its
// spellings. Asset is natsapi.Conf, "conf.jetstream" or another block; ok is false
// for what is not written or could not be read.
func (d *Design) Conf(server Server, asset natsapi.Asset, name string) (Value, bool) {
	f, known := natsapi.Lookup(asset, name)
	if server.Path == "" || !known {
		return Value{}, false
	}
	block := strings.TrimPrefix(strings.TrimPrefix(string(asset), string(natsapi.Conf)), ".")
	for _, prefix := range []string{block, ""} {
		at := Join(server.Path, "conf")
		for step := range strings.SplitSeq(prefix, ".") {
			if step != "" {
				at = Join(at, step)
			}
		}
		for _, spelling := range append([]string{f.Name}, f.Aliases...) {
			if v, ok := d.Value(Join(at, spelling)); ok && v.Kind != Invalid {
				return v, true
			}
		}
	}
	return Value{}, false
}

// Destinations are the subjects that one mapping of a nats-server.conf leads to, as it is
// written: a subject, a map with dest, or a list of these (server/opts.go, v2.15.2).
func Destinations(n *Node) []string {
	switch {
	case n.IsText():
		return []string{n.Text}
	case n.IsList():
		var out []string
		for _, item := range n.Items {
			out = append(out, Destinations(item)...)
		}
		return out
	case n.IsMap():
		for _, key := range []string{"dest", "destination"} {
			if to := n.Get(key); to.IsText() {
				return []string{to.Text}
			}
		}
	}
	return nil
}
