package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/size"
	"weir/subject"
)

type partitionOptions struct {
	file     string
	escaped  bool
	format   choice
	n        int
	given    bool // --n is there
	compare  int
	compares bool // --compare is there
	ranges   []string
	ascii    bool
}

// partitionReport is what weir subjects partition prints.
type partitionReport struct {
	Distribution subject.Distribution  `json:"distribution"`
	Compare      *subject.Distribution `json:"compare,omitempty"`
	Move         *subject.Move         `json:"move,omitempty"`
	// Keys holds the partition of each key when there are 100 or fewer.
	Keys []keyPartition `json:"keys,omitempty"`
}

type keyPartition struct {
	Key       string `json:"key"`
	Partition int    `json:"partition"`
}

func (c *Command) subjectsPartition() *cobra.Command {
	var o partitionOptions
	cmd := &cobra.Command{
		Use:   "partition --n N [--compare M] KEY... | - | @FILE | --range 'order-{0..9999}'",
		Short: "Spread keys over partitions as {{partition(n)}} does, and count who moves",
		Long: `Spreads keys over the partitions of the server's partition function (FNV-1a modulo n), and
says how even the split is. --compare counts the keys that another number of partitions moves.
A key is what the server hashes: the tokens named in {{partition(n,1,2)}}, one behind the
other without a separator, or the whole subject for {{partition(n)}}. The skew is the fullest
partition over the mean: 1.00 is perfectly even.
` + sourcesHelp,
		Example: `  weir subjects partition --n 8 customer-42
  weir subjects partition --n 8 --range 'order-{0..9999}'
  weir subjects partition --n 8 --compare 12 --range 'order-{0..9999}'
  weir subjects partition --n 3 @keys.txt --format json`,
	}
	f := cmd.Flags()
	cmd.RunE = c.run(func(args []string) (int, error) {
		o.given, o.compares = f.Changed("n"), f.Changed("compare")
		return c.partition(o, args)
	})
	f.IntVarP(&o.n, "n", "n", 0, "number of partitions, 1 to 1,000,000")
	f.IntVar(&o.compare, "compare", 0, "another number of partitions, to count the keys that move")
	f.StringArrayVar(&o.ranges, "range", nil, "keys with counters: order-{0..9999}, {000..999} keeps the width, {1..9}.{1..9} makes every pair")
	f.StringVarP(&o.file, "file", "f", "", "read the keys of this file, - for standard input")
	f.BoolVar(&o.escaped, "escaped", false, `read \t \n \r \0 \f \xNN \\ in rows`)
	f.BoolVar(&o.ascii, "ascii", false, "draw with ASCII characters (the default where the locale is not UTF-8)")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	return cmd
}

func (c *Command) partition(o partitionOptions, args []string) (int, error) {
	if !o.given {
		return ExitUsage, badInput("--n is missing: give the number of partitions")
	}
	keys, err := c.partitionKeys(o, args)
	if err != nil {
		return ExitUsage, err
	}
	var r partitionReport
	if r.Distribution, err = subject.Distribute(keys, o.n); err != nil {
		return ExitUsage, badInput("--n: %w", err)
	}
	if o.compares {
		other, err := subject.Distribute(keys, o.compare)
		if err != nil {
			return ExitUsage, badInput("--compare: %w", err)
		}
		move, err := subject.Moves(keys, o.n, o.compare)
		if err != nil {
			return ExitUsage, badInput("--compare: %w", err)
		}
		r.Compare, r.Move = &other, &move
	}
	if len(keys) <= 100 {
		for _, k := range keys {
			r.Keys = append(r.Keys, keyPartition{k, subject.PartitionOf(k, o.n)})
		}
	}
	if o.format.value == "json" {
		return ExitYes, c.printJSON(jsonTexts(r, o.escaped))
	}
	c.printPartitions(r, o.ascii || c.term.ascii)
	return ExitYes, nil
}

func (c *Command) partitionKeys(o partitionOptions, args []string) ([]string, error) {
	var keys []string
	for _, r := range o.ranges {
		more, err := expandRange(r, maxListRows-len(keys))
		if err != nil {
			return nil, err
		}
		keys = append(keys, more...)
	}
	from, _ := sources(args, o.file)
	if len(from) == 0 && len(keys) > 0 {
		return keys, nil
	}
	more, err := c.keys(from, o.escaped)
	return append(keys, more...), err
}

// keys reads keys and leaves out blank rows, which no subject has for a token; it
// says how many they were.
func (c *Command) keys(from []source, escaped bool) ([]string, error) {
	all, err := c.list(from, escaped, "keys")
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(key string) bool { return strings.TrimSpace(key) == "" })
	switch blank := len(all) - len(kept); {
	case len(kept) == 0:
		return nil, badInput("a key that is blank is none; no token of a subject is")
	case blank > 0:
		fmt.Fprintf(c.Stderr, "weir: %s left out\n", size.Counted(blank, "blank row was", "blank rows were"))
	}
	return kept, nil
}

var (
	counterPattern = regexp.MustCompile(`\{(\d+)\.\.(\d+)\}`)
	// brokenCounter is what looks like a counter and is none.
	brokenCounter = regexp.MustCompile(`\{[^{}]*\.\.[^{}]*\}?|\{\d+[^{}]*$`)
)

// expandRange makes the keys of "order-{0..9999}", at most most of them; of
// several counters the last one runs fastest.
func expandRange(s string, most int) ([]string, error) {
	counters := counterPattern.FindAllStringSubmatchIndex(s, -1)
	if broken := brokenCounter.FindString(counterPattern.ReplaceAllString(s, "")); broken != "" {
		return nil, badInput("--range %q: %s is no counter; write {0..9999}", s, broken)
	}
	if len(counters) == 0 {
		return nil, badInput("--range %q: write a counter, such as order-{0..9999}", s)
	}
	keys, at := []string{""}, 0
	for _, m := range counters {
		first, last := s[m[2]:m[3]], s[m[4]:m[5]]
		from, errFrom := strconv.Atoi(first)
		to, errTo := strconv.Atoi(last)
		if errFrom != nil || errTo != nil || to < from || to-from >= most/len(keys) {
			return nil, badInput("--range %q: count upwards, over at most %s keys in all", s, thousands(maxListRows))
		}
		width := 0
		if strings.HasPrefix(first, "0") && len(first) > 1 {
			width = len(first)
		}
		longer := make([]string, 0, len(keys)*(to-from+1))
		for _, key := range keys {
			for i := from; i <= to; i++ {
				longer = append(longer, fmt.Sprintf("%s%s%0*d", key, s[at:m[0]], width, i))
			}
		}
		keys, at = longer, m[1]
	}
	for i := range keys {
		keys[i] += s[at:]
	}
	return keys, nil
}

// mostBars is how many partitions get a bar each.
const mostBars = 64

func (c *Command) printPartitions(r partitionReport, ascii bool) {
	d := r.Distribution
	if len(r.Keys) == 1 {
		fmt.Fprintf(c.out, "%d  %s\n", r.Keys[0].Partition, show(r.Keys[0].Key))
	} else {
		fmt.Fprintf(c.out, "%s over %s: %s to %s each, skew %.2f\n", size.Counted(d.Keys, "key", "keys"), size.Counted(d.Partitions, "partition", "partitions"), thousands(d.Min), thousands(d.Max), d.Skew)
		if d.Empty > 0 {
			fmt.Fprintf(c.out, "%s no key\n", size.Counted(d.Empty, "partition has", "partitions have"))
		}
		c.out.WriteByte('\n')
		c.printBars(d, ascii)
	}
	if m := r.Move; m != nil {
		fmt.Fprintf(c.out, "\nwith %s: %s to %s each, skew %.2f; %s of %s move (%.1f %%)\n", size.Counted(m.To, "partition", "partitions"),
			thousands(r.Compare.Min), thousands(r.Compare.Max), r.Compare.Skew, thousands(m.Moved), size.Counted(m.Keys, "key", "keys"), 100*m.Share)
	}
	if len(r.Keys) > 1 && len(r.Keys) <= 20 {
		c.out.WriteByte('\n')
		var rows [][]cell
		for _, k := range r.Keys {
			rows = append(rows, []cell{plain(strconv.Itoa(k.Partition)), plain(show(k.Key))})
		}
		c.table("", rows)
	}
}

func (c *Command) printBars(d subject.Distribution, ascii bool) {
	const longest = 40
	bar := "█"
	if ascii {
		bar = "#"
	}
	order := make([]int, d.Partitions)
	for i := range order {
		order[i] = i
	}
	left := 0
	if d.Partitions > mostBars {
		slices.SortStableFunc(order, func(a, b int) int { return d.Counts[b] - d.Counts[a] })
		left = d.Partitions - mostBars
		order = order[:mostBars]
	}
	var rows [][]cell
	for _, i := range order {
		n := 0
		if d.Max > 0 {
			n = (d.Counts[i]*longest + d.Max - 1) / d.Max
		}
		rows = append(rows, []cell{dim(strconv.Itoa(i)), plain(fmt.Sprintf("%*s", len(thousands(d.Max)), thousands(d.Counts[i]))), good(strings.Repeat(bar, n))})
	}
	c.table("  ", rows)
	if left > 0 {
		fmt.Fprintf(c.out, "  and %s with fewer keys; --format json has them all\n", size.Counted(left, "partition", "partitions"))
	}
}
