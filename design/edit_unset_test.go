package design

import "testing"

// unsetText is a design with keys to take out.
const unsetText = `weir: 1 # one
streams:
  # the orders
  A:
    subjects: [a.>] # kept
    max_age: 5s # stays
    storage: file # weir:ignore STR094 why
    # about replicas
    num_replicas: 3
    consumers:
      c:
        ack_wait: 1s
      d: {ack_wait: 2s, max_deliver: 3}

  # the others
  B: {max_age: 1h}
  C:
    description: one
      two
    sources:
      - name: A
        filter_subject: x
publishers:
  p: {subject: a.b, rate: 1/s, mode: sync}
`

func TestUnsetFix(t *testing.T) {
	const text = unsetText
	tests := []struct{ name, path, was, now string }{
		{"the comment of a line stays", "streams.A.max_age", "max_age: 5s # stays", "# stays"},
		{"an ignore goes", "streams.A.storage", "    storage: file # weir:ignore STR094 why\n", ""},
		{"comments above stay", "streams.A.num_replicas", "    num_replicas: 3\n", ""},
		{"a whole stream", "streams.A", text[len("weir: 1 # one\nstreams:\n  # the orders\n") : len(text)-len(text[index(text, "\n  # the others"):])], ""},
		{"an only key leaves braces", "streams.A.consumers.c.ack_wait", "ack_wait: 1s", "{}"},
		{"the first in braces", "streams.A.consumers.d.ack_wait", "ack_wait: 2s, ", ""},
		{"the last in braces", "publishers.p.mode", ", mode: sync", ""},
		{"between in braces", "publishers.p.rate", "rate: 1/s, ", ""},
		{"the only one in braces", "streams.B.max_age", "max_age: 1h", ""},
		{"a text of several lines", "streams.C.description", "    description: one\n      two\n", ""},
		{"behind a dash", "streams.C.sources[0].name", "name: A\n        filter_subject", "filter_subject"},
		{"at the end of the text", "publishers.p", "p: {subject: a.b, rate: 1/s, mode: sync}", "{}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := NewSource("d.yaml", []byte(text))
			d, ps := ParseSource(src)
			if ps != nil {
				t.Fatal(ps)
			}
			fix := d.UnsetFix("take out", tt.path)
			if fix == nil {
				t.Fatal("no fix")
			}
			got, err := ApplyEdits(src, fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			at := index(text, tt.was)
			if want := text[:at] + tt.now + text[at+len(tt.was):]; string(got) != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			after, _ := Parse("d.yaml", got)
			if after == nil || after.Has(tt.path) {
				t.Errorf("it is still there, or the text cannot be read:\n%s", got)
			}
		})
	}
	noUnsetFix(t, text, "", "streams.Z", "streams.A.max_bytes", "streams.A.subjects[0]")
}

func noUnsetFix(t *testing.T, text string, paths ...string) {
	t.Helper()
	d, _ := Parse("d.yaml", []byte(text))
	for _, path := range paths {
		if fix := d.UnsetFix("take out", path); fix != nil {
			t.Errorf("%q: %+v", path, fix)
		}
	}
}

func index(text, part string) int {
	for i := 0; i+len(part) <= len(text); i++ {
		if text[i:i+len(part)] == part {
			return i
		}
	}
	panic("the text has no " + part)
}

func TestUnsetFixInJSON(t *testing.T) {
	for _, tt := range []struct{ name, text, path, want string }{
		{"last", "{\n  \"name\": \"A\",\n  \"max_age\": 5\n}\n", "streams.A.max_age", "{\n  \"name\": \"A\"\n}\n"},
		{"first", "{\"max_age\": 5, \"name\": \"A\"}", "streams.A.max_age", "{\"name\": \"A\"}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := NewSource("a.json", []byte(tt.text))
			src.API = true
			n, ps := ParseJSON(src)
			if ps != nil {
				t.Fatal(ps)
			}
			d, _ := Assemble(nil, []Part{{Kind: "stream", Name: "A", Config: n}})
			fix := d.UnsetFix("take out", tt.path)
			if fix == nil {
				t.Fatal("no fix")
			}
			if got, err := ApplyEdits(src, fix.Edits); err != nil || string(got) != tt.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestFormTexts(t *testing.T) {
	d, ps := Parse("d.yaml", []byte("weir: 1\nstreams:\n  A: {subjects: [a.>, '*.x'], max_age: 72h, description: 'a: b', no_ack: true}\npublishers: {p: {subject: a.b, rate: 1/s, payload: {mean: 1KiB, p99: 2KiB}}}\n"))
	if ps != nil {
		t.Fatal(ps)
	}
	for _, tt := range []struct{ name, path, shown, typed, written string }{
		{"list", "streams.A.subjects", "a.>, *.x", "*.x, b.>", `["*.x", b.>]`},
		{"list of one", "streams.A.subjects", "a.>, *.x", "b", "[b]"},
		{"duration", "streams.A.max_age", "72h", " 5m ", "5m"},
		{"string with a colon", "streams.A.description", "a: b", "x: # y", `"x: # y"`},
		{"string like a number", "streams.A.description", "a: b", "12", `"12"`},
		{"switch", "streams.A.no_ack", "true", "false", "false"},
		{"distribution", "publishers.p.payload", "{mean: 1KiB, p99: 2KiB}", "{mean: 2KiB}", "{mean: 2KiB}"},
		{"nothing written", "streams.A.max_bytes", "", "1GiB", "1GiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := FieldAt(tt.path)
			if !ok {
				t.Fatal("no field")
			}
			if got := d.InputText(tt.path); got != tt.shown {
				t.Errorf("shows %q, want %q", got, tt.shown)
			}
			if got := FormValue(f, tt.typed); got != tt.written {
				t.Errorf("%q is written %q, want %q", tt.typed, got, tt.written)
			}
		})
	}
}
