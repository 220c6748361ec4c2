package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"weir/lint"
)

func (c *Command) rules() *cobra.Command {
	var format choice
	cmd := &cobra.Command{
		Use:   "rules [FAMILY]",
		Short: "List the rules that weir check knows",
		Long: `Lists the rules by which weir check looks at a design, beside what a server refuses: code,
severity and what is wrong. A finding may be less severe than its rule: info, where the design
does not show the harm. FAMILY is the letters of codes, such as CON. weir explain CODE
prints all that is known about one.`,
		Example: `  weir rules
  weir rules CON
  weir rules --format json | jq -r '.[] | select(.proof) | .code'`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return ruleFamilies(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		family := ""
		if len(args) > 0 {
			family = strings.ToUpper(args[0])
		}
		return c.listRules(family, format.value == "json")
	})
	choiceFlag(cmd, &format, "format", "how to print", "text", "json")
	return cmd
}

// ruleFamilies are the letters that codes of rules begin with.
func ruleFamilies() []string {
	var out []string
	for _, r := range lint.Rules() {
		if len(out) == 0 || out[len(out)-1] != r.Family() {
			out = append(out, r.Family())
		}
	}
	return out
}

func (c *Command) listRules(family string, asJSON bool) (int, error) {
	docs := []lint.RuleDoc{}
	var rows [][]cell
	last := ""
	for _, r := range lint.Rules() {
		if family != "" && r.Family() != family {
			continue
		}
		d := r.Doc()
		docs = append(docs, d)
		if d.Family != last {
			last = d.Family
			rows = append(rows, []cell{plain(r.Family()), plain(""), dim(d.Family)})
		}
		rows = append(rows, []cell{plain("  " + d.Code), severityCell(string(d.Severity)), plain(d.Title)})
	}
	if len(docs) == 0 {
		return ExitUsage, badInput("%q is not the letters of a rule's code; there are %s", family, strings.Join(ruleFamilies(), ", "))
	}
	if asJSON {
		return ExitYes, c.printJSON(docs)
	}
	c.table("", rows)
	return ExitYes, nil
}

func severityCell(s string) cell {
	switch s {
	case "error":
		return bad(s)
	case "warning":
		return warn(s)
	}
	return plain(s)
}
