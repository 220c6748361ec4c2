package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/cobra"

	"weir/internal/engine"
)

type reportOptions struct {
	out, evidence, target string
	seed                  int64
}

func (c *Command) report() *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report FILES... [-o FILE]",
		Short: "Write all that Weir says of a design into one HTML file",
		Long: `Writes the design, its findings, where its messages go, its size with the working of each number,
backpressure with the goals, advice and configuration into one HTML file. It opens offline, holds no
script, asks no server for anything, and prints. --evidence adds what weir prove -o wrote of a run
on the real server; without it nothing in the report is called measured.

The same design, seed and evidence give the same bytes. The exit code is 0 when it was written,
whatever it says, 2 when the call or its files cannot be used.`,
		Example: `  weir report orders.yaml -o report.html
  weir report streams.json server.conf --target 2.12 > report.html
  weir prove orders.yaml -o run.json && weir report orders.yaml --evidence run.json -o report.html`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runReport(&o, args) })
	cmd.Flags().StringVarP(&o.out, "output", "o", "", "write into this file; standard output without it")
	cmd.Flags().StringVar(&o.evidence, "evidence", "", "add the evidence of a run, a file of weir prove -o")
	cmd.Flags().StringVar(&o.target, "target", "", "judge as this server version; the design's without it")
	cmd.Flags().Int64Var(&o.seed, "seed", 0, "seed of the simulation")
	return cmd
}

func (c *Command) runReport(o *reportOptions, args []string) (int, error) {
	_, sources, err := c.readOne(args, "report on")
	if err != nil {
		return codeOf(err), err
	}
	in := engine.ReportIn{Target: o.target, Seed: o.seed}
	for _, s := range sources {
		name := s.Name
		if filepath.IsAbs(name) {
			name = filepath.Base(name) // a report is passed on, and is not to say how this machine is laid out
		}
		in.Files = append(in.Files, engine.File{Name: name, Text: string(s.Text)})
	}
	if o.evidence != "" {
		text, err := os.ReadFile(o.evidence)
		if err != nil {
			return ExitUsage, badInput("read evidence: %w", err)
		}
		in.Evidence = string(text)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r, err := engine.Report(ctx, in, func(int64, int64, string) {})
	switch {
	case ctx.Err() != nil:
		return ExitTrouble, fmt.Errorf("write report: %w", ctx.Err())
	case err != nil:
		return ExitUsage, inputError{err}
	case o.out == "":
		c.out.WriteString(r.HTML)
		return ExitYes, nil
	}
	if err := writeFiles([]toWrite{{path: o.out, text: []byte(r.HTML)}}); err != nil {
		return ExitTrouble, err
	}
	fmt.Fprintf(c.out, "wrote %s\n", o.out)
	return ExitYes, nil
}
