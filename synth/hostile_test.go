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
	"slices"
	"strings"
	"testing"
	"unicode"

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
var password = regexp.MustCompile(`(password|routes): \$([A-Z0-9_]+_(?:PASSWORD|URLS))`)

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
	case ".py", ".ts", ".rs", ".java":
		if strings.EqualFold(strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)), "settings") {
			err = lexes(f.Path, f.Text)
		}
	case ".conf":
		if filepath.Base(f.Path) != "accounts.conf" {
			f.Text = strings.ReplaceAll(f.Text, "include accounts.conf", "")
		}
		var m map[string]any
		if m, err = conf.Parse(password.ReplaceAllString(f.Text, `$1: "$2"`)); err == nil {
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

// lexes reads a settings file as its language would, but for what no settings file
// has: every quote that opens is closed on its line by one that is not escaped, every
// escape is one of the language, and outside of strings and comments there is only
// what Weir writes. What the compilers themselves say of hostile names is
// TestHostileSettings.
func lexes(path, text string) error {
	language := filepath.Ext(path)
	mark := map[string]string{".py": "#", ".ts": "//", ".rs": "//", ".java": "//"}[language]
	escape := map[string]*regexp.Regexp{
		".py":   regexp.MustCompile(`^\\([nrtbf"'\\]|u[0-9a-f]{4})`),
		".ts":   regexp.MustCompile(`^\\([nrtbf"\\]|u[0-9a-f]{4})`),
		".rs":   regexp.MustCompile(`^\\([nrt"\\]|u\{[0-9a-f]{1,6}\})`),
		".java": regexp.MustCompile(`^\\([nrt"\\]|u[0-9a-f]{4})`),
	}[language]
	written := regexp.MustCompile(`^[A-Za-z0-9_ {}()\[\]:;,.=<>&+!-]*$`)
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		code := ""
		for rest := line; rest != ""; {
			if strings.HasPrefix(rest, mark) {
				if java := strings.ReplaceAll(rest, `\\`, ""); language == ".java" && strings.Contains(java, `\u`) {
					return fmt.Errorf("line %d: Java reads an escape in a comment: %q", n+1, line)
				}
				rest = ""
				continue
			}
			quote := rest[0]
			if quote != '"' && (quote != '\'' || language != ".py") {
				code, rest = code+rest[:1], rest[1:]
				continue
			}
			for rest = rest[1:]; ; {
				if rest == "" {
					return fmt.Errorf("line %d: a string does not end: %q", n+1, line)
				}
				if rest[0] == quote {
					rest = rest[1:]
					break
				}
				step := 1
				if rest[0] == '\\' {
					if step = len(escape.FindString(rest)); step == 0 {
						return fmt.Errorf("line %d: no escape of the language: %q", n+1, rest)
					}
				}
				rest = rest[step:]
			}
		}
		if !written.MatchString(code) {
			return fmt.Errorf("line %d: outside of strings and comments there is %q", n+1, code)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
			return fmt.Errorf("line %d has a control character: %q", n+1, line)
		}
	}
	return nil
}

// TestHostileSettings has the languages themselves read settings with hostile names,
// and print the names: each must come back as it was.
func TestHostileSettings(t *testing.T) {
	names := []string{"a\"b'c`d", `\u000a\u0022\`, "${x} $(y) {z} #{w}", "*/ // # --", "é\u202e\u2028\U0001F600", strings.Repeat("x", 255)}
	for _, l := range []struct {
		target string
		tools  []string
		try    func(t *testing.T, dir string) []string
	}{
		{"python", []string{"python3"}, func(t *testing.T, dir string) []string {
			return []string{"python3", "-X", "utf8", "-c", "import settings\nfor p in settings.PUBLISHERS: print('publisher', p['name'])"}
		}},
		{"typescript", []string{"node"}, func(t *testing.T, dir string) []string {
			// Without its types the file is JavaScript.
			text, err := os.ReadFile(filepath.Join(dir, "src", "settings.ts"))
			if err != nil {
				t.Fatal(err)
			}
			script := regexp.MustCompile(`(?m)^(export const \w+): \w+\[\]|^import type .*$`).ReplaceAllString(string(text), "$1")
			script += "\nfor (const p of publishers) console.log('publisher', p.name);\n"
			if err := os.WriteFile(filepath.Join(dir, "settings.mjs"), []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
			return []string{"node", "settings.mjs"}
		}},
		{"java", []string{"java", "javac"}, func(t *testing.T, dir string) []string {
			at := filepath.Join("src", "main", "java", "clients")
			names := "package clients;\nfinal class Names {\n  public static void main(String[] a) {\n    Settings.PUBLISHERS.forEach(p -> System.out.println(\"publisher \" + p.name));\n  }\n}\n"
			if err := os.WriteFile(filepath.Join(dir, at, "Names.java"), []byte(names), 0o644); err != nil {
				t.Fatal(err)
			}
			run(t, dir, "javac", "-encoding", "UTF-8", "-Werror", "-d", "out", filepath.Join(at, "Settings.java"), filepath.Join(at, "PublisherSettings.java"), filepath.Join(at, "ConsumerSettings.java"), filepath.Join(at, "Names.java"))
			return []string{"java", "-Dstdout.encoding=UTF-8", "-Dfile.encoding=UTF-8", "-cp", "out", "clients.Names"}
		}},
		{"rust", []string{"rustc", "rustfmt"}, func(t *testing.T, dir string) []string {
			main := "#![allow(dead_code)]\nmod settings;\nmod shapes;\nfn main() {\n    for p in settings::PUBLISHERS {\n        println!(\"publisher {}\", p.name);\n    }\n}\n"
			if err := os.WriteFile(filepath.Join(dir, "src", "names.rs"), []byte(main), 0o644); err != nil {
				t.Fatal(err)
			}
			run(t, dir, "rustfmt", "--check", "--edition", "2024", filepath.Join("src", "names.rs"))
			run(t, dir, "rustc", "--edition", "2024", "-D", "warnings", "-o", "names", filepath.Join("src", "names.rs"))
			return []string{filepath.Join(dir, "names")}
		}},
	} {
		t.Run(l.target, func(t *testing.T) {
			needs(t, l.tools...)
			var want []string
			for _, name := range names {
				want = append(want, "publisher "+name)
			}
			dir := put(t, generate(t, l.target, publishersCalled(t, names)), nil)
			words := l.try(t, dir)
			cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
			cmd.Dir = dir
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("printed\n%q\nnot\n%q", got, want)
			}
		})
	}
}

// publishersCalled is a design whose publishers have names.
func publishersCalled(t *testing.T, names []string) *design.Design {
	t.Helper()
	var parts []string
	for _, name := range names {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, fmt.Sprintf(`%s: {"subject": "a.b", "rate": "1/s", "payload": "1KiB"}`, quoted))
	}
	return parse(t, `{"weir": 1, "streams": {"S": {"subjects": ["a.*"], "consumers": {"c": {"ack_policy": "explicit"}}}}, "publishers": {`+strings.Join(parts, ", ")+`}}`)
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
	if err := os.WriteFile(filepath.Join(bin, "nats"), []byte("#!/bin/sh\nfor w in \"$@\"; do printf '[%s]' \"$w\"; done; echo; [ \"$2\" != info ]\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", filepath.Join(dir, "apply.sh"))
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "[--][a'b $(touch pwned) `id` \"q\"][a'b $(touch pwned) `id` \"q\"]") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
		t.Error("a name was run")
	}
}
