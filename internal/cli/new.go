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
		Use:   "new [--preset NAME [-o FILE]]",
		Short: "Begin a design from a preset",
		Long: `Prints a preset, a complete design with comments that say why each setting is as it is, or
writes it into a new file. Without --preset it lists the presets. A file that exists is not
overwritten.`,
		Example: `  weir new
  weir new --preset orders -o orders.yaml
  weir new --preset jobs | weir check -`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = c.run(func([]string) (int, error) { return c.newDesign(o) })
	cmd.Flags().StringVar(&o.preset, "preset", "", "which preset; weir new lists them")
	cmd.Flags().StringVarP(&o.file, "output", "o", "", "write into this file, which must not exist")
	choiceFlag(cmd, &o.format, "format", "how to print the list", "text", "json")
	var words []string
	for _, p := range design.Presets() {
		words = append(words, p.Name+"\t"+p.Title)
	}
	complete(cmd, "preset", words)
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
	if o.file == "" {
		c.out.WriteString(p.Text)
		return ExitYes, nil
	}
	f, err := os.OpenFile(o.file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	switch {
	case errors.Is(err, fs.ErrExist):
		return ExitUsage, badInput("%s exists and is not overwritten; name another file or remove it", o.file)
	case err != nil:
		return ExitTrouble, fmt.Errorf("write design: %w", err)
	}
	_, err = f.WriteString(p.Text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return ExitTrouble, fmt.Errorf("write design: %w", err)
	}
	fmt.Fprintf(c.out, "wrote %s; next: weir check %s\n", o.file, o.file)
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
