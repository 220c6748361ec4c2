package design

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	yaml "go.yaml.in/yaml/v4"
)

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(SchemaID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(SchemaID) // holds it to the draft's own schema
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var v any
	if err := yaml.Load([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestPresetsAreValidAgainstTheSchema(t *testing.T) {
	s := compileSchema(t)
	for _, p := range Presets() {
		if err := validate(t, s, p.Text); err != nil {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
}

// TestSchemaAgreesWithParse holds the schema to the decoder: both accept, or both
// refuse, each of these values.
func TestSchemaAgreesWithParse(t *testing.T) {
	s := compileSchema(t)
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"nothing but the format", "", true},
		{"unknown key", "nmae: x", false},
		{"duration", "streams: {A: {max_age: 72h}}", true},
		{"duration of two units", "streams: {A: {max_age: 1h30m}}", true},
		{"duration without unit", "streams: {A: {max_age: 72}}", false},
		{"duration 0 means unlimited", "streams: {A: {max_age: 0}}", true},
		{"duration -1 means nothing", "streams: {A: {max_age: -1}}", false},
		{"size -1 means unlimited", "streams: {A: {max_bytes: -1}}", true},
		{"size in GB", "streams: {A: {max_bytes: 10GB}}", false},
		{"size", "streams: {A: {max_bytes: 1.5GiB}}", true},
		{"count with unit", "streams: {A: {max_msgs: 5k}}", false},
		{"enum", "streams: {A: {retention: workqueue}}", true},
		{"wrong enum", "streams: {A: {retention: queue}}", false},
		{"boolean", "streams: {A: {no_ack: true}}", true},
		{"no boolean", "streams: {A: {no_ack: 1}}", false},
		{"source without a name", "streams: {A: {sources: [{filter_subject: a}]}}", false},
		{"list of groups", "streams: {A: {consumers: {c: {workers: [{name: a, count: 1}, {name: b}]}}}}", true},
		{"one group", "streams: {A: {consumers: {c: {workers: {count: 1}}}}}", true},
		{"group out of range", "streams: {A: {consumers: {c: {workers: {count: -1}}}}}", false},
		{"empty consumer", "streams: {A: {consumers: {c: }}}", true},
		{"distribution", "publishers: {p: {subject: a, rate: 1/s, payload: {p50: 1KiB, p99: 2KiB}}}", true},
		{"distribution of one value", "publishers: {p: {subject: a, rate: 1/s, payload: 1KiB}}", true},
		{"half a distribution", "publishers: {p: {subject: a, rate: 1/s, payload: {p50: 1KiB}}}", false},
		{"publisher without a rate", "publishers: {p: {subject: a}}", false},
		{"tokens", "publishers: {p: {subject: a, rate: 1/s, tokens: {a: 3, b: [x, y], c: {count: 4, skew: 1}}}}", true},
		{"message id by length", "publishers: {p: {subject: a, rate: 1/s, msg_id: 24B}}", true},
		{"message id by scheme", "publishers: {p: {subject: a, rate: 1/s, msg_id: uuid}}", true},
		{"message id of no scheme", "publishers: {p: {subject: a, rate: 1/s, msg_id: guid}}", false},
		{"share", "goals: {lost: 0%}", true},
		{"share without unit", "goals: {lost: 0.1}", false},
		{"share 0", "goals: {lost: 0}", true},
		{"survive", "goals: {survive: [node, worker-stall 5m]}", true},
		{"survive what", "goals: {survive: [server]}", false},
		{"permissions in three forms", "accounts: {A: {users: {a: {publish: x, subscribe: [x]}, b: {publish: {allow: [x], deny: y}}}}}", true},
		{"version as number", "server: {version: 2.12}", true},
		{"conf key in its block and flat", "server: {conf: {jetstream: {max_file_store: 1GiB}, max_file_store: 1GiB, sync_interval: always}}", true},
		{"conf alias", "server: {conf: {max_conn: 5}}", true},
		{"conf secret", "server: {conf: {jetstream: {key: secret}}}", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := "weir: 1\n" + tt.text + "\n"
			if err := validate(t, s, text); (err == nil) != tt.ok {
				t.Errorf("schema: %v, want ok %v", err, tt.ok)
			}
			if _, ps := Parse("f.yaml", []byte(text)); ps.Failed() == tt.ok {
				t.Errorf("Parse: %v, want ok %v", ps, tt.ok)
			}
		})
	}
}

// TestEveryKeyIsExplained keeps the tables complete: no key without a sentence.
func TestEveryKeyIsExplained(t *testing.T) {
	for _, asset := range fileAssets() {
		for _, f := range Fields(asset) {
			if !strings.HasSuffix(f.Doc, ".") && !strings.HasSuffix(f.Doc, ")") || f.TypeText() == "" {
				t.Errorf("%s.%s: doc %q, type %q", asset, f.Name, f.Doc, f.TypeText())
			}
		}
	}
}
