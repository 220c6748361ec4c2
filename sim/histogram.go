package sim

import (
	"math/bits"
	"time"
)

// Histogram counts durations in buckets of 1/64 of their size (three
// significant figures less a little: 1.6 % at most), in integers, so that it is
// the same on every machine. It is the bucketing of HDR histograms, without the
// log format that the library brings along and the simulator has no use for.
type Histogram struct {
	counts   []uint64
	total    uint64
	sum      float64
	min, max int64
}

const (
	subBits    = 7
	subBuckets = 1 << subBits
)

func bucket(v int64) int {
	if v < subBuckets {
		return int(v)
	}
	shift := bits.Len64(uint64(v)) - subBits
	return shift<<(subBits-1) + int(v>>shift)
}

// bucketTop is the largest value of a bucket.
func bucketTop(i int) int64 {
	if i < subBuckets {
		return int64(i)
	}
	shift := i>>(subBits-1) - 1
	return (int64(i-shift<<(subBits-1))+1)<<shift - 1
}

// Record counts a duration in nanoseconds; below 0 is 0.
func (h *Histogram) Record(v int64) {
	i := bucket(v)
	if uint(i) >= uint(len(h.counts)) || uint64(v-h.min) > uint64(h.max-h.min) {
		h.extend(v)
		return
	}
	h.counts[i]++
	h.total++
	h.sum += float64(v)
}

// extend records a value beyond those that there are.
func (h *Histogram) extend(v int64) {
	v = max(v, 0)
	i := bucket(v)
	if i >= len(h.counts) {
		h.counts = append(h.counts, make([]uint64, i+1-len(h.counts))...)
	}
	if h.total == 0 {
		h.min = v
	}
	h.min, h.max = min(h.min, v), max(h.max, v)
	h.counts[i]++
	h.total++
	h.sum += float64(v)
}

// Count is the number of values.
func (h *Histogram) Count() uint64 { return h.total }

// Max is the largest value, exact.
func (h *Histogram) Max() time.Duration { return time.Duration(h.max) }

// Min is the smallest value, exact.
func (h *Histogram) Min() time.Duration { return time.Duration(h.min) }

// Mean is the mean, exact but for rounding.
func (h *Histogram) Mean() time.Duration {
	if h.total == 0 {
		return 0
	}
	return time.Duration(h.sum / float64(h.total))
}

// Percentile is the value that p percent (0 to 100) do not exceed, at most 1.6 %
// too large; 0 without values.
func (h *Histogram) Percentile(p float64) time.Duration {
	if h.total == 0 {
		return 0
	}
	rank := max(1, uint64(float64(h.total)*p/100+0.9999999))
	seen := uint64(0)
	for i, n := range h.counts {
		if seen += n; seen >= rank {
			return time.Duration(min(bucketTop(i), h.max))
		}
	}
	return time.Duration(h.max)
}
