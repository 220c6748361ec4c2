package sim

import "time"

// purge removes everything.
func (s *stream) purge() {
	s.purging = true
	for s.store.msgs > 0 {
		s.evict(s.store.first)
	}
	s.purging = false
}

// Bytes that a store adds to subject, headers and payload of a message.
// Source: nats-server v2.15.2 memstore.go memStoreMsgSizeRaw, filestore.go
// fileStoreMsgSizeRaw; measured in 130 cells.
const (
	memoryRecord = 16
	fileRecord   = 30
	fileHeaders  = 4 // more, when there are headers
)

func (s *stream) recordOverhead() int64 {
	if s.cfg.Memory {
		return memoryRecord
	}
	return fileRecord
}

func (s *stream) recordBytes(a *attempt) int64 {
	n := s.recordOverhead() + int64(a.size)
	if !s.cfg.Memory && a.headers > 0 {
		n += fileHeaders
	}
	return n
}

// enforce drops the oldest messages over max_msgs and max_bytes.
//
// Models: discard old by count and bytes; a dropped message that is in flight
// is as if terminated: its slot is free, it is not redelivered, a late ack is
// answered and means nothing.
// Ignores: limits of account and server, which stop a stream earlier.
// Source: nats-server v2.15.2 memstore.go enforceMsgLimit, enforceBytesLimit;
// consumer.go decStreamPending.
func (s *stream) enforce() {
	for s.cfg.MaxMsgs > 0 && s.store.msgs > s.cfg.MaxMsgs {
		s.evict(s.store.first)
	}
	for s.cfg.MaxBytes > 0 && s.store.bytes > s.cfg.MaxBytes && s.store.msgs > 0 {
		s.evict(s.store.first)
	}
}

// keepPerSubject drops the oldest messages of a subject over
// max_msgs_per_subject.
//
// Models: replacement per subject under either discard policy.
// Ignores: rollup headers, per-message TTL.
// Source: nats-server v2.15.2 memstore.go enforcePerSubjectLimit.
func (s *stream) keepPerSubject(a *attempt) {
	q := s.perKey[a.key]
	if q == nil {
		q = &fifo[uint64]{}
		s.perKey[a.key] = q
	}
	q.push(a.seq)
	s.stale(q)
	for int64(q.len()) > s.cfg.MaxMsgsPerSubject {
		seq := q.pop()
		if s.store.has(seq) {
			s.replacing = true
			s.evict(seq)
			s.replacing = false
		}
		s.stale(q)
	}
}

// stale drops sequences that other limits or acks have removed from the front.
func (s *stream) stale(q *fifo[uint64]) {
	for q.len() > 0 && !s.store.has(*q.front()) {
		q.pop()
	}
}

// ageEvery is the shortest time between two looks at the oldest message.
// Source: nats-server v2.15.2 memstore.go resetAgeChk.
const ageEvery = int64(250 * time.Millisecond)

// planAge sets the next look at the oldest message, unless one comes earlier.
func (s *stream) planAge(in int64) {
	at := s.r.k.now + max(in, ageEvery)
	if s.agePlan > 0 && s.agePlan <= at {
		return
	}
	s.agePlan = at
	s.ageGen++
	s.r.k.schedule(at, evAge, s.index, s.ageGen)
}

// expire drops what is older than max_age.
//
// Models: max_age, looked at when the oldest message is due, at most every
// 250 ms.
// Ignores: per-message TTL, subject delete markers.
// Source: nats-server v2.15.2 memstore.go expireMsgs, resetAgeChk.
func (s *stream) expire() {
	s.agePlan = 0
	limit := s.r.k.now - int64(s.cfg.MaxAge)
	for s.store.msgs > 0 {
		at, _, _ := s.load(s.store.first)
		if at > limit {
			s.planAge(at - limit)
			return
		}
		s.evict(s.store.first)
	}
}
