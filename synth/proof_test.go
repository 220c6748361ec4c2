//go:build !js

package synth_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.yaml.in/yaml/v4"

	"weir/design"
	"weir/dialect"
	"weir/synth"
)

// ask sends a request of the API and returns the server's refusal.
func ask(nc *nats.Conn, subject string, body []byte) error {
	m, err := nc.Request("$JS.API."+subject, body, 10*time.Second)
	if err != nil {
		return fmt.Errorf("ask %s: %w", subject, err)
	}
	var reply struct {
		Error *struct {
			ErrCode     int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(m.Data, &reply); err != nil {
		return err
	}
	if reply.Error != nil {
		return fmt.Errorf("%s: %d %s", subject, reply.Error.ErrCode, reply.Error.Description)
	}
	return nil
}

// start runs a real server with options, on loopback.
func start(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	o.NoSigs, o.NoLog = true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server is not ready")
	}
	return s
}

func single(t *testing.T) *server.Server {
	return start(t, &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 1 << 50, JetStreamMaxMemory: 1 << 40})
}

func connect(t *testing.T, s *server.Server, o ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := nats.Connect(s.ClientURL(), o...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

const shop = `
weir: 1
name: shop
server: {version: "2.12", nodes: 1, disk: 100GiB, conf: {max_payload: 2MiB, write_deadline: 5s, sync_interval: 1m}}
streams:
  ORDERS:
    subjects: [orders.*.*]
    max_age: 72h
    max_bytes: 1GiB
    consumers:
      billing: {ack_policy: explicit, max_deliver: 5, filter_subject: orders.*.created, workers: {count: 2, service_time: 5ms}}
  AUDIT:
    sources: [{name: ORDERS}]
    max_bytes: 1GiB
publishers:
  checkout: {subject: "orders.{region}.created", tokens: {region: 3}, rate: 10/s, payload: 1KiB, msg_id: uuid}
subscribers:
  live: {subject: orders.*.created}
`

func parse(t testing.TB, text string) *design.Design {
	t.Helper()
	d, problems := design.Parse("design.yaml", []byte(text))
	if problems.Failed() {
		t.Fatalf("parse: %v", problems)
	}
	return d
}

func generate(t testing.TB, target string, d *design.Design) synth.Output {
	t.Helper()
	out, err := synth.Generate(target, d)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// put writes an output into a folder.
func put(t testing.TB, out synth.Output, edit func(string) string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range out.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if f.Run {
			mode = 0o755
		}
		text := f.Text
		if edit != nil {
			text = edit(text)
		}
		if err := os.WriteFile(name, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTargetsAreProved holds every target to a test that runs what it wrote.
func TestTargetsAreProved(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	tests := ""
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	for _, target := range synth.Targets() {
		if !strings.Contains(tests, "func "+target.Proof+"(t *testing.T)") || target.Proves == "" {
			t.Errorf("target %s has no proof %q", target.Name, target.Proof)
		}
	}
}

// TestDeterministic writes everything twice.
func TestDeterministic(t *testing.T) {
	for _, p := range design.Presets() {
		for _, target := range synth.Targets() {
			a, b := generate(t, target.Name, parse(t, p.Text)), generate(t, target.Name, parse(t, p.Text))
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("%s of %s differs from run to run", target.Name, p.Name)
			}
		}
	}
}

func TestNatsJSON(t *testing.T) {
	nc := connect(t, single(t))
	for _, f := range generate(t, "nats-json", parse(t, shop)).Files {
		if !strings.HasPrefix(f.Path, "streams/") {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(f.Path), ".json")
		if err := ask(nc, "STREAM.CREATE."+name, []byte(f.Text)); err != nil {
			t.Error(err)
		}
	}
	for _, f := range generate(t, "nats-json", parse(t, shop)).Files {
		parts := strings.Split(strings.TrimSuffix(f.Path, ".json"), "/")
		if parts[0] != "consumers" {
			continue
		}
		body, _ := json.Marshal(map[string]any{"stream_name": parts[1], "config": json.RawMessage(f.Text)})
		if err := ask(nc, "CONSUMER.DURABLE.CREATE."+parts[1]+"."+parts[2], body); err != nil {
			t.Error(err)
		}
	}
}

// TestNACK reads the manifests as NACK's resources and creates what they say; the
// server then has what it has of the design itself.
func TestNACK(t *testing.T) {
	d := parse(t, shop)
	var sources []*design.Source
	for _, f := range generate(t, "nack", d).Files {
		sources = append(sources, design.NewSource(f.Path, []byte(f.Text)))
	}
	read, problems := dialect.Read(sources)
	if problems != nil || len(read) != 1 {
		t.Fatalf("%v, %d designs", problems, len(read))
	}
	stored := func(d *design.Design) map[string]string {
		nc, out := connect(t, single(t)), map[string]string{}
		for _, r := range d.Requests() {
			reply, err := nc.Request("$JS.API."+r.Subject, r.Body, 5*time.Second)
			var said struct{ Config, Error json.RawMessage }
			if err == nil {
				err = json.Unmarshal(reply.Data, &said)
			}
			if err != nil || said.Error != nil {
				t.Fatalf("%s: %v %s", r.Subject, err, said.Error)
			}
			out[r.Subject] = string(said.Config)
		}
		return out
	}
	if diff := cmp.Diff(stored(d), stored(read[0])); diff != "" {
		t.Error(diff)
	}
}

// natsCLI is the release of the NATS CLI that scripts are run with.
const natsCLI = "github.com/nats-io/natscli/nats@v0.5.1"

// natsCommand makes the NATS CLI ready, and returns its folder.
func natsCommand(t *testing.T) string {
	t.Helper()
	needs(t, "go", "sh")
	bin := buildCache(t, strings.ReplaceAll(filepath.Base(natsCLI), "@", "-"))
	if _, err := os.Stat(filepath.Join(bin, "nats")); err != nil {
		t.Setenv("GOBIN", bin)
		t.Setenv("GOFLAGS", "")
		install(t, t.TempDir(), "go", "install", natsCLI)
	}
	return bin
}

// apply runs the script of a folder against a server.
func apply(t *testing.T, dir, bin, url string, env ...string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `exec sh "$0" ${PART:+"$PART"}`, filepath.Join(dir, "apply.sh"))
	// Without contexts and settings of whoever runs the test.
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "NATS_URL="+url, "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir(), "NATS_CONTEXT=")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestNatsCLINames: names that look like flags or commands are names to the NATS CLI too.
func TestNatsCLINames(t *testing.T) {
	bin, s := natsCommand(t), single(t)
	names := []string{"-rf", "--help", "b'c", "$(x)", "é"}
	var parts []string
	for i, name := range names {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, fmt.Sprintf(`%[1]s: {"subjects": ["s%[2]d"], "max_bytes": "1MiB", "consumers": {%[1]s: {"ack_policy": "explicit"}}}`, quoted, i))
	}
	d := parse(t, `{"weir": 1, "streams": {`+strings.Join(parts, ", ")+`}}`)
	dir := put(t, generate(t, "nats-cli", d), nil)
	for range 2 {
		if out, err := apply(t, dir, bin, s.ClientURL()); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	js, err := jetstream.New(connect(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Requests() {
		if stream, consumer, of := strings.Cut(r.Name, "/"); of {
			if _, err := js.Consumer(t.Context(), stream, consumer); err != nil {
				t.Errorf("%s: %v", r.Name, err)
			}
		}
	}
}

// TestNatsCLI has a shell run the script with the real NATS CLI: a second run does
// nothing, and what is there otherwise makes it stop.
func TestNatsCLI(t *testing.T) {
	bin := natsCommand(t)
	d := parse(t, shop)
	dir := put(t, generate(t, "nats-cli", d), nil)
	s := single(t)
	run := func() (string, error) { return apply(t, dir, bin, s.ClientURL()) }
	guarded := runConf(t, generate(t, "server-conf", d)).servers["n1.conf"]
	if out, err := apply(t, dir, bin, guarded.ClientURL(), "NATS_USER=setup", "NATS_PASSWORD=secret"); err != nil {
		t.Errorf("apply.sh as the user setup: %v\n%s", err, out)
	}
	if out, err := run(); err != nil {
		t.Fatalf("apply.sh: %v\n%s", err, out)
	}
	js, err := jetstream.New(connect(t, s))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Requests() {
		stream, consumer, _ := strings.Cut(r.Name, "/")
		if _, err := js.Stream(t.Context(), stream); err != nil {
			t.Errorf("%s was not created: %v", r.Name, err)
		} else if consumer != "" {
			c, err := js.Consumer(t.Context(), stream, consumer)
			if err != nil {
				t.Errorf("%s was not created: %v", r.Name, err)
			} else if got := c.CachedInfo().Config; got.MaxDeliver != 5 || got.FilterSubject != "orders.*.created" {
				t.Errorf("%s was created as %+v", r.Name, got)
			}
		}
	}
	if out, err := run(); err != nil {
		t.Errorf("what is there as it should be makes it stop: %v\n%s", err, out)
	}
	replaceIn(t, filepath.Join(dir, "consumers", "ORDERS", "billing.json"), `"max_deliver": 5`, `"max_deliver": 6`)
	if out, err := run(); err != nil || !strings.Contains(out, "consumer billing of ORDERS exists already: left as it is") {
		t.Errorf("a consumer that is there: %v\n%s", err, out)
	}
	if c, err := js.Consumer(t.Context(), "ORDERS", "billing"); err != nil || c.CachedInfo().Config.MaxDeliver != 5 {
		t.Errorf("a consumer that was there is changed: %v", err)
	}
	replaceIn(t, filepath.Join(dir, "streams", "ORDERS.json"), `"max_bytes": 1073741824`, `"max_bytes": 2147483648`)
	if out, err := run(); err == nil || !strings.Contains(out, "10058") {
		t.Errorf("a stream that is there otherwise does not make it stop: %v\n%s", err, out)
	}
}

// TestNatsCLIWithoutRoom runs the script twice on a server that has exactly the room
// that the design reserves: a server counts a stream twice when it is asked again.
func TestNatsCLIWithoutRoom(t *testing.T) {
	bin := natsCommand(t)
	dir := put(t, generate(t, "nats-cli", parse(t, `{weir: 1, streams: {
		FILES: {subjects: [files], max_bytes: 8MiB, consumers: {c: {ack_policy: explicit}}},
		QUICK: {subjects: [quick], max_bytes: 4MiB, storage: memory}},
		kv: {b: {storage: memory, max_bytes: 1MiB}}}`)), nil)
	s := start(t, &server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), JetStreamMaxStore: 8 << 20, JetStreamMaxMemory: 5 << 20})
	for i := range 2 {
		out, err := apply(t, dir, bin, s.ClientURL())
		if err != nil {
			t.Fatalf("run %d: %v\n%s", i+1, err, out)
		}
		for _, name := range []string{"FILES", "QUICK", "KV_b"} {
			if left := strings.Contains(out, "stream "+name+" exists already: left as it is"); left != (i == 1) {
				t.Errorf("run %d says of %s: %v\n%s", i+1, name, left, out)
			}
		}
	}
}

// TestNatsCLIParts: without an argument the hub's part is created and nothing of others.
func TestNatsCLIParts(t *testing.T) {
	bin, s := natsCommand(t), single(t)
	dir := put(t, generate(t, "nats-cli", parse(t, `{weir: 1, streams: {HUB: {subjects: [h]}},
		accounts: {RED: {streams: {EV: {subjects: [r]}}}}, leafnodes: {"it's": {server: {nodes: 1}, domain: site, streams: {AT: {subjects: [a]}}}}}`)), nil)
	js, err := jetstream.New(connect(t, s))
	if err != nil {
		t.Fatal(err)
	}
	there := func() (names []string) {
		for name := range js.StreamNames(t.Context()).Name() {
			names = append(names, name)
		}
		slices.Sort(names)
		return names
	}
	for _, c := range []struct {
		name, part string
		fails      bool
		want       []string
	}{
		{"the hub", "", false, []string{"HUB"}},
		{"no part", "BLUE", true, []string{"HUB"}},
		{"an account", "accounts.RED", false, []string{"EV", "HUB"}},
		{"a site", "leafnodes.it's", false, []string{"AT", "EV", "HUB"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := apply(t, dir, bin, s.ClientURL(), "PART="+c.part)
			if got := there(); (err != nil) != c.fails || !slices.Equal(got, c.want) {
				t.Errorf("%v, and there are %q\n%s", err, got, out)
			}
		})
	}
}

// TestPythonQuotes: strings have the quotes that ruff format would give them.
func TestPythonQuotes(t *testing.T) {
	for _, c := range []struct{ name, publisher, want string }{
		{"none", `plain`, `"plain"`},
		{"double", `say "a"`, `'say "a"'`},
		{"single", `it's`, `"it's"`},
		{"as many", `a"b'c`, `"a\"b'c"`},
		{"more double", `"a"'b`, `'"a"\'b'`},
		{"backslashes", `\"\`, `'\\"\\'`},
	} {
		t.Run(c.name, func(t *testing.T) {
			key, err := json.Marshal(c.publisher)
			if err != nil {
				t.Fatal(err)
			}
			d := parse(t, "weir: 1\nstreams: {S: {subjects: [s]}}\npublishers: {"+string(key)+": {subject: s, rate: 1/s, payload: 1KiB}}\n")
			if settings := text(t, generate(t, "python", d), "settings.py"); !strings.Contains(settings, `"name": `+c.want+",\n") {
				t.Errorf("there is no %s in\n%s", c.want, settings)
			}
		})
	}
}

// TestClientNotes: what the code cannot keep is said, and what a leaf node site publishes
// ends in a stream of the account that it belongs to.
func TestClientNotes(t *testing.T) {
	const consumer = "streams: {S: {subjects: [s], consumers: {c: {ack_policy: %s, workers: {count: %d, service_time: 1ms}}}}}\n"
	const site = "streams: {H: {subjects: [%s]}}\naccounts: {IOT: {streams: {I: {subjects: [iot.*]}}}}\nleafnodes: {l: {account: %s, server: {nodes: 1}, publishers: {p: {subject: iot.a, rate: 1/s, payload: 1B, msg_id: uuid}}}}\n"
	for _, c := range []struct{ name, design, says string }{
		{"acks for all, several workers", fmt.Sprintf(consumer, "all", 2), "run one, or write ack_policy: explicit"},
		{"acks for all, one worker", fmt.Sprintf(consumer, "all", 1), ""},
		{"no acks", fmt.Sprintf(consumer, "none", 2), "does not come again; write ack_policy: explicit"},
		{"explicit acks", fmt.Sprintf(consumer, "explicit", 2), ""},
		{"a site of the account", fmt.Sprintf(site, "iot.*", "IOT"), ""},
		{"a site of another account", fmt.Sprintf(site, "h", "$G"), `no stream of the design holds "iot.a"`},
		{"advisories in a stream", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.S.>']}}\n", ""},
		{"advisories in a work queue that nobody reads", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.S.>'], retention: workqueue}}\n", ""},
		{"advisories in a stream of retention interest", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.S.>'], retention: interest}}\n", "it keeps no advisory for a mover that never ran"},
		{"advisories in a work queue", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.S.>'], retention: workqueue, consumers: {o: {ack_policy: explicit}}}}\n", "ADV stores advisories MAX_DELIVERIES, and the mover does not read it"},
		{"advisories under other subjects", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.S.>'], subject_transform: {src: '>', dest: 'x.>'}}}\n", "ADV stores advisories MAX_DELIVERIES, and the mover does not read it"},
		{"advisories of one of two", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}, e: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.S.c']}}\n", "ADV stores advisories MAX_DELIVERIES, and the mover does not read it"},
		{"advisories in no stream", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, max_deliver: 2}}}, D: {subjects: ['dead.>']}, ADV: {subjects: ['$JS.EVENT.ADVISORY.CONSUMER.*.OTHER.>']}}\n", ""},
		{"a stream that answers nobody", "streams: {S: {subjects: [s], no_ack: true}}\npublishers: {p: {subject: s, rate: 1/s, payload: 1B, msg_id: uuid}}\n", "S has no_ack: it answers nobody"},
		{"a window shorter than a time-out", "streams: {S: {subjects: [s], duplicate_window: 100ms}}\npublishers: {p: {subject: s, rate: 1/s, payload: 1B, msg_id: uuid}}\n", "the wait for an answer, 5s, is not shorter than the duplicate_window of 100ms"},
		{"a wait too short for heartbeats", "streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit, ack_wait: 1ms}}}}\n", "messages come again while they are handled; write a longer ack_wait"},
		{"an account with users", "accounts: {A: {users: {u: {publish: [a]}}, streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit}}}}}}\n", "NATS_USER has to name one that may publish on $JS.ACK.S.c.>, $JS.API.CONSUMER.INFO.S.c, $JS.API.CONSUMER.MSG.NEXT.S.c and subscribe to _INBOX.>"},
		{"an account without users", "accounts: {A: {streams: {S: {subjects: [s], consumers: {c: {ack_policy: explicit}}}}}}\n", ""},
		{"a publisher into a bucket", "kv: {b: {max_bytes: 1MiB}}\npublishers: {p: {subject: '$KV.b.{k}', rate: 1/s, payload: 1B, msg_id: uuid}}\n", ""},
		{"a publisher into no bucket", "kv: {b: {max_bytes: 1MiB}}\npublishers: {p: {subject: '$KV.c.{k}', rate: 1/s, payload: 1B, msg_id: uuid}}\n", `no stream of the design holds "$KV.c.{k}"`},
		{"a site of the hub's own", fmt.Sprintf(site, "iot.*", "$G"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := generate(t, "go", parse(t, "weir: 1\n"+c.design))
			if said := fmt.Sprint(out.Notes); !strings.Contains(said, c.says) || c.says == "" && len(out.Notes) > 0 {
				t.Errorf("the notes are %s", said)
			}
		})
	}
}

// TestClientLargest: the largest payload is what the stream takes, for the reason that it has.
func TestClientLargest(t *testing.T) {
	for _, c := range []struct{ name, limits, want string }{
		{"none", "", "neither max_msg_size nor max_bytes\n\t\tLargest: 0,"},
		{"old", "max_bytes: 2KiB", "dropped at once under discard old (2.15.2)\n\t\tLargest: 2048,"},
		{"new", "max_bytes: 2KiB, discard: new", "never has room (10077)\n\t\tLargest: 2048,"},
		{"a message", "max_bytes: 2KiB, discard: new, max_msg_size: 1KiB", "counts the headers as well\n\t\tLargest: 1024,"},
		{"a larger message", "max_bytes: 2KiB, max_msg_size: 1MiB", "discard old (2.15.2)\n\t\tLargest: 2048,"},
		{"a message alone", "max_msg_size: 1MiB", "counts the headers as well\n\t\tLargest: 1048576,"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, "weir: 1\nstreams: {S: {subjects: [s], "+c.limits+"}}\npublishers: {p: {subject: s, rate: 1/s, payload: 1B, msg_id: uuid}}\n")
			if settings := text(t, generate(t, "go", d), "settings.go"); !strings.Contains(settings, c.want) {
				t.Errorf("there is no %s in\n%s", c.want, settings)
			}
		})
	}
}

// TestClientExample: the README publishes a subject of the design.
func TestClientExample(t *testing.T) {
	for _, c := range []struct{ name, publisher, want string }{
		{"a value", `subject: "picks.{store}.new", tokens: {store: [york, leeds]}`, `\tpicks.york.new\t`},
		{"a number of values", `subject: "picks.{store}", tokens: {store: 3}`, `\tpicks.1\t`},
		{"a bucket", `subject: "$KV.b.{k}"`, `\t$KV.b.1\t`},
		{"a quote", `subject: "it's.%d"`, `\tSUBJECT\t`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, "weir: 1\npublishers: {p: {"+c.publisher+", rate: 1/s, payload: 1B, msg_id: uuid}}\n")
			for _, target := range synth.Targets() {
				if target.Group != synth.ClientCode {
					continue
				}
				if readme := text(t, generate(t, target.Name, d), "README.md"); !strings.Contains(readme, c.want) || strings.Contains(readme, "orders.eu.created") {
					t.Errorf("%s: there is no %s in\n%s", target.Name, c.want, readme)
				}
			}
		})
	}
}

// TestPythonLists: a list that is longer than a line is broken as ruff format breaks it, and
// one that fits is not.
func TestPythonLists(t *testing.T) {
	for _, c := range []struct {
		name   string
		length int
		broken bool
	}{{"fits", 90, false}, {"one more", 91, true}} {
		t.Run(c.name, func(t *testing.T) {
			consumer := strings.Repeat("n", c.length)
			d := parse(t, "weir: 1\nstreams: {S: {subjects: [s], consumers: {"+consumer+": {ack_policy: explicit, max_deliver: 2, workers: {count: 1, service_time: 1ms}}}}}\n")
			want := `        "deliveries_of": ["` + consumer + `"],` + "\n"
			if c.broken {
				want = "        \"deliveries_of\": [\n            \"" + consumer + "\",\n        ],\n"
			}
			if settings := text(t, generate(t, "python", d), "settings.py"); !strings.Contains(settings, want) {
				t.Errorf("there is no %s in\n%s", want, settings)
			}
		})
	}
}

// replaceIn writes a file anew with another text in the place of one that it has.
func replaceIn(t *testing.T, name, old, text string) {
	t.Helper()
	was, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	now := strings.ReplaceAll(string(was), old, text)
	if now == string(was) {
		t.Fatalf("%s has no %s:\n%s", name, old, was)
	}
	if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNatsCLIConfigs writes a stream that was given as an API request: the NATS CLI
// reads the configuration alone, and the path is that of the target nats-json.
func TestNatsCLIConfigs(t *testing.T) {
	designs, problems := dialect.Read([]*design.Source{design.NewSource("a.json", []byte(`{"config": {"name": "A:B", "subjects": ["a"]}}`))})
	if problems.Failed() || len(designs) != 1 {
		t.Fatal(problems)
	}
	cli, configs := generate(t, "nats-cli", designs[0]), generate(t, "nats-json", designs[0])
	if len(configs.Files) != 1 || !slices.Contains(cli.Files, configs.Files[0]) {
		t.Errorf("the files of nats-cli\n%v\ndo not hold those of nats-json\n%v", cli.Files, configs.Files)
	}
	if strings.Contains(configs.Files[0].Text, `"config"`) {
		t.Errorf("the NATS CLI cannot read\n%s", configs.Files[0].Text)
	}
}

// TestServerConf starts a server from the file of each node, on loopback and in a
// folder of its own, and acts as each user.
func TestServerConf(t *testing.T) {
	d := parse(t, shop)
	out := generate(t, "server-conf", d)
	password := regexp.MustCompile(`\$([A-Z0-9_]+_PASSWORD)`)
	for _, f := range out.Files {
		for _, m := range password.FindAllStringSubmatch(f.Text, -1) {
			t.Setenv(m[1], "secretof"+m[1])
		}
	}
	store := t.TempDir()
	dir := put(t, out, func(text string) string {
		text = strings.ReplaceAll(text, `"0.0.0.0:4222"`, `"127.0.0.1:-1"`)
		text = strings.ReplaceAll(text, `http: "127.0.0.1:8222"`, "")
		return strings.ReplaceAll(text, `"/data"`, fmt.Sprintf("%q", store))
	})
	o, err := server.ProcessConfigFile(filepath.Join(dir, "n1.conf"))
	if err != nil {
		t.Fatal(err)
	}
	if o.MaxPayload != 2<<20 || o.WriteDeadline != 5*time.Second || o.SyncInterval != time.Minute {
		t.Errorf("settings of the design did not arrive: %d, %v, %v", o.MaxPayload, o.WriteDeadline, o.SyncInterval)
	}
	s := start(t, o)
	as := func(user string) (*nats.Conn, chan error) {
		refused := make(chan error, 10)
		variable := strings.ToUpper(strings.ReplaceAll(user, "-", "_")) + "_PASSWORD"
		nc := connect(t, s, nats.UserInfo(user, "secretof"+variable), nats.CustomInboxPrefix("_INBOX_"+user),
			nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
		return nc, refused
	}
	setup, _ := as("setup")
	for _, r := range d.Requests() {
		if err := ask(setup, r.Subject, r.Body); err != nil {
			t.Fatal(err)
		}
	}
	checkout, refused := as("checkout")
	js, _ := checkout.JetStream()
	if _, err := js.Publish("orders.eu.created", []byte("1"), nats.MsgId("1")); err != nil {
		t.Errorf("the publisher cannot publish: %v", err)
	}
	forbidden(t, checkout, refused, "orders.eu.paid")
	forbidden(t, checkout, refused, "$JS.API.STREAM.DELETE.ORDERS")

	billing, refused := as("billing")
	if err := ask(billing, "CONSUMER.INFO.ORDERS.billing", nil); err != nil {
		t.Errorf("a worker cannot ask about its consumer: %v", err)
	}
	m, err := billing.Request("$JS.API.CONSUMER.MSG.NEXT.ORDERS.billing", []byte(`{"batch": 1, "expires": 5000000000}`), 10*time.Second)
	if err != nil || m.Reply == "" {
		t.Fatalf("a worker gets no message: %v %v", m, err)
	}
	if _, err := billing.Request(m.Reply, []byte("+ACK"), 10*time.Second); err != nil {
		t.Errorf("a worker cannot ack: %v", err)
	}
	forbidden(t, billing, refused, "orders.eu.created")
	forbidden(t, billing, refused, "$JS.API.CONSUMER.DELETE.ORDERS.billing")

	live, refused := as("live")
	if sub, err := live.SubscribeSync("orders.*.created"); err != nil || live.Flush() != nil {
		t.Errorf("a subscriber cannot subscribe: %v", err)
	} else if _, err := js.Publish("orders.us.created", []byte("2")); err != nil {
		t.Error(err)
	} else if _, err := sub.NextMsg(10 * time.Second); err != nil {
		t.Errorf("a subscriber gets nothing: %v", err)
	}
	forbidden(t, live, refused, "orders.eu.created")
}

// forbidden publishes what the server has to refuse.
func forbidden(t *testing.T, nc *nats.Conn, refused chan error, subject string) {
	t.Helper()
	if err := nc.Publish(subject, nil); err != nil {
		t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-refused:
		if !strings.Contains(strings.ToLower(err.Error()), "permissions violation") {
			t.Errorf("publish on %s: %v", subject, err)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("publish on %s is allowed", subject)
	}
}

func TestDockerCompose(t *testing.T) {
	for _, p := range design.Presets() {
		out := generate(t, "docker-compose", parse(t, p.Text))
		files, compose, env := map[string]bool{}, "", ""
		for _, f := range out.Files {
			files[f.Path] = true
			switch f.Path {
			case "compose.yaml":
				compose = f.Text
			case "env.example":
				env = f.Text
			}
		}
		var c struct {
			Services map[string]struct {
				Command []string `yaml:"command"`
				Image   string   `yaml:"image"`
			} `yaml:"services"`
		}
		if err := yaml.Unmarshal([]byte(compose), &c); err != nil || len(c.Services) == 0 {
			t.Fatalf("%s: compose.yaml: %v", p.Name, err)
		}
		for name, s := range c.Services {
			if !files["conf/"+name+".conf"] || s.Command[1] != "/conf/"+name+".conf" {
				t.Errorf("%s: service %s has no configuration %v", p.Name, name, s.Command)
			}
		}
		for _, f := range out.Files {
			for _, m := range regexp.MustCompile(`\$([A-Z0-9_]+_PASSWORD)`).FindAllStringSubmatch(f.Text, -1) {
				if !strings.Contains(env, "\n"+m[1]+"=\n") {
					t.Errorf("%s: env.example has no %s", p.Name, m[1])
				}
			}
		}
	}
}

func TestMermaid(t *testing.T) {
	node := regexp.MustCompile(`^  (n\d+)(?:\(\[|\[\(|\[/|\{\{)"[^"]*"(?:\]\)|\)\]|/\]|\}\})$`)
	edge := regexp.MustCompile(`^  (n\d+) -->\|"[^"]*"\| (n\d+)$`)
	for _, p := range design.Presets() {
		text := generate(t, "mermaid", parse(t, p.Text)).Files[0].Text
		seen := map[string]bool{}
		for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
			n, e := node.FindStringSubmatch(line), edge.FindStringSubmatch(line)
			switch {
			case i == 0 && line == "flowchart LR":
			case n != nil && !seen[n[1]]:
				seen[n[1]] = true
			case e != nil && seen[e[1]] && seen[e[2]]:
			default:
				t.Errorf("%s: line %d is neither a new node nor an edge between two: %s", p.Name, i+1, line)
			}
		}
	}
}
