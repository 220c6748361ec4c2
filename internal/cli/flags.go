package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"weir/subject"
)

// choice is a flag that takes one of some words.
type choice struct {
	value   string
	allowed []string
}

// Set takes a word that is allowed.
func (f *choice) Set(s string) error {
	if !slices.Contains(f.allowed, s) {
		return fmt.Errorf("%q is not one of %s", s, strings.Join(f.allowed, ", "))
	}
	f.value = s
	return nil
}

// String returns the word.
func (f *choice) String() string { return f.value }

// Type names the flag's type in help texts.
func (f *choice) Type() string { return "word" }

// choiceFlag adds a flag whose first allowed word is the default.
func choiceFlag(cmd *cobra.Command, f *choice, name, usage string, allowed ...string) {
	f.allowed, f.value = allowed, allowed[0]
	cmd.Flags().Var(f, name, usage+": "+strings.Join(allowed, ", "))
	complete(cmd, name, allowed)
}

func complete(cmd *cobra.Command, flag string, words []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil { // the flag was not added before: a fault of this package
		panic(err)
	}
}

func (o *batchOptions) add(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&o.file, "file", "f", "", "read the rows of this file, - for standard input")
	cmd.Flags().BoolVar(&o.escaped, "escaped", false, `read and write \t \n \r \0 \f \xNN \\ in rows`)
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
}

// contextFlag is a subject.Context.
type contextFlag struct{ context subject.Context }

// Set takes the name of a context.
func (f *contextFlag) Set(s string) error {
	c, ok := subject.ContextNamed(s)
	if !ok {
		return fmt.Errorf("%q is not a kind; they are %s", s, strings.Join(contextNames(), ", "))
	}
	f.context = c
	return nil
}

// String returns the context's name.
func (f *contextFlag) String() string { return string(f.context) }

// Type names the flag's type in help texts.
func (f *contextFlag) Type() string { return "kind" }

func (f *contextFlag) add(cmd *cobra.Command) {
	f.context = subject.Subscribe
	cmd.Flags().Var(f, "as", "where it is used: "+strings.Join(contextNames(), ", "))
	var words []string
	for _, c := range subject.Contexts() {
		words = append(words, string(c.Context)+"\t"+c.Title)
	}
	complete(cmd, "as", words)
}

func contextNames() []string {
	var names []string
	for _, c := range subject.Contexts() {
		names = append(names, string(c.Context))
	}
	return names
}

// targetFlag is the server release to judge by; the zero value is the newest.
type targetFlag struct{ release subject.Release }

// targets are the minor releases that --target takes.
var targets = []string{"2.10", "2.11", "2.12", "2.14", "2.15"}

// Set takes a version such as 2.12 or 2.12.3.
func (f *targetFlag) Set(s string) error {
	parts := strings.SplitN(strings.TrimPrefix(s, "v"), ".", 3)
	if len(parts) < 2 {
		return fmt.Errorf("%q is not a server version; write 2.12 or 2.12.3", s)
	}
	minor := parts[0] + "." + parts[1]
	if minor == "2.13" {
		return fmt.Errorf("%q is not a server version: 2.13 does not exist, 2.14 followed 2.12", s)
	}
	if !slices.Contains(targets, minor) {
		return fmt.Errorf("%q is not one of the server versions %s", s, strings.Join(targets, ", "))
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil {
		return fmt.Errorf("%q is not a server version: %w", s, err)
	}
	f.release = subject.Release{Major: 2, Minor: n}
	return nil
}

// String returns the release, "" for the newest.
func (f *targetFlag) String() string {
	if f.release == (subject.Release{}) {
		return ""
	}
	return f.release.String()
}

// Type names the flag's type in help texts.
func (f *targetFlag) Type() string { return "version" }

func (f *targetFlag) add(cmd *cobra.Command) {
	cmd.Flags().Var(f, "target", "server version to judge by, such as 2.12 (default the newest)")
	complete(cmd, "target", targets)
}
