package prover

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"weir/prove"
)

// every calls f with each combination of a lab's values.
func every(values []prove.ProofValue, so labValues, f func(labValues)) {
	if len(values) == 0 {
		f(so)
		return
	}
	for _, stop := range values[0].Stops {
		so[values[0].Name] = stop
		every(values[1:], so, f)
	}
}

// TestLabScripts: each combination of values makes a script that can be read.
func TestLabScripts(t *testing.T) {
	for _, lab := range labs {
		n := 0
		every(lab.Values, labValues{}, func(v labValues) {
			n++
			if _, err := prove.ParseScript(lab.Name, 1, lab.script(v)); err != nil {
				t.Errorf("%s %v: %v", lab.Name, v, err)
			}
		})
		if n < 2 {
			t.Errorf("%s has %d combinations", lab.Name, n)
		}
	}
}

// TestLabs runs each lab with its defaults and at its edges on the real server.
func TestLabs(t *testing.T) {
	tests := []struct {
		name, lab string
		values    map[string]string
	}{
		{"twice", "ack-wait", nil},
		{"four together", "ack-wait", map[string]string{"ack_wait": "200ms", "service": "1100ms", "workers": "4"}},
		{"in time", "ack-wait", map[string]string{"ack_wait": "500ms", "service": "100ms", "retention": "limits"}},
		{"one worker", "ack-wait", map[string]string{"workers": "1"}},
		{"all busy", "ack-wait", map[string]string{"ack_wait": "500ms", "service": "1700ms"}},
		{"limits", "ack-wait", map[string]string{"retention": "limits"}},
		{"window", "dedup", nil},
		{"purged", "dedup", map[string]string{"duplicate_window": "10s", "then": "purge"}},
		{"known after a restart", "dedup", map[string]string{"duplicate_window": "10s", "repeats": "1", "then": "restart"}},
		{"forgotten", "dedup", map[string]string{"gap": "800ms", "duplicate_window": "500ms", "repeats": "2"}},
		{"refused", "full", nil},
		{"removed", "full", map[string]string{"discard": "old"}},
		{"lost", "full", map[string]string{"mode": "core"}},
		{"fits", "full", map[string]string{"published": "3"}},
		{"stranded", "max-deliver", nil},
		{"ids", "ids", map[string]string{"length": "64"}},
		{"in the middle", "wildcard", nil},
		{"taken", "wildcard", map[string]string{"subjects": "orders.*.processed"}},
		{"too deep", "wildcard", map[string]string{"subjects": "orders.*.processed", "published": "orders.eu.fr.processed"}},
		{"literal", "wildcard", map[string]string{"subjects": "orders*", "published": "orders"}},
		{"cut off", "push", nil},
		{"cut off with acks", "push", map[string]string{"ack_policy": "explicit"}},
		{"unlimited", "push", map[string]string{"ack_policy": "explicit", "max_ack_pending": "-1", "size": "64KiB"}},
		{"stops", "push", map[string]string{"ack_policy": "explicit", "max_ack_pending": "50", "size": "64KiB"}},
		{"stops at 1000", "push", map[string]string{"ack_policy": "explicit", "size": "1KiB"}},
		{"waits", "push", map[string]string{"flow_control": "yes", "size": "1KiB"}},
		{"too large", "too-large", nil},
		{"refused as too large", "too-large", map[string]string{"discard": "new"}},
		{"small", "too-large", map[string]string{"size": "500B"}},
		{"no interest", "interest", nil},
		{"one of two", "interest", map[string]string{"consumers": "2"}},
		{"both", "interest", map[string]string{"consumers": "2", "acks": "2", "filter": "s.a"}},
		{"no filter for it", "interest", map[string]string{"consumers": "1", "filter": "s.a", "published": "s.b"}},
		{"once", "max-deliver", map[string]string{"max_deliver": "1", "retention": "limits"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.lab != "ids" { // which weighs the heap
				t.Parallel()
			}
			var out RunReply
			for range 3 { // a machine that is busy with other tests can miss times
				out = callLab(t, tt.lab, tt.values)
				if out.Held && out.Ended == "" {
					break
				}
			}
			if !out.Held || out.Ended != "" || len(out.Shown.Timelines) != len(out.Evidence.Claims) {
				t.Errorf("%s %s, %d timelines of %d claims\n%s", out.Shown.Sentence, out.Ended, len(out.Shown.Timelines), len(out.Evidence.Claims), out.Script)
				for _, s := range out.Shown.Steps {
					t.Logf("%+v", s)
				}
			}
		})
	}
}

func callLab(t *testing.T, lab string, values map[string]string) RunReply {
	t.Helper()
	req, err := json.Marshal(LabRequest{lab, values})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		OK    RunReply
		Error *struct{ Message string }
	}
	body := New("test").Call(context.Background(), "lab.run", req, nil)
	if err := json.Unmarshal(body, &got); err != nil || got.Error != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return got.OK
}

// TestTimeline: the timeline of the ack_wait lab shows both runs, the second on
// the second worker while the first still runs, and both acks.
func TestTimeline(t *testing.T) {
	t.Parallel()
	out := callLab(t, "ack-wait", map[string]string{"ack_wait": "800ms", "service": "1100ms", "workers": "2"})
	harm := out.Shown.Timelines[0]
	if harm.Label != "harm" || len(harm.Ticks) < 2 {
		t.Errorf("label %q, %d ticks", harm.Label, len(harm.Ticks))
	}
	lanes := map[string]Lane{}
	for _, l := range harm.Lanes {
		lanes[l.Name] = l
	}
	var runs []Span
	acks := 0
	for _, name := range []string{"worker 1", "worker 2"} {
		runs = append(runs, lanes[name].Spans...)
		for _, m := range lanes[name].Marks {
			if m.Kind == "done" && m.Text == "ack" {
				acks++
			}
		}
	}
	if len(runs) != 2 || acks != 2 || len(lanes["server"].Spans) != 2 || len(lanes["publish"].Marks) != 1 {
		t.Fatalf("%d runs, %d acks, lanes %+v", len(runs), acks, harm.Lanes)
	}
	first, second := runs[0], runs[1]
	if first.From > second.From {
		first, second = second, first
	}
	if first.Kind != "run" || second.Kind != "again" || second.From >= first.To || !strings.Contains(second.Text, "delivery 2") {
		t.Errorf("first %+v\nsecond %+v", first, second)
	}
	if said := lanes["publish"].Marks[0].Text; said != "seq 1" {
		t.Errorf("the PubAck says %q", said)
	}
}

// TestCompared: what was seen under the harm stands beside what was seen under
// the cure, and a run without both has no such table.
func TestCompared(t *testing.T) {
	t.Parallel()
	got := callLab(t, "wildcard", map[string]string{"subjects": "orders*"}).Shown.Compared
	want := []Compared{{"ORDERS.messages", "0", ""}, {"MEANT.messages", "", "1"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got = callLab(t, "interest", nil).Shown.Compared
	want = []Compared{{"acked", "1", ""}, {"S.messages", "0", "1"}, {"S.last_seq", "1", ""}}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got = callLab(t, "wildcard", map[string]string{"subjects": "orders.>"}).Shown.Compared; len(got) > 0 {
		t.Errorf("without a harm: %+v", got)
	}
}

func TestLabRefuses(t *testing.T) {
	for _, tt := range []struct{ name, req, want string }{
		{"no lab", `{"name":"none","values":{}}`, `\"none\" is not a lab`},
		{"no stop", `{"name":"dedup","values":{"gap":"7ms"}}`, `\"7ms\" is not one of 100ms`},
	} {
		if got := string(New("").Call(context.Background(), "lab.run", []byte(tt.req), nil)); !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// TestAfterCancelled: a run waits for the end of a cancelled one before it, and gives
// up the wait when it is cancelled itself.
func TestAfterCancelled(t *testing.T) {
	p := New("")
	ctx, cancel := context.WithCancel(t.Context())
	end, err := p.begin(ctx, "first")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := p.begin(ctx, "cancelled"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled wait: %v", err)
	}
	next := make(chan error)
	go func() {
		end, err := p.begin(t.Context(), "next")
		if err == nil {
			defer end()
		}
		next <- err
	}()
	end()
	if err := <-next; err != nil {
		t.Error(err)
	}
}

// TestOneAtATime: a second run is refused with the name of the first, and a
// cancelled one gives what it has.
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	p := New("")
	ctx, cancel := context.WithCancel(t.Context())
	running := make(chan struct{})
	done := make(chan []byte)
	go func() {
		first := true
		done <- p.Call(ctx, "lab.run", []byte(`{"name":"max-deliver","values":{"max_deliver":"5","ack_wait":"1s"}}`), func(int64, int64, string) {
			if first {
				first = false
				close(running)
			}
		})
	}()
	<-running
	if got := string(p.Call(t.Context(), "proof.run", []byte(`{"name":"discard-new"}`), nil)); !strings.Contains(got, `"busy"`) || !strings.Contains(got, "the lab max-deliver is being run") {
		t.Errorf("the second: %s", got)
	}
	cancel()
	if got := string(<-done); !strings.Contains(got, "it was cancelled") {
		t.Errorf("the cancelled: %s", got)
	}
	if got := string(p.Call(t.Context(), "proof.run", []byte(`{"name":"discard-new"}`), nil)); !strings.Contains(got, `"held":true`) {
		t.Errorf("the next: %s", got)
	}
	if got := string(p.Call(t.Context(), "server.log", []byte(`{}`), nil)); !strings.Contains(got, "Starting nats-server") || !strings.Contains(got, "run of the proof discard-new") {
		t.Errorf("the log: %s", got)
	}
}
