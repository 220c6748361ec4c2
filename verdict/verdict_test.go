package verdict

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/natsapi"
)

// ownAnswer is a row of testdata/answers.tsv.
type ownAnswer struct {
	line                    int
	name, versions, setting string
	setup                   []string // "SUBJECT BODY"
	ask, want               string
}

// readOwnAnswers reads rows of tab-separated columns: name; versions, "2.12+" or
// "2.10 2.11"; setting; setup requests separated by " ;; "; the request; what is
// expected, see checkAnswer.
func readOwnAnswers(t *testing.T) []ownAnswer {
	t.Helper()
	file, err := os.Open("testdata/answers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var rows []ownAnswer
	sc := bufio.NewScanner(file)
	for n := 1; sc.Scan(); n++ {
		if line := sc.Text(); line != "" && line[0] != '#' {
			cells := strings.Split(line, "\t")
			if len(cells) != 6 {
				t.Fatalf("testdata/answers.tsv:%d: %d columns, want 6", n, len(cells))
			}
			row := ownAnswer{line: n, name: cells[0], versions: cells[1], setting: cells[2], ask: cells[4], want: cells[5]}
			if cells[3] != "" {
				row.setup = strings.Split(cells[3], " ;; ")
			}
			rows = append(rows, row)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// in says whether a row is about a version.
func (r ownAnswer) in(t *testing.T, v natsapi.Version) bool {
	if r.versions == "all" {
		return true
	}
	for _, word := range strings.Fields(r.versions) {
		from, open := strings.CutSuffix(word, "+")
		first, err := natsapi.ParseVersion(from)
		if err != nil {
			t.Fatalf("testdata/answers.tsv:%d: %v", r.line, err)
		}
		if v == first || open && v.AtLeast(first) {
			return true
		}
	}
	return false
}

func ownSetting(t *testing.T, name string, v natsapi.Version) *Setting {
	s := NewSetting(v)
	s.Server.MaxMemory, s.Server.MaxStore = realMaxMemory, realMaxStore
	switch name {
	case "single":
	case "cluster":
		s.Cluster = "C1"
		s.Nodes = []Node{{Name: "n1", Tags: []string{"az:1", "ssd"}}, {Name: "n2", Tags: []string{"az:2", "ssd"}}, {Name: "n3", Tags: []string{"az:3"}}}
	case "limits":
		s.Server.MaxRequestBatch, s.Server.MaxAckPending, s.Server.DuplicateWindow = 5, 500, time.Minute
	case "account":
		s.Account = AccountLimits{MaxMemory: 3 << 20, MaxStore: 3 << 20, MaxStreams: 2, MaxConsumers: 1, MaxAckPending: 50,
			MemoryMaxStreamBytes: 2 << 20, StoreMaxStreamBytes: 2 << 20, MaxBytesRequired: true}
	case "strict":
		s.Strict = StrictOn
	case "lenient":
		s.Strict = StrictOff
	default:
		t.Fatalf("no setting %q", name)
	}
	return s
}

func parseAsk(text string) Request {
	subject, body, _ := strings.Cut(text, " ")
	return Request{Subject: subject, Body: []byte(body)}
}

// checkAnswer compares with an expectation: "10052 text"; "noreply"; "crash";
// or "ok" followed by members of the echo, name=JSON, name= for one that is
// absent. An error may be followed by "@path".
func checkAnswer(a Answer, want string) string {
	got := string(a.Verdict)
	if a.Verdict == Refused {
		got = fmt.Sprintf("%d %s", a.ErrCode, a.Description)
		if wantText, path, found := strings.Cut(want, " @"); found {
			if a.Path != path {
				return fmt.Sprintf("path %q, want %q", a.Path, path)
			}
			want = wantText
		}
		if a.ErrCode == 10025 && strings.HasPrefix(want, "10025") {
			return ""
		}
	}
	verdict, list, _ := strings.Cut(want, " ")
	if a.Verdict != OK || verdict != "ok" {
		if got != want {
			return fmt.Sprintf("%s, want %s", got, want)
		}
		return ""
	}
	echo := members(a.Config)
	for _, pair := range strings.Fields(list) {
		name, value, _ := strings.Cut(pair, "=")
		if canonical(echo[name]) != canonical([]byte(value)) {
			return fmt.Sprintf("%s=%s, want %s", name, echo[name], value)
		}
	}
	return ""
}

// TestOwnAnswers holds one rule a row, in our own words.
func TestOwnAnswers(t *testing.T) {
	for _, row := range readOwnAnswers(t) {
		tried := 0
		for _, v := range natsapi.Known() {
			if !row.in(t, v) {
				continue
			}
			tried++
			s := ownSetting(t, row.setting, v)
			for _, step := range row.setup {
				if a := s.Apply(parseAsk(step)); a.Verdict != OK {
					t.Errorf("answers.tsv:%d %s: %s: setup %s: %d %s", row.line, row.name, v, step, a.ErrCode, a.Description)
				}
			}
			if msg := checkAnswer(Judge(s, parseAsk(row.ask)), row.want); msg != "" {
				t.Errorf("answers.tsv:%d %s: %s: %s", row.line, row.name, v, msg)
			}
		}
		if tried == 0 {
			t.Errorf("answers.tsv:%d %s: no version %q", row.line, row.name, row.versions)
		}
	}
}

// TestOwnAnswersOnServer asks the embedded server about the rows that are about
// its version and a single server.
func TestOwnAnswersOnServer(t *testing.T) {
	servers := map[string]*realServer{}
	for _, row := range readOwnAnswers(t) {
		if row.setting == "cluster" || row.setting == "strict" || !row.in(t, natsapi.Embedded) {
			continue
		}
		real := servers[row.setting]
		if real == nil {
			real = startRealServer(t, func(s *Setting) { *s = *ownSetting(t, row.setting, natsapi.Embedded) })
			servers[row.setting] = real
		}
		for _, step := range row.setup {
			real.askPastRemoval(parseAsk(step), "")
		}
		real.silent, real.patience = row.want == "noreply", 10*time.Second
		if real.silent {
			real.patience = 500 * time.Millisecond
		}
		want, _, _ := strings.Cut(row.want, " @")
		a := real.askPastRemoval(parseAsk(row.ask), want)
		real.silent, real.patience = false, 10*time.Second
		var compact map[string]json.RawMessage
		if json.Unmarshal(a.Config, &compact) == nil { // < and > are escaped in replies
			for name, raw := range compact {
				compact[name] = json.RawMessage(canonical(raw))
			}
			a.Config = []byte("{")
			for name, raw := range compact {
				a.Config = append(append(append(appendString(a.Config, name), ':'), raw...), ',')
			}
			a.Config[len(a.Config)-1] = '}'
		}
		if msg := checkAnswer(a, want); msg != "" {
			t.Errorf("answers.tsv:%d %s: the server says %s", row.line, row.name, msg)
		}
		real.clear([]string{"S", "O", "T", "X1", "X2"})
	}
}

// TestAlternatives: where the pace of creation decides, both answers are named
// (measured on three servers with 180 MiB: 60, 80 and 50 MiB with R3).
func TestAlternatives(t *testing.T) {
	tests := []struct {
		version    string
		errCode    int
		other      Verdict
		otherError int
	}{
		{"2.15", 10005, OK, 0},
		{"2.12", 10005, OK, 0},
		{"2.10", 10047, Refused, 10005},
	}
	for _, tt := range tests {
		t.Run(tt.version, func(t *testing.T) {
			v, err := natsapi.ParseVersion(tt.version)
			if err != nil {
				t.Fatal(err)
			}
			s := ownSetting(t, "cluster", v)
			s.Server.MaxStore = 180 << 20
			for i, mib := range []int{60, 80} {
				mustApply(t, s, fmt.Sprintf("STREAM.CREATE.S%d", i), fmt.Sprintf(`{"name":"S%d","num_replicas":3,"max_bytes":%d}`, i, mib<<20))
			}
			a := s.Apply(Request{Subject: "STREAM.CREATE.S2", Body: fmt.Appendf(nil, `{"name":"S2","num_replicas":3,"max_bytes":%d}`, 50<<20)})
			if a.ErrCode != tt.errCode || len(a.Alternatives) != 1 {
				t.Fatalf("got %d %s with %d alternatives, want %d with one", a.ErrCode, a.Description, len(a.Alternatives), tt.errCode)
			}
			other := a.Alternatives[0]
			if other.Verdict != tt.other || other.ErrCode != tt.otherError || other.Because == "" {
				t.Errorf("alternative: %s %d %q", other.Verdict, other.ErrCode, other.Because)
			}
			if slices.Contains(s.Streams(), "S2") {
				t.Error("a refused stream was recorded")
			}
		})
	}
}

// TestJudgeLeavesSetting: judging changes nothing.
func TestJudgeLeavesSetting(t *testing.T) {
	s := NewSetting(natsapi.Embedded)
	mustApply(t, s, "STREAM.CREATE.S", `{"name":"S","subjects":["s.>"],"sources":[{"name":"O"}],"metadata":{"a":"b"}}`)
	before := string(appendObject(nil, s.Version, s.config("S").fields(s.Version)))
	for _, body := range []string{`{"name":"S"}`, `{"name":"S","republish":{"dest":""},"metadata":{"x":"y"}}`} {
		Judge(s, Request{Subject: "STREAM.UPDATE.S", Body: []byte(body)})
		Judge(s, Request{Subject: "STREAM.CREATE.S", Body: []byte(body)})
	}
	clone := s.Clone()
	mustApply(t, clone, "CONSUMER.CREATE.S.C", `{"stream_name":"S","config":{"durable_name":"C"}}`)
	clone.DeleteStream("S")
	if after := string(appendObject(nil, s.Version, s.config("S").fields(s.Version))); after != before || len(s.Consumers("S")) != 0 {
		t.Errorf("the setting changed: %s\n%s\n%v", before, after, s.Consumers("S"))
	}
}

// TestAddExisting: configurations as info shows them.
func TestAddExisting(t *testing.T) {
	s := NewSetting(natsapi.Embedded)
	if err := s.AddStream([]byte(`{"name":"S","subjects":["s.>"],"retention":"workqueue","unknown":1}`)); err != nil {
		t.Fatal(err)
	}
	if err := s.AddConsumer("S", []byte(`{"durable_name":"C","ack_policy":"explicit"}`)); err != nil {
		t.Fatal(err)
	}
	a := Judge(s, Request{Subject: "CONSUMER.CREATE.S.D", Body: []byte(`{"stream_name":"S","config":{"durable_name":"D","ack_policy":"explicit"}}`)})
	if a.ErrCode != 10099 {
		t.Errorf("second consumer of a workqueue: %d %s", a.ErrCode, a.Description)
	}
	for _, bad := range []string{"", "{}", `{"name":7}`, `{"name":"S"} x`} {
		if err := s.AddStream([]byte(bad)); err == nil {
			t.Errorf("AddStream(%s) gives no error", bad)
		}
	}
	for _, bad := range []string{"", "{}", `{"durable_name":"C","ack_policy":"x"}`} {
		if err := s.AddConsumer("S", []byte(bad)); err == nil {
			t.Errorf("AddConsumer(%s) gives no error", bad)
		}
	}
	if s.AddConsumer("T", []byte(`{"durable_name":"C"}`)) == nil {
		t.Error("a consumer of no stream was added")
	}
}

// designRequests are 200 streams with five consumers each.
func designRequests() []Request {
	var out []Request
	for i := range 200 {
		name := fmt.Sprintf("S%03d", i)
		out = append(out, Request{Subject: "STREAM.CREATE." + name, Body: fmt.Appendf(nil,
			`{"name":%q,"subjects":["s%d.>","t%d.*.x"],"retention":"limits","max_age":3600000000000,"num_replicas":3,"max_bytes":1048576}`, name, i, i)})
		for k := range 5 {
			out = append(out, Request{Subject: fmt.Sprintf("CONSUMER.CREATE.%s.C%d", name, k), Body: fmt.Appendf(nil,
				`{"stream_name":%q,"config":{"durable_name":"C%d","ack_policy":"explicit","ack_wait":30000000000,"max_deliver":5,"filter_subjects":["s%d.a.%d","s%d.b.%d"]}}`, name, k, i, k, i, k)})
		}
	}
	return out
}

// BenchmarkDesign judges 200 streams and 1,000 consumers in order.
func BenchmarkDesign(b *testing.B) {
	requests := designRequests()
	b.ReportAllocs()
	for b.Loop() {
		s := NewSetting(natsapi.Embedded)
		s.Cluster, s.Nodes = "C", []Node{{Name: "a"}, {Name: "b"}, {Name: "c"}}
		for _, r := range requests {
			if a := s.Apply(r); a.Verdict != OK {
				b.Fatal(a.ErrCode, a.Description)
			}
		}
	}
}

// TestPathsAreMembers: the place of a refusal begins with a member that the
// version knows or that the body has.
func TestPathsAreMembers(t *testing.T) {
	for _, v := range natsapi.Known() {
		stream, consumer := map[string]bool{}, map[string]bool{}
		for _, f := range (&streamRequest{config: newStreamConfig()}).fields(v) {
			stream[f.name] = true
		}
		for _, f := range newConsumerConfig().fields(v) {
			consumer["config."+f.name] = true
		}
		for _, name := range []string{"stream_name", "action", "config", "pedantic"} {
			consumer[name] = true
		}
		for seed := range uint64(3000) {
			s := NewSetting(v)
			m := newRequestMaker(seed)
			for range 3 {
				r := m.request()
				a := s.Apply(r)
				if a.Path == "" || a.ErrCode == 10025 {
					continue
				}
				known := stream
				path, _, _ := strings.Cut(a.Path, "[")
				if isConsumer(r) {
					known = consumer
				} else {
					path, _, _ = strings.Cut(path, ".")
				}
				if !known[path] {
					t.Fatalf("%s: %s %s: %d %s at %q", v, r.Subject, r.Body, a.ErrCode, a.Description, a.Path)
				}
			}
		}
	}
}
