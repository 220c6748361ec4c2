// Package house_test holds the rules of the house as tests: who may import
// whom, which words are used, how long a function may be, that no test data
// lies about unused.
package house_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// edges says which of Weir's packages each package may import, directly, in
// code that is not a test. A package that is missing here fails the test:
// decide where it stands first (ARCHITECTURE.md has the picture).
var edges = map[string][]string{
	"subject":                  {},
	"size":                     {"subject", "natsapi", "design"},
	"sim":                      {"subject", "design", "size"},
	"natsapi":                  {},
	"natsapi/internal/measure": {"natsapi"},
	"natsapi/internal/update":  {"natsapi", "natsapi/internal/measure"},
	"design":                   {"natsapi"},
	"verdict":                  {"subject", "natsapi", "design"},
	"dialect":                  {"subject", "natsapi", "design"},
	"lint":                     {"subject", "natsapi", "design", "verdict", "dialect", "size", "sim"},
	"advise":                   {"design", "internal/shell", "natsapi", "sim", "size", "verdict"},
	"synth":                    {"dialect", "design", "internal/shell", "natsapi", "size", "subject", "verdict"},
	"internal/predict":         {"design", "sim", "size"},
	"prove":                    {"design", "internal/archives", "internal/predict", "natsapi", "sim", "size", "subject", "verdict"},
	"internal/calculator":      {"internal/shell", "design", "natsapi", "size", "subject"},
	"internal/topology":        {"design", "natsapi", "size", "subject"},
	"internal/methods":         {},
	"internal/archives":        {},
	"internal/interview":       {"advise", "design", "natsapi", "sim", "size"},
	"internal/prover":          {"design", "dialect", "internal/methods", "internal/predict", "natsapi", "prove", "subject"},
	"internal/engine": {
		"internal/methods",
		"internal/claims",
		"advise",
		"design",
		"dialect",
		"internal/calculator",
		"internal/topology",
		"internal/interview",
		"internal/predict",
		"internal/report",
		"lint",
		"natsapi",
		"sim",
		"size",
		"subject",
		"synth",
		"verdict",
	},
	"internal/claims":   {"internal/archives", "natsapi"},
	"internal/showdown": {"design", "internal/claims", "internal/archives", "natsapi", "sim", "size", "subject"},
	"internal/report":   {},
	"internal/shell":    {},
	"internal/studio":   {},
	"internal/cli": {
		"advise",
		"design",
		"dialect",
		"internal/calculator",
		"internal/claims",
		"internal/engine",
		"internal/interview",
		"internal/showdown",
		"internal/studio",
		"lint",
		"natsapi",
		"prove",
		"sim",
		"size",
		"subject",
		"synth",
		"verdict",
	},
	"internal/docs":           {"internal/showdown", "internal/claims", "design", "lint", "natsapi", "prove", "synth", "internal/engine", "internal/methods", "internal/prover", "internal/cli", "size"},
	"internal/docs/write":     {"internal/docs"},
	"cmd/weir":                {"internal/cli"},
	"cmd/weir-engine":         {"internal/engine"},
	"cmd/weir-server":         {"internal/methods", "internal/prover"},
	"cmd/weir-server/overlay": {},
}

// forbidden are packages that a program or package may not reach at all, with
// the reason.
var forbidden = []struct {
	goos, pkg string
	deps      map[string]string
}{
	{"js", "./cmd/weir-engine", pure},
	{"", "./internal/engine", pure},
	{"", "./subject", pure},
	{"", "./lint", pure},
	{"js", "./size", pure},
	{"", "./sim", pure},
	{"", "./advise", pure},
	{"", "./synth", pure},
	{"", "./internal/studio", map[string]string{serverPkg: "the server belongs to prove", clientPkg: "the studio connects to nothing"}},
}

const (
	serverPkg = "github.com/nats-io/nats-server/v2/server"
	clientPkg = "github.com/nats-io/nats.go"
)

var pure = map[string]string{
	"net/http":      "the engine opens no connection",
	"crypto/tls":    "the engine opens no connection",
	"os/exec":       "the engine starts nothing",
	"text/template": "it keeps every exported method alive: up to 2.4 MB of brotli",
	"html/template": "it keeps every exported method alive: up to 2.4 MB of brotli",
	serverPkg:       "the server belongs to prove; it is 5 MB",
	clientPkg:       "the client belongs to prove",
}

func TestDirection(t *testing.T) {
	for _, goos := range []string{"", "js"} {
		out := goList(t, goos, "-f", `{{.ImportPath}}:{{join .Imports " "}}`, "./...")
		for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
			path, imports, _ := strings.Cut(line, ":")
			checkEdges(t, strings.TrimPrefix(path, "weir/"), strings.Fields(imports))
		}
	}
}

func checkEdges(t *testing.T, pkg string, imports []string) {
	t.Helper()
	allowed, known := edges[pkg]
	for _, i := range imports {
		to, ours := strings.CutPrefix(i, "weir/")
		if !ours {
			continue
		}
		if !known {
			t.Errorf("%s has no place in the edges table", pkg)
			return
		}
		if !contains(allowed, to) {
			t.Errorf("%s imports %s, which is not one of %v", pkg, to, allowed)
		}
	}
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// TestOnlyProve: the server and its client are imported by prove alone.
func TestOnlyProve(t *testing.T) {
	out := goList(t, "", "-f", `{{.ImportPath}}:{{join .Imports " "}}`, "./...")
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		path, imports, _ := strings.Cut(line, ":")
		for _, i := range strings.Fields(imports) {
			if (i == serverPkg || strings.HasPrefix(i, clientPkg)) && !strings.HasPrefix(path, "weir/prove") {
				t.Errorf("%s imports %s; only prove may", path, i)
			}
		}
	}
}

func TestForbidden(t *testing.T) {
	for _, f := range forbidden {
		deps := map[string]bool{}
		for _, d := range strings.Fields(goList(t, f.goos, "-deps", f.pkg)) {
			deps[d] = true
		}
		for dep, why := range f.deps {
			if deps[dep] {
				t.Errorf("%s reaches %s: %s", f.pkg, dep, why)
			}
		}
	}
}

// goList runs go list in the root of the module.
func goList(t *testing.T, goos string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir = "../.."
	cmd.Env = os.Environ()
	if goos != "" {
		cmd.Env = append(cmd.Env, "GOOS="+goos, "GOARCH=wasm")
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}
