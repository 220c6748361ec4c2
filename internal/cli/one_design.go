package cli

import (
	"fmt"
	"slices"

	"weir/design"
	"weir/dialect"
	"weir/lint"
	"weir/size"
)

// readOne reads the files of a command that works on one design. d is nil where
// the command ends with code and err: files that cannot be read, texts that have
// faults, which say then tells of, or more than one design. task is what the
// command does, "size".
func (c *Command) readOne(args []string, task string, say func(design.Problems, []*design.Source) error) (d *design.Design, sources []*design.Source, code int, err error) {
	sources, err = c.texts(args)
	if err != nil {
		return nil, nil, codeOf(err), err
	}
	designs, problems := dialect.Read(sources)
	if problems.Failed() {
		if err := say(problems, sources); err != nil {
			return nil, nil, ExitTrouble, err
		}
		return nil, nil, problemsCode(problems), nil
	}
	if len(designs) != 1 {
		return nil, nil, ExitUsage, badInput("the files hold %s; %s one at a time", size.Counted(len(designs), "design", "designs"), task)
	}
	return designs[0], sources, ExitYes, nil
}

// problemsCode is the exit code for texts that have faults: those of no known notation
// are no input at all, a fault in one that is known is a finding.
func problemsCode(problems design.Problems) int {
	if slices.ContainsFunc(problems, func(p design.Problem) bool { return p.Code == design.CodeNotation }) {
		return ExitUsage
	}
	return ExitNo
}

// listProblems prints what a reader found as the command's answer, a line each.
func (c *Command) listProblems(problems design.Problems, _ []*design.Source) error {
	for _, p := range problems {
		fmt.Fprintln(c.out, p)
	}
	return nil
}

// explainProblems shows what a reader found beside the command's answer, with the
// lines at fault.
func (c *Command) explainProblems(problems design.Problems, sources []*design.Source) error {
	return lint.PrintText(c.Stderr, lint.FromProblems(problems), sources)
}
