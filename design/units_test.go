package design

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseDuration(t *testing.T) {
	tests := []struct {
		text string
		want time.Duration
		err  string
	}{
		{"72h", 72 * time.Hour, ""}, {"1h30m", 90 * time.Minute, ""}, {"1.5s", 1500 * time.Millisecond, ""}, {"500ms", 500 * time.Millisecond, ""},
		{"2d", 48 * time.Hour, ""}, {"1w", 168 * time.Hour, ""}, {"7us", 7 * time.Microsecond, ""}, {"9ns", 9, ""}, {"0s", 0, ""},
		{"30", 0, `"30" has no unit; write 30ms, 30s, 30m or 30h`},
		{"5min", 0, `"5min" has the unit "min", which is written "m"; write 5m`},
		{"5 s", 0, `"5 s" has a space in it; write 5s`},
		{"5 parsecs", 0, "is not a duration"},
		{"5x", 0, `has the unknown unit "x"; units are ns, us, ms, s, m, h, d and w`},
		{"", 0, `"" is not a duration`}, {"s", 0, `"s" is not a duration`}, {"1.s", 0, "is not a duration"}, {"-5s", 0, "is not a duration"},
		{"300y", 0, `unknown unit "y"`}, {"999999w", 0, "longer than a duration can be"}, {"99999999999999999999999s", 0, "is not a duration"},
	}
	for _, tt := range tests {
		got, err := ParseDuration(tt.text)
		if err == nil && tt.err != "" || err != nil && (tt.err == "" || !strings.Contains(err.Error(), tt.err)) || time.Duration(got) != tt.want {
			t.Errorf("%q: %v, %v; want %v %s", tt.text, time.Duration(got), err, tt.want, tt.err)
		}
	}
}

func TestParseSize(t *testing.T) {
	tests := []struct {
		text string
		want int64
		err  string
	}{
		{"10GiB", 10 << 30, ""}, {"1.2KiB", 1229, ""}, {"300B", 300, ""}, {"1TiB", 1 << 40, ""}, {"0.5MiB", 1 << 19, ""}, {"0B", 0, ""},
		{"10GB", 0, "write 10GiB or 9.31GiB"}, {"10G", 0, "write 10GiB"}, {"64k", 0, "write 64KiB"}, {"1gib", 0, "write 1GiB"}, {"512MB", 0, "write 512MiB or 488.28MiB"},
		{"1024", 0, "write 1024B, 1024KiB, 1024MiB or 1024GiB"}, {"1.2", 0, "has no unit; write 1.2KiB, 1.2MiB or 1.2GiB"}, {"10 XB", 0, "unknown unit"}, {"big", 0, "is not a size"}, {"9999999TiB", 0, "larger than a size can be"},
	}
	for _, tt := range tests {
		got, err := ParseSize(tt.text)
		if err == nil && tt.err != "" || err != nil && (tt.err == "" || !strings.Contains(err.Error(), tt.err)) || got != tt.want {
			t.Errorf("%q: %d, %v; want %d %s", tt.text, got, err, tt.want, tt.err)
		}
	}
}

func TestParseRateAndShare(t *testing.T) {
	tests := []struct {
		text  string
		parse func(string) (float64, error)
		want  float64
		err   string
	}{
		{"800/s", ParseRate, 800, ""}, {"120/m", ParseRate, 2, ""}, {"1.5/s", ParseRate, 1.5, ""}, {"86400/d", ParseRate, 1, ""}, {"7200/h", ParseRate, 2, ""},
		{"800", ParseRate, 0, "write 800/s, 800/m or 800/h"}, {"4k/s", ParseRate, 0, "write 4000/s"}, {"5/sec", ParseRate, 0, "write 5/s"}, {"5/y", ParseRate, 0, "is not a rate"},
		{"1%", ParseShare, 0.01, ""}, {"0.1%", ParseShare, 0.001, ""}, {"100%", ParseShare, 1, ""},
		{"0.01", ParseShare, 0, "write 1%"}, {"5", ParseShare, 0, "write 5%"}, {"101%", ParseShare, 0, "more than 100%"}, {"half", ParseShare, 0, "is not a share"},
	}
	for _, tt := range tests {
		got, err := tt.parse(tt.text)
		if err == nil && tt.err != "" || err != nil && (tt.err == "" || !strings.Contains(err.Error(), tt.err)) || got != tt.want {
			t.Errorf("%q: %v, %v; want %v %s", tt.text, got, err, tt.want, tt.err)
		}
	}
}

func TestFormatUnitsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(1).Draw(t, "n")
		if got, err := ParseDuration(FormatDuration(n)); err != nil || got != n {
			t.Fatalf("%d ns is written %s and read as %d, %v", n, FormatDuration(n), got, err)
		}
		if got, err := ParseSize(FormatSize(n)); err != nil || got != n {
			t.Fatalf("%d B is written %s and read as %d, %v", n, FormatSize(n), got, err)
		}
	})
	for n, want := range map[int64]string{int64(72 * time.Hour): "72h", int64(90 * time.Second): "90s", int64(2 * time.Minute): "2m", 1500: "1500ns", 0: "0", -1: "-1"} {
		if got := FormatDuration(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{10 << 30: "10GiB", 1536: "1536B", 1 << 50: "1024TiB", -1: "-1"} {
		if got := FormatSize(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func FuzzUnits(f *testing.F) {
	for _, s := range []string{"1h30m", "1.999999999w", "10GB", "4k/s", "0.1%", "9223372036854775807ns", "5 min"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, parse := range []func(string) (int64, error){ParseDuration, ParseSize} {
			n, err := parse(s)
			if n < 0 {
				t.Fatalf("%q is %d", s, n)
			}
			var unit *UnitError
			if !errors.As(err, &unit) {
				continue
			}
			for _, w := range unit.Write { // what is proposed has to be right
				if _, err := parse(w); err != nil && len(unit.Write) == 1 {
					t.Fatalf("for %q %q is proposed: %v", s, w, err)
				}
			}
		}
		for _, parse := range []func(string) (float64, error){ParseRate, ParseShare} {
			if x, err := parse(s); err == nil && x < 0 {
				t.Fatalf("%q is %v", s, x)
			}
		}
	})
}

func TestFractionsOfTheSmallestUnit(t *testing.T) {
	for _, text := range []string{"0.1ns", "1.5ns", "0.0000001us"} {
		if n, err := ParseDuration(text); err == nil {
			t.Errorf("%s is read as %d ns", text, n)
		}
	}
	for _, text := range []string{"0.5B", "1.2B", "0.0001KiB"} {
		if n, err := ParseSize(text); err == nil {
			t.Errorf("%s is read as %d B", text, n)
		}
	}
	if n, err := ParseSize("1.2KiB"); err != nil || n != 1229 {
		t.Errorf("1.2KiB is %d B, %v", n, err)
	}
}

func TestUnitAdviceIsReadable(t *testing.T) {
	_, err := ParseSize("1GB")
	if want := `"1GB" has the unit GB, which is read as 1000 by some and as 1024 by others; write 1GiB or 953.67MiB`; err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
