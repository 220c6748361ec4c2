package verdict

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"weir/natsapi"
)

func sortStrings(s []string) { sort.Strings(s) }

// realServer is an embedded single server without a port.
type realServer struct {
	t       *testing.T
	nc      *nats.Conn
	setting func() *Setting // as the server is configured
	// patience is how long an answer may take; where silent is set, none in that
	// time is NoReply, else it fails the test.
	patience time.Duration
	silent   bool
}

const realMaxMemory, realMaxStore = 1 << 30, 10 << 30

// realKinds are the configurations that random requests are sent to.
var realKinds = []struct {
	name    string
	setting func(*Setting)
}{
	{"default", func(*Setting) {}},
	{"limits", func(s *Setting) {
		s.Strict = StrictOff
		s.Server.MaxRequestBatch, s.Server.MaxAckPending, s.Server.DuplicateWindow = 5, 500, time.Minute
		s.Server.DefaultMaxConsumers = 1
	}},
	{"account", func(s *Setting) {
		s.Account = AccountLimits{MaxMemory: 3 << 20, MaxStore: 3 << 20, MaxStreams: 3, MaxConsumers: 2, MaxAckPending: 50,
			MemoryMaxStreamBytes: 2 << 20, StoreMaxStreamBytes: 2 << 20}
	}},
	{"bytes required", func(s *Setting) {
		s.Account.MaxBytesRequired = true
		s.Server.MaxStore, s.Server.MaxMemory = 3<<20, 3<<20
	}},
}

// startRealServer starts a server that is configured as a setting says.
func startRealServer(t *testing.T, configure func(*Setting)) *realServer {
	t.Helper()
	setting := func() *Setting {
		s := NewSetting(natsapi.Embedded)
		s.Server.MaxMemory, s.Server.MaxStore = realMaxMemory, realMaxStore
		configure(s)
		return s
	}
	want := setting()
	s, err := server.NewServer(&server.Options{
		ServerName: "verdict", DontListen: true, NoLog: true, NoSigs: true,
		JetStream: true, StoreDir: t.TempDir(), NoJetStreamStrict: want.Strict == StrictOff,
		JetStreamMaxMemory: want.Server.MaxMemory, JetStreamMaxStore: want.Server.MaxStore,
		JetStreamLimits: server.JSLimitOpts{
			MaxRequestBatch: want.Server.MaxRequestBatch, MaxAckPending: want.Server.MaxAckPending,
			Duplicates: want.Server.DuplicateWindow, DefaultMaxConsumers: want.Server.DefaultMaxConsumers,
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the embedded server does not answer")
	}
	limits := server.JetStreamAccountLimits{
		MaxMemory: want.Account.MaxMemory, MaxStore: want.Account.MaxStore,
		MaxStreams: want.Account.MaxStreams, MaxConsumers: want.Account.MaxConsumers, MaxAckPending: want.Account.MaxAckPending,
		MemoryMaxStreamBytes: want.Account.MemoryMaxStreamBytes, StoreMaxStreamBytes: want.Account.StoreMaxStreamBytes,
		MaxBytesRequired: want.Account.MaxBytesRequired,
	}
	if err := s.GlobalAccount().UpdateJetStreamLimits(map[string]server.JetStreamAccountLimits{"": limits}); err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return &realServer{t: t, nc: nc, setting: setting, patience: 10 * time.Second}
}

// ask sends a request as it is.
func (s *realServer) ask(r Request) Answer {
	msg := nats.NewMsg("$JS.API." + r.Subject)
	msg.Data = r.Body
	for k, v := range r.Header {
		msg.Header[k] = []string{v}
	}
	reply, err := s.nc.RequestMsg(msg, s.patience)
	if errors.Is(err, nats.ErrNoResponders) || s.silent && errors.Is(err, nats.ErrTimeout) {
		return Answer{Verdict: NoReply}
	}
	if err != nil {
		s.t.Fatalf("request %s %s: %v", msg.Subject, msg.Data, err)
	}
	var out struct {
		Error *struct {
			Code        int    `json:"code"`
			ErrCode     int    `json:"err_code"`
			Description string `json:"description"`
		} `json:"error"`
		Config json.RawMessage `json:"config"`
	}
	if err := json.Unmarshal(reply.Data, &out); err != nil {
		s.t.Fatalf("reply %s: %v", reply.Data, err)
	}
	if out.Error != nil {
		return Answer{Verdict: Refused, Code: out.Error.Code, ErrCode: out.Error.ErrCode, Description: out.Error.Description}
	}
	return Answer{Verdict: OK, Config: JSON(out.Config)}
}

// askPastRemoval asks again while the directory of the account's last stream is
// still being removed under the new one (10049, see keep), unless 10049 is what
// is wanted.
func (s *realServer) askPastRemoval(r Request, want string) Answer {
	a := s.ask(r)
	for range 5 {
		if a.ErrCode != 10049 || strings.Contains(want, "10049") {
			break
		}
		a = s.ask(r)
	}
	return a
}

// keep makes a stream that stays. When an account's last stream is deleted, its
// directory may go from under the next one: that fails, and 2.15.2 then gives
// back a reservation that was never made, so that all others are off.
func (s *realServer) keep() {
	r := Request{Subject: "STREAM.CREATE.KEEP", Body: []byte(`{"name":"KEEP","subjects":["keep.x"],"max_bytes":1}`)}
	if a := s.ask(r); a.Verdict != OK {
		s.t.Fatal(a)
	}
	bare := s.setting
	s.setting = func() *Setting {
		setting := bare()
		setting.Apply(r)
		return setting
	}
}

// clear deletes all streams.
func (s *realServer) clear(names []string) {
	for _, name := range names {
		s.ask(Request{Subject: "STREAM.DELETE." + name})
	}
}

// differ says in what two answers differ, "" when in nothing that counts.
func differ(got, want Answer) string {
	switch {
	case got.Verdict != want.Verdict || got.ErrCode != want.ErrCode:
		return "verdict"
	case got.ErrCode == 10025:
		return "" // texts depend on the Go release
	case strings.Contains(got.Description, GeneratedName):
		return "" // names made-up consumers
	case got.Code != want.Code || got.Description != withSortedNames(want.Description):
		return "description"
	case got.Verdict == OK && !sameEcho(got.Config, want.Config):
		return "echo"
	}
	return ""
}

// withSortedNames puts the names at the end of a text in order; the server
// writes them in the order of a map.
func withSortedNames(text string) string {
	head, names, found := strings.Cut(text, "violates consumers: ")
	if !found {
		return text
	}
	list := strings.Split(names, ", ")
	sort.Strings(list)
	return head + "violates consumers: " + strings.Join(list, ", ")
}

// sameEcho compares configurations; a made-up suffix of a name may be any.
func sameEcho(got, want []byte) bool {
	g, w := decodeEcho(got), decodeEcho(want)
	if name, ok := g["name"].(string); ok && strings.HasSuffix(name, GeneratedName) {
		full, _ := w["name"].(string)
		if !strings.HasPrefix(full, strings.TrimSuffix(name, GeneratedName)) {
			return false
		}
		delete(g, "name")
		delete(w, "name")
	}
	return reflect.DeepEqual(g, w)
}

func decodeEcho(raw []byte) map[string]any {
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if dec.Decode(&m) != nil {
		return map[string]any{"not JSON": string(raw)}
	}
	return m
}

// walkLength is how many requests follow each other before all is deleted.
const walkLength = 15

// TestAgainstServer sends random requests to the embedded server and expects of
// it what Judge says. WEIR_DIFF sets how many (3,000), WEIR_SEED from where.
func TestAgainstServer(t *testing.T) {
	n, seed := envNumber("WEIR_DIFF", 3000), envNumber("WEIR_SEED", 1)
	var servers []*realServer
	for _, kind := range realKinds {
		real := startRealServer(t, kind.setting)
		real.keep()
		servers = append(servers, real)
	}
	counts := map[string]int{}
	failed := 0
	for done := 0; done < n; seed++ {
		m := newRequestMaker(uint64(seed))
		m.tag = strconv.Itoa(seed) // of what is deleted something may linger
		real := servers[seed%len(servers)]
		setting := real.setting()
		var history []Request
		for range walkLength {
			r := m.request()
			history = append(history, r)
			known := DifferencesOf(setting, r)
			got, want := setting.Apply(r), real.ask(r)
			done++
			counts[string(want.Verdict)]++
			what := differ(got, want)
			if what == "" {
				continue
			}
			if len(known) > 0 {
				counts["known difference"]++
			} else if failed++; failed <= 20 {
				t.Errorf("%s differs (%s; WEIR_SEED=%d WEIR_DIFF=1):\n%sgot  %s %d %d %s %s\nwant %s %d %d %s %s", what, realKinds[seed%len(servers)].name, seed, script(history),
					got.Verdict, got.Code, got.ErrCode, got.Description, got.Config,
					want.Verdict, want.Code, want.ErrCode, want.Description, want.Config)
			}
			break
		}
		real.clear([]string{"S" + m.tag, "O" + m.tag, "T" + m.tag})
	}
	t.Logf("%v, %d differ", counts, failed)
}

func envNumber(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

func script(history []Request) string {
	var b strings.Builder
	for _, r := range history {
		body := string(r.Body)
		if len(body) > 600 {
			body = body[:600] + "…"
		}
		b.WriteString("  " + r.Subject + " " + body)
		if len(r.Header) > 0 {
			b.WriteString(" " + r.Header[levelHeader])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
