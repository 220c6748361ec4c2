package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weir/subject"
)

func (c *Command) subjectsRelate() *cobra.Command {
	var o batchOptions
	cmd := &cobra.Command{
		Use:   "relate A B | - | @FILE",
		Short: "Relate two patterns: equal, covers, covered, overlaps or disjoint",
		Long: `Says how the subjects that two patterns match lie to each other, with subjects that show it:
one that both match, one that only A and one that only B matches.

Rows hold A<TAB>B; the relation, or "invalid: reason", is appended, and a subject of both.
` + batchHelp,
		Example: `  weir subjects relate 'orders.*.created' 'orders.eu.>'
  weir subjects relate 'orders.>' 'orders.*' --format json
  printf 'a.*\ta.b\n' | weir subjects relate -`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.relate(o, args) })
	o.add(cmd)
	return cmd
}

func (c *Command) relate(o batchOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	if batch && len(from) == 1 {
		return c.batch(from, o, relateRow)
	}
	if batch || len(from) != 2 {
		return ExitUsage, badInput("give two patterns, or - for rows of two")
	}
	a, b := from[0].text(o.escaped), from[1].text(o.escaped)
	for _, p := range []string{a, b} {
		if v := subject.Check(p, subject.Subscribe); !v.Valid {
			return ExitUsage, inputError{v.Error()}
		}
	}
	r := subject.Relate(a, b)
	if o.format.value == "json" {
		return ExitYes, c.printJSON(jsonTexts(r, o.escaped))
	}
	fmt.Fprintf(c.out, "%s\n", r.Relation)
	var rows [][]cell
	for _, w := range []struct{ who, witness string }{{"both match", r.Both}, {"only A matches", r.OnlyA}, {"only B matches", r.OnlyB}} {
		if w.witness != "" {
			rows = append(rows, []cell{dim(w.who), plain(show(w.witness))})
		}
	}
	c.table("  ", rows)
	fmt.Fprintf(c.out, "  %s\n", oneLine(r.Why))
	return ExitYes, nil
}

func relateRow(fields []string) rowAnswer {
	if len(fields) < 2 {
		reason := "one column; write A<TAB>B"
		return rowAnswer{columns: []string{"invalid: " + reason}, value: rowError{fields, reason}, invalid: true}
	}
	for i, name := range []string{"A", "B"} {
		if v := subject.Check(fields[i], subject.Subscribe); !v.Valid {
			return rowAnswer{columns: []string{"invalid: " + name + ": " + v.Reason}, value: rowError{fields, name + ": " + v.Reason}, invalid: true}
		}
	}
	r := subject.Relate(fields[0], fields[1])
	a := rowAnswer{columns: []string{string(r.Relation)}, value: r}
	if r.Both != "" {
		a.columns = append(a.columns, r.Both)
	}
	return a
}
