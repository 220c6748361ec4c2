package cli

import (
	"weir/design"
	"weir/dialect"
	"weir/lint"
	"weir/size"
)

// designs reads texts for a command that has to go on with what they say. What
// the readers have to say, and what of a text the designs do not hold, is shown
// with its lines beside the command's answer; where there are errors among it the
// error is one of the input.
func (c *Command) designs(sources []*design.Source) ([]*design.Design, error) {
	designs, problems := dialect.Read(sources)
	for _, d := range designs {
		problems = append(problems, design.Unread(d)...)
	}
	if err := lint.PrintText(c.Stderr, lint.FromProblems(problems), sources); err != nil {
		return nil, err
	}
	if !problems.Failed() {
		return designs, nil
	}
	return nil, badInput("%s cannot be used until it is repaired", problems[firstError(problems)].File)
}

func firstError(problems design.Problems) int {
	for i, p := range problems {
		if p.Severity == design.Error {
			return i
		}
	}
	return 0
}

// oneDesign reads texts that have to be one design. task is what the command does
// with one at a time, "size".
func (c *Command) oneDesign(sources []*design.Source, task string) (*design.Design, error) {
	designs, err := c.designs(sources)
	if err == nil && len(designs) != 1 {
		err = badInput("the files hold %s; %s one at a time", size.Counted(len(designs), "design", "designs"), task)
	}
	if err != nil {
		return nil, err
	}
	return designs[0], nil
}

// readOne reads the files of the arguments, which have to be one design.
func (c *Command) readOne(args []string, task string) (*design.Design, []*design.Source, error) {
	sources, err := c.texts(args)
	if err != nil {
		return nil, nil, err
	}
	d, err := c.oneDesign(sources, task)
	return d, sources, err
}
