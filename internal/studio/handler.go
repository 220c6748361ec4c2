package studio

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"path"
	"strconv"
	"strings"
)

// contentSecurityPolicy keeps everything that the page loads and sends on its
// own origin; WASM needs 'wasm-unsafe-eval'.
const contentSecurityPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the studio. It answers only requests whose Host is a loopback
// name, so that a page of another origin cannot reach it by DNS rebinding. It
// returns ErrNotBuilt when the binary holds no front end.
func Handler() (http.Handler, error) {
	s, err := embeddedSite()
	if err != nil {
		return nil, err
	}
	if !s.has("index.html") {
		return nil, ErrNotBuilt
	}
	go s.engine() // it is there when the first page asks
	return onlyLoopback(http.HandlerFunc(s.serve)), nil
}

// onlyLoopback refuses requests that name another host or come from a page of
// another origin.
func onlyLoopback(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.Host) {
			http.Error(w, fmt.Sprintf("host %q is not this machine", r.Host), http.StatusForbidden)
			return
		}
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
			http.Error(w, "a page of another site may not load this", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isLoopback(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && addr.IsLoopback()
}

func (s *site) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	if !s.has(name) {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", contentType(name))
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", cacheControl(name))
	if err := s.write(w, r, name); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

// write sends a file in the encoding that the client prefers.
func (s *site) write(w http.ResponseWriter, r *http.Request, name string) error {
	f, err := s.form(name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		return err
	}
	w.Header().Set("ETag", f.tag)
	if holdsTag(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	if f.encoding != "" {
		w.Header().Set("Content-Encoding", f.encoding)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(f.body)))
	if r.Method == http.MethodGet {
		// The client is gone when this fails; there is nobody to tell.
		_, _ = w.Write(f.body)
	}
	return nil
}

// sent is a file as it is sent. Each encoding is a representation of its own, so it
// has a tag of its own.
type sent struct {
	body          []byte
	encoding, tag string
}

// engineFile is sent as it is, whatever the client takes: studio and browser are on
// one machine, where the browser's unpacking takes longer than its copying.
const engineFile = "engine.wasm"

// form is a file in the encoding that fits what a client accepts.
func (s *site) form(name, accepts string) (sent, error) {
	if name == engineFile {
		return s.engine()
	}
	encoding, suffix := "", ".gz"
	switch {
	case accepted(accepts, "br"):
		encoding, suffix = "br", ".br"
	case accepted(accepts, "gzip"):
		encoding = "gzip"
	}
	body, err := fs.ReadFile(s.files, name+suffix)
	if err != nil {
		return sent{}, fmt.Errorf("read %s: %w", name, err)
	}
	if encoding == "" {
		if body, err = inflate(body); err != nil {
			return sent{}, fmt.Errorf("inflate %s: %w", name, err)
		}
	}
	return sent{body, encoding, tagOf(body, encoding)}, nil
}

func tagOf(body []byte, encoding string) string {
	return fmt.Sprintf(`"%x%s"`, sha256.Sum256(body), encoding)
}

// unpackEngine is the engine as it is sent.
func (s *site) unpackEngine() (sent, error) {
	gz, err := fs.ReadFile(s.files, engineFile+".gz")
	if err != nil {
		return sent{}, fmt.Errorf("read %s: %w", engineFile, err)
	}
	body, err := inflate(gz)
	if err != nil {
		return sent{}, fmt.Errorf("inflate %s: %w", engineFile, err)
	}
	return sent{body: body, tag: tagOf(body, "")}, nil
}

// holdsTag reports whether an If-None-Match header names a tag.
func holdsTag(header, tag string) bool {
	for _, item := range strings.Split(header, ",") {
		if item = strings.TrimPrefix(strings.TrimSpace(item), "W/"); item == tag || item == "*" {
			return true
		}
	}
	return false
}

// accepted reports whether an Accept-Encoding header takes a coding; "q=0"
// refuses it.
func accepted(header, coding string) bool {
	for _, item := range strings.Split(header, ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(item), ";")
		if strings.TrimSpace(name) == coding {
			q = strings.ReplaceAll(q, " ", "")
			return q != "q=0" && q != "q=0.0"
		}
	}
	return false
}

func inflate(gz []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(gz))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// contentType goes by the file's ending; the platform's table may lack some.
func contentType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".wasm":
		return "application/wasm"
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".webmanifest":
		return "application/manifest+json"
	case "":
		return "text/plain; charset=utf-8"
	default:
		if t := mime.TypeByExtension(ext); t != "" {
			return t
		}
		return "application/octet-stream"
	}
}

// cacheControl lets files whose name holds their hash be kept; all others are
// asked for again, so that a new binary is seen at once.
func cacheControl(name string) string {
	if strings.HasPrefix(name, "assets/") {
		return "public, max-age=31536000, immutable"
	}
	return "no-cache"
}
