package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"weir/design"
	"weir/dialect"
	"weir/lint"
	"weir/natsapi"
	"weir/verdict"
)

var designMethods = []method{
	on("design.check", "Judges files as the servers would that they are for.", checkDesign),
	on("design.format", "Lays a design file out in the usual way.", formatDesign),
	on("design.schema", "The JSON Schema of the design file, as text.", designSchema),
	on("design.presets", "The presets with their texts, the most usual first.", designPresets),
	on("design.diff", "Compares two designs, and says what a server takes as an update.", diffDesigns),
	on("design.complete", "What may be written at a place of a text that need not be whole.", completeDesign),
	on("design.hover", "What is known about the key or value at a place.", hoverDesign),
	on("design.outline", "The streams, buckets, consumers, publishers and subscribers of files, with their places.", outlineDesign),
	on("design.graph", "The topology of a design to draw: nodes, edges, rates, levels and findings.", graphDesign),
}

// File is one text with its name.
type File struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// Limits of one request: files and their bytes together. What a single file may
// be is design.MaxFileBytes.
const (
	MaxFiles      = 1_000
	MaxFilesBytes = 32 << 20
)

// sourcesOf makes sources of files; path names the request's field for errors.
func sourcesOf(files []File, path string) ([]*design.Source, error) {
	if len(files) > MaxFiles {
		return nil, &Error{Code: CodeBadRequest, Path: path, Message: fmt.Sprintf("%d files are more than %d", len(files), MaxFiles)}
	}
	out := make([]*design.Source, len(files))
	bytes := 0
	for i, f := range files {
		if bytes += len(f.Text); bytes > MaxFilesBytes {
			return nil, &Error{Code: CodeBadRequest, Path: path, Message: fmt.Sprintf("the files have more than %d bytes together (32 MiB)", MaxFilesBytes)}
		}
		out[i] = design.NewSource(f.Name, []byte(f.Text))
	}
	return out, nil
}

// readings remembers the files that were read last. The studio asks several
// methods about one text, and again when the version changes: reading takes half
// of the time. A design is never changed, so what was read can be shared.
var readings lastReading

type lastReading struct {
	sync.Mutex
	files    []File
	designs  []*design.Design
	problems design.Problems
}

// read is dialect.Read of files.
func read(files []File, path string) ([]*design.Design, design.Problems, error) {
	return readings.read(files, path)
}

func (l *lastReading) read(files []File, path string) ([]*design.Design, design.Problems, error) {
	l.Lock()
	defer l.Unlock()
	if l.files != nil && slices.Equal(l.files, files) {
		return l.designs, l.problems, nil
	}
	sources, err := sourcesOf(files, path)
	if err != nil {
		return nil, nil, err
	}
	l.designs, l.problems = dialect.Read(sources)
	l.files = slices.Clone(files) // the caller may go on to edit its own
	return l.designs, l.problems, nil
}

// parseTarget reads a version; "" is the zero Version, which stands for what the
// design says.
func parseTarget(s string) (natsapi.Version, error) {
	if s == "" {
		return natsapi.Version{}, nil
	}
	v, err := natsapi.ParseVersion(s)
	if err != nil {
		return v, &Error{Code: CodeBadRequest, Path: "target", Message: err.Error()}
	}
	return v, nil
}

// CheckRequest asks design.check. Target is "2.12", or "" for what the files say.
type CheckRequest struct {
	Files  []File `json:"files"`
	Target string `json:"target,omitempty"`
	// Aside leaves what is remembered of the files that were judged before: for
	// files that are not worked on.
	Aside bool `json:"aside,omitempty"`
}

// CheckReply is lint.Report for JavaScript.
type CheckReply struct {
	Findings []CheckFinding `json:"findings"`
	Counts   CheckCounts    `json:"counts"`
	// Versions are the server versions that were judged by; Target is the first.
	Versions []string `json:"versions"`
	Target   string   `json:"target"`
	// Requests counts what was asked of the servers.
	Requests int `json:"requests"`
	// Assumed says in sentences what the files leave open.
	Assumed []string `json:"assumed"`
	// Unknown says what the rules would need to know to say more, "" for nothing.
	Unknown string `json:"unknown,omitempty"`
	// Ignored are findings that a comment says to live with, and why.
	Ignored []lint.Ignored `json:"ignored,omitempty"`
	// Verdict is the answer in one sentence, Summary the counts in another.
	Verdict string `json:"verdict"`
	Summary string `json:"summary"`
}

// CheckFinding is a finding with its message in parts as well: what is wrong, what
// to write, and what the server answers. They are empty where the message is one
// sentence.
type CheckFinding struct {
	lint.Finding
	What   string `json:"what,omitempty"`
	Remedy string `json:"remedy,omitempty"`
	Server string `json:"server,omitempty"`
}

// CheckCounts counts findings and what was judged.
type CheckCounts struct {
	Errors    int `json:"errors"`
	Warnings  int `json:"warnings"`
	Infos     int `json:"infos"`
	Streams   int `json:"streams"`
	Buckets   int `json:"buckets"`
	Consumers int `json:"consumers"`
}

func checkDesign(_ context.Context, in CheckRequest, _ Progress) (CheckReply, error) {
	target, err := parseTarget(in.Target)
	if err != nil {
		return CheckReply{}, err
	}
	remembered := &judgements
	if in.Aside {
		remembered = new(lastReports)
	}
	r, err := remembered.judge(in.Files, target)
	if err != nil {
		return CheckReply{}, err
	}
	out := CheckReply{Assumed: r.Assumed, Unknown: r.Unknown(), Ignored: r.Ignored, Requests: r.Streams + r.Buckets + r.Consumers, Verdict: r.Verdict(), Summary: r.Sentence()}
	out.Counts = CheckCounts{Streams: r.Streams, Buckets: r.Buckets, Consumers: r.Consumers}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, CheckFinding{f, f.What, f.Remedy, f.Server})
		switch f.Severity {
		case design.Error:
			out.Counts.Errors++
		case design.Warning:
			out.Counts.Warnings++
		default:
			out.Counts.Infos++
		}
	}
	for _, v := range r.Versions {
		out.Versions = append(out.Versions, v.String())
	}
	if len(out.Versions) > 0 {
		out.Target = out.Versions[0]
	}
	return out, nil
}

// refusals makes it quick to ask for what is refused after each move of a slider.
var refusals struct {
	sync.Mutex
	kept verdict.Kept
}

// refusedOf is verdict.RefusedOf.
func refusedOf(d *design.Design) []design.Refused {
	refusals.Lock()
	defer refusals.Unlock()
	defer refusals.kept.Forget()
	return refusals.kept.RefusedOf(d)
}

// FormatRequest asks design.format.
type FormatRequest struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// FormatReply is the text as formatted, or, with Formatted false, as it was and
// why it cannot be formatted.
type FormatReply struct {
	Text      string         `json:"text"`
	Formatted bool           `json:"formatted"`
	Changed   bool           `json:"changed"`
	Findings  []lint.Finding `json:"findings"`
}

func formatDesign(_ context.Context, in FormatRequest, _ Progress) (FormatReply, error) {
	out, problems := design.Format(in.Name, []byte(in.Text))
	if out == nil {
		return FormatReply{Text: in.Text, Findings: lint.FromProblems(problems)}, nil
	}
	return FormatReply{Text: string(out), Formatted: true, Changed: string(out) != in.Text}, nil
}

// SchemaReply is a JSON Schema as text.
type SchemaReply struct {
	Schema string `json:"schema"`
}

func designSchema(context.Context, struct{}, Progress) (SchemaReply, error) {
	return SchemaReply{string(design.Schema())}, nil
}

// PresetsReply lists the presets, and the server versions to judge by, newest
// first.
type PresetsReply struct {
	Presets  []Preset `json:"presets"`
	Versions []string `json:"versions"`
}

// Preset is a design to start from.
type Preset struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func designPresets(context.Context, struct{}, Progress) (PresetsReply, error) {
	var out PresetsReply
	for _, p := range design.Presets() {
		out.Presets = append(out.Presets, Preset{p.Name, p.Title, p.Text})
	}
	known := natsapi.Known()
	for i := len(known) - 1; i >= 0; i-- {
		out.Versions = append(out.Versions, known[i].String())
	}
	return out, nil
}

// DiffRequest asks design.diff.
type DiffRequest struct {
	From   []File `json:"from"`
	To     []File `json:"to"`
	Target string `json:"target,omitempty"`
}

// DiffReply holds the differences and the plan, or, where a side cannot be
// read, the findings that say why.
type DiffReply struct {
	Changes  []lint.DesignChange `json:"changes"`
	Plan     []lint.PlanStep     `json:"plan"`
	Findings []lint.Finding      `json:"findings"`
}

func diffDesigns(_ context.Context, in DiffRequest, _ Progress) (DiffReply, error) {
	target, err := parseTarget(in.Target)
	if err != nil {
		return DiffReply{}, err
	}
	from, faults, err := oneDesign(in.From, "from")
	if err != nil {
		return DiffReply{}, err
	}
	to, more, err := oneDesign(in.To, "to")
	if err != nil {
		return DiffReply{}, err
	}
	if faults = append(faults, more...); len(faults) > 0 {
		return DiffReply{Findings: faults}, nil
	}
	return DiffReply{Changes: lint.Changes(from, to), Plan: lint.Plan(from, to, target)}, nil
}

// oneDesign reads files that have to make one design; faults say why they do not.
func oneDesign(files []File, path string) (*design.Design, []lint.Finding, error) {
	designs, problems, err := read(files, path)
	if err != nil {
		return nil, nil, err
	}
	if problems.Failed() {
		return nil, lint.FromProblems(problems), nil
	}
	if len(designs) != 1 {
		return nil, nil, &Error{Code: CodeBadRequest, Path: path, Message: fmt.Sprintf("the files hold %d designs where one is compared", len(designs))}
	}
	return designs[0], nil, nil
}
