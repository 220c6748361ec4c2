package synth

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/size"
)

const readmeHead = `# nats-server.conf of each node

Written by Weir from a design. Each server starts with its own file, and has accounts.conf beside it:

    nats-server --config n1.conf

Nothing of this is in the files and has to be supplied:

- **Passwords and addresses**, from the environment of each server, as listed below. A server reads what is in a
  variable as it reads its configuration: a password has letters and digits, a letter first, and a list its brackets
  and quotes. Whoever may be a route or a gateway is in every account, and needs no permission there.
- **Encryption**. Routes (port %d), gateways (%d), leaf nodes (%d) and clients (%d) are not encrypted, because keys
  and certificates do not belong into a design. Keep the first three to the servers' own network, or give each
  block a tls {cert_file, key_file, ca_file}; monitoring listens on the server itself alone.
- **Names**. The addresses below have the names that the design gives; where servers have others, write those.

| variable | of which servers | what it is |
|---|---|---|
`

// confReadme says what a user has to supply, and shows each list as it has to look.
func confReadme(d *design.Design, all []*confWriter) string {
	var b strings.Builder
	fmt.Fprintf(&b, readmeHead, routePort, gatewayPort, leafPort, clientPort)
	row := func(variable, servers, what string) {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", variable, servers, strings.ReplaceAll(what, "|", "\\|"))
	}
	hubs := func(c *confWriter) bool { return c.leaf == nil }
	var gates []string
	for _, c := range all {
		if len(c.linked()) > 0 {
			gates = append(gates, c.word())
		}
	}
	if len(gates) > 0 {
		row(gatewayPassword, "the clusters that gateways link", "password of gateways to each other")
		for _, c := range all {
			if slices.Contains(gates, c.word()) && hubs(c) {
				row(gatewayVariable(c.word()), "clusters with a gateway to "+comment(c.word()), "`"+gatewayURLs(c)+"`")
			}
		}
	}
	for _, c := range all {
		if c.clustered() {
			servers := size.Counted(len(c.site.Cluster.Servers), "server", "servers") + " of " + comment(c.site.Name)
			row(c.routePassword(), servers, "password of routes to each other")
			row(c.routeVariable(), servers, "`"+c.routes("PASSWORD")+"`")
		}
		if c.copies() {
			row("SERVER_NAME", "each of the sites "+comment(c.leaf.Name), "a name that no other server has")
			if c.domain() != "" {
				row("SITE_DOMAIN", "each of the sites "+comment(c.leaf.Name), "its own JetStream domain, as "+comment(c.domain())+"-1")
			}
		}
		if c.leaf != nil {
			row(hubVariable(c.leaf), "sites "+comment(c.leaf.Name), fmt.Sprintf("`[\"nats-leaf://%s:PASSWORD@HOST:%d\"]` with each server of %s", comment(leafUser(c.leaf)), leafPort, c.hubOfSite()))
			row(passwordVariable(design.Hub, leafUser(c.leaf)), "those that the sites connect to", "password of the sites "+comment(c.leaf.Name))
		}
	}
	b.WriteString("| …_PASSWORD | all that have the accounts.conf | password of a user there |\n")
	return b.String()
}

// routes are the routes of a cluster as a server reads them.
func (c *confWriter) routes(password string) string {
	var all []string
	for i := range c.site.Cluster.Servers {
		all = append(all, fmt.Sprintf("%q", fmt.Sprintf("nats-route://%s:%s@%s:%d", routeUser, password, c.host(i), routePort)))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// gatewayURLs are the addresses of a cluster's gateways as a server reads them.
func gatewayURLs(c *confWriter) string {
	var all []string
	for i := range c.site.Cluster.Servers {
		all = append(all, fmt.Sprintf("%q", fmt.Sprintf("nats://%s:%d", c.host(i), gatewayPort)))
	}
	return "[" + strings.Join(all, ", ") + "]"
}
