package advise

import (
	"fmt"

	"weir/design"
	"weir/size"
)

// writesTwo reports whether two replicas are written.
func (p *streamPlan) writesTwo() bool {
	v, ok := p.written("num_replicas")
	return ok && v.Int == 2
}

// numReplicas is 3 where there are three servers: a majority of two goes on when
// one is lost. Everything below has no majority to lose.
func (p *streamPlan) numReplicas() {
	n, reason := p.Replicas, "as asked"
	rejected := []Rejected{{"2", "its majority is both: it stops when either server does"}, {"5", "two thirds more disk and traffic, for the loss of two servers at once"}}
	switch {
	case n > 0:
	case p.Nodes == 0 && p.writesTwo():
		n, reason = 3, "two replicas are on two servers, and with a third one of them may be lost"
	case p.Nodes >= 3:
		n, reason = 3, "goes on when one server is lost: two of three are a majority"
		rejected = append([]Rejected{{"1", "the loss of its server is an outage, and of its disk the loss of the messages"}}, rejected...)
	default:
		n, reason = 1, fmt.Sprintf("%s: it takes three to go on when one is lost", size.Counted(max(p.Nodes, 1), "server", "servers"))
	}
	if n == 3 && p.Zones >= 3 {
		reason += "; where jetstream.unique_tag holds them in different zones, the loss of a zone as well"
	}
	if p.survives("node") && p.Nodes > 0 && p.Nodes < 3 {
		p.relax = append(p.relax, fmt.Sprintf("The loss of a node cannot be survived on %s: it takes three.", size.Counted(p.Nodes, "server", "servers")))
	}
	if p.survives("zone") && p.Nodes > 0 && p.Zones < 3 {
		p.relax = append(p.relax, fmt.Sprintf("The loss of a zone cannot be survived with servers in %s: it takes three.", size.Counted(p.Zones, "zone", "zones")))
	}
	text, api := count(int64(n))
	p.add(Setting{Field: "num_replicas", Advised: text, api: api, Reason: reason, Rejected: rejected,
		Source: "raft.go: a majority of the replicas, 2.15.2"}, func(v design.Value) string {
		switch {
		case p.Nodes > 0 && v.Int > int64(p.Nodes):
			return fmt.Sprintf("%d replicas need as many servers, and there are %d", v.Int, p.Nodes)
		case v.Int == 2 || v.Int == 4:
			return fmt.Sprintf("R%d needs %d of %d for a majority: it survives no more losses than R%d and has one more server that can fail", v.Int, size.Quorum(int(v.Int)), v.Int, v.Int-1)
		case v.Int == 1 && !p.Copies && (p.survives("node") || p.survives("zone")):
			return "R1 is on one server, and the goals say that the loss of one must cost nothing"
		}
		return ""
	})
	p.at.Replicas = n
	if v, ok := p.written("num_replicas"); ok && v.Int > 0 {
		p.at.Replicas = int(v.Int)
	}
}
