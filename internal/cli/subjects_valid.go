package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"weir/prove"
	"weir/size"
	"weir/subject"
)

type validOptions struct {
	batchOptions
	as     contextFlag
	target targetFlag
	prove  bool
}

func (c *Command) subjectsValid() *cobra.Command {
	var o validOptions
	cmd := &cobra.Command{
		Use:   "valid [--as KIND] SUBJECT... | - | @FILE",
		Short: "Say whether subjects and names are valid where they are used",
		Long: `Says whether subjects and names are valid where they are used, and why not.

"weir subjects contexts" explains the kinds. The verdict is that on the syntax: a stream
subject such as > is valid and refused all the same (without no_ack), which the remark says.

With --as stream or --as filter, --prove creates a stream or consumer with each subject on
a real nats-server inside this process, and compares its answer with the verdict.
` + batchHelp,
		Example: `  weir subjects valid 'orders.*' orders..created
  weir subjects valid --as kv-bucket my.bucket
  weir subjects valid --as stream --prove 'orders.>' '*.>' 'a..b'
  printf 'orders.*\na..b\n' | weir subjects valid -
  weir subjects valid --as stream-name --escaped @names.txt`,
	}
	cmd.RunE = c.run(func(args []string) (int, error) { return c.valid(o, args) })
	o.add(cmd)
	o.as.add(cmd)
	o.target.add(cmd, "the newest")
	cmd.Flags().BoolVar(&o.prove, "prove", false, "put every subject to a real nats-server (kinds stream and filter)")
	return cmd
}

func (c *Command) valid(o validOptions, args []string) (int, error) {
	from, batch := sources(args, o.file)
	if len(from) == 0 {
		return ExitUsage, badInput("no subject given; write it as an argument, or - for standard input")
	}
	if o.prove {
		return c.proveValid(o, from)
	}
	if batch {
		return c.batch(from, o.batchOptions, func(fields []string) rowAnswer { return validRow(o, fields) })
	}
	var verdicts []subject.Verdict
	all := true
	for _, s := range from {
		v := subject.CheckOn(s.text(o.escaped), o.as.context, o.target.release())
		verdicts = append(verdicts, v)
		all = all && v.Valid
	}
	if o.format.value == "json" {
		return yesNo(all), printEach(c, jsonTexts(verdicts, o.escaped))
	}
	var rows [][]cell
	for _, v := range verdicts {
		rows = append(rows, []cell{verdictCell(v.Valid), plain(show(v.Subject)), plain(remark(v))})
		for _, s := range v.Suggestions {
			rows = append(rows, []cell{plain(""), plain(""), dim("write " + show(s.Subject) + ": " + s.Why)})
		}
	}
	c.table("", rows)
	return yesNo(all), nil
}

// remark is what stands beside a verdict, "" when there is nothing to say.
func remark(v subject.Verdict) string {
	switch {
	case !v.Valid:
		return v.Reason
	case v.Refused != "":
		return "refused: " + v.Refused
	case len(v.Notes) > 0:
		return v.Notes[0]
	}
	return ""
}

// validRow judges a whole row: a TAB in it belongs to the subject.
func validRow(o validOptions, fields []string) rowAnswer {
	s := fields[0]
	for _, f := range fields[1:] {
		s += "\t" + f
	}
	v := subject.CheckOn(s, o.as.context, o.target.release())
	a := rowAnswer{columns: []string{strconv.FormatBool(v.Valid)}, value: v, invalid: !v.Valid}
	if r := remark(v); r != "" {
		a.columns = append(a.columns, r)
	}
	return a
}

func (c *Command) proveValid(o validOptions, from []source) (int, error) {
	run, ok := map[subject.Context]func(*proofRun, []string) (prove.ConfigurationEvidence, error){
		subject.Stream: func(p *proofRun, list []string) (prove.ConfigurationEvidence, error) {
			return prove.StreamSubjects(p.ctx, list, p.options)
		},
		subject.Filter: func(p *proofRun, list []string) (prove.ConfigurationEvidence, error) {
			return prove.FilterSubjects(p.ctx, list, p.options)
		},
	}[o.as.context]
	if !ok {
		return ExitUsage, badInput("--prove goes with --as stream or --as filter; for subscribe and publish run weir subjects matrix --prove")
	}
	if err := provable(o.target); err != nil {
		return ExitUsage, err
	}
	list, err := c.list(from, o.escaped, "subjects")
	if err != nil {
		return ExitUsage, err
	}
	p := c.startProof("subjects")
	defer p.end()
	e, err := run(p, list)
	err = p.explain(err)
	p.end()
	if o.format.value == "json" {
		if printed := c.printJSON(jsonTexts(e, o.escaped)); err == nil {
			err = printed
		}
		return yesNo(e.Agrees()), err
	}
	var rows [][]cell
	for _, a := range e.Answers {
		row := []cell{good(a.Measured), plain(show(a.Subject)), plain("")}
		if a.Measured != prove.Accepted {
			row[0] = warn(a.Measured)
		}
		if !a.Agree {
			row[2] = bad("differs: predicted " + a.Predicted)
		}
		rows = append(rows, row)
	}
	c.table("", rows)
	c.printNotExercised(e.NotExercised)
	c.printRan(ran(e.Evidence, size.Counted(len(e.Answers), "subject", "subjects"), e.Different, e.Agrees()))
	return yesNo(e.Agrees()), err
}
