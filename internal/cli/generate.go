package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/internal/interview"
	"weir/natsapi"
	"weir/size"
	"weir/synth"
	"weir/verdict"
)

type generateOptions struct {
	list, force, faults bool
	// outputGiven reports whether -o was written, be it with nothing.
	outputGiven func() bool
	dir         string
	format      choice
	numbers     interview.Numbers
}

// targetRow is a target in a list.
type targetRow struct {
	Name   string      `json:"name"`
	Title  string      `json:"title"`
	Group  synth.Group `json:"group"`
	About  string      `json:"about"`
	Proof  string      `json:"proof"`
	Proves string      `json:"proves"`
	// Faults are what the code of a target was put through.
	Faults []synth.Fault `json:"faults,omitempty"`
}

func (c *Command) generate() *cobra.Command {
	var o generateOptions
	cmd := &cobra.Command{
		Use:   "generate TARGET FILES... [-o DIR]",
		Short: "Write the configuration and the client code of a design",
		Long: `Writes what a design becomes: configuration for servers and the NATS CLI, and client code in
several languages. weir generate --list names the targets, and what each was proved by; --faults
shows what the client code was put through on a real server, and what became of the messages.

FILES are read as weir check reads them. Without -o the files are printed; with it they are
written into a folder, all of them or none. Several designs go into a folder each, named after
their files. A file that exists and says something else is not overwritten without --force. The
files that your own work goes into, the handler and the metrics of client code, are kept where
they exist, with --force as well. The same design gives the same bytes.

Without FILES four numbers are enough: --rate and --size of what is published, --workers, and
--work, how long one takes for a message. The design that they lead to is design.yaml beside the
rest.

The exit code is 0 when everything was written and servers take it, 1 when servers refuse parts
(what is written holds them all the same) or a design has nothing for the target, 2 when the call
or its files cannot be used, 3 when something could not be written.`,
		Example: `  weir generate --list
  weir generate go --faults
  weir generate go --rate 120/s --size 1.2KiB --workers 4 --work 20ms -o clients/
  weir generate nats-json orders.yaml
  weir generate server-conf orders.yaml -o deploy/
  weir generate nats-cli orders.yaml -o setup/ && sh setup/apply.sh
  weir generate mermaid orders.yaml --format json | jq -r '.files[0].text'`,
	}
	o.outputGiven = func() bool { return cmd.Flags().Changed("output") }
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runGenerate(&o, args) })
	c.envFlag(cmd)
	cmd.Flags().BoolVar(&o.list, "list", false, "list the targets")
	cmd.Flags().BoolVar(&o.faults, "faults", false, "show the table of faults of a target, or of all")
	cmd.Flags().StringVar(&o.numbers.Rate, "rate", "", "without a design: what is published, as 120/s")
	cmd.Flags().StringVar(&o.numbers.Size, "size", "", "mean size of a payload, as 1.2KiB")
	cmd.Flags().StringVar(&o.numbers.Workers, "workers", "", "processes that work on it")
	cmd.Flags().StringVar(&o.numbers.Work, "work", "", "how long one takes for a message, as 20ms")
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
	if o.faults {
		return c.showFaults(o.format.value, args)
	}
	if o.outputGiven() && o.dir == "" {
		return ExitUsage, badInput("-o \"\" names no folder; write -o . for this one")
	}
	four := o.numbers != (interview.Numbers{})
	if len(args) < 2 && !(four && len(args) == 1) {
		return ExitUsage, badInput("write weir generate TARGET FILES...; weir generate --list names the targets")
	}
	if _, err := synth.Find(args[0]); err != nil {
		for _, later := range args[1:] {
			if _, no := synth.Find(later); no == nil {
				return ExitUsage, badInput("the target comes first: weir generate %s %s", later, args[0])
			}
		}
		return ExitUsage, inputError{err}
	}
	var out synth.Output
	var code int
	var err error
	switch {
	case four && len(args) > 1:
		return ExitUsage, badInput("--rate, --size, --workers and --work take the place of files; give one or the other")
	case four:
		out, code, err = generateNumbers(args[0], o.numbers)
	default:
		out, code, err = c.generateFiles(args[0], args[1:])
	}
	if err != nil || len(out.Files) == 0 {
		return code, err
	}
	for _, n := range out.Notes {
		fmt.Fprintf(c.Stderr, "%s: %s\n", n.Path, n.Text)
	}
	if written, err := c.handOver(o, out); err != nil {
		return written, err
	}
	return code, nil
}

// handOver prints an output, or writes its files.
func (c *Command) handOver(o *generateOptions, out synth.Output) (int, error) {
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

// generateNumbers writes a target from four numbers.
func generateNumbers(target string, n interview.Numbers) (synth.Output, int, error) {
	r, faults := interview.FromNumbers(n)
	if len(faults) > 0 {
		return synth.Output{}, ExitUsage, badInput("--%s: %s", faults[0].Field, faults[0].Says)
	}
	d, problems := design.Parse(interview.FileName, []byte(r.Text))
	if problems.Failed() {
		return synth.Output{}, ExitTrouble, fmt.Errorf("read the design of the numbers: %w", problems[0])
	}
	out, err := synth.Generate(target, d)
	if err != nil {
		return synth.Output{}, ExitUsage, inputError{err}
	}
	out.Files = append(out.Files, synth.File{Path: interview.FileName, Text: r.Text})
	return out, ExitYes, nil
}

// generateFiles writes a target from the designs that files hold, each into a folder
// of its own where there are several.
func (c *Command) generateFiles(target string, args []string) (synth.Output, int, error) {
	sources, err := c.texts(args)
	if err != nil {
		return synth.Output{}, codeOf(err), err
	}
	designs, err := c.designs(sources)
	if err != nil {
		return synth.Output{}, codeOf(err), err
	}
	all, code := synth.Output{Target: target}, ExitYes
	folders := map[string]bool{}
	for _, d := range designs {
		folder := ""
		if len(designs) > 1 {
			folder = folderOf(d, folders)
		}
		if n := refusals(d); n > 0 {
			fmt.Fprintf(c.Stderr, "%sthe servers refuse %s of this design (weir check says which): what is written holds them all the same\n", prefixed(folder), size.Counted(n, "part", "parts"))
			code = ExitNo
		}
		out, err := synth.Generate(target, d)
		if err != nil {
			fmt.Fprintf(c.Stderr, "%s%v\n", prefixed(folder), err)
			code = ExitNo
			continue
		}
		for _, f := range out.Files {
			f.Path = path.Join(folder, f.Path)
			all.Files = append(all.Files, f)
		}
		for _, n := range out.Notes {
			n.Path = prefixed(folder) + n.Path
			all.Notes = append(all.Notes, n)
		}
	}
	return all, code, nil
}

func prefixed(folder string) string {
	if folder == "" {
		return ""
	}
	return folder + ": "
}

// folderOf is the name of a design's file without its ending, unlike those before in more
// than capitals.
func folderOf(d *design.Design, before map[string]bool) string {
	name := "design"
	if pos, ok := d.Pos("weir"); ok {
		name = strings.TrimSuffix(filepath.Base(pos.File), filepath.Ext(pos.File))
	}
	folder := name
	for n := 2; before[strings.ToLower(folder)]; n++ {
		folder = fmt.Sprintf("%s-%d", name, n)
	}
	before[strings.ToLower(folder)] = true
	return folder
}

// showFaults prints the table of faults of a target, or of all of them.
func (c *Command) showFaults(format string, args []string) (int, error) {
	target := ""
	switch len(args) {
	case 0:
	case 1:
		if _, err := synth.Find(args[0]); err != nil {
			return ExitUsage, inputError{err}
		}
		target = args[0]
	default:
		return ExitUsage, badInput("--faults takes one target at most")
	}
	rows := synth.Faults(target)
	if len(rows) == 0 {
		return ExitUsage, badInput("%s is no client code: it has no table of faults", target)
	}
	if format == "json" {
		return ExitYes, c.printJSON(rows)
	}
	if target != "" {
		fmt.Fprintf(c.out, "%s.\n\n", synth.FaultsSay(target))
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "TARGET\tFAULT\tMESSAGES\tSTORED\tFALLBACK\tBOTH\tLOST\tTWICE")
	for _, f := range rows {
		fmt.Fprintln(w, strings.Join([]string{f.Target, f.Fault, f.Messages, f.Stored, f.Fallback, f.Both, f.Lost, f.Twice}, "\t"))
	}
	return ExitYes, w.Flush()
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
		rows = append(rows, targetRow{t.Name, t.Title, t.Group, t.About, t.Proof, t.Proves, synth.Faults(t.Name)})
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
	kept := []string{}
	for _, f := range out.Files {
		name := filepath.Join(o.dir, filepath.FromSlash(f.Path))
		old, err := os.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return ExitUsage, badInput("%s cannot be written: %w", name, err)
		case string(old) == f.Text:
			same[f.Path] = true
		case f.Yours:
			same[f.Path] = true
			kept = append(kept, name)
		case !o.force:
			return ExitUsage, badInput("%s exists and says something else; --force overwrites it, or name another folder", name)
		}
	}
	written, err := putFiles(o.dir, out.Files, same)
	if err != nil {
		return ExitTrouble, err
	}
	if o.format.value == "json" {
		return ExitYes, c.printJSON(map[string][]string{"written": written, "kept": kept})
	}
	for _, name := range written {
		fmt.Fprintf(c.out, "wrote %s\n", name)
	}
	for _, name := range kept {
		fmt.Fprintf(c.out, "kept %s: your own work goes there\n", name)
	}
	if n := len(same) - len(kept); n > 0 {
		fmt.Fprintf(c.out, "%s said the same already\n", size.Counted(n, "file", "files"))
	}
	return ExitYes, nil
}

// putFiles writes the files of an output into a folder, but for those that say the
// same already. Folders that it made are gone again where it could not.
func putFiles(dir string, files []synth.File, same map[string]bool) (written []string, err error) {
	var list []toWrite
	var made []string
	written = []string{}
	defer func() {
		if err != nil {
			for _, folder := range slices.Backward(made) {
				os.Remove(folder) // what others put into it keeps it
			}
		}
	}()
	for _, f := range files {
		if same[f.Path] {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		folders, err := makeFolders(filepath.Dir(name))
		made = append(made, folders...)
		if err != nil {
			return nil, fmt.Errorf("write %s: %w", name, err)
		}
		list = append(list, toWrite{path: name, text: []byte(f.Text), run: f.Run})
		written = append(written, name)
	}
	return written, writeFiles(list)
}

// makeFolders makes a folder and those above it, and returns those that were not
// there, the outermost first.
func makeFolders(name string) (made []string, err error) {
	for at := name; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		made = append(made, at)
	}
	slices.Reverse(made)
	return made, os.MkdirAll(name, 0o777)
}
