// Package studio holds the built web studio and serves or exports it. The files
// are put into dist by `make studio-build`; without them the package still
// builds, and Built says no.
package studio

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"
)

//go:embed all:dist
var embedded embed.FS

// ErrNotBuilt is what Handler and Export return when the binary was built
// without the front end.
var ErrNotBuilt = errors.New("this binary was built without the studio; run `make studio-build` in the source tree (it needs Node), then build again")

// Built reports whether the binary holds the front end.
func Built() bool {
	s, err := embeddedSite()
	return err == nil && s.has("index.html")
}

// site is the embedded front end: each file is there as .br and .gz only.
type site struct {
	files  fs.FS
	names  map[string]bool      // without .br or .gz
	engine func() (sent, error) // unpackEngine, once
}

func embeddedSite() (*site, error) {
	files, err := fs.Sub(embedded, "dist")
	if err != nil {
		return nil, fmt.Errorf("open the embedded studio: %w", err)
	}
	return newSite(files)
}

func newSite(files fs.FS) (*site, error) {
	s := &site{files: files, names: map[string]bool{}}
	s.engine = sync.OnceValues(s.unpackEngine)
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if name, ok := strings.CutSuffix(path, ".gz"); ok {
			s.names[name] = true
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list the embedded studio: %w", err)
	}
	return s, nil
}

func (s *site) has(name string) bool { return s.names[name] }

// sorted returns the names of all files in order.
func (s *site) sorted() []string {
	out := make([]string, 0, len(s.names))
	for n := range s.names {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
