package lint

import (
	"fmt"
	"slices"
	"strings"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU012",
	Name:     "replicas-share-a-zone",
	Severity: design.Warning,
	Title:    "So many replicas may stand in one zone that its loss stops the stream.",
	Why: "The server spreads replicas over servers and knows nothing of hosts, racks or zones unless jetstream.unique_tag names a tag that must differ " +
		"(server/jetstream_cluster.go selectPeerGroup, v2.15.2). Three replicas on one host are one machine that can fail.",
	Fix:   "Spread the servers over at least as many zones as there are replicas, and write unique_tag.",
	Refs:  []string{"server/jetstream_cluster.go selectPeerGroup", "nats-server #5876"},
	Check: func(f *Facts) { f.replicasInZones() },
})

func (f *Facts) replicasInZones() {
	said := map[string]bool{}
	f.AcceptedStreams(func(s *Stream) {
		server, r := s.Site.Server, s.Config.Replicas
		if host := oneMachine(server); host != "" && r >= 3 && len(server.Zones) == 0 && !said[server.Path] {
			said[server.Path] = true
			f.Report(design.Join(server.Path, "tags"), Said{Write: "give each server a machine and a tag of its own, and write unique_tag for that tag",
				What:   fmt.Sprintf("puts all %d servers on %s: %d of the %d replicas of stream %s are gone with it", server.Nodes, clip(host), r, r, clip(s.Name)),
				Figure: &Figure{"replicas on one machine", float64(r), "replicas", Computed}})
		}
		path := design.Join(server.Path, "zones")
		if r < 3 || len(server.Zones) == 0 || s.Site.Setting.UniqueTag != "" || said[path] {
			return
		}
		servers := map[string]int{}
		most := 0
		for i := range server.Nodes {
			z := server.Zones[i%len(server.Zones)]
			servers[z]++
			most = max(most, servers[z])
		}
		together := min(r, most)
		if r-together >= size.Quorum(r) {
			return
		}
		said[path] = true
		figure := &Figure{"replicas in one zone", float64(together), "replicas", Computed}
		what := fmt.Sprintf("puts %d of the %d replicas of stream %s in one zone: without it %d are left, and a majority is %d", together, r, clip(s.Name), r-together, size.Quorum(r))
		write := fmt.Sprintf("spread the servers over %d zones or more", r)
		if server.Nodes > r || len(servers) >= r {
			figure.Basis = Bound
			what = fmt.Sprintf("puts up to %d of the %d replicas of stream %s in one zone, as the server is not told to spread them: without it %d are left, and a majority is %d", together, r, clip(s.Name), r-together, size.Quorum(r))
			if len(servers) >= r { // else unique_tag would leave no place for it
				write = "write unique_tag: \"zone:\" under conf.jetstream"
			}
		}
		f.Report(path, Said{What: what, Write: write, Figure: figure})
	})
}

// machineTags are the keys of server tags that name a machine, which servers that are
// to survive each other's loss do not share.
var machineTags = []string{"host", "machine", "server", "node", "vm", "hypervisor", "rack"}

// oneMachine is the tag by which a design puts all servers of a cluster on one machine;
// "" without one.
func oneMachine(server design.Server) string {
	if server.Nodes < 2 {
		return ""
	}
	for _, tag := range server.Tags {
		if key, value, ok := strings.Cut(tag, ":"); ok && value != "" && slices.Contains(machineTags, strings.ToLower(key)) {
			return tag
		}
	}
	return ""
}
