package lint

import (
	"fmt"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU080",
	Name:     "even-replicas",
	Severity: design.Warning,
	Title:    "An even number of replicas survives no more losses than one less.",
	Why: "RAFT needs a majority: of two both, of four three (server/raft.go, v2.15.2; measured: R2 stops when one of its servers does). The further server only " +
		"adds a machine that can fail, and a copy to write.",
	Fix:   "Write num_replicas 3, or 1 where an outage of its server is accepted.",
	Refs:  []string{"server/raft.go"},
	Check: func(f *Facts) { f.AcceptedStreams(f.evenReplicas) },
})

func (f *Facts) evenReplicas(s *Stream) {
	r := s.Config.Replicas
	if r != 2 && r != 4 || r == 2 && f.toSurvive(s) != "" { // CLU017 says it of R2 where the goals ask for more
		return
	}
	// Three survive what four do. Two survive what one does, and which of the two is
	// meant depends on the servers that there are.
	write := "write num_replicas: 3"
	if servers := s.Site.Server.Nodes; r == 2 && f.Has(design.Join(s.Site.Server.Path, "nodes")) && servers < 3 {
		write = "write num_replicas: 1, or add servers until there are three"
	} else if r == 4 && servers >= 5 {
		write = "write num_replicas: 5, or 3"
	}
	f.Report(design.Join(s.Path, "num_replicas"), Said{What: fmt.Sprintf("needs %d of %d servers for a majority: it survives the loss of %d, as R%d does", size.Quorum(r), r, r-size.Quorum(r), r-1),
		Write: write, Figure: &Figure{"servers that may be lost", float64(r - size.Quorum(r)), "servers", Computed}})
}
