package engine_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"weir/design"
	"weir/internal/engine"
	"weir/size"
)

// TestBackpressureCharts holds what is drawn to its tables and marks, the coarse
// answer to the consumers of the run, and a value that is tried to its effect.
func TestBackpressureCharts(t *testing.T) {
	p, err := design.FindPreset("jobs")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(in engine.BackpressureRequest) engine.BackpressureReply {
		in.Files, in.For = []engine.File{{Name: "weir.yaml", Text: p.Text}}, "10m"
		req, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		var v struct {
			OK    engine.BackpressureReply
			Error *engine.Error
		}
		if err := json.Unmarshal(engine.Call(context.Background(), "backpressure.run", req, nil), &v); err != nil || v.Error != nil {
			t.Fatal(err, v.Error)
		}
		return v.OK
	}
	run := ask(engine.BackpressureRequest{})
	if len(run.Groups) == 0 || run.Verdict == "" || run.Estimate {
		t.Fatalf("nothing was simulated: %+v", run.Simulated)
	}
	for _, g := range run.Groups {
		if len(g.Charts) < 5 {
			t.Errorf("%s has %d charts", g.Name, len(g.Charts))
		}
		for _, c := range g.Charts {
			if len(c.Xs) == 0 || len(c.Rows) != len(c.Xs) || len(c.Head) != len(c.Series)+1 || len(c.Rows[0]) != len(c.Head) {
				t.Errorf("%s, %s: %d places, %d rows of %d, %d series", g.Name, c.Title, len(c.Xs), len(c.Rows), len(c.Head), len(c.Series))
			}
			for _, s := range c.Series {
				for _, v := range s.Values {
					if v > c.Y.Max*(1+1e-9) || v < 0 {
						t.Fatalf("%s, %s: %g is not on the axis to %g", g.Name, c.Title, v, c.Y.Max)
					}
				}
			}
		}
	}
	coarse := ask(engine.BackpressureRequest{Estimate: true})
	if !coarse.Estimate || len(coarse.Groups) != len(run.Groups) {
		t.Fatalf("the estimate has %d consumers, the run %d", len(coarse.Groups), len(run.Groups))
	}
	for i, g := range coarse.Groups { // the same places, so that nothing moves when the run is there
		if len(g.Charts) != len(run.Groups[i].Charts) {
			t.Fatalf("%s: the estimate has %d charts, the run %d", g.Name, len(g.Charts), len(run.Groups[i].Charts))
		}
		for k, c := range g.Charts {
			if full := run.Groups[i].Charts[k]; c.Title != full.Title || (c.Later == "") != (len(c.Xs) > 0) || full.Later != "" {
				t.Errorf("%s: the estimate's %q stands where the run has %q; later %q, %d places", g.Name, c.Title, full.Title, c.Later, len(c.Xs))
			}
		}
	}
	for _, s := range run.Sliders {
		if s.Label == "render workers.count" {
			tried := ask(engine.BackpressureRequest{Try: map[string]string{s.Path: "1"}})
			if len(tried.Fixes) != 1 || tried.Verdict == run.Verdict {
				t.Errorf("one worker: %q with %d fixes", tried.Verdict, len(tried.Fixes))
			}
		}
	}
}

// TestBackpressureLab: pull and push are drawn together, and each way to answer a
// failed message has its times.
func TestBackpressureLab(t *testing.T) {
	req := []byte(`{"values":{"rate":"100/s","burst":"0/s","workers":"2"}}`)
	var v struct{ OK engine.BackpressureLabReply }
	if err := json.Unmarshal(engine.Call(context.Background(), "backpressure.lab", req, nil), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.OK.Groups) != 3 || len(v.OK.Groups[0].Charts[0].Series) != 2 {
		t.Fatalf("pull and push are not drawn together, and each by itself: %+v", v.OK.Groups)
	}
	for _, one := range v.OK.Groups[1:] {
		for k, c := range one.Charts {
			if all := v.OK.Groups[0].Charts[k]; c.Title != all.Title || c.Y.Max != all.Y.Max {
				t.Errorf("%s of %s has an axis to %g, both together %g", c.Title, one.Name, c.Y.Max, all.Y.Max)
			}
		}
	}
	for _, tt := range []struct{ action, marks, narrow, waits string }{
		{"no answer: ack_wait runs out", "1|2|3|4|5|given up", "1|2|3|4|5|given up", "30 s|30 s|30 s|30 s|30 s"},
		{"nak", "1 to 5, given up", "1 to 5, given up", ""},
		{"nak with a delay of 5 s", "1|2|3|4|5|given up", "1 to 5, given up", "5 s|5 s|5 s|5 s|5 s"},
		{"no answer, backoff 1s, 5s, 15s", "1 to 3|4|5|given up", "1 to 4|5|given up", "1 s|5 s|15 s|15 s|15 s"},
		{"term", "1", "1", ""},
	} {
		i := slices.IndexFunc(v.OK.Retries, func(r engine.LabRetries) bool { return r.Action == tt.action })
		if i < 0 {
			t.Fatalf("%s is not drawn", tt.action)
		}
		r := v.OK.Retries[i]
		var waits []string
		for _, w := range r.Waits {
			waits = append(waits, w.Text)
		}
		if marks, narrow, waits := marksOf(r.Marks), marksOf(r.Narrow), strings.Join(waits, "|"); marks != tt.marks || narrow != tt.narrow || waits != tt.waits {
			t.Errorf("%s: %q, on a phone %q, waits %q", tt.action, marks, narrow, waits)
		}
	}
}

func marksOf(marks []engine.LabMark) string {
	var out []string
	for _, m := range marks {
		out = append(out, m.Text)
	}
	return strings.Join(out, "|")
}

// TestMessagesHaveWholeTicks: an axis of messages has no half of one.
func TestMessagesHaveWholeTicks(t *testing.T) {
	for _, most := range []float64{0, 1, 2, 3, 7} {
		a := engine.AxisOf(most, size.Messages)
		if a.Max < most || a.Max > 2*max(1, most) {
			t.Errorf("up to %g the axis ends at %g", most, a.Max)
		}
		for _, tick := range a.Ticks {
			if tick.At != math.Trunc(tick.At) {
				t.Errorf("up to %g there is a tick at %g", most, tick.At)
			}
		}
	}
}

// TestBackpressureLab_apart: where pull and push differ much, the verdict is about
// both, with the figures of the table; and no bytes are drawn of no payload.
func TestBackpressureLab_apart(t *testing.T) {
	for _, tt := range []struct{ name, values, want string }{
		{"all stall", `{"rate":"500/s","workers":"32","stall":"2m"}`, "Push redelivers "},
		{"nothing happens", `{"rate":"100/s","burst":"0/s","workers":"2","service_p99":"5ms"}`, "Every consumer keeps up."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var v struct{ OK engine.BackpressureLabReply }
			req := []byte(`{"values":` + tt.values + `}`)
			if err := json.Unmarshal(engine.Call(context.Background(), "backpressure.lab", req, nil), &v); err != nil || len(v.OK.Groups) == 0 {
				t.Fatal(err, v.OK.Verdict)
			}
			if !strings.HasPrefix(v.OK.Verdict, tt.want) {
				t.Errorf("%q does not begin with %q", v.OK.Verdict, tt.want)
			}
			for _, row := range v.OK.Groups[0].Figures.Rows {
				if strings.Contains(row.Cells[0].Text, "bytes") {
					t.Errorf("%+v of no payload", row)
				}
				if row.Cells[0].Text == "redeliveries" && strings.HasPrefix(tt.want, "Push") {
					if pull, push := row.Cells[1].Text, row.Cells[2].Text; !strings.Contains(v.OK.Verdict, pull) || !strings.Contains(v.OK.Verdict, push) {
						t.Errorf("%q has not %s and %s", v.OK.Verdict, pull, push)
					}
				}
			}
		})
	}
}
