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
