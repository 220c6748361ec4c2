//go:build !js

package natsapi_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"weir/natsapi"
)

// confBlocks says how each conf asset is reached in a configuration file; %s
// stands for the key under test.
var confBlocks = map[natsapi.Asset]string{
	"conf":                               "%s",
	"conf.cluster":                       "cluster { %s }",
	"conf.compression":                   "cluster { compression { %s } }",
	"conf.gateway":                       "gateway { %s }",
	"conf.gateway.gateways":              "gateway { gateways: [ { %s } ] }",
	"conf.accounts":                      "accounts { A { %s } }",
	"conf.accounts.jetstream":            "accounts { A { jetstream { %s } } }",
	"conf.accounts.limits":               "accounts { A { limits { %s } } }",
	"conf.accounts.msg_trace":            "accounts { A { msg_trace { %s } } }",
	"conf.accounts.imports":              "accounts { A { imports: [ { %s } ] } }",
	"conf.accounts.imports.from":         "accounts { A { imports: [ { stream: { %s } } ] } }",
	"conf.accounts.exports":              "accounts { A { exports: [ { %s } ] } }",
	"conf.accounts.exports.latency":      "accounts { A { exports: [ { service: s, latency: { %s } } ] } }",
	"conf.mappings":                      "mappings { a: [ { %s } ] }",
	"conf.jetstream":                     "jetstream { %s }",
	"conf.jetstream.limits":              "jetstream { limits { %s } }",
	"conf.jetstream.limits.batch":        "jetstream { limits { batch { %s } } }",
	"conf.jetstream.tpm":                 "jetstream { tpm { %s } }",
	"conf.leafnodes":                     "leafnodes { %s }",
	"conf.leafnodes.authorization":       "leafnodes { authorization { %s } }",
	"conf.leafnodes.authorization.users": "leafnodes { authorization { users: [ { %s } ] } }",
	"conf.leafnodes.remotes":             "leafnodes { remotes: [ { %s } ] }",
	"conf.leafnodes.remotes.proxy":       "leafnodes { remotes: [ { proxy { %s } } ] }",
	"conf.leafnodes.remotes.migrate":     "leafnodes { remotes: [ { js_cluster_migrate { %s } } ] }",
	"conf.authorization":                 "authorization { %s }",
	"conf.users":                         "authorization { users: [ { %s } ] }",
	"conf.auth_callout":                  "authorization { auth_callout { %s } }",
	"conf.permissions":                   "authorization { default_permissions { %s } }",
	"conf.permissions.allow_responses":   "authorization { default_permissions { allow_responses { %s } } }",
	"conf.permissions.subjects":          "authorization { default_permissions { publish { %s } } }",
	"conf.tls":                           "tls { %s }",
	"conf.tls.certs":                     "tls { certs: [ { %s } ] }",
	"conf.tls.ocsp_peer":                 "tls { ocsp_peer { %s } }",
	"conf.ocsp":                          "ocsp { %s }",
	"conf.ocsp_cache":                    "ocsp_cache { %s }",
	"conf.resolver":                      "resolver { %s }",
	"conf.simple_authorization":          "mqtt { authorization { %s } }",
	"conf.websocket":                     "websocket { %s }",
	"conf.mqtt":                          "mqtt { %s }",
	"conf.proxies":                       "proxies { %s }",
	"conf.proxies.trusted":               "proxies { trusted: [ { %s } ] }",
}

// silentBlocks are read key by key, or otherwise without a complaint about
// unknown keys.
var silentBlocks = []natsapi.Asset{"conf.resolver", "conf.leafnodes.remotes.migrate", "conf.accounts.exports.latency", "conf.ocsp"}

// processConf is the server's own reading of a configuration: its errors and
// warnings as text.
func processConf(text string) string {
	if err := (&server.Options{}).ProcessConfigString(text); err != nil {
		return err.Error()
	}
	return ""
}

// reportsUnknown reports whether the server's errors call the key unknown. Its
// words differ from block to block.
func reportsUnknown(errors, key string) bool {
	return strings.Contains(strings.ToLower(errors), "unknown field") && strings.Contains(errors, strconv.Quote(key))
}

// sample is a value of the given type for a key, written as in a file.
func sample(f natsapi.Field, typ natsapi.Type) string {
	switch typ {
	case natsapi.Bool:
		return "true"
	case natsapi.Int:
		return "30"
	case natsapi.Size:
		return "16MB"
	case natsapi.Duration:
		return `"30s"`
	case natsapi.Enum:
		return strconv.Quote(f.Enum[0].Name)
	case natsapi.Object:
		return "{}"
	case natsapi.List:
		if f.Elem == natsapi.Object {
			return "[{}]"
		}
		return `["a"]`
	case natsapi.Map:
		switch {
		case f.Elem == natsapi.Object:
			return "{a: {}}"
		case f.Elem == natsapi.List:
			return "{a: b}"
		case f.Elem == natsapi.Bool:
			return "{a: true}"
		}
		return `{a: "b"}`
	}
	return `"a"`
}

// TestConfKeysAreKnownToServer writes every key and alias with a value of each
// of its types into a configuration and lets the pinned server read it: keys
// that it has are never unknown nor of the wrong type, others always unknown.
func TestConfKeysAreKnownToServer(t *testing.T) {
	for _, asset := range natsapi.Assets() {
		if !asset.IsConf() {
			continue
		}
		block, ok := confBlocks[asset]
		if !ok {
			t.Errorf("the test has no block for %s", asset)
			continue
		}
		silent := slices.Contains(silentBlocks, asset)
		if got := processConf(fmt.Sprintf(block, "weir_key: x")); reportsUnknown(got, "weir_key") == silent {
			t.Errorf("%s: unknown keys are reported: %v (%s)", asset, !silent, got)
		}
		for _, f := range natsapi.Fields(asset) {
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				for _, typ := range append([]natsapi.Type{f.Type}, f.Also...) {
					checkConfKey(t, f, silent, fmt.Sprintf(block, name+": "+sample(f, typ)), name)
				}
			}
		}
	}
}

func checkConfKey(t *testing.T, f natsapi.Field, silent bool, text, name string) {
	t.Helper()
	got := processConf(text)
	unknown := reportsUnknown(got, name)
	if f.In(natsapi.Embedded) && unknown || !f.In(natsapi.Embedded) && !unknown && !silent {
		t.Errorf("%s: unknown to the server: %v", text, unknown)
	}
	for _, wrong := range []string{"interface conversion", "unsupported type", "unexpected type", "Expected a"} {
		// ocsp urls wants a []string, which the server's own parser never makes.
		if strings.Contains(got, wrong) && !(f.Asset == "conf.ocsp" && f.Name == "urls") {
			t.Errorf("%s: wrong type: %s", text, got)
		}
	}
}

// TestConfDefaultsEqualServer compares defaults with what the pinned server
// fills into empty options.
func TestConfDefaultsEqualServer(t *testing.T) {
	o := &server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
		JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: 1 << 20}
	o.LeafNode.Port, o.Cluster.Port, o.Cluster.Name, o.ServerName = -1, -1, "c", "n"
	ns, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	defer ns.Shutdown()
	tests := []struct {
		name  string
		asset natsapi.Asset
		got   int64
	}{
		{"port", natsapi.Conf, int64(o.Port)},
		{"max_payload", natsapi.Conf, int64(o.MaxPayload)},
		{"max_pending", natsapi.Conf, o.MaxPending},
		{"max_control_line", natsapi.Conf, int64(o.MaxControlLine)},
		{"max_connections", natsapi.Conf, int64(o.MaxConn)},
		{"max_subscriptions", natsapi.Conf, int64(o.MaxSubs)},
		{"ping_interval", natsapi.Conf, int64(o.PingInterval)},
		{"ping_max", natsapi.Conf, int64(o.MaxPingsOut)},
		{"write_deadline", natsapi.Conf, int64(o.WriteDeadline)},
		{"max_closed_clients", natsapi.Conf, int64(o.MaxClosedClients)},
		{"lame_duck_duration", natsapi.Conf, int64(o.LameDuckDuration)},
		{"lame_duck_grace_period", natsapi.Conf, int64(o.LameDuckGracePeriod)},
		{"connect_error_reports", natsapi.Conf, int64(o.ConnectErrorReports)},
		{"reconnect_error_reports", natsapi.Conf, int64(o.ReconnectErrorReports)},
		{"sync", "conf.jetstream", int64(o.SyncInterval)},
		{"request_queue_limit", "conf.jetstream", server.JSDefaultRequestQueueLimit},
		{"default_max_consumers", "conf.jetstream.limits", server.JSDefaultMaxConsumersPerStream},
		{"pool_size", "conf.cluster", int64(o.Cluster.PoolSize)},
		{"reconnect", "conf.leafnodes", int64(o.LeafNode.ReconnectInterval)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := natsapi.Lookup(tt.asset, tt.name)
			want, err := natsapi.Number(f.Default)
			if !ok || err != nil || want != tt.got {
				t.Errorf("default %q = %d (%v), the server has %d", f.Default, want, err, tt.got)
			}
		})
	}
}
