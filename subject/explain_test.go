package subject_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"weir/subject"
)

// golden compares got with a file under testdata, or writes it with UPDATE=1.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; run with UPDATE=1", err)
	}
	if !bytes.Equal(got, want) {
		at := 0
		g, w := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
		for at < len(g) && at < len(w) && g[at] == w[at] {
			at++
		}
		t.Errorf("%s line %d:\n got %s\nwant %s\nrun with UPDATE=1 if the new text is right", path, at+1, line(g, at), line(w, at))
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// explained are the subjects whose whole explanation stands in the golden file.
var explained = []struct {
	name    string
	subject string
	context subject.Context
}{
	{"plain", "orders.eu.created", subject.Subscribe},
	{"one", "orders.*.created", subject.Subscribe},
	{"rest", "orders.>", subject.Subscribe},
	{"everything", ">", subject.Subscribe},
	{"rest in the middle", "orders.>.processed", subject.Subscribe},
	{"rest in the middle of a stream", "orders.>.processed", subject.Stream},
	{"two rests", "a.>.b.>.c", subject.Filter},
	{"prefix wildcard", "foo*", subject.Subscribe},
	{"prefix wildcard first byte", "*foo.bar", subject.Stream},
	{"double star", "foo.**", subject.Filter},
	{"double rest", "foo.>>", subject.Subscribe},
	{"publish with wildcard", "orders.*", subject.Publish},
	{"publish with rest", "orders.>", subject.Publish},
	{"empty", "", subject.Subscribe},
	{"empty publish", "", subject.Publish},
	{"empty filter", "", subject.Filter},
	{"empty mirror filter", "", subject.MirrorFilter},
	{"double dot", "orders..created", subject.Publish},
	{"leading dot", ".orders", subject.Subscribe},
	{"trailing dot", "orders.", subject.Stream},
	{"only a dot", ".", subject.Subscribe},
	{"space", "orders created", subject.Subscribe},
	{"tab", "orders\tcreated", subject.Publish},
	{"CRLF remnant", "orders.created\r", subject.Subscribe},
	{"line feed", "orders.created\n", subject.Publish},
	{"form feed", "orders\fcreated", subject.Subscribe},
	{"form feed publish", "orders\fcreated", subject.Publish},
	{"NUL", "orders.\x00", subject.Publish},
	{"invalid UTF-8", "orders.\xff\xfe", subject.Stream},
	{"byte order mark", "\ufefforders.created", subject.Subscribe},
	{"no-break space", "orders\u00a0eu", subject.Stream},
	{"unicode", "bestellung.größe.日本", subject.Stream},
	{"RabbitMQ rest", "orders.#", subject.Subscribe},
	{"RabbitMQ middle", "orders.#.created", subject.Subscribe},
	{"RabbitMQ all", "#", subject.Subscribe},
	{"MQTT plus", "sensors/+/temperature", subject.Subscribe},
	{"MQTT rest", "sensors/#", subject.Filter},
	{"MQTT plus with dots", "sensors.+.temperature", subject.Subscribe},
	{"slashes", "sensors/1/temperature", subject.Publish},
	{"API", "$JS.API.>", subject.Stream},
	{"API events", "$JS.EVENT.ADVISORY.>", subject.Stream},
	{"star first", "*.created", subject.Stream},
	{"star alone", "*", subject.Stream},
	{"first byte of a reserved space", "*x.>", subject.Stream},
	{"all in a stream", ">", subject.Stream},
	{"KV space", "$KV.SESSIONS.>", subject.Stream},
	{"inbox", "_INBOX.abc", subject.Publish},
	{"destination", "moved.{{wildcard(1)}}.$2", subject.TransformDestination},
	{"destination with star", "moved.*.*", subject.TransformDestination},
	{"destination unknown function", "moved.{{hash(1)}}", subject.TransformDestination},
	{"destination missing argument", "moved.{{partition()}}", subject.TransformDestination},
	{"destination with rest in the middle", "moved.>.x", subject.TransformDestination},
	{"destination with space", "moved. x", subject.TransformDestination},
	{"no destination", "", subject.TransformDestination},
	{"dollar name", "$1.$x.$", subject.TransformDestination},
	{"republish with space", "moved. x", subject.RepublishDestination},
	{"republish source", "a b", subject.RepublishSource},
	{"mirror filter", "t.>.x", subject.MirrorFilter},
	{"source filter", "t..x", subject.SourceFilter},
	{"transform source", "t. a", subject.TransformSource},
	{"stream name", "orders.eu", subject.StreamName},
	{"stream name with space", "my orders", subject.StreamName},
	{"stream name with slash", "orders/eu", subject.StreamName},
	{"consumer name", "billing*", subject.ConsumerName},
	{"KV bucket", "user.sessions", subject.KVBucket},
	{"KV key", "user..name", subject.KVKey},
	{"KV key with wildcard", "user.*", subject.KVKey},
	{"KV key with star inside", "user.a*", subject.KVSearchKey},
	{"queue group", "work ers", subject.Queue},
	{"API prefix", "$JS.*.API", subject.APIPrefix},
	{"strict client", "orders.eu*", subject.SubscribeStrict},
	{"is literal", "orders.*", subject.Literal},
	{"MQTT topic", "sensors/+/temperature", subject.MQTTTopic},
	{"MQTT topic with space", "living room/lamp", subject.MQTTTopic},
	{"MQTT filter inside a level", "sensors/a+/x", subject.MQTTFilter},
	{"MQTT filter rest in the middle", "sensors/#/x", subject.MQTTFilter},
}

func TestExplainGolden(t *testing.T) {
	var b bytes.Buffer
	for _, c := range explained {
		e := subject.Explain(c.subject, c.context, subject.Release{})
		fmt.Fprintf(&b, "== %s: %q as %s\n%s\n", c.name, c.subject, c.context, e.Summary)
		for _, tok := range e.Tokens {
			fmt.Fprintf(&b, "  %3d %-8s %q: %s\n", tok.Start, tok.Role, tok.Text, tok.Says)
		}
		write := func(what, format string, args ...any) {
			fmt.Fprintf(&b, "%s: %s\n", what, fmt.Sprintf(format, args...))
		}
		if err := e.Error(); err != nil {
			write("error", "%v", err)
		}
		if e.Server != "" {
			write("server", "%s", e.Server)
		}
		for _, s := range e.Suggestions {
			write("write", "%q: %s", s.Subject, s.Why)
		}
		for _, n := range e.Notes {
			write("note", "%s", n)
		}
		for _, s := range e.Spaces {
			write("space", "%s", s)
		}
		for _, v := range e.Places {
			if v.Valid != e.Valid || v.Refused != "" {
				write("elsewhere", "%s: valid %v %s%s", v.Context, v.Valid, v.Server, v.Refused)
			}
		}
		b.WriteByte('\n')
	}
	golden(t, "explain.golden", b.Bytes())
}

var matchesExplained = [][2]string{
	{"orders.*", "orders.created"}, {"orders.*", "orders.eu.created"}, {"orders.*", "orders"}, {"orders.>", "orders"}, {"orders.>", "orders.a"},
	{"orders.>", "orders.eu.created"}, {"orders.>", "events.eu"}, {">", "a.b"}, {"*", "a.b"}, {"events.user.*.login", "events.user.4711.login"},
	{"events.user.*.login", "events.user.4711.logout"}, {"events.user.*.login", "events.user.login"}, {"events.user.*.login", "events.user.a.b.login"},
	{"Orders.*", "orders.eu"}, {"foo", "foo.bar"}, {"foo.>", "foo"}, {"foo*", "foobar"}, {"foo.*x", "foo.ax"}, {"orders.#", "orders.eu"}, {"sensors/+/t", "sensors/1/t"},
	{"orders.*", "orders.*"}, {"orders.created", "orders.*"}, {"orders.>.x", "orders.a.x"}, {"orders.*", "orders..x"}, {"orders.*", ""}, {"", "orders"},
	{"a.*.c", "a.b.d"}, {"a.b", "a.b "}, {"a.b", "a.b\r"}, {"a.*.*.d", "a.b.d"}, {"a.b.c.>", "a.b"}, {"telemetry.>", "telemetri.x"},
}

func TestExplainMatchGolden(t *testing.T) {
	var b bytes.Buffer
	for _, c := range matchesExplained {
		e := subject.ExplainMatch(c[0], c[1])
		fmt.Fprintf(&b, "== %q on %q\n%s\n", c[0], c[1], e.Summary)
		for _, st := range e.Steps {
			fmt.Fprintf(&b, "  %-12s %q %q: %s\n", st.State, st.Pattern, st.Subject, st.Says)
		}
		for _, s := range e.Try {
			fmt.Fprintf(&b, "try: %q: %s\n", s.Subject, s.Why)
		}
		for _, n := range e.Notes {
			fmt.Fprintf(&b, "note: %s\n", n)
		}
		b.WriteByte('\n')
	}
	golden(t, "explain_match.golden", b.Bytes())
}

func TestRelateGolden(t *testing.T) {
	var b bytes.Buffer
	for _, c := range [][2]string{{"orders.*", "orders.*"}, {"orders.>", "orders.*"}, {"orders.eu", "orders.*"}, {"orders.*.created", "orders.eu.*"}, {"orders.>", "orders"},
		{"orders.*", "events.*"}, {"a.b", "a.b.c"}, {"a", "b"}, {"a.>", "*.b.c"}, {"*x.>", "b.>"}, {"a..b", "a"}, {">", "*"}} {
		r := subject.Relate(c[0], c[1])
		fmt.Fprintf(&b, "%s | %s: %s: %s\n", c[0], c[1], r.Relation, r.Why)
	}
	golden(t, "relate.golden", b.Bytes())
}

// TestHugeInput: whatever the size, texts stay short, nothing panics and JSON
// can carry the result.
func TestHugeInput(t *testing.T) {
	long := strings.Repeat("x", 5_000)
	for _, c := range []struct{ name, s string }{
		{"5,000 bytes", "orders." + long},
		{"5,000 bytes with a wildcard", long + ".*." + long},
		{"5,000 bytes with a rest in the middle", long + ".>." + long},
		{"5,000 bytes with a star inside", "*" + long + ".>"},
		{"5,000 letters of two bytes", "ab." + strings.Repeat("é", 5_000) + "*"},
		{"1,000 tokens", strings.TrimSuffix(strings.Repeat("a.", 1_000), ".")},
		{"1,000 wildcards", strings.TrimSuffix(strings.Repeat("*.", 1_000), ".")},
		{"many dots", strings.Repeat(".", 200_000)},
		{"a quarter of a megabyte", strings.Repeat("\xff", 1<<18)},
		{"a long reserved subject", "$JS.API." + long},
		{"a long RabbitMQ binding", long + ".#." + long},
		{"a long MQTT filter", long + "/+/" + long},
		{"a long destination", strings.Repeat("{{split(1,"+long+")}}.", 3) + "x"},
		{"many calls", strings.Repeat("{{", 20_000) + strings.Repeat("}}", 20_000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, info := range subject.Contexts() {
				e := subject.Explain(c.s, info.Context, subject.Release{})
				if len(e.Tokens) > subject.MaxExplainTokens {
					t.Errorf("%d tokens", len(e.Tokens))
				}
				texts := append([]string{e.Summary, e.Reason, e.Server, e.Refused, fmt.Sprint(e.Error())}, append(e.Notes, e.Spaces...)...)
				for _, tok := range e.Tokens {
					texts = append(texts, tok.Says)
				}
				for _, s := range e.Suggestions {
					texts = append(texts, s.Why)
				}
				for _, text := range texts {
					if len(text) > 900 || utf8.ValidString(c.s) && !utf8.ValidString(text) {
						t.Errorf("%s: text of %d bytes: %.200q", info.Context, len(text), text)
					}
				}
				if _, err := json.Marshal(e); err != nil {
					t.Error(err)
				}
			}
			for _, m := range []subject.MatchExplanation{subject.ExplainMatch(c.s, "orders.eu"), subject.ExplainMatch("orders.>", c.s), subject.ExplainMatch(c.s, c.s)} {
				for _, text := range append([]string{m.Summary}, m.Notes...) {
					if len(text) > 900 {
						t.Errorf("text of %d bytes: %.200s", len(text), text)
					}
				}
				for _, st := range m.Steps {
					if len(st.Says) > 900 {
						t.Errorf("step of %d bytes: %.200s", len(st.Says), st.Says)
					}
				}
			}
			if why := subject.Relate(c.s, "orders.*."+c.s).Why; len(why) > 900 {
				t.Errorf("relation of %d bytes: %.200s", len(why), why)
			}
		})
	}
}

func TestCheckUnknownContext(t *testing.T) {
	if _, ok := subject.ContextNamed("nonsense"); ok {
		t.Error("nonsense is a context")
	}
	if v := subject.Check("a..b", "nonsense"); v.Valid || v.Context != subject.Subscribe {
		t.Errorf("%+v", v)
	}
	if e := subject.Explain("a.b", "nonsense", subject.Release{}); !e.Valid || e.Summary == "" {
		t.Errorf("%+v", e)
	}
}
