// Package cli is the weir command: flags, input, and text or JSON output
// around the packages that know things. It holds no rules about NATS.
//
//	os.Exit((&cli.Command{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}).Main(os.Args[1:]))
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"weir/natsapi"
)

// Exit codes of weir.
const (
	ExitYes     = 0 // yes, clean, or the answer was printed
	ExitNo      = 1 // no, findings, a proof that differs, refused by the server
	ExitUsage   = 2 // the call or its input cannot be used; of a batch: every row is invalid
	ExitTrouble = 3 // reading, writing or the server failed, or the run was interrupted
)

// families makes the commands below weir, in the order of the help. A new one
// is a file with a method, and a line here.
var families = []func(*Command) *cobra.Command{
	(*Command).check,
	(*Command).rules,
	(*Command).explainCommand,
	(*Command).claims,
	(*Command).new,
	(*Command).fmt,
	(*Command).diff,
	(*Command).fields,
	(*Command).schema,
	(*Command).proveCommand,
	(*Command).subjects,
	(*Command).size,
	(*Command).simulate,
	(*Command).sweep,
	(*Command).tune,
	(*Command).advise,
	(*Command).generate,
	(*Command).showdown,
	(*Command).report,
	(*Command).studio,
	(*Command).version,
	(*Command).completion,
}

// Command is one call of weir. The three streams must be set.
type Command struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	out  *bufio.Writer // buffers Stdout
	code int           // of the command that ran
	ran  bool
	term terminal
	env  bool // sources have the environment of the process
	// foreign are files of folders that are in no notation that Weir reads.
	foreign []string
	notes   []string // what a report says below its findings
}

// Main runs weir with its arguments, the program's name left out, and returns
// the exit code: one of ExitYes, ExitNo, ExitUsage and ExitTrouble.
func (c *Command) Main(args []string) int {
	c.out = bufio.NewWriterSize(c.Stdout, 64<<10)
	c.term = terminalOf(c.Stdout)
	root := c.root()
	root.SetArgs(args)
	root.SetIn(c.Stdin)
	root.SetOut(c.out)
	root.SetErr(c.Stderr)
	ran, err := root.ExecuteC()
	if flushed := c.out.Flush(); flushed != nil && err == nil {
		c.ran = true // also help is output
		err = fmt.Errorf("write output: %w", flushed)
	}
	if err == nil {
		return c.code
	}
	fmt.Fprintf(c.Stderr, "weir: %s\n", err)
	var bad inputError
	switch {
	case !c.ran: // cobra refused flags, arguments or the command's name
		fmt.Fprintf(c.Stderr, "Run %q for what it takes.\n", ran.CommandPath()+" --help")
		return ExitUsage
	case errors.As(err, &bad):
		return ExitUsage
	}
	return ExitTrouble
}

func (c *Command) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "weir",
		Short: "Design NATS and JetStream systems, and prove the design on the real server",
		Long: "Weir designs messaging systems on NATS and JetStream before they exist, and proves\n" +
			"the design on the real nats-server.\n\n" +
			"Exit codes: 0 yes or clean; 1 no, findings, or a proof that differs; 2 the call or its\n" +
			"input cannot be used; 3 trouble while reading, writing or running the server.",
		Args:              groupArgs,
		RunE:              showHelp,
		Version:           versionLine(),
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(explainFlag)
	for _, make := range families {
		root.AddCommand(make(c))
	}
	sayWhatIsTaken(root)
	root.SetHelpCommand(&cobra.Command{Use: "help [command]", Short: "Explain a command", RunE: func(_ *cobra.Command, args []string) error {
		of, rest, err := root.Find(args)
		if err == nil {
			err = groupArgs(of, rest)
		}
		if err != nil {
			return err
		}
		of.InitDefaultHelpFlag()
		return of.Help()
	}})
	return root
}

func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

// groupArgs refuses arguments of a command that only holds others: they are
// mistyped commands.
func groupArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	if near := natsapi.Suggest(args[0], names); near != "" {
		return fmt.Errorf("%q is not a command of %s; did you mean %s?", args[0], cmd.CommandPath(), near)
	}
	return fmt.Errorf("%q is not a command of %s; there are %s", args[0], cmd.CommandPath(), strings.Join(names, ", "))
}

// sayWhatIsTaken lets every command say in its own words which arguments it takes,
// where cobra only counts them.
func sayWhatIsTaken(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		sayWhatIsTaken(sub)
	}
	check := cmd.Args
	if check == nil || cmd.HasSubCommands() {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil || !strings.Contains(err.Error(), "arg(s)") {
			return err
		}
		_, takes, some := strings.Cut(cmd.Use, " ")
		if !some {
			takes = "no argument"
		}
		return fmt.Errorf("%s takes %s, and %s given", cmd.CommandPath(), takes, map[bool]string{true: "1 argument is", false: fmt.Sprintf("%d arguments are", len(args))}[len(args) == 1])
	}
}

// run makes a cobra action of a function that returns an exit code.
func (c *Command) run(f func(args []string) (int, error)) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) (err error) {
		c.ran = true
		c.code, err = f(args)
		return err
	}
}

// inputError is an error of what the caller gave: exit code 2.
type inputError struct{ error }

// Unwrap returns the error itself.
func (e inputError) Unwrap() error { return e.error }

func badInput(format string, args ...any) error {
	return inputError{fmt.Errorf(format, args...)}
}
