package design

import (
	"testing"
)

func TestSetFix(t *testing.T) {
	tests := []struct{ name, file, text, path, value, want string }{
		{"replace", "d.yaml", "weir: 1\nstreams:\n  A: {max_age: 5s} # c\n", "streams.A.max_age", "72h", "weir: 1\nstreams:\n  A: {max_age: 72h} # c\n"},
		{"add in braces", "d.yaml", "weir: 1\nstreams:\n  A: {max_age: 5s}\n", "streams.A.num_replicas", "3", "weir: 1\nstreams:\n  A: {max_age: 5s, num_replicas: 3}\n"},
		{"add to empty braces", "d.yaml", "weir: 1\nstreams: {A: {}}\n", "streams.A.num_replicas", "3", "weir: 1\nstreams: {A: {num_replicas: 3}}\n"},
		{"add to a block", "d.yaml", "weir: 1\nstreams:\n  A:\n    max_age: 5s # keep\n    consumers:\n      c:\n        ack_wait: 1s\n", "streams.A.num_replicas", "3",
			"weir: 1\nstreams:\n  A:\n    max_age: 5s # keep\n    num_replicas: 3\n    consumers:\n      c:\n        ack_wait: 1s\n"},
		{"add before a nested block", "d.yaml", "weir: 1\nstreams:\n  A:\n    consumers:\n      c:\n        ack_wait: 1s\n", "streams.A.max_age", "5s",
			"weir: 1\nstreams:\n  A:\n    max_age: 5s\n    consumers:\n      c:\n        ack_wait: 1s\n"},
		{"add to nothing", "d.yaml", "weir: 1\nstreams:\n  A:\n", "streams.A.max_age", "5s", "weir: 1\nstreams:\n  A: {max_age: 5s}\n"},
		{"add what it stands in", "d.yaml", "weir: 1\nstreams:\n  A:\n    max_age: 5s\n", "streams.A.consumers.c.ack_wait", "1m", "weir: 1\nstreams:\n  A:\n    max_age: 5s\n    consumers: {c: {ack_wait: 1m}}\n"},
		{"behind a text of several lines", "d.yaml", "weir: 1\nstreams:\n  A:\n    num_replicas: 1\n    description: one\n      two\n", "streams.A.max_age", "5s",
			"weir: 1\nstreams:\n  A:\n    num_replicas: 1\n    max_age: 5s\n    description: one\n      two\n"},
		{"crlf", "d.yaml", "weir: 1\r\nstreams:\r\n  A:\r\n    max_age: 5s\r\n", "streams.A.num_replicas", "3", "weir: 1\r\nstreams:\r\n  A:\r\n    max_age: 5s\r\n    num_replicas: 3\r\n"},
		{"crlf, a new first line", "d.yaml", "weir: 1\r\nstreams:\r\n  A:\r\n    consumers:\r\n      c:\r\n        ack_wait: 1s\r\n", "streams.A.max_age", "5s",
			"weir: 1\r\nstreams:\r\n  A:\r\n    max_age: 5s\r\n    consumers:\r\n      c:\r\n        ack_wait: 1s\r\n"},
		{"json in its units", "a.json", "{\n  \"name\": \"A\",\n  \"max_age\": 5\n}\n", "streams.A.max_age", "72h", "{\n  \"name\": \"A\",\n  \"max_age\": 259200000000000\n}\n"},
		{"json added", "a.json", "{\"name\": \"A\"}", "streams.A.subjects", "[a, b]", "{\"name\": \"A\", \"subjects\": [\"a\",\"b\"]}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := NewSource(tt.file, []byte(tt.text))
			var d *Design
			if tt.file == "a.json" {
				src.API = true
				n, ps := ParseJSON(src)
				if ps != nil {
					t.Fatal(ps)
				}
				d, _ = Assemble(nil, []Part{{Kind: "stream", Name: "A", Config: n}})
			} else {
				var ps Problems
				if d, ps = ParseSource(src); ps != nil {
					t.Fatal(ps)
				}
			}
			fix := d.SetFix("set", tt.path, tt.value)
			if fix == nil {
				t.Fatal("no fix")
			}
			got, err := ApplyEdits(src, fix.Edits)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestSetFixWhereThereIsNoPlace(t *testing.T) {
	d, ps := Parse("d.yaml", []byte("weir: 1\nstreams:\n  A:\n    subjects:\n      - a\n"))
	if ps != nil {
		t.Fatal(ps)
	}
	for _, path := range []string{"streams.A.subjects[3]", "streams.A.subjects", ""} {
		if fix := d.SetFix("set", path, "x"); fix != nil {
			t.Errorf("%q: %+v", path, fix)
		}
	}
}

func TestApplyEditsRefusesWhatDoesNotFit(t *testing.T) {
	src := NewSource("a", []byte("abc\ndef\n"))
	for name, edits := range map[string][]Edit{
		"overlap": {{"a", 1, 1, 1, 3, "x"}, {"a", 1, 2, 1, 4, "y"}},
		"outside": {{"a", 9, 1, 9, 1, "x"}},
		"reverse": {{"a", 2, 1, 1, 1, "x"}},
	} {
		if _, err := ApplyEdits(src, edits); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	got, err := ApplyEdits(src, []Edit{{"a", 2, 1, 2, 4, "x"}, {"a", 1, 1, 1, 1, "y"}, {"b", 1, 1, 1, 2, "z"}})
	if err != nil || string(got) != "yabc\nx\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestFixesOfTheReaderAreRight applies every fix that the reader offers for a
// text full of slips, until nothing is left of what it could repair.
func TestFixesOfTheReaderAreRight(t *testing.T) {
	text := []byte("weir: 1\nnmae: x\nstreams:\n  A:\n    subjects: foo\n    maxbytes: 5GiB\n    retention: limit\n    no_ack: yes\n    num_replicas: 1_000\n    consumers:\n      c: {ack_wait: 5 s, backoff: [5min]}\ngoals: {lost: 0.01}\n")
	for range 10 {
		src := NewSource("d.yaml", text)
		_, ps := ParseSource(src)
		fixed := false
		for _, p := range ps {
			if p.Fix == nil {
				t.Fatalf("no fix for %v", p)
			}
			var err error
			if text, err = ApplyEdits(src, p.Fix.Edits); err != nil {
				t.Fatal(err)
			}
			fixed = true
			break
		}
		if !fixed {
			want := "weir: 1\nname: x\nstreams:\n  A:\n    subjects: [foo]\n    max_bytes: 5GiB\n    retention: limits\n    no_ack: true\n    num_replicas: 1000\n    consumers:\n      c: {ack_wait: 5s, backoff: [5m]}\ngoals: {lost: 1%}\n"
			if string(text) != want {
				t.Errorf("got\n%s", text)
			}
			return
		}
	}
	t.Errorf("still wrong after ten fixes:\n%s", text)
}
