package natsapi

import (
	_ "embed" // features.tsv
	"strconv"
	"strings"
	"sync"
)

//go:embed features.tsv
var featuresTSV string

// Feature is something that servers of some versions can do, or do differently,
// beyond having a field.
type Feature struct {
	Name  string
	Since Releases
	// Until, when not zero, is the last minor version that has it.
	Until Version
	// Level is the API level that using it requires, 0 for none.
	Level int
	// Fields names the fields by which a design uses it.
	Fields []FieldName
	// Doc says what it is, Source where it was read.
	Doc, Source string
}

// FieldName points at a row of the field tables.
type FieldName struct {
	Asset Asset
	Name  string
}

// String writes the name as in the tables: "stream.max_age".
func (n FieldName) String() string { return string(n.Asset) + "." + n.Name }

// In reports whether a server of version v has the feature.
func (f Feature) In(v Version) bool { return Field{Since: f.Since, Until: f.Until}.In(v) }

var featureColumns = []string{"name", "since", "until", "level", "fields", "doc", "source"}

var featureTable = sync.OnceValue(func() []Feature {
	return mustParseTable("features.tsv", featuresTSV, featureColumns, parseFeature)
})

func parseFeature(row []string) (Feature, error) {
	f := Feature{Name: row[0], Doc: row[5], Source: row[6]}
	var err error
	if f.Since, err = parseReleases(row[1]); err != nil {
		return f, err
	}
	if row[2] != "" {
		if f.Until, _, err = splitVersion(row[2]); err != nil {
			return f, err
		}
	}
	if f.Level, err = strconv.Atoi(row[3]); err != nil {
		return f, err
	}
	if row[4] != "" {
		for name := range strings.SplitSeq(row[4], ",") {
			i := strings.LastIndexByte(name, '.')
			f.Fields = append(f.Fields, FieldName{Asset(name[:max(i, 0)]), name[i+1:]})
		}
	}
	return f, nil
}

// Features lists the features of a server of version v by name.
func Features(v Version) []Feature {
	var features []Feature
	for _, f := range featureTable() {
		if f.In(v) {
			features = append(features, f)
		}
	}
	return features
}

// HasFeature reports whether a server of version v has the named feature. It
// panics for a name that is not in the table, which is a mistake in the program.
func HasFeature(v Version, name string) bool {
	for _, f := range featureTable() {
		if f.Name == name {
			return f.In(v)
		}
	}
	panic("natsapi: no feature " + name)
}

// Difference is one thing that servers of two versions do differently.
type Difference struct {
	// Fields are the fields concerned; empty when no field stands for it.
	Fields []FieldName
	// What says in a sentence what differs.
	What string
}

// Differences lists what differs between servers of versions a and b: fields
// that only one has, other defaults, enum values and rules for updates, then
// features. Texts name both versions. It is nil when a and b are equal or
// nothing is known to differ.
func Differences(a, b Version) []Difference {
	if b.Compare(a) < 0 {
		a, b = b, a
	}
	var all []Difference
	for _, asset := range Assets() {
		for _, f := range Fields(asset) {
			for _, what := range fieldDifferences(f, a, b) {
				all = append(all, Difference{[]FieldName{{asset, f.Name}}, what})
			}
		}
	}
	for _, f := range featureTable() {
		switch {
		case f.In(b) && !f.In(a):
			all = append(all, Difference{f.Fields, f.Doc + " In " + b.String() + ", not in " + a.String() + "."})
		case f.In(a) && !f.In(b):
			all = append(all, Difference{f.Fields, f.Doc + " In " + a.String() + ", not in " + b.String() + "."})
		}
	}
	return all
}

func fieldDifferences(f Field, a, b Version) []string {
	name := string(f.Asset) + "." + f.Name
	switch inA, inB := f.In(a), f.In(b); {
	case !inA && !inB:
		return nil
	case !inA:
		return []string{name + " is known to " + b.String() + ", not to " + a.String() + "."}
	case !inB:
		return []string{name + " is known to " + a.String() + ", not to " + b.String() + "."}
	}
	var what []string
	if da, db := f.DefaultIn(a), f.DefaultIn(b); da != db {
		what = append(what, name+" is "+da+" by default in "+a.String()+", and "+db+" in "+b.String()+".")
	}
	if ua, ub := f.UpdateIn(a), f.UpdateIn(b); ua != ub {
		what = append(what, name+" in an update is \""+string(ua)+"\" in "+a.String()+", and \""+string(ub)+"\" in "+b.String()+".")
	}
	for _, e := range f.Enum {
		if has := e.Since.Has(b); has != e.Since.Has(a) {
			with := b
			if !has {
				with = a
			}
			what = append(what, name+" "+e.Name+" is known to "+with.String()+" only, of "+a.String()+" and "+b.String()+".")
		}
	}
	return what
}
