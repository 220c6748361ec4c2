package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/natsapi"
	"weir/size"
	"weir/synth"
	"weir/verdict"
)

type generateOptions struct {
	list, force bool
	dir         string
	format      choice
}

// targetRow is a target in a list.
type targetRow struct {
	Name   string      `json:"name"`
	Title  string      `json:"title"`
	Group  synth.Group `json:"group"`
	About  string      `json:"about"`
	Proof  string      `json:"proof"`
	Proves string      `json:"proves"`
}

func (c *Command) generate() *cobra.Command {
	var o generateOptions
	cmd := &cobra.Command{
		Use:   "generate TARGET FILES... [-o DIR]",
		Short: "Write the configuration and the client code of a design",
		Long: `Writes what a design becomes: configuration for servers and the NATS CLI, and client code in
several languages. weir generate --list names the targets, and what each was proved by.

FILES are read as weir check reads them. Without -o the files are printed; with it they are
written into a folder, all of them or none. A file that exists and says something else is not
overwritten without --force. The same design gives the same bytes.

The exit code is 0 when everything was written, 1 when the design has errors, 2 when the call or
its files cannot be used.`,
		Example: `  weir generate --list
  weir generate nats-json orders.yaml
  weir generate server-conf orders.yaml -o deploy/
  weir generate nats-cli orders.yaml -o setup/ && sh setup/apply.sh
  weir generate mermaid orders.yaml --format json | jq -r '.files[0].text'`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runGenerate(&o, args) })
	cmd.Flags().BoolVar(&o.list, "list", false, "list the targets")
	cmd.Flags().StringVarP(&o.dir, "output", "o", "", "write into this folder")
	cmd.Flags().BoolVar(&o.force, "force", false, "overwrite files that say something else")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
	cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		var words []string
		for _, t := range synth.Targets() {
			words = append(words, t.Name+"\t"+t.Title)
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
	return cmd
}

func (c *Command) runGenerate(o *generateOptions, args []string) (int, error) {
	if o.list {
		if len(args) > 0 {
			return ExitUsage, badInput("--list takes no arguments")
		}
		return ExitYes, c.listTargets(o.format.value)
	}
	if len(args) < 2 {
		return ExitUsage, badInput("write weir generate TARGET FILES...; weir generate --list names the targets")
	}
	if _, err := synth.Find(args[0]); err != nil {
		return ExitUsage, inputError{err}
	}
	d, _, code, err := c.readOne(args[1:], "generate", c.explainProblems)
	if d == nil {
		return code, err
	}
	if n := refusals(d); n > 0 {
		fmt.Fprintf(c.Stderr, "the servers refuse %s of this design (weir check says which): what is written holds them all the same\n", size.Counted(n, "part", "parts"))
	}
	out, err := synth.Generate(args[0], d)
	if err != nil {
		return ExitUsage, inputError{err}
	}
	for _, n := range out.Notes {
		fmt.Fprintf(c.Stderr, "%s: %s\n", n.Path, n.Text)
	}
	switch {
	case o.dir != "":
		return c.writeOutput(o, out)
	case o.format.value == "json":
		return ExitYes, c.printJSON(out)
	}
	for i, f := range out.Files {
		if len(out.Files) > 1 {
			if i > 0 {
				c.out.WriteByte('\n')
			}
			fmt.Fprintf(c.out, "-- %s --\n", f.Path)
		}
		c.out.WriteString(f.Text)
	}
	return ExitYes, nil
}

// refusals counts what servers would not take.
func refusals(d *design.Design) int {
	n := 0
	for _, j := range verdict.JudgeDesign(d, natsapi.Version{}) {
		if j.Answer.Verdict != verdict.OK {
			n++
		}
	}
	return n
}

func (c *Command) listTargets(format string) error {
	var rows []targetRow
	for _, t := range synth.Targets() {
		rows = append(rows, targetRow{t.Name, t.Title, t.Group, t.About, t.Proof, t.Proves})
	}
	if format == "json" {
		return c.printJSON(rows)
	}
	group := synth.Group("")
	for _, r := range rows {
		if r.Group != group {
			if group != "" {
				fmt.Fprintln(c.out)
			}
			group = r.Group
			fmt.Fprintf(c.out, "%s\n", r.Group)
		}
		fmt.Fprintf(c.out, "  %-16s%s\n%18sproved by %s: %s\n", r.Name, r.Title, "", r.Proof, r.Proves)
	}
	return nil
}

// writeOutput writes the files of an output, all of them or none.
func (c *Command) writeOutput(o *generateOptions, out synth.Output) (int, error) {
	same := map[string]bool{}
	for _, f := range out.Files {
		name := filepath.Join(o.dir, filepath.FromSlash(f.Path))
		old, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return ExitUsage, badInput("%s cannot be written: %w", name, err)
		case string(old) == f.Text:
			same[f.Path] = true
		case !o.force:
			return ExitUsage, badInput("%s exists and says something else; --force overwrites it, or name another folder", name)
		}
	}
	written, err := putFiles(o.dir, out.Files, same)
	if err != nil {
		return ExitTrouble, err
	}
	if o.format.value == "json" {
		return ExitYes, c.printJSON(map[string][]string{"written": written})
	}
	for _, name := range written {
		fmt.Fprintf(c.out, "wrote %s\n", name)
	}
	if n := len(same); n > 0 {
		fmt.Fprintf(c.out, "%s said the same already\n", size.Counted(n, "file", "files"))
	}
	return ExitYes, nil
}

// putFiles writes the files of an output into a folder, but for those that say the
// same already.
func putFiles(dir string, files []synth.File, same map[string]bool) (written []string, err error) {
	var list []toWrite
	for _, f := range files {
		if same[f.Path] {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
		list = append(list, toWrite{path: name, text: []byte(f.Text), run: f.Run})
		written = append(written, name)
	}
	return written, writeFiles(list)
}
