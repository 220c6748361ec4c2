//go:build !js

package synth_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// odd has what designs seldom have: servers answer it otherwise than the usual.
const odd = `
weir: 1
name: odd
server: {version: "2.15", nodes: 1, disk: 10GiB}
streams:
  A:
    subjects: ["a.>"]
    max_bytes: 1MiB
    duplicate_window: 100ms
    subject_transform: {src: "a.*", dest: "t.{{wildcard(1)}}"}
    consumers:
      push: {deliver_subject: out.push, ack_policy: explicit}
      many: {filter_subjects: [t.x, t.y], ack_policy: explicit, backoff: [1s, 5s], max_deliver: 4, workers: {count: 1, concurrency: 4, expires: 1s}}
      none: {ack_policy: none, workers: {count: 1, expires: 1s}}
      all: {ack_policy: all, workers: {count: 1, concurrency: 8, expires: 1s}}
      one: {ack_policy: explicit, max_ack_pending: 1, workers: {count: 1, concurrency: 8, fetch: 100, expires: 1s}}
      unlimited: {ack_policy: explicit, max_ack_pending: -1, workers: {count: 1, expires: 1s}}
      short: {ack_policy: explicit, ack_wait: 1s, workers: {count: 1, expires: 1s}}
      small: {ack_policy: explicit, max_batch: 1, max_expires: 1s, workers: {count: 1, fetch: 10}}
      "späce-é": {ack_policy: explicit, workers: {count: 1, expires: 1s}}
  W: {subjects: [w.*], retention: workqueue, max_bytes: 1MiB, discard: new, consumers: {w: {ack_policy: explicit, max_deliver: 1, workers: {count: 1, expires: 1s}}}}
  I: {subjects: [i.*], retention: interest, max_bytes: 1MiB, no_ack: true, consumers: {i: {ack_policy: explicit, workers: {count: 1, expires: 1s}}}}
  M: {mirror: {name: A}, max_bytes: 1MiB, consumers: {m: {ack_policy: explicit, workers: {count: 1, expires: 1s}}}}
  SRC: {sources: [{name: A}], subjects: [src], max_bytes: 1MiB}
kv: {K: {history: 1, max_bytes: 1MiB}}
publishers:
  core: {subject: a.x, rate: 1/s, payload: 1KiB, mode: core}
  sync: {subject: a.x, rate: 1/s, payload: 1KiB, mode: sync, retry_for: 1h}
  async: {subject: "a.{n}", tokens: {n: [x, y]}, rate: 1/s, payload: 1KiB, mode: async}
  batch: {subject: w.1, rate: 1/s, payload: 1KiB, mode: batch, batch: 10}
  noack: {subject: i.1, rate: 1/s, payload: 1KiB, msg_id: uuid}
  src: {subject: src, rate: 1/s, payload: 1KiB, msg_id: uuid}
  kv: {subject: "$KV.K.{k}", tokens: {k: [x]}, rate: 1/s, payload: 1KiB, msg_id: uuid}
`

// TestOddDesigns: the code does what such designs say, on a real server and as the users
// that its configuration has.
func TestOddDesigns(t *testing.T) {
	needs(t, "go")
	d := parse(t, odd)
	dir := put(t, generate(t, "go", d), nil)
	run(t, dir, "go", "vet", "-mod=readonly", "./...")
	run(t, dir, "go", "build", "-mod=readonly", "-o", "clients", ".")
	f := newFault(t, d, []string{filepath.Join(dir, "clients")})
	for _, c := range []struct{ name, subject, word string }{
		{"core", "a.x", "sent"},
		{"sync", "a.x", "stored"},
		{"async", "a.y", "stored"},
		{"batch", "w.1", "stored"},
		{"noack", "i.1", "sent"},
		{"src", "src", "stored"},
		{"kv", "$KV.K.x", "stored"},
	} {
		p := f.run("publisher", c.name, f.server.ClientURL())
		p.send([]string{c.name + "\t" + c.subject + "\tx"})
		if out := strings.Join(p.end(), "\n"); !strings.HasPrefix(out, c.name+"\t"+c.word+"\t") {
			t.Errorf("the publisher %s says %q", c.name, out)
		}
	}
	for _, c := range []struct {
		name string
		done int
	}{
		{"A/many", 3}, {"A/none", 3}, {"A/all", 3}, {"A/one", 3}, {"A/unlimited", 3}, {"A/short", 3}, {"A/small", 3}, {"A/späce-é", 3},
		{"W/w", 1}, {"I/i", 1}, {"M/m", 3},
	} {
		p := f.run("worker", c.name, f.server.ClientURL())
		p.waitFor(func(lines []string) bool { return count(lines, "done") == c.done })
		p.signal(syscall.SIGTERM)
		p.gone()
	}
}
