//go:build !js

package prove

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"weir/natsapi"
)

// FindServer finds the binary of a nats-server and the version that it says it
// is. with is the path of a binary, or a version such as 2.12.15 or 2.12. A
// version is looked for on PATH, then in Weir's cache folder, and built into it
// by `go install` where Go is there. The caller's environment may name another
// cache folder in WEIR_CACHE.
func FindServer(ctx context.Context, with string) (path, version string, err error) {
	if info, err := os.Stat(with); err == nil && !info.IsDir() && (strings.ContainsRune(with, filepath.Separator) || !startsWithDigit(with)) {
		path, err := filepath.Abs(with)
		if err != nil {
			return "", "", fmt.Errorf("find server: %w", err)
		}
		version, err := versionOf(ctx, path)
		return path, version, err
	}
	v, err := natsapi.ParseVersion(with)
	if err != nil {
		return "", "", &InputError{fmt.Errorf("find server: %q is no file and no version: %w", with, err)}
	}
	if onPath, err := exec.LookPath(serverBinary); err == nil {
		if got, err := versionOf(ctx, onPath); err == nil && got == v.String() {
			return onPath, got, nil
		}
	}
	dir, err := cacheFolder()
	if err != nil {
		return "", "", err
	}
	cached := filepath.Join(dir, "v"+v.String(), serverBinary+exe())
	if _, err := os.Stat(cached); err != nil {
		if err := install(ctx, v, cached); err != nil {
			return "", "", err
		}
	}
	got, err := versionOf(ctx, cached)
	if err == nil && got != v.String() {
		err = fmt.Errorf("find server: the binary in the cache for %s says that it is %s; remove it", v, got)
	}
	return cached, got, err
}

const serverBinary = "nats-server"

func startsWithDigit(s string) bool {
	s = strings.TrimPrefix(s, "v")
	return s != "" && s[0] >= '0' && s[0] <= '9'
}

func exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

func cacheFolder() (string, error) {
	if dir := os.Getenv("WEIR_CACHE"); dir != "" {
		return filepath.Join(dir, serverBinary), nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find server: no cache folder: %w", err)
	}
	return filepath.Join(dir, "weir", serverBinary), nil
}

// versionLine is what `nats-server --version` prints.
var versionLine = regexp.MustCompile(`nats-server: v(\d+\.\d+\.\d+\S*)`)

// versionOf asks a binary for its version.
func versionOf(ctx context.Context, path string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, "--version").CombinedOutput()
	m := versionLine.FindSubmatch(out)
	if m == nil {
		return "", &InputError{errors.Join(fmt.Errorf("find server: %q does not say that it is a nats-server", filepath.Base(path)), err)}
	}
	return string(m[1]), nil
}

// installWithin is how long building a server may take.
const installWithin = 10 * time.Minute

// install builds a released server into a folder of its own and moves it to its
// place, so that a build that was interrupted leaves nothing that looks whole.
func install(ctx context.Context, v natsapi.Version, to string) error {
	tool, err := exec.LookPath("go")
	if err != nil {
		return fmt.Errorf("find server: nats-server %s is not on PATH and not in the cache, and there is no Go to build it with; name its path", v)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("install server: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(to), "build-")
	if err != nil {
		return fmt.Errorf("install server: %w", err)
	}
	defer os.RemoveAll(tmp)
	ctx, cancel := context.WithTimeout(ctx, installWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, "install", "-trimpath", "github.com/nats-io/nats-server/v2@v"+v.String())
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "GOBIN="+tmp, "GOFLAGS=", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("install nats-server %s: %w: %s", v, err, lines[len(lines)-1])
	}
	if err := os.Rename(filepath.Join(tmp, serverBinary+exe()), to); err != nil {
		return fmt.Errorf("install server: %w", err)
	}
	return nil
}
