package advise

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"weir/design"
	"weir/size"
)

// The spellings of a value: as a design file has it, and as JSON of the API.

func word(w string) (string, json.RawMessage) { return w, json.RawMessage(strconv.Quote(w)) }

func count(n int64) (string, json.RawMessage) {
	t := strconv.FormatInt(n, 10)
	return t, json.RawMessage(t)
}

func yes() (string, json.RawMessage) { return "true", json.RawMessage("true") }

func duration(d time.Duration) (string, json.RawMessage) {
	return design.FormatDuration(int64(d)), json.RawMessage(strconv.FormatInt(int64(d), 10))
}

func bytes(n int64) (string, json.RawMessage) {
	return design.FormatSize(n), json.RawMessage(strconv.FormatInt(n, 10))
}

// steps are the lengths of time that people write.
var steps = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 3 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 4 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// upTo is the first length of time that people write and that is not below d;
// whole days beyond one.
func upTo(d time.Duration) time.Duration {
	for _, s := range steps {
		if d <= s {
			return s
		}
	}
	const day = 24 * time.Hour
	if d > math.MaxInt64-day {
		return math.MaxInt64 / day * day
	}
	return (d + day - 1) / day * day
}

// downTo is the longest length of time that people write and that is not above d;
// d itself below a second.
func downTo(d time.Duration) time.Duration {
	const day = 24 * time.Hour
	if d >= day {
		return d / day * day
	}
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i] <= d {
			return steps[i]
		}
	}
	return d
}

// roomier is how much more than needed is reserved.
const roomier = 1.1

// within rounds a size down to two or three digits of its unit.
func within(b float64) int64 {
	unit := float64(size.MiB)
	for _, next := range []float64{size.GiB, size.TiB} {
		if b >= 10*next {
			unit = next
		}
	}
	return int64(max(math.Floor(b/unit)*unit, 0))
}

// roomy rounds a size up to two or three digits of its unit, at least a MiB.
func roomy(b float64) int64 {
	unit := float64(size.MiB)
	for _, next := range []float64{size.GiB, size.TiB} {
		if b >= next {
			unit = next
		}
	}
	n := math.Ceil(b / unit)
	for limit := 100.0; n > limit; limit *= 10 {
		n = math.Ceil(n/(limit/50)) * (limit / 50)
	}
	return int64(min(n*unit, size.Limit/2))
}

// powerOfTwo is the smallest power of two that is not below b.
func powerOfTwo(b float64) int64 {
	return int64(math.Exp2(math.Ceil(math.Log2(max(min(b, 1<<62), 1)))))
}

// oneIn words a small share: "1 in 2,300", "7 in a billion".
func oneIn(share float64) string {
	switch {
	case share <= 1e-12:
		return "less than 1 in a million million"
	case share < 1e-6:
		return fmt.Sprintf("%s in a billion", short(share*1e9))
	case share < 0.01:
		return "1 in " + size.FormatCount(math.Round(1/share))
	}
	return short(share*100) + " %"
}

// short writes a number with two digits that count.
func short(v float64) string {
	if v >= 10 {
		return size.FormatCount(math.Round(v))
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

func perSecond(r float64) string { return short(r) + " msg/s" }

func span(d time.Duration) string { return size.FormatDuration(d) }
