package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/lint"
	"weir/natsapi"
	"weir/verdict"
)

type checkOptions struct {
	target         targetFlag
	upgradeTo      targetFlag
	choose, ignore selectors
	failOn, format choice
	fix, dryRun    bool
	baseline       string
	writeBaseline  string
}

func (c *Command) check() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check FILES... | -",
		Short: "Say what a server of the design's version would refuse, and why",
		Long: `Judges streams, consumers and buckets as the nats-server would that they are for: what it
refuses, with its err_code and words, why, and what to write instead; what it stores
otherwise than it is written; what it accepts and what will hurt (weir rules lists that, weir
explain CODE says why); and what cannot be read.
` + textsHelp + `

Of a nats-server.conf keys are judged by the server's version, and values as nats-server
2.15.2 reads them: how older releases read a value is not known here. A design has at most ` +
			fmt.Sprintf("%d\nstreams, buckets and consumers, and %d subjects and filters", verdict.MaxRequests, verdict.MaxSubjects) + `; a file at most 8 MiB.

The server's version is --target, else what the design or the server's own metadata in
"info --json" says, else the newest. A finding is one line,
file:line:col: severity: message [CODE], with the line of the text below.

What is meant as it is gets a comment at the end of its line, or on a line above it,
"# weir:ignore CODE reason"; a reason must be there, and an ignore that matches nothing is
reported. For notations without comments a file .weir.yaml beside the files holds
ignore: [{code: CODE, path: streams.ORDERS, reason: …}]. A baseline remembers what is found
today, so that only what is new is reported: --write-baseline FILE once, then --baseline FILE.

--upgrade-to compares two releases: what the newer one refuses, accepts, stores otherwise,
and what is lost on the way back.

The exit code is 0 without findings, 1 with some (from --fail-on upwards) and 2 when a file
is missing or in no notation that Weir knows. That a file of a notation it knows cannot be
read to its end (FILE001, FILE002 and FILE003) is a finding and 1 too, at its line and column.`,
		Example: `  weir check orders.yaml
  nats stream info ORDERS --json | weir check -
  weir check --target 2.10 streams/ consumers/
  weir check --format json --ignore info orders.yaml | jq -r '.[].message'
  weir check --fix --dry-run orders.yaml
  weir check --target 2.10 --upgrade-to 2.15 orders.yaml
  weir check --format sarif designs/ > weir.sarif`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.runCheck(o, args) })
	c.envFlag(cmd)
	o.target.add(cmd, "what the design says")
	o.upgradeTo.addAs(cmd, "upgrade-to", "say as well what changes when the servers become this version")
	o.choose.add(cmd, "select", "only these findings")
	o.ignore.add(cmd, "ignore", "all but these findings")
	choiceFlag(cmd, &o.failOn, "fail-on", "severity from which the exit code is 1", "warning", "error", "info")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json", "sarif", "junit", "github")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "with --fix: print what would change as a diff, and write nothing")
	cmd.Flags().StringVar(&o.baseline, "baseline", "", "leave out what this `FILE` of --write-baseline knows")
	cmd.Flags().StringVar(&o.writeBaseline, "write-baseline", "", "write what is found into `FILE`, and exit with 0")
	cmd.Flags().BoolVar(&o.fix, "fix", false, "write into the files what is certain, and check again")
	return cmd
}

func (c *Command) runCheck(o checkOptions, args []string) (int, error) {
	options := lint.Options{Target: o.target.version, UpgradeTo: o.upgradeTo.version, Select: o.choose.words, Ignore: o.ignore.words}
	if o.dryRun && !o.fix {
		return ExitUsage, badInput("--dry-run says what --fix would change; write both")
	}
	sources, err := c.texts(args)
	if err == nil {
		sources, err = c.withIgnoreFiles(sources)
	}
	if err != nil {
		return codeOf(err), err
	}
	var r lint.Report
	asked := sources
	if o.fix {
		sources, r, err = c.repair(sources, options, o.dryRun)
	} else {
		r = lint.CheckSources(sources, options)
	}
	if err != nil {
		return codeOf(err), err
	}
	if o.dryRun {
		if c.printFixes(asked, sources) == 0 {
			fmt.Fprintln(c.Stderr, "nothing to fix: no finding has a repair that is certain")
		}
		return yesNo(!c.failed(o, r)), nil
	}
	switch {
	case o.writeBaseline == "":
	case !slices.ContainsFunc(r.Findings, lint.Finding.Unreadable):
		return c.saveBaseline(o.writeBaseline, r.Findings)
	default:
		fmt.Fprintf(c.Stderr, "%s was not written: a file cannot be read, so that not all is known that is wrong\n", o.writeBaseline)
	}
	if o.baseline != "" {
		if r.Findings, err = c.beyondBaseline(o.baseline, r.Findings, fileNames(sources)); err != nil {
			return codeOf(err), err
		}
	}
	c.notes = appendSaid(nil, c.leftOut(), upgradeOfNothing(o, r))
	if err = c.printAs(o.format.value, r, sources); err != nil {
		return ExitTrouble, err
	}
	if len(r.Unreadable) > 0 {
		return ExitUsage, nil
	}
	return yesNo(!c.failed(o, r)), nil
}

// appendSaid appends the sentences that say something.
func appendSaid(to []string, sentences ...string) []string {
	return append(to, slices.DeleteFunc(sentences, func(s string) bool { return s == "" })...)
}

// upgradeOfNothing says that --upgrade-to was asked for and finds nothing; "" else.
func upgradeOfNothing(o checkOptions, r lint.Report) string {
	about := func(f lint.Finding) bool { return f.Matches("UPG") }
	if o.upgradeTo.version == (natsapi.Version{}) || r.Streams+r.Buckets+r.Consumers == 0 || slices.ContainsFunc(r.Findings, about) {
		return ""
	}
	return fmt.Sprintf("nats-server %s refuses, accepts and stores nothing of this otherwise", o.upgradeTo.version)
}

// failed reports whether a finding is as bad as --fail-on says.
func (c *Command) failed(o checkOptions, r lint.Report) bool {
	return slices.ContainsFunc(r.Findings, func(f lint.Finding) bool { return f.AtLeast(design.Severity(o.failOn.value)) })
}

// printAs prints a report in a format.
func (c *Command) printAs(format string, r lint.Report, sources []*design.Source) error {
	switch format {
	case "json":
		return lint.PrintJSON(c.out, r.Findings)
	case "sarif":
		return lint.PrintSARIF(c.out, fromHere(r), versionsOf().Weir)
	case "github":
		return lint.PrintGitHub(c.out, r.Findings)
	case "junit":
		return lint.PrintJUnit(c.out, r.Findings, fileNames(sources))
	}
	return c.printReport(r, sources)
}

// fromHere is a report whose files below the working folder are named from there, as
// who uploads it expects, however they were typed.
func fromHere(r lint.Report) lint.Report {
	here, err := os.Getwd()
	if err != nil {
		return r
	}
	name := func(f *lint.Finding) {
		if file := filepath.FromSlash(f.File); filepath.IsAbs(file) {
			if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
				f.File = filepath.ToSlash(rel)
			}
		}
	}
	r.Findings, r.Ignored = slices.Clone(r.Findings), slices.Clone(r.Ignored)
	for i := range r.Findings {
		name(&r.Findings[i])
	}
	for i := range r.Ignored {
		name(&r.Ignored[i].Finding)
	}
	return r
}

// fileNames are the files of sources.
func fileNames(sources []*design.Source) []string {
	var files []string
	for _, s := range sources {
		files = append(files, s.Name)
	}
	return files
}

// codeOf is the exit code of an error that is on its way to Main.
func codeOf(err error) int {
	if _, bad := err.(inputError); bad {
		return ExitUsage
	}
	return ExitTrouble
}

// printReport prints findings for people, what was assumed, and a line that sums
// up.
func (c *Command) printReport(r lint.Report, sources []*design.Source) error {
	if err := lint.PrintText(c.out, r.Findings, sources); err != nil {
		return err
	}
	for _, a := range r.Assumed {
		fmt.Fprintf(c.out, "note: %s\n", a)
	}
	for _, n := range c.notes {
		fmt.Fprintf(c.out, "note: %s\n", n)
	}
	if u := r.Unknown(); u != "" {
		fmt.Fprintf(c.out, "note: %s\n", u)
	}
	worst := design.Severity("")
	for _, s := range []design.Severity{design.Info, design.Warning, design.Error} {
		if slices.ContainsFunc(r.Findings, func(f lint.Finding) bool { return f.Severity == s }) {
			worst = s
		}
	}
	paint := map[design.Severity]func(string) cell{"": good, design.Info: plain, design.Warning: warn, design.Error: bad}[worst]
	c.print(paint(r.Sentence()))
	c.out.WriteByte('\n')
	return nil
}

// selectors is a flag of codes and severities, separated by commas or given
// several times.
type selectors struct{ words []string }

// Set takes codes and severities.
func (s *selectors) Set(list string) error {
	for word := range strings.SplitSeq(list, ",") {
		w, err := lint.ParseSelector(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		s.words = append(s.words, w)
	}
	return nil
}

// String returns the words.
func (s *selectors) String() string { return strings.Join(s.words, ",") }

// Type names the flag's type in help texts.
func (s *selectors) Type() string { return "codes" }

func (s *selectors) add(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(s, name, usage+": codes such as API10052, their letters (API), error, warning or info")
	words := []string{"error", "warning", "info"}
	for _, code := range lint.Codes() {
		words = append(words, code.Code+"\t"+code.Title)
	}
	complete(cmd, name, words)
}
