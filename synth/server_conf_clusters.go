package synth

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"weir/design"
	"weir/size"
	"weir/verdict"
)

// hasHub reports whether a design has servers beside its clusters and sites: one that
// names clusters and no server has not.
func hasHub(d *design.Design) bool { return d.Has("server") || len(d.Clusters) == 0 }

// clusterName is what the servers of a site call their cluster. Placements go by it, so
// it is the design's word wherever that can be a name.
func (c *confWriter) clusterName() string {
	switch {
	case c.leaf != nil:
		return plainWord(hubName(c.d)) + "-" + fileWord(c.leaf.Name)
	case c.beside != nil:
		return plainWord(c.beside.Name)
	}
	return plainWord(hubName(c.d))
}

// hubName is the name of the hub's cluster: the design's word for it where there are
// others; else the first that placements ask for, since no other could answer them, and the
// design's own name where they ask for none.
func hubName(d *design.Design) string {
	if len(d.Clusters) > 0 {
		return verdict.HubCluster
	}
	if asked := placements(d); len(asked) > 0 {
		return asked[0]
	}
	if d.Name == "" {
		return "weir"
	}
	return fileWord(d.Name)
}

// placements are the clusters that streams and buckets of the hub ask for, sorted.
func placements(d *design.Design) (out []string) {
	for _, r := range d.Requests() {
		if r.Scope.Leafnode == "" && r.Kind != "consumer" {
			out = append(out, placedIn(d, r.Path))
		}
	}
	slices.Sort(out)
	return slices.DeleteFunc(slices.Compact(out), func(name string) bool { return name == "" })
}

// placedIn is placement.cluster of a stream or bucket, "" for none.
func placedIn(d *design.Design, path string) string {
	v, _ := d.Value(path + ".placement.cluster")
	return v.Text
}

// plainWord is a name of a cluster: a server refuses one with spaces (opts.go, v2.15.2).
func plainWord(name string) string {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return fileWord(name)
	}
	return name
}

// word is what the design calls these servers in gateways and in a site's cluster.
func (c *confWriter) word() string {
	if c.beside != nil {
		return c.beside.Name
	}
	return verdict.HubCluster
}

// linked are the clusters that gateways lead to from here, in the order of the design.
func (c *confWriter) linked() (out []string) {
	if c.leaf != nil {
		return nil
	}
	for _, g := range c.d.Gateways {
		for i, end := range g.Between {
			if end != c.word() || len(g.Between) != 2 {
				continue
			}
			if other := g.Between[1-i]; other != end && isCluster(c.d, other) && !slices.Contains(out, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// isCluster reports whether a design has a cluster of a name.
func isCluster(d *design.Design, name string) bool {
	return name == verdict.HubCluster && hasHub(d) || slices.ContainsFunc(d.Clusters, func(c *design.Cluster) bool { return c.Name == name })
}

// gatewayUser is who clusters are to each other, and the variable of the password. Whoever
// may be a gateway is in every account, as routes are.
const (
	gatewayUser     = "gateways"
	gatewayPassword = "GATEWAYS_PASSWORD"
)

// gatewayVariable is the environment variable of where a cluster's gateways are.
func gatewayVariable(d *design.Design, cluster string) string {
	for _, c := range d.Clusters {
		if c.Name == cluster {
			cluster = siteWord(d, c.Path)
			break
		}
	}
	return strings.TrimSuffix(passwordVariable(design.Hub, "gateway-"+cluster), "_PASSWORD") + "_URLS"
}

// gateway is the block of gateways. A server sends the block's own user and password to
// those whose address has none (gateway.go sendGatewayConnect, v2.15.2).
func (c *confWriter) gateway() {
	linked := c.linked()
	if len(linked) == 0 {
		return
	}
	if len(c.sitesHere()) > 0 && !c.hasTop("system_account") {
		c.line("system_account: %s # in accounts.conf", confQuoted(systemAccount))
	}
	c.open("gateway")
	c.line("name: %s", confQuoted(c.clusterName()))
	c.line("listen: \"0.0.0.0:%d\" # for servers of the other clusters", gatewayPort)
	c.line("%s", tlsLine)
	c.line("authorization: {user: %s, password: $%s}", gatewayUser, gatewayPassword)
	c.line("# Lists: [nats://HOST:%d] with each server of that cluster.", gatewayPort)
	c.line("gateways: [")
	c.depth++
	for _, name := range linked {
		c.line("{name: %s, urls: $%s}", confQuoted(plainWord(name)), gatewayVariable(c.d, name))
	}
	c.depth--
	c.line("]")
	c.close()
}

// systemAccount is the server's own account, which it makes by itself, but for servers
// that have both gateways and leaf nodes: those want it written (leafnode.go
// validateLeafNode, v2.15.2).
const systemAccount = "$SYS"

// writesSystem reports whether the accounts of a design have to name the system account.
func writesSystem(d *design.Design) bool {
	return len(d.Gateways) > 0 && len(d.Leafnodes) > 0 && !slices.ContainsFunc(d.Accounts, func(a *design.Account) bool { return a.Name == systemAccount })
}

// sitesHere are the kinds of leaf node sites that connect to these servers: where the
// design names no cluster, to the hub, and to any cluster where there is none.
func (c *confWriter) sitesHere() (out []*design.Leafnode) {
	for _, l := range c.d.Leafnodes {
		if l.Cluster == c.word() || l.Cluster == "" && (c.beside == nil || !hasHub(c.d)) {
			out = append(out, l)
		}
	}
	return out
}

// hubOfSite says in a comment which servers a site connects to.
func (c *confWriter) hubOfSite() string {
	servers := func(name string, nodes int) string {
		return fmt.Sprintf("%s, which has %s", name, size.Counted(max(nodes, 1), "server", "servers"))
	}
	for _, x := range c.d.Clusters {
		if c.leaf.Cluster == x.Name {
			return servers("the cluster "+comment(x.Name), x.Nodes)
		}
	}
	if !hasHub(c.d) {
		return "one of the clusters"
	}
	return servers("the hub", c.d.Server.Nodes)
}

// clusterNotes says what the files of several clusters leave open.
func clusterNotes(d *design.Design, all []*confWriter) []Note {
	var c confWriter
	several := len(d.Clusters) > 1 || hasHub(d)
	for _, name := range placements(d) {
		switch {
		case len(d.Clusters) == 0 && name != hubName(d):
			c.note("clusters", "a stream is placed in %s, and the one cluster of the design is called %s: it is refused (10005)", comment(name), comment(hubName(d)))
		case len(d.Clusters) > 0 && !isCluster(d, name):
			c.note("clusters", "a stream is placed in %s, which is no cluster of the design: it is refused (10005)", comment(name))
		}
	}
	for _, x := range all {
		switch name := x.word(); {
		case x.leaf != nil && x.leaf.Cluster != "" && !isCluster(d, x.leaf.Cluster):
			c.note(x.leaf.Path, "%s is no cluster of the design: no server listens for the site", comment(x.leaf.Cluster))
		case x.leaf != nil || len(d.Clusters) == 0:
		case len(x.linked()) == 0 && several:
			c.note(x.site.Path, "no gateway leads to %s: it is written as a cluster by itself, which knows nothing of the others' streams", comment(name))
		case plainWord(name) != name:
			c.note(x.site.Path, "the cluster is called %s, because servers take no spaces in the name: placements have to ask for that", comment(plainWord(name)))
		}
	}
	for _, g := range d.Gateways {
		for _, end := range g.Between {
			if !isCluster(d, end) {
				c.note(g.Path, "%s is no cluster of the design: the gateway to it is left out", comment(end))
			}
		}
	}
	for _, r := range d.Requests() {
		if !hasHub(d) && r.Scope.Leafnode == "" && r.Kind != "consumer" && placedIn(d, r.Path) == "" {
			c.note(r.Path, "no placement.cluster, and the design has no server: it is created in the cluster that the request comes to, and max_file_store of none has room for it")
		}
	}
	return c.notes
}
