package calculator

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

// Quantity is a field that takes a number with a unit. Zero is refused unless
// ZeroToo: where the API gives it a meaning, leaving the field out says the same.
type Quantity[T int64 | float64] struct {
	// Value is what was read, and Text what was written, "" for nothing yet.
	Value T
	Text  string
	// Unit names the unit in help texts, ZeroToo allows zero, Parse reads a text.
	Unit    string
	ZeroToo bool
	Parse   func(string) (T, error)
}

// Set reads the number.
func (q *Quantity[T]) Set(s string) error {
	if strings.HasPrefix(s, "-") { // among them -1, the API's word for unlimited
		least := "more than 0"
		if q.ZeroToo {
			least = "0 or more"
		}
		return fmt.Errorf("%q is negative; give %s, or leave it out", s, least)
	}
	v, err := q.Parse(s)
	// Of "0", which lacks a unit, a unit would not make more.
	if !q.ZeroToo && (s == "0" || err == nil && v == 0) {
		return fmt.Errorf("%q is nothing to compute with; give more than 0, or leave it out", s)
	}
	if err != nil {
		return err
	}
	q.Value, q.Text = v, s
	return nil
}

// String returns what was written.
func (q *Quantity[T]) String() string { return q.Text }

// Type names the unit, for help texts.
func (q *Quantity[T]) Type() string { return q.Unit }

// Given reports whether anything was written.
func (q *Quantity[T]) Given() bool { return q.Text != "" }

// parseLength reads a length inside a message: bytes, with or without a unit.
func parseLength(s string) (float64, error) {
	if s != "" && strings.Trim(s, "0123456789") == "" {
		s += "B"
	}
	n, err := design.ParseSize(s)
	return float64(n), err
}

// ParseThroughput reads bytes a second, "125MiB/s".
func ParseThroughput(s string) (float64, error) {
	perSecond, ok := strings.CutSuffix(s, "/s")
	if !ok {
		return 0, fmt.Errorf("%q is not bytes a second; write 125MiB/s", s)
	}
	n, err := design.ParseSize(perSecond)
	return float64(n), err
}

// mostCount bounds counts: nothing that a server holds comes near it.
const mostCount = 1e18

// ParseCount reads a whole number, "500000" or "5e8".
func ParseCount(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), math.IsNaN(v), strings.ContainsAny(s, "xXpP_"):
		return 0, fmt.Errorf("%q is not a count; write 500000 or 5e8", s)
	case v > mostCount:
		return 0, fmt.Errorf("%q is beyond 1e18, more than any server can hold; write a smaller number", s)
	case v != math.Trunc(v):
		return 0, fmt.Errorf("%q is not a whole number; write 500000 or 5e8", s)
	}
	return v, nil
}

// Few reads a count of things that are sized one by one.
func Few(most float64) func(string) (float64, error) {
	return func(s string) (float64, error) {
		v, err := ParseCount(s)
		if err == nil && v > most {
			err = fmt.Errorf("%q is more than are sized one by one; give at most %s", s, size.FormatCount(most))
		}
		return v, err
	}
}

// Span is a duration as package size takes it.
func (q *Quantity[T]) Span() time.Duration { return time.Duration(q.Value) }

// Refused turns an input that package size refuses into one that names the field,
// which is called like the input.
func Refused(err error) error {
	var in *size.InputError
	if !errors.As(err, &in) {
		return err
	}
	name := in.Path[strings.LastIndexByte(in.Path, '.')+1:]
	return refuse("%q cannot be --%s: %s", in.Value, strings.ReplaceAll(name, "_", "-"), in.Reason)
}

// parseID reads the length of an id.
func parseID(s string) (float64, error) {
	v, err := parseLength(s)
	if err == nil && v > size.MiB {
		err = fmt.Errorf("%q is too long for a Nats-Msg-Id: it is a header, and max_payload counts it, 1 MiB by default; a UUID has 36", s)
	}
	return v, err
}

// ParseRate reads messages a second.
func ParseRate(s string) (float64, error) {
	v, err := design.ParseRate(s)
	if err == nil && v > mostCount {
		err = fmt.Errorf("%q is beyond 1e18 a second, more than any server can take; write a smaller number", s)
	}
	return v, err
}
