package size

import (
	"strings"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
)

// heldStream is a stream of a design on its way to a Stream.
type heldStream struct {
	scope  *design.Scope
	kind   string
	path   string
	name   string
	config *api.StreamConfig
	stream *design.Stream // nil for buckets
	bucket *design.Bucket // nil for streams
	site   int

	arrived []arrived
	copies  int // mirrors and sources that read all of it
	state   visit
}

// arrived is a flow that lands in a stream.
type arrived struct {
	flow
	share float64
	via   string
	// certain says that share follows from what the design says.
	certain bool
}

type visit int

const (
	unvisited visit = iota
	visiting
	visited
)

// mostArrivals bounds the flows of one stream: sources of sources multiply them.
const mostArrivals = 1_000

// arrive finds out what lands where.
func (b *designReader) arrive() {
	for _, scope := range b.d.Scopes() {
		for _, s := range scope.Streams {
			b.held = append(b.held, &heldStream{scope: scope, kind: "stream", path: s.Path, name: s.Name, config: &s.Config, stream: s, site: b.siteOf(scope, &s.Config)})
		}
		for _, k := range scope.KV {
			b.held = append(b.held, &heldStream{scope: scope, kind: "kv", path: k.Path, name: k.Stream, config: &k.Config, bucket: k, site: b.siteOf(scope, &k.Config)})
		}
		for _, k := range scope.Objects {
			b.held = append(b.held, &heldStream{scope: scope, kind: "object_store", path: k.Path, name: k.Stream, config: &k.Config, bucket: k, site: b.siteOf(scope, &k.Config)})
		}
	}
	published := b.published()
	for _, h := range b.held {
		b.land(h, published)
	}
	for _, h := range b.held {
		b.copyInto(h)
	}
}

// siteOf is the cluster that holds a stream.
func (b *designReader) siteOf(scope *design.Scope, c *api.StreamConfig) int {
	if scope.Leafnode != "" {
		return b.leaves[scope.Leafnode]
	}
	if c.Placement != nil {
		if i, ok := b.clusters[c.Placement.Cluster]; ok {
			return i
		}
	}
	return b.hub
}

// space is what messages are published into: an account on the hub, or on one
// site's own servers.
type space struct{ leafnode, account string }

func spaceOf(s *design.Scope) space { return space{s.Leafnode, s.Account} }

// published lists what is published in each subject space. Leaf nodes carry
// messages both ways, to the hub from all sites together; imports carry them
// between accounts.
func (b *designReader) published() map[space][]flow {
	out := map[space][]flow{}
	for _, scope := range b.d.Scopes() {
		for _, p := range scope.Publishers {
			f := flowOf(p)
			b.noteFlow(p)
			out[spaceOf(scope)] = append(out[spaceOf(scope)], f)
		}
	}
	hub := map[space][]flow{}
	for s, fs := range out {
		if s.leafnode == "" {
			hub[s] = fs
		}
	}
	for _, l := range b.d.Leafnodes {
		bound := l.BindTo
		if bound == "" {
			bound = design.Hub
		}
		up, down := space{account: bound}, spaceOf(&l.Scope)
		own := out[down]
		out[down] = append(own[:len(own):len(own)], hub[up]...)
		for _, f := range own {
			out[up] = append(out[up][:len(out[up]):len(out[up])], f.scaled(float64(max(l.Count, 1))))
		}
	}
	for _, a := range b.d.Accounts {
		for _, in := range a.Imports {
			if in.Service {
				continue
			}
			to := spaceOf(&a.Scope)
			for _, f := range hub[space{account: in.Account}] {
				if f, share := f.take(in.Subject); share > 0 {
					out[to] = append(out[to], f.imported(in))
				}
			}
		}
	}
	return out
}

// imported is a flow under the subject of an import.
func (f flow) imported(in design.Import) flow {
	switch {
	case in.To != "":
		f, _ = f.transformed(in.Subject, in.To)
	case in.Prefix != "":
		var prefix []tokenSet
		for _, w := range strings.Split(in.Prefix, ".") {
			prefix = append(prefix, literalToken(w))
		}
		f.tokens = append(prefix, f.tokens...)
	}
	return f
}

// noteFlow says what of a publisher is not known.
func (b *designReader) noteFlow(p *design.Publisher) {
	switch {
	case p.Payload.Kind == design.DistAbsent:
		b.note(p.Path+".payload", "no payload is given: messages are sized as empty")
	case p.Payload.Kind == design.DistEmpirical:
		b.note(p.Path+".payload", "the trace is not read here: messages are sized as empty; give {mean, p99}")
	}
	if len(p.Hours) > 0 && dayOf(p.Hours) == nil {
		b.note(p.Path+".hours", "a day has 24 hours, of which at least one carries something; %d are given: an even day is assumed", len(p.Hours))
	}
	for _, t := range p.Tokens {
		if int64(len(t.Examples)) < t.Count {
			b.note(p.Path+".tokens."+t.Name, "%s values are counted and not named: each is taken to be as long as its name and a number; name some to be nearer",
				FormatCount(float64(t.Count)))
		}
	}
	if p.Rate > maxInput {
		b.note(p.Path+".rate", "the rate is beyond 1e18/s, more than can be counted with: 1e18/s stands in")
	}
}

// land takes what is published on a stream's subjects.
func (b *designReader) land(h *heldStream, published map[space][]flow) {
	if h.config.Mirror != nil {
		return
	}
	subjects := h.config.Subjects
	if len(subjects) == 0 && len(h.config.Sources) == 0 {
		subjects = []string{h.name}
	}
	for _, f := range published[spaceOf(h.scope)] {
		for _, s := range subjects {
			if part, share := f.take(s); share > 0 && len(h.arrived) < mostArrivals {
				h.arrived = append(h.arrived, b.renamed(h, arrived{flow: part, share: share, certain: f.knows(s)}))
			}
		}
	}
}

// renamed applies a stream's own subject_transform.
func (b *designReader) renamed(h *heldStream, a arrived) arrived {
	t, f := h.config.SubjectTransform, a.flow
	if t == nil {
		return a
	}
	source := t.Source
	if source == "" {
		source = ">"
	}
	part, share := f.take(source)
	if share == 0 {
		return a
	}
	a.certain = a.certain && share == 1
	// What the source does not match keeps its subject: counted under the new one,
	// the lengths differ by a few bytes.
	part, exact := part.transformed(source, t.Destination)
	if !exact {
		b.note(h.path+".subject_transform", "a mapping function makes the subjects: their length and number are an estimate")
	}
	part.rate, part.bursts = f.rate, f.bursts
	a.flow = part
	return a
}

// copyInto fills a stream from its mirror or sources, those first that it reads.
func (b *designReader) copyInto(h *heldStream) {
	if h.state != unvisited {
		return // done, or a cycle, which the server refuses
	}
	h.state = visiting
	defer func() { h.state = visited }()
	from := h.config.Sources
	if h.config.Mirror != nil {
		from = []*api.StreamSource{h.config.Mirror}
	}
	for _, s := range from {
		origin := b.origin(h, s)
		if origin == nil {
			b.note(h.path, "%q is not in the design: what comes from it is not counted", s.Name)
			continue
		}
		if origin.state == visiting {
			b.note(h.path, "%q copies from this stream itself, which the server refuses: the way round is not counted", s.Name)
			continue
		}
		b.copyInto(origin)
		origin.copies++
		for _, a := range origin.arrived {
			if a.via == "" {
				a.via = origin.path
			}
			for _, a := range b.throughSource(h, s, a) {
				if len(h.arrived) < mostArrivals {
					h.arrived = append(h.arrived, b.renamed(h, a))
				}
			}
		}
	}
}

// throughSource is what a mirror's or source's filter and transforms make of a
// flow.
func (b *designReader) throughSource(h *heldStream, s *api.StreamSource, a arrived) []arrived {
	if len(s.SubjectTransforms) == 0 {
		if s.FilterSubject == "" {
			return []arrived{a}
		}
		part, share := a.take(s.FilterSubject)
		if share == 0 {
			return nil
		}
		a.certain = a.certain && a.knows(s.FilterSubject)
		a.flow, a.share = part, a.share*share
		return []arrived{a}
	}
	var out []arrived
	for _, t := range s.SubjectTransforms {
		part, share := a.take(t.Source)
		if share == 0 {
			continue
		}
		if t.Destination != "" {
			exact := true
			if part, exact = part.transformed(t.Source, t.Destination); !exact {
				b.note(h.path, "a mapping function makes the subjects from %q: their length and number are an estimate", s.Name)
			}
		}
		out = append(out, arrived{flow: part, share: a.share * share, via: a.via, certain: a.certain && a.knows(t.Source)})
	}
	return out
}

// origin is the stream that a mirror or source reads; nil when the design does not
// have it.
func (b *designReader) origin(h *heldStream, s *api.StreamSource) *heldStream {
	in := spaceOf(h.scope)
	if s.External != nil && s.External.ApiPrefix != "" {
		var ok bool
		if in, ok = b.external(s.External.ApiPrefix); !ok {
			return nil
		}
	}
	for _, o := range b.held {
		if o.name == s.Name && spaceOf(o.scope) == in {
			return o
		}
	}
	return nil
}

// external resolves the API prefix of another domain: $JS.plant.API, or
// $JS.plant-7.API for the seventh of several sites.
func (b *designReader) external(prefix string) (space, bool) {
	domain, ok := strings.CutPrefix(prefix, "$JS.")
	domain, okToo := strings.CutSuffix(domain, ".API")
	if !ok || !okToo {
		return space{}, false
	}
	if b.d.Server.Domain != "" && b.d.Server.Domain == domain {
		return space{account: design.Hub}, true
	}
	for _, l := range b.d.Leafnodes {
		for _, name := range []string{l.Domain, l.Name} {
			if name != "" && (domain == name || strings.HasPrefix(domain, name+"-")) {
				return spaceOf(&l.Scope), true
			}
		}
	}
	return space{}, false
}
