package engine

import (
	"context"
	"errors"
	"fmt"

	"weir/design"
	"weir/internal/interview"
	"weir/lint"
	"weir/synth"
)

var outputMethods = []method{
	on("outputs.list", "What can be written from a design, and what each target was proved by.", listOutputs),
	on("outputs.generate", "Writes a design for a target.", generateOutput),
	on("outputs.give", "Takes a file of client code that lies beside the engine's program, after a call ended with project_missing.", giveProject),
	on("outputs.fromNumbers", "Writes a target from four numbers, through a small complete design that comes with it.", outputFromNumbers),
}

// OutputTarget is one thing that can be written.
type OutputTarget struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Group  string `json:"group"`
	About  string `json:"about"`
	Proof  string `json:"proof"`
	Proves string `json:"proves"`
	// Opens is the path of the file to show first, "" for any.
	Opens string `json:"opens"`
	// Faults are what the code was put through, and what became of the messages;
	// FaultsSay sums them up, "" where there are none.
	Faults    []synth.Fault `json:"faults"`
	FaultsSay string        `json:"faults_say"`
}

func listOutputs(context.Context, struct{}, Progress) ([]OutputTarget, error) {
	var out []OutputTarget
	for _, t := range synth.Targets() {
		out = append(out, OutputTarget{t.Name, t.Title, string(t.Group), t.About, t.Proof, t.Proves, t.Opens, synth.Faults(t.Name), synth.FaultsSay(t.Name)})
	}
	return out, nil
}

// GenerateIn asks for the output of a target from the design that files hold.
type GenerateIn struct {
	Target string `json:"target"`
	Files  []File `json:"files"`
}

// GenerateOut is what was written. Problems are why nothing was.
type GenerateOut struct {
	Output   synth.Output   `json:"output"`
	Problems []lint.Finding `json:"problems"`
}

func generateOutput(_ context.Context, in GenerateIn, _ Progress) (GenerateOut, error) {
	designs, problems, err := read(in.Files, "files")
	if err != nil {
		return GenerateOut{}, err
	}
	if problems.Failed() {
		return GenerateOut{Problems: lint.FromProblems(problems)}, nil
	}
	if len(designs) != 1 {
		return GenerateOut{}, badRequest(fmt.Errorf("the files hold %d designs; generate one at a time", len(designs)))
	}
	out, err := synth.Generate(in.Target, designs[0])
	if err != nil {
		return GenerateOut{}, notGenerated(err)
	}
	return GenerateOut{Output: out}, nil
}

// CodeProjectMissing is of a call that needs a file of client code, named by Path,
// which outputs.give takes.
const CodeProjectMissing = "project_missing"

func notGenerated(err error) error {
	var missing *synth.ProjectMissing
	if errors.As(err, &missing) {
		return &Error{Code: CodeProjectMissing, Path: missing.Name, Message: err.Error()}
	}
	return badRequest(err)
}

// ProjectIn is a file of client code.
type ProjectIn struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

func giveProject(_ context.Context, in ProjectIn, _ Progress) (struct{}, error) {
	synth.GiveProject(in.Name, []byte(in.Text))
	return struct{}{}, nil
}

// OutputNumbersIn asks for the output of a target from four numbers. Without any
// of them those of the example are taken.
type OutputNumbersIn struct {
	Target  string            `json:"target"`
	Numbers interview.Numbers `json:"numbers"`
}

// OutputNumbersOut is what was written, and the design that the numbers led to.
// Faults say which numbers cannot be used; nothing is written then.
type OutputNumbersOut struct {
	Numbers interview.Numbers `json:"numbers"`
	Faults  []interview.Fault `json:"faults"`
	Design  string            `json:"design"`
	Output  synth.Output      `json:"output"`
}

func outputFromNumbers(_ context.Context, in OutputNumbersIn, _ Progress) (OutputNumbersOut, error) {
	n := in.Numbers
	if n == (interview.Numbers{}) {
		n = interview.ExampleNumbers()
	}
	r, faults := interview.FromNumbers(n)
	if len(faults) > 0 {
		return OutputNumbersOut{Numbers: n, Faults: faults}, nil
	}
	d, problems := design.Parse(interview.FileName, []byte(r.Text))
	if problems.Failed() {
		return OutputNumbersOut{}, fmt.Errorf("read the design of the numbers: %w", problems[0])
	}
	out, err := synth.Generate(in.Target, d)
	if err != nil {
		return OutputNumbersOut{}, notGenerated(err)
	}
	return OutputNumbersOut{Numbers: n, Design: r.Text, Output: out}, nil
}
