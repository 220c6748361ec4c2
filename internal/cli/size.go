package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"
)

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
	var o sizeDesignOptions
	cmd := &cobra.Command{
		Use:   "size FILES... | size CALCULATOR",
		Short: "Size a design: streams, servers, what is used up first, what failures cost",
		Long: `Sizes what a design holds on its servers: which publisher's messages land in which stream,
how many messages and distinct subjects that makes, and what streams, consumers, buckets and
object stores take of disk, heap and network on each server; what max_bytes reserves, what is
used up first, what each failure costs, and the numbers of a container.

--reverse asks the other way round: how much more the design's servers carry, and what ends
it. --sample measures how far compressed streams shrink, on payloads given as files.

The commands below need no design: they compute the same from a few numbers.
` + textsHelp + `

Exits 0 with the answer, 1 when something cannot be placed or does not fit, and 2 for numbers
that have no size.` + "\n" + sizeHelp,
		Example: `  weir size orders.yaml
  weir size --reverse --stream ORDERS orders.yaml
  weir size --format csv orders.yaml > figures.csv
  weir size --sample ORDERS=payloads/ --explain orders.yaml
  weir size record --payload 1.2KiB --header 64 --subject orders.eu.created
  weir size dedup --rate 10000/s --window 7d --id-bytes 36
  weir size cluster --nodes 3 --memory 8GiB --disk 300GiB --rate 800/s --payload 800B --replicas 3 --max-age 72h`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		if err := mistyped(cmd, args); err != nil {
			return ExitUsage, err
		}
		return c.runSizeDesign(&o, args)
	})
	o.add(cmd)
	for _, make := range sizeCommands {
		cmd.AddCommand(make(c))
	}
	return cmd
}

// mistyped refuses a first argument that is no file and nearly the name of a
// calculator.
func mistyped(cmd *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] == "-" {
		return nil
	}
	if _, err := os.Stat(args[0]); err == nil {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return badInput("%q is neither a file nor a command of %s; did you mean %s?", args[0], cmd.CommandPath(), strings.Join(near, " or "))
	}
	return nil
}
