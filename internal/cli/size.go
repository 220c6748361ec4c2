package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"weir/internal/calculator"
)

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
	c.envFlag(cmd)
	for _, one := range calculator.All() {
		cmd.AddCommand(c.calculator(one))
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

// sizeTexts is what the help says of a calculator beside its fields.
type sizeTexts struct{ use, long, example string }

// sizeTextsOf are the texts by the calculator's name.
func sizeTextsOf(name string) sizeTexts {
	switch name {
	case "record":
		return sizeTexts{
			use: "record --payload BYTES",
			long: `Sizes one message as a stream stores it: its share of state.bytes, against which max_bytes
is checked, and what it takes on disk or in the heap of a memory stream.
`,
			example: `  weir size record --payload 1.2KiB --header 64 --subject orders.eu.created
  weir size record --payload 16 --subject-len 10 --storage memory
  weir size record --payload 300 --id-bytes 36 --explain
  weir size record --sample payloads/ --format json | jq .reported.value`,
		}
	case "stream":
		return sizeTexts{
			use: "stream --payload BYTES (--messages COUNT | --rate RATE --max-age DURATION)",
			long: `Sizes one stream on each of its replicas and on all of them: messages and the limit that
binds, state.bytes, disk with blocks, index and slack, heap, the dedup table, the RAFT log,
and the traffic. How much S2 saves depends on the payloads: --sample measures it on yours.
`,
			example: `  weir size stream --payload 1.2KiB --header 64 --subject orders.eu.created --subjects 100000 --messages 5e8 --replicas 3
  weir size stream --payload 800 --id-bytes 36 --rate 800/s --max-age 72h --window 10m --replicas 3 --explain
  weir size stream --sample payloads/ --compression s2 --rate 2000/s --max-age 7d
  weir size stream --payload 512 --rate 50/s --max-bytes 20GiB --format json | jq .retained.binds`,
		}
	case "dedup":
		return sizeTexts{
			use: "dedup --rate RATE --window DURATION",
			long: `Sizes the table in which a stream remembers each Nats-Msg-Id for duplicate_window. It lies
in the heap of every replica, whatever the storage, and is rebuilt at a restart from messages
that are still stored. It holds rate × window ids; messages without an id cost nothing.

` + calculator.WeekExample() + `
See the first example.
`,
			example: `  weir size dedup --rate 10000/s --window 7d --id-bytes 36
  weir size dedup --rate 10000/s --window 2m --id-bytes 36 --replicas 3
  weir size dedup --rate 800/s --window 24h --explain
  weir size dedup --rate 50000/m --window 1h --format json | jq .heap.high`,
		}
	case "memory":
		return sizeTexts{
			use: "memory --messages COUNT --payload BYTES",
			long: `Sizes a stream with storage memory: state.bytes, against which max_bytes and
max_memory_store are checked, and the heap that it really takes, which is more: twice as much
and beyond for small messages.
`,
			example: `  weir size memory --messages 5e6 --payload 200 --subject orders.eu.created
  weir size memory --messages 250000 --payload 16 --subject-len 10 --subjects 1000
  weir size memory --messages 1e6 --payload 1KiB --subjects 1e6 --subject-shape random --explain
  weir size memory --messages 1e6 --payload 1KiB --format json | jq .factor.value`,
		}
	}
	return sizeTexts{
		use: "cluster --nodes COUNT --payload BYTES (--messages COUNT | --rate RATE --max-age DURATION)",
		long: `Places streams that are alike over servers that are alike, as the server would, and sizes
each server: disk, heap, traffic, HA assets, and the numbers of a container: memory request
and limit, GOMEMLIMIT, volume, max_file_store and max_memory_store. With --memory and --disk it
says whether that is enough, and with --reverse how much more of the stream would fit.

--zones spreads the servers over zones and the replicas of a stream with them
(jetstream.unique_tag), so a stream needs as many zones as replicas.
`,
		example: `  weir size cluster --nodes 3 --rate 800/s --payload 800 --id-bytes 36 --replicas 3 --max-age 72h
  weir size cluster --nodes 3 --memory 8GiB --disk 200GiB --rate 800/s --payload 800 --replicas 3 --max-age 72h
  weir size cluster --nodes 6 --zones 3 --streams 20 --rate 50/s --payload 1KiB --replicas 3 --max-bytes 10GiB --memory 4GiB --disk 150GiB
  weir size cluster --nodes 3 --memory 8GiB --disk 300GiB --rate 800/s --payload 800 --replicas 3 --max-age 72h --reverse`,
	}
}

// sizeRun are the flags of every calculator beside its fields.
type sizeRun struct {
	in      *calculator.Input
	samples []string
	format  choice
	explain bool
}

// calculator makes the command of one calculator: a flag for each of its fields.
func (c *Command) calculator(one calculator.Calculator) *cobra.Command {
	texts := sizeTextsOf(one.Name)
	cmd := &cobra.Command{
		Use: texts.use, Short: one.About, Long: texts.long + sizeHelp, Example: texts.example,
		Args: cobra.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
	}
	o := sizeRun{in: calculator.NewInput()}
	cmd.RunE = c.run(func([]string) (int, error) { return c.runCalculator(one, &o) })
	addFields(cmd, o.in, one.Fields)
	if one.Samples() {
		sampleFlag(cmd, &o.samples)
	}
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	cmd.Flags().BoolVar(&o.explain, "explain", false, "print the working of each figure")
	return cmd
}

func (c *Command) runCalculator(one calculator.Calculator, o *sizeRun) (int, error) {
	samples, err := readSamples(o.samples)
	if err != nil {
		return codeOf(err), err
	}
	o.in.Sample(samples)
	a, err := one.Answer(o.in)
	if err != nil {
		err = ofInput(err)
		return codeOf(err), err
	}
	if o.format.value == "json" {
		return yesNo(a.Yes), c.printJSON(a.Values(o.explain))
	}
	c.printAnswer(a, o.explain)
	return yesNo(a.Yes), nil
}
