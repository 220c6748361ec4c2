package prover

import (
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"weir/internal/methods"
	"weir/prove"
)

// call calls a method and decodes its reply into out; it returns the error of the
// method.
func call(t *testing.T, p *Prover, ctx context.Context, name string, in, out any, progress methods.Progress) *methods.Error {
	t.Helper()
	req, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	body := p.Call(ctx, name, req, progress)
	got := struct {
		OK    any            `json:"ok"`
		Error *methods.Error `json:"error"`
	}{OK: out}
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return got.Error
}

// shop is a design of two assets with a publisher, workers and a scenario.
const shop = `weir: 1
name: shop
streams:
  ORDERS:
    subjects: [orders.*]
    max_msgs: 0
    consumers: {billing: {ack_policy: explicit, ack_wait: 30s, workers: {count: 1, service_time: 1ms}}}
publishers: {checkout: {subject: orders.new, rate: 100/s, payload: 100B}}
goals: {lost: 0%}
scenarios: {stall: [{at: 200ms, stall: billing, for: 100ms}]}
`

func TestAboutAndLists(t *testing.T) {
	p := New("test")
	var about AboutReply
	if err := call(t, p, t.Context(), "server.about", Nothing{}, &about, nil); err != nil || about.Version != prove.ServerVersion {
		t.Errorf("about %+v %v", about, err)
	}
	var list ListReply
	if err := call(t, p, t.Context(), "proof.list", Nothing{}, &list, nil); err != nil || len(list.Proofs) != len(prove.Proofs()) {
		t.Fatalf("%d proofs, %v", len(list.Proofs), err)
	}
	for _, l := range list.Proofs {
		if l.Claim == "" || l.Text == "" || !slices.Contains(l.Versions, prove.ServerVersion) {
			t.Errorf("%s: claim %q, versions %v, %d bytes of script", l.Name, l.Claim, l.Versions, len(l.Text))
		}
	}
	var labs LabsReply
	if err := call(t, p, t.Context(), "lab.list", Nothing{}, &labs, nil); err != nil || len(labs.Labs) == 0 {
		t.Fatalf("%d labs, %v", len(labs.Labs), err)
	}
	for _, l := range labs.Labs {
		for _, v := range l.Values {
			if !slices.Contains(v.Stops, v.Default) {
				t.Errorf("%s %s: the default %q is not one of %v", l.Name, v.Name, v.Default, v.Stops)
			}
		}
	}
}

func TestRunProof(t *testing.T) {
	p := New("0.1.0-test")
	var out RunReply
	steps := 0
	err := call(t, p, t.Context(), "proof.run", RunRequest{Name: "wildcard-in-the-middle"}, &out, func(int64, int64, string) { steps++ })
	if err != nil || !out.Held || out.Ended != "" || steps == 0 {
		t.Fatalf("%v, held %v, ended %q, %d calls of progress", err, out.Held, out.Ended, steps)
	}
	if e := out.Evidence; e.Weir != "0.1.0-test" || e.Server.Version != prove.ServerVersion || e.Partial || len(e.Claims) != len(out.Shown.Claims) || len(e.Steps) != len(out.Shown.Steps) {
		t.Errorf("evidence %+v", e)
	}
	if s := out.Shown; s.Claims[0].Label != "harm" || !strings.Contains(s.Sentence, "2 claims, 2 held") || s.Seal != "mechanism ran on "+prove.ServerVersion || s.Other {
		t.Errorf("shown %+v", s)
	}
}

// TestRunScriptOfItsOwn: a claim that the server does not keep is not held, and the
// step that shows it is told.
func TestRunScriptOfItsOwn(t *testing.T) {
	var out RunReply
	text := "claim \"one is two\"\nstream S subjects=s\npublish s\nexpect S.messages == 2\nexpect 1 == 1\n"
	if err := call(t, New(""), t.Context(), "proof.run", RunRequest{Name: "mine", Text: text}, &out, nil); err != nil {
		t.Fatal(err)
	}
	last := out.Shown.Steps[len(out.Shown.Steps)-1]
	if out.Held || out.Name != "mine" || last.OK || last.Do != "expect S.messages == 2" || last.Answer != "1 == 2" || !strings.Contains(out.Shown.Sentence, "something else in 1 step") {
		t.Errorf("held %v, last step %+v, %q", out.Held, last, out.Shown.Sentence)
	}
}

// TestRefused: what cannot be run has an error with its place, and takes no place of
// a run.
func TestRefused(t *testing.T) {
	design := func(text string) []File { return []File{{"d.yaml", text}} }
	tests := []struct {
		name, method string
		in           any
		path         string
		line, col    int
		want         string
	}{
		{"a proof that is none", "proof.run", RunRequest{Name: "discard-newer"}, "name", 0, 0, "did you mean discard-new?"},
		{"a script with a mistake", "proof.run", RunRequest{Name: "mine", Text: "stream S subjects=s\n  publsh s"}, "text", 2, 3, `"publsh" is not a verb; did you mean publish?`},
		{"an empty script", "proof.run", RunRequest{Name: "mine", Text: "# nothing"}, "text", 1, 1, "no step"},
		{"too many nodes", "design.prove", DesignRequest{Files: design(shop), Nodes: 9}, "nodes", 0, 0, "9 is not between 0 and 5 nodes"},
		{"too long", "design.prove", DesignRequest{Files: design(shop), Seconds: 601}, "seconds", 0, 0, "601 is not between 0 and 600 seconds"},
		{"a design that cannot be read", "design.prove", DesignRequest{Files: design("weir: 1\nstreams: [")}, "", 2, 0, "the design cannot be read"},
		{"two designs", "design.prove", DesignRequest{Files: []File{{"a.yaml", shop}, {"b.yaml", strings.Replace(shop, "shop", "other", 1)}}}, "files", 0, 0, "hold 2 designs"},
		{"no files", "design.prove", DesignRequest{}, "files", 0, 0, "hold 0 designs"},
		{"a scenario that is none", "design.prove", DesignRequest{Files: design(shop), Scenario: "storm"}, "", 0, 0, `"storm" is not a scenario of the design; it has stall`},
		{"a matrix that is too large", "matrix.prove", MatrixRequest{make([]string, 5000), make([]string, 5000)}, "", 0, 0, "more than the 20000000 that a proof run takes"},
	}
	p := New("")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out any
			err := call(t, p, t.Context(), tt.method, tt.in, &out, nil)
			if err == nil || !strings.Contains(err.Message, tt.want) || err.Path != tt.path || tt.line != err.Line || tt.col > 0 && tt.col != err.Col {
				t.Fatalf("got %+v, want %s at %s:%d:%d", err, tt.want, tt.path, tt.line, tt.col)
			}
			if err.Code != methods.CodeBadRequest {
				t.Errorf("code %q", err.Code)
			}
		})
	}
	var out RunReply
	if err := call(t, p, t.Context(), "proof.run", RunRequest{Name: "discard-new"}, &out, nil); err != nil || !out.Held {
		t.Errorf("a run after them: %v, held %v", err, out.Held)
	}
}

// TestProveDesign: with its scenario and without its workload, with what the server
// changes silently, and the log beside it.
func TestProveDesign(t *testing.T) {
	p := New("")
	var out RunReply
	in := DesignRequest{Files: []File{{"shop.yaml", shop}}, Seconds: 1, Scenario: "stall"}
	stages := map[string]bool{}
	if err := call(t, p, t.Context(), "design.prove", in, &out, func(_, _ int64, what string) { stages[what] = true }); err != nil {
		t.Fatal(err)
	}
	if !out.Held || out.Name != "shop" || out.Evidence.Scaling == nil || len(out.Evidence.Goals) == 0 {
		t.Errorf("held %v, name %q, scaling %v, goals %v: %s", out.Held, out.Name, out.Evidence.Scaling, out.Evidence.Goals, out.Shown.Sentence)
	}
	if !stages["applying"] || !stages["routing"] || !stages["running the workload"] {
		t.Errorf("stages %v", stages)
	}
	first := out.Shown.Steps[0]
	if first.Answer != prove.Accepted || !slices.Contains(first.Changes, "streams.ORDERS.max_msgs: 0 became -1") {
		t.Errorf("first step %+v", first)
	}
	if !slices.ContainsFunc(out.Shown.Steps, func(s ShownStep) bool { return strings.HasPrefix(s.Do, "scenario: ") && s.OK }) {
		t.Error("the scenario was not played")
	}
	in.Seconds, in.Scenario, in.Nodes = 0, "", 3
	if err := call(t, p, t.Context(), "design.prove", in, &out, nil); err != nil || out.Evidence.Server.Nodes != 3 || !strings.HasPrefix(out.Shown.Ran, "3 nodes of nats-server") {
		t.Errorf("on three nodes: %v, %+v", err, out.Evidence.Server)
	}
	var log LogReply
	if err := call(t, p, t.Context(), "server.log", Nothing{}, &log, nil); err != nil {
		t.Fatal(err)
	}
	nodes := map[string]bool{}
	for _, l := range log.Lines {
		nodes[l.Node] = true
	}
	if log.Lines[0].Level != "run" || log.Lines[0].Text != "run of the design shop" || !nodes["n1"] || !nodes["n3"] {
		t.Errorf("log begins with %+v, nodes %v", log.Lines[0], nodes)
	}
}

func TestProveMatrix(t *testing.T) {
	var out MatrixReply
	in := MatrixRequest{[]string{"orders.*", "orders.>", "orders.>.x"}, []string{"orders.eu", "orders.eu.x", "orders.*", "orders eu"}}
	if err := call(t, New(""), t.Context(), "matrix.prove", in, &out, nil); err != nil || !out.Agrees || out.Evidence.Matrix.Cells == 0 || !strings.Contains(out.Sentence, "delivered as the matrix says in all of 6 cells: the 2 of 3 patterns that it subscribes to, each with the 3 of 4 subjects that can be published") {
		t.Errorf("%v, %+v", err, out)
	}
}

// TestCancelled: a run that is cancelled in its middle gives the evidence so far and
// why it ended, and neither servers nor goroutines stay.
func TestCancelled(t *testing.T) {
	before := runtime.NumGoroutine()
	p := New("")
	for _, tt := range []struct {
		name, method string
		in           any
		at           string // the stage or unit at which it is cancelled
	}{
		{"a design", "design.prove", DesignRequest{Files: []File{{"shop.yaml", shop}}, Seconds: 600}, "running the workload"},
		{"a script", "proof.run", RunRequest{Name: "mine", Text: "stream S subjects=s\nwait 1m"}, "steps"},
		{"a claim", "proof.run", RunRequest{Name: "mine", Text: "harm \"a\"\nstream S subjects=s\ncure \"b\"\nwait 1m"}, "steps"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var out RunReply
			err := call(t, p, ctx, tt.method, tt.in, &out, func(_, _ int64, what string) {
				if what == tt.at {
					cancel()
				}
			})
			if err != nil || out.Held || out.Ended != "it was cancelled" || !out.Evidence.Partial || !strings.HasPrefix(out.Shown.Sentence, "Not finished, ended early after ") {
				t.Errorf("%v, held %v, ended %q, partial %v, %q", err, out.Held, out.Ended, out.Evidence.Partial, out.Shown.Sentence)
			}
			if out.Shown.Level != "info" || slices.ContainsFunc(out.Shown.Claims, func(c ShownClaim) bool { return c.Level == "error" }) {
				t.Errorf("level %q, claims %+v: what was not finished is judged", out.Shown.Level, out.Shown.Claims)
			}
		})
	}
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines before, %d after", before, runtime.NumGoroutine())
		}
	}
}

// TestLogIsBounded: the oldest lines go, and are counted.
func TestLogIsBounded(t *testing.T) {
	var l serverLog
	l.note("run of a test")
	for range maxLogLines + 9 {
		l.add(2, "WRN", "again")
	}
	if len(l.lines) != maxLogLines || l.dropped != 10 || l.lines[0].Node != "n3" || l.lines[0].Level != "WRN" {
		t.Errorf("%d lines, %d dropped, first %+v", len(l.lines), l.dropped, l.lines[0])
	}
}

// TestSentence: a run that held says how many figures the machine's pace moved out
// of their bands, beside the rows that say so of each.
func TestSentence(t *testing.T) {
	figure := func(measured int64) prove.Prediction {
		return prove.Prediction{Figure: prove.Figure{Name: "pending", Value: 10}, From: prove.FromSimulation, Measured: measured}
	}
	for _, tt := range []struct {
		name      string
		predicted []prove.Prediction
		want      string
	}{
		{"as predicted", []prove.Prediction{figure(10)}, "1 claim, 1 held: the server does what Weir predicts, refusals and losses included."},
		{"one differs", []prove.Prediction{figure(10), figure(11)}, "1 claim, 1 held; 1 of 2 figures differs from the prediction."},
		{"two differ", []prove.Prediction{figure(9), figure(11), figure(10)}, "1 claim, 1 held; 2 of 3 figures differ from the prediction."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := prove.Evidence{Claims: []prove.Claim{{Held: true}}, Predicted: tt.predicted}
			if got := sentence(&e); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
