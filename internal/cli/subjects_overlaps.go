package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weir/size"
	"weir/subject"
)

type overlapOptions struct {
	file    string
	escaped bool
	format  choice
	target  targetFlag
	limit   int
}

// invalidPattern is a pattern that is left out, and which one of the list it is,
// from 1: the row, where the list is one file.
type invalidPattern struct {
	Item int `json:"item"`
	subject.Verdict
}

// overlapReport is what weir subjects overlaps prints.
type overlapReport struct {
	Patterns int                 `json:"patterns"`
	Pairs    []subject.Overlap   `json:"pairs"`
	Total    int                 `json:"total"`
	Complete bool                `json:"complete"` // false when the search stopped early
	Reserved []subject.Collision `json:"reserved"`
	// LeftOut counts the patterns that are not valid; Invalid lists them up to the
	// limit. They are not among Patterns.
	LeftOut int              `json:"left_out,omitempty"`
	Invalid []invalidPattern `json:"invalid,omitempty"`
}

func (c *Command) subjectsOverlaps() *cobra.Command {
	var o overlapOptions
	cmd := &cobra.Command{
		Use:   "overlaps PATTERN... | - | @FILE",
		Short: "Find all pairs of patterns that share a subject, with a witness",
		Long: `Finds all pairs in a set of patterns that some subject matches both, with such a subject,
and the reserved spaces ($JS, $SYS, $KV …) that patterns reach into. As subjects of two
streams of one account, overlapping patterns are refused (10065). Exits 1 when there are any.
` + sourcesHelp,
		Example: `  weir subjects overlaps 'orders.*' 'orders.>' 'events.*'
  weir subjects overlaps @stream-subjects.txt
  nats stream ls --json | jq -r '.[].config.subjects[]?' | weir subjects overlaps -
  weir subjects overlaps --format json --limit 10 @patterns.txt`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.overlaps(o, args) })
	cmd.Flags().StringVarP(&o.file, "file", "f", "", "read the patterns of this file, - for standard input")
	cmd.Flags().BoolVar(&o.escaped, "escaped", false, `read \t \n \r \0 \f \xNN \\ in rows`)
	cmd.Flags().IntVar(&o.limit, "limit", 100, "print at most so many pairs and collisions, 1 to 100000")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	o.target.add(cmd, "the newest")
	return cmd
}

func (c *Command) overlaps(o overlapOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	patterns, err := c.list(from, o.escaped, "patterns")
	switch {
	case err != nil:
		return ExitUsage, err
	case o.limit < 1 || o.limit > 100_000:
		return ExitUsage, badInput("--limit %d: write 1 to 100000", o.limit)
	case len(patterns) > subject.MaxMatrixPatterns:
		return ExitUsage, badInput("%s patterns are more than %s; split the list", thousands(len(patterns)), thousands(subject.MaxMatrixPatterns))
	}
	r := overlapReport{Pairs: []subject.Overlap{}, Reserved: []subject.Collision{}}
	for i, p := range patterns {
		if v := subject.Check(p, subject.Subscribe); !v.Valid {
			if !batch {
				return ExitUsage, inputError{v.Error()}
			}
			if r.LeftOut++; len(r.Invalid) < o.limit {
				r.Invalid = append(r.Invalid, invalidPattern{i + 1, v})
			}
			continue
		}
		if found := subject.ReservedCollisions(p, o.target.release()); len(r.Reserved) < o.limit {
			r.Reserved = append(r.Reserved, found[:min(len(found), o.limit-len(r.Reserved))]...)
		}
	}
	r.Patterns = len(patterns) - r.LeftOut
	pairs, total, complete := subject.FindOverlaps(patterns, o.limit)
	r.Pairs, r.Total, r.Complete = append(r.Pairs, pairs...), total, complete
	code := yesNo(total == 0 && len(r.Reserved) == 0)
	if r.Patterns == 0 {
		code = ExitUsage
	}
	if o.format.value == "json" {
		return code, c.printJSON(jsonTexts(r, o.escaped))
	}
	c.printOverlaps(r)
	return code, nil
}

// relationWords read between A and B.
var relationWords = map[subject.Relation]string{
	subject.Equal: "equals", subject.Covers: "covers", subject.Covered: "is covered by", subject.Overlaps: "overlaps",
}

func (c *Command) printOverlaps(r overlapReport) {
	switch {
	case r.Total == 0:
		fmt.Fprintf(c.out, "no overlaps among %s\n", size.Counted(r.Patterns, "pattern", "patterns"))
	case !r.Complete:
		fmt.Fprintf(c.out, "more than %s overlaps among %s; the search ended there\n", thousands(r.Total-1), size.Counted(r.Patterns, "pattern", "patterns"))
	default:
		fmt.Fprintf(c.out, "%s among %s\n", size.Counted(r.Total, "overlap", "overlaps"), size.Counted(r.Patterns, "pattern", "patterns"))
	}
	var rows [][]cell
	for _, p := range r.Pairs {
		verb, says := relationWords[p.Relation], "both match "+show(p.Both)
		if p.Refused {
			verb, says = "collides, for the server, with", "no subject matches both; refused as streams (10065)"
		}
		rows = append(rows, []cell{plain(show(p.A)), warn(verb), plain(show(p.B)), dim(says)})
	}
	c.table("  ", rows)
	if n := r.Total - len(r.Pairs); n > 0 {
		fmt.Fprintf(c.out, "  and %s more; raise --limit to see them\n", thousands(n))
	}
	if len(r.Reserved) > 0 {
		fmt.Fprintf(c.out, "\nreserved spaces\n")
		rows = nil
		for _, col := range r.Reserved {
			says := dim(col.Space.Effect)
			if col.Refused != "" {
				says = bad("a stream without no_ack: " + col.Refused)
			}
			verb := "reaches"
			if col.Witness == "" {
				verb = "collides, for the server, with"
			}
			rows = append(rows, []cell{plain(show(col.Pattern)), warn(verb), plain(col.Space.Space), says})
		}
		c.table("  ", rows)
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(c.out, "\n%s left out\n", size.Counted(r.LeftOut, "invalid pattern is", "invalid patterns are"))
		rows = nil
		for _, v := range r.Invalid {
			rows = append(rows, []cell{plain("item " + thousands(v.Item)), bad(show(v.Subject)), plain(v.Reason)})
		}
		c.table("  ", rows)
		if n := r.LeftOut - len(r.Invalid); n > 0 {
			fmt.Fprintf(c.out, "  and %s more\n", thousands(n))
		}
	}
}
