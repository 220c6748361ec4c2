package lint

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"weir/design"
)

// streamCases are the rows about streams, limits, capacity, clusters, servers and
// permissions.
var streamCases = []caseOf{
	{id: "ret-01", code: "STR010", severity: design.Warning, path: "streams.A.discard", number: 3, design: `
streams: {A: {subjects: [a.>], discard: new, max_msgs: 3, consumers: {c: {ack_policy: explicit}}}}
`},
	{id: "gr-02", code: "STR012", severity: design.Warning, path: "streams.BUS.max_msgs", number: 70_000, words: "120,000 wait", design: `
streams: {BUS: {subjects: [bus.>], max_msgs: 50000, consumers: {c: {ack_policy: explicit, workers: {count: 1, service_time: 10ms}}}}}
publishers: {p: {subject: bus.a, rate: 10/s, bursts: [{rate: 500/s, for: 300s}], payload: 100B, mode: async}}
`},
	{id: "accepted-and-lost", code: "STR011", severity: design.Warning, words: "acknowledged and lost", number: 1, design: `
streams: {A: {subjects: [a.>], max_bytes: 5000B}}
publishers: {p: {subject: a.b, rate: 1/s, payload: 6KiB, mode: sync}}
`},
	{id: "int-01", code: "STR013", severity: design.Warning, path: "streams.B.retention", words: "nothing is republished", number: 20, design: `
streams:
  A: {subjects: [a.>], max_bytes: 1GiB}
  B: {sources: [{name: A}], retention: interest, max_bytes: 1GiB, republish: {src: ">", dest: "c.>"}}
  C: {subjects: [c.>], max_bytes: 1GiB}
publishers: {p: {subject: a.b, rate: 20/s, payload: 100B, mode: sync}}
`},
	{id: "int-02", target: "2.12", code: "STR015", severity: design.Warning, words: "no consumer asks for schedules", design: `
streams: {A: {subjects: [work.>, schedules.>], retention: interest, max_bytes: 1GiB, allow_msg_schedules: true, consumers: {c: {filter_subject: work.>, ack_policy: explicit, max_deliver: 5}}}}
`},
	{id: "int-03", code: "STR016", severity: design.Info, words: "deleting it removes what waits", number: 11, design: `
streams: {A: {subjects: [a.>], retention: interest, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, max_ack_pending: 11}}}}
`},
	{id: "int-03", code: "STR016", severity: design.Warning, words: "is deleted", number: 300, design: `
streams: {A: {subjects: [a.>], retention: interest, max_bytes: 1GiB, consumers: {c: {ack_policy: explicit, inactive_threshold: 5m}}}}
`},
	{id: "intr-02", code: "STR014", severity: design.Warning, words: "keeps 2 of the 3 subjects", number: 2, design: `
streams: {I: {subjects: [interest.>], retention: interest, max_bytes: 1GiB, consumers: {c: {filter_subjects: [interest.a, interest.b], ack_policy: explicit}}}}
publishers: {p: {subject: "interest.{x}", tokens: {x: [a, b, c]}, rate: 3/s, payload: 100B, mode: sync}}
`},
	{id: "rp-02", code: "STR017", severity: design.Error, words: "detected cycle", design: `
streams:
  A: {subjects: [a.>], sources: [{name: B}]}
  B: {subjects: [b.>], sources: [{name: A}]}
`},
	{id: "del-02", code: "STR020", severity: design.Warning, number: 16_000, design: `
server: {nodes: 3}
streams: {Q: {subjects: [Q.>], retention: workqueue, num_replicas: 3, discard: new, max_bytes: 10GiB}}
publishers: {p: {subject: Q.a, count: 3, rate: 8000/s, payload: 200B, mode: async}}
`},
	{id: "tag-01", code: "CLU010", severity: design.Error, path: "streams.S.placement.tags", words: "fewer than 3 servers", design: `
server: {nodes: 3, tags: ["dc:ncp"]}
streams: {S: {subjects: [a.>], num_replicas: 3, placement: {tags: ["aws-region:ncp"]}}}
`},
	{id: "rep-01", code: "CLU080", severity: design.Warning, words: "needs 2 of 2 servers", design: `
server: {nodes: 3}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 2}}
`},
	{id: "quo-04", code: "CLU020", severity: design.Warning, words: "needs 2 of its own 3", number: 0.3, design: `
server: {nodes: 5}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 3}}
scenarios: {redeploy: [{at: 1m, restart: node 1}, {at: 1m, restart: node 2}]}
`},
	{id: "dur-02", code: "CLU018", severity: design.Warning, words: "6,000 acknowledged messages", number: 120, design: `
streams: {S: {subjects: [a.>], max_bytes: 1GiB}}
publishers: {hook: {subject: a.b, rate: 50/s, payload: 1KiB, mode: sync}}
goals: {lost: 0%}
`},
	{id: "dur-03", code: "CLU012", severity: design.Warning, path: "server.zones", number: 3, words: "3 of the 3 replicas", design: `
server: {nodes: 3, zones: [host]}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 3}}
`},
	{id: "bak-02", code: "CLU016", severity: design.Warning, words: "backup may be missing it", design: `
server: {nodes: 3}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 3, consumers: {c: {ack_policy: explicit, num_replicas: 1}}}}
`},
	{id: "leaf-01", code: "CLU013", severity: design.Warning, words: "by subject and by source", number: 2, design: `
streams: {orders: {subjects: [orders.>], max_bytes: 1GiB, sources: [{name: orders, external: {api: $JS.leaf.API}}]}}
leafnodes: {leaf: {domain: leaf, streams: {orders: {subjects: [orders.>], max_bytes: 1GiB}}}}
`},
	{id: "leaf-02", code: "CLU013", severity: design.Warning, words: "takes the first answer", number: 2, design: `
streams: {HUB: {subjects: [orders.>], max_bytes: 1GiB}}
leafnodes: {leaf: {domain: leaf, streams: {EDGE: {subjects: [orders.new], max_bytes: 1GiB}}}}
`},
	{id: "dom-01", code: "CLU014", severity: design.Warning, path: "leafnodes.a", words: "seen there only", number: 2, design: `
leafnodes:
  a: {streams: {A: {subjects: [a.>], max_bytes: 1GiB}}}
  b: {streams: {B: {subjects: [b.>], max_bytes: 1GiB}}}
`},
	{id: "dom-02", code: "CLU015", severity: design.Warning, path: "leafnodes.b.domain", number: 3, design: `
server: {domain: hub}
leafnodes:
  a: {domain: hub, streams: {A: {subjects: [a.>], max_bytes: 1GiB}}}
  b: {domain: hub, streams: {B: {subjects: [b.>], max_bytes: 1GiB}}}
`},
	{id: "ha-01", code: "CLU019", severity: design.Warning, path: "server.nodes", number: 10_000, words: "5000 streams and 5000 consumers", design: haAssetsDesign(5000)},
	{id: "ha-02", code: "CLU019", severity: design.Warning, number: 55_000, design: `
server: {nodes: 3}
streams: {CHAT: {subjects: [chat.>], max_bytes: 1GiB, num_replicas: 3, max_consumers: 55000}}
`},
	{id: "disk-01", code: "STR094", severity: design.Warning, words: "fills 10 GiB after", number: 88_128_000, design: `
server: {disk: 10GiB}
streams: {EVENTS: {subjects: [events.>], storage: file}}
publishers: {p: {subject: events.a, rate: 1/s, payload: 982B, mode: async}}
`},
	{id: "disk-04", code: "CAP013", severity: design.Warning, path: "streams.AUDIT.max_age", words: "on a server that has it, and there are 180 GiB", design: `
server: {nodes: 3, disk: 200GiB, conf: {max_file_store: 180GiB}}
streams:
  ORDERS: {subjects: [orders.>], max_bytes: 100GiB, num_replicas: 3}
  AUDIT: {sources: [{name: ORDERS, filter_subject: orders.*.refunded}], max_age: 480h}
publishers:
  checkout: {subject: "orders.{region}.{event}", tokens: {region: 12, event: [created, paid, shipped, refunded]}, rate: 200/s, payload: 1KiB, msg_id: uuid, mode: sync}
`},
	{id: "disk-03", code: "CAP010", severity: design.Warning, path: "server.conf.jetstream.max_file_store", number: 9 << 30, design: `
server: {disk: 10GiB, conf: {jetstream: {max_file_store: 10GiB}}}
`},
	{id: "disk-04", target: "2.12", code: "CAP011", severity: design.Warning, words: "6 GiB at the first start and 3 GiB at a restart", number: 3 << 30, design: `
server: {disk: 8GiB}
streams: {A: {subjects: [a.>], max_bytes: 4GiB}}
`},
	{id: "resv-01", code: "CAP012", severity: design.Error, words: "a server has 512MiB", design: `
server: {conf: {jetstream: {max_memory_store: 512MiB, max_file_store: 1GiB}}}
streams:
  A: {subjects: [a.>], storage: memory, max_bytes: 300MiB}
  B: {subjects: [b.>], storage: memory, max_bytes: 300MiB}
`},
	{id: "mem-02", code: "CAP014", severity: design.Warning, path: "kv.K", words: "10,000,000", number: 1.3e9, design: `
kv: {K: {keys: 10000000, value: 100B, writes: 1000/s, max_bytes: 10GiB}}
`},
	{id: "mem-03", code: "CAP016", severity: design.Warning, words: "819 MiB", number: 858_993_459, design: `
server: {memory: 1GiB, conf: {jetstream: {max_memory_store: 768MiB}}}
streams: {Q: {subjects: [q.>], retention: workqueue, max_bytes: 1GiB}}
`},
	// The row saw about 1 GB, with other things of the server in it.
	{id: "mem-06", code: "CAP018", severity: design.Warning, words: "100 small streams", number: 0.92e9, design: smallStreamsDesign(100)},
	{id: "mem-08", code: "CAP017", severity: design.Warning, words: "GOMEMLIMIT to 3.2 GiB", number: 3_435_973_836, design: `
server: {memory: 4GiB, cores: 2}
streams: {Q: {subjects: [q.>], retention: workqueue, max_bytes: 100GiB, consumers: {a: {filter_subject: q.a, ack_policy: explicit}, b: {filter_subject: q.b, ack_policy: explicit}}}}
publishers:
  a: {subject: q.a, rate: 1200/s, payload: 64KiB, mode: async}
  b: {subject: q.b, rate: 1200/s, payload: 64KiB, mode: async}
`},
	{id: "acct-02", code: "CAP015", severity: design.Warning, words: "2 accounts share", number: 10_000_000_000, design: `
server: {conf: {jetstream: {max_file_store: 10000000000B}}}
streams: {A: {subjects: [a.>], max_bytes: 1B}}
accounts: {jetstream: {streams: {B: {subjects: [b.>], max_bytes: 1B}}}}
`},
	{id: "cfg-03", code: "SRV010", severity: design.Warning, words: "9.3 GiB", number: 10_000_000_000, design: `
server: {disk: 10GiB, conf: {jetstream: {max_file_store: 10000000000B}}}
`},
	{id: "cfg-04", code: "SRV011", severity: design.Warning, words: "so after 32 s", number: 32, design: `
server: {conf: {write_deadline: 1h}}
publishers: {game: {subject: game.a, rate: 3072/s, payload: 1KiB, mode: core}}
subscribers: {slow: {subject: game.>, service_time: 976562ns}}
`},
	{id: "dur-04", code: "SRV012", severity: design.Warning, words: "efs", design: `
server: {conf: {jetstream: {store_dir: /mnt/efs/jetstream}}}
streams: {A: {subjects: [a.>], max_bytes: 1GiB}}
`},
	{id: "perm-02", code: "SEC011", severity: design.Warning, words: "allow $JS.API.CONSUMER.DELETE.KV_TASKS.*", number: 300, design: `
kv: {TASKS: {keys: 100, value: 100B, max_bytes: 1GiB}}
accounts: {$G: {users: {worker: {publish: ["$JS.API.STREAM.INFO.KV_TASKS", "$JS.API.CONSUMER.CREATE.KV_TASKS.>", "$JS.API.DIRECT.GET.KV_TASKS.>"], subscribe: ["_INBOX.>"]}}}}
`},
	{id: "perm-03", code: "SEC010", severity: design.Warning, words: "nobody is allowed _INBOX_777.x", number: 0, design: `
streams: {S: {subjects: [a.>], max_bytes: 1GiB, consumers: {c: {deliver_subject: _INBOX_777.x, ack_policy: explicit}}}}
accounts: {$G: {users: {app: {subscribe: ["_INBOX_666.>"]}}}}
`},
	{id: "perm-03", code: "SEC012", severity: design.Info, words: "give its client the inbox prefix _INBOX_666", number: 5, design: `
streams: {S: {subjects: [a.>], max_bytes: 1GiB}}
accounts: {$G: {users: {app: {publish: ["$JS.API.>"], subscribe: ["_INBOX_666.>"]}}}}
`},
	{id: "dedup-05", code: "STR091", severity: design.Warning, number: 120, design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 0}}
`},
	{id: "src-01", code: "STR092", severity: design.Warning, number: 120, design: `
streams:
  ORIGIN: {subjects: [a.>], max_bytes: 1GiB, duplicate_window: 2m}
  SOURCE: {sources: [{name: ORIGIN}], max_bytes: 1GiB, duplicate_window: 1h}
`},
	{id: "disc-01", code: "STR093", severity: design.Warning, number: 5, design: `
streams: {A: {subjects: [a.>], max_age: 1h, discard: new, max_msgs_per_subject: 5}}
`},
	{id: "disc-02", code: "STR093", severity: design.Warning, words: "number 11", number: 10, design: `
streams: {A: {subjects: [a.>], max_age: 20s, duplicate_window: 10s, discard: new, max_msgs_per_subject: 10}}
`},
	{id: "pay-02", code: "PUB080", severity: design.Error, words: "max_payload of 4 MiB", design: `
server: {version: "2.12", conf: {max_payload: 4MiB}}
streams: {A: {subjects: [a.>], max_bytes: 10GiB}}
publishers: {peers: {subject: a.block, rate: 1/m, payload: {p50: 1MiB, p99: 4.2MiB}, msg_id: sha256}}
`},
	{id: "ver-04", target: "2.10", code: "CFG002", severity: design.Warning, words: "allow_msg_ttl", design: `
streams: {A: {subjects: [a.>], max_bytes: 1GiB, allow_msg_ttl: true}}
`},
}

// smallStreamsDesign has n streams of a megabyte that are written to.
func smallStreamsDesign(n int) string {
	var b, p strings.Builder
	b.WriteString("streams:\n")
	p.WriteString("publishers:\n")
	for i := range n {
		fmt.Fprintf(&b, "  S%d: {subjects: [s%d.>], max_bytes: 1000000B}\n", i, i)
		fmt.Fprintf(&p, "  p%d: {subject: s%d.a, rate: 10/s, payload: 500B, mode: async}\n", i, i)
	}
	return "server: {disk: 100GiB}\n" + b.String() + p.String()
}

// haAssetsDesign has n streams of three replicas with a consumer each.
func haAssetsDesign(n int) string {
	var b strings.Builder
	b.WriteString("server: {nodes: 3}\nstreams:\n")
	for i := range n {
		fmt.Fprintf(&b, "  S%d: {subjects: [s%d.>], max_msgs: 10, num_replicas: 3, consumers: {c: {ack_policy: explicit}}}\n", i, i)
	}
	return b.String()
}

// streamsNotSpokenTo are rows of these kinds that no rule can speak to, with the
// reason.
var streamsNotSpokenTo = map[string]string{
	"ha-04":    "how many watchers a fleet opens is arithmetic of a calculator: size.OfWatchers; CAP019 counts those that a design gives",
	"mem-07":   "what a container's page cache counts is no part of a design; weir size writes request, limit and GOMEMLIMIT of a pod",
	"mir-01":   "a source that was deleted and made again is state of live streams, not of a design",
	"mir-02":   "what an edit of sources copied again shows on live servers only, and only on releases before 2.10",
	"disc-03":  "a fault of releases before 2.10, which designs are not for",
	"intr-01":  "what was stored before a filter changed is state of a live stream",
	"imm-02":   "a client that changes a durable is no part of a design; weir diff says that deliver_policy cannot be updated",
	"own-01":   "a belief about updates: weir diff says of each setting whether it can be changed in place",
	"bak-01":   "the time of a restore needs the disk's throughput, which a design does not give; weir size shows catch-up",
	"purge-01": "a fault of 2.6.1 and older, which designs are not for",
	"upg-01":   "about 2.9, which designs are not for",
	"quo-01":   "all is well with two of five down, which TestQuietStreamRows holds; more peers than servers is live state",
}

// confRows are rows about nats-server.conf as people write it.
var confRows = []struct {
	id, conf, code string
	severity       design.Severity
	words          string
	number         float64
}{
	{"cfg-01", "max_payload: 4Mb\n", "", "", "", 0},
	{"cfg-02", "jetstream { max_file_store: 50GB, max_memory_store: 1GB, limits { max_age: \"180d\", max_msgs: 2000000 } }\n", "FILE005", design.Error, "max_msgs", 0},
	{"cfg-03", "jetstream { store_dir: /data, max_file_store: 10Gi, max_memory_store: 1GiB }\n", "", "", "", 0},
	{"cfg-03", "jetstream { max_file_store: 10G }\n", "SRV010", design.Info, "6.9 % less", 1e10},
	{"cfg-04", "write_deadline: \"1h\"\n", "SRV011", design.Warning, "64 MiB behind", 64 << 20},
	{"dur-04", "jetstream { store_dir: \"/mnt/nfs/js\" }\n", "SRV012", design.Warning, "nfs", 120},
	{"perm-03", "accounts { A { users: [{user: a, password: x, permissions: {publish: [\"$JS.API.>\"], subscribe: [\"events.>\"]}}] } }\n", "SEC012", design.Warning, "listen on no inbox", 5},
}

// TestConfRows holds the rules to rows about nats-server.conf; a row without a
// code is one with which all is well.
func TestConfRows(t *testing.T) {
	for _, c := range confRows {
		r := CheckSources([]*design.Source{design.NewSource("nats-server.conf", []byte(c.conf))}, Options{})
		found := c.code == "" && len(r.Findings) == 0
		for _, f := range r.Findings {
			found = found || c.code != "" && f.Code == c.code && f.Severity == c.severity && strings.Contains(f.Message, c.words) &&
				(c.number == 0 || f.Figure != nil && math.Abs(f.Figure.Value-c.number) <= 0.05*c.number)
		}
		if !found {
			t.Errorf("%s: %q gives %v, want %s %s %q", c.id, c.conf, r.Findings, c.severity, c.code, c.words)
		}
	}
	for id, why := range streamsNotSpokenTo {
		if len(why) < 20 {
			t.Errorf("%s has no reason", id)
		}
	}
}

// TestQuietStreamRows: rows whose judgement is that all is well get no warning.
func TestQuietStreamRows(t *testing.T) {
	text := `weir: 1
server: {nodes: 5, disk: 200GiB}
streams: {S: {subjects: [a.>], max_bytes: 1GiB, num_replicas: 5}}
scenarios: {two: [{at: 1m, kill: node 1}, {at: 1m, kill: node 2}]}
`
	for _, f := range checkExample(Example{"quo-01.yaml", text}).Findings {
		if f.Severity != design.Info {
			t.Errorf("quo-01: %s", f)
		}
	}
}
