package measure

import (
	"bytes"
	_ "embed" // probe.go
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const serverModule = "github.com/nats-io/nats-server/v2"

//go:embed probe/probe.go
var probe string

// Module is a temporary Go module that requires one nats-server version.
type Module struct{ dir string }

// NewModule makes the module and downloads the server with the go tool. The
// version is "2.15.2", without v. Remove it after use.
func NewModule(version string) (*Module, error) {
	dir, err := os.MkdirTemp("", "weir-measure-")
	if err != nil {
		return nil, fmt.Errorf("make module: %w", err)
	}
	m := &Module{dir}
	for name, text := range map[string]string{
		"go.mod": "module measured\n",
		// The tag keeps the program out of Weir's own build.
		"main.go": strings.Replace(probe, "//go:build ignore\n", "", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			m.Remove()
			return nil, fmt.Errorf("make module: %w", err)
		}
	}
	if _, err := m.run("get", serverModule+"@v"+version); err != nil {
		m.Remove()
		return nil, fmt.Errorf("get nats-server %s: %w", version, err)
	}
	return m, nil
}

// Remove deletes the module.
func (m *Module) Remove() { os.RemoveAll(m.dir) }

// run calls the go tool in the module.
func (m *Module) run(args ...string) ([]byte, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stderr = m.dir, &stderr
	// Old servers ask for old dependencies; take what each version itself names.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// Source opens the source of the module's server.
func (m *Module) Source() (*Source, error) {
	dir, err := m.run("list", "-m", "-f", "{{.Dir}}", serverModule)
	if err != nil {
		return nil, fmt.Errorf("find server source: %w", err)
	}
	return Open(strings.TrimSpace(string(dir)))
}

// Defaults are the configurations that a server stores for a stream with only a
// name and for a durable consumer with ack_policy explicit.
type Defaults struct {
	Version  string
	Stream   map[string]json.RawMessage
	Consumer map[string]json.RawMessage
}

// Defaults builds and runs a server of the module's version, in one process and
// without a port.
func (m *Module) Defaults() (Defaults, error) {
	var d Defaults
	out, err := m.run("run", ".")
	if err != nil {
		return d, fmt.Errorf("run server: %w", err)
	}
	if err := json.Unmarshal(out, &d); err != nil {
		return d, fmt.Errorf("run server: %w: %q", err, out)
	}
	return d, nil
}
