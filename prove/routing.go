package prove

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// Bounds of the routing probes: values tried of each token, subjects of one
// publisher, and of all of them.
const (
	probeValues = 3
	probesEach  = 64
	probesTotal = 2_000
)

// routeStream is what of a stream's configuration decides which messages it
// holds.
type routeStream struct {
	Name       string        `json:"name"`
	Subjects   []string      `json:"subjects"`
	Retention  string        `json:"retention"`
	NoAck      bool          `json:"no_ack"`
	Sealed     bool          `json:"sealed"`
	MaxMsgs    int64         `json:"max_msgs"`
	MaxOfEach  int64         `json:"max_msgs_per_subject"`
	Counter    bool          `json:"allow_msg_counter"`
	Transform  *routeRename  `json:"subject_transform"`
	Mirror     *routeSource  `json:"mirror"`
	Sources    []routeSource `json:"sources"`
	scope      *design.Scope
	consumers  []routeConsumer
	stored     []string // subjects of the probes that it should hold, in order
	unknown    string   // why stored cannot be told, "" when it can
	acked      int64    // PubAcks that named it
	hasSources bool
}

type routeRename struct {
	Source      string `json:"src"`
	Destination string `json:"dest"`
}

type routeSource struct {
	Name       string           `json:"name"`
	Filter     string           `json:"filter_subject"`
	Transforms []routeRename    `json:"subject_transforms"`
	External   *json.RawMessage `json:"external"`
	StartSeq   int64            `json:"opt_start_seq"`
	StartTime  string           `json:"opt_start_time"`
}

// routeConsumer is what of a consumer decides which messages it sees.
type routeConsumer struct {
	name, path string
	Filter     string   `json:"filter_subject"`
	Filters    []string `json:"filter_subjects"`
	Deliver    string   `json:"deliver_subject"`
	Group      string   `json:"deliver_group"`
	AckPolicy  string   `json:"ack_policy"`
	MaxBatch   int      `json:"max_batch"`
	StartSeq   int64    `json:"opt_start_seq"`
	StartTime  string   `json:"opt_start_time"`
	Pause      string   `json:"pause_until"`
	Priority   []string `json:"priority_groups"`
}

// sees reports whether a consumer's filters let a subject through.
func (c routeConsumer) sees(s string) bool {
	if c.Filter == "" && len(c.Filters) == 0 {
		return true
	}
	return c.Filter != "" && subject.Match(c.Filter, s) || slices.ContainsFunc(c.Filters, func(f string) bool { return subject.Match(f, s) })
}

// streamsOf reads what was applied, in that order.
func (r *designRun) streamsOf() []*routeStream {
	var out []*routeStream
	for _, req := range r.applied {
		if req.Kind == "consumer" {
			name, _, _ := strings.Cut(req.Name, "/")
			c := routeConsumer{name: req.Name, path: req.Path}
			if json.Unmarshal(configOf(req.Body), &c) != nil {
				continue
			}
			for _, s := range out {
				if s.Name == name && s.scope == req.Scope {
					s.consumers = append(s.consumers, c)
				}
			}
			continue
		}
		s := &routeStream{scope: req.Scope}
		if json.Unmarshal(req.Body, s) != nil || s.Name == "" {
			continue
		}
		s.hasSources = s.Mirror != nil || len(s.Sources) > 0
		if len(s.Subjects) == 0 && !s.hasSources {
			s.Subjects = []string{s.Name}
		}
		out = append(out, s)
	}
	return out
}

// placeholder is a word in braces in a publisher's subject.
var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

// exampleSubjects are subjects that a publisher publishes on, at most most of
// them; all says whether they are all there are.
func exampleSubjects(p *design.Publisher, values, most int) (out []string, all bool) {
	out, all = []string{p.Subject}, true
	for _, name := range placeholder.FindAllStringSubmatch(p.Subject, -1) {
		list, complete := tokenValues(p, name[1], values)
		all = all && complete
		var next []string
		for _, s := range out {
			for _, v := range list {
				next = append(next, strings.Replace(s, name[0], v, 1))
			}
		}
		if len(next) > most {
			next, all = next[:most], false
		}
		out = next
	}
	return out, all
}

// tokenValues are values of a placeholder: the examples of the design, then
// made-up ones.
func tokenValues(p *design.Publisher, name string, most int) (values []string, all bool) {
	i := slices.IndexFunc(p.Tokens, func(t design.Token) bool { return t.Name == name })
	if i < 0 {
		return []string{name + "1"}, false
	}
	t := p.Tokens[i]
	values = slices.Clone(t.Examples)
	for n := len(values) + 1; int64(n) <= t.Count && n <= most; n++ {
		values = append(values, fmt.Sprintf("%s%d", name, n))
	}
	if len(values) > most {
		values = values[:most]
	}
	return values, int64(len(values)) == max(t.Count, int64(len(t.Examples)))
}

// route publishes on the publishers' subjects and compares where the messages
// land, and who sees them, with package subject.
func (r *designRun) route(ctx context.Context) error {
	streams := r.streamsOf()
	from := len(r.e.Steps) + 1
	err := r.probeAll(ctx, streams)
	if len(r.e.Steps) >= from {
		r.e.claim("claim", "each publisher's subjects land in the streams that should hold them, and in no other", from)
	}
	if err != nil {
		return err
	}
	for _, s := range streams {
		s.follow(streams)
		if s.acked > 0 || s.hasSources && len(s.stored) > 0 {
			if err := r.predictStored(ctx, s); err != nil {
				return err
			}
		}
	}
	from = len(r.e.Steps) + 1
	err = r.observeAll(ctx, streams)
	if len(r.e.Steps) >= from {
		r.e.claim("claim", "each consumer sees what its filters let through, and nothing else", from)
	}
	return err
}

// probeAll publishes for every publisher.
func (r *designRun) probeAll(ctx context.Context, streams []*routeStream) error {
	seen := map[string]bool{}
	for _, scope := range r.hubScopes() {
		for _, p := range scope.Publishers {
			if err := r.probe(ctx, scope, p, streams, seen); err != nil {
				return fmt.Errorf("publish for %s: %w", p.Name, err)
			}
		}
	}
	return nil
}

// observeAll reads every consumer.
func (r *designRun) observeAll(ctx context.Context, streams []*routeStream) error {
	for _, s := range streams {
		for _, c := range s.consumers {
			if err := r.observe(ctx, s, c); err != nil {
				return fmt.Errorf("read consumer %s: %w", c.name, err)
			}
		}
	}
	return nil
}

// probe publishes the example subjects of one publisher.
func (r *designRun) probe(ctx context.Context, scope *design.Scope, p *design.Publisher, streams []*routeStream, seen map[string]bool) error {
	subjects, all := exampleSubjects(p, probeValues, probesEach)
	if !all {
		r.e.leaveOut(p.Path+".subject", fmt.Sprintf("routing was tried with %d example subjects", len(subjects)))
	}
	s, err := r.links.as(ctx, r.user(scope))
	if err != nil {
		return err
	}
	step := r.e.step(fmt.Sprintf("publish a message on each of %s of %s", size.Counted(len(subjects), "subject", "subjects"), p.Name), "a PubAck of the stream whose subjects match, none where none matches")
	step.Request, step.OK = p.Subject, true
	var wrong []string
	stored, nobody := int64(0), int64(0)
	for _, to := range subjects {
		key := scope.Path + " " + to
		if seen[key] || len(seen) >= probesTotal {
			continue
		}
		seen[key] = true
		if !subject.ValidLiteral(to) {
			wrong = append(wrong, fmt.Sprintf("%q cannot be published on", to))
			continue
		}
		want := holder(streams, scope, to)
		if want != nil && (want.NoAck || want.Counter) {
			want.unknown = "the stream does not answer, or takes other messages than a probe's"
			continue
		}
		got, err := r.probeOne(ctx, s, to, want, streams)
		if err != nil {
			step.brokenOff()
			return err
		}
		switch {
		case got != "":
			wrong = append(wrong, got)
		case want == nil:
			nobody++
		default:
			stored++
		}
	}
	step.Figures = []Figure{{"stored", stored, "messages"}, {"for no stream", nobody, "messages"}}
	if len(wrong) > 0 {
		step.OK, step.Reply = false, &Reply{Text: strings.Join(wrong[:min(5, len(wrong))], "; ")}
	}
	return nil
}

// holder is the stream of a scope that should store a subject, nil for none.
// Two cannot: the server refuses streams with overlapping subjects.
func holder(streams []*routeStream, scope *design.Scope, to string) *routeStream {
	for _, s := range streams {
		if s.scope == scope && slices.ContainsFunc(s.Subjects, func(p string) bool { return subject.Match(p, to) }) {
			return s
		}
	}
	return nil
}

// probeOne publishes one message and says what is otherwise than expected.
func (r *designRun) probeOne(ctx context.Context, s *session, to string, want *routeStream, streams []*routeStream) (string, error) {
	ack, silent, err := s.ackedPublish(ctx, answerWithin, to, nil, []byte("weir"))
	if err != nil {
		return "", err
	}
	switch {
	case want == nil && silent == noResponders:
		return "", nil
	case want == nil:
		return fmt.Sprintf("%s: no stream should hold it, the answer is %s", to, answerText(ack, silent)), nil
	case silent != "" || ack.Error != nil || ack.Stream != want.Name:
		return fmt.Sprintf("%s: %s should hold it, the answer is %s", to, want.Name, answerText(ack, silent)), nil
	}
	want.acked++
	if stored, err := want.rename(to); err != nil {
		want.unknown = "its subject_transform: " + err.Error()
	} else {
		want.stored = append(want.stored, stored)
	}
	return "", nil
}

func answerText(a pubAck, silent string) string {
	switch {
	case silent != "":
		return silent
	case a.Error != nil:
		return a.verdict()
	}
	return "a PubAck of " + a.Stream
}

// rename is the subject under which a stream stores a message.
func (s *routeStream) rename(to string) (string, error) {
	if s.Transform == nil {
		return to, nil
	}
	out, _, err := s.Transform.apply(to)
	return out, err
}

// apply renames a subject; matched is false when it does not concern it.
func (t *routeRename) apply(to string) (out string, matched bool, err error) {
	source := t.Source
	if source == "" {
		source = ">"
	}
	if !subject.Match(source, to) {
		return to, false, nil
	}
	tr, err := subject.NewTransform(t.Source, t.Destination, subject.TransformOptions{})
	if err != nil || tr == nil {
		return to, true, err
	}
	out, err = tr.Apply(to, func(int) int { return 0 })
	return out, true, err
}

// follow adds what a stream should copy from others, which come before it.
func (s *routeStream) follow(streams []*routeStream) {
	sources := s.Sources
	if s.Mirror != nil {
		sources = append([]routeSource{*s.Mirror}, sources...)
	}
	for _, src := range sources {
		if src.External != nil || src.StartSeq > 1 || src.StartTime != "" {
			s.unknown = "it copies from another account or site, or from a later start"
			continue
		}
		for _, origin := range streams {
			if origin.Name != src.Name || origin.scope != s.scope || origin == s {
				continue
			}
			if origin.unknown != "" || origin.Retention != "" && origin.Retention != "limits" {
				s.unknown = "what " + origin.Name + " holds when it is copied depends on time"
			}
			for _, to := range origin.stored {
				if copied, ok := src.takes(to); ok {
					s.stored = append(s.stored, copied)
				}
			}
		}
	}
}

// takes is what a source makes of a subject of its origin.
func (src routeSource) takes(to string) (string, bool) {
	if src.Filter != "" && !subject.Match(src.Filter, to) {
		return "", false
	}
	for _, t := range src.Transforms {
		if out, matched, err := t.apply(to); matched && err == nil {
			return out, true
		}
	}
	return to, len(src.Transforms) == 0
}

// copyWithin is how long mirrors and sources may take to copy the probes.
const copyWithin = 10 * time.Second

// predictStored compares the number of messages that a stream took; the error is
// that of a run that was broken off.
func (r *designRun) predictStored(ctx context.Context, s *routeStream) error {
	if s.unknown != "" || s.MaxMsgs > 0 && int64(len(s.stored)) > s.MaxMsgs {
		return nil
	}
	link, err := r.links.as(ctx, r.user(s.scope))
	if err != nil {
		return context.Cause(ctx)
	}
	p := Prediction{Figure: Figure{"routing: messages that " + s.Name + " took", int64(len(s.stored)), "messages"}}
	// A prediction that is not reached in time is shown as measured.
	_ = waitUntil(ctx, copyWithin, func() (bool, error) {
		var info streamInfo
		err := link.info(ctx, "STREAM.INFO."+s.Name, &info)
		p.Measured = info.State.LastSeq
		if s.hasSources {
			p.Measured = info.State.Messages
		}
		return p.Measured >= p.Value, err
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.e.Predicted = append(r.e.Predicted, p)
	return nil
}

// observe reads a consumer to its end and compares the subjects.
func (r *designRun) observe(ctx context.Context, s *routeStream, c routeConsumer) error {
	why := s.unknown
	switch {
	case c.StartSeq > 1 || c.StartTime != "":
		why = "it starts later than the probes"
	case c.Pause != "":
		why = "it is paused"
	case s.MaxMsgs > 0 && int64(len(s.stored)) > s.MaxMsgs:
		why = "max_msgs of the stream is smaller than the number of probes"
	}
	if why != "" {
		r.e.leaveOut(c.path, "not read: "+why)
		return nil
	}
	var want []string
	for _, to := range s.stored {
		if c.sees(to) {
			want = append(want, to)
		}
	}
	link, err := r.links.as(ctx, r.user(s.scope))
	if err != nil {
		return err
	}
	step := r.e.step("read consumer "+c.name+" to its end", "the messages that its filters let through, each once, and no other")
	stream, consumer, _ := strings.Cut(c.name, "/")
	read := reader{s: link, stream: stream, consumer: consumer, c: c}
	got, err := read.all(ctx, len(want))
	if err != nil {
		step.brokenOff()
		return err
	}
	slices.Sort(want)
	slices.Sort(got)
	step.OK = slices.Equal(want, got)
	step.Figures = []Figure{{"delivered", int64(len(got)), "messages"}, {"of the stream's", int64(len(s.stored)), "messages"}}
	if !step.OK {
		step.Reply = &Reply{Text: "delivered " + clip(strings.Join(got, " ")) + " in place of " + clip(strings.Join(want, " "))}
	}
	r.e.Predicted = append(r.e.Predicted, Prediction{Figure: Figure{"routing: messages that " + c.name + " sees", int64(len(want)), "messages"}, Measured: int64(len(got))})
	return nil
}

// names are the names of the consumer's stream and of the consumer.
func (c routeConsumer) names() (stream, consumer string) {
	stream, consumer, _ = strings.Cut(c.name, "/")
	return stream, consumer
}
