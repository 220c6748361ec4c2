package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"weir/internal/claims"
)

func (c *Command) claims() *cobra.Command {
	var format, verdict choice
	var rerun bool
	var with, out string
	cmd := &cobra.Command{
		Use:   "claims [ID...]",
		Short: "Say what is true of what is often repeated about NATS, and prove it again",
		Long: `Lists what is often repeated about NATS and the systems that it is compared with: each claim
with its verdict (true, false, depends, not verified). With IDs or names it prints all that is
known of these: what holds instead, the figure, the sources, the proofs and the rules.

--prove runs the proofs of the claims again, on real nats-servers that it starts and stops, and
says which of them are confirmed. A claim that nothing can run rests on its sources. --with
runs another server, as in weir prove.

The exit code is 1 when a claim that was run is not confirmed.`,
		Example: `  weir claims
  weir claims C05
  weir claims --verdict false
  weir claims --prove C27 C28
  weir claims --format json | jq -r '.[] | select(.verdict == "depends") | .so'`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return claimWords(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		list, err := namedClaims(args, claims.Verdict(verdict.value))
		switch {
		case err != nil:
			return ExitUsage, err
		case rerun:
			return c.proveClaims(list, with, out, format.value == "json")
		case with != "" || out != "":
			return ExitUsage, badInput("--with and --out go with --prove")
		case format.value == "json":
			return ExitYes, c.printJSON(list)
		case len(args) > 0:
			c.printClaims(list)
		default:
			c.listClaims(list)
		}
		return ExitYes, nil
	})
	var verdicts []string
	for _, v := range claims.Verdicts() {
		verdicts = append(verdicts, string(v))
	}
	f := cmd.Flags()
	choiceFlag(cmd, &verdict, "verdict", "only claims of this verdict", append([]string{""}, verdicts...)...)
	f.BoolVar(&rerun, "prove", false, "run the proofs of the claims again")
	f.StringVar(&with, "with", "", "with --prove: run this `server`, the path of a binary or a version")
	f.StringVarP(&out, "out", "o", "", "with --prove: write the evidence as JSON to this `file`")
	choiceFlag(cmd, &format, "format", "how to print", "text", "json")
	return cmd
}

func claimWords() []string {
	var words []string
	for _, cl := range claims.All() {
		words = append(words, cl.ID+"\t"+cl.Often)
	}
	return words
}

// namedClaims are the claims of the arguments, all without any, that have the
// verdict; "" is any.
func namedClaims(args []string, verdict claims.Verdict) ([]claims.Claim, error) {
	list := claims.All()
	if len(args) > 0 {
		list = nil
		for _, word := range args {
			cl, err := claims.Find(word)
			if err != nil {
				return nil, inputError{err}
			}
			list = append(list, cl)
		}
	}
	if verdict != "" {
		list = slices.DeleteFunc(list, func(cl claims.Claim) bool { return cl.Verdict != verdict })
	}
	if len(list) == 0 {
		return nil, badInput("none of these claims is %s", verdict)
	}
	return list, nil
}

func claimVerdictCell(v claims.Verdict) cell {
	switch v {
	case claims.True:
		return good(string(v))
	case claims.False:
		return bad(string(v))
	case claims.Depends:
		return warn(string(v))
	}
	return dim(string(v))
}

func (c *Command) listClaims(list []claims.Claim) {
	for _, about := range claims.Subjects() {
		var rows [][]cell
		for _, cl := range list {
			if cl.About == about {
				rows = append(rows, []cell{plain(cl.ID), claimVerdictCell(cl.Verdict), plain(cl.Often)})
			}
		}
		if len(rows) > 0 {
			c.print(dim(about))
			c.out.WriteByte('\n')
			c.table("  ", rows)
		}
	}
	fmt.Fprintf(c.out, "%s.\n", claims.Sentence(list))
}

// printClaims prints all that is known of claims.
func (c *Command) printClaims(list []claims.Claim) {
	for i, cl := range list {
		if i > 0 {
			c.out.WriteByte('\n')
		}
		fmt.Fprintf(c.out, "%s %s\n  Often repeated: %s\n  Verdict: ", cl.ID, cl.Name, cl.Often)
		c.print(claimVerdictCell(cl.Verdict))
		fmt.Fprintf(c.out, "\n  What is so: %s\n", cl.So)
		if cl.Figure != "" {
			fmt.Fprintf(c.out, "  Figure: %s\n", cl.Figure)
		}
		fmt.Fprintf(c.out, "  Known from: %s\n", strings.Join(cl.Refs, "; "))
		for _, code := range cl.Rules {
			fmt.Fprintf(c.out, "  In a design: weir explain %s\n", code)
		}
		for _, name := range cl.Proofs {
			fmt.Fprintf(c.out, "  See it on a real server: weir prove --proof %s\n", name)
		}
	}
}
