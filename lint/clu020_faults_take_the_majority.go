package lint

import (
	"fmt"
	"math"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

var _ = rule(Rule{
	Code:     "CLU020",
	Name:     "faults-take-the-majority",
	Severity: design.Warning,
	Title:    "More servers are down at a time than the replicas of a stream can spare.",
	Why: "The majority that counts is that of the stream's own replicas: two of three, whatever the size of the cluster (server/raft.go, v2.15.2; measured: with two of three down a " +
		"publish gets no answer). Servers restarted together may be just those.",
	Fix:   "Restart one server at a time and wait for its healthz, or write num_replicas: 5.",
	Refs:  []string{"server/raft.go", "nats-server #2737", "nats-server #3642"},
	Proof: "two-of-three-down",
	Check: func(f *Facts) { f.faultsAgainstQuorum() },
})

// restartLasts is how long a server that is restarted counts as down, where the
// scenario does not say.
const restartLasts = time.Minute

func (f *Facts) faultsAgainstQuorum() {
	var worst *Stream
	f.AcceptedStreams(func(s *Stream) {
		if s.Scope.Leafnode == "" && s.Config.Replicas > 1 && (worst == nil || spare(s.Config.Replicas) < spare(worst.Config.Replicas)) {
			worst = s
		}
	})
	if worst == nil {
		return
	}
	r, nodes := worst.Config.Replicas, max(f.Server.Nodes, worst.Config.Replicas)
	for _, scenario := range f.Scenarios {
		down, at := mostDown(scenario.Events)
		if down < 2 || down <= spare(r) {
			continue
		}
		share := shareWithout(nodes, r, min(down, nodes))
		f.Report(at, Said{What: fmt.Sprintf("takes %d of %d servers at a time: a stream such as %s with %d replicas needs %d of its own %d, and has lost them in %s of the placements",
			down, nodes, clip(worst.Name), r, size.Quorum(r), r, percent(share)), Write: "restart one at a time, or write num_replicas: 5", Figure: &Figure{"placements without a majority", share, "share", Computed}})
	}
}

// spare is how many replicas may be down.
func spare(r int) int { return r - size.Quorum(r) }

// mostDown is the most nodes that are down at a time, and the event that makes it
// so many.
func mostDown(events []design.Event) (most int, at string) {
	for _, e := range events {
		names := map[string]bool{}
		for i, other := range events {
			lasts := other.For
			if other.Do == "restart" && lasts == 0 {
				lasts = restartLasts
			}
			which := other.Target
			if which == "node" {
				which = fmt.Sprintf("node of event %d", i+1) // any node, each time another
			}
			takes := (other.Do == "kill" || other.Do == "restart" || other.Do == "partition") && strings.HasPrefix(which, "node ")
			if takes && other.At <= e.At && (lasts == 0 || e.At < other.At+lasts) {
				names[which] = true
			}
		}
		if len(names) > most {
			most, at = len(names), e.Path
		}
	}
	return most, at
}

// shareWithout is the share of the ways to place r replicas on nodes servers in
// which the loss of down of them leaves no majority.
func shareWithout(nodes, r, down int) float64 {
	share := 0.0
	for hit := spare(r) + 1; hit <= min(r, down); hit++ {
		share += math.Exp(choose(down, hit) + choose(nodes-down, r-hit) - choose(nodes, r))
	}
	return share
}

// choose is the logarithm of the number of ways to take k of n.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	out := 0.0
	for i := range k {
		out += math.Log(float64(n-i)) - math.Log(float64(i+1))
	}
	return out
}
