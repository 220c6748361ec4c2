package size

import (
	"testing"
	"time"
)

// TestBucket_Stream_ttl: what is older than ttl is gone, however much history there
// would be.
func TestBucket_Stream_ttl(t *testing.T) {
	for _, tt := range []struct {
		name string
		b    Bucket
		want float64
	}{
		{"ttl removes them first", Bucket{Keys: 200_000, History: 3, TTL: 30 * time.Minute, Writes: 200}, 360_000},
		{"history removes them first", Bucket{Keys: 1_000, History: 3, TTL: 30 * time.Minute, Writes: 200}, 3_000},
		{"no ttl", Bucket{Keys: 200_000, History: 3, Writes: 200}, 600_000},
		{"writes unknown", Bucket{Keys: 200_000, History: 3, TTL: 30 * time.Minute}, 600_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.b.Stream().Messages; got != tt.want {
				t.Errorf("%v messages, want %v", got, tt.want)
			}
		})
	}
}
