package design

import (
	"strings"
	"testing"

	"weir/natsapi"
)

// at takes the mark ¦ out of a text and says where it stood.
func at(t *testing.T, name, text string) (src *Source, line, col int) {
	t.Helper()
	before, after, ok := strings.Cut(text, "¦")
	if !ok {
		t.Fatalf("no mark in %q", text)
	}
	lines := strings.Split(before, "\n")
	return NewSource(name, []byte(before+after)), len(lines), len([]rune(lines[len(lines)-1])) + 1
}

func TestComplete(t *testing.T) {
	v212 := natsapi.Version{Major: 2, Minor: 12, Patch: 15}
	tests := []struct {
		name, text string
		want       string // labels that have to be there, and -labels that may not
		word       string // that is replaced
	}{
		{"an empty file", "¦", "weir streams server -max_age", ""},
		{"a key that is begun", "weir: 1\nstr¦", "streams -weir", "str"},
		{"settings of a stream", "streams:\n  A:\n    ¦", "subjects max_age consumers -weir -allow_batched", ""},
		{"behind other settings", "streams:\n  A:\n    subjects: [a.>]\n    max_¦", "max_age max_bytes -subjects", "max_"},
		{"names of streams are free", "streams:\n  ¦", "", ""},
		{"a stream in braces", "streams: {A: {subjects: [a], ¦", "max_age -subjects", ""},
		{"a consumer below another one", "streams:\n  A:\n    consumers:\n      x:\n        ack_policy: explicit\n      y:\n        a¦", "ack_wait ack_policy", "a"},
		{"values of an enumeration", "streams:\n  A:\n    retention: ¦", "limits interest workqueue", ""},
		{"a value that is begun", "streams:\n  A: {retention: wo¦}", "workqueue", "wo"},
		{"values of a version", "streams:\n  A:\n    consumers:\n      x: {ack_policy: ¦", "explicit none -flow_control", ""},
		{"a boolean", "streams:\n  A:\n    no_ack: ¦", "true false", ""},
		{"a default", "streams:\n  A:\n    duplicate_window: ¦", "2m", ""},
		{"server versions", "server:\n  version: ¦", `"2.15" "2.12"`, ""},
		{"a list of maps", "streams:\n  A:\n    sources:\n      - name: B\n        ¦", "filter_subject -name -max_age", ""},
		{"a list in the column of its key", "streams:\n  A:\n    sources:\n    - name: B\n      f¦", "filter_subject", "f"},
		{"behind such a list", "streams:\n  A:\n    sources:\n    - name: B\n    max¦", "max_age", "max"},
		{"back at the top", "streams:\n  A:\n    subjects: [a]\n¦", "publishers -streams", ""},
		{"server.conf", "server:\n  conf:\n    jetstream:\n      ¦", "max_file_store unique_tag", ""},
		{"account limits", "accounts:\n  APP:\n    limits: {¦", "max_storage", ""},
		{"workers, one group", "streams: {A: {consumers: {x: {workers: {¦", "count fetch", ""},
		{"workers, several", "streams: {A: {consumers: {x: {workers: [{¦", "count fetch", ""},
		{"a JSON configuration", "{\n  \"name\": \"A\",\n  ¦", "subjects max_age -name", ""},
		{"a JSON request", `{"stream_name": "A", "config": {"ack_policy": "explicit", "¦`, "ack_wait -ack_policy", `"`},
		{"a JSON value", `{"config": {"retention": "¦`, "limits", `"`},
		{"inside of a comment", "streams: # ¦", "", "# "},
		{"nonsense", "}}}]]]:::¦", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, line, col := at(t, "d.yaml", tt.text)
			list, where := Complete(src, line, col, v212)
			labels := map[string]bool{}
			for _, c := range list {
				labels[c.Label] = true
			}
			for _, w := range strings.Fields(tt.want) {
				if label, absent := strings.CutPrefix(w, "-"); absent == labels[label] {
					t.Errorf("%s: offered %v", w, labels[label])
				}
			}
			if tt.want == "" && len(list) > 0 {
				t.Errorf("offers %v", labels)
			}
			start := src.bytePos(where.Line, where.Col)
			if got := string(src.Text[start:src.bytePos(line, col)]); got != tt.word {
				t.Errorf("replaces %q, want %q", got, tt.word)
			}
		})
	}
}

func TestHover(t *testing.T) {
	tests := []struct{ name, text, asset, field, path string }{
		{"a key", "streams:\n  A:\n    max_¦age: 3h\n", "stream", "max_age", "streams.A.max_age"},
		{"its value", "streams:\n  A:\n    max_age: 3¦h\n", "stream", "max_age", "streams.A.max_age"},
		{"in braces", "streams: {A: {max_age: 3h, consumers: {x: {ack_w¦ait: 3s}}}}", "consumer", "ack_wait", "streams.A.consumers.x.ack_wait"},
		{"in a list", "streams:\n  A:\n    sources:\n      - name: B\n      - filter_su¦bject: b\n", "source", "filter_subject", "streams.A.sources[1].filter_subject"},
		{"an element", "streams:\n  A:\n    subjects: [a, b¦]\n", "stream", "subjects", "streams.A.subjects[1]"},
		{"JSON", `{"config": {"ack_policy": "exp¦licit"}}`, "consumer", "ack_policy", "config.ack_policy"},
		{"a name", "streams:\n  ORD¦ERS:\n", "", "", ""},
		{"white space", "streams:\n  ¦  A:\n", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, line, col := at(t, "d.yaml", tt.text)
			doc, path, where, ok := Hover(src, line, col, natsapi.Embedded)
			if doc.Asset != tt.asset || doc.Name != tt.field || ok != (tt.field != "") || ok && path != tt.path {
				t.Errorf("got %s.%s at %s, %v; %v", doc.Asset, doc.Name, path, ok, where)
			}
			if ok && (where.Line != line || where.Col > col || where.EndCol < col) {
				t.Errorf("place %v, asked %d:%d", where, line, col)
			}
		})
	}
}

// FuzzComplete holds completion and hover to answering every place of every text.
func FuzzComplete(f *testing.F) {
	for _, p := range Presets() {
		f.Add(p.Text, 20, 8)
	}
	f.Add("{\"a\": [\"", 1, 9)
	f.Add("- - a: {b: [", 1, 12)
	f.Fuzz(func(t *testing.T, text string, line, col int) {
		src := NewSource("d.yaml", []byte(text))
		Complete(src, line, col, natsapi.Embedded)
		Hover(src, line, col, natsapi.Embedded)
	})
}
