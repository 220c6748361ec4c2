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
	About: "A nats-server.conf for each server of the hub: JetStream limits from the sizing, routes, zones as tags, accounts, and a user for each publisher and worker who may do what it has to and nothing else. Passwords come from the environment.",
	Proof: "TestServerConf", Proves: "real servers start from them; what each user needs works, the rest is refused",
	write: writeServerConf,
})

// The ports that every node listens on: clients, routes and monitoring.
const (
	clientPort     = 4222
	routePort      = 6222
	monitoringPort = 8222
)

func writeServerConf(d *design.Design) ([]File, []Note, error) {
	sized, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return nil, nil, fmt.Errorf("size the design: %w", err)
	}
	hub := sized.Sites[0]
	c := &confWriter{d: d, hub: hub}
	var files []File
	for i, s := range hub.Cluster.Servers {
		files = append(files, File{Path: s.Name + ".conf", Text: c.node(i)})
	}
	files = append(files, File{Path: "accounts.conf", Text: c.accounts()})
	for _, n := range d.Leafnodes {
		c.notes = append(c.notes, Note{design.Join("leafnodes", n.Name), "leaf node sites have servers of their own, which are not written yet"})
	}
	return files, c.notes, nil
}

// confWriter writes the configuration of one cluster.
type confWriter struct {
	d     *design.Design
	hub   size.SiteSize
	notes []Note
	b     strings.Builder
	depth int
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

// node is the file of one server.
func (c *confWriter) node(i int) string {
	s := c.hub.Cluster.Servers[i]
	c.line("# Server %s of %s, %d in all. Written by Weir from the design; change the design, not this.", s.Name, orName(c.d.Name), len(c.hub.Cluster.Servers))
	c.line("server_name: %s", confQuoted(s.Name))
	c.line("listen: \"0.0.0.0:%d\"", clientPort)
	c.line("http: \"127.0.0.1:%d\" # monitoring, for this machine alone", monitoringPort)
	if len(s.Tags) > 0 {
		c.line("server_tags: [%s]", confList(s.Tags))
	}
	c.written("", "jetstream", "accounts", "server_name", "listen", "http", "server_tags", "cluster", "port", "host")
	c.jetStream(i)
	if len(c.hub.Cluster.Servers) > 1 {
		c.cluster(i)
	}
	c.line("include accounts.conf")
	return c.take()
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
	if c.d.Server.Domain != "" {
		c.line("domain: %s", confQuoted(c.d.Server.Domain))
	}
	pod := c.hub.Pods[i]
	if !c.has("max_file_store") && pod.MaxFileStore.Value > 0 {
		c.line("max_file_store: %d # %s: %s", pod.MaxFileStore.Int(), size.FormatBytes(pod.MaxFileStore.Value), comment(pod.MaxFileStore.Formula))
	}
	if !c.has("max_memory_store") {
		c.line("max_memory_store: %d # %s", pod.MaxMemoryStore.Int(), "reported bytes of streams in memory")
	}
	if u := c.hub.Cluster.UniqueTag; u == "" && len(c.d.Server.Zones) >= 3 && !c.has("unique_tag") {
		c.line("unique_tag: \"zone:\" # replicas stand in different zones")
	}
	c.written("jetstream", "store_dir", "domain")
	c.close()
}

func (c *confWriter) storeDir() string {
	for _, path := range []string{"server.conf.jetstream.store_dir", "server.conf.store_dir"} {
		if v, ok := c.d.Value(path); ok && v.Text != "" {
			return v.Text
		}
	}
	return "/data"
}

// has reports whether the design gives a setting of JetStream, in its block or
// beside the others.
func (c *confWriter) has(key string) bool {
	return c.d.Has("server.conf.jetstream."+key) || c.d.Has("server.conf."+key)
}

// written writes the settings of a block that the design gives. Those of
// JetStream may stand beside the others in a design; a server wants them inside.
func (c *confWriter) written(block string, but ...string) {
	for _, at := range []string{"server.conf", "server.conf.jetstream"} {
		v, ok := c.d.Value(at)
		if !ok || !v.Node.IsMap() {
			continue
		}
		for _, key := range v.Node.Keys {
			_, inside := natsapi.Lookup(natsapi.Conf+".jetstream", key.Text)
			_, outside := natsapi.Lookup(natsapi.Conf, key.Text)
			belongs := at == "server.conf.jetstream" || inside && !outside
			if belongs != (block == "jetstream") || slices.Contains(but, key.Text) || key.Text == "jetstream" {
				continue
			}
			if at == "server.conf" && belongs && c.d.Has("server.conf.jetstream."+key.Text) {
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

// cluster is the block of routes: to every other node by its name.
func (c *confWriter) cluster(i int) {
	c.open("cluster")
	c.line("name: %s", confQuoted(fileWord(orWeir(c.d.Name))))
	c.line("listen: \"0.0.0.0:%d\"", routePort)
	c.line("routes = [")
	c.depth++
	for j, s := range c.hub.Cluster.Servers {
		if j != i {
			c.line("\"nats-route://%s:%d\"", s.Name, routePort)
		}
	}
	c.depth--
	c.line("]")
	c.close()
}

func orWeir(name string) string {
	if name == "" {
		return "weir"
	}
	return name
}

// accounts is the file of accounts and users, the same on every server.
func (c *confWriter) accounts() string {
	c.line("# Accounts and users. Each user has its password from the environment, and may do")
	c.line("# what its part of the design has to do. Its inboxes have a prefix of its own, which")
	c.line("# the client must be given: _INBOX_<user>.")
	c.open("accounts")
	clients := clientsOf(c.d)
	names := []string{design.Hub}
	for _, a := range c.d.Accounts {
		names = append(names, a.Name)
	}
	for _, name := range names {
		c.account(name, clients)
	}
	c.close()
	return c.take()
}

// account writes one account. The users of $G are in an account of the design's
// name, because the server keeps $G for those without one.
func (c *confWriter) account(name string, clients []client) {
	of := c.d.Accounts
	at := slices.IndexFunc(of, func(a *design.Account) bool { return a.Name == name })
	var users []client
	for _, x := range clients {
		if x.account == name {
			users = append(users, x)
		}
	}
	if at < 0 && len(users) == 0 {
		return
	}
	title := name
	if name == design.Hub {
		title = "WEIR"
		for slices.ContainsFunc(of, func(a *design.Account) bool { return a.Name == title }) {
			title += "_"
		}
	}
	c.open(confKey(title))
	c.jetStreamOf(at)
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
		if c.d.Has(path) {
			c.line("jetstream: %s", c.value(path))
			return
		}
	}
	c.line("jetstream: enabled")
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
