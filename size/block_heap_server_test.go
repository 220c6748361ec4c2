package size

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// TestBlockEntries_server: a real server with 4,000 small blocks keeps of each what
// the formula says, once it has put its buffers away.
func TestBlockEntries_server(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some 15 s")
	}
	const blocks, message = 4_000, 20_000
	s, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer func() { s.Shutdown(); s.WaitForShutdown() }()
	nc, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := nc.JetStream()
	if err != nil {
		t.Fatal(err)
	}
	// Blocks keep the size that the first limit asks for.
	conf := &nats.StreamConfig{Name: "A", Subjects: []string{"a"}, MaxBytes: 100_000}
	if _, err := js.AddStream(conf); err != nil {
		t.Fatal(err)
	}
	conf.MaxBytes = -1
	if _, err := js.UpdateStream(conf); err != nil {
		t.Fatal(err)
	}
	before := liveHeap()
	payload := make([]byte, message)
	for i := range blocks {
		if _, err := js.PublishAsync("a", payload); err != nil {
			t.Fatal(err)
		}
		if i%500 == 499 {
			<-js.PublishAsyncComplete()
		}
	}
	d := Disk{Blocks: given("blocks", blocks, Count)}
	want := blockEntries(d)
	// What is loaded goes 10 s after it was used; a busy machine takes longer.
	var each float64
	for range time.Tick(time.Second) {
		each = (liveHeap() - before) / blocks
		if each <= want.High/blocks {
			break
		}
		if deadline, ok := t.Deadline(); ok && time.Until(deadline) < 30*time.Second {
			break
		}
	}
	if each < want.Low/blocks*0.9 || each > want.High/blocks {
		t.Errorf("%.0f B a block, want %s", each, fmt.Sprint(want.Low/blocks, " to ", want.High/blocks))
	}
}

func liveHeap() float64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
