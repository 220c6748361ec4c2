package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"weir/design"
	"weir/internal/engine"
)

// BenchmarkSizeWhatIf is one move of a slider of the Sizing panel.
func BenchmarkSizeWhatIf(b *testing.B) {
	for _, name := range []string{"orders", "iot", "five-traps"} {
		p, err := design.FindPreset(name)
		if err != nil {
			b.Fatal(err)
		}
		req, err := json.Marshal(engine.SizeRequest{Files: []engine.File{{Name: "weir.yaml", Text: p.Text}}, Try: map[string]string{"server.memory": "16GiB"}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if reply := engine.Call(context.Background(), "size.design", req, nil); !strings.HasPrefix(string(reply), `{"ok"`) {
					b.Fatalf("%.200s", reply)
				}
			}
			b.ReportMetric(float64(len(engine.Call(context.Background(), "size.design", req, nil))), "B/reply")
		})
	}
}

// TestTriedValues holds what is tried to what is written: the same answer as for a
// design that says so.
func TestTriedValues(t *testing.T) {
	p, err := design.FindPreset("five-traps")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(text string, try map[string]string) engine.SizeReply {
		req, err := json.Marshal(engine.SizeRequest{Files: []engine.File{{Name: "weir.yaml", Text: text}}, Try: try})
		if err != nil {
			t.Fatal(err)
		}
		var v struct{ OK engine.SizeReply }
		if err := json.Unmarshal(engine.Call(context.Background(), "size.design", req, nil), &v); err != nil {
			t.Fatal(err)
		}
		return v.OK
	}
	tried := ask(p.Text, map[string]string{"streams.ORDERS.duplicate_window": "2m", "server.memory": "32GiB"})
	written := ask(strings.NewReplacer("duplicate_window: 12h", "duplicate_window: 2m", "memory: 8GiB", "memory: 32GiB").Replace(p.Text), nil)
	if tried.Says != written.Says || tried.Sites[0].Bars[1].Total.Text != written.Sites[0].Bars[1].Total.Text {
		t.Errorf("tried: %s; written: %s", tried.Says, written.Says)
	}
	if before := ask(p.Text, nil); before.Sites[0].Bars[1].Total.Text == tried.Sites[0].Bars[1].Total.Text {
		t.Errorf("heap is %s with 12h and with 2m", before.Sites[0].Bars[1].Total.Text)
	}
	if len(tried.Fixes) != 2 || len(written.Fixes) != 0 {
		t.Errorf("%d and %d fixes", len(tried.Fixes), len(written.Fixes))
	}
	for _, s := range tried.Sliders {
		if s.Path == "streams.ORDERS.duplicate_window" && s.Value != "2m" {
			t.Errorf("the slider stands at %s", s.Value)
		}
	}
}
