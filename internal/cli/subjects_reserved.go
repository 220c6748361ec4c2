package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weir/size"
	"weir/subject"
)

type reservedOptions struct {
	file    string
	escaped bool
	format  choice
	target  targetFlag
}

func (c *Command) subjectsReserved() *cobra.Command {
	var o reservedOptions
	cmd := &cobra.Command{
		Use:   "reserved [PATTERN... | - | @FILE]",
		Short: "List the reserved spaces, or who of some patterns reaches into them",
		Long: `Lists the parts of the subject space that the server and its libraries use. With patterns
it says which spaces they reach into, with a subject that shows it and what a stream with
that subject is answered; it exits 1 when there are any.
` + sourcesHelp,
		Example: `  weir subjects reserved
  weir subjects reserved '*.>' 'orders.>'
  weir subjects reserved --target 2.10 --format json`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.reserved(o, args) })
	cmd.Flags().StringVarP(&o.file, "file", "f", "", "read the patterns of this file, - for standard input")
	cmd.Flags().BoolVar(&o.escaped, "escaped", false, `read \t \n \r \0 \f \xNN \\ in rows`)
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	o.target.add(cmd, "the newest")
	return cmd
}

func (c *Command) reserved(o reservedOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	if len(from) == 0 {
		return c.listReserved(o)
	}
	patterns, err := c.list(from, o.escaped, "patterns")
	if err != nil {
		return ExitUsage, err
	}
	found, invalid := []subject.Collision{}, 0
	for _, p := range patterns {
		if v := subject.Check(p, subject.Subscribe); !v.Valid {
			if !batch {
				return ExitUsage, inputError{v.Error()}
			}
			invalid++
			fmt.Fprintf(c.Stderr, "weir: left out: %s\n", v.Error())
			continue
		}
		found = append(found, subject.ReservedCollisions(p, o.target.release())...)
	}
	code := yesNo(len(found) == 0)
	if invalid == len(patterns) {
		code = ExitUsage
	}
	if o.format.value == "json" {
		return code, c.printJSON(jsonTexts(found, o.escaped))
	}
	if len(found) == 0 {
		fmt.Fprintf(c.out, "none of %s reaches into a reserved space\n", size.Counted(len(patterns)-invalid, "pattern", "patterns"))
		return code, nil
	}
	rows := [][]cell{{dim("pattern"), dim("space"), dim("for instance"), dim("a stream with it")}}
	for _, col := range found {
		says := plain("accepted: " + col.Space.Effect)
		if col.Refused != "" {
			says = bad(col.Refused)
		}
		witness := show(col.Witness)
		if col.Witness == "" {
			witness = "no subject: the server compares first bytes"
		}
		rows = append(rows, []cell{plain(show(col.Pattern)), plain(col.Space.Space), plain(witness), says})
	}
	c.table("", rows)
	return code, nil
}

func (c *Command) listReserved(o reservedOptions) (int, error) {
	spaces := subject.ReservedSpaces(o.target.release())
	if o.format.value == "json" {
		return ExitYes, c.printJSON(spaces)
	}
	rows := [][]cell{{dim("space"), dim("used by"), dim("a stream on it without no_ack")}}
	for _, s := range spaces {
		says := plain("accepted: " + s.Effect)
		if s.Refused != "" {
			says = plain(s.Refused + ", except " + s.Except)
		}
		rows = append(rows, []cell{plain(s.Space), plain(s.Owner), says})
	}
	c.table("", rows)
	return ExitYes, nil
}
