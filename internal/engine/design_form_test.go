package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"weir/design"
	"weir/internal/engine"
	"weir/natsapi"
)

const formText = `weir: 1
server: {version: "2.12", nodes: 3}
streams:
  A:
    subjects: [a.>] # kept
    max_age: 24h
    consumers:
      c: {ack_policy: explicit, ack_wait: 5s, workers: [{name: p, count: 2, service_time: {p50: 20ms, p99: 9s}}, {name: q}]}
publishers: {p: {subject: "a.{region}", rate: 10/s, payload: 1KiB}}
`

func formOf(t *testing.T, path, target string) engine.FormReply {
	t.Helper()
	var reply struct{ OK engine.FormReply }
	req, _ := json.Marshal(engine.FormRequest{Files: []engine.File{{Name: "d.yaml", Text: formText}}, Path: path, Target: target})
	if err := json.Unmarshal(engine.Call(context.Background(), "design.form", req, nil), &reply); err != nil {
		t.Fatal(err)
	}
	return reply.OK
}

func fieldsOf(f engine.FormReply) map[string]engine.FormField {
	out := map[string]engine.FormField{}
	for _, g := range f.Groups {
		for _, x := range g.Fields {
			out[x.Path] = x
		}
	}
	return out
}

// TestFormHasEveryField holds each form to the tables: what a server of the
// version takes is in it, and what it lacks is not.
func TestFormHasEveryField(t *testing.T) {
	v, err := natsapi.ParseVersion("2.12")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"streams.A", "streams.A.consumers.c", "publishers.p"} {
		have := fieldsOf(formOf(t, path, ""))
		for _, f := range design.KeysAt(path) {
			p := design.Join(path, f.Name)
			x, ok := have[p]
			if wanted := f.In(v) && f.Name != "consumers"; ok != wanted {
				t.Errorf("%s: in the form %v, want %v", p, ok, wanted)
			}
			if ok && (x.Doc.Doc == "" || x.Facts == "" || x.Input == "") {
				t.Errorf("%s: no documentation, facts or input: %+v", p, x)
			}
		}
	}
}

func TestFormShowsWhatIsWrittenAndAdvised(t *testing.T) {
	f := formOf(t, "streams.A.consumers.c", "")
	wait := fieldsOf(f)["streams.A.consumers.c.ack_wait"]
	if f.Title != "Consumer c" || !f.Found || f.Remove == nil || !wait.Has || wait.Written != "5s" || wait.At.Line != 8 {
		t.Errorf("title %q, found %v, ack_wait %+v", f.Title, f.Found, wait)
	}
	// Jobs take 9 s: 5 s are too short, and advise says so.
	if wait.Advice == nil || wait.Advice.Fix == nil || wait.Advice.Reason == "" {
		t.Errorf("no advice on ack_wait: %+v", wait.Advice)
	}
	if s := formOf(t, "streams.A", ""); len(s.Adds) != 1 || s.Adds[0].Path != "streams.A.consumers.consumer" || s.Adds[0].Fix == nil {
		t.Errorf("a stream has no new consumer: %+v", s.Adds)
	}
	workers := formOf(t, "streams.A.consumers.c.workers", "")
	fields := fieldsOf(workers)
	if workers.Title != "Workers of c" || fields["streams.A.consumers.c.workers[0].count"].Written != "2" || !strings.HasPrefix(workers.Groups[0].Title, "Group 1: ") {
		t.Errorf("title %q, groups of a list %+v", workers.Title, workers.Groups)
	}
}

// TestSetGoesBackAndForth writes each value into the text and reads it again.
func TestSetGoesBackAndForth(t *testing.T) {
	for _, tt := range []struct{ name, path, value string }{
		{"replaced", "streams.A.max_age", "72h"}, {"added", "streams.A.max_bytes", "1GiB"}, {"list", "streams.A.subjects", "a.>, *.b"},
		{"choice", "streams.A.retention", "workqueue"}, {"text that needs quotes", "streams.A.description", "x: # y"}, {"taken out", "streams.A.max_age", ""},
		{"own key", "publishers.p.payload", "{mean: 1KiB, p99: 4KiB}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var reply struct{ OK engine.SetReply }
			req, _ := json.Marshal(engine.SetRequest{Files: []engine.File{{Name: "d.yaml", Text: formText}}, Path: tt.path, Value: tt.value})
			if err := json.Unmarshal(engine.Call(context.Background(), "design.set", req, nil), &reply); err != nil || reply.OK.Fix == nil {
				t.Fatal(err, reply.OK.Problem)
			}
			text, err := design.ApplyEdits(design.NewSource("d.yaml", []byte(formText)), reply.OK.Fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			d, problems := design.Parse("d.yaml", text)
			if problems.Failed() {
				t.Fatal(problems)
			}
			if got := d.InputText(tt.path); got != tt.value || !strings.Contains(string(text), "# kept") {
				t.Errorf("reads %q, want %q, in\n%s", got, tt.value, text)
			}
		})
	}
}
