package design

import (
	"fmt"
	"testing"
)

func TestSmoke(t *testing.T) {
	text := `weir: 1
name: orders
server: {version: "2.12", nodes: 3, memory: 8GiB, disk: 200GiB, zones: [a, b, c], conf: {max_payload: 1MiB, sync_interval: 2m, max_file_store: 180GiB, jetstream: {limits: {max_ack_pending: 5}}}}
streams:
  AGG:
    mirror: {name: LATER}
  LATER:
    sources: [{name: ORDERS, filter_subject: "orders.*.refunded"}]
  ORDERS:
    subjects: [orders.>]
    retention: limits
    max_age: 72h
    max_bytes: -1
    num_replicas: 3
    metadata: {io.nats.x: "true"}
    duplicate_window: 2m
    consumers:
      billing:
        filter_subject: orders.*.created
        ack_policy: explicit
        ack_wait: 30s
        backoff: [1s, 1m]
        workers: {count: 4, concurrency: 8, fetch: 50, service_time: {p50: 20ms, p99: 400ms}, in_progress: 10s, errors: {rate: 1%, action: nak, delay: 5s}}
publishers:
  checkout:
    subject: orders.{region}.created
    tokens: {region: 12}
    rate: 800/s
    bursts: [{rate: 4000/s, for: 10m, every: 24h}]
    payload: {mean: 1.2KiB, p99: 16KiB}
    msg_id: uuid
    mode: async
    in_flight: 256
    retry_for: 30m
    on_reject: {retry: 5, then: dlq}
kv: {SESSIONS: {history: 1, ttl: 30m, keys: 200000, value: 300B, writes: 50/s}}
objects: {FILES: {max_bytes: 1GiB}}
accounts: {APP: {users: {billing: {publish: [a], subscribe: {allow: b, deny: [c]}}}, exports: [{stream: "x.>"}], imports: [], limits: {max_storage: 1GiB}}}
leafnodes: {plant: {domain: plant, count: 50, server: {nodes: 1}, streams: {L: {subjects: [a]}}}}
goals: {latency_p99: 250ms, oldest_pending: 10m, handled_twice: 0.1%, survive: [node, worker-stall 5m]}
scenarios: {db-stall: [{at: 10m, stall: billing, for: 2m}], node-loss: [{at: 5m, kill: node}]}
`
	d, ps := Parse("o.yaml", []byte(text))
	fmt.Println(ps.Error())
	fmt.Printf("%+v\n", d.Streams[2].Config)
	fmt.Printf("%+v\n", d.Streams[2].Consumers[0])
	fmt.Printf("%+v\n", d.Publishers[0])
	for _, r := range d.Requests() {
		fmt.Println(r.Subject, string(r.Body))
	}
	fmt.Println(d.Where("streams.ORDERS.max_age"), d.Where("streams.ORDERS.consumers.billing.backoff[1]"), d.Where("streams.ORDERS.nix"), d.Where("streams.ORDERS.metadata[\"io.nats.x\"]"))
	_, ps = Parse("o.yaml", []byte(`weir: 1
nmae: x
server: {version: 2.13, nodes: three, memory: 8GB, conf: {tls: {}, max_playload: 1}}
streams:
  A:
    subjects: foo
    max_age: 30
    maxbytes: 5
    retention: limit
    no_ack: yes
    workers: {}
    num_replicas: 1_000
    consumers:
      c: {ack_wait: 5 s, durable_name: d, backoff: [5], max_deliver: 5x, workers: {count: -1}}
      e:
publishers: {p: {subject: a, payload: {p5: 3B}, rate: 100, msg_id: 3GB}}
goals: {survive: [nod, worker-stall]}
scenarios: {a: [{at: 5s}]}
`))
	fmt.Println(ps.Error())
}

func BenchmarkParse(b *testing.B) {
	text := []byte(largeDesign(200, 5))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		_, ps := Parse("f", text)
		if ps != nil {
			b.Fatal(ps)
		}
	}
}
