package engine

import (
	"context"
	"fmt"

	"weir/lint"
	"weir/synth"
)

var outputMethods = []method{
	on("outputs.list", "What can be written from a design, and what each target was proved by.", listOutputs),
	on("outputs.generate", "Writes a design for a target.", generateOutput),
}

// OutputTarget is one thing that can be written.
type OutputTarget struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Group  string `json:"group"`
	About  string `json:"about"`
	Proof  string `json:"proof"`
	Proves string `json:"proves"`
}

func listOutputs(context.Context, struct{}, Progress) ([]OutputTarget, error) {
	var out []OutputTarget
	for _, t := range synth.Targets() {
		out = append(out, OutputTarget{t.Name, t.Title, string(t.Group), t.About, t.Proof, t.Proves})
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
		return GenerateOut{}, badRequest(err)
	}
	return GenerateOut{Output: out}, nil
}
