package size

import (
	"github.com/nats-io/jsm.go/api"

	"weir/design"
	"weir/subject"
)

// streams makes a Stream of every stream of the design, with what arrives.
func (b *designReader) streams() {
	b.out.Streams = make([]DesignStream, 0, len(b.held)) // they are large
	for _, h := range b.held {
		s := b.configured(h)
		if h.bucket != nil {
			b.fillBucket(&s, h)
		}
		b.fillArrivals(&s, h)
		out := DesignStream{Kind: h.kind, Name: h.name, Path: h.path, Account: h.scope.Account, Site: h.site}
		for _, a := range h.arrived {
			out.Arrivals = append(out.Arrivals, a.arrival())
		}
		if h.stream != nil {
			out.Consumers = make([]DesignConsumer, 0, len(h.stream.Consumers))
			for _, c := range h.stream.Consumers {
				s.Consumers = append(s.Consumers, b.consumer(h, c, &out))
			}
			b.behind(&s, &out)
		}
		site := &b.out.Sites[h.site].Cluster
		out.At, out.Input = len(site.Streams), s
		site.Streams = append(site.Streams, s)
		b.out.Streams = append(b.out.Streams, out)
	}
}

// configured is a stream's configuration as size has it.
func (b *designReader) configured(h *heldStream) Stream {
	c := h.config
	s := Stream{Name: h.name, Account: h.scope.Account, Replicas: clampReplicas(c.Replicas), Mirrors: h.copies,
		MaxMsgs: atLeast(c.MaxMsgs), MaxBytes: atLeast(c.MaxBytes), MaxMsgsPerSubject: atLeast(c.MaxMsgsPer), MaxMsgSize: atLeast(int64(c.MaxMsgSize)),
		MaxAge: max(c.MaxAge, 0), DuplicateWindow: max(c.Duplicates, 0), DiscardNew: c.Discard == api.DiscardNew,
		Source: c.Mirror != nil || len(c.Sources) > 0}
	s.Storage = File
	if c.Storage == api.MemoryStorage {
		s.Storage = Memory
	}
	switch c.Retention {
	case api.InterestPolicy:
		s.Retention = Interest
	case api.WorkQueuePolicy:
		s.Retention = WorkQueue
	}
	if c.Compression == api.S2Compression {
		s.Compression = S2
	}
	if c.Placement != nil {
		s.Tags = c.Placement.Tags
	}
	s.Cipher = b.cipher(b.server(h.site))
	for _, pattern := range c.Subjects {
		if subject.IsLiteral(pattern) {
			s.LiteralSubject = max(s.LiteralSubject, len(pattern))
		}
	}
	return s
}

// server is the design's description of a site's servers.
func (b *designReader) server(site int) design.Server {
	for _, l := range b.d.Leafnodes {
		if b.leaves[l.Name] == site && site != b.hub {
			return l.Server
		}
	}
	for _, c := range b.d.Clusters {
		if b.clusters[c.Name] == site && site != b.hub {
			return c.Server
		}
	}
	return b.d.Server
}

func atLeast(v int64) int64 { return max(v, -1) }

func clampReplicas(r int) int { return min(max(r, 0), 5) }

// keyLength and nameLength stand in for lengths that a design does not give.
const (
	keyLength  = 16
	nameLength = 32
)

// fillBucket adds what a KV bucket or object store holds.
func (b *designReader) fillBucket(s *Stream, h *heldStream) {
	k, c := h.bucket, h.config
	var of Stream
	if h.kind == "kv" {
		of = Bucket{Name: k.Name, Keys: clamp(float64(k.Keys)), Key: keyLength, Value: clamp(k.Value.MeanValue()), History: c.MaxMsgsPer, TTL: max(c.MaxAge, 0), Writes: clamp(k.Writes)}.Stream()
		b.note(h.path, "keys are taken to be %d bytes long", keyLength)
	} else {
		of = ObjectStore{Name: k.Name, Objects: clamp(float64(k.Keys)), Size: clamp(k.Value.MeanValue()), NameLength: nameLength, Chunk: float64(max(k.Chunk, 0)), Writes: clamp(k.Writes)}.Stream()
		b.note(h.path, "names of objects are taken to be %d bytes long", nameLength)
	}
	if k.Keys == 0 {
		b.note(h.path, "how many entries the bucket holds is not given: it is sized by its writes and limits")
	}
	s.Message, s.Subjects, s.Rate, s.Messages = of.Message, of.Subjects, of.Rate, of.Messages
	s.Message.Payload, s.Messages = clamp(s.Message.Payload), clamp(s.Messages)
	if s.Message.Payload == 0 {
		s.Message = Message{Subject: float64(len("$KV..")+len(k.Name)) + keyLength, Payload: clamp(k.Value.MeanValue())}
	}
	s.S2Ratio = b.ratio(h, s.Compression, k.CompressesTo)
	for i := 0; i < min(k.Watchers, mostWatchers); i++ {
		s.Consumers = append(s.Consumers, Consumer{Name: "watcher", Replicas: 1, Memory: true, AckNone: true, Push: true})
	}
	if k.Watchers > mostWatchers {
		b.note(h.path+".watchers", "%s watchers are more than are sized: %s are", FormatCount(float64(k.Watchers)), FormatCount(mostWatchers))
	}
}

// mostWatchers bounds the consumers that watchers of one bucket become.
const mostWatchers = 10_000

// ratio is the S2 ratio of a stream: measured, or what the design says of the
// payload, which is taken for the whole record.
func (b *designReader) ratio(h *heldStream, c Compression, compressesTo float64) float64 {
	if c != S2 {
		return 0
	}
	if v, ok := b.o.S2Ratios[h.path]; ok {
		return v
	}
	if compressesTo > 0 && compressesTo < 1 {
		return compressesTo
	}
	b.note(h.path+".compression", "nothing says how far its messages compress: they are sized uncompressed; give compresses_to, or samples")
	return 0
}

// fillArrivals adds rate, mean message and subjects of what arrives to those that
// a bucket has of itself.
func (b *designReader) fillArrivals(s *Stream, h *heldStream) {
	if len(h.arrived) == 0 {
		if h.bucket == nil && !b.asObserved(s, h) {
			s.Empty = true
			b.note(h.path, "no publisher of the design reaches this stream: it is sized as empty")
		}
		return
	}
	var m mixture
	if avg := s.Rate.Average(); h.bucket != nil && avg > 0 {
		m.add(avg, s.Message, 1)
	}
	for _, a := range h.arrived {
		r := a.rateOf()
		m.add(r.Average(), Message{Subject: a.subjectLength(), Header: a.headerBlock(), Payload: a.payload, ID: a.id}, a.compresses)
		s.Rate.Hours = addHours(s.Rate.Hours, s.Rate.Mean, a.flow)
		s.Rate.Mean += a.rate
	}
	for _, a := range h.arrived {
		for _, burst := range a.bursts {
			burst.Rate = max(s.Rate.Mean+burst.Rate-a.rate, 0)
			s.Rate.Bursts = append(s.Rate.Bursts, burst)
		}
	}
	if h.bucket == nil || s.Messages == 0 {
		s.Message = m.mean()
		s.S2Ratio = b.ratio(h, s.Compression, m.compressesTo())
		s.Subjects = b.subjectSet(h)
	}
	if m.ids > 0 && m.ids < m.weight {
		b.note(h.path, "only %s of its messages carry an id: the dedup table is sized as if all did", Share.Format(m.ids/m.weight))
	}
}

// asObserved takes what a stream held when its info was made, where nothing says what
// is published into it: so many messages, as large as they were on average. false
// without such a state.
func (b *designReader) asObserved(s *Stream, h *heldStream) bool {
	state := func(key string) float64 {
		n, _ := b.d.Observed(h.path, "state", key)
		return float64(max(n, 0))
	}
	messages, bytes := state("messages"), state("bytes")
	fixed := float64(fileRecordFixed)
	if s.storage() == Memory {
		fixed = memoryRecordFixed
	}
	if messages == 0 || bytes < messages*fixed {
		return false
	}
	rest := bytes/messages - fixed // subject, headers and payload: how it is parted does not count
	subject := 0.0
	for _, pattern := range h.config.Subjects {
		subject = max(subject, float64(len(pattern)))
	}
	s.Messages = messages
	s.Message = Message{Subject: min(subject, rest), Payload: rest - min(subject, rest)}
	s.Subjects = SubjectSet{Count: max(1, min(state("num_subjects"), messages))}
	b.note(h.path, "no publisher of the design reaches this stream: it is sized as its info found it, %s of %s on average", Messages.Format(messages), FormatBytes(bytes/messages))
	return true
}

// mixture is the mean of messages of several kinds, weighted by their rates.
type mixture struct {
	weight, ids                  float64
	subject, header, payload, id float64
	compressed                   float64 // payload after S2
}

func (m *mixture) add(rate float64, x Message, compresses float64) {
	w := max(rate, 1e-9)
	m.weight += w
	m.subject += w * x.Subject
	m.header += w * x.Header
	m.payload += w * x.Payload
	m.compressed += w * x.Payload * compresses
	if x.ID > 0 {
		m.ids += w
		m.id += w * x.ID
	}
}

func (m *mixture) mean() Message {
	out := Message{Subject: m.subject / m.weight, Header: m.header / m.weight, Payload: m.payload / m.weight}
	if m.ids > 0 {
		out.ID = m.id / m.ids
	}
	return out
}

func (m *mixture) compressesTo() float64 {
	if m.payload == 0 {
		return 1
	}
	return m.compressed / m.payload
}

// subjectSet is the distinct subjects of what arrives. Publishers of one pattern
// share theirs; others are added up.
func (b *designReader) subjectSet(h *heldStream) SubjectSet {
	counts := map[string]float64{}
	var patterns []string
	var out SubjectSet
	most := 0.0
	for _, a := range h.arrived {
		p, n := a.pattern(), a.subjects()
		if _, ok := counts[p]; !ok {
			patterns = append(patterns, p)
		}
		counts[p] = max(counts[p], n)
		if n > most {
			most = n
			out.Shape, out.Key, out.Shared = a.shape()
		}
	}
	for _, p := range patterns {
		out.Count += counts[p]
	}
	out.Count = min(out.Count, maxInput)
	return out
}

// arrival is a flow as the result shows it.
func (a arrived) arrival() Arrival {
	r := a.rateOf()
	rate := given("rate", a.rate, PerSecond)
	average := computed("arriving", r.Average(), PerSecond, "rate, and bursts while they last", rate).between(a.rate, max(r.Peak(), r.Average()))
	if len(a.bursts) == 0 && a.hours == nil {
		average = rate.as("arriving")
	}
	var factors []Figure
	for _, t := range a.tokens {
		if t.count > 1 {
			factors = append(factors, given("values of a token", t.count, Count))
		}
	}
	return Arrival{From: a.from, Via: a.via, Subject: a.pattern(), Rate: average, Share: given("share of the publisher's messages", a.share, Share),
		Subjects: product("distinct subjects", Count, factors...),
		Message:  Message{Subject: a.subjectLength(), Header: a.headerBlock(), Payload: a.payload, ID: a.id}}
}

// exposure is the input of a stream's exposure table.
func (b *designReader) exposure(s *DesignStream, site *SiteSize) ExposureInput {
	in := ExposureInput{Stream: s.Input, SyncInterval: site.Cluster.SyncInterval, SyncAlways: site.Cluster.SyncAlways, Restart: b.o.Restart}
	for _, i := range site.all.Placement[s.At].Servers {
		if z := site.Cluster.Servers[i].Zone; z != "" {
			in.Zones = append(in.Zones, z)
		}
	}
	h := b.heldAt(s.Path)
	in.PersistAsync = h.config.PersistMode == api.AsyncPersistMode
	in.Mode = SyncPublish
	weakest := map[PublishMode]int{SyncPublish: 0, BatchPublish: 1, AsyncPublish: 2, CorePublish: 3}
	for _, a := range h.arrived {
		if a.via != "" {
			continue
		}
		in.InFlight += a.inFlight
		if m := a.mode; m != "" && weakest[m] > weakest[in.Mode] {
			in.Mode = m
		}
	}
	return in
}

func (b *designReader) heldAt(path string) *heldStream {
	for _, h := range b.held {
		if h.path == path {
			return h
		}
	}
	return &heldStream{config: &api.StreamConfig{}}
}
