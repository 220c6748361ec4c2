package design

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormat(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"indent", "a:\n    b: 1\n    c:\n          d: 2\n", "a:\n  b: 1\n  c:\n    d: 2\n"},
		{"already", "a:\n  b: 1\n", "a:\n  b: 1\n"},
		{"space behind a colon", "a:    1\nlonger: 2\n", "a: 1\nlonger: 2\n"},
		{"space in front of a colon", "a : 1\nb\t:\n  'c' : {d : 1, \"e\" :2}\nf :\n", "a: 1\nb:\n  'c': {d: 1, \"e\": 2}\nf:\n"},
		{"flow", "a: { b : 1 ,c: [ 1,2 ,  3 ] }\n", "a: {b: 1, c: [1, 2, 3]}\n"},
		{"json flow", `{"a":1,"b":[1,2]}`, "{\"a\": 1, \"b\": [1, 2]}\n"},
		{"list goes below its key", "a:\n- x\n-   y\n", "a:\n  - x\n  - y\n"},
		{"list of maps", "a:\n-   b: 1\n    c: 2\n-\n    b: 3\n", "a:\n  - b: 1\n    c: 2\n  -\n    b: 3\n"},
		{"list in a list", "a:\n- - x\n  - y\n", "a:\n  - - x\n    - y\n"},
		{"comments move with what they explain", "# top\na:\n    # about b\n    b: 1   # at b\n    # end of a\n# about c\nc: 2\n",
			"# top\na:\n  # about b\n  b: 1   # at b\n  # end of a\n# about c\nc: 2\n"},
		{"comment at the end", "a:\n    b: 1\n    # last\n", "a:\n  b: 1\n  # last\n"},
		{"blank lines", "\n\na: 1\n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"},
		{"ends of lines stay", "a: 1  \r\nb: 2\t\r\n", "a: 1\r\nb: 2\r\n"},
		{"ends of most lines", "a: 1\r\nb: 2\nc: 3\n", "a: 1\nb: 2\nc: 3\n"},
		{"byte order mark", "\ufeffa: 1", "a: 1\n"},
		{"block scalar", "a:\n    b: |\n        one\n\n          # two\n    c: 1\n", "a:\n  b: |\n      one\n\n        # two\n  c: 1\n"},
		{"block scalar keeps its spaces", "a: |\n  x  \n\n\n  y\n", "a: |\n  x  \n\n\n  y\n"},
		{"block scalar that keeps its last lines", "a:\n    b: |+\n      x\n\n\n    c: 1\n", "a:\n  b: |+\n    x\n\n\n  c: 1\n"},
		{"block scalar that keeps the end of the file", "a: |+\n  x\n\n\n", "a: |+\n  x\n\n\n"},
		{"quoted over lines", "a:\n    b: \"x\n      y\"\n    c: 1\n", "a:\n  b: \"x\n    y\"\n  c: 1\n"},
		{"plain over lines", "a:\n    b: x\n      y\n    c: 1\n", "a:\n  b: x\n    y\n  c: 1\n"},
		{"flow over lines", "a:\n    b: {c: 1,\n        d: 2}\n", "a:\n  b: {c: 1,\n      d: 2}\n"},
		{"anchors and aliases", "a:\n    &x b: &y {c: 1}\nd:   *y\n", "a:\n  &x b: &y {c: 1}\nd: *y\n"},
		{"empty value", "a:\nb:\n    c:\n", "a:\nb:\n  c:\n"},
		{"document marker", "---\na:\n    b: 1\n", "---\na:\n  b: 1\n"},
		{"characters of several bytes", "a:\n    é: [ü,'ö']\n", "a:\n  é: [ü, 'ö']\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ps := Format("f.yaml", []byte(tt.text))
			if ps != nil {
				t.Fatal(ps)
			}
			if string(got) != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
			again, ps := Format("f.yaml", got)
			if ps != nil || string(again) != string(got) {
				t.Errorf("formatted again, it is\n%s\n%v", again, ps)
			}
		})
	}
}

// TestFormatRestoresPresets spoils the layout of each preset in ways that people
// do, and expects it back.
func TestFormatRestoresPresets(t *testing.T) {
	spoil := map[string]func(string) string{
		"four spaces": func(line string) string {
			text := strings.TrimLeft(line, " ")
			if rest, item := strings.CutPrefix(text, "- "); item && !strings.HasPrefix(rest, "{") {
				text = "-   " + rest // what follows stands below the key, not the dash
			}
			return strings.Repeat(" ", 2*(len(line)-len(strings.TrimLeft(line, " ")))) + text
		},
		"one space": func(line string) string {
			text := strings.TrimLeft(line, " ")
			return strings.Repeat(" ", (len(line)-len(text))/2) + text
		},
		"spaces at the end": func(line string) string { return line + "  " },
		"CRLF":              func(line string) string { return line + "\r" },
		"blank lines": func(line string) string {
			if line == "" {
				return "\n\n"
			}
			return line
		},
		"spaces in braces": func(line string) string {
			if strings.HasPrefix(strings.TrimSpace(line), "#") || !strings.Contains(line, "{") || strings.Contains(line, "{{") || strings.Contains(line, "subject:") {
				return line
			}
			return strings.NewReplacer("{", "{  ", "}", "   }", ", ", " ,  ").Replace(line)
		},
	}
	for name, f := range spoil {
		for _, p := range Presets() {
			if name == "one space" && strings.Contains(p.Text, "- name") {
				continue // a dash and its space are two already
			}
			lines := strings.Split(p.Text, "\n")
			for i, line := range lines[:len(lines)-1] {
				code, comment, _ := strings.Cut(line, " #")
				if name == "spaces in braces" && comment != "" {
					lines[i] = f(code) + " #" + comment
					continue
				}
				lines[i] = f(line)
			}
			out, ps := Format("p.yaml", []byte(strings.Join(lines, "\n")))
			if ps != nil {
				t.Errorf("%s, %s: %v", p.Name, name, ps)
			} else if got := strings.ReplaceAll(string(out), "\r\n", "\n"); got != p.Text || name == "CRLF" && got == string(out) {
				t.Errorf("%s, %s: got\n%s", p.Name, name, cmp.Diff(p.Text, string(out)))
			}
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range []string{"a:\n  - b: 1\n    c: [1, {d: 2}]\n# x\n", "a: |\n  x\n\n b", "a: \"x\n y\"", "- - a\n  -   b", "a: &x {b: *y}", "? a\n: b", "{\"a\":[1,\n2]}", "a:\n- b\n#c\n - d"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		once, ps := Format("f.yaml", text)
		if ps != nil {
			return
		}
		twice, ps := Format("f.yaml", once)
		if ps != nil {
			t.Fatalf("formatted text is not formatted again: %v\n%q -> %q", ps, text, once)
		}
		if string(twice) != string(once) {
			t.Fatalf("not idempotent:\n%q\n%q\n%q", text, once, twice)
		}
	})
}
