package studio

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// hostMark is the place in index.html that tells the loader how the host serves
// WASM: "negotiate" where Accept-Encoding is honoured, "gzip" where it must
// fetch the .gz and inflate it itself.
var hostMark = []byte(`<meta name="weir-wasm" content="negotiate">`)

// ErrOccupied is returned by Export when the place that was named holds something
// else: a file, or a folder that is not empty.
var ErrOccupied = errors.New("name an empty folder or a new one")

// Export writes the site to a folder for any static host and returns the number
// of files. Beside each file lie its .br and .gz for hosts that serve
// precompressed files; WASM is there only compressed, and the loader inflates
// it. A folder that is not empty is an ErrOccupied, unless overwrite is set: then
// files of the same name are replaced. The site is written in whole beside its
// place before anything is moved there: after an error a new folder is not there
// at all, and an old one is as it was.
func Export(dir string, overwrite bool) (int, error) {
	s, err := embeddedSite()
	if err != nil {
		return 0, err
	}
	if !s.has("index.html") {
		return 0, ErrNotBuilt
	}
	return s.export(dir, overwrite)
}

func (s *site) export(dir string, overwrite bool) (int, error) {
	isNew, err := checkPlace(dir, overwrite)
	if err != nil {
		return 0, err
	}
	inside := dir
	if isNew {
		inside = filepath.Dir(filepath.Clean(dir))
		if err := os.MkdirAll(inside, 0o755); err != nil {
			return 0, fmt.Errorf("write the studio: %w", err)
		}
	}
	stage, err := os.MkdirTemp(inside, ".weir-*")
	if err != nil {
		return 0, fmt.Errorf("write the studio: %w", err)
	}
	defer os.RemoveAll(stage)
	names, err := s.writeAll(stage)
	if err != nil {
		return 0, err
	}
	if isNew {
		if err = os.Chmod(stage, 0o755); err == nil {
			err = os.Rename(stage, dir)
		}
	} else {
		err = moveAll(names, stage, dir)
	}
	if err != nil {
		return 0, fmt.Errorf("write the studio: %w", err)
	}
	return len(names), nil
}

// checkPlace reports whether the folder is yet to be made.
func checkPlace(dir string, overwrite bool) (isNew bool, err error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true, nil
	case err != nil:
		return false, fmt.Errorf("write the studio: %w", err)
	case !info.IsDir():
		return false, fmt.Errorf("%q is a file; %w", dir, ErrOccupied)
	}
	left, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return false, fmt.Errorf("write the studio: %w", err)
	case len(left) > 0 && !overwrite:
		return false, fmt.Errorf("%q is not empty; %w, or say --force", dir, ErrOccupied)
	}
	return false, nil
}

// writeAll writes the files of the site and returns their names, the page last:
// it names the others.
func (s *site) writeAll(dir string) (names []string, err error) {
	var pages []string
	for _, name := range s.sorted() {
		forms, err := s.forms(name)
		if err != nil {
			return nil, err
		}
		for _, f := range forms {
			path := filepath.Join(dir, filepath.FromSlash(f.name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return nil, fmt.Errorf("write the studio: %w", err)
			}
			if err := os.WriteFile(path, f.body, 0o644); err != nil {
				return nil, fmt.Errorf("write the studio: %w", err)
			}
			if name == "index.html" {
				pages = append(pages, f.name)
			} else {
				names = append(names, f.name)
			}
		}
	}
	return append(names, pages...), nil
}

// moveAll moves files into a folder that is there, each whole.
func moveAll(names []string, from, to string) error {
	for _, name := range names {
		target := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(from, filepath.FromSlash(name)), target); err != nil {
			return err
		}
	}
	return nil
}

type form struct {
	name string
	body []byte
}

// forms returns the files that the export holds for one file of the site.
func (s *site) forms(name string) ([]form, error) {
	gz, err := fs.ReadFile(s.files, name+".gz")
	if err != nil {
		return nil, fmt.Errorf("read the embedded %s.gz: %w", name, err)
	}
	br, err := fs.ReadFile(s.files, name+".br")
	if err != nil {
		return nil, fmt.Errorf("read the embedded %s.br: %w", name, err)
	}
	if path.Ext(name) == ".wasm" {
		return []form{{name + ".gz", gz}, {name + ".br", br}}, nil
	}
	plain, err := inflate(gz)
	if err != nil {
		return nil, fmt.Errorf("inflate the embedded %s: %w", name, err)
	}
	if name == "index.html" {
		marked := bytes.Replace(plain, hostMark, bytes.Replace(hostMark, []byte("negotiate"), []byte("gzip"), 1), 1)
		if bytes.Equal(marked, plain) {
			return nil, fmt.Errorf("index.html lacks %s", hostMark)
		}
		again, err := pack(marked)
		if err != nil {
			return nil, err
		}
		plain, gz, br = marked, again.gzip, again.brotli
	}
	return []form{{name, plain}, {name + ".gz", gz}, {name + ".br", br}}, nil
}
