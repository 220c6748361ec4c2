package design

import (
	"strings"
	"testing"
)

// TestProblems holds what the reader says, place and words: it is what people
// see first of Weir.
func TestProblems(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"tab", "weir: 1\nstreams:\n\tA: {}\n", "3:1: error: a tab as indentation; YAML is indented with spaces [FILE003]"},
		{"list not closed", "weir: 1\nname: [a, b\nx: 1\n", "3:2: error: a comma or ] is expected; the list that begins at 2:7 is not closed [FILE001]"},
		{"cut off in a map", "weir: 1\nserver: {nodes: 3", "2:18: error: a comma or } is expected; the map that begins at 2:9 is not closed; is the file cut off? [FILE001]"},
		{"two colons", "weir: 1\nname: a: b\n", "2:8: error: a colon that cannot stand here"},
		{"quotes not closed", "weir: 1\nname: \"a\n", "3:1: error: the quoted text that begins at 2:7 is not closed; is the file cut off? [FILE001]"},
		{"wrong indentation", "streams:\n  A:\n    no_ack: true\n   B: 1\n", "4:4: error: this line does not fit the lines above it"},
		{"no colon inside", "weir: 1\nstreams:\n  A:\n    storage: file\n    max_age 72h\n    consumers:\n      c: {}\n", "5:5: error: a line without a colon between lines of key: value"},
		{"no colon", "weir: 1\nname\nserver: {}\n", "2:1: error: a line without a colon between lines of key: value"},
		{"wildcard without quotes", "weir: 1\nstreams: {A: {subjects: [*.a]}}\n", "2:26: error: an alias (*) without its anchor (&) further up; text that begins with * stands in quotes [FILE001]"},
		{"greater than without quotes", "weir: 1\nname: %a\n", "2:7: error: this character cannot begin a value; put the text into quotes [FILE001]"},
		{"two documents", "weir: 1\n---\nweir: 1\n", "2:1: error: several YAML documents in one file"},
		{"tag", "weir: 1\nname: !secret x\n", "2:15: error: the tag \"!secret\" is not read; write the value alone [FILE013]"},
		{"tag of a list", "weir: 1\nstreams: {S: {subjects: !set [s]}}\n", "2:25: error: the tag \"!set\" is not read; write the value alone [FILE013]"},
		{"tag of a map", "weir: 1\nstreams:\n  S: &s !secret\n    subjects: [s]\n", "3:6: error: the tag \"!secret\" is not read; write the value alone [FILE013]"},
		{"tag of the whole", "--- !weir\nweir: 1\n", "1:5: error: the tag \"!weir\" is not read; write the value alone [FILE013]"},
		{"merge key", "weir: 1\nserver: {<<: {nodes: 3}}\n", "2:10: error: merge keys (<<) are not read"},
		{"key twice", "weir: 1\nname: a\nname: b\n", "3:1: error: \"name\" is written twice; first in line 2 [FILE004]"},
		{"not a map", "- a\n", "1:1: error: a list where a design file has a map that begins with weir: 1 [FILE006]"},
		{"nothing", "# nothing\n", "1:1: error: the file is empty [FILE001]"},
		{"NUL", "weir: 1\nname: a\x00\n", "2:8: error: NUL byte; is this a text file in UTF-8? [FILE003]"},
		{"UTF-16", "\xff\xfew\x00", "1:1: error: the file is in UTF-16; save it as UTF-8 [FILE003]"},
		{"NaN", "weir: 1\nserver: {nodes: .nan}\n", "2:17: error: nodes: \".nan\" is not a whole number of servers"},
		{"64 bits", "weir: 1\nstreams: {A: {max_msgs: 99999999999999999999}}\n", "does not fit into a 64-bit integer [FILE006]"},
		{"weir missing", "name: a\n", "1:1: error: weir has to be given; it is missing at the top of the file; write weir: 1, the version of the format, in its first line [FILE008]"},
		{"other format", "weir: 2\n", "1:7: error: weir: 2 is not known; there is only 1 [FILE006]"},
		{"empty word", "weir: 1\nstreams: {A: {discard: }}\n", "2:24: error: discard: nothing is written; write old or new, or remove the key [FILE006]"},
		{"limit by its name in the server", "weir: 1\naccounts: {A: {limits: {max_file: 1GiB}}}\n", "2:25: error: account limits have no key \"max_file\"; did you mean max_storage? [FILE005]"},
		{"empty value", "weir: 1\nstreams: {A: {max_age: }}\n", "2:24: error: max_age: nothing is written; write a duration, or remove the key [FILE006]"},
		{"scalar for a map", "weir: 1\nstreams: {A: 5}\n", "2:14: error: \"5\" where a map of stream settings is expected [FILE006]"},
		{"misplaced", "weir: 1\nstreams: {A: {ack_wait: 5s}}\n", "2:15: error: a stream has no key \"ack_wait\"; it belongs to a consumer [FILE005]"},
		{"an object store's lifetime", "weir: 1\nobjects: {o: {ttl: 2h}}\n", "2:15: error: an object store has no key \"ttl\"; did you mean max_age? [FILE005]"},
		{"hyphens", "weir: 1\nstreams: {A: {max-age: 5s}}\n", "2:15: error: a stream has no key \"max-age\"; did you mean max_age? [FILE005]"},
		{"CRLF", "weir: 1\r\nserver:\r\n  nodes: x\r\n", "3:10: error: nodes: \"x\" is not a whole number of servers"},
		{"byte order mark", "\xef\xbb\xbfweir: 1\nnmae: a\n", "2:1: error: a design file has no key \"nmae\""},
		{"accents before", "weir: 1\nserver: {domain: äöü, nodes: x}\n", "2:30: error: nodes:"},
		{"other name", "weir: 1\nstreams: {A: {name: B}}\n", "2:21: error: name: \"B\", and the key it stands under is \"A\""},
		{"mean that its own tail exceeds", "weir: 1\npublishers: {p: {subject: a, rate: 1/s, payload: {mean: 1KiB, p99: 3MiB}}}\n", "2:68: error: payload: p99 is 3072 times mean, and cannot be: one in a hundred is that large or larger, which alone makes the mean a hundredth of p99 or more; write p50 for the middle value, or a larger mean [FILE006]"},
		{"percentiles", "weir: 1\npublishers: {p: {subject: a, rate: 1/s, payload: {p50: 2KiB, p99: 1KiB}}}\n", "2:67: error: payload: p99 is less than p50 [FILE006]"},
		{"groups without names", "weir: 1\nstreams: {A: {consumers: {c: {workers: [{name: a}, {count: 2}]}}}}\n", "2:52: error: name has to be given where a consumer has several groups of workers"},
		{"groups of one name", "weir: 1\nstreams: {A: {consumers: {c: {workers: [{name: a}, {name: a}]}}}}\n", "2:59: error: name: \"a\" is a group of workers already, in line 2 [FILE004]"},
		{"gateway of three", "weir: 1\ngateways: {g: {between: [a, b, c]}}\n", "2:25: error: between: a gateway links two clusters, and here are 3 [FILE006]"},
		{"negative duration", "weir: 1\nstreams: {A: {max_age: -5s}}\n", "2:24: error: max_age: \"-5s\" is negative, and a duration is not [FILE007]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, ps := Parse("", []byte(tt.text))
			if d == nil || !strings.Contains(ps.Error(), tt.want) {
				t.Errorf("got %v\nwant %s", ps, tt.want)
			}
			if !ps.Failed() {
				t.Error("not an error")
			}
		})
	}
}

func TestPresence(t *testing.T) {
	d, ps := Parse("d.yaml", []byte("weir: 1\nstreams:\n  A: {max_age: 0, max_msgs: -1, max_bytes: 10GiB, first_seq: 18446744073709551615, metadata: {a.b: x}}\n"))
	if ps != nil {
		t.Fatal(ps)
	}
	for path, want := range map[string]bool{"streams.A.max_age": true, "streams.A.max_msgs": true, "streams.A.max_msg_size": false, "streams.B": false,
		`streams.A.metadata["a.b"]`: true, "streams.A.metadata.a": false, "": true, "streams": true, "streams[0]": false, "streams.A.": false} {
		if got := d.Has(path); got != want {
			t.Errorf("Has(%q) = %t", path, got)
		}
	}
	values := []struct {
		path string
		kind ValueKind
		n    int64
		raw  string
	}{
		{"streams.A.max_age", Duration, 0, "0"},
		{"streams.A.max_msgs", Int, -1, "-1"},
		{"streams.A.max_bytes", Size, 10 << 30, "10GiB"},
		{"streams.A.first_seq", Uint, 0, "18446744073709551615"},
		{"streams.A", Container, 0, `{max_age: 0, max_msgs: -1, max_bytes: 10GiB, first_seq: 18446744073709551615, metadata: {a.b: x}}`},
	}
	for _, tt := range values {
		v, ok := d.Value(tt.path)
		if !ok || v.Kind != tt.kind || v.Int != tt.n || v.Raw() != tt.raw {
			t.Errorf("%s: %+v %q", tt.path, v, v.Raw())
		}
	}
	if got := d.Streams[0].Config.FirstSeq; got != 1<<64-1 {
		t.Errorf("first_seq %d", got)
	}
	if got := string(d.Requests()[0].Body); got != `{"name":"A","max_age":0,"max_msgs":-1,"max_bytes":10737418240,"first_seq":18446744073709551615,"metadata":{"a.b":"x"}}` {
		t.Errorf("body %s", got)
	}
}

func TestPlaces(t *testing.T) {
	text := "weir: 1\nstreams:\n  ORDERS:\n    subjects: [a, \"b\"]\n    sources:\n      - name: X\n        filter_subject: x.>\n    consumers:\n      c: {backoff: [1s, 2s]}\n"
	d, ps := Parse("d.yaml", []byte(text))
	if ps != nil {
		t.Fatal(ps)
	}
	tests := []struct {
		path string
		want Position
	}{
		{"streams.ORDERS", Position{"d.yaml", 3, 3, 3, 9}},
		{"streams.ORDERS.subjects[1]", Position{"d.yaml", 4, 19, 4, 22}},
		{"streams.ORDERS.sources[0].filter_subject", Position{"d.yaml", 7, 25, 7, 28}},
		{"streams.ORDERS.consumers.c.backoff[1]", Position{"d.yaml", 9, 25, 9, 27}},
		{"streams.ORDERS.consumers.c.ack_wait", Position{"d.yaml", 9, 7, 9, 8}},
		{"streams.NONE.x", Position{"d.yaml", 2, 1, 2, 8}},
		{"nothing", Position{"d.yaml", 1, 1, 9, 29}},
	}
	for _, tt := range tests {
		if got := d.Where(tt.path); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.path, got, tt.want)
		}
	}
}

func TestPaths(t *testing.T) {
	tests := []struct {
		path, parent string
		steps        []string
	}{
		{"a", "", []string{"a"}},
		{"a.b", "a", []string{"a", "b"}},
		{"a[0].b", "a[0]", []string{"a", "[0]", "b"}},
		{"a[0]", "a", []string{"a", "[0]"}},
		{`a["x.y"].b`, `a["x.y"]`, []string{"a", "x.y", "b"}},
		{`a["x\"]"]`, "a", []string{"a", `x"]`}},
		{"", "", nil},
	}
	for _, tt := range tests {
		if got := Split(tt.path); strings.Join(got, "|") != strings.Join(tt.steps, "|") {
			t.Errorf("Split(%s) = %q", tt.path, got)
		}
		if got := Parent(tt.path); got != tt.parent {
			t.Errorf("Parent(%s) = %q", tt.path, got)
		}
	}
	if got := Join("a", "x.y"); got != `a["x.y"]` {
		t.Error(got)
	}
}

func TestDiff(t *testing.T) {
	const base = "weir: 1\nname: x\nstreams:\n  A: {max_age: 24h, subjects: [a, b]}\n  B: {}\npublishers: {p: {subject: a, rate: 60/m}}\n"
	tests := []struct{ name, text, want string }{
		{"nothing", base, ""},
		{"other spelling", "publishers: {p: {rate: 1/s, subject: a}}\nstreams:\n  B: {}\n  A: {subjects: [a, b], max_age: 1d}\nname: \"x\"\nweir: 1\n", ""},
		{"a setting", strings.Replace(base, "24h", "48h", 1), "~ streams.A.max_age: 24h -> 48h"},
		{"an element", strings.Replace(base, "[a, b]", "[a, c]", 1), "~ streams.A.subjects[1]: b -> c"},
		{"a longer list", strings.Replace(base, "[a, b]", "[a, b, c]", 1), "~ streams.A.subjects: [a, b] -> [a, b, c]"},
		{"a stream more and one less", strings.Replace(base, "B: {}", "C: {num_replicas: 3}", 1), "- streams.B: {}\n+ streams.C: {num_replicas: 3}"},
		{"absent and zero", strings.Replace(base, "max_age: 24h", "max_age: 0", 1), "~ streams.A.max_age: 24h -> 0"},
	}
	from, ps := Parse("a", []byte(base))
	if ps != nil {
		t.Fatal(ps)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			to, ps := Parse("b", []byte(tt.text))
			if ps != nil {
				t.Fatal(ps)
			}
			var lines []string
			for _, c := range Diff(from, to) {
				lines = append(lines, c.Text())
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestDiffItems: of lists of maps only what is new or gone is shown.
func TestDiffItems(t *testing.T) {
	list := func(items string) string {
		return "weir: 1\nscenarios:\n  x: [" + items + "]\n"
	}
	const one, two, three = "{at: 1m, kill: node 1}", "{at: 2m, kill: node 2}", "{at: 3m, kill: node 3}"
	for _, tt := range []struct{ name, from, to, want string }{
		{"in front", two + ", " + three, one + ", " + two + ", " + three, "+ scenarios.x[0]: " + one},
		{"in between", one + ", " + three, one + ", " + two + ", " + three, "+ scenarios.x[1]: " + two},
		{"at the end", one + ", " + two, one + ", " + two + ", " + three, "+ scenarios.x[2]: " + three},
		{"taken out", one + ", " + two + ", " + three, one + ", " + three, "- scenarios.x[1]: " + two},
		{"spelt otherwise", one + ", " + two, "{kill: node 1, at: 60s}, " + two + ", " + three, "+ scenarios.x[2]: " + three},
		{"all of it", one, two + ", " + three, "~ scenarios.x: [" + one + "] -> [" + two + ", " + three + "]"},
		{"from none", "", one, "~ scenarios.x: [] -> [" + one + "]"},
	} {
		from, _ := Parse("a", []byte(list(tt.from)))
		to, _ := Parse("b", []byte(list(tt.to)))
		var lines []string
		for _, c := range Diff(from, to) {
			lines = append(lines, c.Text())
		}
		if got := strings.Join(lines, "\n"); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, p := range Presets() {
		f.Add("p.yaml", []byte(p.Text))
	}
	f.Add("p.json", []byte(`{"weir":1,"streams":{"A":{"max_age":"5s"}}}`))
	f.Add("p.yaml", []byte("a: &a [*a]\nb: !!str 5\nc: !set {d: !!seq [!]}\n<<: x\n? [x]\n: y\n"))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		d, ps := Parse(name, text)
		for _, p := range ps {
			if p.Line < 0 || p.EndLine != 0 && p.EndLine < p.Line || p.Code == "" || p.Message == "" {
				t.Fatalf("problem %+v", p)
			}
		}
		for _, r := range d.Requests() {
			if _, problems := ParseJSON(NewSource("body", r.Body)); problems != nil {
				t.Fatalf("body %q: %v", r.Body, problems)
			}
		}
		if changes := Diff(d, d); len(changes) > 0 {
			t.Fatalf("a design differs from itself: %+v", changes[0])
		}
		if ps.Failed() {
			return
		}
		back, ps := Parse("r.yaml", Render(d))
		if ps.Failed() {
			t.Fatalf("rendered: %v\n%s", ps, Render(d))
		}
		for _, c := range Diff(d, back) {
			if !strings.Contains(c.Path, "_nats.") {
				t.Fatalf("rendered, it differs: %s\n%q\n%s", c.Text(), text, Render(d))
			}
		}
	})
}

func TestKeysThatAreMeant(t *testing.T) {
	tests := []struct {
		name, text, want string
		sure             bool
	}{
		{"one slip", "weir: 1\nstreams: {A: {subjcts: [a]}}\n", "did you mean subjects?", true},
		{"another spelling", "weir: 1\nstreams: {A: {maxAge: 5m}}\n", "did you mean max_age?", true},
		{"half a name", "weir: 1\nstreams: {A: {ttl: 5m}}\n", "did you mean allow_msg_ttl?", false},
		{"other word", "weir: 1\nobject_stores: {A: {}}\n", "did you mean objects?", false},
		{"history", "weir: 1\nkv: {A: {history: 65}}\n", "history: 65 is out of range; it goes from 0 to 64", false},
		{"version before the release", "weir: 1\nserver: {version: 2.15.2-beta}\n", "Weir knows releases; write 2.15.2", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ps := Parse("d.yaml", []byte(tt.text))
			if len(ps) != 1 || !strings.Contains(ps[0].Message, tt.want) {
				t.Fatalf("got %v", ps)
			}
			if sure := ps[0].Fix != nil && !ps[0].Fix.Guess; sure != tt.sure {
				t.Errorf("without doubt: %v, want %v", sure, tt.sure)
			}
		})
	}
}

// TestAliasPlaces points at an alias for what it stands for, and takes a change of
// its text for a guess, because other paths say it too.
func TestAliasPlaces(t *testing.T) {
	d, problems := Parse("f.yaml", []byte("weir: 1\nstreams:\n  A: &base\n    subjects: &all [a.>]\n    max_age: &age 1h\n  B: *base\n  C:\n    subjects: *all\n    max_age: *age\n"))
	if problems != nil {
		t.Fatal(problems)
	}
	for _, c := range []struct {
		path, want string
		guess      bool
	}{
		{"streams.A.max_age", "f.yaml:5:19", false},
		{"streams.A.subjects[0]", "f.yaml:4:21", false},
		{"streams.B", "f.yaml:6:3", false},
		{"streams.B.max_age", "f.yaml:6:6", true},
		{"streams.B.max_bytes", "f.yaml:6:3", true}, // not written: the nearest parent
		{"streams.B.subjects[0]", "f.yaml:6:6", true},
		{"streams.C.subjects", "f.yaml:8:5", false},
		{"streams.C.subjects[0]", "f.yaml:8:15", true},
		{"streams.C.max_age", "f.yaml:9:14", false},
	} {
		if got := d.Where(c.path).String(); got != c.want {
			t.Errorf("%s is at %s, want %s", c.path, got, c.want)
		}
		if fix := d.SetFix("", c.path, "1h"); fix != nil && fix.Guess != c.guess {
			t.Errorf("%s: guess %v, want %v", c.path, fix.Guess, c.guess)
		}
	}
}
