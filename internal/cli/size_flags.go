package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/size"
)

// quantity is a flag that takes a number with a unit. Zero is refused unless
// zeroToo: where the API gives it a meaning, leaving the flag out says the same.
type quantity[T int64 | float64] struct {
	value   T
	text    string
	unit    string
	zeroToo bool
	parse   func(string) (T, error)
}

// Set reads the number.
func (q *quantity[T]) Set(s string) error {
	if strings.HasPrefix(s, "-") { // among them -1, the API's word for unlimited
		return fmt.Errorf("%q is negative; give more than 0, or leave the flag out", s)
	}
	v, err := q.parse(s)
	if err != nil {
		return err
	}
	if v == 0 && !q.zeroToo {
		return fmt.Errorf("%q is nothing to compute with; give more than 0, or leave the flag out", s)
	}
	q.value, q.text = v, s
	return nil
}

// String returns what was written.
func (q *quantity[T]) String() string { return q.text }

// Type names the flag's type in help texts.
func (q *quantity[T]) Type() string { return q.unit }

func (q *quantity[T]) given() bool { return q.text != "" }

func (q *quantity[T]) add(cmd *cobra.Command, name, usage, unit string, parse func(string) (T, error)) {
	q.unit, q.parse = unit, parse
	cmd.Flags().Var(q, name, usage)
	complete(cmd, name, nil)
}

// parseLength reads a length inside a message: bytes, with or without a unit.
func parseLength(s string) (float64, error) {
	if s != "" && strings.Trim(s, "0123456789") == "" {
		s += "B"
	}
	n, err := design.ParseSize(s)
	return float64(n), err
}

// parseThroughput reads bytes a second, "125MiB/s".
func parseThroughput(s string) (float64, error) {
	perSecond, ok := strings.CutSuffix(s, "/s")
	if !ok {
		return 0, fmt.Errorf("%q is not bytes a second; write 125MiB/s", s)
	}
	n, err := design.ParseSize(perSecond)
	return float64(n), err
}

// mostCount bounds counts: nothing that a server holds comes near it.
const mostCount = 1e18

// parseCount reads a whole number, "500000" or "5e8".
func parseCount(s string) (float64, error) {
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

// few reads a count of things that are sized one by one.
func few(most float64) func(string) (float64, error) {
	return func(s string) (float64, error) {
		v, err := parseCount(s)
		if err == nil && v > most {
			err = fmt.Errorf("%q is more than are sized one by one; give at most %s", s, size.FormatCount(most))
		}
		return v, err
	}
}

// sizeOutput are the flags of every calculator.
type sizeOutput struct {
	format  choice
	explain bool
}

func (o *sizeOutput) add(cmd *cobra.Command) {
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	cmd.Flags().BoolVar(&o.explain, "explain", false, "print the working of each figure")
	cmd.Args = cobra.NoArgs
	cmd.ValidArgsFunction = cobra.NoFileCompletions
}

// replicasFlag adds num_replicas.
func replicasFlag(cmd *cobra.Command, f *choice) {
	choiceFlag(cmd, f, "replicas", "num_replicas", "1", "2", "3", "4", "5")
}

// number is the word of a flag whose words are numbers.
func (f *choice) number() int {
	n, err := strconv.Atoi(f.value)
	if err != nil { // the flag allows other words: a fault of this package
		panic(err)
	}
	return n
}

// span is a duration of the flags as size takes it.
func (q *quantity[T]) span() time.Duration { return time.Duration(q.value) }

// sizeError turns an input that package size refuses into one that names the
// flag, which is called like the input.
func sizeError(err error) error {
	var in *size.InputError
	if !errors.As(err, &in) {
		return err
	}
	name := in.Path[strings.LastIndexByte(in.Path, '.')+1:]
	return badInput("%q cannot be --%s: %s", in.Value, strings.ReplaceAll(name, "_", "-"), in.Reason)
}
