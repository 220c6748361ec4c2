package studio

import (
	"bytes"
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

// Export writes the site to a folder for any static host and returns the number
// of files. Beside each file lie its .br and .gz for hosts that serve
// precompressed files; WASM is there only compressed, and the loader inflates
// it. An existing file is replaced only when overwrite is set; every file is
// written whole or not at all.
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
	if !overwrite {
		if left, err := os.ReadDir(dir); err == nil && len(left) > 0 {
			return 0, fmt.Errorf("%q is not empty; name an empty folder or say --force", dir)
		}
	}
	n := 0
	for _, name := range s.sorted() {
		forms, err := s.forms(name)
		if err != nil {
			return n, err
		}
		for _, f := range forms {
			if err := writeWhole(filepath.Join(dir, filepath.FromSlash(f.name)), f.body); err != nil {
				return n, fmt.Errorf("write the studio: %w", err)
			}
			n++
		}
	}
	return n, nil
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
		packed, err := Pack(marked)
		if err != nil {
			return nil, err
		}
		plain, gz, br = marked, packed.Gzip, packed.Brotli
	}
	return []form{{name, plain}, {name + ".gz", gz}, {name + ".br", br}}, nil
}

// writeWhole writes beside the target and renames.
func writeWhole(path string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".weir-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(body); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
