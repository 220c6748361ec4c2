package prove

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Cluster is what the servers did while a workload ran: who was there, who led
// what, who was behind. It holds changes only, in the order of time.
type Cluster struct {
	Nodes []string `json:"nodes"`
	// Streams are those that were looked at, the first ones that are published to.
	Streams []string       `json:"streams"`
	Changes []ServerChange `json:"changes"`
	// From and To are when publishing began and when it ended, in ms since Started.
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// ServerChange is a moment at which something about the servers changed.
type ServerChange struct {
	AtMS int64 `json:"at_ms"` // since Started: when the look began that saw it
	// Kind is "down" or "up" of a node; "leads" of a node and a stream, with node ""
	// while nobody does; "behind" or "current" of a replica; "silent" when PubAcks
	// stopped to come, "acks" when they came again.
	Kind   string `json:"kind"`
	Node   string `json:"node,omitempty"`
	Stream string `json:"stream,omitempty"`
}

// The kinds of a ServerChange.
const (
	ChangeDown    = "down"
	ChangeUp      = "up"
	ChangeLeads   = "leads"
	ChangeBehind  = "behind"
	ChangeCurrent = "current"
	ChangeSilent  = "silent"
	ChangeAcks    = "acks"
)

// Limits of a clusterWatch.
const (
	watchEvery     = 250 * time.Millisecond
	watchedStreams = 6
	// watchWithin is how long a look waits for a stream that may have no leader.
	watchWithin = 400 * time.Millisecond
	maxChanges  = 500
	// quietAtLeast is how long no PubAck must come until that is told.
	quietAtLeast = 700 * time.Millisecond
)

// clusterWatch looks at the servers of a workload again and again.
type clusterWatch struct {
	w       *workload
	streams []*loadStream

	mu   sync.Mutex
	seen Cluster
	// last is what the last change of a kind said: by node, by stream, by both.
	last map[string]string

	at      int64 // when the look that is made began
	acked   int64
	ackedAt time.Time
}

func (w *workload) newWatch() *clusterWatch {
	c := &clusterWatch{w: w, last: map[string]string{}, ackedAt: time.Now()}
	c.seen.From, c.seen.Streams, c.seen.Changes = w.sinceStarted(), []string{}, []ServerChange{}
	for i := range w.r.host.Info().Nodes {
		c.seen.Nodes = append(c.seen.Nodes, nodeName(i))
	}
	for _, s := range w.streams {
		published := slices.ContainsFunc(w.publishers, func(p *loadPublisher) bool { return p.stream == s })
		if published && len(c.streams) < watchedStreams {
			c.streams = append(c.streams, s)
			c.seen.Streams = append(c.seen.Streams, s.Name)
		}
	}
	return c
}

// soFar is a copy of what was seen.
func (c *clusterWatch) soFar() Cluster {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.seen
	out.Changes = slices.Clone(c.seen.Changes)
	return out
}

// run looks until ctx ends.
func (c *clusterWatch) run(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	own := &links{h: c.w.r.host}
	defer own.close()
	for {
		c.at = c.w.sinceStarted()
		for i, name := range c.seen.Nodes {
			kind := ChangeDown
			if c.w.r.host.Running(i) {
				kind = ChangeUp
			}
			c.note(kind, name, "", name, kind)
		}
		c.lookAtAcks()
		for _, s := range c.streams {
			c.lookAt(ctx, own, s)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// note keeps a change, if it is one: value is what the thing that key names is now.
func (c *clusterWatch) note(kind, node, stream, key, value string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last[key] == value || len(c.seen.Changes) >= maxChanges {
		return
	}
	c.last[key] = value
	c.seen.Changes = append(c.seen.Changes, ServerChange{AtMS: c.at, Kind: kind, Node: node, Stream: stream})
}

// lookAt asks for a stream's leader and followers.
func (c *clusterWatch) lookAt(ctx context.Context, own *links, s *loadStream) {
	var info streamInfo
	session, err := own.as(ctx, c.w.r.user(s.scope))
	if err != nil {
		return
	}
	a, err := session.api(ctx, watchWithin, "STREAM.INFO."+s.Name, nil)
	if err != nil {
		return
	}
	if a.silent != "" || a.Error != nil || json.Unmarshal(a.body, &info) != nil {
		c.note(ChangeLeads, "", s.Name, "leader of "+s.Name, "nobody")
		return
	}
	leader := info.Cluster.Leader
	if leader == "" && len(c.seen.Nodes) == 1 {
		leader = c.seen.Nodes[0]
	}
	c.note(ChangeLeads, leader, s.Name, "leader of "+s.Name, leader)
	for _, r := range info.Cluster.Replicas {
		kind := ChangeBehind
		if r.Current && !r.Offline {
			kind = ChangeCurrent
		}
		c.note(kind, r.Name, s.Name, r.Name+" in "+s.Name, kind)
	}
	// A leader has what there is.
	c.note(ChangeCurrent, leader, s.Name, leader+" in "+s.Name, ChangeCurrent)
}

// lookAtAcks tells when no PubAck came for longer than the rate explains.
func (c *clusterWatch) lookAtAcks() {
	var acked int64
	rate := 0.0
	for _, p := range c.w.publishers {
		if p.Mode == "core" {
			continue
		}
		p.mu.Lock()
		acked += p.acked
		p.mu.Unlock()
		rate += p.rateNow()
	}
	switch quiet := time.Since(c.ackedAt); {
	case rate == 0:
	case acked > c.acked:
		c.acked, c.ackedAt = acked, time.Now()
		c.note(ChangeAcks, "", "", "acks", ChangeAcks)
	case quiet > max(quietAtLeast, time.Duration(10/rate*float64(time.Second))) && c.publishing():
		c.note(ChangeSilent, "", "", "acks", ChangeSilent)
	}
}

func (c *clusterWatch) publishing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.seen.To == 0
}

// published notes that publishing is over.
func (c *clusterWatch) published() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seen.To = c.w.sinceStarted()
}
