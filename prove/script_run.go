package prove

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"weir/natsapi"
)

// ScriptOptions are what RunScript takes besides Options. The zero value is
// usable.
type ScriptOptions struct {
	Options
	// With is the server to run: "" for the embedded one, else see FindServer.
	With string
	// Folder is where the servers store, "" for the system's temporary folder.
	Folder string
}

// scriptWithin bounds a whole script.
const scriptWithin = 3 * time.Minute

// RunScript runs a proof script on servers of its own and returns what happened.
// A step that does not come out as it should ends the run; its claim does not
// hold then, see Evidence.Held. An error means that the run could not be made or
// was ended by ctx.
func RunScript(ctx context.Context, s *Script, opt ScriptOptions) (Evidence, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, scriptWithin, fmt.Errorf("the script did not end within %s", scriptWithin))
	defer cancel()
	r := &scriptRun{script: s, e: newEvidence(opt.Options), progress: progress{call: opt.Progress}, readers: map[string]*scriptReader{}, vars: map[string]value{}}
	r.e.Partial = true
	setup := s.setupOf()
	setup.Log, setup.Folder = opt.Log, opt.Folder
	err := r.run(ctx, setup, opt.With)
	r.e.Partial = err != nil
	return r.e, err
}

// scriptRun is the state of one run of a script.
type scriptRun struct {
	script   *Script
	e        Evidence
	progress progress
	setup    Setup
	host     Host
	version  natsapi.Version
	links    *links
	clock    time.Time

	step    *Step // that is being run
	i       int   // of repeat, from 1
	heading *scriptStep
	from    int // first step under the heading

	vars         map[string]value
	readers      map[string]*scriptReader
	lastStream   string
	lastConsumer string // STREAM/CONSUMER
	ack          pubAck
	acked        int
	answers      int
	received     int
	status       int
	work         *scriptWork
	load         *scriptLoad

	mu         sync.Mutex
	advisories map[string]int
}

// errNotAsExpected ends a script whose step did not come out; the step says why.
var errNotAsExpected = errors.New("not as expected")

// errNotHere ends a script that the servers at hand cannot run.
var errNotHere = errors.New("not for this server")

func (r *scriptRun) run(ctx context.Context, setup Setup, with string) (err error) {
	h, err := startReady(ctx, setup, with)
	if err != nil {
		return err
	}
	defer func() { err = stopped(err, h.Stop()) }()
	r.setup, r.host, r.links, r.clock, r.advisories = setup, h, &links{h: h}, time.Now(), map[string]int{}
	r.e.ranOn(h.Info())
	if r.version, err = natsapi.ParseVersion(h.Info().Version); err != nil {
		return err
	}
	r.e.Target = r.version.String()
	defer r.end()
	for i, s := range r.script.steps {
		if err := r.runStep(ctx, s); err != nil {
			r.closeHeading()
			if errors.Is(err, errNotAsExpected) || errors.Is(err, errNotHere) {
				return nil
			}
			return fmt.Errorf("line %d: %s: %w%s", s.line, s.text, err, r.lastWords(ctx, err))
		}
		r.progress.report(i+1, len(r.script.steps))
	}
	r.closeHeading()
	return nil
}

// lastWords are the last warnings and errors of servers that broke a run off, ""
// where they have none, somebody else ended it, or the error says it all.
func (r *scriptRun) lastWords(ctx context.Context, err error) string {
	const most = 300
	if ctx.Err() != nil || errors.Is(err, ErrDiskFull) {
		return ""
	}
	out := ""
	for i := range r.host.Info().Nodes {
		if said := r.host.Logs(i); said != "" && said != "nothing" {
			out += fmt.Sprintf("; %s said: %s", nodeName(i), strings.ToValidUTF8(said[max(0, len(said)-most):], ""))
		}
	}
	return out
}

// end stops what runs in the background and closes every connection.
func (r *scriptRun) end() {
	if r.work != nil {
		r.work.stop()
	}
	if r.load != nil {
		r.load.stop()
	}
	for _, reader := range r.readers {
		reader.close()
	}
	r.links.close()
}

// closeHeading turns the heading so far into a claim.
func (r *scriptRun) closeHeading() {
	if r.heading != nil {
		r.e.claim(r.heading.verb.Name, r.heading.args[0].text, r.from)
	}
	r.heading = nil
}

// runStep runs a step as often as it says.
func (r *scriptRun) runStep(ctx context.Context, s *scriptStep) error {
	if s.verb.compares == comparesNothing && s.verb.min == 1 && isHeading(s.verb.Name) {
		return s.verb.run(ctx, r, s)
	}
	r.step = r.e.step(s.text, s.expectation())
	r.step.OK = true
	for r.i = 1; r.i <= s.repeat; r.i++ {
		if err := s.verb.run(ctx, r, s); err != nil {
			r.step.OK = r.step.OK && errors.Is(err, errNotHere)
			r.step.Unfinished = !r.step.OK && !errors.Is(err, errNotAsExpected)
			return err
		}
		if !r.step.OK {
			return errNotAsExpected
		}
	}
	if s.repeat > 1 {
		r.step.Figures = append(r.step.Figures, Figure{"repeated", int64(s.repeat), "times"})
	}
	return nil
}

func isHeading(verb string) bool { return verb == "harm" || verb == "cure" || verb == "claim" }

// expectation is what a step must come to, as text.
func (s *scriptStep) expectation() string {
	switch {
	case s.refused && s.key("err_code") != "":
		return "refused with err_code " + s.key("err_code")
	case s.refused:
		return "refused"
	case s.verb.compares == comparesWithin:
		return fmt.Sprintf("so within %s", s.within)
	case s.verb.compares == comparesNow:
		return "so now"
	}
	return "done"
}

// numbered puts the number of the repetition in place of {i}.
func (r *scriptRun) numbered(text string) string {
	return strings.ReplaceAll(text, "{i}", fmt.Sprint(r.i))
}

// control is the connection that asks the JetStream API. It also counts
// advisories.
func (r *scriptRun) control(ctx context.Context) (*session, error) {
	before := r.links.open[hubUser]
	s, err := r.links.as(ctx, hubUser)
	if err != nil || s == before {
		return s, err
	}
	const advisories = "$JS.EVENT.ADVISORY.>"
	s.subscribe(advisories, "", r.advisory)
	return s, s.flush(ctx)
}

// advisory counts an advisory by the last word of its type:
// io.nats.jetstream.advisory.v1.max_deliver.
func (r *scriptRun) advisory(m message) {
	_, rest, ok := strings.Cut(string(m.data), `"type":"io.nats.jetstream.advisory.v1.`)
	if !ok {
		return
	}
	kind, _, _ := strings.Cut(rest, `"`)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advisories[kind]++
}

// answered judges an answer: done where nothing was to be refused, refused as
// named where it was.
func (r *scriptRun) answered(s *scriptStep, a apiAnswer) error {
	r.step.Reply = a.reply()
	failed := a.silent != "" || a.Error != nil
	switch {
	case !s.refused:
		r.step.OK = !failed
	case !failed:
		r.step.OK = false
	default:
		code := s.key("err_code")
		r.step.OK = (code == "" || a.Error != nil && fmt.Sprint(a.Error.ErrCode) == code) &&
			strings.Contains(r.step.Reply.Text, s.key("text"))
	}
	return nil
}

// lookUp computes a value of the run.
func (r *scriptRun) lookUp(ctx context.Context, ref *reference) (value, error) {
	if ref.object == "" {
		if v, ok := r.vars[ref.field]; ok {
			return v, nil
		}
	}
	object := ref.object
	if object == "" && ref.doc() == nil {
		if object = r.lastConsumer; object == "" || (&reference{object: object, field: ref.field}).doc() == nil {
			object = r.lastStream
		}
		if object == "" {
			return value{}, fmt.Errorf("%s: no stream or consumer was named before", ref.field)
		}
	}
	switch kind := kindOfObject(object); {
	case object == "":
		return r.ownValue(ref.field)
	case kind == "work" || kind == "load" || kind == "advisories":
		return r.backgroundValue(kind, ref.field)
	case kind == "server":
		return r.serverValue(ctx, ref.field)
	case kind == "STREAM/CONSUMER":
		return r.consumerValue(ctx, object, ref.field)
	case object == strings.ToUpper(object):
		return r.streamValue(ctx, object, ref.field)
	}
	reader := r.readers[object]
	if reader == nil {
		return value{}, fmt.Errorf("%s: there is no reader of that name", object)
	}
	return reader.value(ref.field), nil
}
