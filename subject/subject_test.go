package subject_test

import (
	"slices"
	"testing"

	"weir/subject"
)

// TestMatch holds the answers that people ask for, and those for input that
// should have been refused before.
func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name, pattern, subject string
		want                   bool
	}{
		{"literal", "orders.created", "orders.created", true},
		{"case", "orders.created", "Orders.created", false},
		{"one token", "orders.*", "orders.created", true},
		{"one token is not two", "orders.*", "orders.eu.created", false},
		{"one token is not none", "orders.*", "orders", false},
		{"rest", "orders.>", "orders.eu.created", true},
		{"rest needs a token", "orders.>", "orders", false},
		{"no prefix match", "orders*", "orders7", false},
		{"a star inside is literal", "orders*", "orders*", true},
		{"a published wildcard is literal", "orders.*", "orders.*", true},
		{"which no other subscription sees", "orders.created", "orders.*", false},
		{"empty subject", ">", "", false},
		{"empty last token", "orders.>", "orders.", false},
		{"empty token for one", "orders.*", "orders.", false},
		{"rest in the middle", "orders.>.x", "orders.a.x", false},
		{"empty pattern", "", "orders", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := subject.Match(c.pattern, c.subject); got != c.want {
				t.Errorf("Match(%q, %q) = %v", c.pattern, c.subject, got)
			}
		})
	}
}

func TestRelease(t *testing.T) {
	if got := (subject.Release{}).String(); got != "newest" {
		t.Error(got)
	}
	if got := (subject.Release{Major: 2, Minor: 12}).String(); got != "2.12" {
		t.Error(got)
	}
}

// TestReleases holds the rules that changed to the release that changed them;
// each was compared with that server (see the doc comments).
func TestReleases(t *testing.T) {
	minor := func(n int) subject.Release { return subject.Release{Major: 2, Minor: n} }
	for _, c := range []struct {
		name string
		ask  func(r subject.Release) bool
		want map[int]bool // by minor release
	}{
		{"first byte decides in SubjectsCollide", func(r subject.Release) bool { return subject.CollideOn("*x.>", "b.>", r) },
			map[int]bool{10: true, 11: true, 12: true, 14: false, 15: true}},
		{"first byte decides in SubjectMatchesFilter", func(r subject.Release) bool { return subject.MatchesFilterOn("b", "*x", r) },
			map[int]bool{10: true, 11: true, 12: true, 14: false, 15: true}},
		{"random exists", func(r subject.Release) bool { return makes("*", "{{random(3)}}", r) },
			map[int]bool{10: false, 11: false, 12: true, 14: true, 15: true}},
		{"partition without wildcards", func(r subject.Release) bool { return makes("*", "{{partition(3)}}", r) },
			map[int]bool{10: false, 11: false, 12: true, 14: true, 15: true}},
		{"partition of a source that ends in >", func(r subject.Release) bool { return makes("a.>", "{{partition(3,0)}}.>", r) },
			map[int]bool{10: false, 11: false, 12: true, 14: true, 15: true}},
		{"a number beyond 32 bits", func(r subject.Release) bool { return makes("*", "{{left(1,4294967297)}}", r) },
			map[int]bool{10: true, 11: false, 12: false, 14: false, 15: false}},
		{"left in NewTransform", func(r subject.Release) bool { return makes("*", "{{left(1,2)}}", r) },
			map[int]bool{10: true, 11: true, 12: true, 14: true, 15: true}},
		{"left in ValidateMapping", func(r subject.Release) bool { return subject.ValidateMapping("*", "{{left(1,2)}}", r) == nil },
			map[int]bool{10: false, 11: false, 12: false, 14: true, 15: true}},
		{"left in a stream transform", func(r subject.Release) bool {
			return subject.CheckOn("{{left(1,2)}}", subject.TransformDestination, r).Valid
		},
			map[int]bool{10: true, 11: false, 12: false, 14: true, 15: true}},
		{"whitespace in a transform source", func(r subject.Release) bool { return subject.CheckOn("a b", subject.TransformSource, r).Valid },
			map[int]bool{10: true, 11: false, 12: false, 14: false, 15: false}},
		{"TAB in an MQTT topic", func(r subject.Release) bool { return subject.CheckOn("a\tb", subject.MQTTTopic, r).Valid },
			map[int]bool{10: true, 11: true, 12: false, 14: false, 15: false}},
		{"FF in an MQTT topic", func(r subject.Release) bool { return subject.CheckOn("a\fb", subject.MQTTTopic, r).Valid },
			map[int]bool{10: true, 11: true, 12: false, 14: false, 15: false}},
		{"DEL in an MQTT topic", func(r subject.Release) bool { return subject.CheckOn("a\x7f", subject.MQTTTopic, r).Valid },
			map[int]bool{10: true, 11: true, 12: true, 14: false, 15: false}},
		{"NUL in an MQTT topic", func(r subject.Release) bool { return subject.CheckOn("a\x00", subject.MQTTTopic, r).Valid },
			map[int]bool{10: true, 11: false, 12: false, 14: false, 15: false}},
		{"a stream on *x.>", func(r subject.Release) bool { return subject.CheckOn("*x.>", subject.Stream, r).Refused == "" },
			map[int]bool{10: false, 11: false, 12: false, 14: true, 15: false}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for n, want := range c.want {
				if got := c.ask(minor(n)); got != want {
					t.Errorf("2.%d: %v, want %v", n, got, want)
				}
			}
			if got := c.ask(subject.Release{}); got != c.want[15] {
				t.Errorf("the zero release says %v, 2.15 %v", got, c.want[15])
			}
		})
	}
	_, err := subject.NewTransform("*", "{{account-hash()}}", subject.TransformOptions{Release: minor(14)})
	if want := "invalid mapping destination: function is not available in this context in {{account-hash()}}"; err == nil || err.Error() != want {
		t.Errorf("2.14: %v, want %s", err, want)
	}
}

func makes(source, destination string, r subject.Release) bool {
	_, err := subject.NewTransform(source, destination, subject.TransformOptions{Release: r})
	return err == nil
}

func TestCardinalityErrors(t *testing.T) {
	for _, c := range []struct {
		name, template string
		domains        []subject.Domain
		want           string
	}{
		{"rest", "orders.>", nil, "token 2 is >, which any number of tokens can follow; name them, as in {region}.{id}"},
		{"star without a domain", "orders.*", nil, "token 2 is * and has no domain; give its number of values"},
		{"name without a domain", "orders.{region}", nil, "token 2, {region}, has no domain; give its number of values"},
		{"no values", "orders.*", []subject.Domain{{Name: "region"}}, `domain "region" has 0 values: write 1 or more`},
		{"invalid", "orders..x", nil, `"orders..x" is not a valid subject: empty token at position 2`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := subject.CardinalityOf(c.template, c.domains); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	got, err := subject.CardinalityOf("orders.{region}.*.created", []subject.Domain{{Name: "region", Values: 12}, {Values: 3}})
	if err != nil || got.Subjects != 36 || got.Formula != "1 × 12 × 3 × 1 = 36" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReservedCollisions(t *testing.T) {
	for _, c := range []struct {
		pattern string
		refused []string
		open    []string
	}{
		{"orders.>", nil, nil},
		{"*", nil, nil},
		{"$JS.EVENT.>", nil, []string{"$JS.>"}},
		{"$JS.*.x", []string{"$JS.>"}, nil},
		{"$SYS.ACCOUNT.*", nil, []string{"$SYS.>"}},
		{"$SYS.>", []string{"$SYS.>"}, nil},
		{"$KV.A.>", nil, []string{"$KV.>"}},
		{"*x.>", []string{"$JS.>", "$JSC.>", "$NRG.>", "$SYS.>"}, nil},
	} {
		t.Run(c.pattern, func(t *testing.T) {
			var refused, open []string
			for _, col := range subject.ReservedCollisions(c.pattern, subject.Release{}) {
				if col.Witness != "" && !(subject.Match(col.Pattern, col.Witness) && subject.Match(col.Space.Space, col.Witness)) {
					t.Errorf("%q is no witness", col.Witness)
				}
				if col.Refused != "" {
					refused = append(refused, col.Space.Space)
				} else {
					open = append(open, col.Space.Space)
				}
			}
			if !slices.Equal(refused, c.refused) || !slices.Equal(open, c.open) {
				t.Errorf("refused %v, open %v", refused, open)
			}
		})
	}
	if got := subject.ReservedCollisions("a..b", subject.Release{}); got != nil {
		t.Errorf("an invalid pattern collides: %v", got)
	}
}
