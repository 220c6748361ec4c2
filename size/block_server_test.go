//go:build !js

package size

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats.go"
)

// TestBlockSizeAgainstServer writes large messages into streams of many
// configurations: there must be as many blocks as BlockSize lets expect.
func TestBlockSizeAgainstServer(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 100 MB to real servers; not with -short")
	}
	for _, c := range []Cipher{NoCipher, ChaCha} {
		_, nc, dir := inProcess(t, c)
		js, err := nc.JetStream()
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range []Stream{
			{}, {Retention: WorkQueue}, {Retention: Interest}, {MaxMsgsPerSubject: 5}, {MaxMsgsPerSubject: 5, MaxBytes: 64 * MiB},
			{MaxBytes: 33_000_000}, {MaxBytes: 20_000_000}, {MaxBytes: 127_000}, {MaxBytes: 130_000}, {MaxMsgs: 200, MaxMsgSize: 60_000, LiteralSubject: 3},
			{MaxMsgs: 40}, {MaxMsgs: 10}, {MaxMsgs: 3, MaxMsgSize: 41_000, LiteralSubject: 3},
		} {
			s.Cipher = c
			name := fmt.Sprintf("b%02d", i)
			got := blocksOf(t, js, filepath.Join(dir, "jetstream", "$G", "streams", name), name, &s)
			z, err := OfStream(s, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if want := z.Disk.Blocks.Value; got != want {
				t.Errorf("max_bytes %d max_msgs %d max_msg_size %d per subject %d %s %q: %.0f blocks of %.0f messages of %.0f B, want %.0f", s.MaxBytes, s.MaxMsgs, s.MaxMsgSize,
					s.MaxMsgsPerSubject, s.retention(), s.Cipher, got, s.Messages, recordFigure(s.Message, File).Value, want)
			}
		}
	}
}

// blocksOf writes 12 MB, or until the stream is full, notes in s what was
// written, and returns the number of block files.
func blocksOf(t *testing.T, js nats.JetStreamContext, dir, name string, s *Stream) float64 {
	t.Helper()
	cfg := &nats.StreamConfig{Name: name, Subjects: []string{name}, Discard: nats.DiscardNew,
		MaxMsgs: s.MaxMsgs, MaxBytes: s.MaxBytes, MaxMsgsPerSubject: s.MaxMsgsPerSubject}
	if s.LiteralSubject == 0 {
		cfg.Subjects = []string{name + ".>", "x" + name + ".*"}
	}
	cfg.MaxMsgSize = int32(s.MaxMsgSize)
	cfg.Retention = map[Retention]nats.RetentionPolicy{Limits: nats.LimitsPolicy, WorkQueue: nats.WorkQueuePolicy, Interest: nats.InterestPolicy}[s.retention()]
	if _, err := js.AddStream(cfg); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if s.Retention == Interest {
		if _, err := js.AddConsumer(name, &nats.ConsumerConfig{Durable: "c", AckPolicy: nats.AckExplicitPolicy}); err != nil {
			t.Fatal(err)
		}
	}
	payload := 40_000
	if s.MaxBytes > 0 && s.MaxBytes < 1_000_000 {
		payload = 1_000
	}
	if s.MaxMsgs > 0 && s.MaxMsgs <= 40 {
		payload = 800_000
	}
	if s.MaxMsgSize > 0 {
		payload = min(payload, int(s.MaxMsgSize))
	}
	body := make([]byte, payload)
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 12_000_000/payload; i++ {
		subject := cfg.Subjects[0]
		if s.LiteralSubject == 0 {
			subject = fmt.Sprintf("%s.%08d", name, r.IntN(100_000_000))
		}
		s.Message = Message{Subject: float64(len(subject)), Payload: float64(payload)}
		// A full stream refuses: nothing is removed from it.
		if _, err := js.Publish(subject, body); err != nil {
			break
		}
		s.Messages++
	}
	files, err := filepath.Glob(filepath.Join(dir, "msgs", "*.blk"))
	if err != nil {
		t.Fatal(err)
	}
	return float64(len(files))
}
