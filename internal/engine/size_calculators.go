package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"weir/design"
	"weir/internal/calculator"
	"weir/size"
)

var calculatorMethods = []method{
	on("size.calculators", "The calculators of size with their fields, and what their labs open with.", listCalculators),
	on("size.calculate", "What a calculator answers to values by field name.", calculate),
	on("size.write", "Writes the values of a calculator into the design that is open, as a stream with its publisher.", writeCalculated),
}

// CalculatorsReply lists the calculators.
type CalculatorsReply struct {
	Calculators []CalculatorInfo `json:"calculators"`
}

// CalculatorInfo describes one calculator.
type CalculatorInfo struct {
	Name    string            `json:"name"`
	About   string            `json:"about"`
	Note    string            `json:"note,omitempty"`
	Fields  []CalculatorField `json:"fields"`
	Example map[string]string `json:"example"`
	// Samples says that payloads can be measured.
	Samples bool `json:"samples"`
}

// CalculatorField describes one field.
type CalculatorField struct {
	Name    string   `json:"name"`
	Usage   string   `json:"usage"`
	Unit    string   `json:"unit"`
	Choices []string `json:"choices"`
}

func listCalculators(context.Context, struct{}, Progress) (CalculatorsReply, error) {
	var out CalculatorsReply
	for _, c := range calculator.All() {
		info := CalculatorInfo{Name: c.Name, About: c.About, Note: c.Note, Example: c.Example, Samples: c.Samples()}
		for _, f := range c.Fields {
			info.Fields = append(info.Fields, CalculatorField{f.Name, inForm(c, f.Usage), f.Unit(), f.Choices})
		}
		out.Calculators = append(out.Calculators, info)
	}
	return out, nil
}

// inForm is a text about flags where fields are no flags.
func inForm(c calculator.Calculator, s string) string {
	return strings.ReplaceAll(c.InForm(fmt.Errorf("%s", s)), "--sample", "sample payloads")
}

// CalculateRequest asks size.calculate. Values are texts by field name, "" for a
// field that is left out; Samples are payloads.
type CalculateRequest struct {
	Calculator string            `json:"calculator"`
	Values     map[string]string `json:"values"`
	Samples    []string          `json:"samples,omitempty"`
}

// CalculateReply is the answer with its working.
type CalculateReply struct {
	Says    string            `json:"says"`
	Yes     bool              `json:"yes"`
	Rows    []CalculatedRow   `json:"rows"`
	Tables  []CalculatedTable `json:"tables"`
	Notes   []string          `json:"notes"`
	Working []Figure          `json:"working"`
	// Command gives the same answer in a terminal.
	Command string `json:"command"`
	// Bars show figures side by side, where that helps.
	Bars []Bar `json:"bars"`
}

// CalculatedRow is one figure of the answer.
type CalculatedRow struct {
	Name   string `json:"name"`
	Figure Figure `json:"figure"`
	Note   string `json:"note"`
}

// CalculatedTable is a table of the answer; a cell's figure is there when it has
// working.
type CalculatedTable struct {
	Title   string             `json:"title"`
	Columns []string           `json:"columns"`
	Rows    [][]CalculatedCell `json:"rows"`
}

// CalculatedCell is a text with its figure, if any. Tone is "", quiet, warn or bad.
type CalculatedCell struct {
	Text   string  `json:"text"`
	Figure *Figure `json:"figure,omitempty"`
	Tone   string  `json:"tone"`
}

// calculatorDepth is how many levels of terms an answer carries.
const calculatorDepth = 8

// maxSampleBytes bounds the samples of one request.
const maxSampleBytes = 8 << 20

func calculate(_ context.Context, in CalculateRequest, _ Progress) (CalculateReply, error) {
	c, read, err := readCalculator(in.Calculator, in.Values)
	if err != nil {
		return CalculateReply{}, err
	}
	samples, total := make([][]byte, len(in.Samples)), 0
	for i, s := range in.Samples {
		samples[i] = []byte(s)
		total += len(s)
	}
	if total > maxSampleBytes {
		return CalculateReply{}, &Error{Code: CodeBadRequest, Path: "samples", Message: fmt.Sprintf("the samples have %s together, more than 8 MiB; give fewer", size.FormatBytes(float64(total)))}
	}
	read.Sample(samples)
	a, err := c.Answer(read)
	if err != nil {
		return CalculateReply{}, &Error{Code: CodeBadRequest, Path: c.FieldOf(err), Message: inForm(c, err.Error())}
	}
	out := CalculateReply{Says: a.Says, Yes: a.Yes, Notes: a.Notes, Command: c.Command(in.Values)}
	for _, r := range a.Rows {
		f := figureOf(r.Figure, calculatorDepth)
		f.Text = r.Amount()
		out.Rows = append(out.Rows, CalculatedRow{r.Name, f, r.Note})
	}
	for _, t := range a.Tables {
		out.Tables = append(out.Tables, calculatedTable(t))
	}
	for _, f := range a.Working() {
		out.Working = append(out.Working, figureOf(f, calculatorDepth))
	}
	for _, b := range a.Bars {
		out.Bars = append(out.Bars, barOf(b, calculatorDepth))
	}
	return out, nil
}

func calculatedTable(t calculator.Table) CalculatedTable {
	out := CalculatedTable{Title: t.Title, Columns: t.Columns, Rows: [][]CalculatedCell{}}
	for _, r := range t.Rows {
		row := []CalculatedCell{}
		for _, c := range r {
			cell := CalculatedCell{Text: c.Text, Tone: string(c.Tone)}
			if c.Figure != nil {
				f := figureOf(*c.Figure, 4)
				cell.Figure = &f
			}
			row = append(row, cell)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// readCalculator finds a calculator and reads its values.
func readCalculator(name string, values map[string]string) (calculator.Calculator, *calculator.Input, error) {
	c, ok := calculator.Named(name)
	if !ok {
		return c, nil, &Error{Code: CodeBadRequest, Path: "calculator", Message: fmt.Sprintf("there is no calculator %q", name)}
	}
	in, err := c.Read(values)
	if err != nil {
		return c, nil, &Error{Code: CodeBadRequest, Path: cmp.Or(c.FieldOf(err), "values"), Message: inForm(c, err.Error())}
	}
	return c, in, nil
}

// WriteCalculatedRequest asks size.write. Files are those of the design that is
// open.
type WriteCalculatedRequest struct {
	Calculator string            `json:"calculator"`
	Values     map[string]string `json:"values"`
	Files      []File            `json:"files"`
}

// WriteCalculatedReply is the design with the values in it: Files are all of its
// files, Active the one that was changed or added.
type WriteCalculatedReply struct {
	Files  []File `json:"files"`
	Active string `json:"active"`
	Says   string `json:"says"`
}

func writeCalculated(_ context.Context, in WriteCalculatedRequest, _ Progress) (WriteCalculatedReply, error) {
	c, read, err := readCalculator(in.Calculator, in.Values)
	if err != nil {
		return WriteCalculatedReply{}, err
	}
	if _, err := sourcesOf(in.Files, "files"); err != nil {
		return WriteCalculatedReply{}, err
	}
	var kept []File
	for i, f := range in.Files {
		if strings.TrimSpace(f.Text) == "" {
			continue
		}
		kept = append(kept, f)
		if d, problems := design.Parse(f.Name, []byte(f.Text)); problems.Failed() || !d.Has("weir") {
			continue
		}
		w, err := read.AddTo(f.Name, f.Text)
		if err != nil {
			return WriteCalculatedReply{}, &Error{Code: CodeBadRequest, Path: "files", Message: inForm(c, err.Error())}
		}
		files := append([]File(nil), in.Files...)
		files[i].Text = w.Text
		return WriteCalculatedReply{Files: files, Active: f.Name, Says: w.Says}, nil
	}
	w := read.Design()
	name := "weir.yaml"
	for i := 2; hasFile(kept, name); i++ {
		name = fmt.Sprintf("weir%d.yaml", i)
	}
	return WriteCalculatedReply{Files: append(kept, File{name, w.Text}), Active: name, Says: w.Says}, nil
}

func hasFile(files []File, name string) bool {
	for _, f := range files {
		if f.Name == name {
			return true
		}
	}
	return false
}
