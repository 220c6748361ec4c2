//go:build !js

package synth_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"weir/synth"
)

// goldenDesign is the design of testdata: a hub with accounts, a leaf node site, a bucket,
// every mode of publishing and every kind of retention.
const goldenDesign = `
weir: 1
name: golden
server: {version: "2.12", nodes: 3, memory: 8GiB, disk: 100GiB, zones: [a, b, c], conf: {max_payload: 2MiB, sync_interval: 1m}}
streams:
  ORDERS:
    subjects: [orders.*.*]
    max_age: 72h
    max_bytes: 1GiB
    num_replicas: 3
    duplicate_window: 5m
    consumers:
      billing: {ack_policy: explicit, ack_wait: 30s, max_deliver: 5, filter_subject: orders.*.created, workers: {count: 2, concurrency: 8, fetch: 50, service_time: {p50: 20ms, p99: 400ms}, in_progress: 10s, errors: {rate: 1%, action: nak, delay: 5s}}}
      search: {ack_policy: all, workers: {count: 1, service_time: 1ms}}
  JOBS:
    subjects: [jobs.*]
    retention: workqueue
    discard: new
    max_msgs: 10000
    max_bytes: 100MiB
    num_replicas: 3
    consumers:
      render: {ack_policy: explicit, backoff: [10s, 1m], max_deliver: 4, workers: {count: 4, concurrency: 2, service_time: 2s}}
  DEAD: {subjects: ["dead.>"], max_bytes: 64MiB, num_replicas: 3}
publishers:
  checkout: {subject: "orders.{region}.created", tokens: {region: 3}, rate: 100/s, payload: 1KiB, msg_id: uuid, mode: async, in_flight: 64, retry_for: 4m, on_reject: {retry: 5, then: dlq}}
  payment: {subject: "orders.{region}.paid", tokens: {region: 3}, rate: 90/s, payload: 1KiB, msg_id: uuid, mode: sync}
  planner: {subject: "jobs.{kind}", tokens: {kind: 4}, rate: 1/s, payload: 4KiB, msg_id: uuid, mode: batch, batch: 20, on_reject: {retry: 3, backoff: 200ms, then: block}}
  beacon: {subject: status.up, rate: 1/s, payload: 20B, mode: core}
subscribers:
  live: {subject: orders.*.created}
  quotes: {subject: quotes.get, queue: quotes, reply: {mean: 300B}, service_time: 2ms}
kv: {SESSIONS: {history: 1, ttl: 30m, keys: 1000, value: 300B, writes: 5/s, max_bytes: 10MiB}}
accounts:
  AUDIT:
    imports: [{stream: {account: $G, subject: orders.>}}]
    streams: {TRAIL: {subjects: [trail.*], max_bytes: 100MiB}}
    publishers: {auditor: {subject: trail.entry, rate: 1/s, payload: 500B, msg_id: uuid}}
leafnodes:
  plant:
    domain: plant
    count: 50
    server: {version: "2.12", nodes: 1, disk: 50GiB}
    streams: {EVENTS: {subjects: [plant.events], max_bytes: 1GiB}}
    publishers: {devices: {subject: plant.events, rate: 2/s, payload: 250B, msg_id: uuid}}
`

// TestGoldens compares what each target writes with testdata/<target>.txtar. Of
// client code that is what comes from the design, the settings: the rest is the same
// for every design and lies beside the target.
func TestGoldens(t *testing.T) {
	d := parse(t, goldenDesign)
	for _, target := range synth.Targets() {
		t.Run(target.Name, func(t *testing.T) {
			out := generate(t, target.Name, d)
			var got txtar.Archive
			for _, n := range out.Notes {
				got.Comment = fmt.Appendf(got.Comment, "%s: %s\n", n.Path, n.Text)
			}
			for _, f := range out.Files {
				settings := strings.EqualFold(strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)), "settings")
				if target.Group == synth.Configuration || settings {
					got.Files = append(got.Files, txtar.File{Name: f.Path, Data: []byte(f.Text)})
				}
			}
			name := filepath.Join("testdata", target.Name+".txtar")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(name, txtar.Format(&got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(txtar.Format(&got))); diff != "" {
				t.Errorf("UPDATE=1 writes what is new (-was +is):\n%s", diff)
			}
		})
	}
}

// TestOpens: the file that a target is shown by is one that it writes.
func TestOpens(t *testing.T) {
	d := parse(t, goldenDesign)
	for _, target := range synth.Targets() {
		found := slices.ContainsFunc(generate(t, target.Name, d).Files, func(f synth.File) bool { return f.Path == target.Opens })
		if target.Opens != "" && !found {
			t.Errorf("%s writes no %q", target.Name, target.Opens)
		}
		if target.Group == synth.ClientCode && target.Opens == "" {
			t.Errorf("%s is client code and does not say with which file it opens", target.Name)
		}
		if target.Group == synth.ClientCode && synth.FaultsSay(target.Name) == "" {
			t.Errorf("%s has no table of faults", target.Name)
		}
	}
}

// alike has names that differ in capitals alone, wherever a design has names.
const alike = `
weir: 1
name: cases
server: {version: "2.12", nodes: 1, disk: 10GiB}
streams:
  Orders: {subjects: [a.*], max_bytes: 1MiB, consumers: {Work: {ack_policy: explicit, max_deliver: 3}, work: {ack_policy: explicit, max_deliver: 3}}}
  orders: {subjects: [b.*], max_bytes: 1MiB, consumers: {work: {ack_policy: explicit}}}
  ORDERS: {subjects: [c.*], max_bytes: 1MiB}
kv: {Bucket: {history: 1, max_bytes: 1MiB}, bucket: {history: 1, max_bytes: 1MiB}}
objects: {Box: {max_bytes: 1MiB}, box: {max_bytes: 1MiB}}
publishers:
  Shop: {subject: a.x, rate: 1/s, payload: 1KiB}
  shop: {subject: b.x, rate: 1/s, payload: 1KiB}
accounts:
  App: {streams: {S: {subjects: [d], max_bytes: 1MiB}}}
  app: {streams: {S: {subjects: [d], max_bytes: 1MiB}}}
clusters: {East: {nodes: 1}, east: {nodes: 1}}
leafnodes:
  Plant: {domain: p1, server: {nodes: 1}, streams: {S: {subjects: [e], max_bytes: 1MiB}}}
  plant: {domain: p2, server: {nodes: 1}, streams: {S: {subjects: [e], max_bytes: 1MiB}}}
`

// TestPathsDiffer: file systems of macOS and Windows keep all files that are written of
// names which differ in capitals alone.
func TestPathsDiffer(t *testing.T) {
	d := parse(t, alike)
	for _, target := range synth.Targets() {
		seen := map[string]bool{}
		for _, f := range generate(t, target.Name, d).Files { // two alike would be refused
			seen[strings.ToLower(f.Path)] = true
		}
		if want := map[string]int{"nats-json": 14, "nats-cli": 15, "nack": 12, "server-conf": 11, "docker-compose": 8}[target.Name]; want > 0 && len(seen) != want {
			t.Errorf("%s has %d files, not %d", target.Name, len(seen), want)
		}
	}
}
