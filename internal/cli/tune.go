package cli

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"weir/sim"
)

type tuneOptions struct {
	simulateInput
	format choice
}

func (c *Command) tune() *cobra.Command {
	var o tuneOptions
	cmd := &cobra.Command{
		Use:   "tune DESIGN | -",
		Short: "Find the cheapest settings of workers that meet the goals",
		Long: `Searches for each consumer the fewest workers with which its goals are met, over sizes of the
batch, with ack_wait, backoff and max_ack_pending that go with them, and prints what to write
and the trade-off: more workers against latency. A consumer without goals has to keep up, with
workers busy at most 80 % of the time. Every row of the table was simulated.

Ctrl-C ends the search and leaves what was found so far: cheaper settings may do as well.

The exit code is 1 when goals cannot be met, and 3 when the search ended before its time.`,
		Example: `  weir tune orders.yaml
  weir tune orders.yaml --scenario evening --for 1h
  weir tune orders.yaml --format json | jq -r '.consumers[].settings[] | "\(.path): \(.to)"'`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runTune(cmd.Context(), &o, args) })
	c.envFlag(cmd)
	c.simulateFlags(cmd, &o.simulateInput)
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	return cmd
}

func (c *Command) runTune(ctx context.Context, o *tuneOptions, args []string) (int, error) {
	m, _, err := c.model(&o.simulateInput, args)
	if err != nil {
		return codeOf(err), err
	}
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	progress := c.progressOf("tuning")
	a, early := m.Tune(ctx, sim.TuneOptions{Seed: o.seed, Parallel: runtime.NumCPU(), Progress: progress.report()})
	progress.end()
	if a == nil {
		return simulationEnded(ctx, early)
	}
	if o.format.value == "json" {
		err = c.printJSON(a)
	} else {
		c.printTune(a)
	}
	switch {
	case err != nil:
		return ExitTrouble, err
	case early != nil:
		return simulationEnded(ctx, early)
	}
	return yesNo(a.Met), nil
}

func (c *Command) printTune(a *sim.TuneAnswer) {
	paint := good
	if !a.Met {
		paint = bad
	}
	c.print(paint(a.Verdict))
	c.out.WriteByte('\n')
	for i := range a.Consumers {
		c.printTuned(&a.Consumers[i])
	}
}

func (c *Command) printTuned(t *sim.TunedConsumer) {
	c.out.WriteByte('\n')
	c.print(plain(t.Name + ": " + t.Verdict))
	c.out.WriteByte('\n')
	for _, s := range t.Settings {
		from := s.From
		if from == "" {
			from = "nothing"
		}
		c.print(plain(fmt.Sprintf("  %s: %s -> %s", s.Path, from, s.To)))
		c.out.WriteByte('\n')
		c.print(dim("    " + s.Reason))
		c.out.WriteByte('\n')
	}
	if len(t.Front) < 2 {
		return
	}
	rows := [][]cell{{dim("COUNT"), dim("FETCH"), dim("BUSY"), dim("P99"), dim("OLDEST"), dim("GOALS")}}
	for i, r := range t.Front {
		goals := good("met")
		if !r.Met {
			goals = bad("missed: " + strings.Join(r.Missed, ", "))
		}
		if i == t.Chosen {
			goals.text += ", chosen"
		}
		row := []cell{plain(fmt.Sprint(r.Count)), plain(fmt.Sprint(r.Fetch))}
		for _, name := range []string{"utilisation", "latency_p99", "oldest_pending"} {
			for _, f := range r.Figures {
				if f.Name == name {
					row = append(row, plain(f.Text))
				}
			}
		}
		rows = append(rows, append(row, goals))
	}
	c.table("  ", rows)
}
