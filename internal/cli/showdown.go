package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/internal/showdown"
	"weir/prove"
	"weir/size"
)

type showdownOptions struct {
	format    choice
	prove     bool
	with, out string
	seed      uint64
}

func (c *Command) showdown() *cobra.Command {
	var o showdownOptions
	cmd := &cobra.Command{
		Use:   "showdown [NAME [DESIGN...]]",
		Short: "Compare two architectures: when which, what each costs, and where it loses",
		Long: `Without a name it lists the showdowns. Each answers one question: when to take which side and
why, both sides under the same arrivals, what is often repeated, figures of others with their
source and date, and where each side loses. Numbers about a workload are computed: sized, and
simulated where both sides are NATS.

With DESIGN your own workload is put through it, in place of the showdown's own designs:
` + textsHelp + `

--prove runs the showdown's proofs and its NATS designs on real nats-servers that it starts
and stops; only then something was measured. The exit code is 1 when a proof does not hold.`,
		Example: `  weir showdown
  weir showdown pull-push
  weir showdown retention --prove
  weir showdown nats-kafka orders.yaml
  weir showdown pull-push --format markdown > pull-push.md`,
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return showdownWords(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		if len(args) == 0 {
			return c.listShowdowns(o.format.value == "json")
		}
		return c.oneShowdown(args[0], args[1:], &o)
	})
	c.envFlag(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.prove, "prove", false, "run the proofs and the designs on the real server")
	f.StringVar(&o.with, "with", "", "with --prove: run this `server`, the path of a binary or a version")
	f.StringVarP(&o.out, "out", "o", "", "with --prove: write the evidence as JSON to this `file`")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the simulation; the same seed gives the same answer")
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json", "markdown")
	return cmd
}

func showdownWords() []string {
	var words []string
	for _, s := range showdown.List() {
		words = append(words, s.Name+"\t"+s.Question)
	}
	return words
}

func (c *Command) listShowdowns(asJSON bool) (int, error) {
	if asJSON {
		return ExitYes, c.printJSON(showdown.List())
	}
	var rows [][]cell
	for _, s := range showdown.List() {
		rows = append(rows, []cell{plain(s.Name), plain(s.Question)})
	}
	c.table("", rows)
	return ExitYes, nil
}

func (c *Command) oneShowdown(name string, files []string, o *showdownOptions) (int, error) {
	s, err := showdown.Find(name)
	if err != nil {
		return ExitUsage, inputError{err}
	}
	if !o.prove && (o.with != "" || o.out != "") {
		return ExitUsage, badInput("--with and --out go with --prove")
	}
	var own *design.Design
	if len(files) > 0 {
		d, _, err := c.readOne(files, "a showdown compares")
		if err != nil {
			return codeOf(err), err
		}
		own = d
	}
	p := c.startProof("steps")
	defer p.end()
	compared, err := s.Compare(p.ctx, own, showdown.Options{Seed: o.seed})
	if err != nil {
		return ExitUsage, p.explain(inputError{err})
	}
	var runs []ranProof
	var ended error
	if o.prove {
		runs, ended = p.showdown(s, o.with)
		p.end()
		if o.out != "" && len(runs) > 0 {
			ended = errors.Join(ended, writeEvidence(o.out, runs))
		}
	}
	switch o.format.value {
	case "json":
		err = c.printJSON(map[string]any{"showdown": s, "comparison": compared, "runs": runs})
	case "markdown":
		c.out.WriteString(s.Markdown(compared))
	default:
		c.printShowdown(s, compared, runs)
	}
	if err = errors.Join(ended, err); err != nil {
		return ExitTrouble, err
	}
	return held(runs), nil
}

// showdownWorkload is for how long the designs of a showdown are published.
const showdownWorkload = 5 * time.Second

// showdown runs the proofs of a showdown, then the designs of its NATS sides.
func (p *proofRun) showdown(s *showdown.Showdown, with string) ([]ranProof, error) {
	var list []prove.Proof
	for _, name := range s.Proofs() {
		one, err := prove.FindProof(name)
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	runs, err := p.proofs(list, with)
	for _, side := range s.Sides {
		if err != nil || side.Design == "" {
			continue
		}
		d, _ := design.Parse(s.Name+".yaml", []byte(side.Design)) // tests read them all
		var e prove.Evidence
		if e, err = prove.Design(p.ctx, d, prove.DesignOptions{Options: p.options, With: with, For: showdownWorkload, Seed: 1}); err == nil {
			runs = append(runs, ranProof{d.Name, "the design of " + side.Name + " runs as predicted", e})
		}
	}
	return runs, p.explain(err)
}

// printShowdown prints a page for a terminal. runs are what was run, none without
// --prove.
func (c *Command) printShowdown(s *showdown.Showdown, compared *showdown.Comparison, runs []ranProof) {
	fmt.Fprintf(c.out, "%s\n%s\n\n%s\n", s.Title, s.Question, s.Verdict)
	for _, side := range s.Sides {
		fmt.Fprintf(c.out, "\n%s when\n", side.Name)
		var rows [][]cell
		for _, r := range s.Decide {
			if r.Side == side.Letter {
				rows = append(rows, []cell{plain(r.When), dim(r.Because)})
			}
		}
		c.table("  ", rows)
	}
	c.printTruth(s, runs)
	c.printComparison(s, compared, runs)
	c.out.WriteString("\nWhere each loses\n")
	var rows [][]cell
	for _, l := range s.Loses {
		rows = append(rows, []cell{plain(s.Side(l.Side).Name), plain(l.Text), dim(groundOf(s, l.Grounds))})
	}
	c.table("  ", rows)
	c.out.WriteString("\nOften repeated\n")
	rows = nil
	for _, cl := range s.Claims {
		rows = append(rows, []cell{plain(cl.ID), claimVerdictCell(cl.Verdict), plain(cl.Often)})
	}
	c.table("  ", rows)
	c.printOutside(s)
	for _, n := range compared.Notes {
		fmt.Fprintf(c.out, "note: %s\n", n)
	}
	c.printShowdownRuns(s, runs)
}

func (c *Command) printTruth(s *showdown.Showdown, runs []ranProof) {
	if s.Truth == nil {
		return
	}
	fmt.Fprintf(c.out, "\n%s\n", s.Truth.Title)
	rows := [][]cell{{plain("")}}
	for _, name := range s.Truth.Columns {
		rows[0] = append(rows[0], dim(name))
	}
	for _, r := range s.Truth.Rows {
		row := []cell{plain(r.Case)}
		for i, text := range r.Cells {
			row = append(row, provedCell(runs, r.Proof, i, text))
		}
		rows = append(rows, append(row, dim(r.Proof)))
	}
	c.table("  ", rows)
}

// provedCell is a cell of a truth table, with a mark where the claim of the proof
// at its place was run.
func provedCell(runs []ranProof, proof string, claim int, text string) cell {
	i := slices.IndexFunc(runs, func(r ranProof) bool { return r.Name == proof })
	switch {
	case i < 0 || claim >= len(runs[i].Evidence.Claims):
		return plain(text)
	case runs[i].Evidence.Claims[claim].Held:
		return good("✓ " + text)
	}
	return bad("✗ " + text)
}

func (c *Command) printComparison(s *showdown.Showdown, compared *showdown.Comparison, runs []ranProof) {
	of := "the showdown's own designs"
	if compared.Design != "" {
		of = compared.Design
	}
	fmt.Fprintf(c.out, "\nSide by side: %s\n", of)
	if compared.Verdict != s.Verdict {
		fmt.Fprintf(c.out, "  %s\n", compared.Verdict)
	}
	rows := [][]cell{{plain("")}}
	for _, name := range compared.Sides {
		rows[0] = append(rows[0], dim(name))
	}
	for _, r := range compared.Rows {
		rows = append(rows, append([]cell{plain(r.What)}, cellsOf(r.Cells)...))
	}
	c.table("  ", rows)
	for _, t := range compared.Tables {
		fmt.Fprintf(c.out, "\n%s\n", t.Title)
		rows := [][]cell{{}}
		for _, h := range t.Head {
			rows[0] = append(rows[0], dim(h))
		}
		for _, r := range t.Rows {
			row := cellsOf(r.Cells)
			if r.Proof != "" {
				row = append(row, ranCell(runs, r.Proof))
			}
			rows = append(rows, row)
		}
		c.table("  ", rows)
	}
}

// ranCell names a proof, with a mark where it was run.
func ranCell(runs []ranProof, proof string) cell {
	i := slices.IndexFunc(runs, func(r ranProof) bool { return r.Name == proof })
	switch {
	case i < 0:
		return dim(proof)
	case runs[i].Evidence.Held():
		return good("✓ " + proof)
	}
	return bad("✗ " + proof)
}

func cellsOf(cells []showdown.Cell) []cell {
	out := make([]cell, len(cells))
	for i, one := range cells {
		out[i] = plain(one.Text)
	}
	return out
}

// groundOf is what stands behind a statement.
func groundOf(s *showdown.Showdown, g showdown.Grounds) string {
	switch {
	case g.Proof != "":
		return "proof " + g.Proof
	case g.Source != "":
		from, _ := s.SourceOf(g.Source)
		return from.What + ", " + from.Date
	}
	return "computed"
}

func (c *Command) printOutside(s *showdown.Showdown) {
	if len(s.Outside) == 0 {
		return
	}
	c.out.WriteString("\nFigures of others, not checked by Weir\n")
	for _, o := range s.Outside {
		from, _ := s.SourceOf(o.Source)
		fmt.Fprintf(c.out, "  %s\n    %s; %s; %s; %s\n    %s; %s\n", o.Figure, o.Setup, from.Version, from.Date, o.Defect, from.What, from.Bias)
	}
	c.out.WriteByte('\n')
}

// printShowdownRuns says what ran, and shows what did not hold.
func (c *Command) printShowdownRuns(s *showdown.Showdown, runs []ranProof) {
	if len(runs) == 0 {
		fmt.Fprintf(c.out, "Nothing ran on a server: weir showdown %s --prove runs %s.\n", s.Name, size.Counted(len(s.Proofs()), "proof", "proofs"))
		return
	}
	var no []string
	for _, r := range runs {
		if !r.Evidence.Held() {
			no = append(no, r.Name)
			c.out.WriteByte('\n')
			c.printRun(r, false)
		}
	}
	text := fmt.Sprintf("\n%s ran on nats-server %s, all as expected", size.Counted(len(runs), "proof and design", "proofs and designs"), runs[0].Evidence.Server.Version)
	if len(no) > 0 {
		c.print(bad(fmt.Sprintf("%s not as expected on nats-server %s: %s", size.Counted(len(no), "run is", "runs are"), runs[0].Evidence.Server.Version, strings.Join(no, ", "))))
		c.out.WriteByte('\n')
		return
	}
	c.printRan(good(strings.TrimSpace(text)))
}
