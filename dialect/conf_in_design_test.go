package dialect

import (
	"strings"
	"testing"

	"weir/design"
)

// TestConfInDesign: what no server starts with is an error in a design too.
func TestConfInDesign(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"port", "server: {nodes: 3, conf: {port: 99999}}", "99999 is no port"},
		{"listen", "server: {conf: {listen: 127.0.0.1:70000}}", "70000 is no port"},
		{"the same port", "server: {conf: {port: 4333, http_port: 4333}}", "that of port too"},
		{"domain in conf", "server: {conf: {jetstream: {domain: a.b}}}", "one of . * >"},
		{"domain", "server: {domain: a.b}", "one of . * >"},
		{"domain of a leaf", "leafnodes: {edge: {domain: \"a b\"}}", "one of . * >"},
		{"leaf", "leafnodes: {edge: {server: {conf: {port: 70000}}}}", "70000 is no port"},
		{"cluster", "clusters: {east: {nodes: 3, conf: {port: 70000}}}", "70000 is no port"},
		{"websocket", "server: {conf: {websocket: {port: 70000, no_tls: true}}}", "70000 is no port"},
		{"good", "server: {nodes: 3, domain: hub, conf: {port: 4222, http_port: 8222, jetstream: {max_mem: 1GiB}, system_account: SYS}}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, problems := Read([]*design.Source{design.NewSource("d.yaml", []byte("weir: 1\n"+tt.text+"\n"))})
			if tt.want == "" && problems != nil || !strings.Contains(problems.Error(), tt.want) {
				t.Errorf("got %v, want %q", problems, tt.want)
			}
		})
	}
}
