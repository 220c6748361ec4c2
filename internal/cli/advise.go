package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"weir/advise"
	"weir/design"
	"weir/size"
)

type adviseOptions struct {
	format      choice
	write, diff bool
	all         bool
}

func (c *Command) advise() *cobra.Command {
	var o adviseOptions
	cmd := &cobra.Command{
		Use:   "advise FILES...",
		Short: "Fill what a design leaves open, each value with its reason and the alternative that it beat",
		Long: `Reads a design and its workload, and says what to set: how long and how much a stream keeps,
replicas, discard, duplicate_window, ack_wait, max_deliver, max_ack_pending, batch and number of
workers, what publishers do with a refusal. Nothing that is written is changed: what works
against the workload or the goals is named, with what would meet them.

FILES are read as weir check reads them. --diff prints the advice as a change of the text,
--write makes it. weir advise stream and weir advise consumer need no design: four numbers do.

The exit code is 0 when nothing that is written works against the workload or the goals, 1 when
something does or the goals cannot be met, and 2 when the files cannot be read.`,
		Example: `  weir advise orders.yaml
  weir advise orders.yaml --diff
  weir advise orders.yaml --write
  weir advise orders.yaml --format json | jq -r '.assets[] | select(.name == "ORDERS").config'
  weir advise stream --rate 800/s --payload 1.2KiB --keep 72h --replicas 3
  weir advise consumer --service-time 20ms --service-p99 400ms --rate 400/s --workers 4 --concurrency 8`,
		Args: cobra.MinimumNArgs(1),
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runAdvise(&o, args) })
	c.envFlag(cmd)
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "print the open values as a change of the text")
	cmd.Flags().BoolVar(&o.write, "write", false, "set the open values in the file, with their reasons as comments")
	cmd.Flags().BoolVar(&o.all, "all", false, "print what is kept, and what is left to the server, as well")
	cmd.MarkFlagsMutuallyExclusive("diff", "write")
	cmd.AddCommand(c.adviseStream(), c.adviseConsumer())
	return cmd
}

func (c *Command) runAdvise(o *adviseOptions, args []string) (int, error) {
	d, sources, err := c.readOne(args, "advise on")
	if err != nil {
		return codeOf(err), err
	}
	a, err := advise.ForDesign(d)
	if err != nil {
		return ExitUsage, inputError{err}
	}
	switch {
	case o.write || o.diff:
		if err := c.takeAdvice(o, sources, d, a); err != nil {
			return codeOf(err), err
		}
	case o.format.value == "json":
		if err := c.printJSON(a); err != nil {
			return ExitTrouble, err
		}
	default:
		printAdvice(c.out, a, o.all)
	}
	if a.Against > 0 || len(a.Relax) > 0 {
		return ExitNo, nil
	}
	return ExitYes, nil
}

// takeAdvice puts the open values into the texts: on paper, or in the files.
func (c *Command) takeAdvice(o *adviseOptions, sources []*design.Source, d *design.Design, a advise.Advice) error {
	edits, without := advise.Edits(d, a)
	changed := map[string][]byte{}
	for _, src := range sources {
		text, err := design.ApplyEdits(src, edits)
		if err != nil {
			return badInput("%s: %w", src.Name, err)
		}
		if string(text) == string(src.Text) {
			continue
		}
		if o.diff {
			c.out.Write(textDiff(src.Name, src.Text, src.Name+" (advised)", text))
			continue
		}
		if src.Name == stdinName {
			return badInput("--write cannot write to standard input; give it a file, or use --diff")
		}
		changed[src.Name] = text
	}
	if err := replaceFiles(changed); err != nil {
		return err
	}
	if o.write {
		fmt.Fprintf(c.out, "set %s\n", size.Counted(a.Open-len(without), "value", "values"))
	}
	for _, s := range without {
		fmt.Fprintf(c.Stderr, "%s is to be set to %s by hand: the text has no place for it\n", s.Path, s.Advised)
	}
	for _, say := range a.Relax {
		fmt.Fprintln(c.Stderr, say)
	}
	return nil
}

// printAdvice prints an advice for people.
func printAdvice(w io.Writer, a advise.Advice, all bool) {
	fmt.Fprintln(w, a.Says)
	for _, asset := range a.Assets {
		var lines []advise.Setting
		for _, s := range asset.Settings {
			if all || s.State == advise.Open || s.State == advise.Against {
				lines = append(lines, s)
			}
		}
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s %s: %s\n", asset.Kind, asset.Name, asset.Says)
		for _, s := range lines {
			value := s.Advised
			if s.State == advise.Against {
				value = s.Written + " -> " + s.Advised
			}
			fmt.Fprintf(w, "  %-9s%s: %s\n           %s\n", mark(s.State), s.Field, value, s.Reason)
			for _, r := range s.Rejected {
				if s.State != advise.Kept {
					fmt.Fprintf(w, "           not %s: %s\n", r.Value, r.Why)
				}
			}
		}
	}
	for _, m := range append(a.Relax[:len(a.Relax):len(a.Relax)], a.Missing...) {
		fmt.Fprintf(w, "\n%s\n", m)
	}
}

// mark is the word before a setting.
func mark(s advise.State) string {
	switch s {
	case advise.Open:
		return "set"
	case advise.Against:
		return "against"
	case advise.Kept:
		return "kept"
	}
	return "default"
}
