package sim

import "slices"

// loseNodes takes nodes of the cluster down, and with them replicas of streams.
//
// Models: the replicas of a stream are on as many nodes in a row, the first of
// them by the stream's place in the workload; a leader that is lost costs an
// election (or hands over, in a graceful restart) and another replica leads; a
// follower that is lost costs nothing. Below a majority there is no leader: a
// publish gets no answer at all and times out, consumers deliver nothing, until
// enough nodes are back and have elected. With one replica the stream is away
// as long as its node is: no responders. A server alone is a node like that,
// whose clients lose their connection as well.
// Ignores: where a server would place replicas; leaders of consumers apart from
// their stream's; the meta group; what is written by one leader and lost by the
// next.
// Source: measured on three nodes of nats-server v2.15.2 (one of three down:
// publishes go on; two of three: client time-outs and no error, also 13 s
// later); raft.go election time-outs.
func (r *run) loseNodes(f *Fault) {
	lost := f.Nodes
	if len(lost) == 0 {
		lost = []int{1 + r.pick(r.chance, len(r.nodes))}
	}
	until := addTime(r.k.now, int64(f.For))
	for _, n := range lost {
		if n >= 1 && n <= len(r.nodes) {
			r.nodes[n-1] = max(r.nodes[n-1], until)
		}
	}
	for _, s := range r.streams {
		if s.hit(f) {
			s.loseNodes(f, lost)
		}
	}
}

// hit says whether a fault of servers is about the stream.
func (s *stream) hit(f *Fault) bool {
	return s.cfg.Name == f.Stream || f.Stream == "" && !s.cfg.Apart
}

// replicas is how many of the cluster's nodes hold the stream.
func (s *stream) replicas() int { return max(1, min(s.cfg.Replicas, len(s.r.nodes))) }

// node is the number from 1 of the node that holds a replica.
func (s *stream) node(replica int) int { return 1 + (int(s.index)+replica)%len(s.r.nodes) }

func (s *stream) loseNodes(f *Fault, lost []int) {
	now, n := s.r.k.now, s.replicas()
	if n == 1 {
		s.loseOnly(f, lost)
		return
	}
	var back []int64 // when the replicas that are down are back
	for i := range n {
		if at := s.r.nodes[s.node(i)-1]; at > now {
			back = append(back, at)
		}
	}
	slices.Sort(back)
	if quorum := n/2 + 1; n-len(back) < quorum {
		again := back[len(back)-(n-quorum)-1]
		s.fail(noQuorum, addTime(again, s.election()))
		return
	}
	if !slices.Contains(lost, s.node(s.leader)) {
		return
	}
	for s.r.nodes[s.node(s.leader)-1] > now {
		s.leader = (s.leader + 1) % n
	}
	if f.Kind == FaultRestartNode {
		s.fail(handOver, now+stopTime)
		return
	}
	s.fail(noLeader, now+s.election())
}

// loseOnly is the loss of the only replica.
func (s *stream) loseOnly(f *Fault, lost []int) {
	if !slices.Contains(lost, s.node(0)) {
		return
	}
	alone := len(s.r.nodes) == 1
	if alone && f.Kind == FaultRestartNode {
		s.shutdown(s.r.k.now, int64(f.For))
		return
	}
	why := noNode
	if alone {
		why = noServer
	}
	s.fail(why, addTime(s.r.k.now, int64(f.For)))
	if f.Kind == FaultKillNode {
		s.setBack()
	}
}
