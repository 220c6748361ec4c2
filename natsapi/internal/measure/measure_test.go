//go:build !js

package measure

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const table = "# comment\nasset\tname\tgo\tuntil\n" +
	"stream\tname\tstring\t\nstream\tmax_age\ttime.Duration\t\nconsumer\tname\tstring\t\n"

func TestApply(t *testing.T) {
	tests := []struct {
		name   string
		change Change
		want   string // the lines after the header
		err    string
	}{
		{"new row after another", Change{File: "t.tsv", Key: "stream\tname\t", New: true, Cells: map[string]string{"asset": "stream", "name": "new", "go": "int"}},
			"stream\tname\tstring\t\nstream\tnew\tint\t\nstream\tmax_age\ttime.Duration\t\nconsumer\tname\tstring\t\n", ""},
		{"first row of an asset", Change{File: "t.tsv", New: true, Cells: map[string]string{"asset": "consumer", "name": "new"}},
			"stream\tname\tstring\t\nstream\tmax_age\ttime.Duration\t\nconsumer\tnew\t\t\nconsumer\tname\tstring\t\n", ""},
		{"first row of the table", Change{File: "t.tsv", Key: "0\t", New: true, Cells: map[string]string{"asset": "a"}},
			"a\t\t\t\nstream\tname\tstring\t\nstream\tmax_age\ttime.Duration\t\nconsumer\tname\tstring\t\n", ""},
		{"cell", Change{File: "t.tsv", Key: "stream\tmax_age\t", Cells: map[string]string{"until": "2.15"}},
			"stream\tname\tstring\t\nstream\tmax_age\ttime.Duration\t2.15\nconsumer\tname\tstring\t\n", ""},
		{"by hand", Change{Text: "API level"}, strings.SplitN(table, "\n", 3)[2], ""},
		{"no such row", Change{File: "t.tsv", Key: "kv\tx\t"}, "", `edit t.tsv: no row begins with "kv\tx\t"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.tsv")
			if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Apply(filepath.Dir(path), []Change{tt.change})
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %s", err, tt.err)
				}
				return
			}
			data, readErr := os.ReadFile(path)
			if want := strings.Join(strings.SplitN(table, "\n", 3)[:2], "\n") + "\n" + tt.want; err != nil || readErr != nil || string(data) != want {
				t.Fatalf("%v, %v\n%s\nwant\n%s", err, readErr, data, want)
			}
		})
	}
}

// TestOpen reads a small module: what a new field, key and error look like.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"stream.go":   "package server\ntype StreamConfig struct {\n\tName string `json:\"name\"`\n\tNext []*Thing `json:\"next,omitempty\"`\n\tOwn int\n\tHidden int `json:\"-\"`\n}\nconst JSApiLevel int = 6\n",
		"opts.go":     "package server\nfunc parseX(k string, m map[string]int) {\n\tswitch k {\n\tcase \"a\", \"b\":\n\t\t_ = m[\"c\"]\n\t}\n}\nfunc ConfigureOptions(k string) {\n\tswitch k {\n\tcase \"flag\":\n\t}\n}\n",
		"errors.json": `[{"constant":"B","code":400,"error_code":2,"description":"b"},{"constant":"A","code":500,"error_code":1,"description":"a"}]`,
		"x_test.go":   "package nonsense (",
	}
	if err := os.Mkdir(filepath.Join(dir, "server"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "server", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Struct("StreamConfig"); !slices.Equal(got, []Field{{"name", "string"}, {"next", "[]*server.Thing"}}) {
		t.Errorf("fields %v", got)
	}
	if got := s.Struct("Missing"); got != nil {
		t.Errorf("fields of a struct that is not there: %v", got)
	}
	if got := s.ConfWords(); len(got) != 1 || !slices.Equal(got["parseX"], []string{"a", "b", "c"}) {
		t.Errorf("conf words %v", got)
	}
	if got := s.APILevel(); got != 6 {
		t.Errorf("API level %d", got)
	}
	if got, err := s.Errors(); err != nil || len(got) != 2 || got[0] != (Error{"A", 500, 1, "a"}) {
		t.Errorf("errors %v, %v", got, err)
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("Open of an empty directory succeeds")
	}
}
