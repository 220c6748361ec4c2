package design

import (
	"encoding/json"
	"strings"

	"weir/natsapi"
)

// SchemaID identifies the JSON Schema of the design file.
const SchemaID = "https://weir.invalid/schema/design-1.json"

// object is a JSON object whose keys come out in the order of encoding/json,
// sorted.
type object map[string]any

// Schema is the JSON Schema (draft 2020-12) of the design file, generated from
// the tables: for editors, through yaml-language-server, and for other tools. It
// accepts every file that Parse accepts. It cannot say everything that Parse
// says: keys that belong together, versions and names are left to Parse.
func Schema() []byte {
	defs := object{}
	for _, asset := range fileAssets() {
		if asset != "design" {
			defs[asset] = objectSchema(asset)
		}
	}
	for name, def := range unitSchemas {
		defs[name] = def
	}
	root := objectSchema("design")
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["$id"] = SchemaID
	root["title"] = "Weir design file"
	root["$defs"] = defs
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("design: " + err.Error()) // maps of strings and numbers
	}
	return append(out, '\n')
}

const decimalPattern = `[0-9]+(\.[0-9]{1,9})?`

// unitSchemas are the values with units, as ParseDuration and its like read
// them.
var unitSchemas = map[string]object{
	"duration": {"type": "string", "pattern": "^(" + decimalPattern + "(ns|us|ms|s|m|h|d|w))+$", "examples": []string{"30s", "5m", "72h"}},
	"size":     {"type": "string", "pattern": "^" + decimalPattern + "(B|KiB|MiB|GiB|TiB)$", "examples": []string{"300B", "64KiB", "10GiB"}},
	"rate":     {"type": "string", "pattern": "^" + decimalPattern + "/[smhd]$", "examples": []string{"800/s", "60/m"}},
	"share":    {"type": "string", "pattern": "^" + decimalPattern + "%$", "examples": []string{"1%", "0.1%"}},
	"survive": {"type": "string", "pattern": "^((node|zone|leader|restart|worker-crash|worker-stall) (" + decimalPattern + "(ns|us|ms|s|m|h|d|w))+|node|zone|leader|restart|worker-crash)$",
		"examples": []string{"node", "zone", "worker-stall 5m"}},
	"version": {"type": []string{"string", "number"}, "examples": []string{"2.12", "2.15.2"}},
}

func objectSchema(asset string) object {
	properties, required := object{}, []string{}
	for _, f := range sets()[asset].list {
		s := fieldSchema(f)
		properties[f.Name] = s
		for _, alias := range f.Aliases {
			properties[alias] = s
		}
		if f.Required {
			required = append(required, f.Name)
		}
	}
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	} else if asset != "design" {
		out["type"] = []string{"object", "null"} // a block with nothing in it
	}
	return out
}

// fieldSchema is the schema of one key with its documentation.
func fieldSchema(f *Field) object {
	s := shapeSchema(f.shape, f)
	s["description"] = Doc(f)
	if v, ok := schemaDefault(f); ok {
		s["default"] = v
	}
	return s
}

// Doc is what an editor shows for a key: what it is for, in which unit, what
// holds without it and which servers have it.
func Doc(f *Field) string {
	var b strings.Builder
	b.WriteString(f.Doc)
	add := func(words ...string) {
		b.WriteString(" " + strings.Join(words, "") + ".")
	}
	if f.Unit != "" && f.Unit != "ns" && f.Unit != "share" {
		add("In ", f.Unit)
	}
	switch {
	case f.DefaultNote != "" && f.Default != "":
		add("Default ", f.Default, "; ", strings.TrimSuffix(f.DefaultNote, "."))
	case f.DefaultNote != "":
		add("Default: ", strings.TrimSuffix(f.DefaultNote, "."))
	case f.Default != "":
		add("Default ", f.Default)
	}
	if f.Zero != "" {
		add("0: ", f.Zero)
	}
	if f.MinusOne != "" {
		add("-1: ", f.MinusOne)
	}
	if len(f.Since) > 0 {
		add("Since server ", f.Since.String())
	}
	return strings.TrimSpace(b.String())
}

func schemaDefault(f *Field) (any, bool) {
	if f.Default == "" {
		return nil, false
	}
	if n := (&Node{Kind: Scalar, Text: f.Default}); f.shape.kind == kindInt || f.shape.kind == kindBool || f.shape.kind == kindNumber {
		switch v, err := f.shape.decode(n, nil); {
		case err != nil:
			return nil, false
		case v.Kind == Bool:
			return v.Bool, true
		case v.Kind == Number:
			return v.Float, true
		default:
			return v.Int, true
		}
	}
	return f.Default, true
}

func shapeSchema(s *shape, f *Field) object {
	switch s.kind {
	case kindBool:
		return object{"type": "boolean"}
	case kindInt:
		return bounded(object{"type": "integer"}, f)
	case kindNumber:
		return bounded(object{"type": "number"}, f)
	case kindDuration, kindSize, kindRate, kindShare:
		return bareToo(object{"$ref": "#/$defs/" + s.text()}, s, f)
	case kindSurvive:
		return object{"$ref": "#/$defs/survive"}
	case kindVersion:
		return object{"$ref": "#/$defs/version"}
	case kindEnum:
		return object{"enum": s.enum}
	case kindTime:
		return object{"type": "string", "format": "date-time"}
	case kindObject:
		return object{"$ref": "#/$defs/" + s.set.asset}
	case kindList:
		return object{"type": "array", "items": shapeSchema(s.elem, f)}
	case kindMap:
		return object{"type": []string{"object", "null"}, "additionalProperties": shapeSchema(s.elem, nil)}
	case kindDist:
		return distributionSchema(s, f)
	case kindEither:
		alts := make([]object, len(s.alts))
		for i, a := range s.alts {
			alts[i] = shapeSchema(a, f)
		}
		return object{"anyOf": alts}
	}
	return object{"type": []string{"string", "number", "boolean"}}
}

// bounded adds the range of Weir's own numbers. What a server makes of a number
// out of range is the server's to say.
func bounded(s object, f *Field) object {
	if f == nil || !f.Own || f.MinusOne != "" || f.Zero != "" {
		return s
	}
	if f.Min != "" {
		s["minimum"] = json.Number(f.Min)
	}
	if f.Max != "" {
		s["maximum"] = json.Number(f.Max)
	}
	return s
}

// bareToo allows 0 and -1 without a unit where they mean something.
func bareToo(s object, k *shape, f *Field) object {
	var bare []int
	if f == nil || f.Zero != "" || f.Default == "0" || k.kind == kindRate || k.kind == kindShare {
		bare = append(bare, 0)
	}
	if f != nil && f.MinusOne != "" {
		bare = append(bare, -1)
	}
	if bare == nil {
		return s
	}
	return object{"anyOf": []object{s, {"enum": bare}}}
}

func distributionSchema(s *shape, f *Field) object {
	one := shapeSchema(s.elem, f)
	part := func(names ...string) object {
		properties := object{}
		for _, n := range names {
			properties[n] = shapeSchema(s.elem, &Field{Field: natsapi.Field{Name: n}, Own: true, shape: s.elem})
		}
		return object{"type": "object", "properties": properties, "required": names, "additionalProperties": false}
	}
	trace := object{"type": "object", "properties": object{"trace": object{"type": "string"}}, "required": []string{"trace"}, "additionalProperties": false}
	return object{"anyOf": []object{one, part("p50", "p99"), part("mean", "p99"), part("mean"), trace}}
}
