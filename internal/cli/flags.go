package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"weir/natsapi"
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
		return fmt.Errorf("%q is not one of %s", s, strings.Join(f.words(), ", "))
	}
	f.value = s
	return nil
}

// words are the words to choose from, without the empty one that stands for no choice.
func (f *choice) words() []string {
	return slices.DeleteFunc(slices.Clone(f.allowed), func(s string) bool { return s == "" })
}

// String returns the word.
func (f *choice) String() string { return f.value }

// Type names the flag's type in help texts.
func (f *choice) Type() string { return "word" }

// choiceFlag adds a flag whose first allowed word is the default.
func choiceFlag(cmd *cobra.Command, f *choice, name, usage string, allowed ...string) {
	f.allowed, f.value = allowed, allowed[0]
	cmd.Flags().Var(f, name, usage+": "+strings.Join(f.words(), ", "))
	complete(cmd, name, f.words())
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
	cmd.Flags().BoolVar(&o.escaped, "escaped", false, `read and write \t \n \r \0 \f \xNN \\ in rows, and in the texts of JSON`)
	choiceFlag(cmd, &o.format, "format", "how to print", "text", "json")
}

// explainFlag says of a number that cannot be read what was written, without the
// words of the library that read it.
func explainFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		if meant := flagMeant(cmd, unknown.GetSpecifiedName()); meant != "" {
			return fmt.Errorf("--%s is not a flag of %s; did you mean --%s?", unknown.GetSpecifiedName(), cmd.CommandPath(), meant)
		}
	}
	var bad *pflag.InvalidValueError
	var number *strconv.NumError
	if !errors.As(err, &bad) || !errors.As(err, &number) {
		return err
	}
	says := "is not a whole number"
	if errors.Is(number.Err, strconv.ErrRange) {
		says = "is too large or too small a number"
	}
	if strings.HasPrefix(bad.GetFlag().Value.Type(), "float") {
		says = strings.Replace(says, "whole ", "", 1)
	}
	return fmt.Errorf("--%s: %q %s", bad.GetFlag().Name, bad.GetValue(), says)
}

// flagMeant is the flag that was most likely meant, "" where none comes near.
func flagMeant(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	// Commands that ask for the same name it as the API does or in plain words.
	for _, same := range [][]string{{"keep", "max-age", "ttl", "retention-time"}, {"size", "payload", "message-size"}, {"id-bytes", "id-size"}} {
		if slices.Contains(same, name) {
			for _, other := range same {
				if slices.Contains(names, other) {
					return other
				}
			}
		}
	}
	return natsapi.Suggest(name, names)
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

// targetFlag is the server version to judge by; the zero value is what the
// command says it is, mostly the newest.
type targetFlag struct{ version natsapi.Version }

// Set takes a version such as 2.12 or 2.12.3.
func (f *targetFlag) Set(s string) (err error) {
	if release, _, pre := strings.Cut(s, "-"); pre && release != "" {
		return fmt.Errorf("%q is a version before the release, and Weir knows releases; write %s", s, release)
	}
	f.version, err = natsapi.ParseVersion(s)
	return err
}

// String returns the version, "" for none.
func (f *targetFlag) String() string {
	if f.version == (natsapi.Version{}) {
		return ""
	}
	return f.version.String()
}

// Type names the flag's type in help texts.
func (f *targetFlag) Type() string { return "version" }

// release is the version as package subject takes it, zero for none.
func (f *targetFlag) release() subject.Release {
	return subject.Release{Major: f.version.Major, Minor: f.version.Minor}
}

func (f *targetFlag) add(cmd *cobra.Command, otherwise string) {
	f.addAs(cmd, "target", "server version to judge by, such as 2.12 (default "+otherwise+")")
}

// addAs adds the flag under another name.
func (f *targetFlag) addAs(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(f, name, usage)
	var words []string
	for _, v := range natsapi.Known() {
		words = append(words, fmt.Sprintf("%d.%d\t%s", v.Major, v.Minor, v))
	}
	complete(cmd, name, words)
}
