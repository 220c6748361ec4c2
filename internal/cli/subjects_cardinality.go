package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/size"
	"weir/subject"
)

type cardinalityOptions struct {
	batchOptions
	domains []string
}

func (c *Command) subjectsCardinality() *cobra.Command {
	var o cardinalityOptions
	cmd := &cobra.Command{
		Use:   "cardinality TEMPLATE... | - | @FILE",
		Short: "Estimate how many subjects a template makes from the domains of its tokens",
		Long: `Multiplies the domains of a template's tokens: {name} takes the values of --domain
name=N, a * the next --domain N without a name, and a literal counts once. The number of
distinct subjects decides the memory of a stream and what max_msgs_per_subject keeps.

Rows hold a TEMPLATE each; the number and its formula, or "error: reason", are appended.
` + batchHelp,
		Example: `  weir subjects cardinality 'orders.{region}.created' --domain region=12
  weir subjects cardinality 'sensors.*.*' --domain 40 --domain 5000
  weir subjects cardinality --domain region=12,id=50000 @templates.txt`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.cardinality(o, args) })
	o.add(cmd)
	cmd.Flags().StringSliceVar(&o.domains, "domain", nil, "how many values a token has: name=N, or N for the next *")
	return cmd
}

func (c *Command) cardinality(o cardinalityOptions, args []string) (int, error) {
	domains, err := parseDomains(o.domains)
	if err != nil {
		return ExitUsage, err
	}
	from, batch := sources(args, o.file)
	if len(from) == 0 {
		return ExitUsage, badInput("no template given, such as 'orders.{region}.created'")
	}
	use := domainUse{domains: domains, used: make([]bool, len(domains))}
	if batch {
		code, err := c.batch(from, o.batchOptions, func(fields []string) rowAnswer {
			use.note(fields[0])
			return cardinalityRow(fields, domains)
		})
		if err == nil {
			err = use.unused("no row")
		}
		return code, err
	}
	for _, s := range from {
		use.note(s.text(o.escaped))
	}
	var answers []subject.Cardinality
	var rows [][]cell
	for _, s := range from {
		n, err := subject.CardinalityOf(s.text(o.escaped), domains)
		if err != nil {
			return ExitUsage, badInput("%s: %w", show(s.text(o.escaped)), err)
		}
		answers = append(answers, n)
		rows = append(rows, []cell{plain(subjectCount(n)), plain(show(n.Template)), dim(n.Formula)})
	}
	if err := use.unused("no template"); err != nil {
		return ExitUsage, err
	}
	if o.format.value == "json" {
		return ExitYes, printEach(c, jsonTexts(answers, o.escaped))
	}
	c.table("", rows)
	return ExitYes, nil
}

func subjectCount(n subject.Cardinality) string {
	if n.Capped {
		return "over 9.2e18 subjects"
	}
	return size.Counted(int(n.Subjects), "subject", "subjects")
}

func cardinalityRow(fields []string, domains []subject.Domain) rowAnswer {
	n, err := subject.CardinalityOf(fields[0], domains)
	if err != nil {
		return rowAnswer{columns: []string{"error: " + err.Error()}, value: rowError{fields, err.Error()}, invalid: true}
	}
	return rowAnswer{columns: []string{strconv.FormatInt(n.Subjects, 10), n.Formula}, value: n}
}

// domainUse finds domains that no template takes: they are misspelt.
type domainUse struct {
	domains []subject.Domain
	used    []bool
}

func (u *domainUse) note(template string) {
	stars := 0
	for _, t := range subject.Tokens(template) {
		if t == subject.One {
			stars++
		}
	}
	for i, d := range u.domains {
		switch {
		case d.Name != "":
			u.used[i] = u.used[i] || strings.Contains("."+template+".", ".{"+d.Name+"}.")
		case stars > 0:
			u.used[i] = true
			stars--
		}
	}
}

func (u *domainUse) unused(who string) error {
	for i, d := range u.domains {
		switch {
		case u.used[i]:
		case d.Name == "":
			return badInput("--domain %d: %s has a * for it", d.Values, who)
		default:
			return badInput("--domain %s=%d: %s has the token {%s}", d.Name, d.Values, who, d.Name)
		}
	}
	return nil
}

// parseDomains reads "region=12" and "12".
func parseDomains(words []string) ([]subject.Domain, error) {
	var out []subject.Domain
	for _, w := range words {
		name, number, named := strings.Cut(w, "=")
		if !named {
			name, number = "", w
		}
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 1 || named && name == "" {
			return nil, badInput("--domain %q: write name=N or N, with N from 1 on", w)
		}
		if named && slices.ContainsFunc(out, func(d subject.Domain) bool { return d.Name == name }) {
			return nil, badInput("--domain %q: %s has a number already", w, name)
		}
		out = append(out, subject.Domain{Name: name, Values: n})
	}
	return out, nil
}
