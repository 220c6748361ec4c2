package engine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"weir/design"
)

func reportOf(t *testing.T, in ReportIn) string {
	t.Helper()
	r, err := Report(context.Background(), in, func(int64, int64, string) {})
	if err != nil || len(r.Findings) > 0 {
		t.Fatal(err, r.Findings)
	}
	return r.HTML
}

// TestReportOfPreset compares the whole report of a preset.
func TestReportOfPreset(t *testing.T) {
	preset, err := design.FindPreset("audit")
	if err != nil {
		t.Fatal(err)
	}
	in := ReportIn{Files: []File{{"audit.yaml", preset.Text}}}
	got := reportOf(t, in)
	golden := filepath.Join("testdata", "report", "audit.html")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
	for _, word := range []string{"Measured", "Ran on nats-server", `id="evidence"`} {
		if strings.Contains(got, word) {
			t.Errorf("a report without evidence says %q", word)
		}
	}
}

// TestReportSaysWhatPanelsSay holds the report to the words of the studio: how long
// there is no service, which stream a note is of, and which goals were not run.
func TestReportSaysWhatPanelsSay(t *testing.T) {
	got := reportOf(t, ReportIn{Files: []File{{"a.yaml", `weir: 1
server: {nodes: 3}
streams:
  A: {subjects: [a.*], num_replicas: 3, max_age: 1h, consumers: {c: {ack_policy: explicit, workers: {count: 1, service_time: 1ms}}}}
  EMPTY: {subjects: [e.*], max_bytes: 1MiB}
publishers: {p: {subject: a.b, rate: 1/s, payload: 1KiB}}
goals: {lost: 0%, survive: [node, worker-crash]}
`}}})
	for _, words := range []string{"until servers are back", "up to 9 s", "streams.EMPTY: no publisher of the design reaches this stream", "2 of goals.survive not run."} {
		if !strings.Contains(got, words) {
			t.Errorf("the report does not say %q", words)
		}
	}
	for _, line := range strings.Split(got, "\n") {
		if strings.Contains(line, "goals.survive not run") && strings.Contains(line, "l-ok") {
			t.Errorf("goals that were not run are ticked: %s", line)
		}
	}
}

// TestReportWithEvidence shows what ran, and refuses what is no evidence.
func TestReportWithEvidence(t *testing.T) {
	files := []File{{"a.yaml", "weir: 1\nname: <b>hostile</b>\nstreams:\n  A:\n    subjects: [a.*]\n"}}
	evidence := `{"schema": 1, "server": {"version": "2.15.2", "nodes": 1}, "target": "2.12.15", "claims": [{"text": "it <i>holds</i>", "held": true}],
		"steps": [{"do": "create A", "ok": true}, {"do": "publish", "expect": "ok", "ok": false}],
		"predicted": [{"name": "stored", "value": 5, "measured": 5, "unit": "messages"}], "goals": [{"goal": "lost at most 0%", "verdict": "met"}]}`
	got := reportOf(t, ReportIn{Files: files, Evidence: evidence})
	for _, want := range []string{"Ran on nats-server 2.15.2: 1 of 2 steps as expected.", "The target is 2.12.15", "it &lt;i&gt;holds&lt;/i&gt;", "&lt;b&gt;hostile&lt;/b&gt;"} {
		if !strings.Contains(got, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	brokenOff := `{"schema": 1, "server": {"version": "2.15.2", "nodes": 1}, "partial": true, "claims": [{"text": "a claim", "held": false, "unfinished": true}],
		"steps": [{"do": "create A", "ok": true}, {"do": "wait 1m", "expect": "done", "ok": false, "unfinished": true}]}`
	got = reportOf(t, ReportIn{Files: files, Evidence: brokenOff})
	if !strings.Contains(got, "not finished") || !strings.Contains(got, "The run ended before all was compared.") || strings.Contains(got, "Steps that came out otherwise") {
		t.Error("the report judges what was not finished")
	}
	for _, bad := range []string{"{", "[]", "{}", `{"schema": 2, "server": {"version": "2.15.2"}}`} {
		if _, err := Report(context.Background(), ReportIn{Files: files, Evidence: bad}, func(int64, int64, string) {}); err == nil {
			t.Errorf("%s is taken for evidence", bad)
		}
	}
	r, err := Report(context.Background(), ReportIn{Files: []File{{"a.yaml", "weir: 1\nstreams: ["}}}, nil)
	if err != nil || len(r.Findings) == 0 || r.HTML != "" {
		t.Errorf("a text that cannot be read: %v, %v", r, err)
	}
}
