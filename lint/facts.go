package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/size"
	"weir/verdict"
)

// Facts is what the rules look at: a design, what the servers make of it, and
// what follows from both, worked out once and when first asked for.
type Facts struct {
	*design.Design
	// Streams are all streams of all scopes, those of buckets among them, in the
	// order in which they are created. Streams that no file defines are left out.
	Streams []*Stream

	checker *checker
	rule    *Rule
	found   []Finding
	needed  map[string][]string // what is not known, and the codes that ask for it
	byPath  map[string]*Stream
	loose   []*Stream // of consumers whose stream no file defines
	sized   *sizedDesign
	arrives map[string]size.Arriving
	scopes  map[*design.Scope]natsapi.Version
	users   map[string][]*design.User // by account, see usersOf
}

// Stream is a stream as the server stores it.
type Stream struct {
	// Kind is stream, kv or object_store; Name is what people call it, a bucket's
	// own name; Path is where it is written.
	Kind, Name, Path string
	Scope            *design.Scope
	// Version is that of the servers it lives on.
	Version natsapi.Version
	// Accepted says that they take it. Then Config is what they store, defaults
	// filled in; else it is what is written, and absent settings are zero.
	Accepted  bool
	Config    api.StreamConfig
	Consumers []*Consumer
	// Written is the stream of the design, Bucket the bucket; one of them is nil.
	Written *design.Stream
	Bucket  *design.Bucket
	// Site are the servers and limits that were judged by.
	Site *verdict.Site

	facts    *Facts
	offered  []Feed // of the scope
	feeds    []Feed
	feedDone bool
}

// Consumer is a consumer as the server stores it.
type Consumer struct {
	*design.Consumer
	Of *Stream
	// Accepted and Config are as of Stream. Config shadows the written one, which
	// is Consumer.Config.
	Accepted bool
	Config   api.ConsumerConfig
}

// Said is what a rule has to say about one place.
type Said struct {
	// What goes on after the value: "is shorter than 35s, the 99th percentile…".
	// It is written without the key and value at the path, which come in front.
	What string
	// Value is what applies where the path is not written: "30s, the default".
	Value string
	// Write is the remedy, an imperative; "" when there is no single one.
	Write string
	// Figure is the number that shows the harm.
	Figure *Figure
	// Fix is what --fix may write; nil when it is not certain.
	Fix *design.Fix
	// Severity makes it less than the rule's own, "" keeps that; more only to error,
	// where the server refuses each such request of the workers or publishers.
	Severity design.Severity
}

// Basis says from where a number is known.
type Basis string

// Where numbers come from. A bound is the worst case, computed from the settings
// alone; what happens is at most that.
const (
	Computed  Basis = "computed"
	Bound     Basis = "bound"
	Simulated Basis = "simulated"
)

// Figure is a number of a finding. Unit is B, s, msgs, share or another of the
// units that the message uses.
type Figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Basis Basis   `json:"basis"`
}

// newFacts looks at the answers that the servers of a design give.
func newFacts(c *checker) *Facts {
	f := &Facts{Design: c.d, checker: c, needed: map[string][]string{}, byPath: map[string]*Stream{}, scopes: map[*design.Scope]natsapi.Version{}}
	written := map[string]*design.Stream{}
	buckets := map[string]*design.Bucket{}
	consumers := map[string]*design.Consumer{}
	for _, scope := range c.d.Scopes() {
		for _, s := range scope.Streams {
			written[s.Path] = s
			for _, con := range s.Consumers {
				consumers[con.Path] = con
			}
		}
		for _, b := range slices.Concat(scope.KV, scope.Objects) {
			buckets[b.Path] = b
		}
	}
	feeds := map[*design.Scope][]Feed{}
	for _, j := range c.judgements {
		if _, known := f.scopes[j.Request.Scope]; !known {
			feeds[j.Request.Scope] = feedsOf(j.Request.Scope)
		}
		f.scopes[j.Request.Scope] = j.Site.Setting.Version
		if j.Request.Kind == "consumer" {
			f.addConsumer(j, consumers[j.Request.Path])
			continue
		}
		f.addStream(j, written[j.Request.Path], buckets[j.Request.Path])
		f.Streams[len(f.Streams)-1].offered = feeds[j.Request.Scope]
	}
	return f
}

func (f *Facts) addStream(j verdict.Judgement, written *design.Stream, bucket *design.Bucket) {
	s := &Stream{facts: f, Kind: j.Request.Kind, Name: j.Request.Name, Path: j.Request.Path, Scope: j.Request.Scope, Site: j.Site,
		Version: j.Site.Setting.Version, Written: written, Bucket: bucket, Accepted: j.Answer.Verdict == verdict.OK}
	switch {
	case s.Accepted && f.checker.kept.stream(j.Answer.Config, &s.Config):
	case written != nil:
		s.Config = written.Config
	case bucket != nil:
		s.Config = bucket.Config
	}
	f.Streams = append(f.Streams, s)
	f.byPath[s.Path] = s
}

func (f *Facts) addConsumer(j verdict.Judgement, written *design.Consumer) {
	at := design.Parent(design.Parent(j.Request.Path))
	s := f.byPath[at]
	switch {
	case written == nil:
		return
	case s == nil:
		s = &Stream{facts: f, Kind: "stream", Name: written.Stream, Path: at, Scope: j.Request.Scope, Site: j.Site, Version: j.Site.Setting.Version}
		f.byPath[at] = s
		f.loose = append(f.loose, s)
	}
	c := &Consumer{Consumer: written, Of: s, Accepted: j.Answer.Verdict == verdict.OK}
	if !c.Accepted || !f.checker.kept.consumer(j.Answer.Config, &c.Config) {
		c.Config = written.Config
	}
	s.Consumers = append(s.Consumers, c)
}

// Consumers calls check for each consumer that the servers accept. All rules but
// those about subjects get those too whose stream no file defines: what is said of
// it is then its zero value.
func (f *Facts) Consumers(check func(*Consumer)) {
	f.WrittenConsumers(func(c *Consumer) {
		if c.Accepted {
			check(c)
		}
	})
}

// WrittenConsumers calls check for those that they refuse as well, for a fault that
// would else be told only when the refusal is mended.
func (f *Facts) WrittenConsumers(check func(*Consumer)) {
	all := f.Streams
	if f.rule.Family() != "SUB" {
		all = slices.Concat(all, f.loose)
	}
	for _, s := range all {
		for _, c := range s.Consumers {
			check(c)
		}
	}
}

// AcceptedStreams calls check for each stream and bucket that the servers accept.
func (f *Facts) AcceptedStreams(check func(*Stream)) {
	for _, s := range f.Streams {
		if s.Accepted {
			check(s)
		}
	}
}

// VersionAt is the release of the servers that a path of the design is for.
func (f *Facts) VersionAt(path string) natsapi.Version {
	best := &f.Design.Scope
	for scope := range f.scopes {
		if scope.Path != "" && strings.HasPrefix(path, scope.Path+".") && len(scope.Path) > len(best.Path) {
			best = scope
		}
	}
	if v, ok := f.scopes[best]; ok {
		return v
	}
	if v := f.checker.target; v != (natsapi.Version{}) {
		return v
	}
	return f.Design.Version
}

// saysAll reports whether a design file was read: what it does not name is not
// there. JSON of single streams and consumers leaves open what stands beside them.
func (f *Facts) saysAll() bool { return f.Has("weir") }

// Report says something about a path of the design. It is left out where the
// rule is not about the servers' release, and where a part of the asset could not
// be read.
func (f *Facts) Report(path string, s Said) {
	if !f.rule.holds(f.VersionAt(path)) || f.checker.isBroken(assetOf(path)) {
		return
	}
	if s.Severity == "" {
		s.Severity = f.rule.Severity
	}
	found := Finding{Code: f.rule.Code, Severity: s.Severity, Path: path, Fix: choice(s.Fix, s.Write), Figure: s.Figure}
	found.What, found.Remedy = spelt(f.Design, path, f.subject(path, s.Value)+" "+s.What), spelt(f.Design, path, s.Write)
	found.Message = found.What
	if s.Write != "" {
		found.Message += "; " + found.Remedy
	}
	f.found = append(f.found, found.At(f.Where(path)))
}

// subject is what a sentence is about: a key and its value, or the asset.
func (f *Facts) subject(path, value string) string {
	asset := assetOf(path)
	if path == asset {
		return assetName(asset)
	}
	steps := design.Split(path)
	name := steps[len(steps)-1]
	for i := len(steps) - 2; i >= 0 && strings.HasPrefix(name, "["); i-- {
		name = steps[i] + name
	}
	v, ok := f.Value(path)
	if text := textOf(v); ok && text != "" {
		return name + ": " + text
	}
	if value != "" {
		name += " (" + value + ")"
	}
	return assetName(asset) + ": " + name
}

// assetName is what people call the asset at a path: "consumer ORDERS/billing".
func assetName(path string) string {
	steps := design.Split(path)
	if len(steps) > 2 && (steps[0] == "accounts" || steps[0] == "leafnodes") {
		steps = steps[2:]
	}
	switch {
	case len(steps) == 4:
		return consumerWords(steps[1] + "/" + steps[3])
	case len(steps) < 2:
		return strings.Join(steps, "")
	}
	kind := map[string]string{"kv": "KV bucket", "objects": "object store", "accounts": "account", "leafnodes": "leaf node site"}[steps[0]]
	if kind == "" {
		kind = strings.TrimSuffix(steps[0], "s")
	}
	return kind + " " + clip(steps[1])
}

// sizedDesign is what package size makes of a design; whole is nil when it has no
// size.
type sizedDesign struct {
	whole   *size.DesignSize
	streams map[string]*size.DesignStream
}

func (f *Facts) sizes() *sizedDesign {
	if f.sized == nil {
		f.sized = &sizedDesign{streams: map[string]*size.DesignStream{}}
		if d, err := size.FromDesign(f.Design, size.DesignOptions{}); err == nil {
			f.sized.whole = &d
			for i := range d.Streams {
				f.sized.streams[d.Streams[i].Path] = &d.Streams[i]
			}
		}
	}
	return f.sized
}

// arriving is what arrives at the consumer at a path.
func (f *Facts) arriving(path string) size.Arriving {
	if f.arrives == nil {
		f.arrives = size.ArrivingOf(f.Design)
	}
	return f.arrives[path]
}

// Size is the size of the design; nil when it has none. It is computed when the
// first rule asks for it.
func (f *Facts) Size() *size.DesignSize { return f.sizes().whole }

// SizeOf is the size of the stream or bucket at a path, nil without one.
func (f *Facts) SizeOf(path string) *size.DesignStream { return f.sizes().streams[path] }

// Need notes that the rule would look further if a part of the design were
// written: "service_time of the workers". It is no finding; the report sums
// these up.
func (f *Facts) Need(what string) {
	if !slices.Contains(f.needed[what], f.rule.Code) {
		f.needed[what] = append(f.needed[what], f.rule.Code)
	}
}

// assetOf is the path of the stream, consumer, publisher… that a path lies in.
func assetOf(path string) string {
	steps := design.Split(path)
	n := 2
	if len(steps) > 0 && (steps[0] == "accounts" || steps[0] == "leafnodes") {
		n += 2
	}
	if len(steps) > n+1 && steps[n] == "consumers" {
		n += 2
	}
	out := ""
	for _, s := range steps[:min(n, len(steps))] {
		out = design.Join(out, s)
	}
	return out
}

// noteRefused says what most rules do not look at, because the server refuses it.
func (f *Facts) noteRefused() {
	var names []string
	for _, s := range f.Streams {
		if !s.Accepted {
			names = append(names, assetName(s.Path))
		}
		for _, c := range s.Consumers {
			// A consumer of a refused stream is judged as if the stream were there,
			// unless a part of it could not be read.
			if !c.Accepted && (s.Accepted || f.checker.isBroken(c.Path)) {
				names = append(names, assetName(c.Path))
			}
		}
	}
	const few = 3
	if n := len(names) - few; n > 1 {
		names = append(names[:few], fmt.Sprintf("%d more", n))
	}
	if len(names) > 0 {
		f.checker.report.Assumed = append(f.checker.report.Assumed, "not checked further until its errors are mended: "+strings.Join(names, ", "))
	}
}

// runRules lets every rule look at the design of a checker.
func (c *checker) runRules() {
	if len(c.judgements)+len(c.d.Publishers)+len(c.d.Accounts)+len(c.d.Leafnodes) == 0 && c.d.Server.Path == "" {
		return
	}
	f := newFacts(c)
	f.noteRefused()
	for _, r := range Rules() {
		if r.Check == nil || len(c.report.Findings)+len(f.found) >= MaxFindings {
			continue
		}
		f.rule = r
		r.Check(f)
	}
	c.report.Findings = append(c.report.Findings, f.found...)
	for what, codes := range f.needed {
		if c.report.needed == nil {
			c.report.needed = map[string][]string{}
		}
		c.report.needed[what] = append(c.report.needed[what], codes...)
	}
}
