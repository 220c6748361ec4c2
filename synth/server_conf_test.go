//go:build !js

package synth_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"weir/design"
	"weir/natsapi"
	"weir/size"
	"weir/synth"
)

// factory is a hub of three servers in three zones, and a site of one.
const factory = `
weir: 1
name: factory
server: {version: "2.15", nodes: 3, disk: 10GiB, domain: hub, zones: [a, b, c]}
streams:
  ORDERS:
    subjects: [orders.*.*]
    num_replicas: 3
    max_bytes: 64MiB
    allow_direct: true
    consumers:
      billing: {ack_policy: explicit, max_deliver: 5, filter_subject: orders.*.created, workers: {count: 2, service_time: 5ms}}
  DEAD: {subjects: ["dead.>"], num_replicas: 3, max_bytes: 16MiB}
publishers:
  checkout: {subject: "orders.{region}.created", tokens: {region: 3}, rate: 10/s, payload: 1KiB, msg_id: uuid}
leafnodes:
  plant:
    domain: plant
    server: {version: "2.15", nodes: 1, disk: 10GiB}
    streams:
      EVENTS: {subjects: [plant.events], max_bytes: 32MiB, consumers: {show: {ack_policy: explicit, workers: {count: 1, service_time: 1ms}}}}
    publishers:
      devices: {subject: plant.events, rate: 2/s, payload: 250B, msg_id: uuid}
`

// running is what the files of an output run as, on loopback.
type running struct {
	t       *testing.T
	servers map[string]*server.Server // by the path of their file
	options map[string]*server.Options
}

// readmeList is a row of the README with a list of addresses: the variable and the list.
var readmeList = regexp.MustCompile("(?m)^\\| ([A-Z0-9_]+_URLS) \\|.*`(\\[[^`]+\\])`")

// runConf starts a server from each file of the target server-conf, with the variables
// that its README asks for. Addresses and folders are another machine's, and edited.
func runConf(t *testing.T, out synth.Output) *running {
	t.Helper()
	r := &running{t, map[string]*server.Server{}, map[string]*server.Options{}}
	var paths []string
	for _, f := range out.Files {
		for _, m := range passwordVariable.FindAllStringSubmatch(f.Text, -1) {
			t.Setenv(m[1], "secret")
		}
		if filepath.Ext(f.Path) == ".conf" && filepath.Base(f.Path) != "accounts.conf" {
			paths = append(paths, f.Path)
		}
	}
	addresses := listen(t, &out, paths)
	for _, m := range readmeList.FindAllStringSubmatch(text(t, out, "README.md"), -1) {
		list := strings.ReplaceAll(addresses.Replace(m[2]), "PASSWORD", "secret")
		if strings.Contains(list, "HOST") { // any server that listens for the site
			user, _, _ := strings.Cut(strings.TrimPrefix(list, `["nats-leaf://`), ":")
			at := slices.IndexFunc(paths, func(p string) bool {
				return strings.Contains(text(t, out, p), fmt.Sprintf("{user: %q, password", user))
			})
			if at < 0 {
				t.Fatalf("nobody listens for %s", user)
			}
			list = addresses.Replace(strings.ReplaceAll(list, "HOST", hostOf(paths[at])))
		}
		t.Setenv(m[1], list)
	}
	dir := put(t, out, nil)
	for _, p := range paths {
		o, err := server.ProcessConfigFile(filepath.Join(dir, filepath.FromSlash(p)))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		r.options[p] = o
	}
	for _, p := range paths { // a cluster of several starts when all of it is there
		r.servers[p] = start(t, r.options[p])
	}
	return r
}

// hostOf is what the files call the server of a path.
func hostOf(path string) string {
	parts := strings.Split(strings.TrimSuffix(path, ".conf"), "/")
	return strings.Join(parts[min(len(parts)-1, 1):], "-")
}

// listen gives every server ports and a folder of this machine, and returns what the
// addresses are here.
func listen(t *testing.T, out *synth.Output, paths []string) *strings.Replacer {
	t.Helper()
	kinds := []string{"6222", "7222", "7422"}
	ports, at := freePorts(t, len(kinds)*len(paths)), map[string][]string{}
	var addresses []string
	for i, path := range paths {
		edits := []string{`"0.0.0.0:4222"`, `"127.0.0.1:-1"`, `http: "127.0.0.1:8222"`, "", `"/data"`, fmt.Sprintf("%q", t.TempDir())}
		for k, kind := range kinds {
			here := fmt.Sprintf("127.0.0.1:%d", ports[len(kinds)*i+k])
			edits = append(edits, `"0.0.0.0:`+kind+`"`, strconv.Quote(here))
			for _, before := range []string{"//", "@"} {
				addresses = append(addresses, before+hostOf(path)+":"+kind, before+here)
			}
		}
		at[path] = edits
	}
	for i := range out.Files {
		if edits := at[out.Files[i].Path]; edits != nil {
			out.Files[i].Text = strings.NewReplacer(edits...).Replace(out.Files[i].Text)
		}
	}
	return strings.NewReplacer(addresses...)
}

// freePorts picks ports of loopback that nobody listens on.
func freePorts(t *testing.T, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// user connects to a server as one of the users, with the inbox that it may use.
func (r *running) user(at, name string) (*nats.Conn, jetstream.JetStream, chan error) {
	r.t.Helper()
	refused := make(chan error, 100)
	nc := connect(r.t, r.servers[at], nats.UserInfo(name, "secret"), nats.CustomInboxPrefix("_INBOX_"+name),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	js, err := jetstream.New(nc)
	if err != nil {
		r.t.Fatal(err)
	}
	return nc, js, refused
}

// eventually asks until an answer is yes; clusters take a while to find their leaders.
func eventually(t *testing.T, what string, ask func() error) {
	t.Helper()
	late, again := time.After(patience), time.NewTicker(100*time.Millisecond)
	defer again.Stop()
	for {
		err := ask()
		if err == nil {
			return
		}
		select {
		case <-again.C:
		case <-late:
			t.Fatalf("%s: %v", what, err)
		}
	}
}

// TestServerConfCluster starts all servers of a hub and of a leaf node site from the
// files, compares their limits with the sizing, and does the work of each user with
// the calls of nats.go; what a user has no use for is refused.
func TestServerConfCluster(t *testing.T) {
	d := parse(t, factory)
	r := runConf(t, generate(t, "server-conf", d))
	z, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range []string{"n1.conf", "n2.conf", "n3.conf", "leafnodes/plant/n1.conf"} {
		o, pod := r.options[p], z.Sites[i/3].Pods[i%3]
		if o == nil || o.JetStreamMaxStore != pod.MaxFileStore.Int() || o.JetStreamMaxMemory != pod.MaxMemoryStore.Int() {
			t.Fatalf("%s: the limits %+v are not those of the sizing: %d and %d", p, o, pod.MaxFileStore.Int(), pod.MaxMemoryStore.Int())
		}
		if want := map[bool]int{true: 3, false: 0}[i < 3]; len(o.Routes) != want {
			t.Errorf("%s has %d routes, not %d", p, len(o.Routes), want)
		}
		if i < 3 && (o.Cluster.Username == "" || o.Cluster.Password != "secret") {
			t.Errorf("%s takes routes of anybody", p)
		}
	}
	for at, leafnode := range map[string]string{"n1.conf": "", "leafnodes/plant/n1.conf": "plant"} {
		nc, _, _ := r.user(at, "setup")
		for _, request := range d.Requests() {
			if request.Scope.Leafnode == leafnode {
				eventually(t, "create "+request.Name, func() error { return askAgain(nc, request) })
			}
		}
	}
	eventually(t, "the site finds the hub", func() error {
		if n := r.servers["leafnodes/plant/n1.conf"].NumLeafNodes(); n != 1 {
			return fmt.Errorf("%d connections", n)
		}
		return nil
	})
	r.works("n2.conf", "checkout", "orders.eu.created", "billing", "ORDERS/billing")
	r.works("leafnodes/plant/n1.conf", "devices", "plant.events", "show", "EVENTS/show")
	r.moves()
}

// works publishes as one user and handles as another, on a consumer that is called
// stream/consumer, and tries what each must not.
func (r *running) works(at, publisher, subject, worker, on string) {
	t := r.t
	t.Helper()
	stream, consumer, _ := strings.Cut(on, "/")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	nc, js, refused := r.user(at, publisher)
	if _, err := js.Publish(ctx, subject, []byte("1"), jetstream.WithMsgID("1")); err != nil {
		t.Fatalf("%s cannot publish: %v", publisher, err)
	}
	for _, no := range []string{"orders.eu.paid", "$JS.API.STREAM.DELETE." + stream, "$JS.API.STREAM.INFO." + stream, "_INBOX_" + worker + ".x"} {
		forbidden(t, nc, refused, no)
	}
	nc, js, refused = r.user(at, worker)
	c, err := js.Consumer(ctx, stream, consumer)
	if err != nil {
		t.Fatalf("%s cannot have its consumer: %v", worker, err)
	}
	batch, err := c.Fetch(1, jetstream.FetchMaxWait(20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	got := 0
	for m := range batch.Messages() {
		got++
		if err := m.InProgress(); err != nil {
			t.Error(err)
		}
		if err := m.DoubleAck(ctx); err != nil {
			t.Errorf("%s cannot ack: %v", worker, err)
		}
	}
	if got != 1 || batch.Error() != nil {
		t.Errorf("%s got %d messages: %v", worker, got, batch.Error())
	}
	for _, no := range []string{subject, "$JS.API.CONSUMER.DELETE." + stream + "." + consumer, "$JS.API.STREAM.PURGE." + stream, "$JS.API.STREAM.MSG.GET." + stream} {
		forbidden(t, nc, refused, no)
	}
	if _, err := nc.Subscribe("_INBOX_"+publisher+".>", func(*nats.Msg) {}); err != nil || nc.Flush() != nil {
		t.Fatal(err)
	}
	select {
	case err := <-refused:
		if !strings.Contains(err.Error(), "_INBOX_"+publisher) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Errorf("%s may read the answers of %s", worker, publisher)
	}
}

// moves reads a message and stores it elsewhere as the mover of dead letters does.
func (r *running) moves() {
	t := r.t
	nc, js, refused := r.user("n3.conf", "dead-letters-ORDERS")
	reply, err := nc.Request("$JS.API.DIRECT.GET.ORDERS", []byte(`{"seq": 1}`), patience)
	if err != nil || string(reply.Data) != "1" {
		t.Fatalf("the mover cannot read: %v", err)
	}
	if _, err := js.Publish(t.Context(), "dead.ORDERS.billing", reply.Data); err != nil {
		t.Errorf("the mover cannot store: %v", err)
	}
	for _, no := range []string{"orders.eu.created", "dead.OTHER.x", "$JS.API.STREAM.MSG.DELETE.ORDERS", "$JS.API.CONSUMER.MSG.NEXT.ORDERS.billing"} {
		forbidden(t, nc, refused, no)
	}
}

// TestServerConfConsumerInfo takes CONSUMER.INFO away from a worker: nats.go's
// Consumer asks for it, and ends in a time-out beside a permissions violation.
func TestServerConfConsumerInfo(t *testing.T) {
	d := parse(t, shop)
	out := generate(t, "server-conf", d)
	for i := range out.Files {
		text := strings.ReplaceAll(out.Files[i].Text, `"$JS.API.CONSUMER.INFO.ORDERS.billing", `, "")
		if filepath.Base(out.Files[i].Path) == "accounts.conf" && text == out.Files[i].Text {
			t.Fatal("a worker may not ask about its consumer in what is written")
		}
		out.Files[i].Text = text
	}
	r := runConf(t, out)
	nc, _, _ := r.user("n1.conf", "setup")
	for _, request := range d.Requests() {
		if err := ask(nc, request.Subject, request.Body); err != nil {
			t.Fatal(err)
		}
	}
	_, js, refused := r.user("n1.conf", "billing")
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := js.Consumer(ctx, "ORDERS", "billing"); err == nil {
		t.Error("Consumer does not ask for CONSUMER.INFO any more: the permission can go")
	}
	select {
	case err := <-refused:
		if !errors.Is(err, nats.ErrPermissionViolation) {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Error("no permissions violation came")
	}
}

// TestServerConfTLS: with certificates where the files ask for them, and the # taken away as
// the README says, servers find each other and clients are let in over TLS alone.
func TestServerConfTLS(t *testing.T) {
	out := generate(t, "server-conf", parse(t, `
weir: 1
server: {version: "2.15", nodes: 2, disk: 10GiB, domain: hub}
streams: {S: {subjects: [s], max_bytes: 1MiB}}
publishers: {p: {subject: s, rate: 1/s, payload: 1KiB}}
clusters: {west: {nodes: 1, disk: 10GiB, domain: hub}}
gateways: {g: {between: [hub, west]}}
leafnodes: {plant: {domain: plant, server: {nodes: 1, disk: 10GiB}, streams: {E: {subjects: [e], max_bytes: 1MiB}}}}
`))
	_, ca := certified(t, net.IPv4(127, 0, 0, 1))
	places := 0
	for i, f := range out.Files {
		places += strings.Count(f.Text, "#tls {")
		out.Files[i].Text = strings.NewReplacer("#tls {", "tls {", `"/certs/`, `"`+filepath.Dir(ca)+"/").Replace(f.Text)
	}
	if places != 2*4+3+2 {
		t.Errorf("%d places for TLS", places)
	}
	r := runConf(t, out)
	eventually(t, "all find each other over TLS", func() error {
		hub, west, site := r.servers["n1.conf"], r.servers["clusters/west/n1.conf"], r.servers["leafnodes/plant/n1.conf"]
		if hub.NumRoutes() == 0 || hub.NumOutboundGateways() != 1 || west.NumOutboundGateways() != 1 || site.NumLeafNodes() != 1 {
			return fmt.Errorf("%d routes, %d and %d gateways, %d leaf nodes", hub.NumRoutes(), hub.NumOutboundGateways(), west.NumOutboundGateways(), site.NumLeafNodes())
		}
		return nil
	})
	for path, o := range r.options {
		if o.TLSConfig == nil || o.Cluster.Port > 0 && o.Cluster.TLSConfig == nil || o.Gateway.Port > 0 && o.Gateway.TLSConfig == nil || o.LeafNode.Port > 0 && o.LeafNode.TLSConfig == nil {
			t.Errorf("%s has a port without TLS", path)
		}
	}
	url := r.servers["n2.conf"].ClientURL()
	if _, err := nats.Connect(url, nats.UserInfo("p", "secret")); err == nil {
		t.Error("a client without the authority is let in")
	}
	nc, err := nats.Connect(url, nats.UserInfo("p", "secret"), nats.RootCAs(ca))
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
}

// TestServerConfCopies: what differs between sites that are alike is in variables.
func TestServerConfCopies(t *testing.T) {
	out := generate(t, "server-conf", parse(t, strings.Replace(factory, "    domain: plant\n", "    domain: plant\n    count: 50\n", 1)))
	t.Setenv("SERVER_NAME", "plant-7")
	t.Setenv("SITE_DOMAIN", "plant-7")
	r := runConf(t, out)
	if o := r.options["leafnodes/plant/n1.conf"]; o.ServerName != "plant-7" || o.JetStreamDomain != "plant-7" || len(o.LeafNode.Remotes) != 1 {
		t.Errorf("the site is %q in the domain %q with %d remotes", o.ServerName, o.JetStreamDomain, len(o.LeafNode.Remotes))
	}
}

// TestServerConfAccounts: accounts whose parts have the same names get users whose
// names differ, because a server refuses a name that comes twice; the client code and
// the list of passwords have the same ones.
func TestServerConfAccounts(t *testing.T) {
	const account = `
    streams: {S: {subjects: [s.>], max_bytes: 1MiB, consumers: {w: {ack_policy: explicit, max_deliver: 2, workers: {count: 1, service_time: 5ms}}}}}
    publishers: {p: {subject: s.a, rate: 1/s, payload: 10B, msg_id: uuid}}`
	d := parse(t, `
weir: 1
server: {version: "2.15", nodes: 1, disk: 10GiB}
accounts:
  A:`+account+`
  B:`+account+`
  C:
    users: {p-B: {publish: ["c.>"]}}
`)
	r := runConf(t, generate(t, "server-conf", d))
	for _, names := range [][]string{{"setup", "p", "w"}, {"setup-B", "p-B-2", "w-B"}} {
		nc, _, _ := r.user("n1.conf", names[0])
		for _, request := range d.Requests() {
			if request.Scope.Account == map[bool]string{true: "A", false: "B"}[names[0] == "setup"] {
				if err := ask(nc, request.Subject, request.Body); err != nil {
					t.Fatal(err)
				}
			}
		}
		r.works("n1.conf", names[1], "s.a", names[2], "S/w")
	}
	if script := text(t, generate(t, "nats-cli", d), "apply.sh"); !strings.Contains(script, "setup-B) command nats --inbox-prefix _INBOX_setup-B ") {
		t.Errorf("apply.sh does not know who may create what is in B:\n%s", script)
	}
	settings, env := text(t, generate(t, "go", d), "settings.go"), text(t, generate(t, "docker-compose", d), "env.example")
	for _, want := range []string{`User: "p-B-2"`, `User: "w-B"`, `User: "dead-letters-S-B"`, `InboxPrefix: "_INBOX_w-B"`} {
		if !strings.Contains(settings, want) {
			t.Errorf("settings.go has no %s:\n%s", want, settings)
		}
	}
	for _, want := range []string{"B_P_B_2_PASSWORD=", "B_SETUP_B_PASSWORD=", "C_P_B_PASSWORD="} {
		if !strings.Contains(env, want+"\n") {
			t.Errorf("env.example has no %s:\n%s", want, env)
		}
	}
}

// TestServerConfAlike: users whose names are alike in a variable or an inbox have others:
// nobody may read the answers of another, nor have its password.
func TestServerConfAlike(t *testing.T) {
	long := strings.Repeat("n", 120)
	d := parse(t, `
weir: 1
streams: {S: {subjects: [s.*], max_bytes: 1MiB}}
publishers:
  a_b: {subject: s.1, rate: 1/s, payload: 10B}
  a-b: {subject: s.2, rate: 1/s, payload: 10B}
  a b: {subject: s.3, rate: 1/s, payload: 10B}
  A_B: {subject: s.4, rate: 1/s, payload: 10B}
  gateways: {subject: s.5, rate: 1/s, payload: 10B}
  SHOP_web: {subject: s.6, rate: 1/s, payload: 10B}
  `+long+`1: {subject: s.7, rate: 1/s, payload: 10B}
  `+long+`2: {subject: s.8, rate: 1/s, payload: 10B}
accounts:
  SHOP: {publishers: {web: {subject: s.1, rate: 1/s, payload: 10B}}}
`)
	accounts := text(t, generate(t, "server-conf", d), "accounts.conf")
	for kind, of := range map[string]*regexp.Regexp{"user": regexp.MustCompile(`{user: ("[^"]*")`), "password": passwordVariable, "inbox": regexp.MustCompile(`"(_INBOX_[^"]*)"`)} {
		seen := map[string]bool{}
		for _, m := range of.FindAllStringSubmatch(accounts, -1) {
			if seen[m[1]] || m[1] == "GATEWAYS_PASSWORD" {
				t.Errorf("two have the %s %s:\n%s", kind, m[1], accounts)
			}
			seen[m[1]] = true
		}
		if len(seen) != 10 {
			t.Errorf("%d with a %s, not 10:\n%s", len(seen), kind, accounts)
		}
	}
	runConf(t, generate(t, "server-conf", d))
}

// TestServerConfLimits: every limit that a design may give to an account is one that a
// server reads, and keeps.
func TestServerConfLimits(t *testing.T) {
	all := map[string]string{"max_memory": "1MiB", "max_storage": "10MiB", "max_streams": "3", "max_consumers": "2", "max_ack_pending": "100",
		"memory_max_stream_bytes": "256KiB", "storage_max_stream_bytes": "8MiB", "max_bytes_required": "true"}
	var limits []string
	for _, f := range natsapi.Fields("account_limits") {
		if all[f.Name] == "" {
			t.Fatalf("%s is not tried", f.Name)
		}
		limits = append(limits, f.Name+": "+all[f.Name])
	}
	d := parse(t, "weir: 1\naccounts: {A: {limits: {"+strings.Join(limits, ", ")+"}, streams: {S: {subjects: [s], max_bytes: 4MiB}}}}\n")
	r := runConf(t, generate(t, "server-conf", d))
	nc, _, _ := r.user("n1.conf", "setup")
	for _, c := range []struct{ name, config, refused string }{
		{"S", `{"name": "S", "subjects": ["s"], "max_bytes": 4194304}`, ""},
		{"L", `{"name": "L", "subjects": ["l"], "max_bytes": 9437184}`, "10122"},
		{"T", `{"name": "T", "subjects": ["t"], "max_bytes": 7340032}`, "10047"},
		{"M", `{"name": "M", "subjects": ["m"], "storage": "memory", "max_bytes": 524288}`, "10122"},
		{"O", `{"name": "O", "subjects": ["o"]}`, "10113"},
	} {
		err := ask(nc, "STREAM.CREATE."+c.name, []byte(c.config))
		if c.refused == "" && err != nil || c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%s: %v, not %q", c.name, err, c.refused)
		}
	}
}

// text is the text of one file of an output.
func text(t *testing.T, out synth.Output, path string) string {
	t.Helper()
	for _, f := range out.Files {
		if f.Path == path {
			return f.Text
		}
	}
	t.Fatalf("%s has no %s", out.Target, path)
	return ""
}

// TestServerConfDomains: what is asked for in a domain that no server will have is said.
func TestServerConfDomains(t *testing.T) {
	for _, c := range []struct{ name, count, api, says string }{
		{"one site", "1", "$JS.plant.API", ""},
		{"several sites", "5", "$JS.plant.API", "plant-1 to plant-5"},
		{"one of several", "5", "$JS.plant-5.API", ""},
		{"one more than there are", "5", "$JS.plant-6.API", "no server of the design has"},
		{"another name", "1", "$JS.factory.API", "no server of the design has"},
		{"an account's own prefix", "1", "JS.factory.API", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, `
weir: 1
server: {version: "2.15", nodes: 1, disk: 10GiB, domain: hub}
streams: {ALL: {sources: [{name: READ, external: {api: "`+c.api+`"}}], max_bytes: 1GiB}}
leafnodes:
  plant: {domain: plant, count: `+c.count+`, server: {nodes: 1, disk: 8GiB, version: "2.15"}, streams: {READ: {subjects: [read.>], max_bytes: 1GiB}}}
`)
			var said []string
			for _, n := range generate(t, "server-conf", d).Notes {
				said = append(said, n.Path+": "+n.Text)
			}
			if all := strings.Join(said, "\n"); c.says == "" && all != "" || !strings.Contains(all, c.says) {
				t.Errorf("the notes are %q", all)
			}
		})
	}
}

// TestServerConfRoom: a limit is never more than the machine has, whatever the
// streams want, and what is cut is said.
func TestServerConfRoom(t *testing.T) {
	out := generate(t, "server-conf", parse(t, `
weir: 1
server: {version: "2.15", nodes: 1, memory: 4GiB, disk: 20GiB}
streams:
  S: {subjects: [s.>]}
  M: {subjects: [m.>], storage: memory, max_age: 72h}
publishers: {p: {subject: s.a, rate: 100/s, payload: 1000B}, m: {subject: m.a, rate: 100/s, payload: 1000B}}
`))
	text, notes := out.Files[slices.IndexFunc(out.Files, func(f synth.File) bool { return f.Path == "n1.conf" })].Text, fmt.Sprint(out.Notes)
	for _, want := range []string{"max_file_store: 19327352832 ", "max_memory_store: 3221225472 "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if !strings.Contains(notes, "max_file_store is 18 GiB") || !strings.Contains(notes, "max_memory_store is 3 GiB") {
		t.Error(notes)
	}
}

// TestServerConfClusters starts all servers of clusters with gateways between them, and of
// a site that connects to one: a stream is in the cluster that it is placed in, its mirror
// in the other, and a publisher at any of them finds it.
func TestServerConfClusters(t *testing.T) {
	const streams = `
streams:
  S: {subjects: [s.*], num_replicas: 3, max_bytes: 64MiB, placement: {cluster: %s}, consumers: {w: {ack_policy: explicit, workers: {count: 1, service_time: 5ms}}}}
  M: {mirror: {name: S}, max_bytes: 64MiB, placement: {cluster: west}}
publishers: {p: {subject: s.a, rate: 1/s, payload: 1KiB, msg_id: uuid, retry_for: 1m}}
leafnodes:
  plant: {domain: plant, cluster: west, server: {nodes: 1, disk: 1GiB}, publishers: {devices: {subject: s.b, rate: 1/s, payload: 10B, msg_id: uuid}}}
`
	for _, c := range []struct{ name, servers, large, at string }{
		{"without a hub", "clusters: {east: {nodes: 3, disk: 2GiB}, west: {nodes: 1, disk: 2GiB}}\ngateways: {ew: {between: [east, west]}}\n", "east", "clusters/east/n1.conf"},
		{"beside a hub", "server: {nodes: 3, disk: 2GiB}\nclusters: {west: {nodes: 1, disk: 2GiB}}\ngateways: {g: {between: [west, hub]}}\n", "hub", "n1.conf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, "weir: 1\nname: super\n"+c.servers+fmt.Sprintf(streams, c.large))
			out := generate(t, "server-conf", d)
			if len(out.Notes) > 0 {
				t.Errorf("it is all written, and the notes are %q", out.Notes)
			}
			r := runConf(t, out)
			for p, o := range r.options {
				if o.Gateway.Name != "" && (o.Gateway.Password != "secret" || o.Cluster.Password != "secret" || o.Gateway.Name != o.Cluster.Name) {
					t.Errorf("%s takes gateways or routes of anybody", p)
				}
			}
			nc, admin, _ := r.user("clusters/west/n1.conf", "setup")
			for _, request := range d.Requests() {
				eventually(t, "create "+request.Name, func() error { return askAgain(nc, request) })
			}
			for stream, cluster := range map[string]string{"S": c.large, "M": "west"} {
				if info := streamInfo(t, admin, stream); info.Cluster.Name != cluster {
					t.Errorf("%s is in the cluster %s, not %s", stream, info.Cluster.Name, cluster)
				}
			}
			r.works(c.at, "p", "s.a", "w", "S/w")
			eventually(t, "the site finds its cluster", func() error {
				if n := r.servers["clusters/west/n1.conf"].NumLeafNodes(); n != 1 {
					return fmt.Errorf("%d connections", n)
				}
				return nil
			})
			site, _, _ := r.user("leafnodes/plant/n1.conf", "devices")
			eventually(t, "what a site publishes is in the mirror", func() error {
				if _, err := site.Request("s.b", []byte("2"), time.Second); err != nil {
					return err
				}
				if n := streamInfo(t, admin, "M").State.Msgs; n < 2 {
					return fmt.Errorf("it has %d messages", n)
				}
				return nil
			})
		})
	}
}

// askAgain sends a request that may have come through although the answer was late.
func askAgain(nc *nats.Conn, request *design.Request) error {
	err := ask(nc, request.Subject, request.Body)
	if err != nil && strings.Contains(err.Error(), "10058") {
		return nil
	}
	return err
}

func streamInfo(t *testing.T, js jetstream.JetStream, name string) *jetstream.StreamInfo {
	t.Helper()
	s, err := js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo()
}

// TestServerConfClusterNotes: what the files of several clusters leave open is said, and
// nothing that the design does not have is written.
func TestServerConfClusterNotes(t *testing.T) {
	const stream = "streams: {S: {subjects: [s], max_bytes: 1MiB, placement: {cluster: %s}}}\n"
	for _, c := range []struct{ name, servers, placed, says, has, not string }{
		{"a placement names the only cluster", "server: {nodes: 3}\n", "eu-1", "", `name: "eu-1"`, "gateway"},
		{"no gateway", "server: {nodes: 1}\nclusters: {west: {nodes: 1}}\n", "west", "no gateway leads to hub", "clusters/west/n1.conf", "gateway {"},
		{"a gateway to nowhere", "clusters: {a: {nodes: 1}, b: {nodes: 1}}\ngateways: {g: {between: [a, c]}, h: {between: [a, b]}}\n", "a", "c is no cluster of the design", `name: "b"`, `name: "c"`},
		{"a name with a space", "clusters: {a b: {nodes: 1}, c: {nodes: 1}}\ngateways: {g: {between: [a b, c]}}\n", "a b", "the cluster is called a_b", `{name: "a_b", urls: $GATEWAY_A_B_URLS}`, "\n  name: \"a b\""},
		{"placed nowhere", "clusters: {a: {nodes: 1}, b: {nodes: 1}}\ngateways: {g: {between: [a, b]}}\n", "x", "placed in x, which is no cluster of the design", `name: "a"`, `name: "hub"`},
		{"without a placement", "clusters: {a: {nodes: 1}, b: {nodes: 1}}\ngateways: {g: {between: [a, b]}}\n", `""`, "no placement.cluster, and the design has no server", `name: "a"`, "# Server n1 of"},
		{"a site of no cluster", "clusters: {a: {nodes: 1}}\nleafnodes: {l: {cluster: z, server: {nodes: 1}}}\n", "a", "no server listens for the site", "leafnodes/l/n1.conf", "7422\\\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := generate(t, "server-conf", parse(t, "weir: 1\n"+c.servers+fmt.Sprintf(stream, c.placed)))
			all := ""
			for _, f := range out.Files {
				if f.Path != "README.md" {
					all += f.Path + "\n" + f.Text
				}
			}
			if said := fmt.Sprint(out.Notes); !strings.Contains(said, c.says) || c.says == "" && len(out.Notes) > 0 {
				t.Errorf("the notes are %s", said)
			}
			if !strings.Contains(all, c.has) || strings.Contains(all, c.not) {
				t.Errorf("without %q, or with %q:\n%s", c.has, c.not, all)
			}
		})
	}
}

// TestServerConfSettings: what a design says of ports, tags, names and mappings is what the
// servers have.
func TestServerConfSettings(t *testing.T) {
	d := parse(t, `
weir: 1
server: {nodes: 1, disk: 1GiB, zones: [z1], conf: {port: -1, host: 127.0.0.1, http: "127.0.0.1:-1", server_name: main, server_tags: ["ssd:1"], mappings: {"in.*": [{dest: "orders.{{wildcard(1)}}", weight: 100}]}, max_payload: 64KiB}}
streams: {S: {subjects: ["orders.*"], max_bytes: 1MiB}}
publishers: {p: {subject: in.a, rate: 1/s, payload: 10B}}
`)
	r := runConf(t, generate(t, "server-conf", d))
	o := r.options["n1.conf"]
	if o.ServerName != "main" || o.Host != "127.0.0.1" || o.Port == 4222 || o.HTTPPort != -1 || !slices.Equal(o.Tags, []string{"zone:z1", "ssd:1"}) || o.MaxPayload != 64<<10 {
		t.Errorf("%q %s:%d %d %v %d", o.ServerName, o.Host, o.Port, o.HTTPPort, o.Tags, o.MaxPayload)
	}
	nc, _, _ := r.user("n1.conf", "setup")
	if err := ask(nc, d.Requests()[0].Subject, d.Requests()[0].Body); err != nil {
		t.Fatal(err)
	}
	_, js, _ := r.user("n1.conf", "p")
	if _, err := js.Publish(t.Context(), "in.a", nil); err != nil {
		t.Errorf("the mapping does not lead to the stream: %v", err)
	}
	out := generate(t, "server-conf", parse(t, "weir: 1\nserver: {nodes: 3, conf: {server_name: main}}\nstreams: {S: {subjects: [s]}}\n"))
	if said := fmt.Sprint(out.Notes); !strings.Contains(said, "server_name is not written") || strings.Contains(text(t, out, "n2.conf"), "main") {
		t.Errorf("three servers have one name: %s", said)
	}
}
