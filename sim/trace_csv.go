package sim

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/design"
)

// maxTrace is how many values of one file are read.
const maxTrace = 2_000_000

// units by which the head of a column says how its numbers are meant.
var traceUnits = []struct {
	name string
	of   unit
	by   float64
}{
	{"ns", ofDuration, 1}, {"us", ofDuration, 1e3}, {"ms", ofDuration, 1e6}, {"s", ofDuration, 1e9},
	{"seconds", ofDuration, 1e9}, {"bytes", ofSize, 1}, {"b", ofSize, 1}, {"kib", ofSize, 1 << 10},
}

// parseTrace reads a CSV file of values: the first column of each record. Values
// have a unit ("20ms", "1.2KiB"), or the head of the column ends in one
// (service_ms, bytes). Lines that begin with # are left out.
func parseTrace(text []byte, u unit) ([]int64, error) {
	by := 0.0
	var out []int64
	err := eachRecord(text, func(line int, rec []string) error {
		cell := strings.TrimSpace(rec[0])
		v, err := parseCell(cell, u, by)
		switch {
		case err == nil:
			out = append(out, v)
		case line == 1 && len(out) == 0:
			by = headUnit(cell, u)
		default:
			return err
		}
		if len(out) > maxTrace {
			return fmt.Errorf("more than %d values; take a sample", maxTrace)
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = errors.New("no value in it")
	}
	return out, err
}

// eachRecord calls f for every record with its number from 1.
func eachRecord(text []byte, f func(n int, rec []string) error) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord, r.Comment, r.ReuseRecord = -1, '#', true
	for n := 1; ; n++ {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = f(n, rec)
		}
		if err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// headUnit is the factor that the head of a column names, 0 for none.
func headUnit(head string, u unit) float64 {
	words := strings.FieldsFunc(strings.ToLower(head), func(r rune) bool { return strings.ContainsRune("_- ()[]/", r) })
	for i := len(words) - 1; i >= 0; i-- {
		for _, t := range traceUnits {
			if t.of == u && t.name == words[i] {
				return t.by
			}
		}
	}
	return 0
}

func parseCell(cell string, u unit, by float64) (int64, error) {
	n, err := strconv.ParseFloat(cell, 64)
	if err == nil {
		if by == 0 {
			return 0, fmt.Errorf("%q has no unit; write %s, or end the head of the column in one (_ms, _bytes)", cell, map[unit]string{ofDuration: "20ms", ofSize: "300B"}[u])
		}
		if n < 0 || n*by > math.MaxInt64/2 || n != n {
			return 0, fmt.Errorf("%q is out of range", cell)
		}
		return int64(math.Round(n * by)), nil
	}
	if u == ofSize {
		return design.ParseSize(cell)
	}
	return design.ParseDuration(cell)
}

// ParseArrivals reads a CSV file of arrivals: the first column of each record is
// when a message is due. Durations count from the start of the run ("1.5s", or
// numbers under a head that ends in _ms or _s); dates as in RFC 3339 count from
// the first of them. The times are sorted. At most 2,000,000.
func ParseArrivals(text []byte) ([]time.Duration, error) {
	var dates []time.Time
	var out []time.Duration
	by := 0.0
	err := eachRecord(text, func(n int, rec []string) error {
		cell := strings.TrimSpace(rec[0])
		if at, err := time.Parse(time.RFC3339Nano, cell); err == nil {
			dates = append(dates, at)
		} else if v, err := parseCell(cell, ofDuration, by); err == nil {
			out = append(out, time.Duration(v))
		} else if n == 1 {
			by = headUnit(cell, ofDuration)
		} else {
			return err
		}
		if len(out)+len(dates) > maxTrace {
			return fmt.Errorf("more than %d arrivals; shorten the trace", maxTrace)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("read arrivals: %w", err)
	case len(dates) > 0 && len(out) > 0:
		return nil, errors.New("read arrivals: dates and durations in one file; write either")
	case len(dates)+len(out) == 0:
		return nil, errors.New("read arrivals: no arrival in it")
	}
	slices.SortFunc(dates, time.Time.Compare)
	for _, d := range dates {
		out = append(out, d.Sub(dates[0]))
	}
	slices.Sort(out)
	return out, nil
}
