package sim

// interested counts the consumers that hold a message under interest retention.
//
// Models: limits keeps what is acked; workqueue removes a message at its first
// ack or term, or at delivery with ack none; interest stores what a consumer
// matches at the time of the publish and removes it when the last of them has
// acked. Messages stranded by max_deliver stay.
// Ignores: interest of offline replicas, mirrors and sources.
// Source: nats-server v2.15.2 stream.go ackMsg, checkInterest; consumer.go
// needAck; measured on 2.10.29, 2.12.15 and 2.15.2.
func (s *stream) interested(key uint32) uint16 {
	n := uint16(0)
	for _, c := range s.consumers {
		if c.alive && c.matches(key) {
			n++
		}
	}
	return n
}

// acked is told by a consumer that it needs seq no more.
func (s *stream) acked(seq uint64) {
	switch s.cfg.Retention {
	case WorkQueue:
		if len(s.consumers) == 1 || !s.store.has(seq) {
			s.store.remove(seq)
			return
		}
		_, size, key := s.load(seq)
		s.store.remove(seq)
		for _, c := range s.consumers {
			c.evicted(seq, key, s.wireBytes(size))
		}
	case Interest:
		if !s.store.has(seq) {
			return
		}
		g := s.store.segment(seq)
		if g.asleep {
			s.wake(g)
		}
		need := &g.need[seq-g.base]
		if *need > 0 {
			*need--
		}
		if *need == 0 {
			s.store.remove(seq)
		}
	}
}

// hold adds the interest of a new consumer in what is already stored.
func (s *stream) hold(c *consumer) {
	if s.cfg.Retention != Interest {
		return
	}
	for seq := s.store.next(c.cursor); seq <= s.store.last; seq = s.store.next(seq + 1) {
		if _, _, key := s.load(seq); c.matches(key) {
			s.store.segment(seq).need[seq-s.store.segment(seq).base]++
		}
	}
}

// letGo ends the interest of a deleted consumer: what it had not acked is
// needed no more by it.
func (s *stream) letGo(c *consumer) {
	if s.cfg.Retention != Interest {
		return
	}
	for seq := s.store.first; seq <= s.store.last; seq = s.store.next(seq + 1) {
		_, _, key := s.load(seq)
		if c.matches(key) && (seq >= c.cursor || c.order.find(seq) != nil || c.stranded[seq] != nil) {
			s.acked(seq)
		}
	}
}
