package lint

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/dialect"
	"weir/natsapi"
	"weir/size"
	"weir/verdict"
)

// Options say how to check. The zero value judges by the version that each
// design names and leaves nothing out.
type Options struct {
	// Target is the server version to judge by; zero for the design's own.
	Target natsapi.Version
	// Select keeps only findings that one of these words stands for, when there
	// are any; Ignore drops those it stands for, selected or not. Both take what
	// ParseSelector returns.
	Select, Ignore []string
	// UpgradeTo adds what changes when the servers become this release; zero for
	// nothing.
	UpgradeTo natsapi.Version
	// Sources are the texts that the designs were read from, for their comments
	// "# weir:ignore CODE reason", and .weir.yaml among them. Without them nothing
	// is ignored.
	Sources []*design.Source
	// Kept makes the next check faster, of a design that was edited since or for another
	// version; nil keeps nothing.
	Kept *Kept
}

// Report is what a check found.
type Report struct {
	Findings []Finding
	// Ignored are findings that a comment or .weir.yaml says to live with.
	Ignored []Ignored
	// Versions are the server versions that were judged by, in the order of the
	// designs.
	Versions []natsapi.Version
	// Streams, Buckets and Consumers count what was judged, Refused what of it the
	// servers do not take.
	Streams, Buckets, Consumers int
	Refused                     struct{ Streams, Buckets, Consumers int }
	// Assumed says in sentences what the files leave open and was taken to fit.
	Assumed []string
	// Unreadable lists files that are in no notation that Weir reads.
	Unreadable []string

	left   int                 // refusals beyond MaxFindings
	needed map[string][]string // what rules would need to know, see Facts.Need
}

// MaxFindings bounds a report: what comes behind is counted in one last finding.
const MaxFindings = 2_000

// CheckSources reads texts of any notation, puts those together that belong
// together, and checks what they say.
func CheckSources(sources []*design.Source, o Options) Report {
	o.Sources = sources
	designs, problems := dialect.Read(slices.DeleteFunc(slices.Clone(sources), isIgnoreFile))
	return Check(designs, problems, o)
}

// isIgnoreFile is true for the file of ignores, which is no design.
func isIgnoreFile(s *design.Source) bool { return path.Base(s.Name) == IgnoreFile }

// Check judges designs as the servers would that they are for. problems are what
// the readers had to say; they become findings too, and what a reader could not
// understand is not judged.
func Check(designs []*design.Design, problems design.Problems, o Options) Report {
	var r Report
	for _, p := range problems {
		r.Findings = append(r.Findings, FromProblem(p))
		if p.Code == design.CodeNotation && !slices.Contains(r.Unreadable, p.File) {
			r.Unreadable = append(r.Unreadable, p.File)
		}
	}
	broken := brokenPaths(problems)
	for _, d := range designs {
		c := &checker{d: d, target: o.Target, broken: broken, report: &r, all: len(o.Select)+len(o.Ignore) == 0, kept: o.Kept, unnamed: map[string]bool{}}
		if large := verdict.TooLarge(d); large != "" {
			f := Finding{Code: string(design.CodeLimit), Severity: design.Error, Message: large + "; split it"}
			at := d.Where("")
			if at.File == "" && len(o.Sources) > 0 { // put together from several: the first stands for all
				at = o.Sources[0].Place(0, 0)
			}
			c.add(f.At(at))
		}
		c.judgements = c.kept.judge(d, o.Target)
		for i := range c.judgements {
			c.judgement(i)
		}
		c.confKeys()
		c.runRules()
		if o.UpgradeTo != (natsapi.Version{}) && len(c.judgements) > 0 {
			r.Findings = append(r.Findings, Upgrade([]*design.Design{d}, c.judgements[0].Site.Setting.Version, o.UpgradeTo)...)
		}
		c.sites(o.Target)
	}
	r.applyIgnores(o.Sources)
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool { return !o.keep(f) })
	Sort(r.Findings)
	r.bound()
	return r
}

// unreadable are the codes of files that could not be read: what else is wrong with
// them nobody knows, so that they count whatever was asked for.
var unreadable = []design.Code{design.CodeSyntax, design.CodeLimit, design.CodeEncoding, design.CodeNotation}

// Unreadable reports whether the finding says that a file could not be read.
func (f Finding) Unreadable() bool {
	return f.File != "" && f.Severity == design.Error && slices.Contains(unreadable, design.Code(f.Code))
}

func (o Options) keep(f Finding) bool {
	if f.Unreadable() {
		return true
	}
	is := func(selector string) bool { return f.Matches(selector) }
	return (len(o.Select) == 0 || slices.ContainsFunc(o.Select, is)) && !slices.ContainsFunc(o.Ignore, is)
}

// bound cuts a report that nobody would read to its end; the worst stay.
func (r *Report) bound() {
	left := r.left
	if more := len(r.Findings) - MaxFindings; more > 0 {
		left += more
		slices.SortStableFunc(r.Findings, func(a, b Finding) int { return severityRank[a.Severity] - severityRank[b.Severity] })
		r.Findings = r.Findings[:MaxFindings]
		Sort(r.Findings)
	}
	if left == 0 || len(r.Findings) == 0 {
		return
	}
	r.Findings = append(r.Findings, Finding{Code: string(design.CodeLimit), Severity: r.Findings[0].Severity,
		Message: size.Counted(left, "more finding is", "more findings are") + " left out; repair these first"})
}

// brokenValue is where a value stands that the reader could not understand.
type brokenValue struct{ file, path string }

func brokenPaths(problems design.Problems) []brokenValue {
	var out []brokenValue
	for _, p := range problems {
		switch {
		case p.Severity != design.Error:
		case p.Code == design.CodeDuplicate: // found before anything has a path; a stream may be what was lost
			out = append(out, brokenValue{p.File, "streams"})
		case p.Path != "":
			out = append(out, brokenValue{p.File, p.Path})
		}
	}
	return out
}

// checker checks one design.
type checker struct {
	d          *design.Design
	target     natsapi.Version // zero for the design's own
	broken     []brokenValue
	judgements []verdict.Judgement
	report     *Report
	all        bool                         // findings are kept whatever they are
	streams    map[string]*api.StreamConfig // by path, buckets among them
	misread    design.Problems              // see unread; nil before it was asked for
	kept       *Kept
	unnamed    map[string]bool // paths of streams whose name no request can have
}

// streamAt is the configuration of a stream or bucket as written; an empty one
// where the design has none.
func (c *checker) streamAt(path string) *api.StreamConfig {
	if c.streams == nil {
		c.streams = map[string]*api.StreamConfig{}
		for _, scope := range c.d.Scopes() {
			for _, s := range scope.Streams {
				c.streams[s.Path] = &s.Config
			}
			for _, b := range slices.Concat(scope.KV, scope.Objects) {
				c.streams[b.Path] = &b.Config
			}
		}
	}
	if s := c.streams[path]; s != nil {
		return s
	}
	return &api.StreamConfig{}
}

func (c *checker) add(f Finding) { c.report.Findings = append(c.report.Findings, f) }

// sites notes by which versions was judged and what was assumed.
func (c *checker) sites(target natsapi.Version) {
	seen := map[*verdict.Site]bool{}
	for _, j := range c.judgements {
		if seen[j.Site] {
			continue
		}
		seen[j.Site] = true
		for _, a := range j.Site.Assumed { // accounts have their servers in common
			if !slices.Contains(c.report.Assumed, a) {
				c.report.Assumed = append(c.report.Assumed, a)
			}
		}
		c.judgedAs(j.Site.Setting.Version)
	}
	if len(seen) > 0 {
		return
	}
	v := c.d.Version
	if target != (natsapi.Version{}) {
		v = target
	}
	c.judgedAs(v)
}

// judgedAs notes a version once, and of a patch that came out after Weir, or never did,
// that what is said of it is a guess.
func (c *checker) judgedAs(v natsapi.Version) {
	if slices.Contains(c.report.Versions, v) {
		return
	}
	c.report.Versions = append(c.report.Versions, v)
	if last, _ := v.Measured(); v.Compare(last) > 0 {
		c.report.Assumed = append(c.report.Assumed, fmt.Sprintf("nats-server %s is newer than %s, the last of its kind that Weir knows: it is taken to answer as that one", v, last))
	}
}

// judgement makes findings of one answer.
func (c *checker) judgement(i int) {
	j := c.judgements[i]
	switch j.Request.Kind {
	case "stream":
		c.report.Streams++
	case "consumer":
		c.report.Consumers++
	default:
		c.report.Buckets++
	}
	if c.isBroken(j.Request.Path) {
		return // the request is not what was meant
	}
	if c.all && len(c.report.Findings) >= MaxFindings {
		if j.Answer.Verdict != verdict.OK {
			c.report.left++
		}
		return // nobody reads on, and each finding takes its time
	}
	if j.Answer.ErrCode == 10056 && j.Request.Kind == "consumer" && c.unnamed[design.Parent(design.Parent(j.Request.Path))] {
		c.countRefused(j.Request.Kind)
		return // what is wrong is the stream's name, and told there
	}
	r := &refused{checker: c, Judgement: j, index: i, v: j.Site.Setting.Version}
	lacking := r.lackingFields()
	if j.Answer.Verdict != verdict.OK {
		c.countRefused(j.Request.Kind)
	}
	switch j.Answer.Verdict {
	case verdict.OK:
		c.dropped(r, lacking)
		c.storedOtherwise(r)
	case verdict.NoReply:
		if j.Answer.Because == "" {
			c.unnamed[j.Request.Path] = true
		}
		c.noAnswer(r)
	case verdict.Crash:
		c.crash(r)
	default:
		c.refusal(r, lacking)
	}
	c.unread(r)
}

// isBroken reports whether a reader could not understand something at or below
// a path. What is wrong with a consumer leaves its stream as it is, and what is
// wrong in the file of another design says nothing of this one.
func (c *checker) isBroken(path string) bool {
	return slices.ContainsFunc(c.broken, func(b brokenValue) bool {
		rest, below := strings.CutPrefix(b.path, path)
		return below && (rest == "" || rest[0] == '.' || rest[0] == '[') && !strings.HasPrefix(rest, ".consumers.") && c.readFrom(b)
	})
}

// readFrom reports whether the design was read from the file of a broken value. A
// place that no file has leaves it open.
func (c *checker) readFrom(b brokenValue) bool {
	for at := b.path; at != ""; at = design.Parent(at) {
		if file := c.d.Where(at).File; file == b.file || file == "" {
			return true
		}
	}
	return b.file == ""
}

// Unknown says in one sentence what the rules would need to know to say more; ""
// when nothing is missing.
func (r Report) Unknown() string {
	if len(r.needed) == 0 {
		return ""
	}
	var parts []string
	for what, codes := range r.needed {
		slices.Sort(codes)
		parts = append(parts, fmt.Sprintf("%s (%s)", what, strings.Join(slices.Compact(codes), ", ")))
	}
	slices.Sort(parts)
	return "more can be said with " + strings.Join(parts, "; ")
}

// Sentence sums the report up: "1 error in 3 streams and 4 consumers, judged as
// nats-server 2.12.15".
func (r Report) Sentence() string {
	var judged []string
	for _, n := range []struct {
		count int
		word  string
	}{{r.Streams, "stream"}, {r.Buckets, "bucket"}, {r.Consumers, "consumer"}} {
		if n.count > 0 {
			judged = append(judged, counted(n.count, n.word))
		}
	}
	text := Summary(r.Findings)
	if n := len(r.Ignored); n > 0 {
		text += fmt.Sprintf(" and %d ignored", n)
	}
	if len(judged) == 0 {
		return text + "; no stream, bucket or consumer was judged"
	}
	return text + " in " + joinAnd(judged) + ", judged as nats-server " + strings.Join(r.versionTexts(), " and ")
}
