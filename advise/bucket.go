package advise

import (
	"fmt"

	"weir/design"
	"weir/size"
)

// bucketNeeds is what a KV bucket or an object store has to carry. The faults that
// a design's goals name are those of its consumers' messages: how many replicas a
// bucket was given stands.
func (r *reader) bucketNeeds(sized *size.DesignStream) StreamNeeds {
	site := r.sized.Sites[sized.Site]
	return StreamNeeds{Name: sized.Name, Rate: sized.Input.Rate, Message: sized.Input.Message, Retention: size.Limits, Distinct: sized.Input.Subjects.Count,
		PerSubject: max(sized.Input.MaxMsgsPerSubject, 1), Nodes: len(site.Cluster.Servers), Zones: zonesOf(site), Caught: true}
}

// planBucket is the advice on the stream that a bucket becomes: what clients
// leave to whoever creates it.
func planBucket(s settings, n StreamNeeds, held size.Stream) *streamPlan {
	p := &streamPlan{settings: s, StreamNeeds: n}
	p.at = size.Stream{Name: n.Name, Storage: held.Storage, Message: n.Message, Rate: n.Rate}
	p.numReplicas()
	p.bucketBytes(held.Messages)
	return p
}

// bucketBytes holds what the bucket is said to hold, twice: a full bucket refuses
// puts, deletes among them (10077, measured).
func (p *streamPlan) bucketBytes(messages float64) {
	record, err := size.OfRecord(p.Message, p.at.Storage)
	if err != nil || messages <= 0 || p.Message.Payload <= 0 {
		p.missing = append(p.missing, fmt.Sprintf("how many entries %s holds and how large they are: without it max_bytes stays open", p.Name))
		return
	}
	const twice = 2
	need := messages * record.Reported.Value
	p.reserve(need, roomy(twice*need), messages, fmt.Sprintf("twice %s of %s: a full bucket refuses puts and deletes", size.Counted(messages, "message", "messages"), size.FormatBytes(record.Reported.Value)), record.Reported)
}

// bucket lists the advice on a bucket.
func (r *reader) bucket(b *design.Bucket, p *streamPlan) {
	kind := r.sized.Stream(b.Path).Kind
	r.take(Asset{Kind: kind, Name: b.Name, Path: b.Path, Says: fmt.Sprintf("%s, R%d", p.Name, max(p.at.Replicas, 1)), Settings: p.list}, p.relax, p.missing)
}
