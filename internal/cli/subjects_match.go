package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"weir/subject"
)

func (c *Command) subjectsMatch() *cobra.Command {
	var o batchOptions
	cmd := &cobra.Command{
		Use:   "match PATTERN SUBJECT... | - | @FILE",
		Short: "Say whether a pattern matches subjects, and why not",
		Long: `Says whether a message published to a subject reaches a subscription, stream or consumer
on a pattern, token by token where it does not. Exits 0 when all subjects match, 1 when one
does not.

Rows hold PATTERN<TAB>SUBJECT; further columns are kept. "true", "false" or
"invalid: reason" is appended. With a PATTERN before - or @FILE a row is a subject.
` + batchHelp,
		Example: `  weir subjects match 'orders.*' orders.created orders.eu.created
  weir subjects match --format json 'orders.>' orders
  printf 'orders.*\torders.eu\n' | weir subjects match -
  weir subjects match 'telemetry.>' @subjects.txt
  weir subjects match --escaped @pairs.tsv`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.match(o, args) })
	o.add(cmd)
	return cmd
}

func (c *Command) match(o batchOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	switch {
	case batch && len(from) == 1:
		return c.batch(from, o, func(f []string) rowAnswer { return matchRow(o, f) })
	case len(from) < 2:
		return ExitUsage, badInput("give a pattern and a subject, or - for rows of both")
	case from[0].file != "":
		return ExitUsage, badInput("rows of patterns and rows of subjects make a matrix: run weir subjects matrix")
	}
	pattern := from[0].text(o.escaped)
	if v := subject.Check(pattern, subject.Subscribe); !v.Valid {
		return ExitUsage, inputError{v.Error()}
	}
	if batch {
		return c.batch(from[1:], o, func(f []string) rowAnswer { return matchRow(o, append([]string{pattern}, f...)) })
	}
	var answers []subject.MatchExplanation
	all := true
	for _, s := range from[1:] {
		e := subject.ExplainMatch(pattern, s.text(o.escaped))
		if !e.Valid {
			return ExitUsage, unpublishable(e.Subject)
		}
		all = all && e.Match
		answers = append(answers, e)
	}
	if o.format.value == "json" {
		return yesNo(all), printEach(c, jsonTexts(answers, o.escaped))
	}
	var rows [][]cell
	for _, e := range answers {
		rows = append(rows, []cell{verdictCell(e.Match), plain(show(e.Pattern)), plain(show(e.Subject)), plain(e.Summary)})
		for _, s := range e.Try {
			rows = append(rows, []cell{plain(""), plain(""), plain(""), dim("try " + show(s.Subject) + ": " + s.Why)})
		}
		for _, n := range e.Notes {
			rows = append(rows, []cell{plain(""), plain(""), plain(""), dim(n)})
		}
	}
	c.table("", rows)
	return yesNo(all), nil
}

// unpublishable says why a message cannot be published to s.
func unpublishable(s string) error {
	return badInput("%s is not a subject to publish to: %s", show(s), subject.Check(s, subject.Publish).Reason)
}

// matchRow answers pattern, subject and columns that are kept.
func matchRow(o batchOptions, fields []string) rowAnswer {
	if len(fields) < 2 {
		reason := "one column; write PATTERN<TAB>SUBJECT"
		return rowAnswer{columns: []string{"invalid: " + reason}, value: rowError{fields, reason}, invalid: true}
	}
	pattern, s := fields[0], fields[1]
	var a rowAnswer
	if o.format.value == "json" {
		e := subject.ExplainMatch(pattern, s)
		return rowAnswer{value: e, invalid: !e.Valid}
	}
	switch {
	case !subject.Valid(pattern):
		a = rowAnswer{columns: []string{"invalid: pattern: " + subject.Check(pattern, subject.Subscribe).Reason}, invalid: true}
	case !subject.Publishable(s):
		a = rowAnswer{columns: []string{"invalid: subject: " + subject.Check(s, subject.Publish).Reason}, invalid: true}
	default:
		a = rowAnswer{columns: []string{strconv.FormatBool(subject.Match(pattern, s))}}
	}
	return a
}

// rowError is a row that cannot be read, for --format json.
type rowError struct {
	Row   []string `json:"row"`
	Error string   `json:"error"`
}
