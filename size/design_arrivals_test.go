package size

import (
	"math"
	"strings"
	"testing"

	"weir/design"
)

// TestArrivalsOf: which messages reach a stream S, by every way there is.
func TestArrivalsOf(t *testing.T) {
	for _, c := range []struct {
		name, text     string
		path           string
		rate, subjects float64
		subject        string
	}{
		{"own name", "streams: {S: {}}\npublishers: {p: {subject: S, rate: 3/s}}", "streams.S", 3, 1, "S"},
		{"wildcard", "streams: {S: {subjects: [a.*]}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: 7}, rate: 3/s}}", "streams.S", 3, 7, "a.*"},
		{"too long", "streams: {S: {subjects: [a.*]}}\npublishers: {p: {subject: a.b.c, rate: 3/s}}", "streams.S", 0, 0, ""},
		{"rest needs a token", "streams: {S: {subjects: [a.>]}}\npublishers: {p: {subject: a, rate: 3/s}}", "streams.S", 0, 0, ""},
		{"one of the named", "streams: {S: {subjects: [a.eu]}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: [eu, us]}, rate: 3/s}}", "streams.S", 1.5, 1, "a.eu"},
		{"none of the named", "streams: {S: {subjects: [a.ap]}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: [eu, us]}, rate: 3/s}}", "streams.S", 0, 0, ""},
		{"one of those counted", "streams: {S: {subjects: [a.ap]}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: 10}, rate: 3/s}}", "streams.S", 0.3, 1, "a.ap"},
		{"two of three", "streams: {S: {subjects: [a.eu, a.us]}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: [eu, us, ap]}, rate: 3/s}}", "streams.S", 2, 2, "a.eu"},
		{"text around", "streams: {S: {subjects: [a.r-eu]}}\npublishers: {p: {subject: 'a.r-{x}', tokens: {x: [eu, us]}, rate: 3/s}}", "streams.S", 1.5, 1, "a.r-eu"},
		{"repeats without an id", "streams: {S: {}}\npublishers: {p: {subject: S, rate: 10/s, repeats: 10%}}", "streams.S", 11, 1, "S"},
		{"repeats with an id", "streams: {S: {}}\npublishers: {p: {subject: S, rate: 10/s, repeats: 10%, msg_id: uuid}}", "streams.S", 10, 1, "S"},
		{"mirror", "streams: {A: {subjects: [a.*]}, S: {mirror: {name: A, filter_subject: a.eu}}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: [eu, us]}, rate: 3/s}}", "streams.S", 1.5, 1, "a.eu"},
		{"source renamed", "streams: {A: {subjects: [a.*]}, S: {sources: [{name: A, subject_transforms: [{src: a.*, dest: 'b.c.$1'}]}]}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: 4}, rate: 3/s}}", "streams.S", 3, 4, "b.c.*"},
		{"partitions", "streams: {S: {subjects: [a.*], subject_transform: {src: a.*, dest: 'p.{{partition(8,1)}}'}}}\npublishers: {p: {subject: 'a.{x}', tokens: {x: 400}, rate: 3/s}}", "streams.S", 3, 8, "p.*"},
		{"source of a source", "streams: {S: {sources: [{name: B}]}, B: {sources: [{name: A}]}, A: {}}\npublishers: {p: {subject: A, rate: 3/s}}", "streams.S", 3, 1, "A"},
		{"a cycle", "streams: {S: {subjects: [s], sources: [{name: B}]}, B: {sources: [{name: S}]}}\npublishers: {p: {subject: s, rate: 3/s}}", "streams.S", 3, 1, "s"},
		{"import", "accounts: {A: {publishers: {p: {subject: x.y, rate: 3/s}}, exports: [{stream: x.>}]}, B: {imports: [{stream: {account: A, subject: x.>}, prefix: from.a}], streams: {S: {subjects: [from.>]}}}}", "accounts.B.streams.S", 3, 1, "from.a.x.y"},
		{"leaf nodes", "streams: {S: {subjects: [up.>]}}\nleafnodes: {plant: {count: 5, publishers: {p: {subject: up.x, rate: 3/s}}}}", "streams.S", 15, 1, "up.x"},
		{"one site sourced", "streams: {S: {sources: [{name: E, external: {api: $JS.plant-2.API}}]}}\nleafnodes: {plant: {count: 5, domain: plant, streams: {E: {subjects: [e]}}, publishers: {p: {subject: e, rate: 3/s}}}}", "streams.S", 3, 1, "e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			z := fromDesign(t, "weir: 1\n"+c.text+"\n", DesignOptions{})
			s := z.Stream(c.path)
			if s == nil {
				t.Fatalf("no stream %s", c.path)
			}
			near(t, "rate", s.Input.Rate.Average(), c.rate, 1e-9)
			if c.rate == 0 {
				if len(s.Arrivals) != 0 || !s.Input.Empty {
					t.Errorf("arrivals %+v, empty %t", s.Arrivals, s.Input.Empty)
				}
				return
			}
			near(t, "subjects", s.Input.Subjects.Count, c.subjects, 0)
			if s.Arrivals[0].Subject != c.subject {
				t.Errorf("subject %q, want %q", s.Arrivals[0].Subject, c.subject)
			}
		})
	}
}

// Uneven use: the first of a hundred values takes most.
func TestArrivalsSkew(t *testing.T) {
	z := fromDesign(t, `
weir: 1
streams: {S: {subjects: [a.*], consumers: {one: {filter_subject: a.x, ack_policy: explicit}}}}
publishers: {p: {subject: "a.{x}", tokens: {x: {count: 100, skew: 1}}, rate: 100/s}}
`, DesignOptions{})
	use, _ := z.Consumer("streams.S.consumers.one")
	near(t, "share of the most used", use.Share.Value, 1/5.187377517639621, 1e-9) // harmonic number of 100
}

func TestHarmonic(t *testing.T) {
	for _, s := range []float64{0.5, 0.9, 1, 1.5} {
		want := 0.0
		for k := 1.0; k <= 50_000; k++ {
			want += math.Pow(k, -s)
		}
		near(t, "harmonic number", harmonic(50_000, s), want, 1e-6)
	}
}

// A day: twelve silent hours and twelve of double rate.
func TestArrivalsHours(t *testing.T) {
	hours := strings.Repeat("0, ", 12) + strings.Repeat("1, ", 11) + "1"
	z := fromDesign(t, "weir: 1\nstreams: {S: {subjects: [s, t], max_age: 12h}}\npublishers: {p: {subject: s, rate: 10/s, hours: ["+hours+"], payload: 1B}, q: {subject: t, rate: 10/s, payload: 1B}}\n", DesignOptions{})
	s := z.Stream("streams.S")
	near(t, "peak", s.Input.Rate.Peak(), 30, 1e-9)
	held := s.Size.Retained.Messages
	near(t, "on average", held.Value, 20*12*3600, 1e-9)
	near(t, "after the silent hours", held.Low, 10*12*3600, 1e-9)
	near(t, "after the busy hours", held.High, 30*12*3600, 1e-9)
	z = fromDesign(t, "weir: 1\nstreams: {S: {subjects: [s]}}\npublishers: {p: {subject: s, rate: 10/s, hours: [1, 2], payload: 1B}}\n", DesignOptions{})
	if len(z.Notes) == 0 || !strings.Contains(z.Notes[0].Text, "24 hours") {
		t.Errorf("two hours of a day: notes %v", z.Notes)
	}
}

// Workers that are too slow for a work queue: it fills up to its limits.
func TestWorkersTooSlow(t *testing.T) {
	z := fromDesign(t, `
weir: 1
streams: {JOBS: {subjects: [jobs], retention: workqueue, max_msgs: 5000, consumers: {w: {ack_policy: explicit, max_ack_pending: 7, workers: {count: 1, service_time: 1s}}}}}
publishers: {p: {subject: jobs, rate: 2/s, payload: 10B}}
`, DesignOptions{})
	s := z.Stream("streams.JOBS")
	near(t, "messages", s.Size.Retained.Messages.Value, 5000, 0)
	near(t, "utilisation", s.Consumers[0].Utilisation.Value, 2, 1e-9)
	near(t, "in flight", s.Consumers[0].InFlight.Value, 7, 0)
	if s.Size.Retained.Binds != "max_msgs" {
		t.Errorf("%s binds", s.Size.Retained.Binds)
	}
}

func TestPredict(t *testing.T) {
	d := parsed(t, ordersDesign)
	out, err := Predict(d, DesignOptions{}, []Stored{
		{Path: "streams.ORDERS", Messages: 1000, Subjects: 5, Message: Message{Subject: 16, Header: 63, Payload: 100}},
		{Path: "streams.COPY"},
	})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]Figure{}
	for _, p := range out {
		by[p.Path+" "+p.Name] = p.Figure
	}
	f := by["streams.ORDERS reported bytes"]
	if want := 1000 * float64(RecordBytes(File, 16, 63, 100)); f.Value != want || !f.Exact() {
		t.Errorf("reported bytes %s, want exactly %.0f", f, want)
	}
	if b := by["streams.ORDERS block files"]; b.Value != 1 {
		t.Errorf("%s block files", b)
	}
	if f := by["streams.COPY reported bytes"]; f.Value != 0 {
		t.Errorf("an empty stream reports %s", f)
	}
	drawn, err := Predict(d, DesignOptions{}, []Stored{{Path: "streams.ORDERS", Messages: 1000}})
	if err != nil || drawn[0].Figure.Exact() {
		t.Errorf("sizes that were drawn have no band: %v, %v", drawn[0].Figure, err)
	}
	if _, err := Predict(d, DesignOptions{}, []Stored{{Path: "streams.NOPE"}}); err == nil {
		t.Error("a stream that the design does not have is predicted")
	}
}

func TestDesignFigures(t *testing.T) {
	z := fromDesign(t, ordersDesign, DesignOptions{})
	all := z.Figures()
	seen := map[string]bool{}
	for _, f := range all {
		key := f.Path + " " + f.Figure.Name
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
	}
	for _, want := range []string{"hub/n1 disk", "streams.ORDERS reported bytes", "streams.ORDERS.consumers.created utilisation"} {
		if !seen[want] {
			t.Errorf("no figure %q", want)
		}
	}
	pruned := z.Prune(0)
	for _, f := range pruned.Figures() {
		if len(f.Figure.Terms) > 0 {
			t.Errorf("%s %s kept its terms", f.Path, f.Figure.Name)
		}
	}
	if again := z.Figures(); len(again[0].Figure.Terms) == 0 {
		t.Error("Prune took the terms of its receiver")
	}
}

// FuzzFromDesign: whatever a design says, every figure is a number.
func FuzzFromDesign(f *testing.F) {
	f.Add([]byte(ordersDesign))
	f.Add([]byte(largeDesign(2, 2)))
	for _, p := range design.Presets() {
		f.Add([]byte(p.Text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, _ := design.Parse("f.yaml", text)
		z, err := FromDesign(d, DesignOptions{})
		if err != nil {
			return
		}
		for _, p := range z.Figures() {
			for _, v := range []float64{p.Figure.Value, p.Figure.Low, p.Figure.High} {
				if math.IsNaN(v) || math.IsInf(v, 0) || v > Limit {
					t.Fatalf("%s %s is %g (%g to %g)", p.Path, p.Figure.Name, p.Figure.Value, p.Figure.Low, p.Figure.High)
				}
			}
		}
	})
}
