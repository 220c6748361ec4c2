package cli

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"weir/design"
	"weir/dialect"
	"weir/lint"
)

type fmtOptions struct {
	check, diff bool
	format      choice
}

// formatted is what weir fmt says of a file with --format json.
type formatted struct {
	File     string         `json:"file"`
	Changed  bool           `json:"changed"` // or would be, with --check and --diff
	Findings []lint.Finding `json:"findings,omitempty"`
}

func (c *Command) fmt() *cobra.Command {
	var o fmtOptions
	cmd := &cobra.Command{
		Use:   "fmt [--check | --diff] FILES... | -",
		Short: "Lay design files out in the usual way",
		Long: `Lays design files out in the usual way and changes nothing that they say: order, comments,
quotes, units and line ends (LF or CRLF) stay. Files are rewritten in place and named; standard input is formatted
to standard output. Formatting what is formatted changes nothing.

With --check nothing is written and the exit code is 1 when a file is not formatted; --diff
shows what would change besides. A file that cannot be read is left alone: exit code 1. Of a
folder the design files are formatted; what is in it in other notations is left alone.`,
		Example: `  weir fmt orders.yaml
  weir fmt --check designs/
  weir fmt --diff orders.yaml
  weir fmt - < orders.yaml`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.format(o, args) })
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing, name the files that are not formatted")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing, show what would change")
	choiceFlag(cmd, &o.format, "format", "how to say what was done", "text", "json")
	return cmd
}

func (c *Command) format(o fmtOptions, args []string) (int, error) {
	sources, err := c.given(args)
	if err != nil {
		return codeOf(err), err
	}
	if o.format.value == "json" && slices.Contains(args, "-") && !o.check && !o.diff {
		return ExitUsage, badInput("--format json says what was done to files; standard input is formatted to standard output: add --check")
	}
	code := ExitYes
	changed := map[string][]byte{}
	var said []formatted
	for _, src := range sources {
		if d, ok := dialect.Recognise(src); !ok || d.Name != "weir" {
			if slices.Contains(args, src.Name) || src.Name == stdinName {
				return ExitUsage, badInput("%s is no design file; weir fmt formats design files only", src.Name)
			}
			continue // one of a folder
		}
		before := src.Text
		if src.Name != stdinName {
			if before, err = os.ReadFile(src.Name); err != nil {
				return ExitTrouble, fmt.Errorf("read input: %w", err)
			}
		}
		out, problems := design.Format(src.Name, before)
		f := formatted{File: src.Name, Changed: out != nil && !bytes.Equal(out, before), Findings: lint.FromProblems(problems)}
		said = append(said, f)
		if out == nil || f.Changed && (o.check || o.diff) {
			code = ExitNo
		}
		if err := c.showFormatted(o, f, src, before, out); err != nil {
			return ExitTrouble, err
		}
		if f.Changed && !o.check && !o.diff && src.Name != stdinName {
			changed[src.Name] = out
		}
	}
	if err := replaceFiles(changed); err != nil {
		return ExitTrouble, err
	}
	if o.format.value == "json" {
		return code, c.printJSON(append([]formatted{}, said...))
	}
	return code, nil
}

// showFormatted prints what happens to a file, nothing with --format json.
func (c *Command) showFormatted(o fmtOptions, f formatted, src *design.Source, before, out []byte) error {
	switch {
	case o.format.value == "json":
	case out == nil:
		return lint.PrintText(c.Stderr, f.Findings, []*design.Source{src})
	case o.diff && f.Changed:
		c.out.Write(diff.Diff(f.File, before, f.File+" (formatted)", out))
	case src.Name == stdinName && !o.check && !o.diff:
		c.out.Write(out)
	case f.Changed:
		fmt.Fprintln(c.out, f.File)
	}
	return nil
}
