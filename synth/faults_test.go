//go:build !js

package synth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"weir/design"
	"weir/synth"
)

// faulty is the design whose client code is put through faults: short time-outs,
// a stream that fills, and users who may do what they have to and nothing else. A pull
// request is short too, because each end of a worker waits for the open one.
const faulty = `
weir: 1
name: faults
server: {version: "2.15", nodes: 1, disk: 10GiB}
streams:
  ORDERS:
    subjects: [orders.*]
    max_bytes: 100MiB
    max_msg_size: 4KiB
    duplicate_window: 1m
    allow_msg_ttl: true
    consumers:
      work:
        ack_policy: explicit
        ack_wait: 2s
        max_deliver: 3
        workers: {count: 2, concurrency: 2, fetch: 4, expires: 1s, service_time: 10ms, in_progress: 500ms, errors: {rate: 1%, action: nak, delay: 100ms}}
  SMALL: {subjects: [small.*], discard: new, max_msgs: 50, max_bytes: 1MiB, duplicate_window: 1m}
  SECRET: {subjects: [secret.*], max_bytes: 1MiB}
  DEAD: {subjects: ["dead.ORDERS.>", "dead.NOTED.>"], max_bytes: 10MiB}
  NOTED:
    subjects: [noted]
    retention: workqueue
    max_bytes: 1MiB
    consumers:
      once: {ack_policy: explicit, ack_wait: 2s, max_deliver: 1, workers: {count: 1, concurrency: 20, fetch: 20, expires: 1s, service_time: 10ms, errors: {rate: 1%, action: nak, delay: 100ms}}}
  ADVISORIES: {subjects: ["$JS.EVENT.ADVISORY.CONSUMER.*.NOTED.>"], max_bytes: 10MiB}
  LOOSE:
    subjects: [loose]
    max_bytes: 1MiB
    consumers:
      once: {ack_policy: explicit, ack_wait: 2s, max_deliver: 1, workers: {count: 1, concurrency: 20, fetch: 20, expires: 1s, service_time: 10ms, errors: {rate: 1%, action: nak, delay: 100ms}}}
  TURNS:
    subjects: [turns]
    max_bytes: 1MiB
    consumers:
      overflow: {ack_policy: explicit, priority_groups: [A], priority_policy: overflow, workers: {count: 1, fetch: 2, expires: 1s, service_time: 10ms}}
      pinned_client: {ack_policy: explicit, priority_groups: [A], priority_policy: pinned_client, priority_timeout: 1h, workers: {count: 1, fetch: 2, expires: 1s, service_time: 10ms}}
      prioritized: {ack_policy: explicit, priority_groups: [A], priority_policy: prioritized, workers: {count: 1, fetch: 2, expires: 1s, service_time: 10ms}}
publishers:
  shop: {subject: "orders.{n}", tokens: {n: 3}, rate: 10/s, payload: 1KiB, msg_id: uuid, mode: async, in_flight: 16, ack_timeout: 1s, retry_for: 50s, ttl: 1h, on_reject: {retry: 2, backoff: 50ms, then: file}}
  small: {subject: "small.{n}", tokens: {n: 3}, rate: 10/s, payload: 1KiB, msg_id: uuid, mode: async, in_flight: 16, ack_timeout: 1s, retry_for: 50s, on_reject: {retry: 2, backoff: 50ms, then: file}}
  loose: {subject: loose, rate: 10/s, payload: 1KiB, msg_id: uuid}
  noted: {subject: noted, rate: 10/s, payload: 1KiB, msg_id: uuid}
  turns: {subject: turns, rate: 10/s, payload: 1KiB, msg_id: uuid}
  secret: {subject: "secret.{n}", tokens: {n: 3}, rate: 10/s, payload: 1KiB, msg_id: uuid, mode: sync, ack_timeout: 1s, retry_for: 50s}
`

// language is client code in one language: how it is made ready and started.
type language struct {
	target string
	// tools are the programs that have to be there.
	tools []string
	// noMover is true where the worker's dead letters are left to a mover in
	// another language.
	noMover bool
	// policies are the priority policies that a worker in the language asks under.
	policies []string
	// ready checks and builds the project in a folder, with the language's own
	// tools, and returns the command that runs it.
	ready func(t *testing.T, dir string) []string
}

// needs skips a test whose tools are missing, loudly; in CI that is a failure.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err == nil {
			continue
		}
		if os.Getenv("WEIR_CI") != "" {
			t.Fatalf("%s is not installed, and in CI nothing is left out", tool)
		}
		t.Skipf("NOT PROVED HERE: %s is not installed; the record in faults.tsv is from a machine that has it", tool)
	}
}

// run runs a tool in a folder and fails with what it printed.
func run(t *testing.T, dir string, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, out)
	}
}

func TestFaultsGo(t *testing.T) {
	faults(t, language{target: "go", policies: []string{"overflow", "pinned_client", "prioritized"}, tools: []string{"go", "gofmt"}, ready: func(t *testing.T, dir string) []string {
		if out, err := exec.Command("gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("gofmt would change %s (%v)", out, err)
		}
		run(t, dir, "go", "vet", "-mod=readonly", "./...")
		run(t, dir, "go", "build", "-mod=readonly", "-o", "clients", ".")
		return []string{filepath.Join(dir, "clients")}
	}})
}

// install fetches the pinned packages of a project. Without the registry the proof
// is left out, loudly; in CI that is a failure.
func install(t *testing.T, dir string, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		if os.Getenv("WEIR_CI") != "" {
			t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, out)
		}
		t.Skipf("NOT PROVED HERE: %s: %v\n%s", strings.Join(words, " "), err, out)
	}
}

func TestFaultsTypeScript(t *testing.T) {
	faults(t, language{target: "typescript", policies: []string{"overflow", "prioritized"}, tools: []string{"node", "npm"}, ready: func(t *testing.T, dir string) []string {
		install(t, dir, "npm", "ci", "--no-audit", "--no-fund", "--silent")
		run(t, dir, "npm", "run", "--silent", "build")
		return []string{"node", filepath.Join(dir, "dist", "main.js")}
	}})
}

func TestFaultsPython(t *testing.T) {
	faults(t, language{target: "python", policies: []string{"overflow", "pinned_client", "prioritized"}, tools: []string{"python3"}, ready: func(t *testing.T, dir string) []string {
		at := t.TempDir()
		python := filepath.Join(at, "bin", "python")
		run(t, dir, "python3", "-m", "venv", at)
		install(t, dir, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", "requirements.txt", "ruff==0.17.6")
		sources, err := filepath.Glob(filepath.Join(dir, "*.py"))
		if err != nil {
			t.Fatal(err)
		}
		run(t, dir, append([]string{python, "-m", "py_compile"}, sources...)...)
		run(t, dir, python, "-m", "ruff", "format", "--check", ".")
		run(t, dir, python, "-m", "ruff", "check", ".")
		return []string{python, filepath.Join(dir, "main.py")}
	}})
}

// buildCache is a folder where builds of client code keep what they compiled for
// the next run.
func buildCache(t *testing.T, name string) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(cache, "weir-test", name)
}

// TestFaultsRust builds once, with clippy in the place of the compiler for our own
// code: a run of its own would check every dependency again.
func TestFaultsRust(t *testing.T) {
	faults(t, language{target: "rust", policies: []string{"overflow", "prioritized"}, noMover: true, tools: []string{"cargo", "rustfmt", "clippy-driver"}, ready: func(t *testing.T, dir string) []string {
		target := buildCache(t, "cargo")
		t.Setenv("CARGO_TARGET_DIR", target)
		t.Setenv("CARGO_PROFILE_DEV_DEBUG", "0")
		t.Setenv("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
		t.Setenv("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__")
		run(t, dir, "rustfmt", "--check", "--edition", "2024", filepath.Join("src", "main.rs"))
		install(t, dir, "cargo", "fetch", "--locked", "--quiet")
		run(t, dir, "cargo", "build", "--locked", "--quiet")
		return []string{copied(t, filepath.Join(target, "debug", "clients"))}
	}})
}

// TestFaultsJava compiles with every lint of javac, which are errors here.
func TestFaultsJava(t *testing.T) {
	faults(t, language{target: "java", policies: []string{"overflow", "prioritized"}, noMover: true, tools: []string{"java", "javac", "mvn"}, ready: func(t *testing.T, dir string) []string {
		install(t, dir, "mvn", "-q", "-B", "dependency:go-offline")
		run(t, dir, "mvn", "-q", "-B", "-o", "compile")
		path := filepath.Join(dir, "target", "classes") + string(filepath.ListSeparator) + filepath.Join(dir, "target", "lib", "*")
		return []string{"java", "-cp", path, "clients.Main"}
	}})
}

// copied is a program in a folder of the test's own: the next build may replace
// that of the cache.
func copied(t *testing.T, name string) string {
	t.Helper()
	program, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(to, program, 0o755); err != nil {
		t.Fatal(err)
	}
	return to
}

// faults puts the client code of a language through every fault and compares what
// became of the messages with the record.
func faults(t *testing.T, l language) {
	needs(t, l.tools...)
	d := parse(t, faulty)
	dir := put(t, generate(t, l.target, d), nil)
	command := l.ready(t, dir)
	var rows []synth.Fault
	dead, tryDead := "worker fails and finds poison: dead letters", tryDeadLetters
	if l.noMover {
		dead, tryDead = "worker fails and finds poison", tryPoison
	}
	all := []struct {
		name string
		try  func(*fault)
	}{
		{"none", tryNone},
		{"server restart", tryRestart},
		{"answers swallowed for 1.5 s, then the connection cut", trySwallowed},
		{"stream full (discard new, 10077)", tryFull},
		{"too large (max_msg_size, 10054)", tryTooLarge},
		{"may not publish (permissions violation)", tryForbidden},
		{"publisher: SIGTERM with publishes in flight, rest sent again", trySigterm},
		{"publisher killed, unanswered sent again", tryKilled},
		{"worker: work takes longer than ack_wait", trySlowWork},
		{"worker killed with work in flight", tryWorkerKilled},
		{"worker: SIGTERM with work in flight", tryWorkerSigterm},
		{dead, tryDead},
	}
	for _, f := range all {
		t.Run(f.name, func(t *testing.T) {
			x := newFault(t, d, command)
			x.row = synth.Fault{Target: l.target, Fault: f.name, Twice: "-"}
			f.try(x)
			rows = append(rows, x.row)
		})
	}
	if len(rows) == len(all) { // -run may leave some out
		record(t, l.target, rows)
	}
	if !l.noMover {
		t.Run("dead letters while no mover runs", func(t *testing.T) { tryNoted(newFault(t, d, command)) })
		t.Run("no stream for dead letters", func(t *testing.T) { tryLoose(newFault(t, d, command)) })
	}
	t.Run("priority groups", func(t *testing.T) { tryGroups(newFault(t, d, command), l) })
	t.Run("ends", func(t *testing.T) { tryEnds(newFault(t, d, command), l) })
	t.Run("TLS and credentials", func(t *testing.T) { tryEncrypted(t, command) })
}

func newFault(t *testing.T, d *design.Design, command []string) *fault {
	t.Helper()
	x := &fault{T: t, d: d, dir: t.TempDir(), command: command, answers: map[string]string{}}
	x.start()
	return x
}

// record compares rows with those of faults.tsv, or writes them there.
func record(t *testing.T, target string, rows []synth.Fault) {
	t.Helper()
	if t.Failed() {
		return
	}
	if os.Getenv("UPDATE") == "" {
		if want := synth.Faults(target); !slices.Equal(rows, want) {
			t.Errorf("the table says otherwise (UPDATE=1 writes it):\ngot  %v\nwant %v", rows, want)
		}
		return
	}
	old, err := os.ReadFile("faults.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(old), "\n")
	head := lines[0]
	lines = slices.DeleteFunc(lines[1:], func(s string) bool { return s == "" || strings.HasPrefix(s, target+"\t") })
	for _, r := range rows {
		lines = append(lines, strings.Join([]string{r.Target, r.Fault, r.Messages, r.Stored, r.Fallback, r.Both, r.Lost, r.Twice}, "\t")+"\n")
	}
	slices.SortStableFunc(lines, func(a, b string) int {
		return strings.Compare(strings.SplitN(a, "\t", 2)[0], strings.SplitN(b, "\t", 2)[0])
	})
	if err := os.WriteFile("faults.tsv", []byte(head+strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// fault is one run: a real server with the design, and the processes of its clients.
type fault struct {
	*testing.T
	d        *design.Design
	dir      string
	conf     string
	command  []string
	server   *server.Server
	admin    jetstream.JetStream
	messages []string          // lines for a publisher
	answers  map[string]string // id to word
	row      synth.Fault
}

var passwordVariable = regexp.MustCompile(`\$([A-Z0-9_]+_PASSWORD)`)

// start runs a server from the files that Weir writes, but for ports and the
// permission of one publisher, which is taken away, and applies the design.
func (f *fault) start() {
	f.Helper()
	out := generate(f, "server-conf", f.d)
	for _, file := range out.Files {
		for _, m := range passwordVariable.FindAllStringSubmatch(file.Text, -1) {
			f.Setenv(m[1], "secret")
		}
	}
	store := f.TempDir()
	dir := put(f, out, func(text string) string {
		text = strings.ReplaceAll(text, `"0.0.0.0:4222"`, `"127.0.0.1:-1"`)
		text = strings.ReplaceAll(text, `http: "127.0.0.1:8222"`, "")
		text = strings.ReplaceAll(text, `publish: {allow: ["secret.*"]}`, `publish: {allow: ["other.*"]}`)
		return strings.ReplaceAll(text, `"/data"`, fmt.Sprintf("%q", store))
	})
	f.conf = filepath.Join(dir, "n1.conf")
	f.serve(-1)
	nc := connect(f.T, f.server, nats.UserInfo("setup", "secret"), nats.CustomInboxPrefix("_INBOX_setup"), nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond))
	for _, r := range f.d.Requests() {
		if err := ask(nc, r.Subject, r.Body); err != nil {
			f.Fatal(err)
		}
	}
	js, err := jetstream.New(nc)
	if err != nil {
		f.Fatal(err)
	}
	f.admin = js
}

func (f *fault) serve(port int) {
	f.Helper()
	o, err := server.ProcessConfigFile(f.conf)
	if err != nil {
		f.Fatal(err)
	}
	o.Port = port
	f.server = start(f.T, o)
}

// restart takes the server away and brings it back with what it had stored.
func (f *fault) restart() {
	f.Helper()
	port := f.server.Addr().(*net.TCPAddr).Port
	f.server.Shutdown()
	f.server.WaitForShutdown()
	f.serve(port)
}

// publish makes n messages for a publisher.
func (f *fault) publish(prefix string, n int) {
	for i := range n {
		f.messages = append(f.messages, fmt.Sprintf("id-%04d\t%s.%d\tpayload %d", i, prefix, i%3, i))
	}
	f.row.Messages = strconv.Itoa(n)
}

// unanswered are the lines that nobody answered: whoever sent them has them still.
func (f *fault) unanswered() []string {
	var out []string
	for _, m := range f.messages {
		if id, _, _ := strings.Cut(m, "\t"); f.answers[id] == "" {
			out = append(out, m)
		}
	}
	return out
}

func (f *fault) heard(lines []string) {
	f.Helper()
	for _, line := range lines {
		parts := strings.SplitN(line, "\t", 3)
		if len(parts) != 3 || f.answers[parts[0]] != "" {
			f.Fatalf("the publisher answered %q, and before %q", line, f.answers[parts[0]])
		}
		f.answers[parts[0]] = parts[1]
	}
}

// settle looks where every message is, and that the answers said so.
func (f *fault) settle(streams ...string) {
	f.Helper()
	inStream, inFallback := map[string]int{}, map[string]int{}
	for _, s := range streams {
		for _, m := range f.stored(s) {
			inStream[m.Header.Get("Nats-Msg-Id")]++
		}
	}
	for _, k := range f.kept("fallback.jsonl") {
		inFallback[k.ID]++
	}
	if k := f.kept("fallback.jsonl.in-doubt"); len(k) > 0 {
		f.Errorf("%d messages are in doubt, the first %q: %s", len(k), k[0].ID, k[0].Reason)
	}
	stored, fallback, both, lost := 0, 0, 0, 0
	for _, m := range f.messages {
		id, _, _ := strings.Cut(m, "\t")
		s, k := inStream[id], inFallback[id]
		if s > 1 || k > 1 {
			f.Errorf("%s is %d times in the stream and %d times in the fallback", id, s, k)
		}
		switch {
		case s > 0 && k > 0:
			both++
		case s > 0:
			stored++
		case k > 0:
			fallback++
		default:
			lost++
		}
		if want := map[bool]string{true: "stored", false: "fallback"}[s > 0]; f.answers[id] != want {
			f.Errorf("%s: the answer was %q, it is %s", id, f.answers[id], want)
		}
	}
	f.row.Stored, f.row.Fallback, f.row.Both, f.row.Lost = strconv.Itoa(stored), strconv.Itoa(fallback), strconv.Itoa(both), strconv.Itoa(lost)
	if both > 0 || lost > 0 || len(inStream) != stored+both {
		f.Errorf("%d both, %d lost, %d in the stream for %d messages", both, lost, len(inStream), len(f.messages))
	}
}

// stored reads a stream to its end.
func (f *fault) stored(stream string) []*jetstream.RawStreamMsg {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), 30*time.Second)
	defer cancel()
	s, err := f.admin.Stream(ctx, stream)
	if err != nil {
		f.Fatal(err)
	}
	state := s.CachedInfo().State
	var out []*jetstream.RawStreamMsg
	for seq := max(state.FirstSeq, 1); seq <= state.LastSeq; seq++ { // an empty stream is from 0 to 0
		m, err := s.GetMsg(ctx, seq)
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

type keptMessage struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
	Payload []byte `json:"payload"`
	Reason  string `json:"reason"`
}

func (f *fault) kept(name string) (out []keptMessage) {
	f.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil && !os.IsNotExist(err) {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var k keptMessage
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			f.Fatalf("the fallback has a line that is no JSON: %q", line)
		}
		out = append(out, k)
	}
	return out
}

func tryNone(f *fault) {
	f.publish("orders", 200)
	p := f.run("publisher", "shop", f.server.ClientURL())
	p.send(f.messages)
	f.heard(p.end())
	f.settle("ORDERS")
	for _, m := range f.stored("ORDERS") {
		if ttl := m.Header.Get("Nats-TTL"); ttl != "1h0m0s" {
			f.Errorf("message %d has the lifetime %q", m.Sequence, ttl)
		}
	}
}

func tryRestart(f *fault) {
	f.publish("orders", 1000)
	p := f.run("publisher", "shop", f.server.ClientURL())
	go p.send(f.messages)
	p.wait(300)
	f.restart()
	f.heard(p.end())
	f.settle("ORDERS")
}

func trySwallowed(f *fault) {
	f.publish("orders", 300)
	way := f.wire()
	p := f.run("publisher", "shop", way.url())
	go p.send(f.messages)
	p.wait(100)
	way.swallow(true)
	<-time.After(1500 * time.Millisecond)
	way.swallow(false)
	way.cut()
	f.heard(p.end())
	f.settle("ORDERS")
}

func tryFull(f *fault) {
	f.publish("small", 80)
	p := f.run("publisher", "small", f.server.ClientURL())
	p.send(f.messages)
	f.heard(p.end())
	f.settle("SMALL")
	for _, k := range f.kept("fallback.jsonl") {
		if !strings.Contains(k.Reason, "maximum messages exceeded") {
			f.Errorf("%s was kept for %q", k.ID, k.Reason)
		}
	}
}

func tryTooLarge(f *fault) {
	f.publish("orders", 30)
	for i := range 10 {
		f.messages[3*i] += strings.Repeat(" large", 1000)
	}
	p := f.run("publisher", "shop", f.server.ClientURL())
	p.send(f.messages)
	f.heard(p.end())
	f.settle("ORDERS")
}

func tryForbidden(f *fault) {
	f.publish("secret", 5)
	p := f.run("publisher", "secret", f.server.ClientURL())
	p.send(f.messages)
	f.heard(p.end())
	f.settle("SECRET")
}

func trySigterm(f *fault) {
	f.publish("orders", 2000)
	p := f.run("publisher", "shop", f.server.ClientURL())
	go p.send(f.messages)
	p.wait(200)
	p.signal(syscall.SIGTERM)
	f.heard(p.gone())
	again := f.unanswered()
	if len(again) == 0 {
		f.Log("the publisher was done before SIGTERM came")
	}
	p = f.run("publisher", "shop", f.server.ClientURL())
	p.send(again)
	f.heard(p.end())
	f.settle("ORDERS")
}

func tryKilled(f *fault) {
	f.publish("orders", 2000)
	p := f.run("publisher", "shop", f.server.ClientURL())
	go p.send(f.messages)
	p.wait(200)
	p.kill()
	f.heard(p.whole())
	p = f.run("publisher", "shop", f.server.ClientURL())
	p.send(f.unanswered())
	f.heard(p.end())
	f.settle("ORDERS")
}

// load puts messages for workers into the stream, which its publishers may.
func (f *fault) load(payloads ...string) {
	f.Helper()
	js := f.as("shop")
	for i, p := range payloads {
		if _, err := js.Publish(f.Context(), "orders.1", []byte(p), jetstream.WithMsgID(strconv.Itoa(i)),
			jetstream.WithExpectStream("ORDERS"), jetstream.WithExpectLastSequence(uint64(i)), jetstream.WithMsgTTL(time.Hour)); err != nil {
			f.Fatal(err)
		}
	}
	f.row.Messages, f.row.Stored = strconv.Itoa(len(payloads)), strconv.Itoa(len(payloads))
	f.row.Fallback, f.row.Both = "-", "-"
}

func numbered(n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf("work %d", i))
	}
	return out
}

// handled counts what workers did: how often each message was done.
func (f *fault) handled(lines ...[]string) (lost, twice int) {
	f.Helper()
	done := map[string]int{}
	for _, line := range slices.Concat(lines...) {
		if what, seq, _ := strings.Cut(line, "\t"); what == "done" {
			done[seq]++
		}
	}
	n, err := strconv.Atoi(f.row.Messages)
	if err != nil {
		f.Fatal(err)
	}
	for seq := range n {
		switch c := done[strconv.Itoa(seq+1)]; {
		case c == 0:
			lost++
		case c > 1:
			twice++
		}
	}
	f.row.Lost, f.row.Twice = strconv.Itoa(lost), strconv.Itoa(twice)
	if lost > 0 {
		f.Errorf("%d messages were never handled", lost)
	}
	return lost, twice
}

// pending is what is not delivered and what is not acked.
func (f *fault) pending() int {
	f.Helper()
	c, err := f.admin.Consumer(f.Context(), "ORDERS", "work")
	if err != nil {
		f.Fatal(err)
	}
	info, err := c.Info(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	return int(info.NumPending) + info.NumAckPending
}

func trySlowWork(f *fault) {
	f.load(numbered(6)...)
	p := f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=2500")
	p.waitFor(func(lines []string) bool { return count(lines, "done") == 6 })
	p.signal(syscall.SIGTERM)
	if _, twice := f.handled(p.gone()); twice > 0 {
		f.Errorf("%d were handled twice although heartbeats were sent", twice)
	}
	if n := f.pending(); n > 0 {
		f.Errorf("%d are pending still", n)
	}
}

func tryWorkerKilled(f *fault) {
	f.load(numbered(20)...)
	p := f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=100")
	p.waitFor(func(lines []string) bool { return count(lines, "done") >= 5 })
	p.kill()
	first := p.whole()
	done := map[string]bool{}
	for _, line := range first {
		done[line] = true
	}
	p = f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=10")
	p.waitFor(func(lines []string) bool {
		for _, line := range lines {
			done[line] = true
		}
		return count(slices.Collect(maps.Keys(done)), "done") == 20 && f.pending() == 0
	})
	p.signal(syscall.SIGTERM)
	if _, twice := f.handled(first, p.gone()); twice > 4 {
		f.Errorf("%d were handled twice, and the worker held 4", twice)
	}
	f.row.Twice = "at most the 4 held"
}

func tryWorkerSigterm(f *fault) {
	f.load(numbered(20)...)
	p := f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=200")
	p.waitFor(func(lines []string) bool { return count(lines, "done") >= 4 })
	p.signal(syscall.SIGTERM)
	first := p.gone()
	if s, d := count(first, "start"), count(first, "done"); s != d || d == 20 {
		f.Errorf("%d begun, %d done of 20", s, d)
	}
	p = f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=10")
	p.waitFor(func(lines []string) bool { return count(first, "done")+count(lines, "done") == 20 })
	p.signal(syscall.SIGTERM)
	if _, twice := f.handled(first, p.gone()); twice > 0 {
		f.Errorf("%d were handled twice", twice)
	}
}

// tryPoison: of ten messages two fail on every try and one is poison.
func tryPoison(f *fault) {
	payloads := numbered(10)
	payloads[2], payloads[5], payloads[7] = "bad 2", "bad 5", ""
	terminated := connect(f.T, f.server, nats.UserInfo("dead-letters-ORDERS", "secret"), nats.CustomInboxPrefix("_INBOX_dead-letters-ORDERS"))
	advisories, err := terminated.SubscribeSync("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.ORDERS.work")
	if err != nil || terminated.Flush() != nil {
		f.Fatal(err)
	}
	f.load(payloads...)
	p := f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=10", "FAIL_ON=bad")
	p.waitFor(func(lines []string) bool { return count(lines, "done") == 7 && count(lines, "start") == 7+2*3+1 })
	m, err := advisories.NextMsg(patience)
	if err != nil || !strings.Contains(string(m.Data), `"stream_seq":8`) || !strings.Contains(string(m.Data), "the payload is empty") {
		f.Errorf("the poison was not terminated with its reason: %v %s", err, m.Data)
	}
	p.signal(syscall.SIGTERM)
	if n := count(p.gone(), "start"); n != 7+2*3+1 {
		f.Errorf("%d deliveries, not 14", n)
	}
	f.row.Fallback, f.row.Both, f.row.Lost, f.row.Twice = "3 for a mover", "-", "0", "0"
}

// tryDeadLetters: of ten messages two fail on every try and one is poison.
func tryDeadLetters(f *fault) {
	payloads := numbered(10)
	payloads[2], payloads[5], payloads[7] = "bad 2", "bad 5", ""
	mover := f.run("deadletters", "ORDERS", f.server.ClientURL())
	mover.waitLog("consumers watched")
	f.load(payloads...)
	p := f.run("worker", "ORDERS/work", f.server.ClientURL(), "WORK_MS=10", "FAIL_ON=bad")
	p.waitFor(func(lines []string) bool { return count(lines, "done") == 7 })
	mover.waitFor(func(lines []string) bool { return len(lines) == 3 })
	p.signal(syscall.SIGTERM)
	mover.signal(syscall.SIGTERM)
	lines := p.gone()
	mover.gone()
	dead := map[string]string{}
	for _, m := range f.stored("DEAD") {
		if m.Subject != "dead.ORDERS.work" || m.Header.Get("Dead-Letter-Subject") != "orders.1" {
			f.Errorf("a dead letter is on %s with %v", m.Subject, m.Header)
		}
		dead[m.Header.Get("Dead-Letter-Sequence")] = string(m.Data)
		for name, want := range map[string]string{"Nats-Expected-Stream": "DEAD", "Nats-TTL": "", "Dead-Letter-Nats-Expected-Stream": "ORDERS", "Dead-Letter-Nats-TTL": "1h0m0s"} {
			if got := m.Header.Get(name); got != want {
				f.Errorf("a dead letter has the header %s: %q, not %q", name, got, want)
			}
		}
	}
	if want := map[string]string{"3": "bad 2", "6": "bad 5", "8": ""}; !maps.Equal(dead, want) {
		f.Errorf("dead letters are %q, not %q", dead, want)
	}
	if n := count(lines, "start"); n != 7+2*3+1 {
		f.Errorf("%d deliveries, not 14: %q", n, lines)
	}
	f.row.Fallback, f.row.Both, f.row.Lost, f.row.Twice = "3 dead letters", "-", "0", "0"
	if done := count(lines, "done"); done+len(dead) != 10 {
		f.Errorf("%d done and %d dead letters of 10", done, len(dead))
	}
}

func count(lines []string, what string) (n int) {
	for _, line := range lines {
		if strings.HasPrefix(line, what+"\t") {
			n++
		}
	}
	return n
}

// tryLoose: dead letters that no stream holds are in the fallback at once, and none
// keeps the others. A minute is as long as the mover tries where there is a stream, and
// the wait for all of them is no longer.
func tryLoose(f *fault) {
	const letters = 40
	js := f.as("loose")
	mover := f.run("deadletters", "LOOSE", f.server.ClientURL())
	mover.waitLog("consumers watched")
	for i := range letters {
		if _, err := js.Publish(f.Context(), "loose", fmt.Appendf(nil, "bad %d", i)); err != nil {
			f.Fatal(err)
		}
	}
	worker := f.run("worker", "LOOSE/once", f.server.ClientURL(), "FAIL_ON=bad")
	mover.waitFor(func(lines []string) bool { return len(lines) == letters })
	worker.signal(syscall.SIGTERM)
	mover.signal(syscall.SIGTERM)
	worker.gone()
	for _, line := range mover.gone() {
		if !strings.Contains(line, "\tfallback\t") {
			f.Errorf("the mover says %q", line)
		}
	}
	if kept := f.kept("fallback.jsonl"); len(kept) != letters || !strings.HasPrefix(kept[0].ID, "dead.LOOSE.once.") {
		f.Errorf("%d of %d dead letters are in the fallback: %v", len(kept), letters, kept)
	}
}

// tryNoted: what is said while no mover runs is in a stream, and the next mover moves each
// message once; a later one finds nothing to do.
func tryNoted(f *fault) {
	const letters = 5
	js := f.as("noted")
	for i := range letters {
		if _, err := js.Publish(f.Context(), "noted", fmt.Appendf(nil, "bad %d", i)); err != nil {
			f.Fatal(err)
		}
	}
	worker := f.run("worker", "NOTED/once", f.server.ClientURL(), "FAIL_ON=bad")
	eventually(f.T, "every message is given up", func() error {
		n := 0
		for _, m := range f.stored("ADVISORIES") { // which has what servers say of other things, too
			if strings.HasPrefix(m.Subject, "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.") {
				n++
			}
		}
		if n != letters {
			return fmt.Errorf("%d are", n)
		}
		return nil
	})
	worker.signal(syscall.SIGTERM)
	worker.gone()
	for range 2 {
		mover := f.run("deadletters", "NOTED", f.server.ClientURL())
		mover.waitLog("consumers watched")
		mover.waitFor(func(lines []string) bool { return len(f.stored("DEAD")) == letters })
		eventually(f.T, "every advisory is acked", func() error {
			c, err := f.admin.Consumer(f.Context(), "ADVISORIES", "dead-letters-NOTED")
			if err != nil {
				return err
			}
			if info := c.CachedInfo(); info.NumPending > 0 || info.NumAckPending > 0 {
				return fmt.Errorf("%d pending, %d not acked", info.NumPending, info.NumAckPending)
			}
			return nil
		})
		mover.signal(syscall.SIGTERM)
		for _, line := range mover.gone() {
			if !strings.Contains(line, "\tstored\t") {
				f.Errorf("the mover says %q", line)
			}
		}
	}
	dead := map[string]string{}
	for _, m := range f.stored("DEAD") {
		dead[m.Header.Get("Dead-Letter-Sequence")] = string(m.Data)
	}
	if want := map[string]string{"1": "bad 0", "2": "bad 1", "3": "bad 2", "4": "bad 3", "5": "bad 4"}; !maps.Equal(dead, want) {
		f.Errorf("dead letters are %q, not %q", dead, want)
	}
}

// as is JetStream for one of the users.
func (f *fault) as(user string) jetstream.JetStream {
	f.Helper()
	nc := connect(f.T, f.server, nats.UserInfo(user, "secret"), nats.CustomInboxPrefix("_INBOX_"+user))
	js, err := jetstream.New(nc)
	if err != nil {
		f.Fatal(err)
	}
	return js
}

// tryGroups: a worker asks in the priority group of its consumer, also after its first
// request, or there is none.
func tryGroups(f *fault, l language) {
	js := f.as("turns")
	for range 6 {
		if _, err := js.Publish(f.Context(), "turns", []byte("turn")); err != nil {
			f.Fatal(err)
		}
	}
	for _, policy := range []string{"overflow", "pinned_client", "prioritized"} {
		p := f.run("worker", "TURNS/"+policy, f.server.ClientURL())
		if !slices.Contains(l.policies, policy) {
			if code := p.leaves(); code != 2 {
				f.Errorf("%s: a worker that cannot ask ends with %d", policy, code)
			}
			continue
		}
		p.waitFor(func(lines []string) bool { return count(lines, "done") == 6 })
		p.signal(syscall.SIGTERM)
		p.gone()
	}
}

// tryEnds: every program ends at SIGTERM while there is no server and after it has
// gone, and by itself where a server does not know its user.
func tryEnds(f *fault, l language) {
	commands := [][2]string{{"publisher", "shop"}, {"worker", "ORDERS/work"}}
	if !l.noMover {
		commands = append(commands, [2]string{"deadletters", "ORDERS"})
	}
	for _, c := range commands {
		dead := f.deadServer() // one each: what a program left in its queue is not the next one's
		p := f.run(c[0], c[1], "nats://"+dead.Addr().String())
		for range 2 {
			if conn, err := dead.Accept(); err == nil {
				conn.Close()
			}
		}
		p.signal(syscall.SIGTERM)
		if code := p.leaves(); code != 0 && code != 1 {
			f.Errorf("%s without a server ends with %d after SIGTERM and says\n%s", c[0], code, p.log)
		}
		p = f.run(c[0], c[1], f.server.ClientURL(), "NATS_PASSWORD=wrong")
		if code := p.leaves(); code != 1 || !strings.Contains(p.log.String(), "NATS_PASSWORD") {
			f.Errorf("%s with a wrong password ends with %d and says\n%s", c[0], code, p.log)
		}
	}
	var running []*process
	for _, c := range commands {
		before := f.server.NumClients()
		running = append(running, f.run(c[0], c[1], f.server.ClientURL()))
		eventually(f.T, c[0]+" connects", func() error {
			if f.server.NumClients() == before {
				return errors.New("it is not there")
			}
			return nil
		})
	}
	f.server.Shutdown()
	for _, p := range running {
		p.waitLog("onnect") // it has heard: disconnected, or what the library says
		p.signal(syscall.SIGTERM)
		if code := p.leaves(); code != 0 && code != 1 {
			f.Errorf("it ends with %d after its server has gone", code)
		}
	}
}

// deadServer takes connections and says nothing on them.
func (f *fault) deadServer() *net.TCPListener {
	f.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		f.Fatal(err)
	}
	if err := l.SetDeadline(time.Now().Add(patience)); err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { l.Close() })
	return l
}
