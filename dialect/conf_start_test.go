package dialect

import (
	"fmt"
	"net"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"weir/natsapi"
)

// fatal keeps the first thing for which a server ends.
type fatal struct {
	once  sync.Once
	first chan string
}

func (f *fatal) Fatalf(format string, v ...any) {
	f.once.Do(func() { f.first <- fmt.Sprintf(format, v...) })
}

func (*fatal) Noticef(string, ...any) {}
func (*fatal) Warnf(string, ...any)   {}
func (*fatal) Errorf(string, ...any)  {}
func (*fatal) Debugf(string, ...any)  {}
func (*fatal) Tracef(string, ...any)  {}

// realStart starts a server with a text, and returns why it ends; "" for one that
// runs. JetStream of it has a folder of the test.
func realStart(t *testing.T, text string) string {
	t.Helper()
	opts := &server.Options{NoSigs: true}
	if err := opts.ProcessConfigString(text); err != nil {
		return err.Error()
	}
	opts.StoreDir = t.TempDir()
	s, err := server.NewServer(opts)
	if err != nil {
		return err.Error()
	}
	log := &fatal{first: make(chan string, 1)}
	s.SetLoggerV2(log, false, false, false)
	defer s.Shutdown()
	s.Start()
	ready := make(chan string, 1)
	go func() {
		const longest = 10 * time.Second
		if s.ReadyForConnections(longest) {
			ready <- ""
			return
		}
		ready <- "not ready"
	}()
	select {
	case why := <-log.first:
		return why
	case why := <-ready:
		return why
	}
}

// listensNowhere is what a server finds out only when it listens: a port that is
// none, or one that it has already. Hosts count as they are written.
func listensNowhere(o *server.Options) error {
	type door struct {
		host string
		port int
	}
	host := func(h string) string {
		if h == "" {
			return o.Host
		}
		return h
	}
	var seen []door
	for _, d := range []door{{o.Host, o.Port}, {host(o.HTTPHost), o.HTTPPort}, {host(o.HTTPHost), o.HTTPSPort}, {o.Host, o.ProfPort}, {o.Cluster.Host, o.Cluster.Port},
		{o.Gateway.Host, o.Gateway.Port}, {o.LeafNode.Host, o.LeafNode.Port}, {o.Websocket.Host, o.Websocket.Port}, {o.MQTT.Host, o.MQTT.Port}} {
		if d.port == 0 || d.port == -1 {
			continue
		}
		if _, err := net.ResolveTCPAddr("tcp", fmt.Sprintf("127.0.0.1:%d", d.port)); err != nil {
			return err
		}
		for _, other := range seen {
			if all := "0.0.0.0"; other.port == d.port && (other.host == d.host || d.host == all || other.host == all || d.host == "" || other.host == "") {
				return fmt.Errorf("port %d is used twice", d.port)
			}
		}
		seen = append(seen, d)
	}
	return nil
}

// freePort is a port that nobody has at the moment.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// startText is a text, and whether the server does not start with it.
type startText struct {
	name, text string
	refused    bool
}

// startAccounts are about accounts.
var startAccounts = []startText{
	{"system account that is none", "system_account: SYS2\naccounts { A {} }", true},
	{"system account without accounts", "system_account: SYS2", true},
	{"system account of the server", "system_account: \"$SYS\"", true},
	{"system account in a list", "system_account: A\naccounts: [A]", false},
	{"JetStream on the system account", "jetstream { max_mem: 1M }\naccounts { SYS { jetstream: enabled }, A {} }\nsystem_account: SYS", true},
	{"JetStream on the system account, with limits", "jetstream { max_mem: 1M }\naccounts { SYS { jetstream {max_mem: 1M} }, A {} }\nsystem_account: SYS", true},
	{"JetStream on $SYS", "jetstream { max_mem: 1M }\naccounts { \"$SYS\" { jetstream: enabled } }", true},
	{"JetStream on another account", "jetstream { max_mem: 1M }\naccounts { SYS {}, A {jetstream: enabled} }\nsystem_account: SYS", false},
	{"JetStream not on the system account", "jetstream { max_mem: 1M }\naccounts { SYS {jetstream: disabled} }\nsystem_account: SYS", false},
	{"system account with JetStream, and none on the server", "accounts { SYS { jetstream: enabled } }\nsystem_account: SYS", false},
	{"import with a bad prefix", `accounts { A { exports: [ {stream: "x.>"} ] }, B { imports: [ {stream: {account: A, subject: "x.>"}, prefix: "p..q"} ] } }`, true},
	{"import of one subject with a bad prefix", `accounts { A { exports: [ {stream: "x.>"} ] }, B { imports: [ {stream: {account: A, subject: "x.a"}, prefix: "p..q"} ] } }`, false},
	{"import to a bad subject", `accounts { A { exports: [ {stream: "x.>"} ] }, B { imports: [ {stream: {account: A, subject: "x.a"}, to: "p..q"} ] } }`, false},
	{"import with a prefix", `accounts { A { exports: [ {stream: "x.>"} ] }, B { imports: [ {stream: {account: A, subject: "x.*"}, prefix: "p.q."} ] } }`, false},
	{"default_sentinel", "default_sentinel: x", true},
}

// startLinks are about leaf nodes, compression and JetStream domains.
var startLinks = []startText{
	{"leaf account", `leafnodes { remotes: [ {urls: ["nats-leaf://127.0.0.1:1"], account: NOPE } ] }`, true},
	{"leaf account that is there", "accounts { A {} }\n" + `leafnodes { remotes: [ {urls: ["nats-leaf://127.0.0.1:1"], account: A }, {url: "nats-leaf://127.0.0.1:1", account: "$SYS"}, {url: "nats-leaf://127.0.0.1:1"} ] }`, false},
	{"$SYS beside a system account", "accounts { A {} }\nsystem_account: A\n" + `leafnodes { remotes: [ {url: "nats-leaf://127.0.0.1:1", account: "$SYS"} ] }`, true},
	{"leaf login", "leafnodes { listen: \"127.0.0.1:-1\", authorization { user: a, password: b, account: NOPE } }", true},
	{"leaf users", "leafnodes { listen: \"127.0.0.1:-1\", authorization { users: [{user: a, password: b, account: NOPE}] } }", true},
	{"leaf users that are there", "accounts { A {} }\nleafnodes { listen: \"127.0.0.1:-1\", authorization { users: [{user: a, password: b, account: A}] } }", false},
	{"remote twice", `leafnodes { remotes: [ {url: "nats-leaf://127.0.0.1:1"}, {url: "nats-leaf://127.0.0.1:1"} ] }`, true},
	{"remote twice, spelt otherwise", `leafnodes { remotes: [ {urls: ["nats-leaf://127.0.0.1:1"]}, {url: "nats-leaf://127.0.0.1:1", account: "$G"} ] }`, true},
	{"remote of other credentials", `leafnodes { remotes: [ {url: "nats-leaf://127.0.0.1:1", creds: "a.creds"}, {url: "nats-leaf://127.0.0.1:1"} ] }`, false},
	{"mixed URLs", `leafnodes { remotes: [ {urls: ["ws://127.0.0.1:1","nats-leaf://127.0.0.1:2"]} ] }`, true},
	{"WebSocket URLs", `leafnodes { remotes: [ {urls: ["ws://127.0.0.1:1","ws://127.0.0.1:2"]} ] }`, false},
	{"leaf compression", "leafnodes { listen: \"127.0.0.1:-1\", compression: s3 }", true},
	{"remote compression", `leafnodes { remotes: [ {url: "nats-leaf://127.0.0.1:1", compression: zip} ] }`, true},
	{"cluster compression", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: {mode: s3} }", true},
	{"compression words", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: ON }\nleafnodes { listen: \"127.0.0.1:-1\", compression: S2_Best }", false},
	{"thresholds that fall", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: {mode: s2_auto, rtt_thresholds: [10ms, 5ms]} }", true},
	{"five thresholds", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: {mode: s2_auto, rtt: [1ms, 2ms, 3ms, 4ms, 5ms]} }", true},
	{"no thresholds but 0", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: {mode: auto, rtts: [0ms, 0ms]} }", true},
	{"thresholds", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: {mode: s2_auto, thresholds: [0ms, 5ms, 0ms, 5ms, 0ms]} }", false},
	{"thresholds of no auto", "cluster { name: c, listen: \"127.0.0.1:-1\", compression: {mode: s2_fast, thresholds: [10ms, 5ms]} }", false},
	{"domain of two tokens", `jetstream { domain: "a.b" }`, true},
	{"domain with a blank", `jetstream { domain: "a b" }`, true},
	{"domain with a wildcard", `jetstream { domain: "*" }`, true},
	{"domain with >", `jetstream { domain: "a>" }`, true},
	{"domain", `jetstream { domain: "a-b" }`, false},
}

// startDoors are about ports, gateways and WebSocket; FREE is a port that nobody has.
var startDoors = []startText{
	{"port", "port: 99999", true},
	{"negative port", "port: -5", true},
	{"listen", "listen: 70000", true},
	{"listen with host", "listen: \"127.0.0.1:70000\"", true},
	{"cluster port", "cluster { port: 70000, name: c }", true},
	{"cluster listen", "cluster { listen: \"127.0.0.1:70000\", name: c }", true},
	{"gateway port", "gateway { port: 70000, name: c }", true},
	{"leaf port", "leafnodes { port: 70000 }", true},
	{"websocket port", "websocket { port: 70000, no_tls: true }", true},
	{"MQTT port", "server_name: a\njetstream {max_mem: 1M}\nmqtt { port: 70000 }", true},
	{"monitoring port", "http_port: 70000", true},
	{"monitoring listen", "http: \"127.0.0.1:70000\"", true},
	{"profiling port", "prof_port: 70000", true},
	{"http and https", "http: -1\nhttps: -1", true},
	{"https without TLS", "https: -1", true},
	{"cluster on the same port", "listen: \"127.0.0.1:FREE\"\ncluster { name: c, listen: \"127.0.0.1:FREE\" }", true},
	{"websocket on the same port", "listen: \"127.0.0.1:FREE\"\nwebsocket { port: FREE, no_tls: true }", true},
	{"monitoring on the same port", "listen: \"127.0.0.1:FREE\"\nhttp_port: FREE", true},
	{"another host", "listen: \"127.0.0.1:FREE\"\nhttp: \"127.0.0.2:FREE\"", false},
	{"free ports", "port: -1\ncluster { name: c, port: -1 }\nhttp: -1", false},
	{"gateway without name", "gateway { port: -1 }", true},
	{"gateway without port", `gateway { name: a, gateways: [{name: b, url: "nats://127.0.0.1:1"}] }`, true},
	{"gateway to one without URL", "gateway { name: a, listen: \"127.0.0.1:-1\", gateways: [{name: b}] }", true},
	{"gateway to one without name", "gateway { name: a, listen: \"127.0.0.1:-1\"" + `, gateways: [{url: "nats://127.0.0.1:1"}] }`, true},
	{"gateway", "gateway { name: a, listen: \"127.0.0.1:-1\"" + `, gateways: [{name: b, url: "nats://127.0.0.1:1"}] }`, false},
	{"gateway with leaf nodes", "gateway { name: a, listen: \"127.0.0.1:-1\" }\nleafnodes { listen: \"127.0.0.1:-1\" }", true},
	{"gateway with leaf nodes and a system account", "system_account: S\naccounts {S {}}\ngateway { name: a, listen: \"127.0.0.1:-1\" }\nleafnodes { listen: \"127.0.0.1:-1\" }", false},
	{"account pinned twice", "cluster { name: c, listen: \"127.0.0.1:-1\", accounts: [A, A] }\naccounts { A {} }", true},
	{"negative pool", "cluster { name: c, listen: \"127.0.0.1:-1\", accounts: [A], pool_size: -1 }\naccounts { A {} }", true},
	{"negative pool alone", "cluster { name: c, listen: \"127.0.0.1:-1\", pool_size: -1 }", false},
	{"pinned accounts", "cluster { name: c, listen: \"127.0.0.1:-1\", accounts: [A, B], pool_size: 2 }\naccounts { A {}, B {} }", false},
	{"websocket no_auth_user", "websocket { port: -1, no_tls: true, no_auth_user: bob }", true},
	{"websocket no_auth_user that is there", "authorization { users: [{user: bob, password: b}] }\nwebsocket { port: -1, no_tls: true, no_auth_user: bob }", false},
	{"origin", "websocket { port: -1, no_tls: true, allowed_origins: [\"::x\"] }", true},
	{"origin without host", "websocket { port: -1, no_tls: true, allowed_origins: [\"http://\"] }", true},
	{"origins", "websocket { port: -1, no_tls: true, allowed_origins: [\"http://a\", \"https://b:1\"] }", false},
	{"header", "websocket { port: -1, no_tls: true, headers {\"Upgrade\": x} }", true},
	{"header of the protocol", "websocket { port: -1, no_tls: true, headers {\"Sec-WebSocket-Key\": x} }", true},
	{"headers", "websocket { port: -1, no_tls: true, headers {\"X-A\": x} }", false},
	{"websocket cookie", "websocket { port: -1, no_tls: true, jwt_cookie: x }", true},
	{"websocket login beside users", "authorization { users: [{user: bob, password: b}] }\nwebsocket { port: -1, no_tls: true, authorization {username: x} }", true},
	{"byte order mark", "\ufeffport: -1", true},
}

// TestConfStartsForReal starts the real server with each text, at a port of its own.
func TestConfStartsForReal(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("no server listens under js")
	}
	free := freePort(t)
	for _, tt := range slices.Concat(startAccounts, startLinks, startDoors) {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.ReplaceAll(tt.text, "FREE", free)
			if !clientsPort.MatchString(text) {
				text += "\nlisten: \"127.0.0.1:-1\"\n"
			}
			if got := realStart(t, text); (got != "") != tt.refused {
				t.Errorf("the server says %q", got)
			}
			if r := judgeConf("x.conf", text); r.Problems.Failed() != tt.refused {
				t.Errorf("here: %v", r.Problems)
			}
		})
	}
}

// clientsPort is a text that says where clients connect.
var clientsPort = regexp.MustCompile(`(?m)^\W*(port|listen):`)

// TestConfNumbersForDurations: where the server takes a number for seconds, and says
// so, a warning is here too.
func TestConfNumbersForDurations(t *testing.T) {
	warned := 0
	for _, asset := range natsapi.Assets() {
		frame, ok := confFrames[asset]
		for _, f := range natsapi.Fields(asset) {
			if !ok || f.Type != natsapi.Duration {
				continue
			}
			text := fmt.Sprintf(frame, f.Name+": 5")
			err := (&server.Options{}).ProcessConfigString(text)
			want := err != nil && strings.Contains(err.Error(), "should be converted to a duration")
			if got := strings.Contains(judgeConf("x.conf", text).Problems.Error(), "exits with 1"); got != want {
				t.Errorf("%s: the server says %v, here %t", text, err, got)
			}
			if want {
				warned++
			}
		}
	}
	if warned < 10 {
		t.Errorf("the server warned of %d keys alone", warned)
	}
}
