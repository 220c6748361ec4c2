package sim

import (
	"weir/subject"
)

// Keys of messages: the class is the subject as a publisher writes it, the rest
// tells the subjects behind it apart.
const (
	keyBits = 20
	keyMask = 1<<keyBits - 1
)

// stream is a stream at work.
type stream struct {
	r         *run
	cfg       *Stream
	index     int32
	store     segments
	from      []*publisher // all publishers, when segments can be put away
	nextDraw  redraw       // of the segment that is being filled
	consumers []*consumer
	classes   []string
	perKey    map[uint32]*fifo[uint64] // stored sequences by subject: max_msgs_per_subject only
	dup       *duplicates
	down      outage
	archived  uint64 // sequences of which segments were looked at
	leader    int    // place among its replicas
	shutUntil int64  // end of the outage that a graceful shutdown leads to
	purging   bool
	replacing bool // by a newer message of the subject
	gone      bool // an R1 memory stream after a restart
	ageGen    uint32
	agePlan   int64
	res       *StreamResult
}

// answer is what became of a publish.
type answer uint8

const (
	answerStored answer = iota
	answerDuplicate
	answerRefused      // an error in the reply
	answerLost         // no reply: the publisher waits for its time-out
	answerNoResponders // nobody there, told at once
)

// class gives the number of a subject, and makes room for it.
func (s *stream) class(subj string) uint32 {
	for i, c := range s.classes {
		if c == subj {
			return uint32(i)
		}
	}
	s.classes = append(s.classes, subj)
	return uint32(len(s.classes) - 1)
}

// prepare is called when all publishers and consumers are known.
func (s *stream) prepare() {
	if len(s.classes) > 1 || s.cfg.MaxMsgsPerSubject > 0 {
		s.store.keyed = true
	}
	if s.cfg.MaxMsgsPerSubject > 0 {
		s.perKey = map[uint32]*fifo[uint64]{}
	}
	s.store.counted = s.cfg.Retention == Interest
	s.store.wake = s.wake
	s.store.first = 1
}

// matcher gives which classes the filters take; nil is all of them.
func (s *stream) matcher(filters []string) []bool {
	if len(filters) == 0 {
		return nil
	}
	m := make([]bool, len(s.classes))
	for i, c := range s.classes {
		for _, f := range filters {
			m[i] = m[i] || subject.Match(f, c)
		}
	}
	return m
}

// publish takes a message in: down, duplicate, refused or stored, in this order
// of checks (server stream.go processJetStreamMsg).
func (s *stream) publish(a *attempt) answer {
	if s.gone || s.down.until != 0 {
		if lost := s.unavailable(); lost != answerStored {
			return lost
		}
	}
	if a.id != 0 && s.dup.seen(a.id, s.r.k.now) {
		s.res.Duplicates++
		return answerDuplicate
	}
	need := uint16(1)
	if s.cfg.Retention == Interest {
		need = s.interested(a.key)
	}
	if need == 0 {
		a.seq = s.store.skip()
		if a.id != 0 {
			s.remember(a)
		}
		s.res.Stored++
		s.res.LostUnread++
		s.r.emit(Event{Kind: EventUnread, Stream: s.index, Seq: a.seq})
		return answerStored
	}
	size := int32(s.recordBytes(a))
	if s.cfg.DiscardNew || s.cfg.MaxMsgSize > 0 {
		if a.code = s.refuse(a, size); a.code != 0 {
			s.res.Rejected++
			return answerRefused
		}
	}
	a.seq = s.store.add(s.r.k.now, size, a.key, need)
	if a.id != 0 {
		s.remember(a)
	}
	s.res.Stored++
	if s.perKey != nil {
		s.keepPerSubject(a)
	}
	if !s.cfg.DiscardNew && (s.cfg.MaxMsgs > 0 || s.cfg.MaxBytes > 0) {
		s.enforce()
	}
	if s.cfg.MaxAge > 0 && s.agePlan == 0 {
		s.planAge(int64(s.cfg.MaxAge))
	}
	wire := s.wireBytes(size)
	for _, c := range s.consumers {
		if !c.straight(a.seq, a.key, wire) {
			c.arrived(a.seq, a.key, wire)
		}
	}
	if a.seq%segmentLen == 0 {
		s.seal(a.seq)
	}
	return answerStored
}

func (s *stream) remember(a *attempt) {
	s.dup.add(a.id, a.seq, s.r.k.now)
}

// wireBytes is what a message counts in max_bytes of a pull request, in flow
// control and on a connection: subject, headers and payload.
func (s *stream) wireBytes(stored int32) int32 {
	return stored - int32(s.recordOverhead())
}

// load gives what is known of a stored message.
func (s *stream) load(seq uint64) (at int64, size int32, key uint32) {
	g := s.store.segment(seq)
	if g.asleep {
		s.wake(g)
	}
	i := int(seq - g.base)
	if s.store.keyed {
		key = g.key[i]
	}
	return g.at[i], g.size[i], key
}

// storedSince is the first sequence stored at an instant or later, or the next one.
func (s *stream) storedSince(at int64) uint64 {
	for seq := s.store.first; seq <= s.store.last; seq = s.store.next(seq + 1) {
		if stored, _, _ := s.load(seq); stored >= at {
			return seq
		}
	}
	return s.store.last + 1
}

// evict removes a message that nobody acked: limits or age.
func (s *stream) evict(seq uint64) {
	if !s.store.has(seq) {
		return
	}
	_, size, key := s.load(seq)
	g := s.store.segment(seq)
	sum := g.sum
	if !s.store.remove(seq) {
		return
	}
	s.res.Evicted++
	if sum != nil {
		s.evictArchived(sum, seq)
		return
	}
	unread := true
	for _, c := range s.consumers {
		if !c.matches(key) || !c.alive && seq >= c.cursor {
			continue
		}
		if seq < c.cursor {
			unread = false
		} else if !s.purging && !c.skipped(seq) {
			c.res.LostUnread++
			if s.replacing {
				c.res.Replaced++
			}
		}
	}
	if unread {
		s.res.LostUnread++
		s.r.emit(Event{Kind: EventUnread, Stream: s.index, Seq: seq})
	}
	for _, c := range s.consumers {
		c.evicted(seq, key, s.wireBytes(size))
	}
}
