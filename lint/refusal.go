package lint

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/verdict"
)

// refused is an answer of the server on its way to become a finding.
type refused struct {
	*checker
	verdict.Judgement
	index int // among the checker's judgements
	v     natsapi.Version

	path  string // in the design
	value design.Value
	field *natsapi.Field // nil when the path is no field of the API
}

// advice is why the server refuses something, and what to do.
type advice struct {
	// at is the design path to point at, "" for that of the answer.
	at string
	// why follows the value and needs no subject: "is shorter than 100ms".
	why string
	// write says what to write instead, an imperative; "" when nobody can know.
	write string
	fix   *design.Fix
}

// refusal makes the finding of a request that the server refuses.
func (c *checker) refusal(r *refused, lacking []lackingField) {
	switch {
	case len(lacking) == 0:
	case r.lenient():
		c.dropped(r, lacking)
	default:
		c.unknownFields(r, lacking)
		if strings.Contains(r.Answer.Description, unknownField) {
			return
		}
	}
	r.lookAt(r.Request.DesignPath(r.Answer.Path))
	a := explain(r)
	if a.at != "" {
		r.lookAt(a.at)
	}
	f := Finding{Code: apiCode(r.Answer.ErrCode), Severity: design.Error, Path: r.path, ErrCode: r.Answer.ErrCode, Fix: choice(a.fix, a.write)}
	if rule := ruleOf(r.Answer.ErrCode, r.Answer.Description, r.value.Text); rule != nil && rule.holds(r.v) {
		f.Code, f.Alias = rule.Code, f.Code
	}
	r.tell(&f, a, r.answerWords())
	at, beside := r.Request.KeyPlace(r.Answer.Path)
	if !beside || r.path != r.Request.Path {
		at = c.d.Where(r.path)
	}
	c.add(f.At(at))
}

// lookAt makes a design path the one that is talked about.
func (r *refused) lookAt(path string) {
	r.path, r.field = path, nil
	r.value, _ = r.d.Value(path)
	if f := r.value.Field; f != nil && !f.Own {
		r.field = &f.Field
		return
	}
	if f, ok := r.fieldAt(path); ok {
		r.field = &f
	}
}

// fieldAt is the row of a path below the request's, written or not.
func (r *refused) fieldAt(path string) (natsapi.Field, bool) {
	rest := strings.TrimPrefix(strings.TrimPrefix(path, r.Request.Path), ".")
	if rest == "" || rest == path {
		return natsapi.Field{}, false
	}
	steps := design.Split(rest)
	for i, s := range steps {
		steps[i] = strings.Trim(s, "[]")
	}
	asset := map[string]natsapi.Asset{"stream": natsapi.Stream, "consumer": natsapi.Consumer, "kv": natsapi.KV, "object_store": natsapi.ObjectStore}[r.Request.Kind]
	return natsapi.Walk(asset, steps...)
}

// tell writes what a finding says: value first, reason, remedy, and the server's
// own words.
func (r *refused) tell(f *Finding, a advice, server string) {
	f.What, f.Remedy, f.Server = spelt(r.d, r.path, strings.TrimSpace(r.subject()+" "+a.why)), spelt(r.d, r.path, a.write), server
	f.Message = f.What
	for _, part := range []string{f.Remedy, f.Server} {
		if part != "" {
			f.Message += "; " + part
		}
	}
}

// subject is what the sentence is about: a key with its value, or the whole.
func (r *refused) subject() string {
	if r.path == r.Request.Path || r.path == "" {
		return r.whole()
	}
	steps := design.Split(r.path)
	name := steps[len(steps)-1]
	for i := len(steps) - 2; i >= 0 && strings.HasPrefix(name, "["); i-- {
		name = steps[i] + name
	}
	if text := r.valueText(); text != "" {
		return name + ": " + text
	}
	return r.whole() + ": " + name
}

// whole names the stream, bucket or consumer.
func (r *refused) whole() string {
	kind := map[string]string{"kv": "KV bucket", "object_store": "object store"}[r.Request.Kind]
	if kind == "" {
		kind = r.Request.Kind
	}
	if r.Request.Kind == "consumer" {
		return consumerWords(r.Request.Name)
	}
	return kind + " " + clip(r.Request.Name)
}

// consumerWords names a consumer, STREAM/consumer, without the names that stand for
// what the files do not say.
func consumerWords(name string) string {
	stream, consumer, _ := strings.Cut(name, "/")
	switch {
	case stream == design.AssumedStream && strings.HasPrefix(consumer, design.UnnamedConsumer):
		return "the consumer"
	case strings.HasPrefix(consumer, design.UnnamedConsumer):
		return "the consumer of stream " + clip(stream)
	case stream == design.AssumedStream:
		return "consumer " + clip(consumer)
	}
	return "consumer " + clip(name)
}

// valueText is the value as people read it; "" for a container or nothing.
func (r *refused) valueText() string { return textOf(r.value) }

func textOf(v design.Value) string {
	switch {
	case v.Node == nil || v.Kind == design.Container:
		return ""
	case v.Kind == design.Duration && v.Node.Src != nil && v.Node.Src.API:
		return fmt.Sprintf("%s (%s)", v.Raw(), design.FormatDuration(v.Int))
	case v.Kind == design.Size && v.Node.Src != nil && v.Node.Src.API && v.Int >= 1024:
		return fmt.Sprintf("%s (%s)", v.Raw(), design.FormatSize(v.Int))
	case v.Kind == design.Duration || v.Kind == design.Size:
		return clip(v.Raw())
	case v.Node.Quoted || v.Node.IsText():
		return quote(v.Node.Text)
	}
	return clip(v.Raw())
}

// answerWords is what the server says and when it says something else.
func (r *refused) answerWords() string {
	a := r.Answer
	text := fmt.Sprintf("nats-server %s answers %d/%d %s", r.v, a.Code, a.ErrCode, clip(a.Description))
	if r.Orphan {
		text = "once its stream is accepted, " + text
	}
	if a.Because != "" {
		text += ", once " + a.Because
	}
	for _, other := range a.Alternatives {
		what := "accepts it"
		if other.Verdict == verdict.Refused {
			what = fmt.Sprintf("answers %d/%d %s", other.Code, other.ErrCode, clip(other.Description))
		}
		text += fmt.Sprintf(", or %s while %s", what, other.Because)
	}
	return text
}

// noAnswer makes the finding of a request that nobody answers.
func (c *checker) noAnswer(r *refused) {
	r.lookAt(r.Request.Path)
	f := Finding{Code: CodeNoAnswer, Severity: design.Error, Path: r.path}
	a := nameAdvice(r)
	words := fmt.Sprintf("nats-server %s does not answer, because the name is a part of the request's subject %s", r.v, quote(r.Request.Subject))
	if r.Answer.Because != "" {
		a = advice{why: "cannot be asked for: " + r.Answer.Because, write: "shorten it, or raise max_payload"}
		words = fmt.Sprintf("the request has %s, and nats-server %s closes the connection", counted(len(r.Request.Body), "byte"), r.v)
	}
	f.Fix = a.fix
	r.tell(&f, a, words)
	c.add(f.At(c.d.Where(r.path)))
}

// crash makes the finding of a request that ends the server.
func (c *checker) crash(r *refused) {
	r.lookAt(r.Request.DesignPath(r.Answer.Path))
	f := Finding{Code: CodeCrash, Severity: design.Error, Path: r.path}
	r.tell(&f, advice{why: "ends the server process", write: "leave it out, or run a newer server"},
		fmt.Sprintf("nats-server %s dereferences nil and stops", r.v))
	c.add(f.At(c.d.Where(r.path)))
}

// at is the design path of a field of the request: a sibling of what is wrong.
func (r *refused) at(field string) string {
	if r.Request.Kind == "consumer" {
		field = "config." + field
	}
	return r.Request.DesignPath(field)
}

// sibling is a field of the same request as written.
func (r *refused) sibling(field string) (design.Value, bool) { return r.d.Value(r.at(field)) }

// text is a sibling as people read it, or words for one that is not written.
func (r *refused) text(field, absent string) string {
	if v, ok := r.sibling(field); ok {
		if t := textOf(v); t != "" {
			return t
		}
	}
	return absent
}

// set is the fix that gives a sibling a value, in the notation of a design file.
func (r *refused) set(field, value string) *design.Fix {
	at := r.at(field)
	if at == r.Request.Path {
		return nil // a bucket's own setting, which clients fix
	}
	steps := design.Split(at)
	return r.d.SetFix("Write "+steps[len(steps)-1]+": "+value, at, value)
}

// stream is the configuration of the request's stream: its own, or that of the
// stream that a consumer belongs to.
func (r *refused) stream() *api.StreamConfig {
	path := r.Request.Path
	if r.Request.Kind == "consumer" {
		path = design.Parent(design.Parent(path))
	}
	return r.streamAt(path)
}

// consumer is the configuration of the request's consumer.
func (r *refused) consumer() *api.ConsumerConfig {
	for _, s := range r.Request.Scope.Streams {
		for _, c := range s.Consumers {
			if c.Path == r.Request.Path {
				return &c.Config
			}
		}
	}
	return &api.ConsumerConfig{}
}

// earlier calls f for each request of a kind that the same account accepted
// before this one, streams and buckets being one kind.
func (r *refused) earlier(consumers bool, f func(j verdict.Judgement) bool) {
	for _, j := range r.judgements[:r.index] {
		same := j.Site.Setting == r.Site.Setting && (j.Request.Kind == "consumer") == consumers
		if same && j.Answer.Verdict == verdict.OK && !f(j) {
			return
		}
	}
}

// most is the longest part of a text that a message repeats.
const most = 160

func clip(s string) string {
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s… (%d bytes)", s[:cut], len(s))
}

func quote(s string) string { return strconv.Quote(clip(s)) }
