package studio

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

const page = `<html><meta name="weir-wasm" content="negotiate"></html>`

// packedSite packs files as the build does.
func packedSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	m := fstest.MapFS{"README": {Data: []byte("kept")}}
	for name, body := range files {
		p, err := pack([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		m[name+".br"], m[name+".gz"] = &fstest.MapFile{Data: p.brotli}, &fstest.MapFile{Data: p.gzip}
	}
	s, err := newSite(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestServe(t *testing.T) {
	s := packedSite(t, map[string]string{"index.html": page, "engine.wasm": "\x00asm", "assets/a-1.js": "1"})
	h := onlyLoopback(http.HandlerFunc(s.serve))
	tests := []struct {
		name, method, path, host, accept string
		header                           map[string]string
		status                           int
		encoding, body                   string
	}{
		{"brotli first", "GET", "/", "127.0.0.1:1", "gzip, br", nil, 200, "br", page},
		{"gzip", "GET", "/index.html", "localhost:1", "gzip", nil, 200, "gzip", page},
		{"plain", "GET", "/", "[::1]:1", "", nil, 200, "", page},
		{"q=0 refuses", "GET", "/", "localhost", "br;q=0, gzip;q=1", nil, 200, "gzip", page},
		{"wasm", "GET", "/engine.wasm", "localhost", "br", nil, 200, "", "\x00asm"},
		{"head", "HEAD", "/", "localhost", "br", nil, 200, "br", ""},
		{"missing", "GET", "/nowhere", "localhost", "br", nil, 404, "", ""},
		{"climbing", "GET", "/../../etc/passwd", "localhost", "", nil, 404, "", ""},
		{"the README is no page", "GET", "/README", "localhost", "", nil, 404, "", ""},
		{"other host", "GET", "/", "weir.example:80", "", nil, 403, "", ""},
		{"other site's script", "GET", "/", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403, "", ""},
		{"link from another site", "GET", "/", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 200, "", page},
		{"post", "POST", "/", "localhost", "", nil, 405, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "http://x/", nil)
			r.URL.Path, r.Host = tt.path, tt.host
			r.Header.Set("Accept-Encoding", tt.accept)
			for k, v := range tt.header {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != tt.status || w.Header().Get("Content-Encoding") != tt.encoding {
				t.Fatalf("got %d %q, want %d %q", w.Code, w.Header().Get("Content-Encoding"), tt.status, tt.encoding)
			}
			if tt.body != "" && decoded(t, w) != tt.body {
				t.Errorf("body %q, want %q", decoded(t, w), tt.body)
			}
			if tt.status == 200 && !strings.Contains(w.Header().Get("Content-Security-Policy"), "connect-src 'self'") {
				t.Error("no content security policy")
			}
		})
	}
}

func decoded(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	body := w.Body.Bytes()
	switch w.Header().Get("Content-Encoding") {
	case "br":
		out, err := io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	case "gzip":
		out, err := inflate(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	return string(body)
}

func TestExport(t *testing.T) {
	s := packedSite(t, map[string]string{"index.html": page, "engine.wasm": "\x00asm", "assets/a-1.js": "1"})
	dir := filepath.Join(t.TempDir(), "site")
	n, err := s.export(dir, false)
	if err != nil || n != 8 {
		t.Fatalf("wrote %d files, %v; want 8", n, err)
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(index), `content="gzip"`) {
		t.Errorf("index.html does not tell the loader to inflate: %s %v", index, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "engine.wasm")); err == nil {
		t.Error("engine.wasm is there uncompressed")
	}
	if _, err := s.export(dir, false); !errors.Is(err, ErrOccupied) {
		t.Errorf("an export into a folder that is not empty: %v", err)
	}
	if _, err := s.export(filepath.Join(dir, "index.html"), true); !errors.Is(err, ErrOccupied) {
		t.Errorf("an export onto a file: %v", err)
	}
	if _, err := s.export(dir, true); err != nil {
		t.Error(err)
	}
}

// TestExportFails: a site whose last file cannot be read is not written at all.
func TestExportFails(t *testing.T) {
	s := packedSite(t, map[string]string{"index.html": page, "a.js": "1"})
	s.names["z.js"] = true
	root := t.TempDir()
	dir := filepath.Join(root, "new", "site")
	if _, err := s.export(dir, false); err == nil {
		t.Fatal("no error")
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("half a site was left")
	}
	old := filepath.Join(root, "old")
	if err := os.MkdirAll(old, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(old, "a.js"), []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.export(old, true); err == nil {
		t.Fatal("no error")
	}
	left, err := os.ReadDir(old)
	if err != nil || len(left) != 1 {
		t.Errorf("left %v, %v", left, err)
	}
	if body, err := os.ReadFile(filepath.Join(old, "a.js")); err != nil || string(body) != "before" {
		t.Errorf("the old site was changed: %q %v", body, err)
	}
}

// TestServeTag: what the client has already is not sent again.
func TestServeTag(t *testing.T) {
	s := packedSite(t, map[string]string{"index.html": page, "a.js": "1"})
	get := func(path, accept, have string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Accept-Encoding", accept)
		r.Header.Set("If-None-Match", have)
		w := httptest.NewRecorder()
		s.serve(w, r)
		return w
	}
	tag := get("/", "br", "").Header().Get("ETag")
	if tag == "" || tag == get("/a.js", "br", "").Header().Get("ETag") || tag == get("/", "gzip", "").Header().Get("ETag") {
		t.Fatalf("tag %q is missing, or that of another file or encoding", tag)
	}
	for _, have := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		if w := get("/", "br", have); w.Code != http.StatusNotModified || w.Body.Len() > 0 {
			t.Errorf("If-None-Match %s: %d, %d bytes", have, w.Code, w.Body.Len())
		}
	}
	if w := get("/", "br", `"x"`); w.Code != http.StatusOK {
		t.Errorf("another tag: %d", w.Code)
	}
}

func TestPackIsDeterministic(t *testing.T) {
	a, err := pack([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	b, err := pack([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.brotli, b.brotli) || !bytes.Equal(a.gzip, b.gzip) {
		t.Error("two runs differ")
	}
}
