package synth

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"weir/design"
	"weir/natsapi"
	"weir/size"
)

var _ = target(Target{
	Name: "server-conf", Title: "nats-server.conf of each node", Group: Configuration, Order: 3,
	About: "A nats-server.conf for each server of the hub, of clusters and of leaf node sites, and a user for each client who may do what it has to and nothing else. Passwords come from the environment.",
	Proof: "TestServerConfCluster", Proves: "all servers of clusters, gateways and leaf node sites start from them and find each other; what each user needs works with nats.go's own calls, the rest is refused",
	Opens: "accounts.conf",
	write: writeServerConf,
})

// The ports that every node listens on where the design gives none: clients, routes,
// gateways, leaf nodes and monitoring.
const (
	clientPort     = 4222
	routePort      = 6222
	gatewayPort    = 7222
	leafPort       = 7422
	monitoringPort = 8222
)

// tlsLine is where TLS belongs: a comment, because keys and certificates are no part of a
// design. The README says what it takes to make it more.
const tlsLine = `#tls {cert_file: "/certs/server.pem", key_file: "/certs/server-key.pem", ca_file: "/certs/ca.pem"}`

func writeServerConf(d *design.Design) ([]File, []Note, error) {
	all, err := confSites(d)
	if err != nil {
		return nil, nil, err
	}
	var files []File
	var notes []Note
	for _, c := range all {
		for i := range c.site.Cluster.Servers {
			files = append(files, File{Path: c.path(i), Text: c.node(i)})
		}
		files = append(files, File{Path: c.folder() + "accounts.conf", Text: c.accounts()})
		notes = append(notes, c.notes...)
	}
	notes = append(notes, clusterNotes(d, all)...)
	return append(files, File{Path: "README.md", Text: confReadme(all)}), notes, nil
}

// confSites are the groups of servers that are written: the hub, the clusters beside it,
// and the kinds of leaf node sites. A design that names clusters and no server has no hub.
func confSites(d *design.Design) ([]*confWriter, error) {
	sized, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return nil, fmt.Errorf("size the design: %w", err)
	}
	var out []*confWriter
	for i := range sized.Sites { // in this order: FromDesign
		c := &confWriter{d: d, site: &sized.Sites[i]}
		switch kinds := 1 + len(d.Clusters); {
		case i == 0:
			c.server = &d.Server
		case i < kinds:
			c.beside = d.Clusters[i-1]
			c.server = &c.beside.Server
		default:
			c.leaf = d.Leafnodes[i-kinds]
			c.server = &c.leaf.Server
		}
		if i > 0 || hasHub(d) {
			out = append(out, c)
		}
	}
	if hasHub(d) {
		out[0].domains(d)
	}
	return out, nil
}

// domains notes what a stream sources or mirrors from a domain of JetStream that no
// server will have: above all that of a site of which there are several, since each
// needs one of its own.
func (c *confWriter) domains(d *design.Design) {
	there, several := map[string]bool{d.Server.Domain: true}, map[string]int{}
	for _, l := range d.Leafnodes {
		domain := l.Domain
		if domain == "" {
			domain = l.Server.Domain
		}
		if l.Count > 1 {
			several[domain] = l.Count
			for i := range l.Count {
				there[fmt.Sprintf("%s-%d", domain, i+1)] = true
			}
			continue
		}
		there[domain] = true
	}
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			for _, from := range append(slices.Clone(s.Config.Sources), s.Config.Mirror) {
				if from == nil || from.External == nil {
					continue
				}
				domain, ok := strings.CutPrefix(strings.TrimSuffix(from.External.ApiPrefix, ".API"), "$JS.")
				switch {
				case !ok || domain == "API" || there[domain]:
				case several[domain] > 0:
					c.note(s.Path, "%s is asked for in the domain %s, which no server has: the %d sites are %[2]s-1 to %[2]s-%[3]d here, because each needs a domain of its own. Write a source for each, with api: $JS.%[2]s-1.API and so on",
						comment(from.Name), comment(domain), several[domain])
				default:
					c.note(s.Path, "%s is asked for in the domain %s, which no server of the design has", comment(from.Name), comment(domain))
				}
			}
		}
	}
}

// confWriter writes the configuration of the servers of one site: the hub, a cluster
// beside it, or a leaf node site.
type confWriter struct {
	d      *design.Design
	site   *size.SiteSize
	server *design.Server
	beside *design.Cluster  // nil for the hub and sites
	leaf   *design.Leafnode // nil for the hub and clusters
	notes  []Note
	b      strings.Builder
	depth  int
}

func (c *confWriter) line(format string, args ...any) {
	c.b.WriteString(strings.Repeat("  ", c.depth))
	fmt.Fprintf(&c.b, format, args...)
	c.b.WriteByte('\n')
}

func (c *confWriter) open(name string) {
	c.line("%s {", name)
	c.depth++
}

func (c *confWriter) close() {
	c.depth--
	c.line("}")
}

// take returns what was written, and starts anew.
func (c *confWriter) take() string {
	text := c.b.String()
	c.b.Reset()
	return text
}

// folder is where the files of a site are, with a slash at its end; "" for the hub.
func (c *confWriter) folder() string {
	switch {
	case c.leaf != nil:
		return "leafnodes/" + siteWord(c.d, c.leaf.Path) + "/"
	case c.beside != nil:
		return "clusters/" + siteWord(c.d, c.beside.Path) + "/"
	}
	return ""
}

// path is the file of server i.
func (c *confWriter) path(i int) string {
	return c.folder() + c.site.Cluster.Servers[i].Name + ".conf"
}

// host is the name of server i, unlike that of every other server of the design.
func (c *confWriter) host(i int) string {
	name := c.site.Cluster.Servers[i].Name
	switch {
	case c.leaf != nil:
		return siteWord(c.d, c.leaf.Path) + "-" + name
	case c.beside != nil:
		return siteWord(c.d, c.beside.Path) + "-" + name
	}
	return name
}

// siteWord is the name of a cluster or leaf node site in paths, names of hosts and
// variables, which do not tell capitals from small letters: of several that are alike
// there, all but the first have a number.
func siteWord(d *design.Design, path string) string {
	taken := map[string]bool{}
	word := ""
	take := func(name, at string) bool {
		alike := fileWord(name)
		word = alike
		for n := 2; taken[variableWord(word)]; n++ {
			word = withSuffix(alike, "-"+strconv.Itoa(n))
		}
		taken[variableWord(word)] = true
		return at == path
	}
	for _, c := range d.Clusters {
		if take(c.Name, c.Path) {
			return word
		}
	}
	for _, l := range d.Leafnodes {
		if take(l.Name, l.Path) {
			return word
		}
	}
	return word
}

// whose says whose servers these are, in a comment.
func (c *confWriter) whose() string {
	switch {
	case c.leaf != nil:
		return orName(c.d.Name) + ", site " + comment(c.site.Name)
	case c.beside != nil:
		return orName(c.d.Name) + ", cluster " + comment(c.site.Name)
	}
	return orName(c.d.Name)
}

// note keeps what the design leaves open.
func (c *confWriter) note(path, format string, args ...any) {
	c.notes = append(c.notes, Note{path, fmt.Sprintf(format, args...)})
}

// node is the file of one server.
func (c *confWriter) node(i int) string {
	servers := len(c.site.Cluster.Servers)
	c.line("# Server %s of %s, %d in all. Written by Weir from the design; change the design, not this.", c.host(i), c.whose(), servers)
	given, named := c.top("server_name")
	switch {
	case c.copies():
		c.line("server_name: $SERVER_NAME # another on each server of the %d sites", c.leaf.Count)
	case named && servers == 1:
		c.line("server_name: %s", confQuoted(given.Text))
	default:
		c.line("server_name: %s", confQuoted(c.host(i)))
		if named && i == 0 {
			c.note(c.conf()+".server_name", "server_name is not written: %d servers would have the same one, and each needs its own", servers)
		}
	}
	if !c.hasTop("listen", "port", "host") {
		c.line("listen: \"0.0.0.0:%d\"", clientPort)
	}
	if !c.hasTop("http", "http_port", "https", "https_port") {
		c.line("http: \"127.0.0.1:%d\" # monitoring, for this machine alone", monitoringPort)
	}
	if tags := c.tags(i); len(tags) > 0 {
		c.line("server_tags: [%s]", confList(tags))
	}
	c.line("%s # for clients", tlsLine)
	c.written("", "jetstream", "server_name", "server_tags", "mappings", "maps")
	c.jetStream(i)
	if c.clustered() {
		c.cluster()
	}
	c.gateway()
	c.leafnodes()
	c.line("include accounts.conf")
	return c.take()
}

// top is a setting of the design that stands at the top of a configuration.
func (c *confWriter) top(key string) (design.Value, bool) {
	return c.d.Conf(*c.server, natsapi.Conf, key)
}

// hasTop reports whether the design gives one of some settings.
func (c *confWriter) hasTop(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := c.top(key); return ok })
}

// tags are those of server i: of its zone, and what the design gives to all.
func (c *confWriter) tags(i int) []string {
	out := slices.Clone(c.site.Cluster.Servers[i].Tags)
	add := func(n *design.Node) {
		if n.IsText() && !slices.Contains(out, n.Text) {
			out = append(out, n.Text)
		}
	}
	if v, ok := c.top("server_tags"); ok {
		add(v.Node)
		for _, item := range v.Node.Items {
			add(item)
		}
	}
	return out
}

// clustered reports whether the servers have routes. A cluster of one has them as well
// where there are gateways, to itself: JetStream does not start without a configured route
// there (jetstream_cluster.go enableJetStreamClustering, v2.15.2).
func (c *confWriter) clustered() bool {
	return len(c.site.Cluster.Servers) > 1 || len(c.linked()) > 0
}

// copies reports whether the files are for several sites that are alike.
func (c *confWriter) copies() bool { return c.leaf != nil && c.leaf.Count > 1 }

// leafnodes is where servers listen for sites, or where a site finds them.
func (c *confWriter) leafnodes() {
	if c.leaf != nil {
		c.line("leafnodes {remotes: [")
		c.depth++
		c.line("# A list: nats-leaf://%s:PASSWORD@HOST:%d for each server of %s.", comment(leafUser(c.leaf)), leafPort, c.hubOfSite())
		c.line("{")
		c.depth++
		c.line("urls: $%s, account: %s", hubVariable(c.d, c.leaf), confQuoted(c.title(c.leaf.Account)))
		c.line("%s", tlsLine)
		c.depth--
		c.line("}")
		c.depth--
		c.line("]}")
		return
	}
	if len(c.sitesHere()) == 0 {
		return
	}
	c.open("leafnodes")
	c.line("listen: \"0.0.0.0:%d\" # for sites", leafPort)
	c.line("%s", tlsLine)
	c.line("authorization: {users: [")
	c.depth++
	for _, l := range c.sitesHere() {
		c.line("{user: %s, password: $%s, account: %s}", confQuoted(leafUser(l)), leafPassword(c.d, l), confQuoted(c.title(bound(l))))
	}
	c.depth--
	c.line("]}")
	c.close()
}

// bound is the account of the hub that a site belongs to.
func bound(l *design.Leafnode) string {
	if l.BindTo == "" {
		return design.Hub
	}
	return l.BindTo
}

// leafUser is the user that a site connects to the hub as.
func leafUser(l *design.Leafnode) string { return "leaf-" + l.Name }

// leafPassword is the environment variable of that user's password.
func leafPassword(d *design.Design, l *design.Leafnode) string {
	return passwordVariable(design.Hub, "leaf-"+siteWord(d, l.Path))
}

// hubVariable is the environment variable of where a site finds the hub, with the
// password in it: a server takes it from the address alone.
func hubVariable(d *design.Design, l *design.Leafnode) string {
	return strings.TrimSuffix(leafPassword(d, l), "_PASSWORD") + "_URLS"
}

// title is the name of an account in the files. $G has another one, because the server
// keeps $G for users without an account.
func (c *confWriter) title(account string) string {
	if account != design.Hub && account != "" {
		return account
	}
	title := "WEIR"
	for slices.ContainsFunc(c.d.Accounts, func(a *design.Account) bool { return a.Name == title }) {
		title += "_"
	}
	return title
}

func orName(name string) string {
	if name == "" {
		return "a design without a name"
	}
	return comment(name)
}

// jetStream is the block of JetStream: what the design says, and the limits that
// the sizing asks for.
func (c *confWriter) jetStream(i int) {
	c.open("jetstream")
	c.line("store_dir: %s", confQuoted(c.storeDir()))
	switch domain := c.domain(); {
	case domain != "" && c.copies():
		c.line("domain: $SITE_DOMAIN # %s-1 to %s-%d, one for each site", comment(domain), comment(domain), c.leaf.Count)
	case domain != "":
		c.line("domain: %s", confQuoted(domain))
	}
	pod := c.site.Pods[i]
	if !c.has("max_file_store") && pod.MaxFileStore.Value > 0 {
		c.store(i, "max_file_store", size.File, pod.MaxFileStore, pod.MaxFileStore.Formula)
	}
	if !c.has("max_memory_store") {
		c.store(i, "max_memory_store", size.Memory, pod.MaxMemoryStore, "reported bytes of streams in memory")
	}
	c.written("jetstream", "store_dir", "domain")
	c.close()
}

// store writes a limit of server i: what its streams need, or the most that its
// machine has for them, which the server then refuses to go beyond.
func (c *confWriter) store(i int, key string, kind size.Storage, need size.Figure, why string) {
	most, known := c.room(i, kind)
	if accounts := c.reserved(kind); accounts > 0 {
		need.Value += float64(accounts)
		why += ", and what accounts may have"
		if known && float64(accounts) > most.Value {
			c.note("accounts", "the limits of accounts are %s together, and %s is %s: a server alone does not start with that (10028, 10047)", size.FormatBytes(float64(accounts)), key, size.FormatBytes(most.Value))
		}
	}
	if !known || need.Value <= most.Value {
		c.line("%s: %d # %s: %s", key, need.Int(), size.FormatBytes(need.Value), comment(why))
		return
	}
	c.line("%s: %d # what the machine has for it; the streams want %s", key, most.Int(), size.FormatBytes(need.Value))
	if i == 0 {
		c.note(c.server.Path, "%s is %s, the most that each server has room for: the streams want %s, and are refused beyond", key, size.FormatBytes(most.Value), size.FormatBytes(need.Value))
	}
}

// reserved is what the limits of accounts hold a server to have, which one alone checks
// when it starts (jetstream.go sufficientResources, v2.15.2).
func (c *confWriter) reserved(kind size.Storage) (bytes int64) {
	if c.clustered() || c.leaf != nil || c.beside != nil {
		return 0
	}
	key := map[size.Storage]string{size.File: "max_storage", size.Memory: "max_memory"}[kind]
	for _, a := range c.d.Accounts {
		if v, ok := c.d.Value(design.Join(design.Join(design.Join("accounts", a.Name), "limits"), key)); ok {
			bytes += max(v.Int, 0)
		}
	}
	return bytes
}

// room is the most that the machine of server i has for a store: the share of its
// volume that sizing advises, or what the server itself would take of its memory.
func (c *confWriter) room(i int, kind size.Storage) (most size.Figure, known bool) {
	server := c.site.Cluster.Servers[i]
	if kind == size.Memory {
		server.MaxMemoryStore = 0
		return size.StoreLimit(server, kind)
	}
	v, err := size.OfVolume(server)
	return v.Advised, err == nil && server.Disk > 0
}

// domain is that of JetStream, "" for none.
func (c *confWriter) domain() string {
	if c.leaf != nil && c.leaf.Domain != "" {
		return c.leaf.Domain
	}
	return c.server.Domain
}

// conf is the design path of the settings of these servers.
func (c *confWriter) conf() string { return design.Join(c.server.Path, "conf") }

func (c *confWriter) storeDir() string {
	for _, path := range []string{c.conf() + ".jetstream.store_dir", c.conf() + ".store_dir"} {
		if v, ok := c.d.Value(path); ok && v.Text != "" {
			return v.Text
		}
	}
	return "/data"
}

// has reports whether the design gives a setting of JetStream, in its block or
// beside the others.
func (c *confWriter) has(key string) bool {
	return c.d.Has(c.conf()+".jetstream."+key) || c.d.Has(c.conf()+"."+key)
}

// written writes the settings of a block that the design gives. Those of
// JetStream may stand beside the others in a design; a server wants them inside.
func (c *confWriter) written(block string, but ...string) {
	for _, at := range []string{c.conf(), c.conf() + ".jetstream"} {
		v, ok := c.d.Value(at)
		if !ok || !v.Node.IsMap() {
			continue
		}
		for _, key := range v.Node.Keys {
			_, inside := natsapi.Lookup(natsapi.Conf+".jetstream", key.Text)
			_, outside := natsapi.Lookup(natsapi.Conf, key.Text)
			belongs := at == c.conf()+".jetstream" || inside && !outside
			if belongs != (block == "jetstream") || slices.Contains(but, key.Text) || key.Text == "jetstream" {
				continue
			}
			if at == c.conf() && belongs && c.d.Has(c.conf()+".jetstream."+key.Text) {
				continue // the block's own word is the one that counts
			}
			c.line("%s: %s", key.Text, c.value(design.Join(at, key.Text)))
		}
	}
}

// value is a value of the design in the server's notation.
func (c *confWriter) value(path string) string {
	v, _ := c.d.Value(path)
	switch {
	case v.Node.IsMap():
		var parts []string
		for _, key := range v.Node.Keys {
			parts = append(parts, confKey(key.Text)+": "+c.value(design.Join(path, key.Text)))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case v.Node.IsList():
		var parts []string
		for i := range v.Node.Items {
			parts = append(parts, c.value(design.Index(path, i)))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case v.Kind == design.Duration:
		return confQuoted(design.FormatDuration(v.Int))
	case v.Kind == design.Int || v.Kind == design.Size:
		return strconv.FormatInt(v.Int, 10)
	case v.Kind == design.Bool:
		return strconv.FormatBool(v.Bool)
	}
	return confQuoted(v.Node.Text)
}

// confKey is a key of a map; the server's parser takes quoted ones.
func confKey(key string) string {
	if fileWord(key) == key {
		return key
	}
	return confQuoted(key)
}

func confList(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, confQuoted(w))
	}
	return strings.Join(out, ", ")
}

// routeUser is who servers of a cluster are to each other. Whoever may be a route is in
// every account, so a route port without a password is a way past all permissions.
const routeUser = "routes"

// routePassword is the environment variable of the password of a cluster's routes.
func (c *confWriter) routePassword() string {
	name := "cluster-routes"
	switch {
	case c.leaf != nil:
		name += "-" + siteWord(c.d, c.leaf.Path)
	case c.beside != nil:
		name += "-in-" + siteWord(c.d, c.beside.Path)
	}
	return passwordVariable(design.Hub, name)
}

// routeVariable is the environment variable of the routes, with the password in them:
// a server takes it from the address alone.
func (c *confWriter) routeVariable() string {
	return strings.TrimSuffix(c.routePassword(), "_PASSWORD") + "_URLS"
}

// cluster is the block of routes: to every server of the cluster. A server knows its
// own address and leaves it out.
func (c *confWriter) cluster() {
	c.open("cluster")
	c.line("name: %s", confQuoted(c.clusterName()))
	c.line("listen: \"0.0.0.0:%d\" # for the servers of the cluster alone", routePort)
	c.line("%s", tlsLine)
	c.line("authorization: {user: %s, password: $%s}", routeUser, c.routePassword())
	c.line("# A list: %s", c.addresses("nats-route://"+routeUser+":PASSWORD@", routePort))
	c.line("routes: $%s", c.routeVariable())
	c.close()
}

func orHub(account string) string {
	if account == "" {
		return design.Hub
	}
	return account
}

// accounts is the file of accounts and users, the same on every server.
func (c *confWriter) accounts() string {
	c.line("# Accounts and users. Each user has its password from the environment, and may do")
	c.line("# what its part of the design has to do. Its inboxes have a prefix of its own, which")
	c.line("# the client must be given: _INBOX_<user>.")
	c.open("accounts")
	if c.leaf != nil {
		c.account(orHub(c.leaf.Account), clientsAt(c.d, c.leaf.Name))
	} else {
		clients := clientsOf(c.d)
		if writesSystem(c.d) {
			c.line("%s {}", confQuoted(systemAccount))
		}
		c.account(design.Hub, clients)
		for _, a := range c.d.Accounts {
			c.account(a.Name, clients)
		}
	}
	c.close()
	return c.take()
}

// account writes one account, where somebody uses it.
func (c *confWriter) account(name string, clients []client) {
	of := c.d.Accounts
	if c.leaf != nil {
		of = nil // the accounts of the design are the hub's
	}
	at := slices.IndexFunc(of, func(a *design.Account) bool { return a.Name == name })
	var users []client
	for _, x := range clients {
		if x.account == name {
			users = append(users, x)
		}
	}
	sites := slices.ContainsFunc(c.d.Leafnodes, func(l *design.Leafnode) bool { return bound(l) == name })
	if at < 0 && len(users) == 0 && !sites && c.leaf == nil {
		return
	}
	title := c.title(name)
	c.open(confKey(title))
	c.jetStreamOf(at)
	if name == design.Hub {
		c.mappings()
	}
	c.line("users = [")
	c.depth++
	if at >= 0 && len(of[at].Users) > 0 {
		users = nil
		for _, u := range of[at].Users {
			c.user(title, writtenUser(u))
		}
	}
	for _, u := range users {
		c.user(name, u)
	}
	c.depth--
	c.line("]")
	if at >= 0 {
		c.shares(of[at])
	}
	c.close()
}

// jetStreamOf is what JetStream may take for an account.
func (c *confWriter) jetStreamOf(at int) {
	if at >= 0 {
		path := design.Join(design.Join("accounts", c.d.Accounts[at].Name), "limits")
		if v, ok := c.d.Value(path); ok && v.Node.IsMap() && len(v.Node.Keys) > 0 {
			var parts []string
			for _, key := range v.Node.Keys {
				parts = append(parts, limitKey(key.Text)+": "+c.value(design.Join(path, key.Text)))
			}
			c.line("jetstream: {%s}", strings.Join(parts, ", "))
			return
		}
	}
	c.line("jetstream: enabled")
}

// limitKey is what nats-server.conf calls a limit of an account, which the API and JWTs,
// and designs, call otherwise (opts.go parseJetStreamForAccount, v2.15.2).
func limitKey(name string) string {
	switch name {
	case "max_storage":
		return "max_store"
	case "memory_max_stream_bytes":
		return "mem_max_stream_bytes"
	case "storage_max_stream_bytes":
		return "disk_max_stream_bytes"
	}
	return name
}

// mappings are those of the design's server, which a server gives to the account $G and
// here to the one in its place.
func (c *confWriter) mappings() {
	for _, key := range []string{"mappings", "maps"} {
		if at := c.conf() + "." + key; c.d.Has(at) {
			c.line("mappings: %s", c.value(at))
			return
		}
	}
}

func writtenUser(u *design.User) client {
	return client{name: u.Name, path: u.Path, publish: u.Publish.Allow, subscribe: u.Subscribe.Allow, responses: u.AllowResponses}
}

// user is one user, with the least that it has to be allowed.
func (c *confWriter) user(account string, u client) {
	c.line("{user: %s, password: $%s, permissions: {", confQuoted(u.name), passwordVariable(account, u.name))
	c.depth++
	if len(u.publish) > 0 {
		c.line("publish: {allow: [%s]}", confList(u.publish))
	} else if !strings.HasPrefix(u.path, "accounts") {
		c.line("publish: {deny: [\">\"]}")
	}
	if len(u.subscribe) > 0 {
		c.line("subscribe: {allow: [%s]}", confList(u.subscribe))
	}
	if u.responses {
		c.line("allow_responses: true")
	}
	c.depth--
	c.line("}}")
}

// shares are the exports and imports of an account.
func (c *confWriter) shares(a *design.Account) {
	kind := func(service bool) string {
		if service {
			return "service"
		}
		return "stream"
	}
	if len(a.Exports) > 0 {
		c.line("exports = [")
		c.depth++
		for _, e := range a.Exports {
			extra := ""
			if len(e.Accounts) > 0 {
				extra = ", accounts: [" + confList(e.Accounts) + "]"
			}
			if e.ResponseType != "" {
				extra += ", response_type: " + confQuoted(e.ResponseType)
			}
			c.line("{%s: %s%s}", kind(e.Service), confQuoted(e.Subject), extra)
		}
		c.depth--
		c.line("]")
	}
	if len(a.Imports) > 0 {
		c.line("imports = [")
		c.depth++
		for _, i := range a.Imports {
			extra := ""
			if i.To != "" {
				extra += ", to: " + confQuoted(i.To)
			}
			if i.Prefix != "" {
				extra += ", prefix: " + confQuoted(i.Prefix)
			}
			if i.Share {
				extra += ", share: true"
			}
			c.line("{%s: {account: %s, subject: %s}%s}", kind(i.Service), confQuoted(i.Account), confQuoted(i.Subject), extra)
		}
		c.depth--
		c.line("]")
	}
}
