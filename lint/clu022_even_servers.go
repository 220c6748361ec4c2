package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU022",
	Name:     "even-servers",
	Severity: design.Warning,
	Title:    "An even number of servers makes JetStream no safer than one server less.",
	Why: "All JetStream servers of a cluster share one RAFT group for what streams and consumers there are. Two servers need both: when one is away nothing can be created, changed or elected " +
		"(server/jetstream_cluster.go, server/raft.go, v2.15.2; measured: 503/10008).",
	Fix:   "Write an odd number of servers: 3 or 5, or 1.",
	Refs:  []string{"server/jetstream_cluster.go", "server/raft.go", "err_code 10008"},
	Proof: "api-without-majority",
	Check: func(f *Facts) { f.evenServers() },
})

func (f *Facts) evenServers() {
	if len(f.Clusters) > 0 {
		return // the group spans all clusters
	}
	for _, s := range f.everyServer() {
		n := s.Nodes
		if n < 2 || n%2 == 1 || len(f.Streams) == 0 {
			continue
		}
		lost := n - size.Quorum(n)
		said := Said{What: fmt.Sprintf("need %d for a majority: JetStream survives the loss of %d, as with %d", size.Quorum(n), lost, n-1), Write: fmt.Sprintf("write nodes: %d", n+1), Figure: &Figure{"servers that may be lost", float64(lost), "servers", Computed}}
		if n > 2 {
			said.Severity = design.Info
		}
		f.Report(design.Join(s.Path, "nodes"), said)
	}
}
