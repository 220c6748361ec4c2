package verdict

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"weir/natsapi"
)

// vectorCase is a line of cfg-cases.jsonl.
type vectorCase struct {
	ID      string `json:"id"`
	Env     string `json:"env"`
	Setup   []vectorRequest
	Request vectorRequest
}

type vectorRequest struct {
	Kind    string            `json:"kind"`
	Subject string            `json:"subject"`
	Body    json.RawMessage   `json:"body"`
	Raw     *string           `json:"raw"`
	Hdr     map[string]string `json:"hdr"`
}

func (r vectorRequest) request() Request {
	body := []byte(r.Body)
	if r.Raw != nil {
		body = []byte(*r.Raw)
	}
	return Request{Subject: r.Subject, Body: body, Header: r.Hdr}
}

// vectorVerdict is one version's answer in cfg-verdicts.jsonl.
type vectorVerdict struct {
	Verdict     string `json:"verdict"`
	Code        int    `json:"code"`
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
	Changes     struct {
		Filled  map[string]any `json:"filled"`
		Changed map[string]any `json:"changed"`
		Dropped []string       `json:"dropped"`
	} `json:"changes"`
}

// vectorSetting is the server that a case was measured on.
func vectorSetting(env string, v natsapi.Version) *Setting {
	s := NewSetting(v)
	s.Server.MaxMemory, s.Server.MaxStore = 1<<30, 10<<30
	switch env {
	case "strict":
		s.Strict = StrictOn
	case "limits":
		s.Server.MaxRequestBatch, s.Server.MaxAckPending, s.Server.DuplicateWindow = 100, 500, time.Minute
	case "account":
		s.Account.MaxStreams, s.Account.MaxConsumers, s.Account.MaxAckPending = 2, 2, 50
		s.Account.MaxBytesRequired = true
		s.Account.MaxStore = 100 << 20 // not documented; follows from the answers to R6 streams
		s.Account.MemoryMaxStreamBytes, s.Account.StoreMaxStreamBytes = 10<<20, 20<<20
	case "cluster":
		s.Cluster = "C1"
		s.Nodes = []Node{
			{Name: "n1", Tags: []string{"az:1", "ssd"}},
			{Name: "n2", Tags: []string{"az:2", "ssd"}},
			{Name: "n3", Tags: []string{"az:3"}},
		}
	}
	return s
}

// score counts agreement in one respect.
type score struct{ agree, of int }

func (s *score) add(ok bool) {
	s.of++
	if ok {
		s.agree++
	}
}

func (s score) percent() float64 { return 100 * float64(s.agree) / float64(max(s.of, 1)) }

func (s score) String() string {
	return fmt.Sprintf("agree %d of %d (%.2f %%)", s.agree, s.of, s.percent())
}

// vectorBars are the shares that must agree for every version, in percent.
var vectorBars = struct{ verdict, description, echo float64 }{99.9, 99.9, 99.9}

type vectorScores struct {
	verdict, description, echo score
	invalidJSON                score // texts of 10025, for information
	outside                    int
	listed                     []string
}

func (s *vectorScores) miss(format string, args ...any) {
	if len(s.listed) < 20 {
		s.listed = append(s.listed, fmt.Sprintf(format, args...))
	}
}

// TestVectorsConfig holds every answer to those measured on real servers, in
// the folder that WEIR_VECTORS names.
func TestVectorsConfig(t *testing.T) {
	dir := os.Getenv("WEIR_VECTORS")
	if dir == "" {
		t.Skip("WEIR_VECTORS is not set: no measured answers to compare with")
	}
	cases := readVectorCases(t, filepath.Join(dir, "cfg-cases.jsonl"))
	verdicts := readVectorVerdicts(t, filepath.Join(dir, "cfg-verdicts.jsonl"))
	defaults := readVectorDefaults(t, filepath.Join(dir, "cfg-defaults.json"))
	var all score
	for _, v := range natsapi.Known() {
		var s vectorScores
		for _, c := range cases {
			want, ok := verdicts[c.ID][v.String()]
			if !ok || want.Verdict == "setup_error" || want.Verdict == "env_unsupported" {
				continue
			}
			s.judge(c, v, want, defaults[v.String()])
		}
		all.agree += s.verdict.agree
		all.of += s.verdict.of
		t.Logf("%s: %v; description %v; echo %v; texts of 10025 %v; %d outside the known differences",
			v, s.verdict, s.description, s.echo, s.invalidJSON, s.outside)
		for _, line := range s.listed {
			t.Log(line)
		}
		for _, bar := range []struct {
			what string
			got  score
			bar  float64
		}{{"verdict and err_code", s.verdict, vectorBars.verdict}, {"description", s.description, vectorBars.description}, {"echo", s.echo, vectorBars.echo}} {
			if bar.got.percent() < bar.bar {
				t.Errorf("%s: %s: %v, want %.2f %%", v, bar.what, bar.got, bar.bar)
			}
		}
	}
	t.Logf("all versions: %v", all)
}

func (s *vectorScores) judge(c vectorCase, v natsapi.Version, want vectorVerdict, defaults map[string]map[string]any) {
	setting := vectorSetting(c.Env, v)
	for i, step := range c.Setup {
		if a := setting.Apply(step.request()); a.Verdict != OK {
			s.miss("%s %s: setup step %d is refused: %d %s", v, c.ID, i, a.ErrCode, a.Description)
		}
	}
	got := Judge(setting, c.Request.request())
	same := string(got.Verdict) == want.Verdict && got.ErrCode == want.ErrCode
	s.verdict.add(same)
	if !same {
		if len(DifferencesOf(setting, c.Request.request())) == 0 {
			s.outside++
		}
		s.miss("%s %s: got %s %d %q, want %s %d %q: %s %s", v, c.ID, got.Verdict, got.ErrCode, got.Description,
			want.Verdict, want.ErrCode, want.Description, c.Request.Subject, clipText(string(c.Request.request().Body)))
		return
	}
	if want.ErrCode == 10025 {
		ok := got.Description == want.Description
		s.invalidJSON.add(ok)
		if !ok && os.Getenv("WEIR_TEXTS") != "" {
			s.miss("%s %s: text %q, want %q", v, c.ID, got.Description, want.Description)
		}
	}
	if want.Verdict == "error" && want.ErrCode != 10025 {
		ok := got.Description == want.Description && got.Code == want.Code
		s.description.add(ok)
		if !ok {
			s.miss("%s %s: description %d %q, want %d %q", v, c.ID, got.Code, got.Description, want.Code, want.Description)
		}
	}
	// For raw bodies no changes were recorded.
	if want.Verdict == "ok" && c.Request.Raw == nil {
		s.compareEcho(c, v, got, want, defaults)
	}
}

func clipText(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

func (s *vectorScores) compareEcho(c vectorCase, v natsapi.Version, got Answer, want vectorVerdict, defaults map[string]map[string]any) {
	asset := "stream"
	if strings.HasPrefix(c.Request.Kind, "consumer") {
		asset = "consumer"
	}
	expected := expectedEcho(c, v, asset, want, defaults[asset])
	var echo map[string]any
	dec := json.NewDecoder(bytes.NewReader(got.Config))
	dec.UseNumber()
	if err := dec.Decode(&echo); err != nil {
		s.miss("%s %s: echo is not JSON: %v", v, c.ID, err)
	}
	if meta, ok := echo["metadata"].(map[string]any); ok {
		hideVersion(meta, v)
	}
	ok := reflect.DeepEqual(echo, expected)
	s.echo.add(ok)
	if ok {
		return
	}
	var diff []string
	for k := range expected {
		if !reflect.DeepEqual(echo[k], expected[k]) {
			diff = append(diff, fmt.Sprintf("%s: got %v want %v", k, echo[k], expected[k]))
		}
	}
	for k := range echo {
		if _, ok := expected[k]; !ok {
			diff = append(diff, fmt.Sprintf("%s: got %v want nothing", k, echo[k]))
		}
	}
	slices.Sort(diff)
	s.miss("%s %s: echo: %s (%s)", v, c.ID, clipText(strings.Join(diff, "; ")), clipText(string(c.Request.request().Body)))
}

// expectedEcho rebuilds what the server showed: what was sent, without what it
// dropped, with what it changed, and its defaults.
func expectedEcho(c vectorCase, v natsapi.Version, asset string, want vectorVerdict, defaults map[string]any) map[string]any {
	sent := lastDocument(c.Request.request().Body)
	if asset == "consumer" {
		sent, _ = sent["config"].(map[string]any)
	}
	out := map[string]any{}
	for k, value := range defaults {
		if _, ok := sent[k]; !ok {
			out[k] = value
		}
	}
	for k, value := range want.Changes.Filled {
		if value == nil {
			delete(out, k)
		} else {
			out[k] = value
		}
	}
	for k, value := range sent {
		if !slices.Contains(want.Changes.Dropped, k) && k != "pedantic" {
			out[k] = value
		}
	}
	for k, value := range want.Changes.Changed {
		out[k] = value
	}
	return out
}

// lastDocument reads a body as the measuring program did.
func lastDocument(body []byte) map[string]any {
	out := map[string]any{}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	for {
		var m map[string]any
		if dec.Decode(&m) != nil {
			return out
		}
		for k, value := range m {
			out[k] = value
		}
	}
}

// hideVersion writes the server's version and level as the defaults file does.
func hideVersion(meta map[string]any, v natsapi.Version) {
	if meta[metaVersion] == v.String() {
		meta[metaVersion] = "<ver>"
	}
	if meta[metaLevel] == strconv.Itoa(v.APILevel()) {
		meta[metaLevel] = "<level>"
	}
}

func readVectorCases(t *testing.T, path string) []vectorCase {
	var out []vectorCase
	eachLine(t, path, func(line []byte) {
		var c vectorCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	})
	return out
}

// readVectorVerdicts resolves answers that name another version's.
func readVectorVerdicts(t *testing.T, path string) map[string]map[string]vectorVerdict {
	out := map[string]map[string]vectorVerdict{}
	eachLine(t, path, func(line []byte) {
		var raw map[string]json.RawMessage
		if err := json.Unmarshal(line, &raw); err != nil {
			t.Fatal(err)
		}
		id, _ := strconv.Unquote(string(raw["id"]))
		answers := map[string]vectorVerdict{}
		for _, v := range natsapi.Known() {
			text := raw[v.String()]
			var same string
			if json.Unmarshal(text, &same) == nil {
				answers[v.String()] = answers[same]
				continue
			}
			var a vectorVerdict
			dec := json.NewDecoder(bytes.NewReader(text))
			dec.UseNumber()
			if dec.Decode(&a) == nil {
				answers[v.String()] = a
			}
		}
		out[id] = answers
	})
	return out
}

func readVectorDefaults(t *testing.T, path string) map[string]map[string]map[string]any {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]map[string]any{}
	for _, v := range natsapi.Known() {
		var m map[string]map[string]any
		dec := json.NewDecoder(bytes.NewReader(raw[v.String()]))
		dec.UseNumber()
		if err := dec.Decode(&m); err != nil {
			t.Fatal(err)
		}
		out[v.String()] = m
	}
	return out
}

func eachLine(t *testing.T, path string, f func([]byte)) {
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	sc := bufio.NewScanner(file)
	sc.Buffer(nil, 64<<20)
	for sc.Scan() {
		f(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}
