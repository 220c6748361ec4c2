package showdown

import (
	"fmt"
	"strings"
)

// Markdown is the page of a showdown, with a comparison where c is not nil. A cell
// of a truth table names its proof, which is not the same as having run it.
func (s *Showdown) Markdown(c *Comparison) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s\n\n**%s** %s\n\n%s\n", s.Title, s.Question, s.Verdict, s.About)
	for _, side := range s.Sides {
		var rows [][]string
		for _, r := range s.Decide {
			if r.Side == side.Letter {
				rows = append(rows, []string{r.When, r.Because})
			}
		}
		markdownTable(&b, []string{side.Name + " when", "because"}, rows)
	}
	if s.Truth != nil {
		rows := [][]string{}
		for _, r := range s.Truth.Rows {
			rows = append(rows, append(append([]string{r.Case}, r.Cells...), "`"+r.Proof+"`"))
		}
		line("## %s\n\nEach row has a proof that shows all its cells: `weir showdown %s --prove`.\n", s.Truth.Title, s.Name)
		markdownTable(&b, append(append([]string{""}, s.Truth.Columns...), "proof"), rows)
	}
	if c != nil {
		c.markdown(&b)
	}
	line("## Where each loses\n")
	for _, l := range s.Loses {
		line("- **%s**: %s%s", s.Side(l.Side).Name, l.Text, s.ground(l.Grounds))
	}
	if len(s.Claims) > 0 {
		line("\n## Often repeated\n")
		for _, one := range s.Claims {
			line("- %s **%s**: %s %s", one.ID, one.Verdict, one.Often, one.So)
		}
	}
	if len(s.Outside) > 0 {
		line("\n## Figures of others\n")
		rows := [][]string{}
		for _, o := range s.Outside {
			from, _ := s.SourceOf(o.Source)
			rows = append(rows, []string{o.Figure, o.Setup, from.Version, from.Date, o.Defect})
		}
		markdownTable(&b, []string{"figure", "of what", "version", "date", "what to know"}, rows)
	}
	if len(s.Sources) > 0 {
		line("## Sources\n")
		for _, one := range s.Sources {
			line("- %s; %s; %s; %s", one.What, one.Version, one.Date, one.Bias)
		}
		line("")
	}
	return strings.TrimSpace(b.String()) + "\n"
}

// ground is what stands behind a statement, in brackets.
func (s *Showdown) ground(g Grounds) string {
	switch {
	case g.Proof != "":
		return " (proof `" + g.Proof + "`)"
	case g.Source != "":
		from, _ := s.SourceOf(g.Source)
		return " (" + from.What + ", " + from.Date + ")"
	}
	return ""
}

// markdown writes the comparison.
func (c *Comparison) markdown(b *strings.Builder) {
	of := "the showdown's own designs"
	if c.Design != "" {
		of = c.Design
	}
	fmt.Fprintf(b, "## Side by side: %s\n\n", of)
	if c.Design != "" {
		fmt.Fprintf(b, "%s\n\n", c.Verdict)
	}
	rows := [][]string{}
	for _, r := range c.Rows {
		rows = append(rows, append([]string{r.What}, textsOf(r.Cells)...))
	}
	markdownTable(b, append([]string{""}, c.Sides...), rows)
	for _, t := range c.Tables {
		fmt.Fprintf(b, "### %s\n\n", t.Title)
		if t.About != "" {
			fmt.Fprintf(b, "%s%s.\n\n", strings.ToUpper(t.About[:1]), t.About[1:])
		}
		rows := [][]string{}
		for _, r := range t.Rows {
			rows = append(rows, textsOf(r.Cells))
		}
		markdownTable(b, t.Head, rows)
	}
	for _, n := range c.Notes {
		fmt.Fprintf(b, "- %s\n", n)
	}
	b.WriteString("\n")
}

func textsOf(cells []Cell) []string {
	out := make([]string, len(cells))
	for i, one := range cells {
		out[i] = one.Text
	}
	return out
}

func markdownTable(b *strings.Builder, head []string, rows [][]string) {
	write := func(cells []string) {
		for i, one := range cells {
			cells[i] = strings.ReplaceAll(one, "|", `\|`)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	write(head)
	b.WriteString("|" + strings.Repeat("---|", len(head)) + "\n")
	for _, r := range rows {
		write(r)
	}
	b.WriteString("\n")
}
