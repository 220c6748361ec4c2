package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"weir/size"
	"weir/subject"
)

type explainOptions struct {
	batchOptions
	as     contextFlag
	target targetFlag
}

func (c *Command) subjectsExplain() *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain [--as KIND] SUBJECT... | - | @FILE",
		Short: "Take a subject apart token by token, and say how each place takes it",
		Long: `Takes a subject apart token by token: what each token does, where it stops being valid and
why, what the server answers, what to write instead, and how the other places (core publish,
stream, consumer filter, transform …) take the same string. A stream subject that is valid
and reaches a reserved space is "refused": a stream on it needs no_ack. Exits 1 when one of
the arguments is not valid or refused; of rows, 2 when every row is.
` + sourcesHelp,
		Example: `  weir subjects explain 'orders.>.processed'
  weir subjects explain --as stream '*.>'
  weir subjects explain --as transform-destination 'orders.{{partition(8,1)}}.$1'
  weir subjects explain --format json 'sensors/+/temperature' | jq -r .notes[0]`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.explain(o, args) })
	o.add(cmd)
	o.as.add(cmd)
	o.target.add(cmd, "the newest")
	return cmd
}

func (c *Command) explain(o explainOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	n, taken := 0, 0
	err := c.eachRow(from, func(_ *rowReader, row []byte) error {
		s := string(row)
		if o.escaped {
			s = unescape(s)
		}
		e := subject.Explain(s, o.as.context, o.target.release())
		if e.Valid && e.Refused == "" {
			taken++
		}
		if n++; o.format.value == "json" {
			return printEach(c, []subject.Explanation{jsonTexts(e, o.escaped)})
		}
		if n > 1 {
			c.out.WriteByte('\n')
		}
		c.printExplanation(e)
		return nil
	})
	if err == nil && n == 0 {
		err = noRows(from, "subjects")
	}
	switch {
	case batch && taken > 0:
		return ExitYes, err
	case batch:
		return ExitUsage, err
	}
	return yesNo(taken == n), err
}

// takenCell says whether a place takes a subject: what is valid can be refused
// all the same.
func takenCell(v subject.Verdict) cell {
	if v.Valid && v.Refused != "" {
		return warn("refused")
	}
	return verdictCell(v.Valid)
}

func (c *Command) printExplanation(e subject.Explanation) {
	c.print(takenCell(e.Verdict))
	fmt.Fprintf(c.out, "  %s  %s\n\n", show(e.Subject), oneLine(e.Summary))
	rows := [][]cell{{dim("byte"), dim("token"), dim("role"), dim("")}}
	for _, t := range e.Tokens {
		role := plain(string(t.Role))
		if t.Role == subject.RoleFault {
			role = bad(string(t.Role))
		}
		rows = append(rows, []cell{plain(strconv.Itoa(t.Start + 1)), plain(show(t.Text)), role, plain(t.Says)})
	}
	c.table("  ", rows)
	if n := subject.TokenCount(e.Subject); n > len(e.Tokens) {
		fmt.Fprintf(c.out, "  and %s more\n", size.Counted(n-len(e.Tokens), "token", "tokens"))
	}
	if e.Server != "" {
		fmt.Fprintf(c.out, "\nThe server: %s\n", oneLine(e.Server))
	}
	if len(e.Suggestions) > 0 {
		c.out.WriteString("\nWrite instead\n")
		c.printSuggestions(e.Suggestions)
	}
	if len(e.Notes)+len(e.Spaces) > 0 {
		c.out.WriteString("\nNote\n")
		for _, n := range append(e.Notes, e.Spaces...) {
			fmt.Fprintf(c.out, "  %s\n", oneLine(n))
		}
	}
	c.out.WriteString("\nElsewhere\n")
	var places [][]cell
	for _, v := range e.Places {
		says := remark(v)
		if !v.Valid && v.Server != "" {
			says += " (" + v.Server + ")"
		}
		places = append(places, []cell{takenCell(v), plain(string(v.Context)), plain(says)})
	}
	c.table("  ", places)
}

func (c *Command) printSuggestions(list []subject.Suggestion) {
	var rows [][]cell
	for _, s := range list {
		rows = append(rows, []cell{plain(show(s.Subject)), dim(s.Why)})
	}
	c.table("  ", rows)
}
