package design

import (
	_ "embed" // keys.tsv
	"fmt"
	"slices"
	"strings"
	"sync"

	"weir/natsapi"
)

//go:embed keys.tsv
var keysTSV string

// Field is one key that a design file may have in one place: a row of natsapi
// for what the JetStream API and nats-server.conf know, a row of keys.tsv for
// Weir's own.
type Field struct {
	natsapi.Field
	// Own is true for Weir's own keys, which no server sees.
	Own   bool
	shape *shape
}

// TypeText is what the key takes, for people: "duration", "list of string",
// "worker or list of worker".
func (f *Field) TypeText() string { return f.shape.text() }

// fieldSet is what one asset may hold: the API's fields in its order, then
// Weir's own.
type fieldSet struct {
	asset  string
	list   []*Field
	byName map[string]*Field
}

func (s *fieldSet) add(f *Field) {
	s.list = append(s.list, f)
	s.byName[f.Name] = f
	for _, alias := range f.Aliases {
		if s.byName[alias] == nil {
			s.byName[alias] = f
		}
	}
}

func (s *fieldSet) names() []string {
	names := make([]string, len(s.list))
	for i, f := range s.list {
		names[i] = f.Name
	}
	return names
}

// keyGivesName are the fields that the API requires and that a design file need
// not repeat, because the key of the map is the name.
var keyGivesName = map[string]string{"stream": "name", "kv": "bucket", "object_store": "bucket"}

// confNotHere are blocks and keys of nats-server.conf that a design says
// elsewhere or not at all, and why.
var confNotHere = map[string]string{
	"accounts":         "accounts and users stand under accounts: at the top of the design",
	"authorization":    "users stand under accounts: at the top of the design, without credentials",
	"cluster":          "the cluster follows from server.nodes and clusters:",
	"gateway":          "gateways stand under gateways: at the top of the design",
	"leaf":             "leaf nodes stand under leafnodes: at the top of the design",
	"operator":         "credentials and their issuers do not belong into a design",
	"resolver":         "credentials and their issuers do not belong into a design",
	"resolver_tls":     "credentials do not belong into a design",
	"resolver_preload": "credentials do not belong into a design",
	"trusted":          "credentials and their issuers do not belong into a design",
	"default_sentinel": "credentials do not belong into a design",
	"tls":              "keys and certificates do not belong into a design",
	"key":              "keys do not belong into a design",
	"prev_key":         "keys do not belong into a design",
	"tpm":              "keys do not belong into a design",
}

// confFlat are the blocks of nats-server.conf whose keys may stand directly
// under server.conf, because there is no other of that name.
var confFlat = []natsapi.Asset{natsapi.Conf, "conf.jetstream", "conf.jetstream.limits"}

// sets builds the field sets of every asset once.
var sets = sync.OnceValue(func() map[string]*fieldSet {
	all := map[string]*fieldSet{}
	set := func(asset string) *fieldSet {
		if all[asset] == nil {
			all[asset] = &fieldSet{asset: asset, byName: map[string]*Field{}}
		}
		return all[asset]
	}
	for _, a := range natsapi.Assets() {
		for _, f := range natsapi.Fields(a) {
			if a.IsConf() && confNotHere[f.Name] != "" {
				continue
			}
			if keyGivesName[string(a)] == f.Name {
				f.Required = false
			}
			set(string(a)).add(&Field{Field: f, shape: shapeOf(f, set)})
		}
	}
	for _, a := range confFlat[1:] {
		for _, f := range set(string(a)).list {
			if top := set(string(natsapi.Conf)); top.byName[f.Name] == nil {
				top.add(f)
			}
		}
	}
	for _, row := range parseKeys(keysTSV) {
		shape, rest := parseShape(row.typ, row.field.Field, set)
		if shape == nil || rest != "" {
			panic(fmt.Sprintf("design: keys.tsv: %s.%s: %q is not a type", row.field.Asset, row.field.Name, row.typ))
		}
		row.field.shape = shape
		set(string(row.field.Asset)).add(row.field)
	}
	return all
})

type keyRow struct {
	field *Field
	typ   string
}

// parseKeys reads keys.tsv. It is part of the program and read by every test, so
// a malformed row is a panic.
func parseKeys(text string) []keyRow {
	var rows []keyRow
	header := true
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if header {
			header = false
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 12 {
			panic(fmt.Sprintf("design: keys.tsv: %d cells in %q", len(c), line))
		}
		f := natsapi.Field{Asset: natsapi.Asset(c[0]), Name: c[1], Required: c[4] == "yes", Default: c[5], Unit: c[6],
			Min: c[7], Max: c[8], Zero: c[9], MinusOne: c[10], Doc: c[11], Update: natsapi.NotApplicable}
		if c[3] != "" {
			for name := range strings.SplitSeq(c[3], ",") {
				f.Enum = append(f.Enum, natsapi.EnumValue{Name: name})
			}
		}
		rows = append(rows, keyRow{&Field{Field: f, Own: true}, c[2]})
	}
	return rows
}

// Assets lists the kinds of maps that have fields: those of a design file, then
// those that only requests and nats-server.conf have.
func Assets() []string {
	all := fileAssets()
	for _, a := range natsapi.Assets() {
		if !slices.Contains(all, string(a)) {
			all = append(all, string(a))
		}
	}
	return all
}

// fileAssets are the kinds of maps of a design file, "design" (the whole file)
// first and the others in the order in which they are met from there.
func fileAssets() []string {
	all := sets()
	order, seen := []string{"design"}, map[string]bool{"design": true}
	for i := 0; i < len(order); i++ {
		for _, f := range all[order[i]].list {
			f.shape.each(func(s *shape) {
				if s.kind == kindObject && !seen[s.set.asset] {
					seen[s.set.asset] = true
					order = append(order, s.set.asset)
				}
			})
		}
	}
	return order
}

// Fields lists the keys that a map of an asset may have: the API's own first, in
// the server's order, then Weir's. It is nil for an unknown asset. The caller
// must not change the slice.
func Fields(asset string) []*Field {
	if s := sets()[asset]; s != nil {
		return s.list
	}
	return nil
}
