package synth

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/size"
)

var _ = target(Target{
	Name: "docker-compose", Title: "Docker Compose", Group: Configuration, Order: 4,
	About: "A compose file with the servers of the hub and of clusters, for trying a design on one machine: all replicas share its disk. An .env has a place for each password.",
	Proof: "TestDockerCompose", Proves: "it parses, and names the files and variables that the server.conf target writes",
	write: writeCompose,
})

// image is the server's, at the release that the design is for.
const image = "nats"

func writeCompose(d *design.Design) ([]File, []Note, error) {
	all, err := confSites(d)
	if err != nil {
		return nil, nil, err
	}
	notes := clusterNotes(d, all)
	var files []File
	var services, volumes strings.Builder
	port := clientPort
	for _, c := range all {
		if c.leaf != nil {
			notes = append(notes, Note{c.leaf.Path, "the compose file has the servers of the hub and of clusters alone; those of leaf node sites are in the output server-conf"})
			continue
		}
		for i := range c.site.Cluster.Servers {
			files = append(files, File{Path: "conf/" + c.path(i), Text: c.node(i)})
			services.WriteString(c.service(i, port, all))
			fmt.Fprintf(&volumes, "  %s: {}\n", c.host(i))
			port++
		}
		files = append(files, File{Path: "conf/" + c.folder() + "accounts.conf", Text: c.accounts()})
		notes = append(notes, c.notes...)
	}
	text := fmt.Sprintf("# The servers of %s on one machine. docker compose up, with the passwords in .env.\nservices:\n%svolumes:\n%s", orName(d.Name), &services, &volumes)
	return append(files, File{Path: "compose.yaml", Text: text}, File{Path: "env.example", Text: environment(d, all)}), notes, nil
}

// service is server i, whose clients come to a port of the machine. Compose puts the
// passwords into lists of addresses, which it takes from .env.
func (c *confWriter) service(i, port int, all []*confWriter) string {
	var b strings.Builder
	name := c.host(i)
	fmt.Fprintf(&b, "  %s:\n    image: %s\n    hostname: %s\n    command: [\"--config\", %s]\n    env_file: .env\n", name, jsonQuoted(image+":"+c.d.Version.String()), name, jsonQuoted("/conf/"+c.path(i)))
	inside := int64(clientPort)
	if v, ok := c.top("port"); ok && v.Int > 0 {
		inside = v.Int
	}
	fmt.Fprintf(&b, "    ports: [\"127.0.0.1:%d:%d\"]\n    volumes:\n      - ./conf:/conf:ro\n      #- ./certs:/certs:ro # what the lines with #tls in ./conf name\n      - %s:/data\n", port, inside, name)
	if c.server.Memory > 0 {
		fmt.Fprintf(&b, "    mem_limit: %d\n", c.server.Memory)
	}
	var environment []string
	if c.server.Memory > 0 {
		environment = append(environment, fmt.Sprintf("GOMEMLIMIT: %q", fmt.Sprintf("%dB", size.GoMemLimit(c.server.Memory))))
	}
	if c.clustered() {
		environment = append(environment, c.routeVariable()+": "+jsonQuoted(c.addresses("nats-route://"+routeUser+":${"+c.routePassword()+"}@", routePort)))
	}
	for _, other := range all {
		if other.leaf == nil && slices.Contains(c.linked(), other.word()) {
			environment = append(environment, gatewayVariable(c.d, other.word())+": "+jsonQuoted(other.addresses("nats://", gatewayPort)))
		}
	}
	for i, line := range environment {
		if i == 0 {
			b.WriteString("    environment:\n")
		}
		b.WriteString("      " + line + "\n")
	}
	b.WriteString("    restart: unless-stopped\n")
	return b.String()
}

// environment lists the variables that the passwords come from.
func environment(d *design.Design, all []*confWriter) string {
	var b strings.Builder
	b.WriteString("# Copy to .env and put a password behind each: letters and digits, a letter first, because\n# the server reads it as it reads its configuration. Keep .env out of version control.\n")
	seen := map[string]bool{}
	for _, c := range usersOf(d) {
		v := passwordVariable(c.account, c.name)
		if !seen[v] {
			seen[v] = true
			b.WriteString(v + "=\n")
		}
	}
	gateways := false
	for _, c := range all {
		switch {
		case c.leaf != nil:
			b.WriteString(leafPassword(c.d, c.leaf) + "=\n")
		case c.clustered():
			b.WriteString(c.routePassword() + "=\n")
		}
		gateways = gateways || len(c.linked()) > 0
	}
	if gateways {
		b.WriteString(gatewayPassword + "=\n")
	}
	return b.String()
}

// usersOf lists the users that the servers know: those of the design's accounts
// where it names some, else one for each client.
func usersOf(d *design.Design) []client {
	given := map[string]bool{}
	var out []client
	for _, a := range d.Accounts {
		for _, u := range a.Users {
			given[a.Name] = true
			c := writtenUser(u)
			c.account = a.Name
			out = append(out, c)
		}
	}
	for _, c := range clientsOf(d) {
		if !given[c.account] {
			out = append(out, c)
		}
	}
	return out
}
