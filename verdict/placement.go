package verdict

import (
	"slices"
	"sort"
	"strings"
)

// checkPlacement removes an empty placement and refuses a preferred server
// (server/stream.go, checkStreamCfg, since 2.11).
func (j *judge) checkPlacement(c *streamConfig) *refusal {
	p := c.Placement
	if p == nil || !j.atLeast(v211) {
		return nil
	}
	if p.Cluster == "" && p.Tags == nil && p.Preferred == "" {
		c.Placement = nil
		return nil
	}
	if p.Preferred != "" {
		return j.invalidConfig("placement.preferred", "preferred server not permitted in placement")
	}
	return nil
}

// peerChoice is whether the meta leader finds servers for a stream.
type peerChoice struct {
	refusal *refusal
	// timing says that the refusal holds once the servers have told each other
	// what is reserved, and not before.
	timing bool
}

// checkPeers is selectPeerGroup (server/jetstream_cluster.go): are there enough
// servers beside the existing ones that fit a stream's placement and max_bytes?
func (j *judge) checkPeers(c *streamConfig, existing []int) peerChoice {
	need := c.Replicas - len(existing)
	settled, found := j.peers(c, existing, false)
	if found >= need {
		return peerChoice{}
	}
	r := j.refuse(10005, placementPath(c), settled.text())
	if _, found := j.peers(c, existing, true); found >= need {
		r.path = "max_bytes"
		return peerChoice{refusal: r, timing: true}
	}
	return peerChoice{refusal: r}
}

func placementPath(c *streamConfig) string {
	if c.Placement != nil {
		return "placement"
	}
	if c.MaxBytes > 0 {
		return "max_bytes"
	}
	return "num_replicas"
}

// becausePace says why a cluster may accept what is over its storage (measured
// on 2.12.15 and 2.15.2 with creates back to back and 14 s apart).
const becausePace = "the servers have not told each other yet what the streams created just before reserve"

// decide gives the answer where it depends on the pace of creation. Since 2.12
// the meta leader alone decides, by what the servers told it last; before that
// the servers refuse what it let through.
func (p peerChoice) decide(j *judge, accepted Answer) Answer {
	if !p.timing {
		return accepted
	}
	a := p.refusal.answer()
	if j.has(metaReserves) {
		accepted.Because = becausePace
		a.Alternatives = []Answer{accepted}
		return a
	}
	a.Because = "the servers have told each other what is reserved"
	now := j.refuse(10047, "max_bytes").answer()
	if accepted.storage() == "memory" {
		now = j.refuse(10028, "max_bytes").answer()
	}
	now.Alternatives = []Answer{a}
	return now
}

// storage is the kind of storage in the echo of an accepted stream.
func (a Answer) storage() string {
	raw := members(a.Config)["storage"]
	if len(raw) == 0 {
		return ""
	}
	return unquote(raw)
}

// peerFaults are the reasons why servers were passed over (selectPeerError).
type peerFaults struct {
	noStorage, uniqueTag bool
	missing, excluded    map[string]bool
}

func (f peerFaults) text() string {
	var b strings.Builder
	b.WriteString("no suitable peers for placement")
	if f.noStorage {
		b.WriteString(", insufficient storage")
	}
	if f.uniqueTag {
		b.WriteString(", server tag not unique")
	}
	for _, list := range []struct {
		title string
		tags  map[string]bool
	}{{"tags not matched", f.missing}, {"tags excluded", f.excluded}} {
		if len(list.tags) == 0 {
			continue
		}
		names := make([]string, 0, len(list.tags))
		for tag := range list.tags {
			names = append(names, "'"+tag+"'")
		}
		sort.Strings(names) // the server writes them in the order of a map
		b.WriteString(", " + list.title + " [" + strings.Join(names, ", ") + "]")
	}
	return b.String()
}

// peers counts the servers that fit; fresh leaves out what other streams
// reserve.
func (j *judge) peers(c *streamConfig, existing []int, fresh bool) (peerFaults, int) {
	f := peerFaults{missing: map[string]bool{}, excluded: map[string]bool{}}
	p := c.Placement
	found := 0
	var stores []store
	if c.MaxBytes > 0 {
		stores = j.nodeStores(c.Storage)
	}
	unique := map[string]bool{}
	for i := range j.Nodes {
		if !j.inCluster(i, p) || slices.Contains(existing, i) || !j.tagsFit(i, p, &f) {
			continue
		}
		if c.MaxBytes > 0 {
			room := stores[i].limit - stores[i].reserved
			if fresh {
				room = stores[i].limit
			}
			if c.Storage == "any" { // of which no server has any
				room = 0
			}
			if c.MaxBytes > room {
				f.noStorage = true
				continue
			}
		}
		if !j.tagUnique(i, p, unique) {
			f.uniqueTag = true
			continue
		}
		found++
	}
	return f, found
}

// inCluster reports whether a server is in the cluster that a placement names, or
// else in the one that the client is connected to.
func (s *Setting) inCluster(i int, p *placement) bool {
	at, want := s.Nodes[i].Cluster, s.Cluster
	if at == "" {
		at = s.Cluster
	}
	if p != nil && p.Cluster != "" {
		want = p.Cluster
	}
	return at == want
}

// tagsFit looks at the tags that a placement demands or, since 2.12 with "!",
// excludes.
func (s *Setting) tagsFit(i int, p *placement, f *peerFaults) bool {
	if p == nil {
		return true
	}
	for _, t := range p.Tags {
		tag, exclude := strings.CutPrefix(t, "!")
		if exclude && !s.Version.AtLeast(v212) {
			tag, exclude = t, false
		}
		has := hasTag(s.Nodes[i].Tags, tag)
		if exclude && has {
			f.excluded[tag] = true
			return false
		}
		if !exclude && !has {
			f.missing[tag] = true
			return false
		}
	}
	return true
}

// hasTag compares as jwt's TagList.Contains does: case and outer spaces do not
// count.
func hasTag(tags []string, tag string) bool {
	tag = strings.ToLower(strings.TrimSpace(tag))
	for _, t := range tags {
		if strings.ToLower(strings.TrimSpace(t)) == tag {
			return true
		}
	}
	return false
}

// tagUnique holds replicas apart by the server's unique_tag, unless the
// placement names a tag with that prefix itself.
func (s *Setting) tagUnique(i int, p *placement, seen map[string]bool) bool {
	if s.UniqueTag == "" {
		return true
	}
	if p != nil {
		for _, t := range p.Tags {
			if strings.HasPrefix(strings.TrimPrefix(t, "!"), s.UniqueTag) {
				return true
			}
		}
	}
	for _, t := range s.Nodes[i].Tags {
		if strings.HasPrefix(t, s.UniqueTag) {
			free := !seen[t]
			seen[t] = true
			return free
		}
	}
	return false
}

// place picks the servers for a stream as a cluster at rest would: those with
// most room, then with fewest streams. A stream keeps the servers it has.
func (s *Setting) place(c *streamConfig, had []int) []int {
	if !s.clustered() {
		return nil
	}
	if len(had) >= c.Replicas {
		return had[:c.Replicas]
	}
	count := slices.Clone(s.holds().replicas)
	for _, i := range had {
		count[i]-- // its own
	}
	room := make([]int64, len(s.Nodes))
	var free []int
	var ignored peerFaults
	ignored.missing, ignored.excluded = map[string]bool{}, map[string]bool{}
	for i, node := range s.nodeStores(c.Storage) {
		room[i] = node.limit - node.reserved
		if s.inCluster(i, c.Placement) && !slices.Contains(had, i) && s.tagsFit(i, c.Placement, &ignored) {
			free = append(free, i)
		}
	}
	sort.SliceStable(free, func(a, b int) bool {
		x, y := free[a], free[b]
		if room[x] != room[y] {
			return room[x] > room[y]
		}
		return count[x] < count[y]
	})
	need := c.Replicas - len(had)
	return append(slices.Clone(had), free[:min(need, len(free))]...)
}
