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
	if r != 2 && r != 4 {
		return
	}
	f.Report(design.Join(s.Path, "num_replicas"), Said{What: fmt.Sprintf("needs %d of %d servers for a majority: it survives the loss of %d, as R%d does", size.Quorum(r), r, r-size.Quorum(r), r-1),
		Write: fmt.Sprintf("write num_replicas: %d", r+1), Figure: &Figure{"servers that may be lost", float64(r - size.Quorum(r)), "servers", Computed}})
}
