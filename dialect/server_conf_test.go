package dialect

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/conf"
	"github.com/nats-io/nats-server/v2/server"

	"weir/design"
	"weir/natsapi"
)

// judgeConf reads a text as nats-server.conf.
func judgeConf(name, text string) Reading {
	return readConfs([]*design.Source{design.NewSource(name, []byte(text))}, nil)
}

// inEnvironment is a file whose variables come from the environment of the tests, as
// those of the server that runs in them do.
func inEnvironment(name, text string) *design.Source {
	src := design.NewSource(name, []byte(text))
	src.Env = os.LookupEnv
	return src
}

// refusedHere reports whether the embedded server does not start with what was
// read.
func refusedHere(r Reading) bool {
	for _, p := range r.Parts {
		if slices.ContainsFunc(p.ConfKeys, func(k design.ConfKey) bool { return !k.Field.In(natsapi.Embedded) }) {
			return true
		}
	}
	return r.Problems.Failed()
}

// serverRefuses is what the real server says to a text; warnings are none.
func serverRefuses(text string) string {
	opts := &server.Options{}
	err := opts.ProcessConfigString(text)
	if err == nil {
		return ""
	}
	if e, ok := err.(interface{ Errors() []error }); ok && len(e.Errors()) == 0 {
		return ""
	}
	return err.Error()
}

// startRefuses is what a new server says to options that it could read.
func startRefuses(text string) string {
	opts := &server.Options{NoSigs: true, NoLog: true, DontListen: true}
	if err := opts.ProcessConfigString(text); err != nil {
		return err.Error()
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return err.Error()
	}
	defer s.Shutdown()
	if err := listensNowhere(opts); err != nil {
		return err.Error()
	}
	if opts.HTTPSPort != 0 {
		if err := s.StartMonitoring(); err != nil {
			return err.Error()
		}
	}
	return ""
}

// TestConfStarts: what Weir says does not start, or not without more on the
// command line, does not.
func TestConfStarts(t *testing.T) {
	cluster := "cluster { name: c, listen: \"127.0.0.1:-1\" }\n"
	for _, tt := range []struct {
		name, text string
		refused    bool
	}{
		{"payload above pending", "max_payload: 2MB\nmax_pending: 1MB\n", true},
		{"default payload above pending", "max_pending: 500KB\n", true},
		{"payload within pending", "max_payload: 8MB\n", false},
		{"pending of 0 is the default", "max_pending: 0\n", false},
		{"cluster without JetStream", cluster, false},
		{"cluster without server_name", cluster + "jetstream: enabled\n", true},
		{"cluster with server_name", cluster + "server_name: n1\njetstream: enabled\n", false},
		{"cluster without name", "cluster { listen: \"127.0.0.1:-1\" }\nserver_name: n1\njetstream { store_dir: /nowhere }\n", true},
		{"gateway of another name", "server_name: a\ncluster { name: x, listen: \"127.0.0.1:-1\" }\ngateway { name: y, listen: \"127.0.0.1:-1\" }\n", true},
		{"gateway of the same name", "server_name: a\ncluster { name: x, listen: \"127.0.0.1:-1\" }\ngateway { name: x, listen: \"127.0.0.1:-1\" }\n", false},
		{"grace longer than lame duck", "lame_duck_duration: 30s\nlame_duck_grace_period: 40s\n", true},
		{"grace within lame duck", "lame_duck_duration: 60s\n", false},
		{"websocket without TLS", "websocket { port: -1 }\n", true},
		{"websocket behind a proxy", "websocket { port: -1, no_tls: true }\n", false},
		{"MQTT without JetStream", "mqtt { port: -1 }\n", true},
		{"MQTT with JetStream", "mqtt { port: -1 }\njetstream { store_dir: /nowhere }\n", false},
		{"MQTT in a cluster without name", cluster + "mqtt { port: -1 }\n", true},
		{"MQTT of a leaf", "mqtt { port: -1 }\nleafnodes { listen: \"127.0.0.1:-1\" }\n", false},
		{"nobody's no_auth_user", "no_auth_user: bob\nauthorization { users: [{user: alice, password: x}] }\n", true},
		{"no_auth_user of an account", "no_auth_user: bob\naccounts { A { users: [{user: bob, password: x}] } }\n", false},
		{"JetStream turned off", cluster + "jetstream { enabled: false }\n", false},
		{"no cluster port", "cluster { name: c, routes: [\"nats://a:6222\"] }\njetstream: true\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := startRefuses(tt.text); (got != "") != tt.refused {
				t.Errorf("the server says %q", got)
			}
			if r := judgeConf("x.conf", tt.text); strings.Contains(r.Problems.Error(), "does not start") != tt.refused {
				t.Errorf("here: %v", r.Problems)
			}
		})
	}
}

// vectorRows are the rows of a file of vectors.
func vectorRows(t *testing.T, name string) [][]string {
	t.Helper()
	dir := os.Getenv("WEIR_VECTORS")
	if dir == "" {
		t.Skip("WEIR_VECTORS is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Skip(err)
	}
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if i > 0 {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

// agreement fails a test of vectors below 100 % and lists what disagrees.
func agreement(t *testing.T, agree int, wrong []string) {
	t.Helper()
	t.Logf("agree %d of %d", agree, agree+len(wrong))
	for i, w := range wrong {
		if i < 20 {
			t.Error(w)
		}
	}
}

func TestVectorsConfServerRun(t *testing.T) {
	agree, wrong := 0, []string(nil)
	for _, row := range vectorRows(t, "conf-server-run.tsv") {
		var text string
		if err := json.Unmarshal([]byte(row[0]), &text); err != nil {
			t.Fatal(err)
		}
		r := readConfs([]*design.Source{inEnvironment("nats-server.conf", text)}, nil)
		refused := strings.HasPrefix(row[2], "ERROR")
		if !refused && refusedHere(r) {
			refused = startRefuses(text) != "" // the row is of reading the file alone
		}
		if refusedHere(r) == refused {
			agree++
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%s: the server: %s, here: %v", row[0], row[2], r.Problems))
	}
	agreement(t, agree, wrong)
}

var unescape = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r", `\0`, "\x00", `\f`, "\f")

func TestVectorsConfLexical(t *testing.T) {
	agree, wrong := 0, []string(nil)
	rows := vectorRows(t, "conf-lexical.tsv")
	t.Chdir(t.TempDir()) // the server's parser reads the included file from the disk
	if err := os.WriteFile("users.conf", []byte(includedUsers), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if strings.Contains(row[1], "has a bug") {
			continue
		}
		text := unescape.Replace(row[0])
		if got := lexical(text); got != "" {
			wrong = append(wrong, fmt.Sprintf("%q: %s", text, got))
			continue
		}
		agree++
	}
	agreement(t, agree, wrong)
}

const includedUsers = "PW = 1\nusers = [ { user: a, password: $PW } ]\n"

// lexical compares the values of a text with those of the public parser; "" when
// they are equal, or both fail.
func lexical(text string) string {
	want, err := conf.Parse(text)
	p := newConfParser([]*design.Source{design.NewSource("users.conf", []byte(includedUsers))})
	src := inEnvironment("x.conf", text)
	got, _ := p.parse(src)
	refused := p.problems.Failed()
	switch {
	case src.Check() != nil:
		return "" // Weir reads no such text
	case err != nil && refused:
		return ""
	case err != nil || refused:
		return fmt.Sprintf("the server: %v, here: %v", err, p.problems)
	}
	if a, b := fmt.Sprint(plainOf(got)), fmt.Sprint(any(want)); a != b {
		return fmt.Sprintf("the server: %s, here: %s", b, a)
	}
	return ""
}

// plainOf is a value as the server's parser returns it.
func plainOf(v *confValue) any {
	switch {
	case v.isMap:
		m := map[string]any{}
		for _, f := range v.fields {
			m[f.text] = plainOf(f.value)
		}
		return m
	case v.isList:
		list := []any{}
		for _, item := range v.items {
			list = append(list, plainOf(item))
		}
		return list
	}
	return v.scalar
}

// TestConfKeysAsTheServer writes every key of the tables with values of every
// kind into a file, and compares whether the server starts.
func TestConfKeysAsTheServer(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("what the server says of missing files is another system's words under js; the comparison runs natively")
	}
	samples := []string{`true`, `30`, `-1`, `0`, `70000`, `"30s"`, `"x y"`, `x`, `""`, `{}`, `[]`, `["a"]`, `[1]`, `[{}]`, `{a: b}`, `{a: {}}`, `1.5`, `16MB`, `"1G"`, `30s`,
		`"a..b"`, `"localhost:4222"`, `{ zz: 1 }`, `[{zz: 1}]`, `99999999999`}
	t.Chdir(t.TempDir()) // the server makes the directories of a resolver
	agree, wrong := 0, []string(nil)
	for _, asset := range natsapi.Assets() {
		block, ok := confFrames[asset]
		if !ok {
			continue
		}
		for _, f := range natsapi.Fields(asset) {
			if asset == "conf.users" && f.Name == "user" {
				continue // written twice, which of them counts is chance
			}
			for i, name := range append([]string{f.Name}, f.Aliases...) {
				values := append(slices.Clone(samples), enumSamples(f)...)
				if i > 0 || f.Of == "conf.resolver" {
					values = values[:8]
				}
				for _, value := range values {
					text := fmt.Sprintf(block, name+": "+value)
					want, r := serverRefuses(text), judgeConf("x.conf", text)
					if want == "" && refusedHere(r) {
						want = startRefuses(text) // found later, when it starts
					}
					if ofDisk(want) || (want != "") == refusedHere(r) {
						agree++
						continue
					}
					wrong = append(wrong, fmt.Sprintf("%s\n  the server: %q\n  here: %v", text, want, r.Problems))
				}
			}
		}
	}
	agreement(t, agree, wrong)
	if len(wrong) > 20 {
		t.Errorf("%d more", len(wrong)-20)
	}
}

// ofDisk reports whether the server's complaint is about a file on its disk,
// which Weir does not judge.
func ofDisk(complaint string) bool {
	for _, words := range []string{"no such file", "is a directory", "accessible directory", "type not implemented", "current operating system"} {
		if strings.Contains(complaint, words) {
			return true
		}
	}
	return false
}

func enumSamples(f natsapi.Field) []string {
	var out []string
	for _, e := range f.Enum {
		out = append(out, strconv.Quote(e.Name), strconv.Quote(strings.ToUpper(e.Name)))
	}
	return out
}

// confFrames say how each block is reached.
var confFrames = map[natsapi.Asset]string{
	"conf": "%s", "conf.cluster": "cluster { %s }", "conf.compression": "cluster { compression { %s } }", "conf.gateway": "gateway { %s }",
	"conf.gateway.gateways": "gateway { gateways: [ { %s } ] }", "conf.accounts": "accounts { A { %s } }",
	"conf.accounts.jetstream": "accounts { A { jetstream { %s } } }", "conf.accounts.limits": "accounts { A { limits { %s } } }",
	"conf.accounts.msg_trace": "accounts { A { msg_trace { %s } } }", "conf.accounts.imports": "accounts { A { imports: [ { %s } ] } }",
	"conf.accounts.imports.from": "accounts { A { imports: [ { stream: { %s } } ] } }", "conf.accounts.exports": "accounts { A { exports: [ { service: s, %s } ] } }",
	"conf.accounts.exports.latency": "accounts { A { exports: [ { service: s, latency: { subject: lat, %s } } ] } }",
	"conf.mappings":                 "mappings { a: [ { weight: 10, %s } ] }", "conf.jetstream": "jetstream { %s }", "conf.jetstream.limits": "jetstream { limits { %s } }",
	"conf.jetstream.limits.batch": "jetstream { limits { batch { %s } } }", "conf.jetstream.tpm": "jetstream { tpm { %s } }",
	"conf.leafnodes": "leafnodes { %s }", "conf.leafnodes.authorization": "leafnodes { authorization { %s } }",
	"conf.leafnodes.authorization.users": "leafnodes { authorization { users: [ { %s } ] } }",
	"conf.leafnodes.remotes":             "leafnodes { remotes: [ { %s } ] }", "conf.leafnodes.remotes.proxy": "leafnodes { remotes: [ { proxy { %s } } ] }",
	"conf.leafnodes.remotes.migrate": "leafnodes { remotes: [ { js_cluster_migrate { %s } } ] }",
	"conf.authorization":             "authorization { %s }", "conf.users": "authorization { users: [ { user: u, %s } ] }",
	"conf.auth_callout": "authorization { auth_callout { %s } }", "conf.permissions": "authorization { default_permissions { %s } }",
	"conf.permissions.allow_responses": "authorization { default_permissions { allow_responses { %s } } }",
	"conf.permissions.subjects":        "authorization { default_permissions { publish { %s } } }", "conf.tls": "tls { %s }",
	"conf.tls.certs": "tls { certs: [ { %s } ] }", "conf.tls.ocsp_peer": "tls { ocsp_peer { %s } }", "conf.ocsp": "ocsp { %s }",
	"conf.ocsp_cache": "ocsp_cache { %s }", "conf.resolver": "resolver { type: full, dir: \"./\", %s }", "conf.simple_authorization": "mqtt { authorization { %s } }",
	"conf.websocket": "websocket { %s }", "conf.mqtt": "mqtt { %s }", "conf.proxies": "proxies { %s }", "conf.proxies.trusted": "proxies { trusted: [ { %s } ] }",
}

// TestConfMoreAsTheServer compares with the server what keys say together.
func TestConfMoreAsTheServer(t *testing.T) {
	tests := []struct{ name, text string }{
		{"user and token", `authorization { user: a, password: b, token: c }`},
		{"user and users", `authorization { user: a, users: [{user: b}] }`},
		{"twice in two accounts", `accounts { A { users: [{user: a}] }, B { users: [{user: a}] } }`},
		{"twice in authorization and an account", "accounts { A { users: [{user: a}] } }\nauthorization { users: [{user: a}] }"},
		{"token and accounts", "accounts { A { users: [{user: a}] } }\nauthorization { token: x }"},
		{"reserved", `accounts { $G { } }`},
		{"list of accounts", `accounts: [A, B]`},
		{"list of accounts, twice", `accounts: [A, A]`},
		{"store_dir twice", "store_dir: /x\njetstream { store_dir: /y }"},
		{"import", `accounts { A { exports: [{stream: "a.>"}] }, B { imports: [{stream: {account: A, subject: "a.b"}, prefix: p}] } }`},
		{"import that is not exported", `accounts { A { exports: [{stream: "a.b"}] }, B { imports: [{stream: {account: A, subject: "a.c"}}] } }`},
		{"import from nobody", `accounts { B { imports: [{stream: {account: A, subject: "a.c"}}] } }`},
		{"private export", `accounts { A { exports: [{service: "a", accounts: [B]}] }, B { imports: [{service: {account: A, subject: a}}] } }`},
		{"private export to another", `accounts { A { exports: [{service: "a", accounts: [C]}] }, B { imports: [{service: {account: A, subject: a}}] }, C {} }`},
		{"export to nobody", `accounts { A { exports: [{service: "a", accounts: [C]}] } }`},
		{"circle", `accounts { A { exports: [{service: a}], imports: [{service: {account: B, subject: a}}] }, B { exports: [{service: a}], imports: [{service: {account: A, subject: a}}] } }`},
		{"stream circle", `accounts { A { exports: [{stream: ">"}], imports: [{stream: {account: B, subject: a}}] }, B { exports: [{stream: ">"}], imports: [{stream: {account: A, subject: a}}] } }`},
		{"import twice", `accounts { A { exports: [{stream: "a"}] }, B { imports: [{stream: {account: A, subject: a}}, {stream: {account: A, subject: a}}] } }`},
		{"service mapped", `accounts { A { exports: [{service: "a.*"}] }, B { imports: [{service: {account: A, subject: "a.*"}, to: "b.$1"}] } }`},
		{"service mapped badly", `accounts { A { exports: [{service: "a.*"}] }, B { imports: [{service: {account: A, subject: "a.*"}, to: "b.c"}] } }`},
		{"token position", `accounts { A { exports: [{stream: "a.*", account_token_position: 2}] }, B { imports: [{stream: {account: A, subject: "a.B"}}] } }`},
		{"token position, other name", `accounts { A { exports: [{stream: "a.*", account_token_position: 2}] }, B { imports: [{stream: {account: A, subject: "a.C"}}] } }`},
		{"token position outside", `accounts { A { exports: [{stream: "a.*", account_token_position: 1}] } }`},
		{"latency on itself", `accounts { A { exports: [{service: a, latency: a}] } }`},
		{"prefix with wildcard", `accounts { A { exports: [{stream: "a.>"}] }, B { imports: [{stream: {account: A, subject: "a.b"}, prefix: "p.*"}] } }`},
		{"weights", `mappings { a: [{destination: b, weight: 60}, {destination: c, weight: 50}] }`},
		{"destination twice", `mappings { a: [{destination: b, weight: 60}, {destination: b, weight: 10}] }`},
		{"queue permission", `authorization { users: [{user: a, permissions: {subscribe: "a q", publish: "b"}}] }`},
		{"queue publish permission", `authorization { users: [{user: a, permissions: {publish: "a q"}}] }`},
		{"cluster permission", `cluster { permissions { import: "a", export: "b q" } }`},
		{"cluster users", `cluster { authorization { users: [{user: a}] } }`},
		{"leaf users", `leafnodes { authorization { user: x, users: [{user: a}] } }`},
		{"leaf user twice", `leafnodes { authorization { users: [{user: a}, {user: a}] } }`},
		{"proxy without url", `leafnodes { remotes: [{ proxy { username: a, password: b } }] }`},
		{"proxy with user only", `leafnodes { remotes: [{ proxy { url: "http://a:1", username: a } }] }`},
		{"cert without key", `tls { cert_file: x }`},
		{"bad cipher", `tls { cipher_suites: [ X ] }`},
		{"insecure cipher", `tls { cipher_suites: [ TLS_RSA_WITH_RC4_128_SHA ] }`},
		{"curves", `tls { curve_preferences: [ X25519, CurveP256 ] }`},
		{"used variable", "A = 1\nport: $A"},
		{"nested map by variable", "A { max_mem: 1G }\njetstream: $A"},
		{"variable of an outer block", "X = 4222\ncluster { port: $X, name: c }"},
		{"variable behind its use", "port: $X\nX = 1"},
		{"comment behind a value", "port: 1 # x\nhost: a // y"},
		{"block string", "server_name: (\nabc\n)\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want, r := serverRefuses(tt.text), judgeConf("x.conf", tt.text)
			if want == "" && r.Problems.Failed() {
				want = startRefuses(tt.text)
			}
			if (want != "") != r.Problems.Failed() {
				t.Errorf("%s\nthe server: %q\nhere: %v", tt.text, want, r.Problems)
			}
		})
	}
}

func TestConfAsDesign(t *testing.T) {
	node := func(name string) string {
		return "server_name: " + name + "\nmax_payload: 2MB\nwrite_deadline: \"5s\"\n" +
			"jetstream { store_dir: /data/" + name + ", max_mem: 1G, max_file_store: \"10G\", domain: hub, sync_interval: always, limits { max_ha_assets: 100 } }\n" +
			"cluster { name: C, listen: 0.0.0.0:6222, routes: [ nats://n1:6222, nats://n2:6222 ] }\ninclude auth.conf\n"
	}
	auth := "PW: secret\naccounts { APP: { jetstream { max_mem: 1G, max_file: 2GB, max_streams: 5 }\n" +
		"  users: [ {user: u, password: $PW, permissions: {publish: \"a.>\", subscribe: {allow: [b], deny: c}, allow_responses: {max: 2, expires: \"1m\"}}} ]\n" +
		"  exports: [ {service: q, threshold: \"1s\"} ] } }\n"
	leaf := "server_name: plant\nleafnodes { remotes: [ {url: \"nats://n1:7422\"} ] }\njetstream { domain: plant }\n"
	var sources []*design.Source
	for _, f := range [][2]string{{"etc/n1.conf", node("n1")}, {"etc/n2.conf", node("n2")}, {"etc/auth.conf", auth}, {"etc/plant.conf", leaf}} {
		sources = append(sources, design.NewSource(f[0], []byte(f[1])))
	}
	designs, problems := Read(sources)
	if problems != nil || len(designs) != 1 {
		t.Fatal(problems, len(designs))
	}
	want := `weir: 1
server:
  nodes: 2
  domain: hub
  conf:
    jetstream:
      sync_interval: always
      max_memory_store: 1000000000B
      max_file_store: 10GiB
      limits:
        max_ha_assets: 100
    max_payload: 2MiB
    write_deadline: 5s
accounts:
  APP:
    limits:
      max_memory: 1000000000B
      max_storage: 2GiB
      max_streams: 5
    users:
      u:
        publish: [a.>]
        subscribe:
          allow: [b]
          deny: [c]
        allow_responses:
          max: 2
          expires: 1m
    exports:
      - service: q
        response_threshold: 1s
leafnodes:
  plant:
    domain: plant
    server:
      nodes: 1
      domain: plant
      conf:
        jetstream: {}
`
	if got := string(design.Render(designs[0])); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for path, place := range map[string]string{"server.conf.max_payload": "etc/n1.conf:2:14", "accounts.APP.users.u.publish": "etc/auth.conf:3:60"} {
		if got := designs[0].Where(path).String(); got != place {
			t.Errorf("%s stands at %s, want %s", path, got, place)
		}
	}
}

func TestConfWithDesign(t *testing.T) {
	file := design.NewSource("d.yaml", []byte("weir: 1\nserver: {conf: {max_payload: 1MiB}}\nstreams: {A: {subjects: [a]}}\n"))
	for _, tt := range []struct {
		name, conf string
		conflicts  int
	}{{"the same", "max_payload: 1MB\n", 0}, {"another", "max_payload: 2MB\n", 2}, {"more", "max_pending: 2MB\n", 0}} {
		t.Run(tt.name, func(t *testing.T) {
			designs, problems := Read([]*design.Source{file, design.NewSource("s.conf", []byte(tt.conf))})
			if len(designs) != 1 || len(problems) != tt.conflicts || !designs[0].Has("streams.A") {
				t.Errorf("%d designs, %v", len(designs), problems)
			}
		})
	}
}

func TestConfProblemPlaces(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown key", "port: 4222\n  max_payloadd: 1", `x.conf:2:3: error: nats-server.conf has no key "max_payloadd"; did you mean max_payload?; the server does not start [FILE005]`},
		{"text for a size", "max_payload: \"1MB\"", `x.conf:1:14: error: max_payload: "1MB" is not what the server takes here, and it does not start; write a size without quotes, such as 1MB or 10GiB [FILE006]`},
		{"syntax", "a: 1\nport 4222 5", "x.conf:2:11: error: the server cannot read the file: Parse error on line 2: 'Expected a top-level value to end with a new line, comment or EOF, but got '5' instead.' [FILE001]"},
		{"unquoted duration", "ping_interval: 2m", `x.conf:1:16: warning: ping_interval: 2m without quotes is the number 2000000, and the server takes it for 2000000 seconds; write "2m" [FILE007]`},
		{"variable", "port: $PORT", `x.conf:1:7: info: variable "PORT" is not defined in front of its use: the server takes it from its environment, and does not start without it; weir reads its own environment with --env [FILE008]`},
		{"variables", "port: $PORT\nhttp: $PORT\nserver_name: $NAME", `x.conf:1:7: info: 2 variables are not defined in front of their use: the server takes them from its environment, and does not start without them; set PORT, NAME; weir reads its own environment with --env [FILE008]`},
		{"variable of itself", "A = $A", `x.conf:1:5: info: variable "A" is not defined in front of its use: the server takes it from its environment, and does not start without it; weir reads its own environment with --env [FILE008]`},
		{"include", "include 'more.conf'", `x.conf:1:1: warning: "more.conf" is included and not among the files given, so what it says is not known; give it too [FILE008]`},
		{"number too large", "port: 4222\nmax_payload: 99999999999999999999\nhttp: 8222\n", "x.conf:2:14: error: the server cannot read the file: integer '99999999999999999999' is out of the range [FILE001]"},
		{"open double quote", "port: 4222\nx: {a: \"b\n c: 1}\n", "x.conf:2:8: error: the server cannot read the file: the quoted text that begins here is not closed [FILE001]"},
		{"open single quote", "port: 4222\nname: 'b\nhttp: 1\n", "x.conf:2:7: error: the server cannot read the file: the quoted text that begins here is not closed [FILE001]"},
		{"open quoted key", "port: 4222\n\"name: b\n", "x.conf:2:1: error: the server cannot read the file: the quoted text that begins here is not closed [FILE001]"},
		{"open map", "port: 4222\njetstream {\n max_mem: 1GB\n", "x.conf:2:11: error: the server cannot read the file: the map that begins here is not closed; is the file cut off? [FILE001]"},
		{"open list", "server_tags: [a,\n b\n", "x.conf:1:14: error: the server cannot read the file: the list that begins here is not closed; is the file cut off? [FILE001]"},
		{"list not closed in a map", "port: 4222\ncluster {\n  routes = [ nats://n2:6222, nats://n3:6222\n}", "x.conf:3:12: error: the server cannot read the file: the list that begins here is not closed in front of the } at 4:1 [FILE001]"},
		{"empty list not closed", "port: 4222\ncluster {routes: [}\n", "x.conf:2:18: error: the server cannot read the file: the list that begins here is not closed in front of the } at 2:19 [FILE001]"},
		{"map not closed in a list", "port: 4222\nauthorization {users: [{user: a, password: b]}\n", "x.conf:2:24: error: the server cannot read the file: the map that begins here is not closed in front of the ] at 2:45 [FILE001]"},
		{"block not closed", "port: 4222\nname: (a\n b )\n", "x.conf:2:7: error: the server cannot read the file: the block that begins here is not closed; its ) stands at the beginning of a line, with nothing behind it [FILE001]"},
		{"open quoted include", "port: 4222\ninclude 'a\n", "x.conf:2:9: error: the server cannot read the file: the quoted text that begins here is not closed [FILE001]"},
		{"cut off in a key", "jetstream {max_mem: 1GB, max_fi", "x.conf:1:11: error: the server cannot read the file: the map that begins here is not closed; is the file cut off? [FILE001]"},
		{"cut off behind a key", "jetstream {max_mem: ", "x.conf:1:11: error: the server cannot read the file: the map that begins here is not closed; is the file cut off? [FILE001]"},
		{"cut off in a value", "cluster {name: ab", "x.conf:1:9: error: the server cannot read the file: the map that begins here is not closed; is the file cut off? [FILE001]"},
		{"key twice", "port: 4222\nhttp: 1\nport: 4223\n", `x.conf:1:1: warning: "port" is written again in line 3; the server takes the last value, and nothing of this one [FILE004]`},
		{"block twice", "jetstream {max_mem: 1GB}\njetstream {max_file: 2GB}\n", `x.conf:1:1: warning: "jetstream" is written again in line 2; the server takes the last value, and nothing of this one [FILE004]`},
		{"the same twice", "port: 4222\nport: 4222\n", ""},
		{"includes itself", "include x.conf", "x.conf:1:1: error: the file includes itself: x.conf includes x.conf [FILE001]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PORT", "4222")
			if got := judgeConf("x.conf", tt.text).Problems.Error(); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestConfEnvironment reads variables that a text does not define from the
// environment that its source has.
func TestConfEnvironment(t *testing.T) {
	env := map[string]string{"SIZE": "2MB", "PORT": "x", "LIST": "[a, b]", "BAD": "[", "OTHER": "$SIZE", "CRYPT": "$2a$11$abc", "NUL": "a\x00"}
	for _, tt := range []struct{ name, text, want, path, value string }{
		{"number", "max_payload: $SIZE", "", "server.conf.max_payload", "2MiB"},
		{"text defines it", "SIZE: 1MB\nmax_payload: $SIZE", "", "server.conf.max_payload", "1MiB"},
		{"wrong type", "port: $PORT", "x.conf:1:7: error: port: $PORT is not what the server takes here, and it does not start; write a number without quotes [FILE006]", "", ""},
		{"not there", "port: $NONE", `x.conf:1:7: error: variable "NONE" is not defined in front of its use: the server takes it from its environment, and does not start without it; weir's own environment lacks it [FILE008]`, "", ""},
		{"not to be read", "port: $BAD", `x.conf:1:7: error: the value of "BAD" in the environment is none that the server can read [FILE001]`, "", ""},
		{"no text", "port: $NUL", `x.conf:1:7: error: the value of "NUL" in the environment is none that the server can read [FILE001]`, "", ""},
		{"refers on", "port: $OTHER", "", "", ""},
		{"in a block", "jetstream { max_mem: $SIZE, max_file: $SIZE }", "", "server.conf.jetstream.max_file_store", "2MiB"},
		{"list", "server_tags: $LIST", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := design.NewSource("x.conf", []byte(tt.text))
			src.Env = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
			designs, problems := Read([]*design.Source{src})
			if got := problems.Error(); got != tt.want {
				t.Fatalf("got  %s\nwant %s", got, tt.want)
			}
			if tt.path == "" {
				return
			}
			if v, ok := designs[0].Value(tt.path); !ok || v.Node.Text != tt.value {
				t.Errorf("%s is %q, want %q", tt.path, v.Node.Text, tt.value)
			}
		})
	}
}

// TestConfIncludeBounds: files that include each other twice double with each.
func TestConfIncludeBounds(t *testing.T) {
	var sources []*design.Source
	for i := range 18 {
		sources = append(sources, design.NewSource(fmt.Sprintf("f%d.conf", i), []byte(strings.Repeat(fmt.Sprintf("include 'f%d.conf'\n", i+1), 2))))
	}
	sources = append(sources, design.NewSource("f18.conf", []byte("port: 4222\n")))
	_, problems := Read(sources)
	if got, want := problems.Error(), "error: the include directives bring in more than 1000 files or 8388608 bytes; Weir reads at most that many [FILE002]"; !strings.HasSuffix(got, want) || len(problems) != 1 {
		t.Errorf("got %s", got)
	}
}

// TestConfInJSON: what the Helm chart writes is JSON, and is recognised by its keys.
func TestConfInJSON(t *testing.T) {
	tests := []struct {
		name, file, text string
		conf             bool
	}{
		{"of the chart", "x.json", `{"cluster":{"name":"n","port":6222,"routes":["nats://a:6222","nats://b:6222","nats://c:6222"]},"http_port":8222,"jetstream":{"max_file_store":"10Gi","store_dir":"/data"},"port":4222,"server_name":"$SERVER_NAME"}`, true},
		{"standard input", "<stdin>", `{"port":4222,"jetstream":{"store_dir":"/data"}}`, true},
		{"cut off", "<stdin>", `{"port":4222,"jetstream":{"store_dir":"/da`, true},
		{"a stream", "x.json", `{"name":"A","subjects":["a"]}`, false},
		{"what a server says of itself", "x.json", `{"server_id":"N","server_name":"n","version":"2.15.2","host":"0.0.0.0","port":4222,"max_payload":1,"cluster":{},"jetstream":{}}`, false},
		{"another program's", "x.json", `{"port":8080,"host":"localhost"}`, false},
		{"mostly another program's", "x.json", `{"cluster":{},"a":1,"b":2,"c":3}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, _ := Recognise(design.NewSource(tt.file, []byte(tt.text)))
			if (d.Name == "conf") != tt.conf {
				t.Errorf("recognised as %q", d.Name)
			}
		})
	}
}

// TestConfOfOneServer: JetStream without a cluster is one server, whatever streams
// ask for.
func TestConfOfOneServer(t *testing.T) {
	for _, tt := range []struct{ name, text, nodes string }{
		{"alone", "jetstream {store_dir: /x}", "1"},
		{"in a cluster", "server_name: a\njetstream {store_dir: /x}\ncluster {name: c, port: 6222, routes: [\"nats://a:6222\", \"nats://b:6222\"]}", "2"},
		{"routes not said", "server_name: a\njetstream {store_dir: /x}\ncluster {name: c, port: 6222}", ""},
		{"a part of a configuration", "max_payload: 2MB", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			designs, problems := Read([]*design.Source{design.NewSource("x.conf", []byte(tt.text))})
			if problems != nil {
				t.Fatal(problems)
			}
			got := ""
			if v, ok := designs[0].Value("server.nodes"); ok {
				got = v.Node.Text
			}
			if got != tt.nodes {
				t.Errorf("nodes %q, want %q", got, tt.nodes)
			}
		})
	}
}

// TestConfNodesDiffer: servers of a cluster need not be alike; a difference is said and
// refuses nothing.
func TestConfNodesDiffer(t *testing.T) {
	var sources []*design.Source
	for i, one := range []string{"max_payload: 1MB\njetstream {max_file_store: 1GB, max_memory_store: 2GB}", "max_payload: 2MB\njetstream {max_file_store: 3GB, max_memory_store: 1GB}"} {
		name := fmt.Sprintf("n%d", i+1)
		sources = append(sources, design.NewSource(name+".conf", []byte("server_name: "+name+"\ncluster {name: C, port: 6222}\n"+one+"\n")))
	}
	designs, problems := Read(sources)
	var said []string
	for _, p := range problems {
		if p.Severity != design.Info {
			t.Error(p)
		}
		said = append(said, p.Position.File+" "+strings.Split(p.Message, " ")[0])
	}
	if want := []string{"n2.conf max_payload:", "n2.conf max_file_store:", "n2.conf max_memory_store:"}; !slices.Equal(said, want) {
		t.Errorf("said %q, want %q", said, want)
	}
	for path, want := range map[string]string{"server.conf.max_payload": "1MiB", "server.conf.jetstream.max_file_store": "3GiB", "server.conf.jetstream.max_memory_store": "2GiB"} {
		if v, ok := designs[0].Value(path); !ok || v.Node.Text != want {
			t.Errorf("%s: %v, want %s", path, v.Node, want)
		}
	}
}

// TestConfOpenTexts: what the environment says is not missing.
func TestConfOpenTexts(t *testing.T) {
	designs, problems := Read([]*design.Source{design.NewSource("x.conf", []byte("jetstream {store_dir: $DIR, domain: $SITE, max_file_store: $MOST}"))})
	if problems.Failed() {
		t.Fatal(problems)
	}
	for path, want := range map[string]string{"server.domain": "$SITE", "server.conf.jetstream.store_dir": "$DIR"} {
		if v, ok := designs[0].Value(path); !ok || v.Node.Text != want {
			t.Errorf("%s: %v, want %s", path, v.Node, want)
		}
	}
	if _, ok := designs[0].Value("server.conf.jetstream.max_file_store"); ok {
		t.Error("a number that nobody knows has a value")
	}
}

func FuzzConf(f *testing.F) {
	f.Add("jetstream { max_mem: 1G, limits { x: [1, 2] } }\naccounts { A { users: [{user: a}] } }")
	f.Add("X = 1\na { b = $X }\ninclude 'x'\ns = \"\\x41\"\n(\n)\n")
	f.Add("a: [1 2]\nb (\nx\n)\nc 2024-01-02T03:04:05Z # d\n{ \"e\": -1.5k }")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		judgeConf("x.conf", text)
		if strings.Contains(strings.ToLower(text), "include") || strings.Contains(text, "$") {
			return // the server's parser would read files and the environment
		}
		defer func() {
			if r := recover(); r != nil && fmt.Sprint(r) == "BUG in parser, context stack empty" {
				t.Skip("the server's parser panics")
			} else if r != nil {
				panic(r)
			}
		}()
		if got := lexical(text); got != "" {
			t.Error(got)
		}
	})
}

// TestConfLarge reads files in which each thing that is looked up is there many
// times: what grows with the square of them would take minutes.
func TestConfLarge(t *testing.T) {
	var defined, open, chain strings.Builder
	chain.WriteString("V0: 1\n")
	for i := range 60_000 {
		fmt.Fprintf(&chain, "V%d: $V%d\n", i+1, i)
		fmt.Fprintf(&defined, "V%d = %d\nk%d: $V%d\n", i, i, i, i)
		fmt.Fprintf(&open, "k%d: $V%d\n", i, i)
	}
	for _, tt := range []struct{ name, text string }{
		{"variables", defined.String()}, {"unknown variables", open.String()}, {"variables of variables", chain.String()}, {"include where the parser stops", "a b c d\n" + strings.Repeat("include ", 500_000)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if r := judgeConf("x.conf", tt.text); !r.Problems.Failed() || len(r.Problems) > design.MaxProblems {
				t.Errorf("%d problems", len(r.Problems))
			}
		})
	}
}

// TestSameMachine: routes to one host at several ports are one zone.
func TestSameMachine(t *testing.T) {
	for routes, want := range map[string]string{
		`"nats://10.0.0.5:6222", "nats://10.0.0.5:6223", "nats://10.0.0.5:6224"`: `zones: ["10.0.0.5"]`,
		`"nats://u:p@box:6222", "nats://u:p@box:6223"`:                           "zones: [box]",
		`"nats://[::1]:6222", "nats://[::1]:6223"`:                               `zones: ["[::1]"]`,
		`"nats://a:6222", "nats://b:6222"`:                                       "",
		`"nats://cluster:6222"`:                                                  "",
		`"nats://a:6222", "nats://a:6223", "nats://b:6222"`:                      "",
	} {
		text := "jetstream { store_dir: /d }\ncluster { name: c, routes: [ " + routes + " ] }\n"
		designs, problems := Read([]*design.Source{design.NewSource("n.conf", []byte(text))})
		if problems != nil || len(designs) != 1 {
			t.Fatal(problems)
		}
		if got := string(design.Render(designs[0])); want != "" && !strings.Contains(got, want) || want == "" && strings.Contains(got, "zones") {
			t.Errorf("%s: %s", routes, got)
		}
	}
}

// TestConfKeyFix: a key that is misspelt is renamed where it stands, in its quotes.
func TestConfKeyFix(t *testing.T) {
	for _, tt := range []struct{ name, text, key, want string }{
		{"in a block", "port: 4222\njetstream {\n  store_dir: /d\n  max_file_stor: 100MB\n}\n", "max_file_stor", "max_file_store"},
		{"quoted", "port: 4222\njetstream {\n  store_dir: /d\n  \"max_file_stor\": 100MB\n}\n", "\"max_file_stor\"", "\"max_file_store\""},
		{"at the top", "port: 4222\nmax_payloadd: 1MB\n", "max_payloadd", "max_payload"},
		{"ignored", "port: 4222\nresolver: {type: full, dir: /d, allow_delet: true}\n", "allow_delet", "allow_delete"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Read([]*design.Source{design.NewSource("s.conf", []byte(tt.text))})
			for _, p := range problems {
				if p.Code != design.CodeUnknown {
					continue
				}
				lines := strings.Split(tt.text, "\n")
				if p.Fix == nil || len(p.Fix.Edits) != 1 || p.Fix.Edits[0].Text != tt.want || lines[p.Fix.Edits[0].Line-1][p.Fix.Edits[0].Col-1:p.Fix.Edits[0].EndCol-1] != tt.key {
					t.Errorf("fix %+v of %v", p.Fix, p)
				}
				return
			}
			t.Errorf("not found: %v", problems)
		})
	}
}
