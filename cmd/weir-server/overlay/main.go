// Command overlay writes the build overlay that cmd/weir-server is compiled
// with, and prints its place:
//
//	go build -overlay "$(go run ./cmd/weir-server/overlay bin/overlay)" …
//
// A replicated stream's nodes write their state with O_SYNC (writePeerState,
// server/raft.go, v2.15.2), which js/wasm refuses before any file system is
// asked. The tab's files lie in memory, where a write that has returned is as
// safe as it can be, so the refusal is taken out of the standard library's
// syscall/fs_js.go. The text is that of the Go that is installed; when it is no
// longer as expected, the command fails.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: overlay FOLDER")
		os.Exit(2)
	}
	place, err := write(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "make the overlay of O_SYNC:", err)
		os.Exit(3)
	}
	fmt.Println(place)
}

// refusal is what Go 1.26 has at the head of syscall.Open.
const refusal = `	if openmode&O_SYNC != 0 {
		return 0, errors.New("syscall.Open: O_SYNC is not supported by js/wasm")
	}
`

// withoutRefusal takes the refusal out of syscall/fs_js.go.
func withoutRefusal(source string) (string, error) {
	if n := strings.Count(source, refusal); n != 1 {
		return "", fmt.Errorf("syscall/fs_js.go has the refusal of O_SYNC %d times where 1 is expected: this release of Go changed it, see how it treats O_SYNC now", n)
	}
	return strings.Replace(source, refusal, "", 1), nil
}

// write makes the overlay in a folder and returns the place of its list.
func write(dir string) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("ask for GOROOT: %w", err)
	}
	original := filepath.Join(strings.TrimSpace(string(root)), "src", "syscall", "fs_js.go")
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	changed, err := withoutRefusal(string(source))
	if err != nil {
		return "", err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", err
	}
	replacement, list := filepath.Join(dir, "fs_js.go"), filepath.Join(dir, "overlay.json")
	body, err := json.Marshal(map[string]map[string]string{"Replace": {original: replacement}})
	return list, errors.Join(err, os.MkdirAll(dir, 0o755), os.WriteFile(replacement, []byte(changed), 0o644), os.WriteFile(list, body, 0o644))
}
