package studio

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// UsualAddr is where the studio is when nobody says where: always at the same
// place, because a browser keeps what was drawn by address.
const UsualAddr = "127.0.0.1:4280"

// Serve serves the studio at a loopback address until ctx ends; port 0 takes a
// free one, "" is UsualAddr or, where that is taken, a free one. ready is called once with the URL when connections are accepted.
func Serve(ctx context.Context, addr string, ready func(url string)) error {
	h, err := Handler()
	if err != nil {
		return err
	}
	l, err := listen(addr)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		<-ctx.Done()
		// Open pages hold idle connections only; nothing is worth waiting for.
		_ = srv.Close()
	}()
	ready("http://" + l.Addr().String() + "/")
	err = srv.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		<-stopped
		return nil
	}
	return fmt.Errorf("serve the studio: %w", err)
}

// listen opens an address; for "" UsualAddr, or a free port where that is taken.
func listen(addr string) (net.Listener, error) {
	if addr == "" {
		if l, err := net.Listen("tcp", UsualAddr); err == nil {
			return l, nil
		}
		addr = "127.0.0.1:0"
	}
	if err := CheckAddr(addr); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen on %q: another program has this port, perhaps a studio that is open already; without --addr a free one is taken", addr)
	case err != nil:
		return nil, fmt.Errorf("listen on %q: %w", addr, err)
	}
	return l, nil
}

// CheckAddr refuses an address that is not host:port on loopback.
func CheckAddr(addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if err != nil || !isLoopback(addr) {
		return fmt.Errorf("%q is not a loopback address; the studio listens on this machine only, write 127.0.0.1:PORT", addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("port %q is not a number from 0 to 65535; write 127.0.0.1:8080, or port 0 for a free one", port)
	}
	return nil
}

// OpenBrowser asks the desktop to open a URL and reports whether there is one to
// ask. It does not wait for the browser.
func OpenBrowser(url string) bool {
	var cmd *exec.Cmd
	switch {
	case runtime.GOOS == "darwin":
		cmd = exec.Command("open", url)
	case runtime.GOOS == "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		cmd = exec.Command("xdg-open", url)
	default:
		return false
	}
	if err := cmd.Start(); err != nil {
		return false
	}
	go func() { _ = cmd.Wait() }()
	return true
}
