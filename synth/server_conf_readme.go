package synth

import (
	"fmt"
	"strings"

	"weir/size"
)

const readmeHead = `# nats-server.conf of each node

Written by Weir from a design. Each server starts with its own file, and has accounts.conf beside it:

    nats-server --config n1.conf

Nothing of this is in the files and has to be supplied:

- **Passwords and addresses**, from the environment of each server, as listed below. A server reads what is in a
  variable as it reads its configuration: a password has letters and digits, a letter first, and a list its brackets
  and quotes. Whoever may be a route or a gateway is in every account, and needs no permission there.
- **Encryption**. As they are, the files encrypt nothing: keys and certificates do not belong into a design. Routes
  (port %d), gateways (%d), leaf nodes (%d) and clients (%d) each have a line that begins with #tls. Put a certificate,
  its key and that of the authority where it says, and take the # away on all servers at once. The certificate has to
  be for the name that the addresses below have, and for use as a server and as a client, since routes and gateways
  check both sides. Client code and the NATS CLI are given the authority in NATS_CA. Until then, keep the first
  three ports to the servers' own network; monitoring listens on the server itself alone.
- **Names**. The addresses below have the names that the design gives; where servers have others, write those.

| variable | of which servers | what it is |
|---|---|---|`

// confReadme says what a user has to supply, and shows each list as it has to look.
func confReadme(all []*confWriter) string {
	b := &confWriter{}
	b.line(readmeHead, routePort, gatewayPort, leafPort, clientPort)
	const row = "| %s | %s | %s |"
	for _, c := range all {
		name := comment(strings.ReplaceAll(c.site.Name, "|", " "))
		servers := size.Counted(len(c.site.Cluster.Servers), "server", "servers") + " of " + name
		if c.clustered() {
			b.line(row, c.routePassword(), servers, "password of routes to each other")
			b.line(row, c.routeVariable(), servers, "`"+c.addresses("nats-route://"+routeUser+":PASSWORD@", routePort)+"`")
		}
		if len(c.linked()) > 0 {
			b.line(row, gatewayVariable(c.d, c.word()), "clusters with a gateway to "+name, "`"+c.addresses("nats://", gatewayPort)+"`")
			b.line(row, gatewayPassword, servers, "password of gateways to each other, the same everywhere")
		}
		if c.copies() {
			b.line(row, "SERVER_NAME", "each of the sites "+name, "a name that no other server has")
			if c.domain() != "" {
				b.line(row, "SITE_DOMAIN", "each of the sites "+name, "its own JetStream domain, as "+comment(c.domain())+"-1")
			}
		}
		if c.leaf != nil {
			b.line(row, hubVariable(c.d, c.leaf), servers, fmt.Sprintf("`[\"nats-leaf://%s:PASSWORD@HOST:%d\"]` with each server of %s", comment(leafUser(c.leaf)), leafPort, c.hubOfSite()))
			b.line(row, leafPassword(c.d, c.leaf), "those that sites connect to", "password of the sites "+name)
		}
	}
	b.line(row, "…_PASSWORD", "all that have the accounts.conf", "password of a user there")
	return b.take()
}

// addresses are those of a cluster's servers, in a list as a server reads it.
func (c *confWriter) addresses(scheme string, port int) string {
	var all []string
	for i := range c.site.Cluster.Servers {
		all = append(all, fmt.Sprintf("\"%s%s:%d\"", scheme, c.host(i), port))
	}
	return "[" + strings.Join(all, ", ") + "]"
}
