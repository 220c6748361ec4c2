package engine

import (
	"context"
	"fmt"
	"strings"

	"weir/design"
	"weir/internal/calculator"
	"weir/internal/interview"
	"weir/lint"
	"weir/size"
)

var interviewMethods = []method{
	on("interview.questions", "The six questions that a design can be made of, with the answers that they open with.", interviewQuestions),
	on("interview.design", "Makes a complete design of answers: advised, sized and checked.", interviewDesign),
}

// InterviewForm is the six questions. Readers is the place of the question that is
// asked for each reader; Example is what the answers open with.
type InterviewForm struct {
	Questions []interview.Question `json:"questions"`
	Readers   int                  `json:"readers"`
	Example   interview.Answers    `json:"example"`
}

func interviewQuestions(context.Context, struct{}, Progress) (InterviewForm, error) {
	return InterviewForm{interview.Questions(), interview.ReaderQuestion, interview.Example()}, nil
}

// InterviewIn are the answers as they were written.
type InterviewIn struct {
	Answers interview.Answers `json:"answers"`
}

// InterviewReply is the design, or the answers that it still lacks.
type InterviewReply struct {
	// Faults say which answers cannot be used; without a text there is no design.
	Faults []interview.Fault `json:"faults"`
	Text   string            `json:"text"`
	// Says is what judging it as its servers would found, Clean that this is nothing.
	Says  string `json:"says"`
	Clean bool   `json:"clean"`
	// Size is the verdict on its size in a sentence, Fits whether it is a good one.
	Size  string          `json:"size"`
	Fits  bool            `json:"fits"`
	Facts []InterviewFact `json:"facts"`
}

// InterviewFact is a line about the design: a text, or a figure with its working.
type InterviewFact struct {
	Name   string  `json:"name"`
	Text   string  `json:"text,omitempty"`
	Figure *Figure `json:"figure,omitempty"`
}

func interviewDesign(_ context.Context, in InterviewIn, _ Progress) (InterviewReply, error) {
	r, faults := interview.Design(in.Answers)
	if len(faults) > 0 {
		return InterviewReply{Faults: faults}, nil
	}
	src := design.NewSource(interview.FileName, []byte(r.Text))
	d, problems := design.ParseSource(src)
	if problems.Failed() {
		return InterviewReply{}, fmt.Errorf("read the design of the answers: %w", problems[0])
	}
	report := lint.CheckSources([]*design.Source{src}, lint.Options{})
	z, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return InterviewReply{}, fmt.Errorf("size the design of the answers: %w", err)
	}
	out := InterviewReply{Text: r.Text, Says: upper(report.Sentence()), Clean: len(report.Findings) == 0}
	out.Size, out.Fits = calculator.DesignSays(z)
	out.Facts = interviewFacts(d, &z, r)
	return out, nil
}

func interviewFacts(d *design.Design, z *size.DesignSize, r interview.Result) []InterviewFact {
	site := z.Sites[0]
	facts := []InterviewFact{{Name: "servers", Text: fmt.Sprintf("%d with %s of disk and %s of memory", d.Server.Nodes, size.FormatBytes(float64(d.Server.Disk)), size.FormatBytes(float64(d.Server.Memory)))}}
	figure := func(name string, f size.Figure) {
		shown := figureOf(f, sizeDepth)
		facts = append(facts, InterviewFact{Name: name, Figure: &shown})
	}
	most := 0
	for i := range site.Nodes {
		if site.Nodes[i].Disk.Value > site.Nodes[most].Disk.Value {
			most = i
		}
	}
	figure("disk of a server", site.Nodes[most].Disk)
	figure("heap of a server", site.Nodes[most].Heap)
	for _, s := range d.Scopes()[0].Streams {
		for _, c := range s.Consumers {
			for _, w := range c.Workers {
				facts = append(facts, InterviewFact{Name: c.Name, Text: size.Counted(w.Count, "worker", "workers") + fmt.Sprintf(", %d at a time", max(w.Concurrency, 1))})
			}
		}
	}
	return append(facts, InterviewFact{Name: "advised", Text: size.Counted(r.Advised, "value", "values") + ", each with its reason"})
}

// upper begins a sentence with a capital letter.
func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
