//go:build !js

package synth_test

import (
	"encoding/json"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/conf"
	"go.yaml.in/yaml/v4"

	"weir/design"
	"weir/synth"
)

// FuzzHostileNames puts any text into every name and subject of a design: what is
// written must still parse, and hold no more than it was meant to.
func FuzzHostileNames(f *testing.F) {
	for _, s := range []string{"plain", `"`, `'`, "`", "${HOME}", "$(touch x)", "\\", "a\nb", "*/", "# x", "}}", "é\u202e\u2028", "-rf", strings.Repeat("x", 300), "", "$X", "a;b", "include y"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, name, subject string) {
		d := hostile(name, subject)
		if d == nil {
			return // no design has such a name
		}
		for _, target := range synth.Targets() {
			out, err := synth.Generate(target.Name, d)
			if err != nil {
				continue // refused with a sentence
			}
			for _, file := range out.Files {
				parses(t, target.Name, file)
			}
		}
	})
}

// hostile is a design with a name everywhere; nil when it cannot be read.
func hostile(name, subject string) *design.Design {
	quote := func(s string) string { b, _ := json.Marshal(s); return string(b) }
	text := fmt.Sprintf(`{"weir": 1, "name": %[1]s, "server": {"nodes": 3, "disk": "10GiB"},
 "streams": {%[1]s: {"subjects": [%[2]s], "description": %[2]s, "consumers": {%[1]s: {"description": %[2]s, "filter_subject": %[2]s, "max_deliver": 3}}}},
 "publishers": {%[1]s: {"subject": %[2]s, "rate": "1/s", "payload": "1KiB"}}, "subscribers": {%[1]s: {"subject": %[2]s}}}`, quote(name), quote(subject))
	d, problems := design.Parse("hostile.json", []byte(text))
	if problems.Failed() {
		return nil
	}
	return d
}

// password is a variable of the environment; the server's parser would look it up.
var password = regexp.MustCompile(`password: \$([A-Z0-9_]+_PASSWORD)`)

func parses(t *testing.T, target string, f synth.File) {
	t.Helper()
	var err error
	switch filepath.Ext(f.Path) {
	case ".json":
		var v any
		err = json.Unmarshal([]byte(f.Text), &v)
	case ".yaml":
		var v any
		err = yaml.Unmarshal([]byte(f.Text), &v)
	case ".go":
		if _, err = parser.ParseFile(token.NewFileSet(), f.Path, f.Text, parser.ParseComments); err == nil && filepath.Base(f.Path) == "settings.go" {
			formatted, _ := format.Source([]byte(f.Text))
			if string(formatted) != f.Text {
				t.Errorf("gofmt would change %s of %s:\n%s", f.Path, target, f.Text)
			}
		}
	case ".conf":
		if filepath.Base(f.Path) != "accounts.conf" {
			f.Text = strings.ReplaceAll(f.Text, "include accounts.conf", "")
		}
		var m map[string]any
		if m, err = conf.Parse(password.ReplaceAllString(f.Text, `password: "$1"`)); err == nil {
			for key := range m {
				switch key {
				case "server_name", "listen", "http", "server_tags", "jetstream", "cluster", "accounts":
				default:
					t.Errorf("%s of %s has a key %q that nobody wrote:\n%s", f.Path, target, key, f.Text)
				}
			}
		}
	}
	if err != nil {
		t.Errorf("%s of %s does not parse: %v\n%s", f.Path, target, err, f.Text)
	}
}

// TestHostileScript runs the CLI script of hostile names with a nats that only
// prints its words: each must arrive as one.
func TestHostileScript(t *testing.T) {
	d := hostile("a'b $(touch pwned) `id` \"q\"", "x.y")
	if d == nil {
		t.Fatal("the design cannot be read")
	}
	dir := put(t, generate(t, "nats-cli", d), nil)
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "nats"), []byte("#!/bin/sh\nfor w in \"$@\"; do printf '[%s]' \"$w\"; done; echo\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", filepath.Join(dir, "apply.sh"))
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "[consumer][add][a'b $(touch pwned) `id` \"q\"][--config]") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a name was run")
	}
}
