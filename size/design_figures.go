package size

// PlacedFigure is one figure of a design with what it belongs to.
type PlacedFigure struct {
	// Path is a design path (streams.ORDERS), or a site and its server (hub/n1).
	Path   string `json:"path"`
	Figure Figure `json:"figure"`
}

// Figures lists every figure of a design flat: servers by site, then streams with
// their consumers, in the order of the design. It is what tables and CSV are made
// of.
func (z DesignSize) Figures() []PlacedFigure {
	var out []PlacedFigure
	add := func(path string, figures ...Figure) {
		for _, f := range figures {
			if f.Name != "" {
				out = append(out, PlacedFigure{path, f})
			}
		}
	}
	for _, s := range z.Sites {
		add(s.Name, s.Disk, s.Heap)
		for i, n := range s.Nodes {
			p := s.Pods[i]
			add(s.Name+"/"+n.Server, n.Disk, n.Heap, n.Stacks, n.Garbage.as("garbage that the collector may let pile up"), n.FileStore, n.MemoryStore,
				n.In, n.Out, n.CrossZone, n.Writes, n.Syncs.as("fsync a second"), n.HAAssets, n.Full,
				p.Memory, p.GoMemLimit, p.Volume, p.MaxFileStore.as("max_file_store wanted"), p.MaxMemoryStore.as("max_memory_store wanted"))
		}
	}
	for _, s := range z.Streams {
		add(s.Path, s.Size.Retained.Messages, s.Size.Retained.Kept, s.Size.Reported, s.Size.Disk.Total, s.Size.Disk.Blocks, s.Size.Heap.Live,
			s.Size.Dedup.Heap, s.Size.Raft.Log.as("RAFT log"), s.Size.ClusterDisk, s.Size.ClusterHeap, s.Size.Writes.Rate,
			s.Size.Writes.Amplification.as("write amplification"), s.Network.In, s.Network.Out, s.Network.Mirrors, s.Network.Replication,
			s.Recovery.Restart, s.Recovery.Crash, s.Recovery.CatchUp)
		for _, e := range s.Exposure {
			add(s.Path, e.AtRisk.as("at risk when "+string(e.Failure)), e.Outage.as("without service when "+string(e.Failure)))
		}
		for _, c := range s.Consumers {
			add(c.Path, c.Arriving, c.Capacity, c.Utilisation, c.InFlight, c.BurstBacklog, c.BurstDrain, c.Disk.as("disk of a consumer"), c.Heap, c.Out, c.Acks)
		}
	}
	return out
}

// Prune returns z with the terms of at most depth levels below each figure. 0
// leaves the figures alone.
func (z DesignSize) Prune(depth int) DesignSize {
	prune := func(fs ...*Figure) {
		for _, f := range fs {
			*f = f.Prune(depth)
		}
	}
	z.Sites = append([]SiteSize(nil), z.Sites...)
	for i := range z.Sites {
		s := &z.Sites[i]
		c := ClusterSize{Nodes: s.Nodes, Ledger: s.Ledger, Bindings: s.Bindings, Disk: s.Disk, Heap: s.Heap}.Prune(depth)
		s.Nodes, s.Ledger, s.Bindings, s.Disk, s.Heap = c.Nodes, c.Ledger, c.Bindings, c.Disk, c.Heap
		s.Pods, s.Volumes = append([]Pod(nil), s.Pods...), append([]Volume(nil), s.Volumes...)
		s.Restarts, s.Growth = append([]Restart(nil), s.Restarts...), append([]Growth(nil), s.Growth...)
		for k := range s.Pods {
			p := &s.Pods[k]
			prune(&p.Memory, &p.GoMemLimit, &p.Volume, &p.MaxFileStore, &p.MaxMemoryStore,
				&s.Volumes[k].Usable, &s.Volumes[k].Advised, &s.Restarts[k].First, &s.Restarts[k].Again, &s.Growth[k].Full)
		}
	}
	z.Streams = append([]DesignStream(nil), z.Streams...)
	for i := range z.Streams {
		s := &z.Streams[i]
		s.Size = ClusterSize{Streams: []StreamSize{s.Size}}.Prune(depth).Streams[0]
		s.Arrivals, s.Exposure = append([]Arrival(nil), s.Arrivals...), append([]Exposure(nil), s.Exposure...)
		for k := range s.Arrivals {
			prune(&s.Arrivals[k].Rate, &s.Arrivals[k].Share, &s.Arrivals[k].Subjects)
		}
		for k := range s.Exposure {
			prune(&s.Exposure[k].AtRisk, &s.Exposure[k].Outage, &s.Exposure[k].Unanswered)
		}
		n := &s.Network
		n.PerConsumer = append([]Figure(nil), n.PerConsumer...)
		for k := range n.PerConsumer {
			prune(&n.PerConsumer[k])
		}
		prune(&n.In, &n.Acks, &n.Out, &n.Mirrors, &n.WorkerAcks, &n.Replication,
			&s.Recovery.Restart, &s.Recovery.Crash, &s.Recovery.CatchUp, &s.Recovery.DeleteRatio)
		s.Consumers = append([]DesignConsumer(nil), s.Consumers...)
		for k := range s.Consumers {
			c := &s.Consumers[k]
			prune(&c.Disk, &c.Allocated, &c.Heap, &c.Stacks, &c.Out, &c.Acks, &c.Arriving, &c.Share, &c.Capacity, &c.Utilisation, &c.InFlight,
				&c.AckCap.Rate, &c.AckCap.Needed, &c.BurstBacklog, &c.BurstDrain)
		}
	}
	return z
}
