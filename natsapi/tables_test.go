package natsapi

import (
	"slices"
	"strings"
	"testing"
)

func TestFieldTable(t *testing.T) {
	types := []Type{String, Bool, Int, Size, Duration, Time, Enum, Object, List, Map}
	mutabilities := []Mutability{Updatable, Fixed, SetOnce, Partly, Ignored, NotApplicable}
	seen := map[assetName]bool{}
	asset := map[Asset]bool{}
	var last Asset
	for _, f := range fields().rows {
		name := string(f.Asset) + "." + f.Name
		if f.Asset != last && asset[f.Asset] {
			t.Errorf("%s: rows of %s are not together", name, f.Asset)
		}
		last, asset[f.Asset] = f.Asset, true
		for _, n := range append([]string{f.Name}, f.Aliases...) {
			if seen[assetName{f.Asset, n}] {
				t.Errorf("%s: %q is there twice", name, n)
			}
			seen[assetName{f.Asset, n}] = true
			if n != strings.ToLower(n) || n == "" {
				t.Errorf("%s: %q is not a lower-case name", name, n)
			}
		}
		if !slices.Contains(types, f.Type) || f.Elem != "" && !slices.Contains(types, f.Elem) {
			t.Errorf("%s: unknown type %q of %q", name, f.Type, f.Elem)
		}
		for _, also := range f.Also {
			if !slices.Contains(types, also) {
				t.Errorf("%s: unknown type %q", name, also)
			}
		}
		if (f.HasType(List) || f.HasType(Map)) && f.Elem == "" && f.Of == "" {
			t.Errorf("%s: a %s of what?", name, f.Type)
		}
		if (f.HasType(Object) || f.Elem == Object) != (f.Of != "") && f.Name != "mappings" {
			t.Errorf("%s: of = %q does not fit type %s", name, f.Of, f.Type)
		}
		if f.Of != "" && fields().of[f.Of] == nil {
			t.Errorf("%s: there is no asset %q", name, f.Of)
		}
		if (f.HasType(Enum) || f.Elem == Enum) != (len(f.Enum) > 0) {
			t.Errorf("%s: %d enum values, type %s", name, len(f.Enum), f.Type)
		}
		checkBounds(t, name, f)
		if !slices.Contains(mutabilities, f.Update) {
			t.Errorf("%s: unknown mutability %q", name, f.Update)
		}
		if (f.UpdateBefore != "") != (len(f.UpdateSince) > 0) {
			t.Errorf("%s: update_since and update_before belong together", name)
		}
		if f.Doc == "" || f.Source == "" || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: doc and source must be there, and doc be sentences", name)
		}
		for _, code := range append(slices.Clone(f.Errors), f.UpdateErr) {
			if _, ok := ErrorByCode(code); !ok && code != 0 {
				t.Errorf("%s: there is no err_code %d", name, code)
			}
		}
		for _, s := range f.Sets {
			if _, ok := Lookup(Stream, s); !ok {
				t.Errorf("%s: stream has no field %q", name, s)
			}
		}
	}
}

// checkBounds requires default and bounds that can be read and fit each other.
func checkBounds(t *testing.T, name string, f Field) {
	for _, v := range Known() {
		text := f.DefaultIn(v)
		switch {
		case text == "":
			continue
		case f.Type == Bool && text != "true" && text != "false",
			f.Type == Enum && !slices.Contains(f.EnumIn(v), text) && f.In(v) && !f.HasType(Bool):
			t.Errorf("%s: default %q is none of its values", name, text)
		}
	}
	const maxUint64 = "18446744073709551615"
	numbers := []string{f.Min, f.Max}
	if f.Type == Int || f.Type == Size || f.Type == Duration {
		numbers = append(numbers, f.Default)
	}
	for _, s := range numbers {
		if _, err := Number(s); s != "" && s != maxUint64 && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if f.Min != "" && f.Max != "" && f.Max != maxUint64 {
		low, _ := Number(f.Min)
		high, _ := Number(f.Max)
		if low > high {
			t.Errorf("%s: min %s is above max %s", name, f.Min, f.Max)
		}
	}
	number := f.HasType(Int) || f.HasType(Size) || f.HasType(Duration)
	if !number && (f.MinusOne != "" || f.Zero != "" && f.Type != String) {
		t.Errorf("%s: what 0 and -1 mean, in a %s?", name, f.Type)
	}
}

func TestErrorTable(t *testing.T) {
	if n := len(Errors()); n != 227 {
		t.Errorf("%d errors, want 227 as in 2.15.2", n)
	}
	last := 0
	constants := map[string]bool{}
	for _, e := range Errors() {
		if e.ErrCode <= last {
			t.Errorf("%d does not ascend", e.ErrCode)
		}
		last = e.ErrCode
		if constants[e.Constant] || e.Constant == "" || e.Description == "" || e.Trigger == "" || e.Code < 400 || e.Code > 503 {
			t.Errorf("%d: incomplete or double: %+v", e.ErrCode, e)
		}
		constants[e.Constant] = true
		if got, ok := ErrorByCode(e.ErrCode); !ok || got.Constant != e.Constant {
			t.Errorf("ErrorByCode(%d) = %+v, %v", e.ErrCode, got, ok)
		}
	}
	for _, code := range []int{0, -1, 10000, 10053 - 10000, 99999} {
		if e, ok := ErrorByCode(code); ok {
			t.Errorf("ErrorByCode(%d) = %+v", code, e)
		}
	}
	e, _ := ErrorByCode(10025)
	if e.DescriptionIn(Version{2, 10, 29}) != "invalid JSON" || e.DescriptionIn(Embedded) != "invalid JSON: {err}" {
		t.Errorf("texts of 10025: %q, %q", e.DescriptionIn(Version{2, 10, 29}), e.DescriptionIn(Embedded))
	}
	e, _ = ErrorByCode(10124)
	if e.ConstantIn(Version{2, 14, 10}) != "JSStreamMoveInProgressF" || e.ConstantIn(Embedded) != "JSStreamMoveInProgressErr" {
		t.Errorf("constants of 10124: %q, %q", e.ConstantIn(Version{2, 14, 10}), e.ConstantIn(Embedded))
	}
}

func TestLimitAndFeatureTables(t *testing.T) {
	last := ""
	for _, l := range limitTable() {
		if l.Name <= last || l.Value <= 0 || l.Unit == "" || l.Doc == "" || l.Source == "" {
			t.Errorf("limit %q is incomplete or not in order", l.Name)
		}
		last = l.Name
		if LimitOf(l.Name) != l.Value {
			t.Errorf("LimitOf(%q) = %d", l.Name, LimitOf(l.Name))
		}
	}
	last = ""
	for _, f := range featureTable() {
		if f.Name <= last || f.Doc == "" || f.Source == "" {
			t.Errorf("feature %q is incomplete or not in order", f.Name)
		}
		last = f.Name
		for _, n := range f.Fields {
			if _, ok := Lookup(n.Asset, n.Name); !ok {
				t.Errorf("feature %q: there is no field %v", f.Name, n)
			}
		}
	}
	if HasFeature(Version{2, 15, 2}, "reserved_deliver_subjects") || !HasFeature(Version{2, 14, 10}, "reserved_deliver_subjects") {
		t.Error("reserved_deliver_subjects is in 2.14.10 and not in 2.15.2")
	}
	if HasFeature(Embedded, "stream_templates") || !HasFeature(Version{2, 12, 15}, "stream_templates") {
		t.Error("stream templates ended with 2.12")
	}
	if n10, n15 := len(Features(Version{2, 10, 29})), len(Features(Embedded)); n10 != 1 || n15 < 30 {
		t.Errorf("%d features in 2.10.29, %d in 2.15.2", n10, n15)
	}
}

// TestFeaturesAgreeWithFields holds features against the rows they name, where
// both state a first version or a level for the same thing.
func TestFeaturesAgreeWithFields(t *testing.T) {
	for _, f := range featureTable() {
		for _, n := range f.Fields {
			row, _ := Lookup(n.Asset, n.Name)
			if row.Level > f.Level && f.Level != 0 {
				t.Errorf("%s has level %d, %v has %d", f.Name, f.Level, n, row.Level)
			}
			for _, v := range Known() {
				if f.In(v) && !row.In(v) {
					t.Errorf("%s is in %v, its field %v is not", f.Name, v, n)
				}
			}
		}
	}
}

func TestMalformedTableNamesTheLine(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"other columns", "a\tc\n", `x.tsv:1: columns are ["a" "c"]`},
		{"cell missing", "# comment\na\tb\n1\n", "x.tsv:3: 1 cells, want 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, tt.want) {
					t.Errorf("panic %q, want %q", got, tt.want)
				}
			}()
			mustParseTable("x.tsv", tt.text, []string{"a", "b"}, func(row []string) ([]string, error) { return row, nil })
		})
	}
}

func TestLookup(t *testing.T) {
	tests := []struct {
		name  string
		asset Asset
		key   string
		want  string
	}{
		{"field", Stream, "max_age", "max_age"},
		{"API names are case-sensitive", Stream, "MAX_AGE", ""},
		{"field of another asset", Stream, "ack_wait", ""},
		{"conf key", Conf, "max_payload", "max_payload"},
		{"conf keys are not case-sensitive", Conf, "Max_Payload", "max_payload"},
		{"alias", "conf.accounts.jetstream", "max_mem", "max_memory"},
		{"no such asset", "nothing", "name", ""},
		{"empty", Stream, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := Lookup(tt.asset, tt.key)
			if ok != (tt.want != "") || f.Name != tt.want {
				t.Fatalf("Lookup(%q, %q) = %q, %v; want %q", tt.asset, tt.key, f.Name, ok, tt.want)
			}
		})
	}
}

func TestWalk(t *testing.T) {
	tests := []struct {
		name  string
		asset Asset
		path  string
		want  FieldName
	}{
		{"field", Stream, "max_age", FieldName{Stream, "max_age"}},
		{"object", Stream, "mirror.external.api", FieldName{External, "api"}},
		{"list", Stream, "sources", FieldName{Stream, "sources"}},
		{"element", Stream, "sources.0", FieldName{Stream, "sources"}},
		{"in an element", Stream, "sources.0.subject_transforms.12.dest", FieldName{SubjectTransform, "dest"}},
		{"map", Stream, "metadata.owner", FieldName{Stream, "metadata"}},
		{"conf", Conf, "accounts.A.jetstream.max_mem", FieldName{"conf.accounts.jetstream", "max_memory"}},
		{"unknown", Stream, "mirror.nothing", FieldName{}},
		{"below a plain value", Stream, "max_age.x", FieldName{}},
		{"nothing", Stream, "", FieldName{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, ok := Walk(tt.asset, strings.Split(tt.path, ".")...)
			if got := (FieldName{f.Asset, f.Name}); got != tt.want && (ok || tt.want != FieldName{}) {
				t.Fatalf("Walk(%q, %q) = %v, %v; want %v", tt.asset, tt.path, got, ok, tt.want)
			}
			if ok != (tt.want != FieldName{}) {
				t.Fatalf("Walk(%q, %q) ok = %v", tt.asset, tt.path, ok)
			}
		})
	}
	if _, ok := Walk(Stream); ok {
		t.Error("Walk without a path found a field")
	}
}

func TestFieldByVersion(t *testing.T) {
	field := func(a Asset, name string) Field {
		f, ok := Lookup(a, name)
		if !ok {
			t.Fatalf("no field %s.%s", a, name)
		}
		return f
	}
	if f := field(Stream, "template_owner"); !f.In(Version{2, 12, 15}) || f.In(Version{2, 14, 0}) {
		t.Error("template_owner ended with 2.12")
	}
	if f := field("conf.gateway", "ping_max"); !f.In(Version{2, 14, 10}) || f.In(Embedded) || !f.In(Version{2, 15, 3}) {
		t.Error("gateway ping_max is in 2.14.10 and 2.15.3, not in 2.15.2")
	}
	if f := field("conf.jetstream", "max_buffered_msgs"); f.DefaultIn(Version{2, 11, 17}) != "10000" || f.DefaultIn(Embedded) != "100000" {
		t.Error("max_buffered_msgs was 10000 in 2.11")
	}
	if f := field(Stream, "max_consumers"); f.UpdateIn(Version{2, 12, 4}) != Fixed || f.UpdateIn(Embedded) != Updatable {
		t.Error("max_consumers is updatable since 2.12.7")
	}
	if f := field(Consumer, "ack_policy"); len(f.EnumIn(Version{2, 12, 15})) != 3 || len(f.EnumIn(Embedded)) != 4 || f.Enum[3].Level != 4 {
		t.Errorf("ack_policy values %+v", f.Enum)
	}
	wire := map[string]string{"duplicate_window": "120000000000", "max_bytes": "-1", "retention": `"limits"`, "no_ack": "false", "subjects": ""}
	for name, want := range wire {
		if got := field(Stream, name).WireDefault(Embedded); got != want {
			t.Errorf("WireDefault of %s = %s, want %s", name, got, want)
		}
	}
	if got := Names(StreamRequest, Version{2, 10, 29}); got != nil {
		t.Errorf("2.10 has no pedantic: %q", got)
	}
	if got := Names(ConsumerLimits, Embedded); !slices.Equal(got, []string{"inactive_threshold", "max_ack_pending"}) {
		t.Errorf("names of consumer_limits: %q", got)
	}
}

func TestDifferences(t *testing.T) {
	texts := func(a, b Version) string {
		var s []string
		for _, d := range Differences(a, b) {
			s = append(s, d.What)
		}
		return strings.Join(s, "\n")
	}
	if got := texts(Embedded, Embedded); got != "" {
		t.Errorf("2.15.2 differs from itself:\n%s", got)
	}
	up, down := texts(Version{2, 12, 15}, Embedded), texts(Embedded, Version{2, 12, 15})
	if up != down {
		t.Error("differences depend on the order of the versions")
	}
	for _, want := range []string{
		"stream.allow_batched is known to 2.15.2, not to 2.12.15.",
		"stream.template_owner is known to 2.12.15, not to 2.15.2.",
		"consumer.ack_policy flow_control is known to 2.15.2 only, of 2.12.15 and 2.15.2.",
		`consumer.mem_storage in an update is "yes" in 2.12.15, and "no" in 2.15.2.`,
	} {
		if !strings.Contains(up, want) {
			t.Errorf("differences of 2.12.15 and 2.15.2 lack %q:\n%s", want, up)
		}
	}
	if got := texts(Version{2, 11, 17}, Version{2, 12, 15}); !strings.Contains(got, "conf.jetstream.strict is false by default in 2.11.17, and true in 2.12.15.") {
		t.Errorf("differences of 2.11.17 and 2.12.15 lack strict:\n%s", got)
	}
}

func TestNumber(t *testing.T) {
	tests := []struct {
		name string
		want int64
		ok   bool
	}{
		{"-1", -1, true}, {"2m", 120e9, true}, {"100ms", 1e8, true}, {"1MiB", 1 << 20, true}, {"64MiB", 64 << 20, true},
		{"9223372036854775807", 1<<63 - 1, true}, {"18446744073709551615", 0, false}, {"", 0, false}, {"MiB", 0, false}, {"99999999999TiB", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := Number(tt.name); (err == nil) != tt.ok || tt.ok && got != tt.want {
				t.Fatalf("Number(%q) = %d, %v", tt.name, got, err)
			}
		})
	}
}

func TestSuggest(t *testing.T) {
	stream, consumer := Names(Stream, Embedded), Names(Consumer, Embedded)
	tests := []struct {
		name       string
		candidates []string
		want       string
	}{
		{"max_agee", stream, "max_age"},
		{"maxAge", stream, "max_age"},
		{"max-bytes", stream, "max_bytes"},
		{"retenton", stream, "retention"},
		{"sotrage", stream, "storage"},
		{"subject", stream, "subjects"},
		{"replicas", stream, "num_replicas"},
		{"duplicate", stream, "duplicate_window"},
		{"MaxAckPending", consumer, "max_ack_pending"},
		{"ackWait", consumer, "ack_wait"},
		{"durable", consumer, "durable_name"},
		{"kafka_partitions", stream, ""},
		{"xq", stream, ""},
		{"", stream, ""},
		{strings.Repeat("max_age", 100000), stream, ""},
		{"max_age", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name[:min(len(tt.name), 20)], func(t *testing.T) {
			if got := Suggest(tt.name, tt.candidates); got != tt.want {
				t.Fatalf("Suggest(%.20q) = %q, want %q", tt.name, got, tt.want)
			}
		})
	}
}

// FuzzSuggest holds the edit distance against its axioms, and Suggest to names
// that need no suggestion.
func FuzzSuggest(f *testing.F) {
	f.Add("max_age", "max_agee")
	f.Add("", "x")
	f.Add("ab", "ba")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 64 || len(b) > 64 {
			return
		}
		d := editDistance(a, b)
		if d != editDistance(b, a) || (d == 0) != (a == b) || d > max(len(a), len(b)) {
			t.Fatalf("editDistance(%q, %q) = %d, back %d", a, b, d, editDistance(b, a))
		}
		if a != "" && Suggest(a, []string{a}) != a {
			t.Fatalf("Suggest(%q) does not find itself", a)
		}
	})
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		if _, ok := Lookup(Stream, "duplicate_window"); !ok {
			b.Fatal("not found")
		}
	}
}

func BenchmarkParseFieldTables(b *testing.B) {
	for b.Loop() {
		mustParseTable("fields.tsv", fieldsTSV, fieldColumns, func(row []string) (Field, error) { return parseField(fieldColumns, row) })
		mustParseTable("conf.tsv", confTSV, confColumns, func(row []string) (Field, error) { return parseField(confColumns, row) })
	}
}
