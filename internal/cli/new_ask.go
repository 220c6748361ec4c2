package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"weir/internal/interview"
	"weir/size"
)

// ask makes a design of answers: those of a file and of the arguments, or, where
// there are none, of questions put to whoever sits there.
func (c *Command) ask(o newOptions, args []string) (int, error) {
	var a interview.Answers
	if o.answers != "" {
		text, err := c.answerFile(o.answers)
		if err != nil {
			return codeOf(err), err
		}
		if a, err = interview.Parse(o.answers, text); err != nil {
			return ExitUsage, inputError{err}
		}
	}
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if !ok {
			return ExitUsage, badInput("%q is no answer; write key=value, such as rate=120/s", arg)
		}
		if err := a.Set(strings.TrimSpace(key), value); err != nil {
			return ExitUsage, inputError{err}
		}
	}
	var r interview.Result
	var err error
	if o.answers == "" && len(args) == 0 {
		if r, err = c.interview(); err != nil {
			return ExitUsage, err
		}
	} else {
		var faults []interview.Fault
		if r, faults = interview.Design(a); len(faults) > 0 {
			var says []string
			for _, f := range faults {
				says = append(says, f.Field+": "+f.Says)
			}
			return ExitUsage, badInput("the answers make no design yet:\n  %s", strings.Join(says, "\n  "))
		}
	}
	return c.putDesign(o.file, r.Text, size.Counted(r.Advised, "value", "values")+" advised")
}

// answerFile reads the file of answers, "-" is standard input.
func (c *Command) answerFile(name string) (string, error) {
	in := c.Stdin
	if name != stdinName && name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", badInput("read answers: %w", err)
		}
		defer f.Close()
		in = f
	}
	const most = 1 << 20
	text, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && len(text) > most {
		err = badInput("read answers: %s is longer than 1 MiB", name)
	}
	return string(text), err
}

// asking puts questions.
type asking struct {
	in  *bufio.Scanner
	out io.Writer
}

// interview asks until the answers make a design. Questions go to standard error,
// so that the design can be written into a file or a pipe.
func (c *Command) interview() (interview.Result, error) {
	q := asking{bufio.NewScanner(c.Stdin), c.Stderr}
	fmt.Fprintln(q.out, "Six questions. Enter takes what is in brackets, - leaves an answer open.")
	example := interview.Example()
	var a interview.Answers
	for i, question := range interview.Questions() {
		fmt.Fprintf(q.out, "\n%d. %s (%s)\n", i+1, question.Ask, question.Why)
		if i == interview.ReaderQuestion {
			if err := q.readers(&a, question.Fields); err != nil {
				return interview.Result{}, err
			}
			continue
		}
		for _, f := range question.Fields {
			if err := q.field(&a, f, example.Get(f.Name)); err != nil {
				return interview.Result{}, err
			}
		}
	}
	for {
		r, faults := interview.Design(a)
		if len(faults) == 0 {
			fmt.Fprintln(q.out)
			return r, nil
		}
		if err := q.again(&a, faults); err != nil {
			return interview.Result{}, err
		}
	}
}

// again asks what cannot be used once more.
func (q *asking) again(a *interview.Answers, faults []interview.Fault) error {
	readers := false
	for _, question := range interview.Questions() {
		for _, f := range question.Fields {
			for _, fault := range faults {
				if fault.Field != f.Name {
					continue
				}
				fmt.Fprintf(q.out, "  %s %s\n", fault.Field, fault.Says)
				if err := q.field(a, f, a.Get(f.Name)); err != nil {
					return err
				}
			}
		}
	}
	for _, fault := range faults {
		if strings.HasPrefix(fault.Field, "reader") {
			fmt.Fprintf(q.out, "  %s: %s\n", fault.Field, fault.Says)
			readers = true
		}
	}
	if !readers {
		return nil
	}
	a.Readers = nil
	return q.readers(a, interview.Questions()[interview.ReaderQuestion].Fields)
}

func (q *asking) field(a *interview.Answers, f interview.Field, usual string) error {
	text, err := q.line(f, usual)
	if err != nil {
		return err
	}
	return a.Set(f.Name, text)
}

// line asks for one answer.
func (q *asking) line(f interview.Field, usual string) (string, error) {
	hint := f.Hint
	if len(f.Choices) > 0 {
		hint = strings.Join(f.Choices, ", ")
	}
	fmt.Fprintf(q.out, "  %s (%s) [%s]: ", f.Ask, hint, usual)
	if !q.in.Scan() {
		fmt.Fprintln(q.out)
		return "", badInput("the answers end at %q; weir new --ask --answers FILE takes all of them from a file", f.Ask)
	}
	switch text := strings.TrimSpace(q.in.Text()); text {
	case "":
		return usual, nil
	case "-":
		return "", nil
	default:
		return text, nil
	}
}

// readers asks for one after the other, until a name is left open.
func (q *asking) readers(a *interview.Answers, fields []interview.Field) error {
	usual := interview.Example().Readers[0]
	for {
		values := []string{usual.Name, usual.Takes, usual.Slowest, usual.AtATime, ""}
		if len(a.Readers) > 0 {
			values[0] = "no more"
		}
		for i, f := range fields {
			text, err := q.line(f, values[i])
			if err != nil {
				return err
			}
			if i == 0 && len(a.Readers) > 0 && (text == "" || text == "no more") {
				return nil
			}
			values[i] = text
		}
		a.Readers = append(a.Readers, interview.Reader{Name: values[0], Takes: values[1], Slowest: values[2], AtATime: values[3], Types: values[4]})
	}
}
