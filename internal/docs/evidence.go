package docs

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"weir/prove"
)

// EvidenceSchemaID identifies the JSON Schema of evidence. Its number is that of
// Evidence.Schema.
const EvidenceSchemaID = "https://weir.invalid/schema/evidence-1.json"

// evidenceKinds are what runs leave behind, the usual kind first.
var evidenceKinds = []reflect.Type{
	reflect.TypeFor[prove.Evidence](),
	reflect.TypeFor[prove.MatrixEvidence](),
	reflect.TypeFor[prove.ConfigurationEvidence](),
	reflect.TypeFor[prove.LatencyEvidence](),
	reflect.TypeFor[prove.SizingEvidence](),
}

// evidenceWords are the words that a text of evidence can be, by record and
// field.
var evidenceWords = map[string][]string{
	"Evidence.host":     {"embedded", "child", "tab"},
	"Claim.kind":        {"harm", "cure", "claim"},
	"Change.kind":       {"filled", "changed", "dropped"},
	"Event.kind":        {prove.EventBegin, prove.EventProgress, prove.EventEnd},
	"ServerChange.kind": {prove.ChangeDown, prove.ChangeUp, prove.ChangeLeads, prove.ChangeBehind, prove.ChangeCurrent, prove.ChangeSilent, prove.ChangeAcks},
	"Goal.verdict":      {prove.Met, prove.Missed, prove.NotComparable, prove.GoalUntried},
}

// EvidenceSchema renders the JSON Schema (draft 2020-12) of what proofs leave
// behind, from the Go records of package prove and their doc comments, which it
// reads from the sources below root. An evidence file holds one of them, or a
// list of runs with name, claim and evidence.
func EvidenceSchema(root string) (string, error) {
	comments, err := recordComments(filepath.Join(root, "prove"))
	if err != nil {
		return "", err
	}
	w := schemaWriter{comments: comments, defs: map[string]any{}}
	var kinds []any
	for _, t := range evidenceKinds {
		kinds = append(kinds, w.of(t))
	}
	run := map[string]any{
		"type": "object", "description": "One run of several in a file.", "additionalProperties": false, "required": []string{"name", "evidence"},
		"properties": map[string]any{
			"name":     map[string]any{"type": "string", "description": "Of the proof or the design."},
			"claim":    map[string]any{"type": "string", "description": "Of the proof, in one sentence."},
			"evidence": w.of(evidenceKinds[0]),
		},
	}
	body, err := json.MarshalIndent(map[string]any{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": EvidenceSchemaID,
		"title":       "Weir evidence",
		"description": "What a run on real nats-servers leaves behind: weir prove -o FILE, or Download evidence in the studio.",
		"anyOf":       append(kinds, map[string]any{"type": "array", "items": run}),
		"$defs":       w.defs,
	}, "", "  ")
	if err != nil {
		return "", fmt.Errorf("render evidence schema: %w", err)
	}
	return string(body) + "\n", nil
}

// schemaWriter renders records as JSON Schema.
type schemaWriter struct {
	comments map[string]string // of records and Record.Field, in Go's names
	defs     map[string]any
}

// of is the schema of a Go type as encoding/json writes it, rendering records on
// the way.
func (w *schemaWriter) of(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	case t.Kind() == reflect.Pointer:
		return w.of(t.Elem())
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": w.of(t.Elem())}
	case t.Kind() == reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": w.of(t.Elem())}
	case t.Kind() == reflect.Struct:
		return w.record(t)
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() == reflect.String:
		return map[string]any{"type": "string"}
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return map[string]any{"type": "integer"}
	case t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64:
		return map[string]any{"type": "number"}
	}
	panic(fmt.Sprintf("docs: evidence holds a %s, which has no schema yet", t))
}

func (w *schemaWriter) record(t reflect.Type) map[string]any {
	name := t.Name()
	ref := map[string]any{"$ref": "#/$defs/" + name}
	if _, done := w.defs[name]; done {
		return ref
	}
	w.defs[name] = nil // a record that holds itself
	properties, required := map[string]any{}, []string{}
	w.fields(t, properties, &required)
	def := map[string]any{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
	if text := w.comments[name]; text != "" {
		def["description"] = text
	}
	w.defs[name] = def
	return ref
}

// fields adds the fields of a record.
func (w *schemaWriter) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for f := range jsonFields(t) {
		schema := w.of(f.Type)
		if !f.optional {
			if schema = orNull(f.Type, schema); !slices.Contains(*required, f.key) {
				*required = append(*required, f.key)
			}
		}
		if words := evidenceWords[f.in.Name()+"."+f.key]; words != nil {
			schema["enum"] = words
		}
		if f.in == evidenceKinds[0] && f.key == "schema" {
			schema = map[string]any{"const": 1}
		}
		if text := w.comments[f.in.Name()+"."+f.Name]; text != "" {
			schema["description"] = text
		}
		properties[f.key] = schema
	}
}

// orNull lets a list that is nil be null, as encoding/json writes it.
func orNull(t reflect.Type, schema map[string]any) map[string]any {
	if t.Kind() == reflect.Slice && t != reflect.TypeFor[json.RawMessage]() {
		schema["type"] = []string{"array", "null"}
	}
	return schema
}

// recordComments reads the doc comments of a package's structs and their fields,
// a trailing comment where there is no other.
func recordComments(dir string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f, nil, parser.ParseComments)
		if err != nil {
			return nil, fmt.Errorf("parse records: %w", err)
		}
		for _, d := range file.Decls {
			general, ok := d.(*ast.GenDecl)
			if !ok || general.Tok != token.TYPE {
				continue
			}
			for _, s := range general.Specs {
				spec := s.(*ast.TypeSpec)
				record, ok := spec.Type.(*ast.StructType)
				if !ok {
					continue
				}
				out[spec.Name.Name] = oneLine(general.Doc.Text())
				fieldComments(out, spec.Name.Name, record)
			}
		}
	}
	return out, nil
}

func fieldComments(out map[string]string, record string, s *ast.StructType) {
	for _, f := range s.Fields.List {
		text := f.Doc.Text()
		if text == "" {
			text = f.Comment.Text()
		}
		for _, name := range f.Names {
			out[record+"."+name.Name] = oneLine(text)
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
