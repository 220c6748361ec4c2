package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/internal/report"
	"weir/lint"
	"weir/size"
	"weir/subject"
	"weir/synth"
)

var reportMethods = []method{
	on("report.html", "Writes all that Weir says of a design into one HTML file that opens offline.", Report),
}

// ReportIn asks for the report of the design that files hold. Evidence is that of
// a run on the real server, as weir prove writes it, "" for none.
type ReportIn struct {
	Files    []File `json:"files"`
	Target   string `json:"target,omitempty"`
	Seed     int64  `json:"seed,omitempty"`
	Evidence string `json:"evidence,omitempty"`
}

// ReportReply is the file, or, where the design cannot be read, the findings that
// say why.
type ReportReply struct {
	HTML     string         `json:"html"`
	Findings []lint.Finding `json:"findings"`
}

// Report writes the report: the same design gives the same bytes. It simulates,
// which takes its time; progress says how far it is.
func Report(ctx context.Context, in ReportIn, progress Progress) (ReportReply, error) {
	d, faults, err := oneDesign(in.Files, "files")
	if err != nil || len(faults) > 0 {
		return ReportReply{Findings: faults}, err
	}
	doc := report.Document{Title: d.Name, Foot: "Written by Weir from the design in it. NATS as of nats-server " + ServerVersion + "."}
	if doc.Title == "" {
		doc.Title = "design"
	}
	if d.Description != "" {
		doc.Lead = append(doc.Lead, d.Description)
	}
	check, err := checkDesign(ctx, CheckRequest{Files: in.Files, Target: in.Target}, nil)
	if err != nil {
		return ReportReply{}, err
	}
	doc.Lead = append(doc.Lead, "Judged as nats-server "+strings.Join(check.Versions, " and ")+".")
	doc.Sections = append(doc.Sections, findingSection(check), subjectSection(d))
	sections := []func() (report.Section, error){
		func() (report.Section, error) { return sizeSection(ctx, in.Files) },
		func() (report.Section, error) { return pressureSection(ctx, in, progress) },
		func() (report.Section, error) { return adviceSection(ctx, in.Files) },
	}
	if in.Evidence != "" {
		sections = append(sections, func() (report.Section, error) { return evidenceSection(in.Evidence) })
	}
	sections = append(sections, func() (report.Section, error) { return configSection(d) })
	for _, of := range sections {
		s, err := of()
		if err != nil {
			return ReportReply{}, err
		}
		doc.Sections = append(doc.Sections, s)
	}
	doc.Sections = append(doc.Sections, designSection(in.Files))
	return ReportReply{HTML: report.HTML(doc)}, nil
}

func designSection(files []File) report.Section {
	s := report.Section{ID: "design", Title: "Design"}
	for _, f := range files {
		s.Blocks = append(s.Blocks, report.Block{Code: &report.Code{Name: f.Name, Text: f.Text, Numbered: true}})
	}
	return s
}

func findingSection(c CheckReply) report.Section {
	s := report.Section{ID: "findings", Title: "Findings", Says: c.Verdict, Level: report.OK, Notes: append([]string{upper(c.Summary) + "."}, c.Assumed...)}
	if c.Counts.Errors > 0 {
		s.Level = report.Error
	} else if c.Counts.Warnings > 0 {
		s.Level = report.Warning
	}
	t := report.Table{Columns: []report.Column{{Title: "Severity"}, {Title: "Code"}, {Title: "Where"}, {Title: "What"}, {Title: "What to write"}}}
	for _, f := range c.Findings {
		what, remedy := f.What, f.Remedy
		if what == "" {
			what = f.Message
		}
		if f.Server != "" {
			what += "; " + f.Server
		}
		where := f.Path
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d:%d", f.File, f.Line, f.Col)
		}
		t.Rows = append(t.Rows, report.Row{Level: report.Level(f.Severity), Cells: []report.Cell{{Text: string(f.Severity)}, {Text: f.Code, Mono: true}, {Text: where, Mono: true}, {Text: what}, {Text: remedy}}})
	}
	if len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, report.Block{Title: "What was found", Table: &t})
	}
	for _, i := range c.Ignored {
		s.Notes = append(s.Notes, fmt.Sprintf("Ignored: %s %s: %s", i.Code, i.Path, i.Reason))
	}
	return s
}

// subjectSection says where each publisher's messages go.
func subjectSection(d *design.Design) report.Section {
	s := report.Section{ID: "subjects", Title: "Subjects"}
	t := report.Table{Columns: []report.Column{{Title: "Publisher"}, {Title: "Subject"}, {Title: "Stored by"}, {Title: "Delivered to"}}}
	stored, all := 0, 0
	for _, scope := range d.Scopes() {
		for _, p := range scope.Publishers {
			all++
			var streams, readers []string
			on := p.Pattern()
			for _, st := range scope.Streams {
				if !slices.ContainsFunc(st.Config.Subjects, func(pattern string) bool { return subject.Collide(pattern, on) }) {
					continue
				}
				streams = append(streams, st.Name)
				for _, c := range st.Consumers {
					if reads(&c.Config, on) {
						readers = append(readers, c.Name)
					}
				}
			}
			row := report.Row{Cells: []report.Cell{{Text: p.Name}, {Text: p.Subject, Mono: true}, {Text: strings.Join(streams, ", ")}, {Text: strings.Join(readers, ", ")}}}
			if len(streams) == 0 {
				row.Cells[2].Text = "nothing"
			} else {
				stored++
			}
			t.Rows = append(t.Rows, row)
		}
	}
	if all == 0 {
		s.Says, s.Level = "No publisher is described.", report.Info
		return s
	}
	s.Says, s.Level = fmt.Sprintf("%d of %s into a stream.", stored, size.Counted(all, "publisher publishes", "publishers publish")), report.OK
	if stored < all {
		s.Level = report.Info
	}
	s.Blocks = []report.Block{{Title: "Where messages go", Table: &t}}
	return s
}

// reads reports whether some subject of a pattern passes a consumer's filters.
func reads(c *api.ConsumerConfig, on string) bool {
	filters := c.FilterSubjects
	if c.FilterSubject != "" {
		filters = append([]string{c.FilterSubject}, filters...)
	}
	return len(filters) == 0 || slices.ContainsFunc(filters, func(f string) bool { return subject.Collide(f, on) })
}

func sizeSection(ctx context.Context, files []File) (report.Section, error) {
	r, err := sizeDesign(ctx, SizeRequest{Files: files}, nil)
	if err != nil {
		return report.Section{}, err
	}
	s := report.Section{ID: "sizing", Title: "Sizing", Says: r.Says + ".", Level: report.OK, Notes: r.Notes}
	if !r.Fits {
		s.Level = report.Warning
	}
	add := func(title string, t SizedTable) {
		if len(t.Rows) > 0 {
			s.Blocks = append(s.Blocks, report.Block{Title: title, Table: reportTable(t)})
		}
	}
	add("Streams", r.Terms)
	for _, site := range r.Sites {
		of := ""
		if len(r.Sites) > 1 {
			of = ", " + site.Name
		}
		add("What binds first"+of, site.Binds)
		add("What is reserved"+of, site.Ledger)
		add("What a server needs"+of, site.Pods)
		s.Blocks = append(s.Blocks, report.Block{Chart: reportChart(site.Growth)})
	}
	add("What failures cost", r.Exposure)
	return s, nil
}

func pressureSection(ctx context.Context, in ReportIn, progress Progress) (report.Section, error) {
	r, err := backpressureRun(ctx, BackpressureRequest{Files: in.Files, Seed: in.Seed}, progress)
	if ctx.Err() != nil {
		return report.Section{}, ctx.Err()
	}
	if err != nil { // there is nothing to simulate, and the rest of the report stands
		return report.Section{ID: "backpressure", Title: "Backpressure", Says: "Not simulated.", Level: report.Info, Notes: []string{upper(err.Error()) + "."}}, nil
	}
	s := report.Section{ID: "backpressure", Title: "Backpressure", Says: r.Verdict, Level: report.OK, Notes: []string{"Computed: " + r.Run + "."}}
	if !r.Met {
		s.Level = report.Warning
	} else if r.Unrun > 0 { // not all goals are met, as far as this says
		s.Level = report.Info
	}
	for _, say := range r.Says {
		s.Notes = append(s.Notes, strings.TrimSpace(say.Text+" "+say.Advice))
	}
	if len(r.Goals.Rows) > 0 {
		s.Blocks = append(s.Blocks, report.Block{Title: "Goals", Table: reportTable(r.Goals)})
	}
	for _, g := range r.Groups {
		s.Blocks = append(s.Blocks, report.Block{Title: g.Name, Table: reportTable(g.Figures)})
		for _, c := range g.Charts[:min(len(g.Charts), 2)] { // pending and the oldest
			s.Blocks = append(s.Blocks, report.Block{Chart: reportChart(c)})
		}
	}
	return s, nil
}

func adviceSection(ctx context.Context, files []File) (report.Section, error) {
	a, err := adviseDesign(ctx, AdviseDesignIn{Files: files}, nil)
	if err != nil {
		return report.Section{}, err
	}
	s := report.Section{ID: "advice", Title: "Advice", Says: a.Says, Level: report.OK, Notes: append(slices.Clone(a.Relax), a.Missing...)}
	if a.Against > 0 || len(a.Relax) > 0 {
		s.Level = report.Warning
	} else if a.Open > 0 {
		s.Level = report.Info
	}
	for _, asset := range a.Assets {
		t := report.Table{Columns: []report.Column{{Title: "Setting"}, {Title: "State"}, {Title: "Value"}, {Title: "Why"}, {Title: "Not"}}}
		for _, set := range asset.Settings {
			value := set.Advised
			if set.Written != "" && set.Written != set.Advised {
				value = set.Written
				if set.State == "against" {
					value += ", better " + set.Advised
				}
			}
			why := report.Cell{Text: set.Reason}
			if set.Working != nil {
				w := reportWorking(*set.Working)
				why.Working = &w
			}
			var not []string
			for _, r := range set.Rejected {
				not = append(not, r.Value+": "+r.Why)
			}
			row := report.Row{Cells: []report.Cell{{Text: set.Field, Mono: true}, {Text: string(set.State)}, {Text: value, Mono: true}, why, {Text: strings.Join(not, "; ")}}}
			if set.State == "against" {
				row.Level = report.Warning
			}
			t.Rows = append(t.Rows, row)
		}
		s.Blocks = append(s.Blocks, report.Block{Title: asset.Kind + " " + asset.Name + ": " + asset.Says, Table: &t})
	}
	return s, nil
}

// configSection is the configuration in JSON of the API, as designed.
func configSection(d *design.Design) (report.Section, error) {
	out, err := synth.Generate("nats-json", d)
	if err != nil {
		return report.Section{}, badRequest(err)
	}
	s := report.Section{ID: "configuration", Title: "Configuration", Says: size.Counted(len(out.Files), "file", "files") + " for nats stream add --config and nats consumer add --config.", Level: report.Plain}
	for _, n := range out.Notes {
		s.Notes = append(s.Notes, n.Path+": "+n.Text)
	}
	for _, f := range out.Files {
		s.Blocks = append(s.Blocks, report.Block{Code: &report.Code{Name: f.Path, Text: f.Text}})
	}
	return s, nil
}

func reportTable(t SizedTable) *report.Table {
	out := &report.Table{Left: t.Left}
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, report.Column{Title: c.Title, Num: c.Num})
	}
	for _, r := range t.Rows {
		row := report.Row{Level: report.Level(r.Level)}
		for _, c := range r.Cells {
			cell := report.Cell{Text: c.Text}
			if c.Figure != nil {
				w := reportWorking(*c.Figure)
				cell.Working = &w
			}
			row.Cells = append(row.Cells, cell)
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

func reportWorking(f Figure) report.Working {
	out := report.Working{Name: f.Name, Text: f.Text, Range: f.Range, Formula: f.Formula, Rests: f.Rests, Source: f.Source, Note: f.Note}
	for _, t := range f.Terms {
		out.Terms = append(out.Terms, reportWorking(t))
	}
	return out
}

func reportChart(c Chart) *report.Chart {
	axis := func(a Axis) report.Axis {
		out := report.Axis{Max: a.Max}
		for _, t := range a.Ticks {
			out.Ticks = append(out.Ticks, report.Tick{At: t.At, Text: t.Text})
		}
		return out
	}
	out := &report.Chart{Title: c.Title, X: axis(c.X), Y: axis(c.Y), Xs: c.Xs}
	for _, s := range c.Series {
		out.Series = append(out.Series, report.Series{Name: s.Name, Values: s.Values})
	}
	for _, m := range c.Faults {
		out.Marks = append(out.Marks, report.Mark{From: m.At, To: m.To, Text: m.Text})
	}
	return out
}
