package design_test

import (
	"strings"
	"testing"

	"weir/design"
	"weir/dialect"
)

// TestDiffOfLive: what a server reports has every default written out and its own
// metadata, and is no other than the design that it was made from.
func TestDiffOfLive(t *testing.T) {
	const live = `{"config":{"name":"A","subjects":["a.>"],"retention":"limits","max_consumers":-1,"max_msgs_per_subject":-1,"max_msgs":-1,"max_bytes":-1,"max_age":259200000000000,"max_msg_size":-1,
"storage":"file","discard":"old","num_replicas":3,"duplicate_window":120000000000,"sealed":false,"deny_delete":false,"deny_purge":false,"allow_rollup_hdrs":false,"compression":"none","allow_direct":false,
"mirror_direct":false,"consumer_limits":{},"metadata":{"_nats.level":"1","_nats.req.level":"0","_nats.ver":"2.12.15"}},"created":"2026-05-01T10:00:00Z","state":{"messages":0,"bytes":0,"first_seq":0,"last_seq":0,"consumer_count":0}}`
	const consumer = `{"stream_name":"A","name":"c","config":{"durable_name":"c","name":"c","deliver_policy":"all","ack_policy":"explicit","ack_wait":30000000000,"max_deliver":-1,"replay_policy":"instant",
"max_waiting":512,"max_ack_pending":1000,"num_replicas":0,"metadata":{"_nats.level":"0"}}}`
	const base = "weir: 1\nserver: {version: \"2.12\", nodes: 3, disk: 1GiB}\nstreams: {A: {subjects: [a.>], num_replicas: 3, max_age: 72h}}\ngoals: {latency_p99: 1s}\n"
	tests := []struct{ name, live, text, want string }{
		{"the same", live, base, ""},
		{"a setting", live, strings.Replace(base, "72h", "48h", 1), "~ streams.A.max_age: 259200000000000 -> 48h"},
		{"a default that the other has not", live, strings.Replace(base, "max_age", "discard: new, max_age", 1), `~ streams.A.discard: "old" -> new`},
		{"metadata of the design", live, strings.Replace(base, "max_age", "metadata: {owner: shop}, max_age", 1), "+ streams.A.metadata.owner: shop"},
		{"a setting that is no default", live, strings.Replace(base, ", max_age: 72h", "", 1), "- streams.A.max_age: 259200000000000"},
		{"a consumer", "[" + live + "," + consumer + "]", strings.Replace(base, "72h", "72h, consumers: {c: {ack_policy: explicit, workers: {service_time: 1s}}}", 1), ""},
		{"a consumer with another", "[" + live + "," + consumer + "]", strings.Replace(base, "72h", "72h, consumers: {c: {ack_policy: explicit, max_deliver: 5}}", 1), "~ streams.A.consumers.c.max_deliver: -1 -> 5"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var designs [2]*design.Design
			for i, src := range []*design.Source{design.NewSource("live.json", []byte(tt.live)), design.NewSource("d.yaml", []byte(tt.text))} {
				ds, problems := dialect.Read([]*design.Source{src})
				if problems.Failed() || len(ds) != 1 {
					t.Fatal(problems)
				}
				designs[i] = ds[0]
			}
			var lines []string
			for _, c := range design.Diff(designs[0], designs[1]) {
				lines = append(lines, c.Text())
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			if back := design.Diff(designs[1], designs[0]); len(back) != len(lines) {
				t.Errorf("the other way: %v", back)
			}
		})
	}
}
