package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/lint"
	"weir/verdict"
)

type diffOptions struct {
	target targetFlag
	format choice
}

// diffReply is what weir diff prints as JSON.
type diffReply struct {
	Changes []lint.DesignChange `json:"changes"`
	Plan    []lint.PlanStep     `json:"plan"`
}

func (c *Command) diff() *cobra.Command {
	var o diffOptions
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Compare two designs, and say what a server takes as an update",
		Long: `Lists what is different between two designs, by meaning: 24h and 1d are equal and the order
of keys does not count. Then, for servers that run OLD, what has to be done to run NEW: what
is updated in place, and what the server refuses to update, with its err_code and words, so
that it has to be deleted and made anew, which loses its messages or its position.

OLD and NEW are files or folders as for weir check, either one - for standard input. The exit
code is 0 when they are the same, 1 when they differ and 2 when one cannot be read.`,
		Example: `  weir diff orders.yaml orders-next.yaml
  nats stream info ORDERS --json | weir diff - orders.yaml
  weir diff --target 2.10 --format json old/ new/ | jq -r '.plan[] | select(.recreate).name'`,
		Args: cobra.ExactArgs(2),
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runDiff(o, args) })
	c.envFlag(cmd)
	o.target.add(cmd, "what NEW says")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	return cmd
}

func (c *Command) runDiff(o diffOptions, args []string) (int, error) {
	var designs [2]*design.Design
	for i, arg := range args {
		d, _, err := c.readOne([]string{arg}, "compare")
		if err != nil {
			return codeOf(err), err
		}
		designs[i] = d
	}
	changes := lint.Changes(designs[0], designs[1])
	plan := lint.Plan(designs[0], designs[1], o.target.version)
	if o.format.value == "json" {
		return yesNo(len(changes) == 0), c.printJSON(diffReply{changes, plan})
	}
	if len(changes) == 0 {
		c.out.WriteString("no difference\n")
		return ExitYes, nil
	}
	paint := map[design.Op]func(string) cell{design.Created: good, design.Deleted: bad, design.Changed: warn}
	for _, change := range changes {
		c.print(paint[change.Op](change.Text))
		c.out.WriteByte('\n')
	}
	fmt.Fprintf(c.out, "\nOn nats-server %s:\n", verdict.SitesOf(designs[1], o.target.version)[0].Setting.Version)
	if len(plan) == 0 {
		c.out.WriteString("  nothing to do: no stream, bucket or consumer changes\n")
	}
	for _, step := range plan {
		show := plain
		if !step.Accepted {
			show = warn
		}
		c.out.WriteString("  ")
		c.print(show(step.Text))
		c.out.WriteByte('\n')
	}
	return ExitNo, nil
}
