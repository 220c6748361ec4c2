package cli

import (
	"context"
	"encoding/csv"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/sim"
)

type sweepOptions struct {
	simulateInput
	vary   []string
	seeds  int
	format choice
}

func (c *Command) sweep() *cobra.Command {
	var o sweepOptions
	cmd := &cobra.Command{
		Use:   "sweep DESIGN --vary PATH=VALUES",
		Short: "Simulate a design over ranges of settings, and find the knee",
		Long: `Simulates the design once for each combination of the values and prints a table: how busy
workers are, pending messages, latency, redeliveries and whether the goals are met. The knee is
where more of a setting begins to bring little. All cores are used.

PATH is a setting of the design file. VALUES are a list (10s,30s,1m), a range (1..16) or a range
with a step (10s..60s/10s).

Ctrl-C ends the sweep and leaves the rows so far.

The exit code is 1 when no variant meets the goals, and 3 when the sweep ended before its time.`,
		Example: `  weir sweep orders.yaml --vary streams.ORDERS.consumers.billing.workers.count=1..16
  weir sweep orders.yaml --scenario evening --vary streams.ORDERS.consumers.billing.workers.fetch=1,8,16,64
  weir sweep orders.yaml --vary streams.ORDERS.consumers.billing.ack_wait=5s..60s/5s --format csv`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runSweep(cmd.Context(), &o, args) })
	c.envFlag(cmd)
	c.simulateFlags(cmd, &o.simulateInput)
	cmd.Flags().StringArrayVar(&o.vary, "vary", nil, "PATH=VALUES; several give all combinations")
	seedsFlag(cmd, &o.seeds, "runs of each variant to take the mean of")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json", "csv")
	return cmd
}

func (c *Command) runSweep(ctx context.Context, o *sweepOptions, args []string) (int, error) {
	if len(o.vary) == 0 {
		return ExitUsage, badInput("nothing varies; write --vary PATH=VALUES, for example --vary streams.ORDERS.consumers.billing.workers.count=1..16")
	}
	var settings []sim.Setting
	for _, v := range o.vary {
		s, err := sim.ParseSetting(v)
		if err != nil {
			return ExitUsage, badInput("%s", err)
		}
		settings = append(settings, s)
	}
	sources, err := c.texts(args)
	if err != nil {
		return codeOf(err), err
	}
	if len(sources) != 1 {
		return ExitUsage, badInput("a sweep takes one design file, not %d", len(sources))
	}
	d, err := c.oneDesign(sources, "sweep")
	if err != nil {
		return codeOf(err), err
	}
	options, err := o.options(d, args)
	if err != nil {
		return codeOf(err), err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	progress := c.progressOf("sweeping")
	a, early := sim.Sweep(ctx, sources[0], settings, sim.SweepOptions{Design: options, Seed: o.seed, Seeds: o.seeds, Parallel: runtime.NumCPU(), Progress: progress.report()})
	progress.end()
	if a == nil {
		return simulationEnded(ctx, early)
	}
	switch o.format.value {
	case "json":
		err = c.printJSON(a)
	case "csv":
		err = c.sweepCSV(a)
	default:
		c.printSweep(a)
	}
	if err != nil {
		return ExitTrouble, err
	}
	if early != nil {
		return simulationEnded(ctx, early)
	}
	return yesNo(a.Cheapest >= 0), nil
}

// lastKey is the last part of a path.
func lastKey(path string) string {
	steps := design.Split(path)
	return steps[len(steps)-1]
}

func (c *Command) printSweep(a *sim.SweepAnswer) {
	c.print(plain(a.Verdict))
	c.out.WriteString("\n\n")
	of := "the worst of all consumers"
	if a.Consumer != "" {
		of = a.Consumer
	}
	c.print(dim("figures and goals of " + of))
	c.out.WriteByte('\n')
	var head []cell
	for _, s := range a.Settings {
		head = append(head, dim(strings.ToUpper(lastKey(s.Path))))
	}
	shown := []struct{ name, head string }{{"utilisation", "BUSY"}, {"latency_p50", "P50"}, {"latency_p99", "P99"}, {"pending", "PENDING"}, {"oldest_pending", "OLDEST"}, {"redelivered_share", "REDELIVERED"}}
	for _, f := range shown {
		head = append(head, dim(f.head))
	}
	rows := [][]cell{append(head, dim("GOALS"))}
	for i, r := range a.Rows {
		var row []cell
		for _, v := range r.Values {
			row = append(row, plain(v))
		}
		if r.Error != "" {
			rows = append(rows, append(row, bad(r.Error)))
			continue
		}
		for _, f := range shown {
			text := ""
			for _, x := range r.Figures {
				if x.Name == f.name {
					text = strings.TrimSuffix(x.Text, " messages")
				}
			}
			row = append(row, plain(text))
		}
		goals := good("met")
		if !r.Met {
			goals = bad(fmt.Sprintf("%d missed", len(r.Missed)))
		}
		if i == a.Knee {
			goals.text += ", knee"
		}
		rows = append(rows, append(row, goals))
	}
	c.table("", rows)
}

func (c *Command) sweepCSV(a *sim.SweepAnswer) error {
	w := csv.NewWriter(c.out)
	var head []string
	for _, s := range a.Settings {
		head = append(head, s.Path)
	}
	for _, r := range a.Rows {
		if r.Error == "" {
			for _, f := range r.Figures {
				head = append(head, f.Name)
			}
			break
		}
	}
	records := [][]string{append(head, "met", "error")}
	for _, r := range a.Rows {
		row := append([]string{}, r.Values...)
		for _, f := range r.Figures {
			row = append(row, strconv.FormatFloat(f.Value, 'g', 9, 64))
		}
		for len(row) < len(head) {
			row = append(row, "")
		}
		records = append(records, append(row, strconv.FormatBool(r.Met), r.Error))
	}
	if err := w.WriteAll(records); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}
