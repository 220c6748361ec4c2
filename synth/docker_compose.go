package synth

import (
	"fmt"
	"strings"

	"weir/design"
	"weir/size"
)

var _ = target(Target{
	Name: "docker-compose", Title: "Docker Compose", Group: Configuration, Order: 4,
	About: "A compose file with the servers of the hub, each with its nats-server.conf, a volume and a memory limit, and an .env with a place for each password. For trying a design on one machine: all replicas share its disk.",
	Proof: "TestDockerCompose", Proves: "it parses, and names the files and variables that the server.conf target writes",
	write: writeCompose,
})

// image is the server's, at the release that the design is for.
const image = "nats"

func writeCompose(d *design.Design) ([]File, []Note, error) {
	conf, notes, _, err := hubConf(d)
	if err != nil {
		return nil, nil, err
	}
	for _, l := range d.Leafnodes {
		notes = append(notes, Note{design.Join("leafnodes", l.Name), "the compose file has the servers of the hub alone; those of leaf node sites are in the output server-conf"})
	}
	var nodes []string
	files := []File{}
	for _, f := range conf {
		if f.Path != "accounts.conf" {
			nodes = append(nodes, strings.TrimSuffix(f.Path, ".conf"))
		}
		files = append(files, File{Path: "conf/" + f.Path, Text: f.Text})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# The servers of %s on one machine. docker compose up, with the passwords in .env.\nservices:\n", orName(d.Name))
	for i, n := range nodes {
		fmt.Fprintf(&b, "  %s:\n    image: %s\n    hostname: %s\n    command: [\"--config\", \"/conf/%s.conf\"]\n    env_file: .env\n", n, jsonQuoted(image+":"+d.Version.String()), n, n)
		fmt.Fprintf(&b, "    ports: [\"127.0.0.1:%d:%d\"]\n    volumes:\n      - ./conf:/conf:ro\n      - %s:/data\n", clientPort+i, clientPort, n)
		if d.Server.Memory > 0 {
			fmt.Fprintf(&b, "    mem_limit: %d\n", d.Server.Memory)
		}
		if d.Server.Memory > 0 || len(nodes) > 1 {
			b.WriteString("    environment:\n")
		}
		if d.Server.Memory > 0 {
			fmt.Fprintf(&b, "      GOMEMLIMIT: %q\n", fmt.Sprintf("%dB", size.GoMemLimit(d.Server.Memory)))
		}
		if len(nodes) > 1 {
			fmt.Fprintf(&b, "      %s: %s\n", routeVariable(nil), jsonQuoted(routes(nodes)))
		}
		b.WriteString("    restart: unless-stopped\n")
	}
	b.WriteString("volumes:\n")
	for _, n := range nodes {
		fmt.Fprintf(&b, "  %s: {}\n", n)
	}
	files = append(files, File{Path: "compose.yaml", Text: b.String()}, File{Path: "env.example", Text: environment(d)})
	return files, notes, nil
}

// routes are the routes of a cluster as the configuration reads them; compose puts the
// password in, which it takes from .env.
func routes(nodes []string) string {
	var all []string
	for _, n := range nodes {
		all = append(all, fmt.Sprintf("%q", fmt.Sprintf("nats-route://%s:${%s}@%s:%d", routeUser, routePassword(nil), n, routePort)))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// environment lists the variables that the passwords come from.
func environment(d *design.Design) string {
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
	if d.Server.Nodes > 1 {
		b.WriteString(routePassword(nil) + "=\n")
	}
	for _, l := range d.Leafnodes {
		b.WriteString(passwordVariable(design.Hub, leafUser(l)) + "=\n")
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
