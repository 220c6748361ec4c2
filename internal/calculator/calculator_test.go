package calculator_test

import (
	"errors"
	"strings"
	"testing"

	"weir/design"
	"weir/internal/calculator"
	"weir/size"
)

func answer(t *testing.T, name string, values map[string]string) (calculator.Answer, error) {
	t.Helper()
	c, ok := calculator.Named(name)
	if !ok {
		t.Fatalf("no calculator %q", name)
	}
	in, err := c.Read(values)
	if err != nil {
		return calculator.Answer{}, err
	}
	return c.Answer(in)
}

// TestExamples: each lab opens with an answer, and the command it shows has all of
// its values.
func TestExamples(t *testing.T) {
	for _, c := range calculator.All() {
		a, err := answer(t, c.Name, c.Example)
		if err != nil || a.Says == "" || !a.Yes || len(a.Bars)+len(a.Rows) == 0 {
			t.Errorf("%s: %q, %v", c.Name, a.Says, err)
		}
		for name, v := range c.Example {
			if !strings.Contains(c.Command(c.Example), "--"+name+" "+v) {
				t.Errorf("%s misses %s", c.Command(c.Example), name)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name, calculator string
		values           map[string]string
		want             string
	}{
		{"nothing given", "dedup", nil, "no rate given"},
		{"no unit", "dedup", map[string]string{"rate": "5"}, "rate: "},
		{"negative", "memory", map[string]string{"messages": "-1", "payload": "1"}, "is negative"},
		{"no field", "memory", map[string]string{"nodes": "3"}, "is no field"},
		{"two lengths", "record", map[string]string{"payload": "1", "subject": "a.b", "subject-len": "9"}, "which has a length"},
		{"window below what servers take", "dedup", map[string]string{"rate": "10/s", "window": "50ms"}, "below 100ms"},
		{"age below what servers take", "stream", map[string]string{"payload": "1", "rate": "10/s", "max-age": "50ms"}, "below 100ms"},
		{"window above max_age", "stream", map[string]string{"payload": "1", "rate": "10/s", "max-age": "1h", "window": "2h"}, "above max_age, 1h"},
		{"header that no stream stores", "record", map[string]string{"payload": "1", "header": "70000"}, "65,535 bytes"},
		{"id that no stream stores", "record", map[string]string{"payload": "1", "id-bytes": "70000"}, "65,535 bytes"},
		{"no header block", "record", map[string]string{"payload": "1", "header": "5"}, "the shortest block"},
		{"exponent", "record", map[string]string{"payload": "1e30"}, "has an exponent"},
		{"beyond 64 bits", "record", map[string]string{"payload": "99999999999999999999"}, "larger than a size can be"},
		{"rate with an exponent", "dedup", map[string]string{"rate": "1e30/s"}, "has an exponent"},
		{"more zones than servers", "cluster", map[string]string{"nodes": "1", "zones": "2", "payload": "1", "max-msgs": "1"}, "more zones than servers"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := answer(t, tt.calculator, tt.values)
			var refused *calculator.Refusal
			if !errors.As(err, &refused) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want a refusal with %q", err, tt.want)
			}
		})
	}
}

func TestCommandQuotes(t *testing.T) {
	c, _ := calculator.Named("record")
	got := c.Command(map[string]string{"payload": "1", "subject": "it's; rm", "storage": "file"})
	if want := `weir size record --payload 1 --subject 'it'\''s; rm'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestAddTo: what is written stays, names and subjects that are taken are not taken
// again, and the design that comes out has the size that was asked about.
func TestAddTo(t *testing.T) {
	c, _ := calculator.Named("stream")
	in, err := c.Read(map[string]string{"payload": "1KiB", "rate": "100/s", "max-age": "24h", "replicas": "3", "subject": "orders.new"})
	if err != nil {
		t.Fatal(err)
	}
	before := "weir: 1\nname: x\nserver: {nodes: 3}\nstreams:\n  SIZED:\n    subjects: [orders.>]\n    max_age: 1h # kept\n"
	w, err := in.AddTo("weir.yaml", before)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(before, "\n") {
		if !strings.Contains(w.Text, line) {
			t.Errorf("%q is gone from\n%s", line, w.Text)
		}
	}
	d, problems := design.Parse("weir.yaml", []byte(w.Text))
	if problems.Failed() {
		t.Fatalf("%v in\n%s", problems, w.Text)
	}
	z, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := z.Stream("streams.SIZED2")
	if s == nil || s.Size.Retained.Messages.Value != 8_640_000 {
		t.Errorf("the stream of 100/s and 24h holds %+v, want 8,640,000\n%s", s, w.Text)
	}
	if _, err := in.AddTo("weir.yaml", "weir: 1\nstreams: {A: {max_age: 20}}"); err == nil {
		t.Error("a design that cannot be read was written to")
	}
}

// TestFieldOf holds that a refusal leads to the field that it is about.
func TestFieldOf(t *testing.T) {
	for _, c := range []struct {
		name, calculator string
		values           map[string]string
		want             string
	}{
		{"a text that cannot be read", "dedup", map[string]string{"rate": "fast"}, "rate"},
		{"a number without its unit", "dedup", map[string]string{"rate": "1/s", "window": "10"}, "window"},
		{"nothing given", "dedup", nil, "rate"},
		{"one of two fields with one beginning", "record", map[string]string{"payload": "1KiB", "subject": "a.b", "subject-len": "5"}, "subject-len"},
		{"below what a server takes", "stream", map[string]string{"payload": "1KiB", "rate": "1/s", "max-age": "1ms"}, "max-age"},
		{"no field", "dedup", map[string]string{"other": "1"}, ""},
	} {
		calc, _ := calculator.Named(c.calculator)
		in, err := calc.Read(c.values)
		if err == nil {
			_, err = calc.Answer(in)
		}
		if err == nil {
			t.Errorf("%s: no refusal", c.name)
		} else if got := calc.FieldOf(err); got != c.want {
			t.Errorf("%s: field %q, want %q: %v", c.name, got, c.want, err)
		}
	}
}
