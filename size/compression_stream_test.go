package size

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
)

// TestStreamed holds the size of a stream to what the server's writer makes.
func TestStreamed(t *testing.T) {
	json := []byte(strings.Repeat(`{"order":17,"state":"paid","at":"2026-01-31T08:00:00Z"}`+"\n", 60_000))
	random, state := make([]byte, 3<<20), uint64(1)
	for i := range random {
		random[i] = byte(hash(&state))
	}
	half := bytes.Clone(json)
	for i := 0; i < len(half); i += 40 {
		copy(half[i:i+20], random[i%len(random):])
	}
	for name, text := range map[string][]byte{"json": json, "random": random, "half": half} {
		for _, n := range []int{0, 1, 15, 17, 33, 200, 5_000, 65_536, 65_537, 700_001, 1 << 20, 1<<20 + 1, 1<<20 + 40, 2_500_000} {
			t.Run(fmt.Sprint(name, n), func(t *testing.T) {
				var out bytes.Buffer
				w := s2.NewWriter(&out, s2.WriterConcurrency(1))
				if _, err := w.Write(text[:n]); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if got := streamed(text[:n]); got != out.Len() {
					t.Errorf("%d bytes, s2.Writer writes %d", got, out.Len())
				}
			})
		}
	}
}
