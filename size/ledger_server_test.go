//go:build !js

package size

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestLedgerAgainstServer creates streams with random reservations on a real
// server, and compares which of them it accepts with placement and ledger.
func TestLedgerAgainstServer(t *testing.T) {
	const file, memory = 64 * MiB, 16 * MiB
	for seed := uint64(1); seed <= 8; seed++ {
		_, nc := serverWith(t, &server.Options{JetStreamMaxStore: file, JetStreamMaxMemory: memory})
		js, err := nc.JetStream()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 3))
		p := newPlacer(Cluster{Servers: []Server{{Name: "n1", MaxFileStore: file, MaxMemoryStore: memory}}})
		for i := 0; i < 24; i++ {
			in := Stream{Name: fmt.Sprintf("l%02d", i), MaxBytes: r.Int64N(file / 4)}
			cfg := &nats.StreamConfig{Name: in.Name}
			if r.IntN(2) == 0 {
				in.Storage, cfg.Storage = Memory, nats.MemoryStorage
				in.MaxBytes /= 4
			}
			switch r.IntN(6) {
			case 0:
				in.MaxBytes = -1
			case 1: // exactly what is left
				k := storeIndex(in.storage())
				in.MaxBytes = int64(max(p.limit(0, in.storage())-p.reserved[k][0], 1))
			}
			cfg.MaxBytes = in.MaxBytes
			_, err := js.AddStream(cfg)
			var refused *nats.APIError
			if err != nil && !errors.As(err, &refused) {
				t.Fatal(err)
			}
			got := p.place(in, i)
			if (got.Refused != "") != (err != nil) {
				t.Errorf("seed %d, stream %d (%s, max_bytes %d): server says %v, placement %q", seed, i, in.storage(), in.MaxBytes, err, got.Refused)
				break
			}
		}
	}
}
