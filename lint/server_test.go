package lint

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"weir/design"
	"weir/dialect"
	"weir/natsapi"
	"weir/verdict"
)

// runServer runs the real server in the process until the test ends.
func runServer(t *testing.T, o *server.Options) *server.Server {
	t.Helper()
	srv, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	if !srv.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server did not start")
	}
	return srv
}

// startServer runs the real server in the process as a site of a design says:
// one server, with its limits and those of the account.
func startServer(t *testing.T, site *verdict.Site) *nats.Conn {
	t.Helper()
	s := site.Setting
	bounded := func(n, most int64) int64 { return min(n, most) }
	o := &server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		JetStreamMaxStore: bounded(s.Server.MaxStore, 1<<42), JetStreamMaxMemory: bounded(s.Server.MaxMemory, 1<<36),
		JetStreamLimits: server.JSLimitOpts{MaxAckPending: s.Server.MaxAckPending, MaxRequestBatch: s.Server.MaxRequestBatch, Duplicates: s.Server.DuplicateWindow}}
	srv := runServer(t, o)
	if a := s.Account; site.Limited != "" {
		orNone := func(n int) int {
			if n <= 0 {
				return -1
			}
			return n
		}
		limits := map[string]server.JetStreamAccountLimits{"": {MaxMemory: a.MaxMemory, MaxStore: a.MaxStore, MaxStreams: orNone(a.MaxStreams),
			MaxConsumers: orNone(a.MaxConsumers), MaxAckPending: orNone(a.MaxAckPending), MemoryMaxStreamBytes: a.MemoryMaxStreamBytes,
			StoreMaxStreamBytes: a.StoreMaxStreamBytes, MaxBytesRequired: a.MaxBytesRequired}}
		if err := srv.GlobalAccount().UpdateJetStreamLimits(limits); err != nil {
			t.Fatal(err)
		}
	}
	nc, err := nats.Connect("", nats.InProcessServer(srv))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return nc
}

// apiReply is what the JetStream API answers.
type apiReply struct {
	Error *struct {
		Code        int    `json:"code"`
		ErrCode     int    `json:"err_code"`
		Description string `json:"description"`
	} `json:"error"`
}

func ask(t *testing.T, nc *nats.Conn, r *design.Request) apiReply {
	t.Helper()
	m, err := nc.Request("$JS.API."+r.Subject, r.Body, 5*time.Second)
	if err != nil {
		t.Fatalf("%s: %v", r.Subject, err)
	}
	var reply apiReply
	if err := json.Unmarshal(m.Data, &reply); err != nil {
		t.Fatal(err)
	}
	return reply
}

// TestFindingsOnTheServer sends what the cases that say "replay" hold to the
// real server: what is found refused is refused with the same err_code and words,
// and everything else is accepted.
func TestFindingsOnTheServer(t *testing.T) {
	replayed := 0
	for _, c := range checkCases(t) {
		if !c.replay {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(c.path), ".txtar"), func(t *testing.T) {
			designs, problems := dialect.Read(c.sources)
			if problems.Failed() || len(designs) != 1 {
				t.Fatal(problems)
			}
			findings := map[string]Finding{} // refusals by the path of what is refused
			report := CheckSources(c.sources, Options{})
			for _, f := range report.Findings {
				if f.ErrCode != 0 {
					findings[f.Path] = f
				}
			}
			judged := verdict.JudgeDesign(designs[0], natsapi.Embedded)
			nc := startServer(t, judged[0].Site)
			for _, j := range judged {
				if j.Orphan || j.Answer.Verdict == verdict.NoReply {
					continue
				}
				replayed++
				reply := ask(t, nc, j.Request)
				f, found := findingOf(findings, j.Request.Path)
				switch {
				case reply.Error == nil && found:
					t.Errorf("%s is accepted, and Weir says %s", j.Request.Name, f)
				case reply.Error != nil && !found:
					t.Errorf("%s is refused with %d %s, and Weir says nothing", j.Request.Name, reply.Error.ErrCode, reply.Error.Description)
				case reply.Error != nil && (f.ErrCode != reply.Error.ErrCode || !strings.Contains(f.Message, reply.Error.Description)):
					t.Errorf("%s is refused with %d %s, and Weir says %s", j.Request.Name, reply.Error.ErrCode, reply.Error.Description, f)
				}
			}
		})
	}
	t.Logf("%d requests replayed", replayed)
	if replayed < 90 {
		t.Errorf("only %d requests were replayed", replayed)
	}
}

// findingOf is the refusal that points at a path or below it, but not into a
// consumer of a stream.
func findingOf(findings map[string]Finding, path string) (Finding, bool) {
	for at, f := range findings {
		rest, below := strings.CutPrefix(at, path)
		if below && (rest == "" || rest[0] == '.' || rest[0] == '[') && !strings.HasPrefix(rest, ".consumers.") {
			return f, true
		}
	}
	return Finding{}, false
}

// TestFixesOnTheServer applies the fixes of the replayed cases: what a fix
// repairs, the server then accepts or refuses for another reason.
func TestFixesOnTheServer(t *testing.T) {
	for _, c := range checkCases(t) {
		if !c.replay {
			continue
		}
		report := CheckSources(c.sources, Options{})
		edits, fixed := Edits(report.Findings)
		if len(fixed) == 0 {
			t.Errorf("%s has no fix", c.path)
		}
		var after []*design.Source
		for _, src := range c.sources {
			text, err := design.ApplyEdits(src, edits[src.Name])
			if err != nil {
				t.Fatal(err)
			}
			after = append(after, design.NewSource(src.Name, text))
		}
		said := map[string]string{}
		for _, f := range CheckSources(after, Options{}).Findings {
			said[f.Path] = f.Message
		}
		for _, f := range fixed {
			if said[f.Path] == f.Message {
				t.Errorf("%s: the fix %q changes nothing: %s", c.path, f.Fix.Title, f)
			}
		}
	}
}

// fiveTraps are the findings of the preset five-traps, which is made of them.
var fiveTraps = []string{
	"streams.ORDERS.duplicate_window STR001", "streams.ORDERS.consumers.fraud.filter_subject SUB001", "streams.ORDERS.consumers.analytics.deliver_subject CON002",
	"streams.INVOICES.consumers.render.ack_wait CON001", "publishers.invoices.mode PUB001",
}

// TestPresets checks each preset for every release that can be a target, older ones
// than it names included. All are quiet but five-traps.
func TestPresets(t *testing.T) {
	for _, p := range design.Presets() {
		d, problems := design.Parse(p.Name+".yaml", []byte(p.Text))
		if problems != nil {
			t.Fatal(problems)
		}
		for _, v := range natsapi.Known() {
			r := Check([]*design.Design{d}, nil, Options{Target: v})
			var got, want []string
			for _, f := range r.Findings {
				if f.Severity != design.Info {
					got = append(got, f.Path+" "+f.Code)
				}
			}
			if p.Name == "five-traps" {
				// Other rules may have more to say of it.
				want, got = fiveTraps, slices.DeleteFunc(got, func(s string) bool { return !slices.Contains(fiveTraps, s) })
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s on %s (-want +got):\n%s", p.Name, v, diff)
			}
			if r.Streams == 0 || len(r.Versions) == 0 || r.Versions[0] != v {
				t.Errorf("%s on %s: %s", p.Name, v, r.Sentence())
			}
		}
	}
}
