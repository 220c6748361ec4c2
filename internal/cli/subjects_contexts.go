package cli

import (
	"github.com/spf13/cobra"

	"weir/subject"
)

func (c *Command) subjectsContexts() *cobra.Command {
	var format choice
	cmd := &cobra.Command{
		Use:   "contexts",
		Short: "List the places where subjects and names are used, with their rules",
		Long:  "Lists the kinds that --as takes, what each accepts, and where the rule comes from.",
		Example: `  weir subjects contexts
  weir subjects contexts --format json
  weir subjects contexts --format json | jq -r '.[] | select(.subject) | .context'`,
		Args: cobra.NoArgs,
		RunE: c.run(func([]string) (int, error) {
			if format.value == "json" {
				return ExitYes, c.printJSON(subject.Contexts())
			}
			rows := [][]cell{{dim("kind"), dim("what it is"), dim("accepted")}}
			for _, i := range subject.Contexts() {
				rows = append(rows, []cell{plain(string(i.Context)), plain(i.Title), plain(i.Rule)}, []cell{plain(""), plain(""), dim(i.Source)})
			}
			c.table("", rows)
			return ExitYes, nil
		}),
	}
	choiceFlag(cmd, &format, "format", "how to print", "text", "json")
	return cmd
}
