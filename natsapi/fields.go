package natsapi

import (
	_ "embed" // fields.tsv, conf.tsv
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Asset names a kind of object whose fields the tables list. Assets below
// "conf" are blocks of nats-server.conf: "conf.jetstream.limits".
type Asset string

// The assets of the JetStream API, and the top level of nats-server.conf. The
// other conf blocks are reached through Field.Of.
const (
	Stream           Asset = "stream"
	StreamRequest    Asset = "stream_request"  // beside the stream's fields in create and update requests
	Source           Asset = "source"          // mirror, and entries of sources
	External         Asset = "external"        // external of a Source
	SourceConsumer   Asset = "source_consumer" // consumer of a Source
	Placement        Asset = "placement"
	Republish        Asset = "republish"
	SubjectTransform Asset = "subject_transform"
	ConsumerLimits   Asset = "consumer_limits"
	Consumer         Asset = "consumer"
	ConsumerRequest  Asset = "consumer_request" // the body of consumer create and update requests
	AccountLimits    Asset = "account_limits"   // as the account info API shows them
	KV               Asset = "kv"               // KeyValueConfig of nats.go
	ObjectStore      Asset = "object_store"     // ObjectStoreConfig of nats.go
	Conf             Asset = "conf"             // top level of nats-server.conf
)

// Type is what kind of value a field holds.
type Type string

// The types of values. Durations are integers in nanoseconds in the JetStream
// API and text ("2m") in files; sizes are bytes in the API and text ("64MiB")
// in files.
const (
	String   Type = "string"
	Bool     Type = "bool"
	Int      Type = "int"
	Size     Type = "size"
	Duration Type = "duration"
	Time     Type = "time" // RFC 3339
	Enum     Type = "enum"
	Object   Type = "object" // its fields are those of Field.Of
	List     Type = "list"   // of Field.Elem
	Map      Type = "map"    // from names to Field.Elem
)

// OnWire names what JSON of the JetStream API holds for a type, "a whole number of
// nanoseconds"; "" for a type that it does not have.
func (t Type) OnWire() string {
	switch t {
	case Duration:
		return "a whole number of nanoseconds"
	case Size:
		return "a whole number of bytes"
	case Int:
		return "a whole number"
	case Bool:
		return "true or false"
	case String:
		return "a text in quotes"
	case Time:
		return "a time such as \"2026-01-31T08:00:00Z\" (RFC 3339)"
	case List:
		return "a list"
	case Object, Map:
		return "an object"
	}
	return ""
}

// Mutability says whether an update may change a field.
type Mutability string

// The kinds of mutability.
const (
	Updatable     Mutability = "yes"
	Fixed         Mutability = "no"      // refused
	SetOnce       Mutability = "once"    // from false to true, never back
	Partly        Mutability = "partly"  // some changes are refused; Doc or the parent field says which
	Ignored       Mutability = "ignored" // accepted, and the old value stays
	NotApplicable Mutability = "n/a"     // belongs to a request, or to a file
)

// EnumValue is one value of an Enum field.
type EnumValue struct {
	Name  string
	Since Releases
	// Level is the API level that the value requires, 0 for none.
	Level int
}

// Field is one row of the tables: what is known about one field of one asset.
type Field struct {
	Asset Asset
	// Name is the JSON name, or the conf key.
	Name string
	// Aliases are other spellings of a conf key.
	Aliases []string
	Type    Type
	// Also lists types that a conf key takes besides Type.
	Also []Type
	// Elem is the type of a List's or Map's elements.
	Elem Type
	// Of is the asset of an Object, or of the elements of a List or Map of objects.
	Of Asset
	// Go is the field's type in the server's struct ("[]time.Duration"), in
	// nats.go's for kv and object_store; empty for conf keys. The server's JSON
	// errors name it.
	Go string
	// Unit is the unit of a number ("messages", "ns" in the API), or what a
	// string must be ("subject filter"). Empty means a plain count or free text.
	Unit string
	// Enum lists the values of an Enum, or of a key that also takes words.
	Enum []EnumValue
	// Required is true for a field that must be given.
	Required bool
	// Default is what holds when the field is left out, written as in a file
	// ("2m", "-1", "limits"); empty when there is none. It is that of the newest
	// version, see DefaultIn.
	Default string
	// DefaultNote says when another default holds, or describes one that is not
	// a fixed value.
	DefaultNote string
	// Min and Max bound the value, the number of bytes of a string, or all keys
	// and values of a map together, written as in a file; empty means no bound.
	// Values named by Zero and MinusOne are allowed besides.
	Min, Max string
	// Zero and MinusOne say what 0 and -1 mean where that is special:
	// "unlimited", "default". Such values need no unit in files.
	Zero, MinusOne string
	// Since says which servers have the field. Until, when not zero, is the last
	// minor version that has it.
	Since Releases
	Until Version
	// Level is the API level that using the field requires, as the server stamps
	// it (server/jetstream_versioning.go); 0 for none.
	Level int
	// Update says whether an update may change the field, in servers that
	// UpdateSince includes; before, UpdateBefore holds.
	Update, UpdateBefore Mutability
	UpdateSince          Releases
	// UpdateErr and UpdateText are the err_code and the server's words of a
	// refused update; 0 and empty where there is none of its own.
	UpdateErr  int
	UpdateText string
	// Errors lists the err_codes that the field can lead to.
	Errors []int
	// Sets names the stream fields that a kv or object_store field becomes.
	Sets []string
	// Doc says in one to three sentences what the field is for.
	Doc string
	// Source is the file that the row was read from.
	Source string

	defaultWas []formerDefault
}

// formerDefault is the default up to and with a minor version.
type formerDefault struct {
	until Version
	value string
}

// In reports whether a server of version v has the field.
func (f Field) In(v Version) bool {
	if f.Until != (Version{}) && (v.Major > f.Until.Major || v.Major == f.Until.Major && v.Minor > f.Until.Minor) {
		return false
	}
	return f.Since.Has(v)
}

// DefaultIn is Default as a server of version v has it.
func (f Field) DefaultIn(v Version) string {
	for _, d := range f.defaultWas {
		if v.Major < d.until.Major || v.Major == d.until.Major && v.Minor <= d.until.Minor {
			return d.value
		}
	}
	return f.Default
}

// UpdateIn says whether an update may change the field on a server of version v.
func (f Field) UpdateIn(v Version) Mutability {
	if !f.UpdateSince.Has(v) {
		return f.UpdateBefore
	}
	return f.Update
}

// EnumIn lists the names of the enum values that a server of version v knows.
func (f Field) EnumIn(v Version) []string {
	var names []string
	for _, e := range f.Enum {
		if e.Since.Has(v) {
			names = append(names, e.Name)
		}
	}
	return names
}

// WireDefault is DefaultIn as a JSON value of the JetStream API: durations in
// nanoseconds, sizes in bytes, words quoted. It is empty without a default.
func (f Field) WireDefault(v Version) string {
	text := f.DefaultIn(v)
	if text == "" {
		return ""
	}
	switch f.Type {
	case Duration, Size, Int:
		if n, err := Number(text); err == nil {
			return strconv.FormatInt(n, 10)
		}
	case Bool:
		return text
	}
	return strconv.Quote(text)
}

// Number reads a bound or default of the tables: a plain integer, a size
// ("64MiB", in bytes) or a duration ("2m", in nanoseconds). Bounds of unsigned
// 64-bit fields do not fit and are an error.
func Number(s string) (int64, error) {
	for i, suffix := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if digits, ok := strings.CutSuffix(s, suffix); ok {
			n, err := strconv.ParseInt(digits, 10, 32)
			return n << (10 * (i + 1)), err
		}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number, size or duration", s)
	}
	return int64(d), nil
}

//go:embed fields.tsv
var fieldsTSV string

//go:embed conf.tsv
var confTSV string

var fieldColumns = []string{
	"asset", "name", "type", "elem", "of", "go", "unit", "enum", "required", "default", "default_was", "default_note",
	"min", "max", "zero", "minus_one", "since", "until", "level", "update", "update_since", "update_before", "update_err",
	"update_text", "errors", "sets", "doc", "source",
}

var confColumns = []string{
	"asset", "name", "aliases", "type", "also", "elem", "of", "unit", "enum", "required", "default", "default_was",
	"default_note", "min", "max", "zero", "minus_one", "since", "until", "doc", "source",
}

// fieldTable holds all rows and, for each asset, where its rows are: the rows
// of one asset follow each other.
type fieldTable struct {
	rows   []Field
	assets []Asset
	of     map[Asset][]Field
	byName map[assetName]int
}

type assetName struct {
	asset Asset
	name  string
}

var fields = sync.OnceValue(func() *fieldTable {
	t := &fieldTable{of: map[Asset][]Field{}, byName: map[assetName]int{}}
	t.rows = mustParseTable("fields.tsv", fieldsTSV, fieldColumns, func(row []string) (Field, error) {
		return parseField(fieldColumns, row)
	})
	t.rows = append(t.rows, mustParseTable("conf.tsv", confTSV, confColumns, func(row []string) (Field, error) {
		return parseField(confColumns, row)
	})...)
	for from := 0; from < len(t.rows); {
		asset, to := t.rows[from].Asset, from
		for ; to < len(t.rows) && t.rows[to].Asset == asset; to++ {
			t.byName[assetName{asset, t.rows[to].Name}] = to
			for _, alias := range t.rows[to].Aliases {
				t.byName[assetName{asset, alias}] = to
			}
		}
		t.assets = append(t.assets, asset)
		t.of[asset] = t.rows[from:to:to]
		from = to
	}
	return t
})

// Assets lists every asset: those of the API first, then the conf blocks. The
// caller must not change the slice.
func Assets() []Asset { return fields().assets }

// IsConf reports whether the asset is a block of nats-server.conf.
func (a Asset) IsConf() bool { return a == Conf || strings.HasPrefix(string(a), string(Conf)+".") }

// Fields lists the fields of an asset in the order of the server's own struct,
// for all versions; filter with Field.In. It is nil for an unknown asset. The
// caller must not change the slice.
func Fields(a Asset) []Field { return fields().of[a] }

// Lookup finds a field by its name. Conf keys are found by their aliases too
// and, as in the server, in any letter case; API fields only as written.
func Lookup(a Asset, name string) (Field, bool) {
	if a.IsConf() {
		name = strings.ToLower(name)
	}
	t := fields()
	i, ok := t.byName[assetName{a, name}]
	if !ok {
		return Field{}, false
	}
	return t.rows[i], true
}

// Walk follows a path of names from an asset down to a field: Walk(Stream,
// "sources", "0", "external", "api"). After a list comes an index and after a
// map a key, both of any text; a path that ends there yields the list's or
// map's field.
func Walk(a Asset, path ...string) (Field, bool) {
	var f Field
	for i := 0; i < len(path); i++ {
		if a == "" {
			return Field{}, false
		}
		var ok bool
		if f, ok = Lookup(a, path[i]); !ok {
			return Field{}, false
		}
		a = f.Of
		if f.Type == List || f.Type == Map {
			i++ // the index or key
		}
	}
	return f, f.Name != ""
}

// Names lists the names of the fields that a server of version v has in an
// asset, aliases left out; what completion offers.
func Names(a Asset, v Version) []string {
	var names []string
	for _, f := range Fields(a) {
		if f.In(v) {
			names = append(names, f.Name)
		}
	}
	return names
}

// parseField fills a Field from a row with the given columns.
func parseField(columns, row []string) (Field, error) {
	var f Field
	for i, column := range columns {
		if text := f.textCell(column); text != nil {
			*text = row[i]
			continue
		}
		if err := f.parseCell(column, row[i]); err != nil {
			return f, fmt.Errorf("column %s: %w", column, err)
		}
	}
	if f.Asset.IsConf() {
		f.Update = NotApplicable
	}
	return f, nil
}

// textCell is where a column of plain text goes; nil for other columns.
func (f *Field) textCell(column string) *string {
	switch column {
	case "asset":
		return (*string)(&f.Asset)
	case "name":
		return &f.Name
	case "type":
		return (*string)(&f.Type)
	case "elem":
		return (*string)(&f.Elem)
	case "of":
		return (*string)(&f.Of)
	case "go":
		return &f.Go
	case "unit":
		return &f.Unit
	case "default":
		return &f.Default
	case "default_note":
		return &f.DefaultNote
	case "min":
		return &f.Min
	case "max":
		return &f.Max
	case "zero":
		return &f.Zero
	case "minus_one":
		return &f.MinusOne
	case "update":
		return (*string)(&f.Update)
	case "update_before":
		return (*string)(&f.UpdateBefore)
	case "update_text":
		return &f.UpdateText
	case "doc":
		return &f.Doc
	case "source":
		return &f.Source
	}
	return nil
}

// parseCell fills what is not plain text.
func (f *Field) parseCell(column, cell string) (err error) {
	if cell == "" {
		return nil
	}
	switch column {
	case "required":
		f.Required = cell == "yes"
	case "aliases":
		f.Aliases = strings.Split(cell, ",")
	case "sets":
		f.Sets = strings.Split(cell, ",")
	case "also":
		for t := range strings.SplitSeq(cell, ",") {
			f.Also = append(f.Also, Type(t))
		}
	case "since":
		f.Since, err = parseReleases(cell)
	case "update_since":
		f.UpdateSince, err = parseReleases(cell)
	case "until":
		f.Until, _, err = splitVersion(cell)
	case "level":
		f.Level, err = strconv.Atoi(cell)
	case "update_err":
		f.UpdateErr, err = strconv.Atoi(cell)
	case "errors":
		for code := range strings.SplitSeq(cell, ",") {
			n, convErr := strconv.Atoi(code)
			f.Errors, err = append(f.Errors, n), convErr
		}
	case "enum":
		for value := range strings.SplitSeq(cell, ",") {
			e, enumErr := parseEnumValue(value)
			f.Enum, err = append(f.Enum, e), enumErr
			if err != nil {
				return err
			}
		}
	case "default_was":
		// "2.11=10000": up to and with 2.11 the default was 10000.
		minor, value, ok := strings.Cut(cell, "=")
		if !ok {
			return fmt.Errorf("%q is not a former default", cell)
		}
		d := formerDefault{value: value}
		d.until, _, err = splitVersion(minor)
		f.defaultWas = append(f.defaultWas, d)
	default:
		err = fmt.Errorf("no such column")
	}
	return err
}

// parseEnumValue reads "name", "name@2.14.0" (since) or "name@2.14.0#4" (API level).
func parseEnumValue(s string) (EnumValue, error) {
	var e EnumValue
	var err error
	s, level, ok := strings.Cut(s, "#")
	if ok {
		if e.Level, err = strconv.Atoi(level); err != nil {
			return e, err
		}
	}
	var since string
	if e.Name, since, ok = strings.Cut(s, "@"); ok {
		e.Since, err = parseReleases(since)
	}
	return e, err
}

// HasType reports whether the field takes values of type t.
func (f Field) HasType(t Type) bool { return f.Type == t || slices.Contains(f.Also, t) }
