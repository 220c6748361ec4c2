package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/lint"
	"weir/natsapi"
)

func (c *Command) explainCommand() *cobra.Command {
	var format choice
	cmd := &cobra.Command{
		Use:   "explain CODE",
		Short: "Say what a code of weir check means, why, and what to do",
		Long: `Prints all that is known about a code that weir check prints in brackets: a rule with its
reason, remedy and example designs; an API code with what the server answers and when; or
what a code of the readers stands for. A rule may be named in words as well.`,
		Example: `  weir explain CON001
  weir explain ack-wait-shorter-than-work
  weir explain API10065
  weir explain --format json CON001 | jq -r .fixed.text`,
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return explainWords(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.explainCode(args[0], format.value == "json") })
	choiceFlag(cmd, &format, "format", "how to print", "text", "json")
	return cmd
}

func explainWords() []string {
	var words []string
	for _, code := range lint.Codes() {
		words = append(words, code.Code+"\t"+code.Title)
	}
	return words
}

func (c *Command) explainCode(word string, asJSON bool) (int, error) {
	r, notRule := lint.FindRule(word)
	if notRule == nil && asJSON {
		return ExitYes, c.printJSON(r.Doc())
	}
	if notRule == nil {
		c.printRule(r.Doc())
		return ExitYes, nil
	}
	for _, info := range lint.Codes() {
		if !strings.EqualFold(info.Code, word) && info.Code != "API"+word {
			continue
		}
		if asJSON {
			return ExitYes, c.printJSON(info)
		}
		fmt.Fprintf(c.out, "%s: %s\n", info.Code, info.Title)
		if n, err := strconv.Atoi(strings.TrimPrefix(info.Code, "API")); err == nil && strings.HasPrefix(info.Code, "API") {
			c.printAPIError(n)
		}
		return ExitYes, nil
	}
	return ExitUsage, inputError{rulesAbout(word, notRule)}
}

// rulesAbout adds to an error the rules that speak of the word, a few of them.
func rulesAbout(word string, err error) error {
	const most = 4
	var about []string
	for _, r := range lint.Rules() {
		if text := strings.ToLower(r.Title + " " + r.Why + " " + r.Fix); len(word) > 3 && strings.Contains(text, strings.ToLower(word)) {
			about = append(about, fmt.Sprintf("\n  %s  %s", r.Code, r.Title))
		}
	}
	if len(about) == 0 {
		return err
	}
	more := ""
	if len(about) > most {
		more = fmt.Sprintf("\n  and %d more", len(about)-most)
	}
	return fmt.Errorf("%w; these speak of it:%s%s", err, strings.Join(about[:min(most, len(about))], ""), more)
}

// printAPIError prints what triggers an err_code and which rules explain it.
func (c *Command) printAPIError(errCode int) {
	if e, ok := natsapi.ErrorByCode(errCode); ok && e.Trigger != "" {
		fmt.Fprintf(c.out, "  When: %s\n", e.Trigger)
	}
	for _, r := range lint.Rules() {
		for _, x := range r.Explains {
			if x.ErrCode == errCode {
				fmt.Fprintf(c.out, "  See %s: %s\n", r.Code, r.Title)
				break
			}
		}
	}
}

// printRule prints a rule's page for a terminal.
func (c *Command) printRule(d lint.RuleDoc) {
	c.print(severityCell(string(d.Severity)))
	fmt.Fprintf(c.out, " %s %s\n  %s\n  %s: %s", d.Code, d.Name, d.Title, d.Severity, d.Means())
	if d.Severity == design.Warning {
		c.out.WriteString("; info where the design does not show that it does")
	}
	if h := d.Holds(); h != "" {
		fmt.Fprintf(c.out, "; nats-server %s", h)
	}
	fmt.Fprintf(c.out, "\n\n%s\n\nWhy: %s\n\nWhat to do: %s\n", d.About, d.Why, d.Fix)
	for _, e := range d.Bad {
		fmt.Fprintf(c.out, "\nFound in\n")
		n := 0
		for line := range strings.Lines(e.Text) {
			n++
			mark := "  "
			for _, at := range e.Lines {
				if at == n {
					mark = "> "
				}
			}
			c.out.WriteString("  " + mark + line)
		}
	}
	fmt.Fprintf(c.out, "\nRepaired\n")
	for line := range strings.Lines(d.Fixed.Text) {
		c.out.WriteString("    " + line)
	}
	fmt.Fprintf(c.out, "\nKnown from: %s\n", strings.Join(d.Refs, "; "))
	if d.Proof != "" {
		fmt.Fprintf(c.out, "See it on a real server: weir prove --proof %s\n", d.Proof)
	}
	fmt.Fprintf(c.out, "Where it is meant so: # weir:ignore %s reason\n", d.Code)
}
