package advise

import (
	"fmt"

	"weir/design"
	"weir/size"
)

// storage is file: a memory store is lost with its processes and needs more than
// its accounted bytes.
func (p *streamPlan) storage() {
	text, api := word("file")
	set := Setting{Field: "storage", Advised: text, api: api, Source: "memstore.go and filestore.go, 2.15.2",
		Reason:   "messages outlive a restart of every server that has them",
		Rejected: []Rejected{{"memory", "R1 loses it with the process, R3 when all three stop at once; the heap it takes is larger than max_bytes says"}}}
	p.add(set, func(v design.Value) string {
		if v.Text == "memory" && (p.survives("restart") || p.survives("zone") || p.survives("node") && p.Replicas == 1) {
			return "memory is gone when its servers restart together, and the goals say that this must cost nothing"
		}
		return ""
	})
	if v, ok := p.written("storage"); ok && v.Text == "memory" {
		p.at.Storage = size.Memory
	}
}

// allowDirect lets every replica answer reads of single messages.
func (p *streamPlan) allowDirect() {
	if p.Copies {
		return
	}
	text, api := yes()
	p.add(Setting{Field: "allow_direct", Advised: text, api: api, Source: "stream.go, 2.15.2; ADR-31",
		Reason:   "reads of single messages are answered by any replica, not by the leader alone; a replica may be a moment behind",
		Rejected: []Rejected{{"false", "every read by sequence or of the last message of a subject passes the leader and its API queue"}}}, nil)
}

// compression is s2 where the payload is known to shrink.
func (p *streamPlan) compression() {
	if p.at.Storage == size.Memory {
		return
	}
	text, api := word("none")
	set := Setting{Field: "compression", State: Default, Advised: text, api: api, Source: "filestore.go, 2.15.2",
		Reason:   "whether the payload shrinks is not known: give compresses_to, or measure samples with weir size stream --sample",
		Rejected: []Rejected{{"s2", "costs processor time for payloads that are compressed already"}}}
	switch c := p.CompressesTo; {
	case c > 0 && c <= 0.8:
		set.State = Open
		set.Advised, set.api = word("s2")
		set.Reason = fmt.Sprintf("the payload shrinks to %s %% on disk; max_bytes goes on counting what was published", short(c*100))
		set.Rejected = []Rejected{{"none", fmt.Sprintf("%s times the disk", short(1/c))}}
	case c > 0.8:
		set.Reason = fmt.Sprintf("the payload shrinks to %s %% only", short(c*100))
	}
	p.add(set, nil)
	if v, ok := p.written("compression"); ok && v.Text == "s2" || !ok && set.Advised == "s2" {
		p.at.Compression = size.S2
	}
}
