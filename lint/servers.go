package lint

import (
	"strings"

	"weir/design"
	"weir/natsapi"
)

// everyServer are the kinds of servers that a design describes: the hub's, those
// of further clusters, and those of leaf node sites.
func (f *Facts) everyServer() []design.Server {
	var out []design.Server
	add := func(s design.Server) {
		if s.Path != "" && f.Has(s.Path) {
			out = append(out, s)
		}
	}
	add(f.Server)
	for _, c := range f.Clusters {
		add(c.Server)
	}
	for _, l := range f.Leafnodes {
		add(l.Server)
	}
	return out
}

// confNumber is a size, count or duration of a server's nats-server.conf and the
// path where it is written; "" when it is not.
func (f *Facts) confNumber(s design.Server, asset natsapi.Asset, name string) (n int64, path string) {
	v, ok := f.Conf(s, asset, name)
	if !ok || v.Int <= 0 {
		return 0, ""
	}
	return v.Int, f.confPath(s, asset, name)
}

// confPath is where a key of nats-server.conf stands in what a design says of a
// server, in its block or beside the others; where it would stand when it is not
// written.
func (f *Facts) confPath(s design.Server, asset natsapi.Asset, name string) string {
	conf := design.Join(s.Path, "conf")
	at := conf
	for step := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(string(asset), string(natsapi.Conf)), "."), ".") {
		if step != "" {
			at = design.Join(at, step)
		}
	}
	row, _ := natsapi.Lookup(asset, name)
	for _, block := range []string{at, conf} {
		for _, spelling := range append([]string{name, row.Name}, row.Aliases...) {
			if p := design.Join(block, spelling); f.Has(p) {
				return p
			}
		}
	}
	return design.Join(at, name)
}

// ownConf reports whether a key stands in a nats-server.conf of one server, and not
// in a design file, which leaves out what Weir writes itself.
func (f *Facts) ownConf(s design.Server, key string) bool {
	at := design.Join(design.Join(s.Path, "conf"), key)
	return f.Has(at) && s.Nodes <= 1 && (!f.saysAll() || f.Where(at).File != f.Where("weir").File)
}

// storedOn calls visit for each accepted stream and bucket of a server's kind,
// with the share of its replicas that stands on one of the servers.
func (f *Facts) storedOn(s design.Server, visit func(stream *Stream, copies float64)) {
	f.AcceptedStreams(func(o *Stream) {
		if o.Site.Server.Path == s.Path {
			visit(o, float64(max(o.Config.Replicas, 1))/float64(max(len(o.Site.Setting.Nodes), 1)))
		}
	})
}
