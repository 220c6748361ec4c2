package size

import (
	"fmt"
	"sort"
	"strings"
)

// Server is one nats-server with JetStream, by its limits and hardware. Sizes
// are in bytes; 0 is unknown or not set, unless said otherwise.
type Server struct {
	Name string
	// Zone is where it stands: what fails together. It counts for placement only
	// through a tag (Tags, Cluster.UniqueTag).
	Zone string
	Tags []string
	// Memory is what the process may use: the container's limit, or the machine's.
	Memory int64
	// Disk is the volume that holds store_dir, DiskUsed what lies on it besides
	// JetStream.
	Disk, DiskUsed int64
	// MaxFileStore and MaxMemoryStore are jetstream.max_file_store and
	// max_memory_store; 0 lets the server choose 75 %.
	MaxFileStore, MaxMemoryStore int64
	// GoMemLimit is GOMEMLIMIT; 0 is not set.
	GoMemLimit int64
	// MaxHAAssets is limits.max_ha_assets; 0 is unlimited.
	MaxHAAssets int64
	// Network is what its interface carries, in bytes a second each way; 0 is
	// unknown.
	Network float64
}

// Placement is where the replicas of one stream stand.
type Placement struct {
	Stream string `json:"stream"`
	// Servers are indexes into Cluster.Servers, the leader first.
	Servers []int `json:"servers"`
	// Refused says why the stream cannot be placed; "" when it is.
	Refused string `json:"refused,omitempty"`
}

// placer is the state of placement: what every server has been given.
type placer struct {
	c        Cluster
	reserved [2][]float64 // file, memory
	assets   []int        // HA assets
	streams  []int
	leaders  []int
}

func newPlacer(c Cluster) *placer {
	n := len(c.Servers)
	return &placer{c: c, reserved: [2][]float64{make([]float64, n), make([]float64, n)},
		assets: make([]int, n), streams: make([]int, n), leaders: make([]int, n)}
}

func storeIndex(s Storage) int {
	if s == Memory {
		return 1
	}
	return 0
}

// place chooses the servers of a stream by the server's rules
// (server/jetstream_cluster.go:selectPeerGroup, v2.15.2): tags, room for
// max_bytes, max_ha_assets, one server per value of the unique tag; then those
// with most room, or for several replicas those with fewest HA assets. Where the
// server draws lots, the order of Cluster.Servers stands in, turned by one with
// every stream: one of the placements that can happen.
func (p *placer) place(s Stream, turn int) Placement {
	out := Placement{Stream: s.Name}
	kind := storeIndex(s.storage())
	var peers []int
	unique := map[string]bool{}
	var why []string
	refuse := func(i int, reason string) { why = append(why, fmt.Sprintf("%s: %s", p.c.Servers[i].Name, reason)) }
	for n := range p.c.Servers {
		i := (n + turn) % len(p.c.Servers)
		server := p.c.Servers[i]
		room := p.limit(i, s.storage()) - p.reserved[kind][i]
		switch tag, ok := p.uniqueTag(server, s); {
		case !tagged(server, s.Tags):
			refuse(i, "tags")
		case s.MaxBytes > 0 && float64(s.MaxBytes) > room:
			refuse(i, fmt.Sprintf("max_bytes %s is more than the %s of %s storage left to reserve",
				FormatBytes(float64(s.MaxBytes)), FormatBytes(max(room, 0)), s.storage()))
		case s.MaxBytes <= 0 && len(p.c.Servers) == 1 && room < 1:
			// A single server takes a stream without max_bytes for one byte
			// (server/jetstream.go:checkBytesLimits).
			refuse(i, fmt.Sprintf("nothing of %s storage is left to reserve", s.storage()))
		case s.replicas() > 1 && server.MaxHAAssets > 0 && int64(p.assets[i]) >= server.MaxHAAssets:
			// The stream is one; consumers beyond the limit are refused when they come.
			refuse(i, "max_ha_assets")
		case !ok || tag != "" && unique[tag]:
			refuse(i, "unique_tag")
		default:
			unique[tag] = tag != ""
			peers = append(peers, i)
		}
	}
	if len(peers) < s.replicas() {
		out.Refused = fmt.Sprintf("%s %s, %d can take it (%s)", Counted(s.replicas(), "replica needs", "replicas need"), Counted(s.replicas(), "server", "servers"), len(peers), strings.Join(why, "; "))
		return out
	}
	p.order(peers, s)
	out.Servers = p.lead(peers[:s.replicas()])
	for _, i := range out.Servers {
		p.reserved[kind][i] += max(float64(s.MaxBytes), 0)
		p.streams[i]++
		if s.replicas() > 1 {
			p.assets[i] += s.replicated() + 1
		}
	}
	return out
}

// order sorts candidates as the server does.
func (p *placer) order(peers []int, s Stream) {
	kind := storeIndex(s.storage())
	sort.SliceStable(peers, func(a, b int) bool {
		i, j := peers[a], peers[b]
		left, right := p.limit(i, s.storage())-p.reserved[kind][i], p.limit(j, s.storage())-p.reserved[kind][j]
		if left != right {
			return left > right
		}
		return p.streams[i] < p.streams[j]
	})
	if s.replicas() > 1 {
		sort.SliceStable(peers, func(a, b int) bool { return p.assets[peers[a]] < p.assets[peers[b]] })
	}
}

// lead puts the server with the fewest leaders first. The server draws lots among
// replicas; over many streams that comes to the same.
func (p *placer) lead(servers []int) []int {
	best := 0
	for n, i := range servers {
		if p.leaders[i] < p.leaders[servers[best]] {
			best = n
		}
	}
	out := append([]int{servers[best]}, servers[:best]...)
	out = append(out, servers[best+1:]...)
	p.leaders[out[0]]++
	return out
}

// limit is what a server lets streams reserve.
func (p *placer) limit(i int, s Storage) float64 {
	if s == Memory {
		return memoryLimit(p.c.Servers[i]).Value
	}
	return fileLimit(p.c.Servers[i]).Value
}

// uniqueTag is the server's tag that must differ between replicas; ok is false
// when the cluster wants one and the server has none. A stream that names such a
// tag itself is free of the rule.
func (p *placer) uniqueTag(server Server, s Stream) (string, bool) {
	prefix := p.c.UniqueTag
	if prefix == "" {
		return "", true
	}
	for _, t := range s.Tags {
		if strings.HasPrefix(strings.TrimPrefix(t, "!"), prefix) {
			return "", true
		}
	}
	for _, t := range server.Tags {
		if strings.HasPrefix(t, prefix) {
			return t, true
		}
	}
	return "", false
}

// tagged reports whether a server has the tags that a stream wants, and none
// that it excludes.
func tagged(server Server, want []string) bool {
	for _, t := range want {
		tag, exclude := strings.CutPrefix(t, "!")
		has := false
		for _, have := range server.Tags {
			has = has || strings.EqualFold(have, tag)
		}
		if has == exclude {
			return false
		}
	}
	return true
}
