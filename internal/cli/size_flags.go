package cli

import (
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"weir/design"
	"weir/internal/calculator"
	"weir/size"
)

// quantity is a flag that takes a number with a unit.
type quantity[T int64 | float64] struct{ calculator.Quantity[T] }

func (q *quantity[T]) add(cmd *cobra.Command, name, usage, unit string, parse func(string) (T, error)) {
	q.Unit, q.Parse = unit, parse
	cmd.Flags().Var(q, name, usage)
	complete(cmd, name, nil)
}

func sizeFlag(cmd *cobra.Command, f *quantity[int64], name, usage string) {
	f.add(cmd, name, usage, "size", design.ParseSize)
}

func durationFlag(cmd *cobra.Command, f *quantity[int64], name, usage string) {
	f.add(cmd, name, usage, "duration", design.ParseDuration)
}

func rateFlag(cmd *cobra.Command, f *quantity[float64], usage string) {
	f.add(cmd, "rate", usage, "rate", calculator.ParseRate)
}

// replicasFlag adds num_replicas.
func replicasFlag(cmd *cobra.Command, f *choice) {
	choiceFlag(cmd, f, "replicas", "num_replicas", "1", "2", "3", "4", "5")
}

// number is the word of a flag whose words are numbers.
func (f *choice) number() int {
	n, err := strconv.Atoi(f.value)
	if err != nil { // the flag allows other words: a fault of this package
		panic(err)
	}
	return n
}

// messageFlags describe the mean message of a stream.
type messageFlags struct {
	in      *calculator.Input
	samples []string
}

func (f *messageFlags) add(cmd *cobra.Command) {
	f.in = calculator.NewInput()
	addFields(cmd, f.in, calculator.MessageFields())
	sampleFlag(cmd, &f.samples)
}

// message puts a message together, and measures the sample payloads.
func (f *messageFlags) message() (size.Message, error) {
	samples, err := readSamples(f.samples)
	if err != nil {
		return size.Message{}, err
	}
	f.in.Sample(samples)
	m, err := f.in.Message()
	return m, ofInput(err)
}

// addFields adds a flag for each field of a calculator.
func addFields(cmd *cobra.Command, in *calculator.Input, fields []calculator.Field) {
	for _, f := range fields {
		flag := cmd.Flags().VarPF(f.Of(in), f.Name, "", f.Usage)
		if flag.Value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
		complete(cmd, f.Name, append(f.Choices, f.Suggest...))
	}
}

func sampleFlag(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringArrayVar(to, "sample", nil, "`file` that holds one payload, or folder of such files: for the mean length and the S2 ratio")
	cmd.MarkFlagsMutuallyExclusive("subject", "subject-len")
}

// ofInput marks a refusal as an error of what the caller gave.
func ofInput(err error) error {
	if refused := (*calculator.Refusal)(nil); errors.As(err, &refused) {
		return inputError{err}
	}
	return err
}

// sizeError turns an input that package size refuses into one that names the flag.
func sizeError(err error) error { return ofInput(calculator.Refused(err)) }

// prune cuts the working off figures, for JSON without --explain.
func prune(explain bool, figures ...*size.Figure) {
	if explain {
		return
	}
	for _, f := range figures {
		*f = f.Prune(0)
	}
}
