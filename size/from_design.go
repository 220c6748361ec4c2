package size

import (
	"math"
	"time"

	"weir/design"
)

// DesignOptions are what FromDesign may be told beside the design. The zero value
// will do.
type DesignOptions struct {
	// Horizon is how far ahead a stream is looked at that nothing bounds; 0 is
	// DefaultHorizon.
	Horizon time.Duration
	// S2Ratios are measured ratios of compressed streams by design path
	// (streams.ORDERS), from MeasureS2. They take the place of compresses_to.
	S2Ratios map[string]float64
	// Refuses says what the server refuses of a design: it is not sized. nil takes
	// all of it as accepted.
	Refuses func(*design.Design) []design.Refused
	// Restart is how long a server that went down stays down; 0 is unknown.
	Restart time.Duration
	// RoundTrip is the delay between servers; 0 is unknown.
	RoundTrip time.Duration
}

// DesignSize is the size of a design: servers by site, streams in the order of
// the design. A design of no servers is sized on one, or on as many as its
// num_replicas ask for.
//
// Every Figure in it is a tree of terms (Explain prints one); Prune cuts them.
type DesignSize struct {
	// Sites are the hub, then further clusters, then kinds of leaf node sites, in
	// the order of the design.
	Sites []SiteSize `json:"sites"`
	// Streams are all streams, those of KV buckets and object stores included, by
	// scope in the order of the design.
	Streams []DesignStream `json:"streams"`
	// Notes say what the design leaves open and what was taken instead.
	Notes []DesignNote `json:"notes,omitempty"`
	// Refused is what the server refuses of the design, see DesignOptions.Refuses.
	Refused []design.Refused `json:"refused,omitempty"`
}

// DesignNote is something that the design does not say, at its place.
type DesignNote struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// SiteSize is one cluster of servers that stands for Count alike.
type SiteSize struct {
	// Name is "hub", or the name of a cluster or leaf node site; Path where the
	// design describes its servers.
	Name  string `json:"name"`
	Path  string `json:"path"`
	Count int    `json:"count"`
	// Cluster is the input: servers, limits, and streams in the order of
	// Nodes[].Parts and Placement.
	Cluster   Cluster     `json:"-"`
	Nodes     []NodeSize  `json:"nodes"`
	Placement []Placement `json:"placement"`
	Ledger    []Entry     `json:"ledger"`
	// Bindings are all limits, the most used first: what binds first.
	Bindings []Binding `json:"bindings"`
	// Pods, Volumes and Restarts are by server, in the order of Nodes.
	Pods     []Pod     `json:"pods"`
	Volumes  []Volume  `json:"volumes"`
	Restarts []Restart `json:"restarts"`
	// Growth is the disk of each server from empty, in the order of Nodes: what a
	// time-to-full chart draws.
	Growth []Growth `json:"growth"`
	Disk   Figure   `json:"disk"`
	Heap   Figure   `json:"heap"`

	all ClusterSize
}

// Growth is the disk of one server over time, from empty.
type Growth struct {
	Server string  `json:"server"`
	Points []Point `json:"points"`
	// Full is when the volume is full; its value is Limit where limits bind first
	// or the volume is not known, and its note says which.
	Full Figure `json:"full"`
}

// DesignStream is one stream of a design, sized.
type DesignStream struct {
	// Kind is stream, kv or object_store; Path where it stands in the design; Name
	// the stream's (KV_SESSIONS).
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Path    string `json:"path"`
	Account string `json:"account"`
	// Site is an index into DesignSize.Sites, At the stream's place in that
	// Cluster.Streams, in Nodes[].Parts by name and in Placement.
	Site int `json:"site"`
	At   int `json:"at"`
	// Input is what was sized, Size the result.
	Input Stream     `json:"-"`
	Size  StreamSize `json:"size"`
	// Arrivals are where its messages come from, in the order of the design.
	Arrivals  []Arrival        `json:"arrivals,omitempty"`
	Consumers []DesignConsumer `json:"consumers,omitempty"`
	Network   Network          `json:"network"`
	Recovery  Recovery         `json:"recovery"`
	Exposure  []Exposure       `json:"exposure"`
}

// Arrival is messages that reach a stream from one publisher, directly or
// through other streams.
type Arrival struct {
	// From is the design path of the publisher, of the bucket whose clients write,
	// or of the stream that is copied where nobody is known to publish into it.
	From string `json:"from"`
	// Via is the design path of the stream that is mirrored or sourced, "" for
	// messages that are published into this one.
	Via string `json:"via,omitempty"`
	// Subject is what they arrive on, with * for every token that varies.
	Subject string `json:"subject"`
	// Rate is the average, bursts included; Share what part of the publisher's
	// messages that is; Subjects the number of distinct subjects.
	Rate     Figure `json:"rate"`
	Share    Figure `json:"share"`
	Subjects Figure `json:"subjects"`
	// Message is the mean message of it.
	Message Message `json:"-"`
}

// DesignConsumer is one consumer of a design, sized on one server that has it.
type DesignConsumer struct {
	Path string `json:"path"`
	ConsumerSize
	// Arriving is messages a second that its filters match, Share of the stream's.
	Arriving Figure `json:"arriving"`
	Share    Figure `json:"share"`
	// Capacity is what its workers can take; Limit where no workers or no service
	// time are given, and its note says so.
	Capacity Figure `json:"capacity"`
	// Utilisation is arriving by capacity: at and above 1 it falls behind for ever.
	Utilisation Figure `json:"utilisation"`
	// InFlight is delivered and not acknowledged in the steady state.
	InFlight Figure `json:"in_flight"`
	// AckCap is the rate that max_ack_pending allows.
	AckCap AckCap `json:"ack_cap"`
	// BurstBacklog is what waits after the longest burst, BurstDrain how long it
	// takes to work off.
	BurstBacklog Figure `json:"burst_backlog"`
	BurstDrain   Figure `json:"burst_drain"`
}

// FromDesign sizes a design: which publisher's messages land in which stream and
// how many distinct subjects they have, what streams, consumers, KV buckets and
// object stores take on which server, what is reserved, what binds first, what
// failures cost. Values of the design that are too large to count with stand at
// 1e18 and make saturated figures. It fails with an *InputError only for what has
// no size at all.
func FromDesign(d *design.Design, o DesignOptions) (DesignSize, error) {
	var refused []design.Refused
	if o.Refuses != nil {
		refused = o.Refuses(d)
		d = d.Without(refused)
	}
	b := newDesignReader(d, o)
	b.out.Refused = refused
	b.sites()
	b.arrive()
	b.streams()
	return b.size()
}

// Stream returns the stream of a design path (streams.ORDERS, kv.SESSIONS), or
// nil.
func (z *DesignSize) Stream(path string) *DesignStream {
	for i := range z.Streams {
		if z.Streams[i].Path == path {
			return &z.Streams[i]
		}
	}
	return nil
}

// Consumer returns the consumer of a design path
// (streams.ORDERS.consumers.billing) and its stream, or nil.
func (z *DesignSize) Consumer(path string) (*DesignConsumer, *DesignStream) {
	for i := range z.Streams {
		s := &z.Streams[i]
		for k := range s.Consumers {
			if s.Consumers[k].Path == path {
				return &s.Consumers[k], s
			}
		}
	}
	return nil, nil
}

// All is the site's cluster as OfCluster gives it, for OfPod, DiskCurve and
// OfReverse's callers.
func (s SiteSize) All() ClusterSize { return s.all }

// size computes what was read.
func (b *designReader) size() (DesignSize, error) {
	for i := range b.out.Sites {
		if err := b.siteSize(&b.out.Sites[i]); err != nil {
			return DesignSize{}, err
		}
	}
	for i := range b.out.Streams {
		s := &b.out.Streams[i]
		site := &b.out.Sites[s.Site]
		s.Size = site.all.Streams[s.At]
		if says := s.Size.BlocksSays(); says != "" {
			b.note(s.Path, "%s", says)
		}
		s.Network = site.all.networks[s.At]
		s.Recovery = recoveryOf(s.Input, s.Size, site.Cluster.network(), b.o.RoundTrip)
		s.Exposure = exposuresOf(b.exposure(s, site))
		s.consumerSizes()
	}
	return b.out, nil
}

// consumerSizes sizes the consumers of a stream, each kind once.
func (s *DesignStream) consumerSizes() {
	known := map[Consumer]ConsumerSize{}
	alone := s.Input
	for k := range s.Consumers {
		c := s.Input.Consumers[k]
		kind := c
		kind.Name = ""
		z, ok := known[kind]
		if !ok {
			alone.Consumers = []Consumer{kind}
			z = consumerSize(alone, 0)
			known[kind] = z
		}
		z.Name = c.Name
		s.Consumers[k].ConsumerSize = z
	}
}

// growthSteps is how many steps a growth curve has.
const growthSteps = 96

func (b *designReader) siteSize(s *SiteSize) error {
	all, err := OfCluster(s.Cluster)
	if err != nil {
		return err
	}
	s.all = all
	s.Nodes, s.Placement, s.Ledger, s.Bindings, s.Disk, s.Heap = all.Nodes, all.Placement, all.Ledger, all.Bindings, all.Disk, all.Heap
	for i, server := range s.Cluster.Servers {
		p, err := OfPod(s.Cluster, all, i)
		if err != nil {
			return err
		}
		v, err := OfVolume(server)
		if err != nil {
			return err
		}
		r, err := OfRestart(server, clamp(all.Nodes[i].FileStore.Value), b.addsBack())
		if err != nil {
			return err
		}
		g := Growth{Server: server.Name, Full: all.Nodes[i].Full}
		if g.Points, err = DiskCurve(s.Cluster, all, i, growthSpan(s.Cluster, all, i), growthSteps); err != nil {
			return err
		}
		if w := storeWarning(server); w != "" && i == 0 {
			b.note("server.conf.jetstream.max_file_store", "%s", w)
		}
		s.Pods, s.Volumes, s.Restarts, s.Growth = append(s.Pods, p), append(s.Volumes, v), append(s.Restarts, r), append(s.Growth, g)
	}
	return nil
}

// growthSpan is how long a growth curve looks: a little beyond the moment at which
// the volume is full, or the last stream on the server reaches its limit.
func growthSpan(c Cluster, all ClusterSize, i int) time.Duration {
	span := 0.0
	if full := all.Nodes[i].Full.Value; full < Limit {
		span = full
	} else {
		for k, p := range all.Placement {
			if kept := all.Streams[k].Retained.Kept.Value; holds(p, i) && kept < Limit && c.Streams[k].storage() == File {
				span = max(span, kept)
			}
		}
	}
	if span == 0 {
		span = DefaultHorizon.Seconds()
	}
	return time.Duration(min(max(span*1.25, 1)*float64(time.Second), float64(math.MaxInt64)/2))
}

// network is the bandwidth of the slowest server that has one.
func (c Cluster) network() float64 {
	v := 0.0
	for _, s := range c.Servers {
		if s.Network > 0 && (v == 0 || s.Network < v) {
			v = s.Network
		}
	}
	return v
}
