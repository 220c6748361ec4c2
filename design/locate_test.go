package design

import (
	"slices"
	"strings"
	"testing"
)

func TestKeysAndFieldsAt(t *testing.T) {
	tests := []struct {
		path string
		want []string // some of the keys
	}{
		{"", []string{"streams", "goals"}},
		{"streams.A", []string{"max_age", "consumers"}},
		{"streams.A.consumers.c", []string{"ack_wait", "workers"}},
		{"streams.A.consumers.c.workers", []string{"count", "service_time"}},
		{"streams.A.consumers.c.workers[1]", []string{"count", "service_time"}},
		{"streams.A.sources[0].external", []string{"api"}},
		{"accounts.X.users.u.publish", []string{"allow"}},
		{"server.conf", []string{"max_payload", "max_file_store"}},
		{"streams", nil},
		{"streams.A.subjects", nil},
		{"streams.A.max_age", nil},
		{"no.such", nil},
	}
	for _, tt := range tests {
		var names []string
		for _, f := range KeysAt(tt.path) {
			names = append(names, f.Name)
		}
		for _, w := range tt.want {
			if !slices.Contains(names, w) {
				t.Errorf("%q has no %s: %v", tt.path, w, names)
			}
		}
		if tt.want == nil && names != nil {
			t.Errorf("%q: %v", tt.path, names)
		}
	}
	if f, ok := FieldAt("streams.A.consumers.c.ack_wait"); !ok || f.Name != "ack_wait" || f.Own || !strings.Contains(Doc(f), "30s") {
		t.Errorf("%+v", f)
	}
	for _, path := range []string{"", "streams.A", "streams.A.nothing", "streams.A.subjects[0]"} {
		if f, ok := FieldAt(path); ok {
			t.Errorf("%q: %+v", path, f)
		}
	}
}

// TestPathAt points at every value of every preset and expects its path.
func TestPathAt(t *testing.T) {
	for _, p := range Presets() {
		d, _ := Parse("p.yaml", []byte(p.Text))
		var walk func(n *Node, path string)
		walk = func(n *Node, path string) {
			for i, item := range n.Items {
				below := Index(path, i)
				if n.Kind == Map {
					below = Join(path, n.Keys[i].Text)
					at := n.Keys[i].Place()
					if got := d.PathAt("p.yaml", at.Line, at.Col); got != below {
						t.Errorf("%s: the key at %s is %q, want %q", p.Name, at, got, below)
					}
				}
				if at := item.Place(); item.Kind == Scalar {
					if got := d.PathAt("p.yaml", at.Line, at.Col+1); got != below {
						t.Errorf("%s: %s is %q, want %q", p.Name, at, got, below)
					}
				}
				walk(item, below)
			}
		}
		walk(d.root, "")
	}
}

// TestSetFixOfEverySetting sets each absent setting of a stream and a consumer,
// in a block, in braces and in JSON, and reads it back.
func TestSetFixOfEverySetting(t *testing.T) {
	texts := []string{
		"weir: 1\nstreams:\n  A:\n    # about\n    name: A\n    consumers:\n      c:\n        name: c # the\n",
		"weir: 1\nstreams: {A: {name: A, consumers: {c: {name: c}}}}\n",
	}
	values := map[kind]string{kindString: "x", kindBool: "true", kindInt: "3", kindSize: "5MiB", kindDuration: "7m", kindTime: `"2026-01-01T00:00:00Z"`, kindObject: "{}", kindList: "[]", kindMap: "{}"}
	for _, text := range texts {
		for _, path := range []string{"streams.A", "streams.A.consumers.c"} {
			for _, f := range KeysAt(path) {
				value := values[f.shape.kind]
				if f.shape.kind == kindEnum {
					value = f.shape.enum[0]
				}
				if f.Name == "durable_name" {
					value = "c" // the key it stands under
				}
				at := Join(path, f.Name)
				src := NewSource("d.yaml", []byte(text))
				d, _ := ParseSource(src)
				if value == "" || d.Has(at) {
					continue
				}
				fix := d.SetFix("set", at, value)
				if fix == nil {
					t.Fatalf("%s: no fix", at)
				}
				out, err := ApplyEdits(src, fix.Edits)
				if err != nil {
					t.Fatal(err)
				}
				after, ps := Parse("d.yaml", out)
				if ps.Failed() && !strings.Contains(ps.Error(), "missing in "+at) {
					t.Errorf("%s: %v\n%s", at, ps, out)
				}
				if v, ok := after.Value(at); !ok || v.Raw() != value {
					t.Errorf("%s: %+v\n%s", at, v, out)
				}
				if formatted, ps := Format("d.yaml", out); ps != nil || string(formatted) != string(out) {
					t.Errorf("%s: not in the usual layout:\n%s", at, out)
				}
			}
		}
	}
}
