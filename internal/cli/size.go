package cli

import "github.com/spf13/cobra"

// sizeCommands makes the commands below weir size, in the order of the help.
var sizeCommands = []func(*Command) *cobra.Command{
	(*Command).sizeRecord,
	(*Command).sizeStream,
	(*Command).sizeDedup,
	(*Command).sizeMemory,
	(*Command).sizeCluster,
}

// sizeHelp is said in the help of every calculator.
const sizeHelp = `
Figures hold for nats-server 2.15.2. A range is what it can be, not a guess at how wrong the
model is; "not measured" marks what rests on something that nobody measured. --explain prints
the working of each figure down to what was given, read in the server's source, or measured.

Units: sizes B, KiB, MiB, GiB, TiB; durations ms, s, m, h, d, w; rates /s, /m, /h, /d. The
lengths that a message is made of are bytes when they have no unit. Counts may be written 5e8.`

func (c *Command) size() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "size",
		Short: "Size messages, streams, dedup tables, memory stores and clusters, without a design",
		Long: "Computes what JetStream occupies from a few numbers: reported bytes, disk, heap, network,\n" +
			"and which limit binds first.\n\n" +
			"Exits 0 with the answer, 1 when what was asked for cannot be placed or does not fit, and\n" +
			"2 for numbers that have no size.",
		Example: `  weir size record --payload 1.2KiB --header 64 --subject orders.eu.created
  weir size dedup --rate 10000/s --window 7d --id-bytes 36
  weir size cluster --nodes 3 --memory 8GiB --disk 300GiB --rate 800/s --payload 800B --replicas 3 --max-age 72h`,
		Args: groupArgs,
		RunE: showHelp,
	}
	for _, make := range sizeCommands {
		cmd.AddCommand(make(c))
	}
	return cmd
}
