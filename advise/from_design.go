package advise

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/natsapi"
	"weir/sim"
	"weir/size"
	"weir/verdict"
)

// ForDesign advises on everything that a design describes: its streams, buckets,
// consumers, publishers and servers. What is written is judged beside what is
// advised, and nothing is advised with which servers would refuse what they
// accept without. An error means that the design has no size at all.
func ForDesign(d *design.Design) (Advice, error) { return settle(d) }

// read is the advice on a design as it stands.
func read(d *design.Design) (Advice, error) {
	sized, err := size.FromDesign(d, size.DesignOptions{})
	if err != nil {
		return Advice{}, fmt.Errorf("size the design: %w", err)
	}
	r := &reader{d: d, sized: &sized, bodies: bodies(d), sites: map[string]*verdict.Site{}}
	// Without a publisher, or with a trace that is not here, there is nothing to
	// simulate; then the work is counted from the means alone.
	if m, err := sim.FromDesign(d, sim.DesignOptions{}); err == nil {
		r.model = m
	}
	for _, site := range verdict.SitesOf(d, natsapi.Version{}) {
		for _, s := range site.Scope.Streams {
			r.sites[s.Path] = site
		}
		for _, b := range slices.Concat(site.Scope.KV, site.Scope.Objects) {
			r.sites[b.Path] = site
		}
	}
	servers := r.servers()
	plans := r.plans()
	for _, scope := range d.Scopes() {
		for _, s := range scope.Streams {
			if p := plans[s.Path]; p != nil {
				r.stream(s, p)
			}
		}
		for _, b := range slices.Concat(scope.KV, scope.Objects) {
			if p := plans[b.Path]; p != nil {
				r.bucket(b, p)
			}
		}
		for _, p := range scope.Publishers {
			r.publisher(p, plans)
		}
	}
	servers()
	return r.advice, r.err
}

// reader walks a design.
type reader struct {
	d      *design.Design
	sized  *size.DesignSize
	model  *sim.Model                 // nil where nothing can be simulated
	bodies map[string]json.RawMessage // configuration as written, by design path
	sites  map[string]*verdict.Site   // what the servers and the account allow, by design path
	// fileStore is max_file_store of the hub's servers, advised or written; 0 is
	// unknown.
	fileStore float64
	advice    Advice
	err       error
}

// bodies are the configurations that would be sent as things are written.
func bodies(d *design.Design) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, r := range d.Requests() {
		if r.Kind == "stream" || r.Kind == "consumer" {
			out[r.Path] = r.Config()
		}
	}
	return out
}

// written is a configuration as written, {} where nothing is.
func (r *reader) written(path string) json.RawMessage {
	if b := r.bodies[path]; len(b) > 0 {
		return b
	}
	return json.RawMessage("{}")
}

// plans are the streams and buckets with the room that each has beside the
// others, by design path: a first pass shows what all would take.
func (r *reader) plans() map[string]*streamPlan {
	out := map[string]*streamPlan{}
	pass := func(rooms map[string]room) (claims []*claim) {
		for _, scope := range r.d.Scopes() {
			for _, s := range scope.Streams {
				if sized := r.sized.Stream(s.Path); sized != nil && !s.Assumed {
					n := r.streamNeeds(scope, s, sized)
					n.room = rooms[s.Path]
					p := planStream(settings{d: r.d, path: s.Path}, n)
					out[s.Path], claims = p, append(claims, r.claimOf(p, sized))
				}
			}
			for _, b := range slices.Concat(scope.KV, scope.Objects) {
				if sized := r.sized.Stream(b.Path); sized != nil {
					n := r.bucketNeeds(sized)
					n.room = rooms[b.Path]
					p := planBucket(settings{d: r.d, path: b.Path}, n, sized.Input)
					out[b.Path], claims = p, append(claims, r.claimOf(p, sized))
				}
			}
		}
		return claims
	}
	pass(r.rooms(pass(nil)))
	return out
}

func (r *reader) stream(s *design.Stream, p *streamPlan) {
	asset := p.asset()
	config, err := p.config(r.written(s.Path))
	if err != nil {
		r.err = err
	}
	asset.Config, asset.Command = config, streamCommand(s.Name)
	r.take(asset, p.relax, p.missing)
	for _, c := range s.Consumers {
		r.consumer(s, c, r.sized.Stream(s.Path), p)
	}
}

func (r *reader) take(a Asset, relax, missing []string) {
	if len(a.Settings) == 0 {
		return
	}
	for i := range a.Settings {
		if a.Settings[i].Rejected == nil {
			a.Settings[i].Rejected = []Rejected{}
		}
	}
	r.advice.Assets = append(r.advice.Assets, a)
	for _, say := range relax {
		if !slices.Contains(r.advice.Relax, say) {
			r.advice.Relax = append(r.advice.Relax, say)
		}
	}
	r.advice.Missing = append(r.advice.Missing, missing...)
}

func (r *reader) streamNeeds(scope *design.Scope, s *design.Stream, sized *size.DesignStream) StreamNeeds {
	site := r.sized.Sites[sized.Site]
	goals := goalsOf(r.d.Goals, s.Goals)
	n := StreamNeeds{Name: s.Name, Subjects: s.Config.Subjects, Rate: sized.Input.Rate, Message: sized.Input.Message,
		Distinct: sized.Input.Subjects.Count, Retention: sized.Input.Retention, Nodes: len(site.Cluster.Servers),
		MaxPayload: site.Cluster.MaxPayload, PerSubject: s.Config.MaxMsgsPer, Copies: s.Config.Mirror != nil || len(s.Config.Sources) > 0,
		Survive: goals.Survive, Outage: longestOutage(goals), Caught: true}
	if v, ok := r.d.Value(design.Join(s.Path, "max_age")); ok && v.Int > 0 {
		n.Keep = time.Duration(v.Int)
	}
	n.Zones = zonesOf(site)
	if s.Config.Replicas == 2 && scope.Leafnode == "" && !r.d.Has("server.nodes") {
		n.Nodes = 0 // the replicas alone say how many servers there are at least
	}
	if scope.Leafnode != "" && n.Nodes == 1 {
		n.Survive = nil // a site of one server goes with it: the faults are those of the hub
	}
	if at := r.sites[s.Path]; at != nil {
		n.MostWindow = at.Setting.Server.DuplicateWindow
	}
	r.fromPublishers(&n, scope, sized)
	return n
}

// zonesOf counts the zones of a site's servers.
func zonesOf(site size.SiteSize) int {
	zones := map[string]bool{}
	for _, server := range site.Cluster.Servers {
		if server.Zone != "" {
			zones[server.Zone] = true
		}
	}
	return len(zones)
}

// fromPublishers takes over what only the publishers say.
func (r *reader) fromPublishers(n *StreamNeeds, scope *design.Scope, sized *size.DesignStream) {
	byPath := map[string]*design.Publisher{}
	for _, p := range scope.Publishers {
		byPath[p.Path] = p
	}
	compressed, all := 0.0, 0.0
	for _, a := range sized.Arrivals {
		p := byPath[a.From]
		if p == nil {
			continue
		}
		n.Payload99 = max(n.Payload99, p.Payload.P99Value())
		if p.Payload.Known() {
			n.PayloadRare = max(n.PayloadRare, p.Payload.Quantile(1-rareSize))
		}
		n.RetryFor = max(n.RetryFor, p.RetryFor)
		n.AckTimeout = max(n.AckTimeout, p.AckTimeout)
		if !r.d.Has(design.Join(p.Path, "on_reject")) || p.Mode == "core" {
			n.Caught = false
		}
		if r.d.Has(design.Join(p.Path, "compresses_to")) {
			bytes := a.Rate.Value * a.Message.Payload
			compressed, all = compressed+p.CompressesTo*bytes, all+bytes
		}
	}
	if all > 0 {
		n.CompressesTo = compressed / all
	}
}

// goalsOf are the goals of an asset: its own where it has some, else those of
// the design.
func goalsOf(of, own design.Goals) design.Goals {
	g := of
	if len(own.Survive) > 0 {
		g.Survive = own.Survive
	}
	if own.HandledTwice > 0 {
		g.HandledTwice = own.HandledTwice
	}
	if own.LatencyP99 > 0 {
		g.LatencyP99 = own.LatencyP99
	}
	if own.OldestPending > 0 {
		g.OldestPending = own.OldestPending
	}
	return g
}

// longestOutage is the longest time without workers that the goals name.
func longestOutage(g design.Goals) time.Duration {
	longest := time.Duration(0)
	for _, s := range g.Survive {
		if s.Fault == "worker-stall" || s.Fault == "worker-crash" {
			longest = max(longest, s.For)
		}
	}
	return longest
}

func (r *reader) consumer(s *design.Stream, c *design.Consumer, sized *size.DesignStream, of *streamPlan) {
	goals := goalsOf(goalsOf(r.d.Goals, s.Goals), c.Goals)
	n := ConsumerNeeds{Stream: s.Name, Name: c.Name, Retention: of.Retention, HandledTwice: goals.HandledTwice, Outage: longestOutage(goals),
		Push: c.Config.DeliverSubject != "", Message: of.Message.Header + of.Message.Payload}
	if c.Config.FilterSubject != "" {
		n.Filters = []string{c.Config.FilterSubject}
	} else {
		n.Filters = c.Config.FilterSubjects
	}
	for i := range sized.Consumers {
		if use := &sized.Consumers[i]; use.Path == c.Path {
			n.Rate = use.Arriving.Value
			n.Peak = n.Rate
			if avg := of.Rate.Average(); avg > 0 {
				n.Peak = n.Rate * of.Rate.Peak() / avg
			}
		}
	}
	if at := r.sites[s.Path]; at != nil {
		n.MostAckPending = mostAckPending(at, s)
	}
	n.BackOff = len(c.Config.BackOff)
	fromWorkers(&n, c.Workers)
	if r.model != nil {
		if i := slices.Index(r.model.ConsumerPaths, c.Path); i >= 0 {
			if needed, ok := r.model.WorkersNeeded(i); ok {
				n.needed = &needed
			}
		}
	}
	p := planConsumer(settings{d: r.d, path: c.Path}, n)
	if most, takes := goals.LatencyP99, time.Duration(n.Service.P99Value()); most > 0 && takes > most {
		p.relax = append(p.relax, fmt.Sprintf("A latency_p99 of %s cannot be met by %s/%s: the work alone takes %s at the 99th percentile.", span(most), s.Name, c.Name, span(takes)))
	}
	asset := p.asset()
	config, err := p.config(r.written(c.Path))
	if err != nil {
		r.err = err
	}
	asset.Config, asset.Command = config, consumerCommand(s.Name, c.Name)
	if c.Config.AckPolicy == api.AckNone && r.d.Has(design.Join(c.Path, "ack_policy")) {
		// Nothing is acked, so nothing that is about acks applies.
		asset.Settings = asset.Settings[:1]
	}
	r.take(asset, p.relax, p.missing)
}

// mostAckPending is the lowest limit that servers, account and stream set for
// max_ack_pending, 0 for none.
func mostAckPending(at *verdict.Site, s *design.Stream) int64 {
	most := int64(0)
	for _, n := range []int64{int64(at.Setting.Server.MaxAckPending), int64(at.Setting.Account.MaxAckPending), int64(s.Config.ConsumerLimits.MaxAckPending)} {
		if n > 0 && (most == 0 || n < most) {
			most = n
		}
	}
	return most
}

// fromWorkers takes the groups of workers over as one: the slowest work, all
// their places.
func fromWorkers(n *ConsumerNeeds, groups []*design.Workers) {
	for _, w := range groups {
		n.Workers += w.Count
		n.Concurrency = max(n.Concurrency, w.Concurrency)
		n.Batches = n.Batches || w.Loop == "fetch"
		n.Fetch = max(n.Fetch, w.Fetch)
		if w.InProgress > 0 && (n.InProgress == 0 || w.InProgress > n.InProgress) {
			n.InProgress = w.InProgress
		}
		if w.ServiceTime.P99Value() > n.Service.P99Value() {
			n.Service = w.ServiceTime
		}
		for _, e := range w.Errors {
			if e.Redelivers() {
				n.ErrorRate = max(n.ErrorRate, e.Rate)
				n.ErrorDelay = max(n.ErrorDelay, e.Delay)
			}
		}
	}
}

// servers advises on what the nodes of the hub have for JetStream. The advice is
// listed by what it returns.
func (r *reader) servers() (list func()) {
	s := settings{d: r.d, path: design.Join("server", "conf")}
	if r.d.Server.Path == "" || r.d.Server.Disk <= 0 {
		return func() {}
	}
	if v, ok := r.d.Value("server.conf.jetstream"); ok && v.Node.IsMap() {
		s.path = "server.conf.jetstream"
	}
	reserved := 0.0
	for _, e := range r.sized.Sites[0].Ledger {
		if e.What == "max_file_store" {
			reserved = max(reserved, e.Reserved.Value)
		}
	}
	disk := float64(r.d.Server.Disk)
	n := math.Floor(0.9*disk/size.GiB) * size.GiB
	if n < 0.8*disk { // a whole GiB less would be less than the server's own three quarters
		n = math.Floor(0.9*disk/size.MiB) * size.MiB
	}
	set := Setting{Field: "max_file_store", Source: "jetstream.go dynJetStreamConfig, 2.15.2",
		Reason:   "said, it is the same on every node and after every restart; a tenth of the disk stays for indexes, RAFT logs and blocks that are being compacted",
		Rejected: []Rejected{{"none", "three quarters of what happens to be free when the server starts"}}}
	set.Advised, set.api = bytes(int64(n))
	s.add(set, func(v design.Value) string {
		if float64(v.Int) > disk {
			return fmt.Sprintf("more than the disk of %s: streams are promised room that is not there", size.FormatBytes(disk))
		}
		return ""
	})
	var relax []string
	limit := n
	if v, ok := s.written("max_file_store"); ok && v.Int > 0 {
		limit = float64(v.Int)
	}
	if reserved > limit {
		relax = append(relax, fmt.Sprintf("The streams reserve %s on a node, and max_file_store is %s.", size.FormatBytes(reserved), size.FormatBytes(limit)))
	}
	r.fileStore = limit
	says := fmt.Sprintf("%s of disk a node", size.FormatBytes(disk))
	return func() {
		r.take(Asset{Kind: "server", Name: "servers", Path: r.d.Server.Path, Says: says, Settings: s.list}, relax, nil)
	}
}
