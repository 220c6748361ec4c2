package cli

import "github.com/spf13/cobra"

// subjectCommands makes the commands below weir subjects, in the order of the
// help.
var subjectCommands = []func(*Command) *cobra.Command{
	(*Command).subjectsExplain,
	(*Command).subjectsValid,
	(*Command).subjectsMatch,
	(*Command).subjectsMatrix,
	(*Command).subjectsRelate,
	(*Command).subjectsOverlaps,
	(*Command).subjectsTransform,
	(*Command).subjectsPartition,
	(*Command).subjectsCardinality,
	(*Command).subjectsMQTT,
	(*Command).subjectsReserved,
	(*Command).subjectsContexts,
}

func (c *Command) subjects() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "subjects",
		Short: "Subjects: validity, matching, relations, overlaps, transforms, partitions",
		Long: "Answers questions about NATS subjects as nats-server would, and says why.\n\n" +
			"A single question exits 0 for yes, 1 for no and 2 for an argument that cannot be used.",
		Example: `  weir subjects explain 'orders.>.processed'
  weir subjects match 'orders.*' orders.created
  weir subjects matrix --prove`,
		Args: groupArgs,
		RunE: showHelp,
	}
	for _, make := range subjectCommands {
		cmd.AddCommand(make(c))
	}
	return cmd
}
