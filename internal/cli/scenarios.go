package cli

import (
	"slices"

	"weir/dialect"
	"weir/size"

	"github.com/spf13/cobra"
)

// scenarioFlag adds --scenario, which a shell completes with the scenarios of the
// files that the line names.
func (c *Command) scenarioFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().StringVar(name, "scenario", "", usage)
	err := cmd.RegisterFlagCompletionFunc("scenario", func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		return c.scenarios(args), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil { // the flag is added above
		panic(err)
	}
}

// scenarios are the scenarios of the designs in files, with how long each is. What
// cannot be read has none: while a line is completed nobody is told why.
func (c *Command) scenarios(files []string) (out []string) {
	// Standard input is the shell's while it completes a line.
	files = slices.DeleteFunc(slices.Clone(files), func(name string) bool { return name == "-" })
	sources, err := c.texts(files)
	if err != nil {
		return nil
	}
	designs, _ := dialect.Read(sources)
	for _, d := range designs {
		for _, s := range d.Scenarios {
			out = append(out, s.Name+"\t"+size.Counted(len(s.Events), "event", "events"))
		}
	}
	return out
}
