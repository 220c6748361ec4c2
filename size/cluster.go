package size

import (
	"fmt"
	"sort"
	"time"
)

// Cluster is a set of servers and the streams on them.
type Cluster struct {
	Servers  []Server
	Streams  []Stream
	Accounts []Account
	// UniqueTag is jetstream.unique_tag: replicas of a stream stand on servers
	// whose tags with this prefix differ.
	UniqueTag string
	// MaxPayload is max_payload in bytes; 0 is 1 MiB.
	MaxPayload int64
	// SyncInterval is jetstream.sync_interval; 0 is 2 minutes. SyncAlways is
	// sync_interval: always.
	SyncInterval time.Duration
	SyncAlways   bool
	// Connections is the number of client connections, spread evenly.
	Connections float64
	// Horizon is how far ahead unlimited streams are looked at; 0 is
	// DefaultHorizon.
	Horizon time.Duration
}

// AdvisedHAAssets is the number of RAFT groups of streams and consumers that one
// server should carry at most, by the advice that is usual in the field (as in
// nats-server issue 8350; Synadia's own checks warn from 1,000). It is not a limit
// of the server: max_ha_assets is.
const AdvisedHAAssets = 2000

// maxServers bounds a cluster, maxStreams what is on it.
const (
	maxServers = 1_000
	maxStreams = 1_000_000
)

// Part is what one stream takes on one server.
type Part struct {
	Stream string `json:"stream"`
	Leader bool   `json:"leader"`
	Disk   Figure `json:"disk"`
	Heap   Figure `json:"heap"`
}

// NodeSize is what one server needs.
type NodeSize struct {
	Server string `json:"server"`
	Zone   string `json:"zone,omitempty"`
	Parts  []Part `json:"parts"`
	// Disk is everything below store_dir, as file sizes.
	Disk Figure `json:"disk"`
	// Heap is live heap; Garbage is what Go's collector may let pile up on top of
	// it without GOMEMLIMIT, and is not need.
	Heap    Figure `json:"heap"`
	Garbage Figure `json:"garbage"`
	// Stacks is the stacks of goroutines, which are not heap.
	Stacks Figure `json:"stacks"`
	// MemoryStore is the reported bytes of memory streams, which max_memory_store
	// limits; their real heap is part of Heap.
	MemoryStore Figure `json:"memory_store"`
	// FileStore is the reported bytes of file streams, which max_file_store limits.
	FileStore Figure `json:"file_store"`
	In        Figure `json:"in"`
	Out       Figure `json:"out"`
	// CrossZone is the part of Out that leaves the zone for replication.
	CrossZone Figure `json:"cross_zone"`
	// Writes is bytes written a second, Syncs fsync calls a second.
	Writes Figure `json:"writes"`
	Syncs  Figure `json:"syncs"`
	// HAAssets is the number of RAFT groups of streams and consumers.
	HAAssets Figure `json:"ha_assets"`
	// Full is the time until the volume is full, from empty, Refuses that until
	// max_file_store is reached.
	Full    Figure `json:"full"`
	Refuses Figure `json:"refuses"`
}

// Memory is what the process needs: live heap and stacks, without garbage.
func (n NodeSize) Memory() Figure { return sum("memory", Bytes, n.Heap, n.Stacks) }

// Binding is one limit, and how much of it is used.
type Binding struct {
	Where string `json:"where"`
	What  string `json:"what"`
	Used  Figure `json:"used"`
	Limit Figure `json:"limit"`
	// Share is used by limit, with the worst case at the high end of its band.
	Share Figure `json:"share"`
	// Says is the binding in one sentence.
	Says string `json:"says"`
}

// ClusterSize is what a cluster needs, server by server and stream by stream.
type ClusterSize struct {
	Nodes     []NodeSize   `json:"nodes"`
	Streams   []StreamSize `json:"streams"`
	Placement []Placement  `json:"placement"`
	Ledger    []Entry      `json:"ledger"`
	// Bindings are all limits, the most used first.
	Bindings []Binding `json:"bindings"`
	Disk     Figure    `json:"disk"`
	Heap     Figure    `json:"heap"`

	networks []Network // by stream
}

// Prune returns c with the terms of at most depth levels below each figure of its
// nodes, streams, ledger and bindings: a cluster of 200 streams is 65 MB of JSON
// with all of them. 0 leaves the figures alone.
func (c ClusterSize) Prune(depth int) ClusterSize {
	prune := func(fs ...*Figure) {
		for _, f := range fs {
			*f = f.Prune(depth)
		}
	}
	c.Nodes = append([]NodeSize(nil), c.Nodes...)
	for i := range c.Nodes {
		n := &c.Nodes[i]
		prune(&n.Disk, &n.Heap, &n.Garbage, &n.Stacks, &n.MemoryStore, &n.FileStore, &n.In, &n.Out, &n.CrossZone, &n.Writes, &n.Syncs, &n.HAAssets, &n.Full, &n.Refuses)
		n.Parts = append([]Part(nil), n.Parts...)
		for k := range n.Parts {
			prune(&n.Parts[k].Disk, &n.Parts[k].Heap)
		}
	}
	c.Streams = append([]StreamSize(nil), c.Streams...)
	for i := range c.Streams {
		z := &c.Streams[i]
		prune(&z.Reported, &z.Disk.Total, &z.Disk.Allocated, &z.Disk.Blocks, &z.Disk.BlockSize, &z.Heap.Live, &z.Raft.Groups, &z.Raft.Log, &z.Raft.Heap, &z.Raft.Entry,
			&z.Dedup.Entries, &z.Dedup.Live, &z.Dedup.Held, &z.Dedup.Heap, &z.Dedup.Exact, &z.Dedup.Cluster, &z.ClusterDisk, &z.ClusterHeap,
			&z.Writes.Rate, &z.Writes.Amplification, &z.Writes.Log, &z.Retained.Messages, &z.Retained.Kept)
		z.Retained.Bounds = append([]Bound(nil), z.Retained.Bounds...)
		for k := range z.Retained.Bounds {
			prune(&z.Retained.Bounds[k].Messages, &z.Retained.Bounds[k].Full)
		}
	}
	c.Ledger = append([]Entry(nil), c.Ledger...)
	for i := range c.Ledger {
		prune(&c.Ledger[i].Reserved, &c.Ledger[i].Limit, &c.Ledger[i].Share)
	}
	c.Bindings = append([]Binding(nil), c.Bindings...)
	for i := range c.Bindings {
		prune(&c.Bindings[i].Used, &c.Bindings[i].Limit, &c.Bindings[i].Share)
	}
	prune(&c.Disk, &c.Heap)
	return c
}

// Validate reports the first input that cannot be computed with.
func (c Cluster) Validate() error {
	if len(c.Servers) == 0 || len(c.Servers) > maxServers {
		return &InputError{Path: "servers", Value: fmt.Sprint(len(c.Servers)), Reason: fmt.Sprintf("a cluster has 1 to %d servers here", maxServers)}
	}
	if len(c.Streams) > maxStreams {
		return &InputError{Path: "streams", Value: fmt.Sprint(len(c.Streams)), Reason: fmt.Sprintf("at most %d are sized at once", maxStreams)}
	}
	err := firstError(limit("max_payload", c.MaxPayload), number("connections", c.Connections),
		duration("sync_interval", c.SyncInterval), duration("horizon", c.Horizon))
	if err != nil {
		return err
	}
	for i, s := range c.Servers {
		at := fmt.Sprintf("servers[%d]", i)
		if err := firstError(number(at+".memory", float64(s.Memory)), number(at+".disk", float64(s.Disk)),
			number(at+".disk_used", float64(s.DiskUsed)), number(at+".network", s.Network),
			number(at+".max_file_store", float64(s.MaxFileStore)), number(at+".max_memory_store", float64(s.MaxMemoryStore)),
			number(at+".gomemlimit", float64(s.GoMemLimit)), number(at+".max_ha_assets", float64(s.MaxHAAssets))); err != nil {
			return err
		}
	}
	for i, s := range c.Streams {
		name := s.Name
		if name == "" {
			name = fmt.Sprint(i)
		}
		if err := s.Validate("streams." + name); err != nil {
			return err
		}
	}
	return nil
}

// OfCluster places the streams and sizes every server. It fails with an
// *InputError on inputs that have no size; a stream that cannot be placed is not
// an error but a Placement that is refused.
func OfCluster(c Cluster) (ClusterSize, error) {
	if err := c.Validate(); err != nil {
		return ClusterSize{}, err
	}
	// Streams and servers are large: growing the slices would copy them.
	out := ClusterSize{Streams: make([]StreamSize, 0, len(c.Streams)), Nodes: make([]NodeSize, 0, len(c.Servers)), networks: make([]Network, 0, len(c.Streams))}
	p := newPlacer(c)
	for i, s := range c.Streams {
		out.Placement = append(out.Placement, p.place(s, i))
		out.Streams = append(out.Streams, sizeOf(s, c.MaxPayload, c.Horizon))
		out.networks = append(out.networks, networkOf(s))
	}
	traffic := trafficOf(c, out)
	var disk, heap []Figure
	for i := range c.Servers {
		n := nodeOf(c, i, out, traffic[i], p.assets[i])
		out.Nodes = append(out.Nodes, n)
		disk, heap = append(disk, n.Disk.as(n.Server)), append(heap, n.Heap.as(n.Server))
	}
	out.Disk, out.Heap = sum("disk of the cluster", Bytes, disk...), sum("heap of the cluster", Bytes, heap...)
	out.Ledger = ledgerOf(c, out.Placement)
	out.Bindings = bindings(c, out)
	return out, nil
}

// nodeOf sizes server i.
func nodeOf(c Cluster, i int, all ClusterSize, t nodeTraffic, assets int) NodeSize {
	n := NodeSize{Server: c.Servers[i].Name, Zone: c.Servers[i].Zone}
	var disk, heap, files, memory, writes, syncs []Figure
	goroutines := serverGoroutines + connectionGoroutines*c.Connections/float64(len(c.Servers))
	for k, s := range c.Streams {
		if !holds(all.Placement[k], i) {
			continue
		}
		z := all.Streams[k]
		part := Part{Stream: s.Name, Leader: all.Placement[k].Servers[0] == i}
		part.Disk = sum(s.Name, Bytes, z.Disk.Total, z.Raft.Log)
		part.Heap = sum(s.Name, Bytes, z.Heap.Live, z.Raft.Heap)
		n.Parts = append(n.Parts, part)
		disk, heap = append(disk, part.Disk), append(heap, part.Heap)
		if s.storage() == Memory {
			memory = append(memory, z.Reported.as(s.Name))
		} else {
			files = append(files, z.Reported.as(s.Name))
		}
		writes = append(writes, z.Writes.Rate.as(s.Name))
		syncs = append(syncs, syncsOf(c, s))
		goroutines += goroutinesOf(s)
	}
	if len(c.Servers) > 1 {
		disk = append(disk, coefficient("meta group", 2_500, Bytes, Measured, raftSource))
	}
	heap = append(heap, coefficient("server", serverBase, Bytes, Assumed, heapSource).between(300_000, serverBase*3),
		product("connections", Bytes, given("connections on this server", c.Connections/float64(len(c.Servers)), Count),
			coefficient("connection", connection, Bytes, Measured, heapSource).between(connection*0.8, connection*6)))
	n.Disk, n.Heap = sum("disk", Bytes, disk...), sum("live heap", Bytes, heap...)
	n.Garbage, n.Stacks = gcHeadroom(n.Heap), stacks(goroutines)
	n.FileStore, n.MemoryStore = sum("file store", Bytes, files...), sum("memory store", Bytes, memory...)
	n.In, n.Out, n.CrossZone = sum("in", BytesPerSecond, t.in...), sum("out", BytesPerSecond, t.out...), sum("to other zones", BytesPerSecond, t.crossZone...)
	n.Writes, n.Syncs = sum("written", BytesPerSecond, writes...), sum("fsync", Count, syncs...)
	n.HAAssets = given("HA assets", float64(assets), Count)
	n.Full, n.Refuses = timeToFull(c, i, all), timeToRefusal(c, i, all)
	return n
}

// syncsOf is how many fsync calls a second a stream causes on one server.
func syncsOf(c Cluster, s Stream) Figure {
	rate := s.Rate.Average()
	if s.storage() == Memory || rate == 0 {
		return given(s.Name, 0, Count)
	}
	source := "server/filestore.go:syncBlocks, updateDurabilitySettingsLocked (v2.15.2)"
	if !c.SyncAlways {
		every := c.syncInterval().Seconds()
		return computed(s.Name, min(2/every, rate), Count, "block and index.db every sync_interval", given("sync_interval", every, Seconds)).from(ReadInSource, source)
	}
	f := computed(s.Name, rate, Count, "one fsync a message", given("rate", rate, PerSecond)).from(ReadInSource, source)
	if s.replicas() > 1 {
		// With a log, the store is synced when it is flushed, in batches.
		return f.between(rate/1000, rate*2)
	}
	return f
}

func (c Cluster) syncInterval() time.Duration {
	if c.SyncInterval <= 0 {
		return defaultSyncInterval
	}
	return c.SyncInterval
}

type nodeTraffic struct{ in, out, crossZone []Figure }

// trafficOf spreads the traffic of every stream over its servers: publishers and
// workers reach the leader, the leader its followers.
func trafficOf(c Cluster, all ClusterSize) []nodeTraffic {
	out := make([]nodeTraffic, len(c.Servers))
	for k, s := range c.Streams {
		p, n := all.Placement[k], all.networks[k]
		if len(p.Servers) == 0 {
			continue
		}
		lead := &out[p.Servers[0]]
		lead.in = append(lead.in, sum(s.Name, BytesPerSecond, n.In, n.WorkerAcks))
		lead.out = append(lead.out, sum(s.Name, BytesPerSecond, n.Acks, n.Out, n.Mirrors, n.Replication))
		followers := float64(len(p.Servers) - 1)
		for _, f := range p.Servers[1:] {
			each := product("replication of "+s.Name, BytesPerSecond, n.Replication, computed("one follower's part", 1/followers, Ratio, "1 / followers"))
			out[f].in = append(out[f].in, each)
			if c.Servers[f].Zone != c.Servers[p.Servers[0]].Zone {
				lead.crossZone = append(lead.crossZone, each)
			}
		}
		lead.crossZone = append(lead.crossZone, n.remote...)
	}
	return out
}

// bindings lists what is limited, the most used first.
func bindings(c Cluster, all ClusterSize) []Binding {
	out := make([]Binding, 0, 8*len(all.Nodes)+4*len(c.Streams))
	add := func(where, what string, used, most Figure, says string) {
		if most.Value <= 0 {
			return
		}
		f := computed("used share", used.Value/most.Value, Share, used.Name+" / "+what).between(used.Low/most.Value, used.High/most.Value)
		out = append(out, Binding{Where: where, What: what, Used: used, Limit: most, Share: f, Says: says})
	}
	for i, n := range all.Nodes {
		server := c.Servers[i]
		add(n.Server, "max_file_store", n.FileStore, fileLimit(server), storeSays(n))
		add(n.Server, "max_memory_store", n.MemoryStore, memoryLimit(server), FormatBytes(n.MemoryStore.Value)+" reported, more in heap")
		add(n.Server, "disk", n.Disk, given("volume", float64(server.Disk-server.DiskUsed), Bytes), "full after "+FormatSeconds(n.Full.Value))
		memory := n.Memory()
		add(n.Server, "memory", memory, given("memory", float64(server.Memory), Bytes), fmt.Sprintf("%s live, %s at worst", FormatBytes(memory.Value), FormatBytes(memory.High)))
		add(n.Server, "network out", n.Out, given("network", server.Network, BytesPerSecond), FormatBytes(n.Out.Value)+"/s")
		add(n.Server, "network in", n.In, given("network", server.Network, BytesPerSecond), FormatBytes(n.In.Value)+"/s")
		assets := coefficient("advised HA assets", AdvisedHAAssets, Count, Assumed, "usual advice, nats-server issue 8350")
		if server.MaxHAAssets > 0 {
			assets = given("max_ha_assets", float64(server.MaxHAAssets), Count)
		}
		add(n.Server, "HA assets", n.HAAssets, assets, FormatCount(n.HAAssets.Value)+" RAFT groups")
	}
	for k, s := range c.Streams {
		out = append(out, streamBindings(s, all.Streams[k])...)
	}
	// Bindings are large: sorting their places is faster than moving them about.
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return out[order[i]].Share.Value > out[order[j]].Share.Value })
	sorted := make([]Binding, len(out))
	for i, at := range order {
		sorted[i] = out[at]
	}
	return sorted
}

// storeSays is what max_file_store counts, and when it is reached.
func storeSays(n NodeSize) string {
	says := FormatBytes(n.FileStore.Value) + " of records"
	if n.Refuses.Value < Limit {
		says += ", refuses more after " + FormatSeconds(n.Refuses.Value)
	}
	return says
}

// streamBindings lists a stream's own limits and those of its consumers.
func streamBindings(s Stream, z StreamSize) []Binding {
	var out []Binding
	held := z.Retained.Messages
	for _, b := range z.Retained.Bounds {
		used := 0.0
		if b.Messages.Value > 0 {
			used = min(held.Value/b.Messages.Value, 1)
		}
		says := b.Limit + " is not reached"
		if b.Limit == z.Retained.Binds {
			says = b.Limit + " binds after " + FormatSeconds(b.Full.Value)
		}
		out = append(out, Binding{Where: s.Name, What: b.Limit, Used: held, Limit: b.Messages,
			Share: computed("used share", used, Share, "messages / messages at the limit"), Says: says})
	}
	for _, w := range s.Consumers {
		most := float64(w.MaxAckPending)
		if w.MaxAckPending == 0 {
			most = defaultMaxAckPending
		}
		if w.AckNone || most < 0 || w.AckPending == 0 {
			continue
		}
		out = append(out, Binding{Where: s.Name + "/" + consumerName(w), What: "max_ack_pending",
			Used: given("in flight", w.AckPending, Messages), Limit: given("max_ack_pending", most, Messages),
			Share: computed("used share", w.AckPending/max(most, 1), Share, "in flight / max_ack_pending"),
			Says:  fmt.Sprintf("%s of %s in flight", FormatCount(w.AckPending), FormatCount(most))})
	}
	return out
}
