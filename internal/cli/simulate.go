package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/sim"
	"weir/size"
	"weir/verdict"
)

// simulateInput is what simulate, sweep and tune have in common.
type simulateInput struct {
	scenario string
	span     quantity[int64]
	seed     uint64
	arrivals []string
}

func (c *Command) simulateFlags(cmd *cobra.Command, o *simulateInput) {
	c.scenarioFlag(cmd, &o.scenario, "play this scenario of the design")
	durationFlag(cmd, &o.span, "for", "length of the run (default 1h, or as long as scenario and bursts need)")
	cmd.Flags().Uint64Var(&o.seed, "seed", 1, "seed of the random numbers; the same seed gives the same answer")
	cmd.Flags().StringArrayVar(&o.arrivals, "arrivals", nil, "PUBLISHER=FILE.csv: when its messages are due, in place of its rate")
}

// model reads the design of the arguments.
func (c *Command) model(o *simulateInput, args []string) (*sim.Model, *design.Design, error) {
	d, _, err := c.readOne(args, "simulate")
	if err != nil {
		return nil, nil, err
	}
	options, err := o.options(d, args)
	if err != nil {
		return nil, nil, err
	}
	m, err := sim.FromDesign(d, options)
	if err != nil {
		return nil, nil, badInput("%s", err)
	}
	return m, d, nil
}

// options are the design's options, with the files that it names: they lie
// beside it.
func (o *simulateInput) options(d *design.Design, args []string) (sim.DesignOptions, error) {
	out := sim.DesignOptions{Refuses: verdict.RefusedOf, Scenario: o.scenario, For: o.span.Span(), Files: map[string][]byte{}, Arrivals: map[string][]time.Duration{}}
	dir := "."
	if len(args) > 0 && args[0] != "-" {
		dir = filepath.Dir(args[0])
	}
	for _, name := range sim.TraceFiles(d) {
		text, err := readCSV(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return out, badInput("read trace: %s", err)
		}
		out.Files[name] = text
	}
	for _, a := range o.arrivals {
		name, file, ok := strings.Cut(a, "=")
		if !ok {
			return out, badInput("%q names no file; write --arrivals PUBLISHER=FILE.csv", a)
		}
		text, err := readCSV(file)
		if err != nil {
			return out, badInput("read arrivals: %s", err)
		}
		if out.Arrivals[name], err = sim.ParseArrivals(text); err != nil {
			return out, badInput("%s: %s", file, err)
		}
	}
	return out, nil
}

// readCSV reads a file that is not larger than is sensible.
func readCSV(name string) ([]byte, error) {
	const most = 64 << 20
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s has %s, more than %s", name, size.FormatBytes(float64(info.Size())), size.FormatBytes(most))
	}
	return os.ReadFile(name)
}

type simulateOptions struct {
	simulateInput
	seeds  int
	format choice
	trace  string
}

func (c *Command) simulate() *cobra.Command {
	var o simulateOptions
	cmd := &cobra.Command{
		Use:   "simulate DESIGN | -",
		Short: "Say what will happen to a design under load, faults and time",
		Long: `Simulates the delivery of a design's messages: what becomes pending and for how long, latency,
redeliveries, what is handled twice, lost, refused or stranded, how busy workers are, and how
long everything needs to recover. Goals of the design are met or missed with their margins;
sentences say what to change. docs/model.md lists what the simulator models and ignores.

The same seed gives the same answer. With --seeds figures are means with their 95 % confidence
intervals. Faults of goals.survive are run one by one.

Ctrl-C ends the run and leaves the answer so far: with --seeds that of the runs that were over.

The exit code is 0 when no goal is missed, 1 when one is or the server refuses a part of the
design, and 3 when the run ended before its time. A goal that the run does not exercise (nothing
reaches the consumer) or does not decide (it ends too early) is neither met nor missed.`,
		Example: `  weir simulate orders.yaml
  weir simulate orders.yaml --scenario evening --for 2h
  weir simulate orders.yaml --seeds 20 --format json | jq -r '.goals[] | select(.met or .open | not) | .name'
  weir simulate orders.yaml --format csv > series.csv
  weir simulate orders.yaml --for 1m --trace events.jsonl`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runSimulate(cmd.Context(), &o, args) })
	c.envFlag(cmd)
	c.simulateFlags(cmd, &o.simulateInput)
	seedsFlag(cmd, &o.seeds, "runs to take the mean of")
	cmd.Flags().StringVar(&o.trace, "trace", "", "write every event of the first run to this file, one JSON object a line")
	choiceFlag(cmd, &o.format, "format", "how to print; csv is the series over time", "text", "json", "csv")
	return cmd
}

// seeds is a number of runs, 1 to sim.MaxSeeds.
type seeds int

func seedsFlag(cmd *cobra.Command, n *int, usage string) {
	*n = 1
	cmd.Flags().Var((*seeds)(n), "seeds", usage)
}

func (n *seeds) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1 || v > sim.MaxSeeds {
		return fmt.Errorf("%q is no number of runs; give 1 to %s", s, thousands(sim.MaxSeeds))
	}
	*n = seeds(v)
	return nil
}

func (n *seeds) String() string { return strconv.Itoa(int(*n)) }

func (n *seeds) Type() string { return "int" }

func (c *Command) runSimulate(ctx context.Context, o *simulateOptions, args []string) (int, error) {
	m, _, err := c.model(&o.simulateInput, args)
	if err != nil {
		return codeOf(err), err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	progress := c.progressOf("simulating")
	options := sim.SimulateOptions{Seed: o.seed, Seeds: o.seeds, Parallel: runtime.NumCPU(), Progress: progress.report()}
	end := func() error { return nil }
	if o.trace != "" {
		if options.Trace, end, err = traceTo(o.trace, m); err != nil {
			return ExitTrouble, err
		}
	}
	a, err := m.Simulate(ctx, options)
	progress.end()
	if closed := end(); closed != nil {
		return ExitTrouble, closed
	}
	var tooMuch *sim.TooMuchError
	if err != nil && (a == nil || !errors.As(err, &tooMuch) && ctx.Err() == nil) {
		return simulationEnded(ctx, err)
	}
	early := err
	if early == nil && len(m.Survive) > 0 {
		var goals []sim.GoalAnswer
		faults := c.progressOf("faults")
		if goals, early = m.JudgeSurvive(ctx, o.seed, faults.report()); early != nil && ctx.Err() == nil {
			return simulationEnded(ctx, early)
		}
		faults.end()
		a.AddGoals(m, goals)
	}
	switch err = nil; o.format.value {
	case "json":
		err = c.printJSON(a)
	case "csv":
		err = c.printSeries(a)
	default:
		c.printSimulated(a)
	}
	switch {
	case err != nil:
		return ExitTrouble, err
	case early != nil && ctx.Err() != nil:
		return simulationEnded(ctx, early)
	case early != nil:
		return ExitTrouble, early
	}
	return yesNo(a.Met), nil
}

// untilInterrupted is a context that Ctrl-C ends.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	if ctx == nil {
		ctx = context.Background()
	}
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
}

// simulationEnded says why a run has no answer, or not all of it: Ctrl-C, or its
// input.
func simulationEnded(ctx context.Context, err error) (int, error) {
	if ctx.Err() != nil {
		return ExitTrouble, errors.New("interrupted")
	}
	return ExitUsage, badInput("%s", err)
}

// traceTo writes events as lines of JSON.
func traceTo(name string, m *sim.Model) (func(sim.Event), func() error, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, nil, fmt.Errorf("create trace: %w", err)
	}
	w := bufio.NewWriterSize(f, 1<<16)
	enc := json.NewEncoder(w)
	var first error
	write := func(e sim.Event) {
		if err := enc.Encode(e.Record(m.Workload)); err != nil && first == nil {
			first = fmt.Errorf("write trace: %w", err)
		}
	}
	return write, func() error {
		flushed := w.Flush()
		closed := f.Close()
		if err := errors.Join(first, flushed, closed); err != nil {
			return fmt.Errorf("write trace: %w", err)
		}
		return nil
	}, nil
}

// printSeries writes the series as CSV: one line a step and consumer.
func (c *Command) printSeries(a *sim.Answer) error {
	w := csv.NewWriter(c.out)
	head := []string{"seconds", "consumer", "pending", "ack_pending", "oldest_s", "acked_per_s", "redeliveries_per_s", "latency_mean_s", "latency_max_s", "utilisation", "pending_bytes"}
	if err := w.Write(head); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	number := func(v float64) string { return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64) }
	for _, con := range a.Consumers {
		s := con.Series
		for i := range s.Pending {
			row := []string{number(float64(i+1) * a.Step), con.Name, number(s.Pending[i]), number(s.AckPending[i]), number(s.Oldest[i]), number(s.Acked[i]),
				number(s.Redeliveries[i]), number(s.LatencyMean[i]), number(s.LatencyMax[i]), number(s.Utilisation[i]), number(s.PendingBytes[i])}
			if err := w.Write(row); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
		}
	}
	w.Flush()
	return w.Error()
}

// printAnswer prints an answer for people.
func (c *Command) printSimulated(a *sim.Answer) {
	paint := good
	if !a.Met {
		paint = bad
	}
	c.print(paint(a.Verdict))
	c.out.WriteString("\n\n")
	for _, f := range a.Findings {
		paint := plain
		if f.Severity == "warning" {
			paint = warn
		}
		c.print(paint(f.Severity + ": " + f.Text))
		c.out.WriteByte('\n')
		if f.Advice != "" {
			c.print(plain("  -> " + f.Advice))
			c.out.WriteByte('\n')
		}
	}
	c.printGoalTable(a.Goals)
	c.printConsumers(a)
	for _, k := range a.Marks {
		for _, r := range k.Recoveries {
			c.print(plain(fmt.Sprintf("%s at %s: %s %s", k.Text, size.FormatSeconds(k.At), r.Consumer, r.Text)))
			c.out.WriteByte('\n')
		}
	}
	c.printChart(a)
	for _, n := range a.Notes {
		c.print(dim("note: " + strings.TrimPrefix(n.Path+": ", ": ") + n.Text))
		c.out.WriteByte('\n')
	}
	c.print(dim(fmt.Sprintf("simulated %s, seed %d, %s, %s events a run", size.FormatSeconds(a.Seconds), a.Seed, size.Counted(a.Seeds, "run", "runs"), size.FormatCount(a.Events))))
	c.out.WriteByte('\n')
}

func (c *Command) printGoalTable(goals []sim.GoalAnswer) {
	if len(goals) == 0 {
		return
	}
	rows := [][]cell{{dim("GOAL"), dim("CONSUMER"), dim("WANTED"), dim("GOT"), dim("")}}
	for _, g := range goals {
		verdict := good("met, " + g.Text)
		if g.Text == "met" {
			verdict = good("met")
		}
		switch {
		case g.Open != "":
			verdict = warn(g.Open + ": " + g.Text)
		case !g.Met:
			verdict = bad("missed, " + g.Text)
		}
		rows = append(rows, []cell{plain(g.Name), plain(g.Consumer), plain(g.Wanted), plain(g.Got), verdict})
	}
	c.out.WriteByte('\n')
	c.table("", rows)
}

// shownFigures are the columns of the table of consumers.
var shownFigures = []struct{ name, head string }{
	{"rate", "ARRIVING"}, {"utilisation", "BUSY"}, {"latency_p50", "P50"}, {"latency_p99", "P99"}, {"pending", "PENDING"}, {"oldest_pending", "OLDEST"},
	{"redelivered", "REDELIVERIES"}, {"handled_twice", "TWICE"}, {"lost_messages", "LOST"},
}

func (c *Command) printConsumers(a *sim.Answer) {
	head := []cell{dim("CONSUMER")}
	for _, f := range shownFigures {
		head = append(head, dim(f.head))
	}
	rows := [][]cell{head}
	for i := range a.Consumers {
		row := []cell{plain(a.Consumers[i].Name)}
		for _, f := range shownFigures {
			x, _ := a.Consumers[i].Figure(f.name)
			row = append(row, plain(strings.TrimSuffix(x.Text, " messages")))
		}
		rows = append(rows, row)
	}
	c.out.WriteByte('\n')
	c.table("", rows)
	c.out.WriteByte('\n')
}

// printChart draws num_pending of the consumer that has most of it.
func (c *Command) printChart(a *sim.Answer) {
	const height = 8
	var most *sim.ConsumerAnswer
	top := 0.0
	for i := range a.Consumers {
		if m := slices.Max(append([]float64{0}, a.Consumers[i].Series.Pending...)); m > top {
			top, most = m, &a.Consumers[i]
		}
	}
	if most == nil || top < 10 {
		return
	}
	label := size.FormatCount(top)
	width := min(100, max(20, c.term.columns-len(label)-3))
	columns := make([]float64, width)
	series := most.Series.Pending
	for i, v := range series {
		k := i * width / len(series)
		columns[k] = max(columns[k], v)
	}
	for k := 1; k < width; k++ { // fewer points than columns
		if len(series) < width && columns[k] == 0 {
			columns[k] = columns[k-1]
		}
	}
	blocks := []rune(" ▁▂▃▄▅▆▇█")
	if c.term.ascii {
		blocks = []rune(" .:-=+*%#")
	}
	c.print(dim("pending of " + most.Name))
	c.out.WriteByte('\n')
	for row := height - 1; row >= 0; row-- {
		margin := ""
		switch row {
		case height - 1:
			margin = label
		case 0:
			margin = "0"
		}
		line := make([]rune, 0, width)
		for _, v := range columns {
			eighths := int(math.Round(v/top*height*8)) - row*8
			line = append(line, blocks[min(max(eighths, 0), 8)])
		}
		fmt.Fprintf(c.out, "%*s %s\n", len(label), margin, strings.TrimRight(string(line), " "))
	}
	end := size.FormatSeconds(a.Seconds)
	fmt.Fprintf(c.out, "%*s 0%*s\n\n", len(label), "", width-1, end)
}
