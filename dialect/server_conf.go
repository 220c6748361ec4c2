package dialect

import (
	"bytes"
	"maps"
	"path"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// confDialect reads nats-server.conf. Weir writes no such file from here: one
// holds a server's own addresses and credentials, which a design does not.
var confDialect = Dialect{
	Name:      "conf",
	Title:     "nats-server.conf",
	Recognise: recogniseConf,
	Foreign: func(src *design.Source) bool {
		known, _, s := confKeysOf(src)
		return known == 0 && len(s.seen) > len(s.includes)
	},
	Read:         func(src *design.Source) Reading { return readConfs([]*design.Source{src}, nil) },
	ReadTogether: readConfs,
}

// recogniseConf looks whether the text can be followed as a nats-server.conf and
// has its keys; a file that is called .conf is taken for one.
func recogniseConf(src *design.Source) int {
	text := bytes.TrimSpace(src.Text)
	if len(text) == 0 || len(src.Text) > design.MaxFileBytes {
		return 0
	}
	ext := strings.ToLower(path.Ext(src.Name))
	if ext == ".conf" || ext == ".cfg" {
		return 85
	} else if ext == ".yaml" || ext == ".yml" || text[0] == '[' || ext == ".json" && text[0] != '{' {
		return 0
	}
	known, telling, s := confKeysOf(src)
	switch {
	case text[0] == '{':
		if telling && 2*known >= len(s.seen) && !slices.Contains(s.seen, "server_id") && !slices.Contains(s.seen, "config") { // varz and stream info have keys of a configuration too
			return 90 // above JSON of the API, which never has these keys
		}
		return 0
	case known == 0 && len(s.includes) == 0:
		return 0
	case s.stopped && !bytes.ContainsAny(text, "{="):
		return 0 // YAML whose first key happens to be one of the server's
	case s.stopped:
		return 30
	}
	return 60
}

// confKeysOf follows a text as a nats-server.conf and counts the keys at its top
// that are the server's; telling is true when one is of confTelling.
func confKeysOf(src *design.Source) (known int, telling bool, s *confScanner) {
	s = &confScanner{src: src, include: func(confInclude) *confNode { return nil }}
	s.run()
	for _, key := range s.seen {
		if row, ok := natsapi.Lookup(natsapi.Conf, key); ok {
			known++
			telling = telling || slices.Contains(confTelling, row.Name)
		}
	}
	return known, telling, s
}

// confTelling are keys at the top that no other JSON has than a nats-server.conf that
// is written as JSON, as the Helm chart writes it.
var confTelling = []string{"jetstream", "cluster", "gateway", "leafnodes", "accounts", "authorization", "server_name", "system_account", "resolver", "operator", "max_payload", "http_port", "websocket", "mqtt"}

// confServer is one file that no other includes, and what it says.
type confServer struct {
	src  *design.Source
	root *confValue
	keys []design.ConfKey
}

// cluster is the name of the server's cluster, "" without one.
func (s confServer) cluster() string {
	name, _ := s.root.get("cluster").get("name").text()
	return name
}

// remotes are the servers that it connects to as a leaf node.
func (s confServer) remotes() []*confValue {
	return itemsOf(s.root.get("leaf", "leafnodes").get("remotes"))
}

// readConfs reads the configuration files of servers. Files of one cluster are
// its nodes; one that connects to another server as a leaf node is a site of its
// own, when there is a hub besides; further clusters are further clusters.
func readConfs(those, all []*design.Source) Reading {
	p := newConfParser(append(slices.Clone(all), those...))
	p.findIncluded(those)
	var servers []confServer
	for _, src := range those {
		if p.used[src] {
			continue
		}
		p.partial = false
		root, _ := p.parse(src)
		if root == nil {
			continue
		}
		c, found := &confChecker{confParser: p, rules: confRules()}, len(p.problems)
		c.check(root)
		if c.rules == nil { // types alone would be wrong of values that have rules
			p.problems = p.problems[:found]
		}
		servers = append(servers, confServer{src, root, c.keys})
	}
	r := Reading{}
	for src := range p.used {
		r.Included = append(r.Included, src)
	}
	slices.SortFunc(r.Included, func(a, b *design.Source) int { return strings.Compare(a.Name, b.Name) })
	roles, w := map[string]int{}, &confWriter{parser: p, first: map[string]*design.Node{}}
	for _, s := range servers {
		roles[role(s, servers)]++
	}
	for _, s := range servers {
		w.alone = roles[role(s, servers)] == 1
		config, path := w.server(s, servers)
		for i := range s.keys {
			k := &s.keys[i]
			k.Server, k.Path = path, design.Join(design.Join(path, "conf"), k.Field.Name)
		}
		r.Parts = append(r.Parts, design.Part{Kind: "design", Config: config, ConfKeys: s.keys})
	}
	r.Problems = p.problems
	r.Problems.Sort()
	r.Problems = slices.CompactFunc(r.Problems, func(a, b design.Problem) bool { return a.Position == b.Position && a.Message == b.Message })
	return r
}

// findIncluded marks the files that another one includes: they are not judged by
// themselves.
func (p *confParser) findIncluded(sources []*design.Source) {
	for _, src := range sources {
		for _, name := range includesOf(src) {
			if file := p.files[name]; file != nil && file != src {
				p.used[file] = true
			}
		}
	}
}

// Includes are the files that a nats-server.conf includes, as paths from where its
// own name starts, in the order of the text; none for a text in another notation.
// Read reads of them what is among its sources.
func Includes(src *design.Source) []string {
	if d, ok := Recognise(src); !ok || d.Name != confDialect.Name {
		return nil
	}
	return includesOf(src)
}

func includesOf(src *design.Source) (names []string) {
	if src.Check() != nil {
		return nil
	}
	s := &confScanner{src: src, include: func(i confInclude) *confNode {
		names = append(names, path.Join(path.Dir(src.Name), i.name))
		return nil
	}}
	s.run()
	return names
}

// confWriter says in a design file's terms what a configuration says, and keeps
// the places.
type confWriter struct {
	parser *confParser
	alone  bool                    // no other file is about this server, and what is its own is said too where it matters
	first  map[string]*design.Node // what the first file of each role says
}

func confText(text string, at *confValue) *design.Node {
	return &design.Node{Kind: design.Scalar, Text: text, Quoted: true, Src: at.node.src, Start: at.node.start, End: at.node.end}
}

func confPlain(text string, at *confValue) *design.Node {
	n := confText(text, at)
	n.Quoted = false
	return n
}

// confVariable stands for a text that the server takes from its environment.
func confVariable(at *confValue) *design.Node { return confText("$"+at.node.variable, at) }

func confMap(at *confValue) *design.Node {
	return &design.Node{Kind: design.Map, Src: at.node.src, Start: at.node.start, End: at.node.end}
}

func confKeyNode(text string, f confKey) *design.Node {
	return &design.Node{Kind: design.Scalar, Text: text, Src: f.src, Start: f.start, End: f.end}
}

// confOfNode are settings of one node that its neighbours do not share.
var confOfNode = []string{"listen", "client_advertise", "port", "server_name", "host", "http", "https", "http_port", "https_port", "store_dir",
	"logfile", "pidfile", "ports_file_dir", "prof_port", "remote_syslog", "server_tags", "server_metadata", "websocket", "mqtt", "mappings", "proxies", "store"}

// keptAlone are those of them that matter to a design: the folder of JetStream, as the
// tables call it at the top and in its block, and mappings. They are kept where no other
// file is about the same servers.
var keptAlone = []string{"store_dir", "store", "mappings"}

// role is which servers of a design a file is about; files of one role are nodes of one
// cluster.
func role(s confServer, all []confServer) string {
	if isSite(s, all) {
		return "site " + siteName(s)
	}
	return "cluster " + s.cluster()
}

// isSite reports whether a file is about a leaf node: its hub is another file, or there
// are several sites and the hub's file is missing.
func isSite(s confServer, all []confServer) bool {
	return len(s.remotes()) > 0 && slices.ContainsFunc(all, func(other confServer) bool {
		return len(other.remotes()) == 0 || siteName(other) != siteName(s)
	})
}

// server is one file as part of a design, and the path of its server there.
func (w *confWriter) server(s confServer, all []confServer) (part *design.Node, at string) {
	root, server := confMap(s.root), confMap(s.root)
	key := confKey{src: s.src}
	conf := w.block(natsapi.Conf, s.root)
	if first := w.first[role(s, all)]; first != nil {
		w.differing(first, conf)
	} else {
		w.first[role(s, all)] = conf
	}
	if len(conf.Keys) > 0 {
		server.Put(confKeyNode("conf", key), conf)
	}
	if v := s.root.get("jetstream").get("domain"); v != nil {
		if name, ok := v.text(); ok {
			server.Put(confKeyNode("domain", key), confText(name, v))
		} else if v.open && v.node.variable != "" {
			server.Put(confKeyNode("domain", key), confVariable(v))
		}
	}
	if nodes := nodesOf(s, all); nodes > 1 {
		cluster := s.root.get("cluster")
		server.Put(confKeyNode("nodes", key), confPlain(itoa(nodes), cluster))
		if host := sameMachine(cluster); host != "" { // one zone: what fails together
			zones := confMap(cluster.get("routes"))
			zones.Kind, zones.Items = design.List, []*design.Node{confText(host, cluster.get("routes"))}
			server.Put(confKeyNode("zones", key), zones)
		}
	} else if jetstream := s.root.get("jetstream"); jetstream != nil && s.root.get("cluster") == nil {
		server.Put(confKeyNode("nodes", key), confPlain("1", jetstream)) // JetStream of one server: no replicas
	}
	hub := hubOf(all)
	switch {
	case isSite(s, all):
		site := confMap(s.root)
		w.put(site, "domain", server.Get("domain"))
		site.Put(confKeyNode("server", key), server)
		w.nest(root, "leafnodes", siteName(s), site, key)
		at = design.Join(design.Join("leafnodes", siteName(s)), "server")
	case s.cluster() != "" && hub.cluster() != "" && s.cluster() != hub.cluster():
		w.nest(root, "clusters", s.cluster(), server, key)
		at = design.Join("clusters", s.cluster())
		link := confMap(s.root)
		between := confMap(s.root)
		between.Kind = design.List
		between.Items = []*design.Node{confText("hub", s.root), confText(s.cluster(), s.root)}
		link.Put(confKeyNode("between", key), between)
		w.nest(root, "gateways", "hub-"+s.cluster(), link, key)
	default:
		if len(server.Keys) > 0 {
			root.Put(confKeyNode("server", key), server)
		}
		w.accounts(root, s.root)
		at = "server"
	}
	return root, at
}

func (w *confWriter) put(m *design.Node, name string, value *design.Node) {
	if value != nil {
		m.Put(&design.Node{Kind: design.Scalar, Text: name, Src: value.Src, Start: value.Start, End: value.Start}, value)
	}
}

func (w *confWriter) nest(root *design.Node, kind, name string, value *design.Node, key confKey) {
	m := &design.Node{Kind: design.Map, Src: value.Src, Start: value.Start, End: value.End}
	m.Put(confKeyNode(name, key), value)
	root.Put(confKeyNode(kind, key), m)
}

// hubOf is the first server that connects to no other as a leaf node, else the
// first.
func hubOf(all []confServer) confServer {
	for _, s := range all {
		if len(s.remotes()) == 0 {
			return s
		}
	}
	return all[0]
}

// siteName is what a leaf node is called: its cluster, its server's name, or the
// name of its file.
func siteName(s confServer) string {
	if name := s.cluster(); name != "" {
		return name
	}
	if name, ok := s.root.get("server_name").text(); ok && name != "" {
		return name
	}
	base := path.Base(s.src.Name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// nodesOf counts the servers of a cluster: the files that name it, or the routes
// of the one there is, in which people list all of its servers.
func nodesOf(s confServer, all []confServer) int {
	cluster := s.root.get("cluster")
	if cluster == nil {
		return 1
	}
	files := 0
	for _, other := range all {
		if other.root.get("cluster") != nil && other.cluster() == s.cluster() {
			files++
		}
	}
	if files > 1 {
		return files
	}
	return len(routesOf(cluster))
}

// routesOf are the host and port of each server that a cluster's routes name, sorted.
func routesOf(cluster *confValue) []string {
	hosts := map[string]bool{}
	for _, v := range textsIn(cluster.get("routes")) {
		address, _ := v.text()
		hosts[address[strings.LastIndexAny(address, "@/")+1:]] = true
	}
	return slices.Sorted(maps.Keys(hosts))
}

// sameMachine is the host on which all servers of a cluster run by its routes, each at
// a port of its own; "" where they are on several, or are one name for all.
func sameMachine(cluster *confValue) string {
	routes, host := routesOf(cluster), ""
	for i, route := range routes {
		at := strings.LastIndexByte(route, ':')
		if at <= 0 || i > 0 && route[:at] != host {
			return ""
		}
		host = route[:at]
	}
	if len(routes) < 2 {
		return ""
	}
	return host
}

// block is what a block says that a design has a place for, by the tables'
// names.
func (w *confWriter) block(asset natsapi.Asset, v *confValue) *design.Node {
	out := confMap(v)
	rows := map[string]*design.Field{}
	for _, f := range design.Fields(string(asset)) {
		if f.Asset == asset {
			rows[f.Name] = f
		}
	}
	for _, f := range v.fields {
		row, ok := natsapi.Lookup(asset, f.text)
		if !ok || rows[row.Name] == nil || slices.Contains(confOfNode, row.Name) && !(w.alone && slices.Contains(keptAlone, row.Name)) || asset == "conf.jetstream" && row.Name == "domain" {
			continue
		}
		if f.value.open {
			if row.Type == natsapi.String && row.Enum == nil && f.value.node.variable != "" && out.Get(row.Name) == nil {
				out.Put(confKeyNode(row.Name, f.confKey), confVariable(f.value))
			}
			continue
		}
		if n := w.value(row, f.value); n != nil && out.Get(row.Name) == nil {
			out.Put(confKeyNode(row.Name, f.confKey), n)
		}
	}
	return out
}

// differing takes out of a block what another file about the same servers has another
// value of, and says so: a design has one value for all nodes of a cluster, and servers
// need not be alike. Of what a node may store the larger value stays, with which nothing
// is refused that one of them takes.
func (w *confWriter) differing(first, block *design.Node) {
	for i := 0; i < len(block.Keys); i++ {
		key, value := block.Keys[i], block.Items[i]
		have := first.Get(key.Text)
		switch {
		case have == nil || have.Kind != value.Kind:
			continue
		case value.Kind == design.Map:
			w.differing(have, value)
			continue
		case value.Kind != design.Scalar || have.Text == value.Text:
			continue
		}
		kept := "the one there"
		if strings.HasSuffix(key.Text, "_store") {
			kept = "the larger"
			one, _ := design.ParseSize(have.Text)
			if other, err := design.ParseSize(value.Text); err == nil && other > one {
				first.Items[slices.Index(first.Items, have)] = value
			}
		}
		w.parser.say(design.CodeConflict, design.Info, value.Src.Place(value.Start, value.End),
			"%s: %s is not the %s of %s; the servers of a cluster may differ, and are judged by %s", key.Text, value.Text, have.Text, have.Place(), kept)
		block.Keys, block.Items = slices.Delete(block.Keys, i, i+1), slices.Delete(block.Items, i, i+1)
		i--
	}
}

// value is one value of the tables in a design file's spelling; nil for one that
// the server does not take.
func (w *confWriter) value(row natsapi.Field, v *confValue) *design.Node {
	switch {
	case v.isMap && row.Type == natsapi.Map:
		return w.mapOf(row, v)
	case v.isMap:
		if row.Of == "" {
			return nil
		}
		return w.block(row.Of, v)
	case v.isList:
		return w.list(row, v)
	}
	switch x := v.scalar.(type) {
	case bool:
		return confPlain(map[bool]string{true: "true", false: "false"}[x], v)
	case string:
		return w.text(row, x, v)
	case int64:
		switch row.Type {
		case natsapi.Size:
			return confPlain(design.FormatSize(x), v)
		case natsapi.Duration:
			n, ok := (&confChecker{confParser: &confParser{}}).duration(row, v)
			if !ok {
				return nil
			}
			return confPlain(design.FormatDuration(n), v)
		}
		return confPlain(itoa(int(x)), v)
	}
	return nil
}

func (w *confWriter) text(row natsapi.Field, s string, v *confValue) *design.Node {
	switch row.Type {
	case natsapi.Size:
		if n, err := storageSize(s); err == nil && row.Asset == "conf.jetstream" {
			return confPlain(design.FormatSize(n), v)
		}
		return nil
	case natsapi.Duration:
		n, ok := (&confChecker{}).duration(row, v)
		if ok {
			return confPlain(design.FormatDuration(n), v)
		}
		if !slices.ContainsFunc(row.Enum, func(e natsapi.EnumValue) bool { return strings.EqualFold(e.Name, s) }) {
			return nil
		}
	}
	for _, e := range row.Enum {
		if strings.EqualFold(e.Name, s) {
			return confText(e.Name, v)
		}
	}
	return confText(s, v)
}

func (w *confWriter) mapOf(row natsapi.Field, v *confValue) *design.Node {
	out := confMap(v)
	elem := row
	elem.Type, elem.Also = row.Elem, nil
	for _, f := range v.fields {
		if n := w.value(elem, f.value); n != nil {
			out.Put(confKeyNode(f.text, f.confKey), n)
		}
	}
	return out
}

func (w *confWriter) list(row natsapi.Field, v *confValue) *design.Node {
	out := confMap(v)
	out.Kind = design.List
	elem := row
	elem.Type, elem.Also = row.Elem, nil
	for _, item := range v.items {
		if n := w.value(elem, item); n != nil {
			out.Items = append(out.Items, n)
		}
	}
	return out
}
