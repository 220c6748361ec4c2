//go:build !js

package size

import (
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// inProcess starts a server without a port and connects to it.
func inProcess(t *testing.T, c Cipher) (*server.Server, *nats.Conn, string) {
	t.Helper()
	o := &server.Options{}
	if c != NoCipher {
		o.JetStreamKey = "a key for a test"
		o.JetStreamCipher = map[Cipher]server.StoreCipher{ChaCha: server.ChaCha, AES: server.AES}[c]
	}
	s, nc := serverWith(t, o)
	return s, nc, o.StoreDir
}

// serverWith is inProcess with options; the store is a folder of the test's own.
func serverWith(t *testing.T, o *server.Options) (*server.Server, *nats.Conn) {
	t.Helper()
	o.DontListen, o.JetStream, o.StoreDir, o.NoSigs, o.NoLog = true, true, t.TempDir(), true, true
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return s, nc
}
