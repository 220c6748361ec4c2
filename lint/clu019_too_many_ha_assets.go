package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU019",
	Name:     "too-many-ha-assets",
	Severity: design.Warning,
	Title:    "A server carries more RAFT groups than it is advised to.",
	Why: "Each stream with replicas is a RAFT group with a heartbeat a second, and so is each of its consumers. The usual advice is 1,000 to 2,000 of these HA assets a server; " +
		"beyond, leader changes and restarts take minutes (server/raft.go, v2.15.2; nats-server #8350).",
	Fix:   "Fold many streams into few with many subjects, share consumers among workers, and write num_replicas: 1 for what may be lost.",
	Refs:  []string{"server/raft.go", "nats-server #8350", "nats-server #5609"},
	Check: func(f *Facts) { f.haAssets() },
})

func (f *Facts) haAssets() {
	type load struct{ replicas, streams, consumers, nodes int }
	servers := map[string]*load{}
	var order []string
	f.AcceptedStreams(func(s *Stream) {
		path := s.Site.Server.Path
		l := servers[path]
		if l == nil {
			l = &load{nodes: len(s.Site.Setting.Nodes)}
			servers[path] = l
			order = append(order, path)
		}
		r := s.Config.Replicas
		room := design.Join(s.Path, "max_consumers")
		if most := s.Config.MaxConsumers; r > 1 && most > size.AdvisedHAAssets && f.Has(room) {
			f.Report(room, Said{What: fmt.Sprintf("lets up to %s consumers be made, each a RAFT group on %d servers; advised are at most %s HA assets a server", size.FormatCount(float64(most)), r, size.FormatCount(size.AdvisedHAAssets)),
				Write: "share consumers, read with direct gets or ordered consumers, or give consumers num_replicas: 1", Figure: &Figure{"HA assets of a server", float64(most), "HA assets", Bound}})
		}
		if r > 1 {
			l.streams++
			l.replicas += r
		}
		for _, c := range s.Consumers {
			own := c.Config.Replicas
			if own == 0 {
				own = r
			}
			if c.Accepted && own > 1 {
				l.consumers++
				l.replicas += own
			}
		}
	})
	for _, path := range order {
		l := servers[path]
		each := l.replicas / max(l.nodes, 1)
		if each <= size.AdvisedHAAssets {
			continue
		}
		f.Report(design.Join(path, "nodes"), Said{Value: fmt.Sprint(l.nodes), What: fmt.Sprintf("carries %d HA assets on each server, of %s and %s with replicas; advised are at most %d", each,
			counted(l.streams, "stream"), counted(l.consumers, "consumer"), size.AdvisedHAAssets),
			Write: "fold streams together, share consumers, or write num_replicas: 1", Figure: &Figure{"HA assets of a server", float64(each), "HA assets", Computed}})
	}
}
