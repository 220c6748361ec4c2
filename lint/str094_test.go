package lint

import (
	"strings"
	"testing"

	"weir/design"
)

// TestSTR094_room: what a stream without limits fills is the disk of its own
// servers, or its part of what the account may store.
func TestSTR094_room(t *testing.T) {
	tests := []struct{ name, text, says string }{
		{"leaf node", `
weir: 1
server: {nodes: 3, disk: 100GiB, domain: hub}
leafnodes: {plant: {domain: plant, server: {nodes: 1, disk: 8GiB}, streams: {READINGS: {subjects: [plant.>]}}, publishers: {sensor: {subject: plant.a, rate: 100/s, payload: 90B, msg_id: uuid}}}}
`, "and fills 8 GiB after"},
		{"account", `
weir: 1
server: {nodes: 3, disk: 100GiB}
accounts: {SHOP: {limits: {max_storage: 30GiB}, streams: {ORDERS: {subjects: [orders.>], num_replicas: 3}}, publishers: {web: {subject: orders.a, rate: 30/s, payload: 900B, msg_id: uuid}}}}
`, "and fills 10 GiB, its part of the account's max_storage, after"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, problems := design.Parse("weir.yaml", []byte(tt.text))
			if problems.Failed() {
				t.Fatal(problems)
			}
			for _, f := range Check([]*design.Design{d}, nil, Options{}).Findings {
				if f.Code == "STR094" {
					if !strings.Contains(f.Message, tt.says) {
						t.Errorf("%q does not say %q", f.Message, tt.says)
					}
					return
				}
			}
			t.Error("no finding")
		})
	}
}
