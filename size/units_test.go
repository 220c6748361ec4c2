package size

import (
	"math"
	"testing"
	"time"
)

func TestFormatBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		v    float64
		want string
	}{
		{"nothing", 0, "0 B"}, {"bytes", 999, "999 B"}, {"below a unit", 1023, "1,023 B"}, {"a unit", 1024, "1 KiB"},
		{"half", 1536, "1.5 KiB"}, {"carried", 1023.97 * KiB, "1 MiB"}, {"hundreds", 732 * TiB, "732 TiB"},
		{"the largest", math.MaxInt64, "8 EiB"}, {"negative", -2048, "-2 KiB"}, {"a mean", 1228.8, "1.2 KiB"},
		{"infinite", math.Inf(1), "unknown"}, {"not a number", math.NaN(), "unknown"},
	} {
		if got := FormatBytes(c.v); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFormatCount(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "0"}, {1.5, "1.5"}, {0.333, "0.33"}, {42.25, "42.2"}, {999.96, "1,000"}, {1000, "1,000"}, {34051200, "34,051,200"}, {-1234567, "-1,234,567"}} {
		if got := FormatCount(c.v); got != c.want {
			t.Errorf("%g: %q, want %q", c.v, got, c.want)
		}
	}
}

func TestFormatDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0 s"}, {50 * time.Microsecond, "50 µs"}, {250 * time.Millisecond, "250 ms"}, {1500 * time.Millisecond, "1.5 s"}, {30 * time.Second, "30 s"},
		{18*time.Minute + 39*time.Second, "18 min 39 s"}, {2 * time.Minute, "2 min"}, {59*time.Hour + 35*time.Minute, "59 h 35 min"},
		{72 * time.Hour, "72 h"}, {100 * time.Hour, "4 d 4 h"}, {time.Hour - time.Second/10, "60 min"}, {-time.Second, "-1 s"},
		{3 * 365 * 24 * time.Hour, "3 years"},
	} {
		if got := FormatDuration(c.d); got != c.want {
			t.Errorf("%v: %q, want %q", c.d, got, c.want)
		}
	}
	if got := FormatSeconds(math.Inf(1)); got != "practically never" {
		t.Errorf("for ever: %q", got)
	}
}

func TestCounted(t *testing.T) {
	for _, c := range []struct {
		name, got, want string
	}{
		{"none", Counted(0, "message", "messages"), "0 messages"}, {"one", Counted(1, "message", "messages"), "1 message"}, {"many", Counted(int64(2000), "message", "messages"), "2,000 messages"},
		{"a share of one", Counted(0.5, "message", "messages"), "0.5 messages"}, {"written as one", Counted(0.9999, "message", "messages"), "1 message"},
		{"a unit of one", Messages.Format(1), "1 message"}, {"a unit of many", Messages.Format(2), "2 messages"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
		}
	}
}

func TestUnitFormat(t *testing.T) {
	for _, c := range []struct {
		u    Unit
		v    float64
		want string
	}{
		{Bytes, 2 * GiB, "2 GiB"}, {BytesPerSecond, 734003.2, "717 KiB/s"}, {Messages, 1000, "1,000 messages"}, {PerSecond, 800, "800 msg/s"},
		{Seconds, 90, "1 min 30 s"}, {Share, 0.756, "75.6 %"}, {Share, 2e14, "more than 1,000,000 %"}, {Share, math.Inf(1), "unknown"}, {Ratio, 2.1, "2.1"}, {Count, 3, "3"},
	} {
		if got := c.u.Format(c.v); got != c.want {
			t.Errorf("%s: %q, want %q", c.u, got, c.want)
		}
	}
}
