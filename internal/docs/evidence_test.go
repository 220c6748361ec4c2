package docs_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"weir/design"
	"weir/internal/docs"
	"weir/prove"
)

func evidenceSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	root, err := docs.Root()
	if err != nil {
		t.Fatal(err)
	}
	text, err := docs.EvidenceSchema(root)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(docs.EvidenceSchemaID, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(docs.EvidenceSchemaID)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// TestEvidenceSchema holds the schema to evidence of real runs of each kind that
// is made in seconds.
func TestEvidenceSchema(t *testing.T) {
	schema := evidenceSchema(t)
	proof, err := prove.FindProof("discard-new")
	if err != nil {
		t.Fatal(err)
	}
	parsed, problems := design.Parse("d.yaml", []byte("weir: 1\nstreams:\n  S:\n    subjects: [s.>]\n    consumers: {c: {ack_wait: 1s, workers: {count: 1, service_time: {mean: 1ms}}}}\npublishers: {p: {subject: s.a, rate: 20/s, payload: {mean: 100B}}}\ngoals: {latency_p99: 1s}\n"))
	if problems.Failed() {
		t.Fatal(problems)
	}
	runs := []struct {
		name string
		run  func() (any, error)
	}{
		{"proof", func() (any, error) { return proof.Run(t.Context(), prove.ScriptOptions{}) }},
		{"design", func() (any, error) {
			return prove.Design(t.Context(), parsed, prove.DesignOptions{For: time.Second, Seed: 1})
		}},
		{"matrix", func() (any, error) {
			return prove.Matrix(t.Context(), []string{"a.*", "b..c"}, []string{"a.b", ""}, prove.Options{})
		}},
		{"stream subjects", func() (any, error) {
			return prove.StreamSubjects(t.Context(), []string{"a.*", "b..c"}, prove.Options{})
		}},
		{"runs of a file", func() (any, error) {
			e, err := proof.Run(t.Context(), prove.ScriptOptions{})
			return []map[string]any{{"name": proof.Name, "claim": proof.Claim, "evidence": e}}, err
		}},
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			evidence, err := r.run()
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(asJSON(t, evidence)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestEvidenceSchemaRefuses: a text that is no evidence does not pass.
func TestEvidenceSchemaRefuses(t *testing.T) {
	schema := evidenceSchema(t)
	good := prove.Evidence{Schema: 1, Host: "tab", Steps: []prove.Step{{N: 1, Do: "x"}}}
	if err := schema.Validate(asJSON(t, good)); err != nil {
		t.Fatalf("the good one: %v", err)
	}
	for _, tt := range []struct {
		name   string
		change func(e map[string]any)
	}{
		{"another schema", func(e map[string]any) { e["schema"] = json.Number("2") }},
		{"no host", func(e map[string]any) { delete(e, "host") }},
		{"unknown host", func(e map[string]any) { e["host"] = "cloud" }},
		{"unknown field", func(e map[string]any) { e["prooved"] = true }},
		{"no time", func(e map[string]any) { e["started"] = "yesterday" }},
		{"a step without its number", func(e map[string]any) { delete(e["steps"].([]any)[0].(map[string]any), "n") }},
	} {
		e := asJSON(t, good).(map[string]any)
		tt.change(e)
		if schema.Validate(e) == nil {
			t.Errorf("%s passes", tt.name)
		}
	}
}

func asJSON(t *testing.T, v any) any {
	t.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
