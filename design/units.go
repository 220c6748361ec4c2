package design

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// unit is one unit that the design file knows: its spelling and how many of the
// base unit (nanoseconds, bytes) it is.
type unit struct {
	name string
	size uint64
}

// durationUnits from large to small. A day is 24 hours and a week 7 days: no
// calendar, no leap seconds.
var durationUnits = []unit{
	{"w", 7 * 24 * 3600 * 1e9}, {"d", 24 * 3600 * 1e9}, {"h", 3600 * 1e9}, {"m", 60 * 1e9},
	{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1},
}

var sizeUnits = []unit{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1},
}

// rateUnits give the length of the period in seconds.
var rateUnits = []unit{{"d", 24 * 3600}, {"h", 3600}, {"m", 60}, {"s", 1}}

// misspelt units, by lower-case spelling, and what to write for them.
var misspeltDurations = map[string]string{
	"sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millis": "ms", "milliseconds": "ms",
	"µs": "us", "μs": "us", "usec": "us", "min": "m", "mins": "m", "minute": "m", "minutes": "m",
	"hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d", "days": "d", "week": "w", "weeks": "w",
	"nsec": "ns", "nanos": "ns",
}

// UnitError is a value whose unit is missing, unknown or wrong. Write lists the
// spellings that would be right; with exactly one, a tool may put it in.
type UnitError struct {
	Text  string
	Why   string
	Write []string
}

// Error is the value, what is wrong with it and what to write.
func (e *UnitError) Error() string {
	msg := quote(e.Text) + " " + e.Why
	if len(e.Write) > 0 {
		msg += "; write " + oneOf(e.Write)
	}
	return msg
}

// oneOf joins alternatives: "a", "a or b", "a, b or c".
func oneOf(words []string) string {
	switch n := len(words); n {
	case 0:
		return ""
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}

// quote puts a value of the text into quotes for a message, shortened to 60
// characters so that one huge scalar does not fill the screen.
func quote(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "…"
	}
	return strconv.Quote(s)
}

// decimal is a number as written: whole + frac/10^digits.
type decimal struct {
	whole, frac uint64
	digits      int
}

// cutDecimal cuts a decimal number off the front of s. At most nine digits
// behind the point count; more are refused, no unit needs them.
func cutDecimal(s string) (d decimal, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		hi, lo := bits.Mul64(d.whole, 10)
		sum, carry := bits.Add64(lo, uint64(s[i]-'0'), 0)
		if hi != 0 || carry != 0 {
			return d, s, false
		}
		d.whole = sum
	}
	if i == 0 {
		return d, s, false
	}
	if i < len(s) && s[i] == '.' {
		from := i + 1
		for i = from; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
			d.frac = d.frac*10 + uint64(s[i]-'0')
			if d.digits++; d.digits > 9 {
				return d, s, false
			}
		}
		if i == from {
			return d, s, false
		}
	}
	return d, s[i:], true
}

// tooLong reports whether a number has more digits than 64 bits hold.
func tooLong(s string) bool {
	const most = 19
	s = strings.TrimLeft(s, "0")
	return len(s)-len(strings.TrimLeft(s, "0123456789")) > most
}

// isExponent reports whether what follows a number goes on as in 1e30.
func isExponent(rest string) bool {
	digits := strings.TrimLeft(strings.TrimLeft(rest, "eE"), "+-")
	return len(digits) < len(rest) && (rest[0] == 'e' || rest[0] == 'E') && digits != "" && digits[0] >= '0' && digits[0] <= '9'
}

// times is the decimal times n, rounded to the nearest integer; ok is false when
// it does not fit a signed 64-bit integer.
func (d decimal) times(n uint64) (product uint64, ok bool) {
	hi, lo := bits.Mul64(d.whole, n)
	if hi != 0 {
		return 0, false
	}
	pow := uint64(1)
	for range d.digits {
		pow *= 10
	}
	fhi, flo := bits.Mul64(d.frac, n)
	flo, carry := bits.Add64(flo, pow/2, 0)
	part, _ := bits.Div64(fhi+carry, flo, pow) // fhi < pow, because frac < pow and n < 2^51
	sum, carry := bits.Add64(lo, part, 0)
	return sum, carry == 0 && sum <= math.MaxInt64
}

func (d decimal) float() float64 {
	return float64(d.whole) + float64(d.frac)/math.Pow10(d.digits)
}

func findUnit(units []unit, name string) (unit, bool) {
	for _, u := range units {
		if u.name == name {
			return u, true
		}
	}
	return unit{}, false
}

// cutUnit cuts the letters off the front of s.
func cutUnit(s string) (name, rest string) {
	i := strings.IndexAny(s, "0123456789. /%-+")
	if i < 0 {
		i = len(s)
	}
	return s[:i], s[i:]
}

// noUnit says that a whole number has no unit, and with which it would be right:
// one for 0, which is the same in all of them.
func noUnit(s string, units ...string) error {
	number := strings.TrimLeft(s, "+-")
	switch {
	case strings.Trim(number, "0") == "":
		units = units[:1]
		if units[0] == "ms" {
			units[0] = "s"
		}
	case s[0] == '-':
		return &UnitError{s, "is negative", nil}
	}
	var write []string
	for _, u := range units {
		write = append(write, number+u)
	}
	return &UnitError{s, "has no unit", write}
}

// ParseDuration reads a duration, "72h", "1h30m", "1.5s", in nanoseconds. Units
// are ns, us, ms, s, m, h, d (24 h) and w (7 d). A number without a unit is an
// error, 0 as well: where the API gives 0 and -1 a meaning the reader takes them
// before it comes here. At most 2^63-1 ns, about 292 years.
func ParseDuration(s string) (int64, error) {
	if isInteger(s) {
		return 0, noUnit(s, "ms", "s", "m", "h")
	}
	var sum uint64
	for rest := s; rest != "" || s == ""; {
		d, after, ok := cutDecimal(rest)
		name, next := cutUnit(after)
		if !ok || name == "" {
			return 0, durationError(s, rest, name)
		}
		u, known := findUnit(durationUnits, name)
		if !known {
			return 0, durationError(s, rest, name)
		}
		part, fits := d.times(u.size)
		if u.size == 1 && d.frac > 0 || part == 0 && d.frac > 0 {
			return 0, &UnitError{s, "is a fraction of a nanosecond, and the server counts whole ones", nil}
		}
		if sum += part; !fits || sum > math.MaxInt64 {
			return 0, &UnitError{s, "is longer than a duration can be (292 years)", nil}
		}
		rest = next
	}
	return int64(sum), nil
}

func durationError(s, at, name string) error {
	e := &UnitError{Text: s, Why: "is not a duration"}
	right, known := misspeltDurations[strings.ToLower(strings.TrimSpace(name))]
	compact := strings.ReplaceAll(s, " ", "")
	switch {
	case known:
		e.Why = fmt.Sprintf("has the unit %q, which is written %q", name, right)
		if fixed := strings.ReplaceAll(strings.Replace(s, name, right, 1), " ", ""); isDuration(fixed) {
			e.Write = []string{fixed}
		}
	case compact != s && compact != "":
		if isDuration(compact) {
			e.Why, e.Write = "has a space in it", []string{compact}
			return e
		}
		e.Why += "; write 30s, 5m, 72h or 7d"
	case name != "" && len(at) > len(name) && at[0] >= '0' && at[0] <= '9':
		e.Why = fmt.Sprintf("has the unknown unit %q; units are ns, us, ms, s, m, h, d and w", name)
	default:
		e.Why += "; write 30s, 5m, 72h or 7d"
	}
	return e
}

func isDuration(s string) bool {
	_, err := ParseDuration(s)
	return err == nil
}

// ParseSize reads a size, "10GiB", "1.2KiB", "300B", in bytes, rounded to the
// nearest byte. Units are B, KiB, MiB, GiB and TiB. Decimal units (GB) are
// refused, because people mean either, and a number without a unit too.
func ParseSize(s string) (int64, error) {
	if isInteger(s) {
		return 0, noUnit(s, "B", "KiB", "MiB", "GiB")
	}
	d, name, ok := cutDecimal(s)
	switch {
	case tooLong(s):
		return 0, &UnitError{s, "is larger than a size can be (2^63-1 bytes)", nil}
	case !ok:
		return 0, &UnitError{s, "is not a size; write 300B, 64KiB or 10GiB", nil}
	case isExponent(name):
		return 0, &UnitError{s, "has an exponent; write digits and a unit, such as 64KiB", nil}
	}
	number := s[:len(s)-len(name)]
	if u, known := findUnit(sizeUnits, name); known {
		n, fits := d.times(u.size)
		if u.size == 1 && d.frac > 0 || n == 0 && d.frac > 0 {
			return 0, &UnitError{s, "is a fraction of a byte", nil}
		}
		if !fits {
			return 0, &UnitError{s, "is larger than a size can be (2^63-1 bytes)", nil}
		}
		return int64(n), nil
	}
	return 0, sizeError(s, d, number, strings.TrimSpace(name))
}

func sizeError(s string, d decimal, number, name string) error {
	power := strings.Index("bkmgt", strings.ToLower(name[:min(1, len(name))]))
	tail := strings.ToLower(name[min(1, len(name)):])
	if name == "" && !strings.Contains(s, " ") {
		return noUnit(s, "KiB", "MiB", "GiB")
	}
	if name == "" || power < 0 || tail != "" && tail != "b" && tail != "i" && tail != "ib" {
		return &UnitError{s, fmt.Sprintf("has the unknown unit %q; sizes are B, KiB, MiB, GiB and TiB", name), nil}
	}
	right := sizeUnits[len(sizeUnits)-1-power]
	if tail == "b" && power > 0 && name[len(name)-1] == 'B' {
		bytes, unit := d.float()*math.Pow10(3*power), right
		for i := len(sizeUnits) - 1 - power; bytes < float64(unit.size) && i+1 < len(sizeUnits); i++ {
			unit = sizeUnits[i+1]
		}
		return &UnitError{s, fmt.Sprintf("has the unit %s, which is read as 1000 by some and as 1024 by others", name),
			[]string{number + right.name, strconv.FormatFloat(math.Round(bytes/float64(unit.size)*100)/100, 'f', -1, 64) + unit.name}}
	}
	if _, err := ParseSize(number + right.name); err != nil {
		return err // spelling is not all that is wrong with it
	}
	return &UnitError{s, "has the unit " + quote(name), []string{number + right.name}}
}

// ParseRate reads a rate, "800/s", "4000/m", "12/d", in events a second.
func ParseRate(s string) (float64, error) {
	if isInteger(s) {
		return 0, noUnit(s, "/s", "/m", "/h")
	}
	d, rest, ok := cutDecimal(s)
	if ok && strings.HasPrefix(rest, "/") {
		if u, known := findUnit(rateUnits, rest[1:]); known {
			return d.float() / float64(u.size), nil
		}
	}
	if ok && isExponent(rest) {
		return 0, &UnitError{s, "has an exponent; write digits with /s, such as 1000000/s", nil}
	}
	number := s[:len(s)-len(rest)]
	if k, suffix := strings.CutPrefix(strings.ToLower(rest), "k"); ok && suffix && d.digits == 0 {
		return 0, &UnitError{s, "is not a rate", []string{number + "000" + k}}
	}
	if right, known := misspeltDurations[strings.ToLower(strings.TrimPrefix(rest, "/"))]; ok && known {
		return 0, &UnitError{s, "is not a rate", []string{number + "/" + right}}
	}
	return 0, &UnitError{s, "is not a rate; write a number with /s, /m, /h or /d, such as 800/s", nil}
}

// ParseShare reads a share, "1%", "0.1%", as a fraction from 0 to 1.
func ParseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(s, "%")
	d, rest, ok := cutDecimal(number)
	switch {
	case !ok || rest != "":
		return 0, &UnitError{s, "is not a share; write a percentage such as 1%", nil}
	case !percent && d.whole == 0 && d.frac > 0:
		return 0, &UnitError{s, "has no unit", []string{strconv.FormatFloat(d.float()*100, 'f', -1, 64) + "%"}}
	case !percent:
		return 0, &UnitError{s, "has no unit", []string{s + "%"}}
	case d.float() > 100:
		return 0, &UnitError{s, "is more than 100%", nil}
	}
	return d.float() / 100, nil
}

// FormatDuration writes nanoseconds in the largest single unit up to hours that
// keeps them exact, so that ParseDuration gives the same number: "72h", "90s".
// Numbers below one, which the API gives a meaning of their own, stay bare.
func FormatDuration(ns int64) string {
	if ns <= 0 {
		return strconv.FormatInt(ns, 10)
	}
	return inLargest(durationUnits[2:], uint64(ns)) // from hours down
}

// FormatSize writes bytes in the largest unit that keeps them exact: "10GiB",
// "1500B". Numbers below one stay bare.
func FormatSize(n int64) string {
	if n <= 0 {
		return strconv.FormatInt(n, 10)
	}
	return inLargest(sizeUnits, uint64(n))
}

// inLargest writes n in the first of the units, from large to small, that
// divides it; the last unit is 1 and divides everything.
func inLargest(units []unit, n uint64) string {
	i := 0
	for n%units[i].size != 0 {
		i++
	}
	return strconv.FormatUint(n/units[i].size, 10) + units[i].name
}
