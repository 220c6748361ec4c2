// Command overlay writes the build overlay that cmd/weir-server is compiled
// with, and prints its place:
//
//	go build -overlay "$(go run ./cmd/weir-server/overlay bin/overlay)" …
//
// A replicated stream's nodes write their state with O_SYNC (writePeerState,
// server/raft.go, v2.15.2), which js/wasm refuses before any file system is
// asked. The tab's files lie in memory, where a write that has returned is as
// safe as it can be, so the refusal is taken out of the standard library's
// syscall/fs_js.go. And a server knows a full disk by the words of the error
// (isOutOfSpaceErr, server/store.go, v2.15.2), which js/wasm begins with a capital:
// it would go on, and answer no publisher. So syscall/tables_js.go gets the words
// that every other system has. The texts are those of the Go that is installed;
// when one is no longer as expected, the command fails. Weir's own tables lose what
// explains their rows to people.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: overlay FOLDER")
		os.Exit(2)
	}
	place, err := write(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "make the overlay of the server:", err)
		os.Exit(3)
	}
	fmt.Println(place)
}

// edit is a text of a file of package syscall that has to be there once, and what
// comes in its place.
type edit struct{ file, old, with string }

// edits are for Go 1.26.
var edits = []edit{
	{"fs_js.go", `	if openmode&O_SYNC != 0 {
		return 0, errors.New("syscall.Open: O_SYNC is not supported by js/wasm")
	}
`, ""},
	{"tables_js.go", `"No space left on device"`, `"no space left on device"`},
}

// apply makes the edit in the text of its file.
func (e edit) apply(source string) (string, error) {
	if n := strings.Count(source, e.old); n != 1 {
		return "", fmt.Errorf("syscall/%s has %q %d times where 1 is expected: this release of Go changed it, see how it treats that now", e.file, e.old, n)
	}
	return strings.Replace(source, e.old, e.with, 1), nil
}

// tables are Weir's tables, and explained their columns for people who look
// something up, which nobody does in the program of the server: without them it is
// smaller.
var (
	tables    = []string{"natsapi/conf.tsv", "natsapi/errors.tsv", "natsapi/fields.tsv", "design/keys.tsv"}
	explained = []string{"doc", "source", "default_note", "trigger"}
)

// unexplained empties the cells of those columns in a table. It has no errors; it is
// as an edit is.
func unexplained(text string) (string, error) {
	var out strings.Builder
	var columns []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if cells := strings.Split(line, "\t"); line != "" && line[0] != '#' {
			if columns == nil {
				columns = cells
			} else {
				for i := range cells {
					if slices.Contains(explained, columns[i]) {
						cells[i] = ""
					}
				}
			}
			line = strings.Join(cells, "\t")
		}
		out.WriteString(line + "\n")
	}
	return out.String(), nil
}

// changes are the files to replace, and what becomes of the text of each.
func changes() (map[string]func(string) (string, error), error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for GOROOT: %w", err)
	}
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return nil, fmt.Errorf("ask for the folder of the module: %w", err)
	}
	out := map[string]func(string) (string, error){}
	for _, e := range edits {
		out[filepath.Join(strings.TrimSpace(string(root)), "src", "syscall", e.file)] = e.apply
	}
	for _, name := range tables {
		out[filepath.Join(strings.TrimSpace(string(module)), filepath.FromSlash(name))] = unexplained
	}
	return out, nil
}

// write makes the overlay in a folder and returns the place of its list.
func write(dir string) (string, error) {
	all, err := changes()
	if err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for original, change := range all {
		replacement := filepath.Join(dir, filepath.Base(original))
		source, err := os.ReadFile(original)
		if err != nil {
			return "", err
		}
		changed, err := change(string(source))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(replacement, []byte(changed), 0o644); err != nil {
			return "", err
		}
		replace[original] = replacement
	}
	list := filepath.Join(dir, "overlay.json")
	body, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	return list, errors.Join(err, os.WriteFile(list, body, 0o644))
}
