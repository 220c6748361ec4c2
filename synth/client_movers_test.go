//go:build !js

package synth_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"strings"
	"testing"
)

// TestMoversByKind: a mover hears that tries ran out where they can, and that a message was
// terminated where workers may do so; its user may listen on that and on nothing else of it.
func TestMoversByKind(t *testing.T) {
	const max, term = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.S.", "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.S."
	for _, c := range []struct {
		name, stream string
		hears, not   []string
		keeps        int // workers that keep what they terminate
	}{
		{"one of two has max_deliver", "consumers: {a: {ack_policy: explicit, max_deliver: 3}, b: {ack_policy: explicit}}",
			[]string{max + "a", term + "a", term + "b"}, []string{max + "b"}, 0},
		{"one acks nothing", "consumers: {a: {ack_policy: explicit, max_deliver: 3}, n: {ack_policy: none}}",
			[]string{max + "a", term + "a"}, []string{max + "n", term + "n"}, 0},
		{"a push consumer", "consumers: {a: {ack_policy: explicit, max_deliver: 3}, p: {ack_policy: explicit, deliver_subject: out}}",
			[]string{max + "a", term + "a", term + "p"}, []string{max + "p"}, 0},
		{"none has max_deliver", "consumers: {a: {ack_policy: explicit}, b: {ack_policy: explicit}}",
			nil, []string{"dead-letters-S", max + "a", term + "a", term + "b"}, 2},
		{"a work queue", "retention: workqueue, consumers: {a: {ack_policy: explicit, max_deliver: 3}}",
			[]string{max + "a", term + "a"}, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := parse(t, "weir: 1\nstreams: {S: {subjects: [s], max_bytes: 1MiB, "+c.stream+"}}\n")
			users := text(t, generate(t, "server-conf", d), "accounts.conf")
			for _, s := range c.hears {
				if !strings.Contains(users, `"`+s+`"`) {
					t.Errorf("no user may listen on %s:\n%s", s, users)
				}
			}
			for _, s := range c.not {
				if strings.Contains(users, `"`+s+`"`) {
					t.Errorf("a user may listen on %s:\n%s", s, users)
				}
			}
			settings := text(t, generate(t, "go", d), "settings.go")
			if n := strings.Count(settings, "KeepPoison: true"); n != c.keeps {
				t.Errorf("%d workers keep what they terminate, not %d:\n%s", n, c.keeps, settings)
			}
		})
	}
}

// TestGoOf32Bits: limits above 2 GiB are constants that the Go code holds where an int has
// 32 bits. What the project imports is not looked at.
func TestGoOf32Bits(t *testing.T) {
	d := parse(t, "weir: 1\nstreams: {S: {subjects: [s], max_bytes: 100GiB}}\npublishers: {p: {subject: s, rate: 1/s, payload: 1KiB, msg_id: uuid}}\n")
	fset := token.NewFileSet()
	var files []*ast.File
	for _, f := range generate(t, "go", d).Files {
		if path.Ext(f.Path) != ".go" || strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, f.Path, f.Text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	conf := types.Config{Sizes: types.SizesFor("gc", "386"), Error: func(err error) {
		if text := err.Error(); strings.Contains(text, "overflow") || strings.Contains(text, "truncated") {
			t.Error(text)
		}
	}}
	pkg, _ := conf.Check("main", fset, files, nil) // of imports it finds none
	if pkg == nil || pkg.Scope().Lookup("publishers") == nil {
		t.Fatal("the code was not looked at")
	}
}
