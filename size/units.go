package size

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Binary multiples of a byte, the only ones this package prints.
const (
	KiB = 1 << 10
	MiB = 1 << 20
	GiB = 1 << 30
	TiB = 1 << 40
)

// Unit is what a figure counts. Format prints a value in it.
type Unit string

// The units of figures.
const (
	Bytes          Unit = "B"
	BytesPerSecond Unit = "B/s"
	Messages       Unit = "msg"
	PerSecond      Unit = "msg/s"
	Seconds        Unit = "s"
	Count          Unit = "1"
	Ratio          Unit = "ratio"
	Share          Unit = "share"
)

// mostShare is the largest share that is printed: what is asked for is ten thousand
// times what there is, and more digits say no more.
const mostShare = 10_000

// Format prints v the way the product shows that unit everywhere: bytes in IEC
// units, counts grouped by commas, times as hours and minutes, shares in per
// cent.
func (u Unit) Format(v float64) string {
	switch u {
	case Bytes:
		return FormatBytes(v)
	case BytesPerSecond:
		return FormatBytes(v) + "/s"
	case Messages:
		return Counted(v, "message", "messages")
	case PerSecond:
		return FormatCount(v) + " msg/s"
	case Seconds:
		return FormatSeconds(v)
	case Share:
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return "unknown"
		case v > mostShare:
			return "more than " + FormatCount(mostShare*100) + " %"
		}
		return formatDecimals(v*100, 1) + " %"
	case Ratio:
		return formatDecimals(v, 3)
	}
	return FormatCount(v)
}

// FormatBytes prints a number of bytes in the largest IEC unit that leaves at
// least one before the point: "999 B", "1.2 KiB", "4.3 GiB", "732 TiB", "8 EiB".
// Whole numbers of a unit lose their decimals.
func FormatBytes(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "unknown"
	}
	if v < 0 {
		return "-" + FormatBytes(-v)
	}
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	i := 0
	for v >= 1024 && i < len(units)-1 {
		v /= 1024
		i++
	}
	// 1023.97 KiB would print as 1024.0 KiB: carry into the next unit.
	if i > 0 && i < len(units)-1 && math.Round(v*10)/10 >= 1024 {
		v /= 1024
		i++
	}
	if i == 0 {
		return formatDecimals(v, 1) + " B"
	}
	if v >= 100 {
		return formatDecimals(v, 0) + " " + units[i]
	}
	return formatDecimals(v, 1) + " " + units[i]
}

// FormatCount prints a number grouped by commas: "34,051,200". Numbers below
// ten keep two decimals, numbers below a thousand one, where they have any.
func FormatCount(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "unknown"
	case v < 0:
		return "-" + FormatCount(-v)
	case v < 10:
		return formatDecimals(v, 2)
	case v < 1000:
		return formatDecimals(v, 1)
	}
	return group(strconv.FormatFloat(math.Round(v), 'f', 0, 64))
}

// FormatSeconds prints a span of time in its two largest parts: "250 ms",
// "18 min 39 s", "59 h 35 min", "12 d 4 h", "3.1 years". Hours go on to 99
// before days begin, because retention is written in hours.
func FormatSeconds(s float64) string {
	const minute, hour, day, year = 60, 3600, 86400, 365.25 * 86400
	switch {
	case math.IsNaN(s):
		return "unknown"
	case math.IsInf(s, 0) || s > 1e5*year:
		return "practically never"
	case s < 0:
		return "-" + FormatSeconds(-s)
	case s == 0:
		return "0 s"
	case s < 1e-3:
		return formatDecimals(s*1e6, 1) + " µs"
	case s < 1:
		return formatDecimals(s*1e3, 1) + " ms"
	case s < 10:
		return formatDecimals(s, 2) + " s"
	case s < minute:
		return formatDecimals(s, 1) + " s"
	case s < hour:
		return twoParts(s, minute, "min", 1, "s")
	case s < 100*hour:
		return twoParts(s, hour, "h", minute, "min")
	case s < year:
		return twoParts(s, day, "d", hour, "h")
	}
	return formatDecimals(s/year, 1) + " years"
}

// Counted writes a count with what is counted, "1 cell" or "2,000 cells". What is
// written as 1 is one of it, 0.999 too.
func Counted[N int | int64 | float64](n N, one, many string) string {
	return counted(float64(n), one, many)
}

func counted(n float64, one, many string) string {
	text := FormatCount(n)
	if text == "1" {
		return text + " " + one
	}
	return text + " " + many
}

// FormatDuration is FormatSeconds of d.
func FormatDuration(d time.Duration) string { return FormatSeconds(d.Seconds()) }

// twoParts prints s as whole large and small units, rounded to the small one.
func twoParts(s, large float64, largeName string, small float64, smallName string) string {
	total := math.Round(s / small)
	per := large / small
	a := math.Floor(total / per)
	b := total - a*per
	out := formatDecimals(a, 0) + " " + largeName
	if b > 0 {
		out += " " + formatDecimals(b, 0) + " " + smallName
	}
	return out
}

// formatDecimals prints v with at most n decimals, without trailing zeros.
func formatDecimals(v float64, n int) string {
	s := strconv.FormatFloat(v, 'f', n, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return group(s)
}

// group puts commas between the thousands of the decimal number s.
func group(s string) string {
	whole, rest, point := strings.Cut(s, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		return sign + whole + "." + rest
	}
	return sign + whole
}
