package verdict

import (
	"bytes"
	"slices"
	"strings"

	"weir/design"
	"weir/natsapi"
)

// Step is one stream, bucket or consumer that has to change for a design to
// become another one.
type Step struct {
	// Op is Created, Deleted or Changed. A consumer that did not change is Created
	// when its stream has to be made anew.
	Op design.Op
	// Kind is stream, consumer, kv or object_store; Name what people call it;
	// Path where it is in the new design, in the old one for Deleted.
	Kind, Name, Path string
	Site             *Site
	Request          *design.Request
	// Answer is what the server says to the creation or update; zero for Deleted.
	Answer Answer
	// Reasons are the refusals that stand in the way of an update, as in Plan.
	Reasons []Answer
	// Recreate is what the server says to the creation once the old one is
	// deleted. It is nil unless the update was refused.
	Recreate *Answer
	// Ignored are design paths whose change the server accepts and does not make.
	Ignored []string
	// Dropped are design paths of fields that the server's version does not have:
	// it takes a creation or an update with them and does not keep them.
	Dropped []string
	// Unchanged is true for an update that the server accepts and that changes
	// nothing: all that is new in it is Ignored or Dropped.
	Unchanged bool
	// Was is what the server had stored before an update in place, as JSON, and Owner
	// what it has of a consumer's stream; nil for other steps.
	Was, Owner []byte
	// Consumers counts those that a stream has when it is updated in place.
	Consumers int
}

// InPlace reports whether the server makes the change as it is.
func (s Step) InPlace() bool { return s.Op == design.Deleted || s.Answer.Verdict == OK }

// PlanOf lists what has to be done for servers on which the design from runs to
// run the design to, in the order in which it would be done: deletions, then
// streams and buckets, then consumers. The servers are those of the new design,
// at a version (the zero Version: what the new design says). What the old design
// holds is taken to exist, as far as a server can have it.
func PlanOf(from, to *design.Design, target natsapi.Version) []Step {
	p := &planner{changes: design.Diff(from, to), sites: SitesOf(to, target), gone: map[string]bool{}, was: map[string][]byte{}}
	p.load(from)
	wanted := map[string]bool{}
	requests := to.Requests()
	for _, r := range requests {
		wanted[planKey(r)] = true
	}
	p.deletions(from, wanted)
	for _, r := range requests {
		if !r.Assumed {
			p.apply(r)
		}
	}
	return p.steps
}

type planner struct {
	changes []design.Change
	sites   []*Site
	gone    map[string]bool   // paths of streams that are deleted
	was     map[string][]byte // what was asked for, by planKey
	steps   []Step
}

// streamPath is where the stream of a consumer's request is.
func streamPath(r *design.Request) string { return design.Parent(design.Parent(r.Path)) }

// planKey tells the assets of a design apart.
func planKey(r *design.Request) string {
	return strings.Join([]string{r.Scope.Leafnode, r.Scope.Account, r.Kind, r.Name}, "\n")
}

// site is where a request of either design goes; nil when the new design no
// longer has the account or leaf node.
func (p *planner) site(r *design.Request) *Site {
	for _, s := range p.sites {
		if s.Scope.Leafnode == r.Scope.Leafnode && s.Scope.Account == r.Scope.Account {
			return s
		}
	}
	return nil
}

// load puts the old design into the settings.
func (p *planner) load(from *design.Design) {
	for _, r := range from.Requests() {
		p.was[planKey(r)] = r.Body
		site := p.site(r)
		if site == nil {
			continue
		}
		s := site.Setting
		if site.anyCluster {
			s.Cluster = placedIn(r.Body)
		}
		if s.Apply(Request{Subject: r.Subject, Body: r.Body}).Verdict != OK && r.Kind != "consumer" {
			_ = s.AddStream(r.Body) // the new servers would refuse it; the old ones have it
		}
	}
}

func (p *planner) deletions(from *design.Design, wanted map[string]bool) {
	requests := from.Requests()
	for _, r := range requests {
		if r.Kind == "stream" && !wanted[planKey(r)] {
			p.gone[r.Path] = true
		}
	}
	for _, r := range slices.Backward(requests) {
		if wanted[planKey(r)] || r.Assumed {
			continue
		}
		if r.Kind == "consumer" && p.gone[streamPath(r)] {
			continue // goes with its stream
		}
		site := p.site(r)
		p.steps = append(p.steps, Step{Op: design.Deleted, Kind: r.Kind, Name: r.Name, Path: r.Path, Site: site, Request: r})
		if site != nil {
			site.Setting.remove(r)
		}
	}
}

// remove takes away what a request creates.
func (s *Setting) remove(r *design.Request) {
	if r.Kind == "consumer" {
		s.DeleteConsumer(ownerStream(r), consumerName(r))
		return
	}
	s.DeleteStream(streamName(r))
}

func consumerName(r *design.Request) string {
	steps := design.Split(r.Path)
	return steps[len(steps)-1]
}

// apply plans one request of the new design.
func (p *planner) apply(r *design.Request) {
	site := p.site(r)
	s := site.Setting
	if site.anyCluster {
		s.Cluster = placedIn(r.Body)
	}
	step := Step{Op: design.Changed, Kind: r.Kind, Name: r.Name, Path: r.Path, Site: site, Request: r}
	create := Request{Subject: r.Subject, Body: r.Body}
	plan := planOf(s, r)
	step.Ignored, step.Dropped = p.withoutEffect(r, s.Version)
	switch {
	case plan.Kind == PlanInPlace && bytes.Equal(p.was[planKey(r)], r.Body):
		return // what the server would fill in now is no reason to ask it
	case plan.Kind == PlanNothing:
		if len(step.Ignored)+len(step.Dropped) == 0 {
			return
		}
		step.Unchanged, step.Answer = true, plan.Answer
	case plan.Kind == PlanCreate || len(plan.Reasons) == 1 && !s.has(r):
		step.Op, step.Answer = design.Created, s.Apply(create)
	case plan.Kind == PlanInPlace:
		update := create
		if r.Kind != "consumer" {
			update.Subject = "STREAM.UPDATE." + streamName(r)
		}
		step.before(s, r)
		step.Answer = s.Apply(update)
	default:
		s.remove(r)
		again := s.Apply(create)
		step.Answer, step.Reasons, step.Recreate = plan.Answer, plan.Reasons, &again
	}
	p.steps = append(p.steps, step)
}

// before notes what the servers have before an update.
func (s *Step) before(setting *Setting, r *design.Request) {
	echo := func(o object) []byte { return appendObject(nil, setting.Version, o.fields(setting.Version)) }
	name := streamName(r)
	if r.Kind == "consumer" {
		name = ownerStream(r)
	}
	st := setting.streams[name]
	switch {
	case st == nil:
	case r.Kind == "consumer":
		s.Owner = echo(st.config)
		if c := st.consumers[consumerName(r)]; c != nil {
			s.Was = echo(c)
		}
	default:
		s.Was, s.Consumers = echo(st.config), len(st.consumers)
	}
}

func planOf(s *Setting, r *design.Request) Plan {
	if r.Kind != "consumer" {
		return PlanStream(s, r.Body)
	}
	return PlanConsumer(s, ownerStream(r), members(r.Body)["config"])
}

func (s *Setting) has(r *design.Request) bool {
	if r.Kind != "consumer" {
		return s.config(streamName(r)) != nil
	}
	st := s.streams[ownerStream(r)]
	return st != nil && st.consumers[consumerName(r)] != nil
}

// withoutEffect are the changes below a request that a server accepts and does not
// make: of fields whose old value stays, and those that write a field which its
// version does not have.
func (p *planner) withoutEffect(r *design.Request, v natsapi.Version) (ignored, dropped []string) {
	asset, ok := map[string]natsapi.Asset{"consumer": natsapi.Consumer, "stream": natsapi.Stream}[r.Kind]
	if !ok {
		asset = natsapi.Asset(r.Kind)
	}
	for _, c := range p.changes {
		if !strings.HasPrefix(c.Path, r.Path+".") {
			continue
		}
		f, ok := natsapi.Walk(asset, design.Split(c.Path)[len(design.Split(r.Path)):]...)
		switch {
		case !ok:
		case !f.In(v):
			if c.Op != design.Deleted {
				dropped = append(dropped, c.Path)
			}
		case f.UpdateIn(v) == natsapi.Ignored:
			ignored = append(ignored, c.Path)
		}
	}
	return ignored, dropped
}
