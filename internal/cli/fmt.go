package cli

import (
	"bytes"
	"fmt"
	"os"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"weir/design"
	"weir/dialect"
	"weir/lint"
)

type fmtOptions struct{ check, diff bool }

func (c *Command) fmt() *cobra.Command {
	var o fmtOptions
	cmd := &cobra.Command{
		Use:   "fmt [--check | --diff] FILES... | -",
		Short: "Lay design files out in the usual way",
		Long: `Lays design files out in the usual way and changes nothing that they say: order, comments,
quotes and units stay. Files are rewritten in place and named; standard input is formatted
to standard output. Formatting what is formatted changes nothing.

With --check nothing is written and the exit code is 1 when a file is not formatted; --diff
shows what would change besides. A file that cannot be read is left alone: exit code 1.`,
		Example: `  weir fmt orders.yaml
  weir fmt --check designs/
  weir fmt --diff orders.yaml
  weir fmt - < orders.yaml`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.format(o, args) })
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing, name the files that are not formatted")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing, show what would change")
	return cmd
}

func (c *Command) format(o fmtOptions, args []string) (int, error) {
	sources, err := c.texts(args)
	if err != nil {
		return codeOf(err), err
	}
	code := ExitYes
	changed := map[string][]byte{}
	for _, src := range sources {
		if d, ok := dialect.Recognise(src); !ok || d.Name != "weir" {
			return ExitUsage, badInput("%s is no design file; weir fmt formats design files only", src.Name)
		}
		before := src.Text
		if src.Name != stdinName {
			if before, err = os.ReadFile(src.Name); err != nil {
				return ExitTrouble, fmt.Errorf("read input: %w", err)
			}
		}
		out, problems := design.Format(src.Name, before)
		if out == nil {
			code = ExitNo
			if err := lint.PrintText(c.Stderr, lint.FromProblems(problems), []*design.Source{src}); err != nil {
				return ExitTrouble, err
			}
			continue
		}
		same := bytes.Equal(out, before)
		switch {
		case o.check || o.diff:
			if !same {
				code = ExitNo
				c.showUnformatted(o, src.Name, before, out)
			}
		case src.Name == stdinName:
			c.out.Write(out)
		case !same:
			changed[src.Name] = out
			fmt.Fprintln(c.out, src.Name)
		}
	}
	if err := replaceFiles(changed); err != nil {
		return ExitTrouble, err
	}
	return code, nil
}

func (c *Command) showUnformatted(o fmtOptions, name string, before, after []byte) {
	if !o.diff {
		fmt.Fprintln(c.out, name)
		return
	}
	c.out.Write(diff.Diff(name, before, name+" (formatted)", after))
}
