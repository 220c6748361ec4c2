package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"weir/design"
)

type newOptions struct {
	preset, file string
	ask          bool
	answers      string
	format       choice
}

// presetRow is a preset in a list.
type presetRow struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

func (c *Command) new() *cobra.Command {
	var o newOptions
	cmd := &cobra.Command{
		Use:   "new [--preset NAME | --ask [KEY=VALUE...]] [-o FILE]",
		Short: "Begin a design from a preset, or from the answers to six questions",
		Long: `Prints a preset, a complete design with comments that say why each setting is as it is, or
writes it into a new file. Without --preset it lists the presets. A file that exists is not
overwritten.

--ask makes a design of six answers: what flows, how much, how big, how long to keep, who consumes
and how slowly, what may fail. Workers, limits, windows, replicas and servers follow from them,
each with its reason as a comment. It asks on the terminal, or takes KEY=VALUE arguments and the
lines of --answers FILE: what, kind (events or jobs), types, keys, rate, peak, peak_for, size,
largest, keep, survive, wait, twice, version, and "reader=NAME TAKES[..SLOWEST] [xN] [TYPES]" for
each who consumes.`,
		Example: `  weir new
  weir new --preset orders -o orders.yaml
  weir new --preset jobs | weir check -
  weir new --ask -o orders.yaml
  weir new --ask what=orders rate=120/s size=1.2KiB keep=72h "reader=billing 20ms..400ms x8" survive=node wait=10m`,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if o.ask || o.answers != "" {
			return nil
		}
		return cobra.NoArgs(cmd, args)
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		if o.ask || o.answers != "" {
			return c.ask(o, args)
		}
		return c.newDesign(o)
	})
	cmd.Flags().BoolVar(&o.ask, "ask", false, "make a design of the answers to six questions")
	cmd.Flags().StringVar(&o.answers, "answers", "", "take the answers from this file, a KEY: VALUE a line; - for standard input")
	cmd.Flags().StringVar(&o.preset, "preset", "", "which preset; weir new lists them")
	cmd.Flags().StringVarP(&o.file, "output", "o", "", "write into this file, which must not exist")
	choiceFlag(cmd, &o.format, "format", "how to print the list", "text", "json")
	var words []string
	for _, p := range design.Presets() {
		words = append(words, p.Name+"\t"+p.Title)
	}
	complete(cmd, "preset", words)
	cmd.MarkFlagsMutuallyExclusive("preset", "ask")
	cmd.MarkFlagsMutuallyExclusive("preset", "answers")
	return cmd
}

func (c *Command) newDesign(o newOptions) (int, error) {
	if o.preset == "" {
		if o.file != "" {
			return ExitUsage, badInput("--output needs --preset; weir new lists the presets")
		}
		return ExitYes, c.listPresets(o.format.value)
	}
	p, err := design.FindPreset(o.preset)
	if err != nil {
		return ExitUsage, inputError{err}
	}
	return c.putDesign(o.file, p.Text, "")
}

// putDesign prints a new design, or writes it into a file that does not exist yet.
func (c *Command) putDesign(file, text, about string) (int, error) {
	if file == "" {
		c.out.WriteString(text)
		return ExitYes, nil
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return ExitUsage, badInput("%s exists and is not overwritten; name another file or remove it", file)
	case err != nil:
		return ExitTrouble, fmt.Errorf("write design: %w", err)
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return ExitTrouble, fmt.Errorf("write design: %w", err)
	}
	if about != "" {
		about = ", " + about
	}
	fmt.Fprintf(c.out, "wrote %s%s; next: weir check %s\n", file, about, file)
	return ExitYes, nil
}

func (c *Command) listPresets(format string) error {
	var rows []presetRow
	var cells [][]cell
	for _, p := range design.Presets() {
		rows = append(rows, presetRow{p.Name, p.Title})
		cells = append(cells, []cell{plain(p.Name), plain(p.Title)})
	}
	if format == "json" {
		return c.printJSON(rows)
	}
	c.table("", cells)
	return nil
}
