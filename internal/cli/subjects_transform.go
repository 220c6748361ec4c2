package cli

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"weir/subject"
)

type transformOptions struct {
	batchOptions
	target    targetFlag
	strict    bool
	functions bool
	seed      uint64
	seeded    bool
}

// transformed is what weir subjects transform answers for one subject.
type transformed struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
	Subject     string `json:"subject"`
	Result      string `json:"result,omitempty"`
	Error       string `json:"error,omitempty"` // the server's words
	Hint        string `json:"hint,omitempty"`  // what to write instead
}

func (c *Command) subjectsTransform() *cobra.Command {
	var o transformOptions
	cmd := &cobra.Command{
		Use:   "transform SOURCE DESTINATION [SUBJECT... | - | @FILE] | - | @FILE",
		Short: "Apply a subject transform, or say why the server refuses it",
		Long: `Applies a subject transform, as subject_transform of a stream, mirrors and sources,
republish and account mappings do. Without a subject it says whether the server accepts the
transform. Exits 1 when the transform is refused or does not apply to a subject.

Rows hold SOURCE<TAB>DESTINATION<TAB>SUBJECT; further columns are kept. The result or
"error: reason" is appended; for a row with an empty subject, or none, "OK" when the server
accepts the transform. With SOURCE and DESTINATION before - or @FILE a row is a subject.
` + batchHelp,
		Example: `  weir subjects transform 'orders.*' 'orders.{{partition(8,1)}}.$1' orders.42
  weir subjects transform 'a.*.*' 'b.$2.$1' a.x.y a.x
  weir subjects transform --strict 'imports.*' 'local.{{left(1,3)}}'
  printf 'a.*\tb.$1\ta.x\n' | weir subjects transform -
  weir subjects transform --functions`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) {
		o.seeded = cmd.Flags().Changed("seed")
		return c.transform(o, args)
	})
	o.add(cmd)
	o.target.add(cmd, "the newest")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "hold it to the rules of account imports: reversible, wildcard(n) and $n only")
	cmd.Flags().BoolVar(&o.functions, "functions", false, "list the mapping functions")
	cmd.Flags().Uint64Var(&o.seed, "seed", 0, "make {{random(n)}} repeatable")
	return cmd
}

func (c *Command) transform(o transformOptions, args []string) (int, error) {
	if o.functions {
		return c.functions(o, args)
	}
	t := newTransformer(o)
	from, batch := sources(args, o.file)
	switch {
	case batch && len(from) == 1:
		return c.batch(from, o.batchOptions, t.row)
	case len(from) < 2:
		return ExitUsage, badInput("give a source and a destination, or - for rows of them")
	case from[0].file != "" || from[1].file != "":
		return ExitUsage, badInput("give the source and the destination as arguments, or everything in one file")
	}
	source, destination := from[0].text(o.escaped), from[1].text(o.escaped)
	if batch {
		return c.batch(from[2:], o.batchOptions, func(f []string) rowAnswer {
			if strings.TrimSpace(f[0]) == "" {
				return t.blank(source, destination, f[0])
			}
			return t.row(append([]string{source, destination}, f...))
		})
	}
	var answers []transformed
	if len(from) == 2 {
		answers = append(answers, t.apply(source, destination, ""))
	}
	for _, s := range from[2:] {
		text := s.text(o.escaped)
		if !subject.ValidLiteral(text) {
			return ExitUsage, unpublishable(text)
		}
		answers = append(answers, t.apply(source, destination, text))
	}
	all := true
	for _, a := range answers {
		all = all && a.Error == ""
	}
	if o.format.value == "json" {
		return yesNo(all), printEach(c, jsonTexts(answers, o.escaped))
	}
	c.printTransformed(answers)
	return yesNo(all), nil
}

// printTransformed prints one result alone, several as a table.
func (c *Command) printTransformed(answers []transformed) {
	var rows [][]cell
	for _, a := range answers {
		result := plain(show(a.Result))
		switch {
		case a.Error != "":
			result = bad("error: " + oneLine(a.Error))
		case a.Subject == "":
			result = good("OK")
		}
		row := []cell{result, dim(a.Hint)}
		if len(answers) > 1 {
			row = []cell{plain(show(a.Subject)), result, dim(a.Hint)}
		}
		rows = append(rows, row)
	}
	c.table("", rows)
}

func (c *Command) functions(o transformOptions, args []string) (int, error) {
	if len(args) > 0 || o.file != "" {
		return ExitUsage, badInput("--functions lists the functions and takes no arguments")
	}
	if o.format.value == "json" {
		return ExitYes, c.printJSON(subject.Functions())
	}
	rows := [][]cell{{dim("function"), dim("what it writes; source | destination | subject | result; since")}}
	for _, f := range subject.Functions() {
		rows = append(rows, []cell{plain(f.Usage), plain(f.Does)}, []cell{plain(""), dim(f.Example)}, []cell{plain(""), dim("since " + f.Since)})
	}
	c.table("", rows)
	return ExitYes, nil
}

// transformer keeps the last transform, because rows often share one.
type transformer struct {
	o                   transformOptions
	source, destination string
	compiled            bool
	transform           *subject.Transform
	err                 error
	random              func(int) int
}

func newTransformer(o transformOptions) *transformer {
	t := &transformer{o: o}
	if o.seeded {
		t.random = rand.New(rand.NewPCG(o.seed, 0)).IntN
	}
	return t
}

// apply transforms one subject; "" only asks whether the transform is accepted.
func (t *transformer) apply(source, destination, s string) transformed {
	if !t.compiled || source != t.source || destination != t.destination {
		t.source, t.destination, t.compiled = source, destination, true
		t.transform, t.err = subject.NewTransform(source, destination, subject.TransformOptions{Strict: t.o.strict, Release: t.o.target.release()})
	}
	a := transformed{Source: source, Destination: destination, Subject: s}
	err := t.err
	if err == nil && s != "" {
		a.Result, err = t.transform.Apply(s, t.random)
	}
	var refused *subject.TransformError
	if errors.As(err, &refused) {
		a.Hint = refused.Hint
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// blank answers a row that holds no subject where each row has to be one.
func (t *transformer) blank(source, destination, row string) rowAnswer {
	a := transformed{Source: source, Destination: destination, Subject: row, Error: "the row is blank; write a subject"}
	return rowAnswer{columns: []string{"error: " + a.Error}, value: a, invalid: true}
}

// row answers source, destination, subject and columns that are kept.
func (t *transformer) row(fields []string) rowAnswer {
	if len(fields) < 2 {
		reason := "one column; write SOURCE<TAB>DESTINATION<TAB>SUBJECT"
		return rowAnswer{columns: []string{"error: " + reason}, value: rowError{fields, reason}, invalid: true}
	}
	s := ""
	if len(fields) > 2 {
		s = fields[2]
	}
	a := t.apply(fields[0], fields[1], s)
	switch {
	case a.Error != "":
		text := fmt.Sprintf("error: %s", a.Error)
		if a.Hint != "" {
			text += "; " + a.Hint
		}
		return rowAnswer{columns: []string{text}, value: a, invalid: true}
	case s == "":
		return rowAnswer{columns: []string{"OK"}, value: a}
	}
	return rowAnswer{columns: []string{a.Result}, value: a}
}
