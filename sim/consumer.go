package sim

import (
	"math/rand/v2"
	"slices"
	"time"
)

// Defaults that the server fills in.
// Source: nats-server v2.15.2 consumer.go setConsumerConfigDefaults; measured.
const (
	defaultAckWait         = 30 * time.Second
	defaultMaxAckPending   = 1000
	defaultMaxWaiting      = 512
	defaultPriorityTimeout = 2 * time.Minute
)

// consumer is a consumer at work. Its main loop is pump, the counterpart of the
// server's loopAndGatherMsgs.
type consumer struct {
	r      *run
	s      *stream
	cfg    *Consumer
	index  int32
	alive  bool
	plain  bool   // messages may go the straight way
	match  []bool // by class; nil is all
	res    *ConsumerResult
	cursor uint64 // next stream sequence to look at
	dseq   uint64 // next consumer sequence
	npc    int64  // num_pending
	npb    int64  // its bytes: subject, headers and payload
	sum    int64  // sojourn of what was acked since the last point of the series
	acks   int64
	worst  int64
	told   int64    // redeliveries up to the last point
	skip   []uint64 // last_per_subject: what comes before everything from resume on
	resume uint64
	maxAck int64 // 0 is unlimited

	pending     int64
	counted     int64 // num_redelivered
	order       orderList
	waits       []waitList
	odd         byDeadline
	again       queue // to deliver again
	stranded    map[uint64]*message
	revived     map[uint64]*message
	recent      fifo[*message] // acked lately, kept where a kill may forget it
	timer       int64          // when the ack timer fires; 0 is not set
	timerGen    uint32
	delivered   [2]uint64 // consumer and stream sequence
	floor       [2]uint64
	lastActive  int64
	inactive    int64 // threshold with jitter; 0 is none
	inactiveGen uint32
	pausedUntil int64
	stallSince  int64 // stalled at max_ack_pending; -1 is not

	waiting waitQueue
	pinned  uint32
	pins    uint32
	pinGen  uint32
	readers []*worker // subscriptions of a push consumer
	rand    *rand.PCG // members of a queue group
	flow    flowControl
	rate    rateLimit
	replay  replay
	held    held
	away    bool // out with its stream's outage
}

// held is the message that waits for rate_limit_bps or for its turn in a replay,
// and everything behind it with it.
type held struct {
	m     *message
	fresh bool
	busy  bool // it has to wait still
	gen   uint32
}

func (c *consumer) prepare() {
	c.maxAck = int64(c.cfg.MaxAckPending)
	switch {
	case c.cfg.Ack == AckNone, c.maxAck < 0:
		c.maxAck = 0
	case c.maxAck == 0:
		c.maxAck = defaultMaxAckPending
	}
	c.waiting.max = c.cfg.MaxWaiting
	if c.waiting.max <= 0 {
		c.waiting.max = defaultMaxWaiting
	}
	c.setWaits()
	c.match = c.s.matcher(c.cfg.FilterSubjects)
	c.stranded = map[uint64]*message{}
	c.stallSince = -1
	id := c.s.cfg.Name + "/" + c.cfg.Name
	c.rand = c.r.pcg("group/" + id)
	c.flow.prepare(c)
	c.rate.prepare(c)
	c.setPlain()
}

// create starts the consumer at the place that its deliver policy says.
//
// Models: all, new, last, last_per_subject, by_start_sequence and by_start_time,
// at creation. File replay has the pace.
// Ignores: nothing known.
// Source: nats-server v2.15.2 consumer.go selectStartingSeqNo.
func (c *consumer) create() {
	c.alive = true
	c.dseq = 1
	switch c.cfg.Deliver {
	case DeliverAll:
		c.cursor = c.s.store.first
	case DeliverNew:
		c.cursor = c.s.store.last + 1
	case DeliverLast:
		c.cursor = max(1, c.s.store.last)
	case DeliverLastPerSubject:
		c.lastPerSubject()
	case DeliverByStartSequence:
		c.cursor = max(1, c.cfg.StartSequence)
	case DeliverByStartTime:
		c.cursor = c.s.storedSince(int64(c.cfg.StartTime))
	}
	c.replay.begin(c)
	c.countPending()
	c.s.hold(c)
	c.watchInactive()
	c.pump()
}

// lastPerSubject begins with the last message of each subject, in order, and
// goes on with what comes after.
func (c *consumer) lastPerSubject() {
	last := map[uint32]uint64{}
	for seq := c.s.store.first; seq <= c.s.store.last; seq = c.s.store.next(seq + 1) {
		if _, _, key := c.s.load(seq); c.matches(key) {
			if before := last[key]; before > 0 {
				c.skip[len(c.skip)-1-int(c.resume-before)] = 0
			}
			for c.resume < seq {
				c.resume++
				c.skip = append(c.skip, 0)
			}
			c.skip[len(c.skip)-1] = seq
			last[key] = seq
		}
	}
	c.cursor, c.resume = c.s.store.first, c.s.store.last+1
	c.skip = slices.DeleteFunc(c.skip, func(seq uint64) bool { return seq == 0 })
	if c.skip == nil {
		c.cursor = c.resume
	}
}

// skipped says that seq is not the last of its subject.
func (c *consumer) skipped(seq uint64) bool {
	if seq >= c.resume {
		return false
	}
	_, found := slices.BinarySearch(c.skip, seq)
	return !found
}

// countPending counts anew what is stored and matches from the cursor on.
func (c *consumer) countPending() {
	c.npc, c.npb = 0, 0
	if c.match == nil && c.cursor <= c.s.store.first && c.skip == nil {
		c.npc, c.npb = c.s.store.msgs, c.s.store.bytes-c.s.store.msgs*c.s.recordOverhead()
		return
	}
	for seq := c.s.store.next(c.cursor); seq <= c.s.store.last; seq = c.s.store.next(seq + 1) {
		if _, size, key := c.s.load(seq); c.matches(key) && !c.skipped(seq) {
			c.npc++
			c.npb += int64(c.s.wireBytes(size))
		}
		if seq%segmentLen == 0 {
			c.s.left(seq)
		}
	}
}

func (c *consumer) matches(key uint32) bool {
	return c.match == nil || c.match[key>>keyBits]
}

// arrived is told of every stored message that did not go the straight way.
func (c *consumer) arrived(seq uint64, key uint32, size int32) {
	if !c.alive || !c.matches(key) || seq < c.cursor {
		return
	}
	c.npc++
	c.npb += int64(size)
	if c.cfg.Push || c.waiting.n > 0 {
		c.pump()
	}
}

// evicted is told of every message that limits, age or a purge remove.
func (c *consumer) evicted(seq uint64, key uint32, size int32) {
	if !c.alive || !c.matches(key) {
		return
	}
	if seq >= c.cursor {
		if !c.skipped(seq) {
			c.npc--
			c.npb -= int64(size)
		}
		if h := &c.held; h.m != nil && h.fresh && h.m.seq == seq {
			h.letGo(&c.r.messages)
		}
		return
	}
	if m := c.order.find(seq); m != nil {
		c.terminated(m)
		return
	}
	if m := c.stranded[seq]; m != nil {
		c.forgetStranded(m)
	}
}

// pump delivers as long as there is something to deliver and somebody who takes
// it: first what is to be delivered again, then what is new, as far as
// max_ack_pending goes.
func (c *consumer) pump() {
	for c.mayDeliver() {
		var m *message
		fresh := false
		if h := &c.held; h.m != nil && (h.fresh || h.m.pending) {
			m, fresh = h.m, h.fresh
		} else if h.m != nil { // acked while it waited to be delivered again
			h.letGo(&c.r.messages)
			continue
		} else if c.again.head != nil {
			m = c.nextAgain()
		}
		if m == nil {
			if c.full() {
				c.stalled(true)
				return
			}
			if c.stallSince >= 0 {
				c.stalled(false)
			}
			if c.npc == 0 {
				c.waiting.atEnd()
				c.replay.caughtUp(c)
				return
			}
			m, fresh = c.nextNew(), true
		}
		if (c.rate.burst != 0 || c.replay.on) && c.hold(m, fresh) {
			return
		}
		if !c.take(m, fresh) {
			c.putBack(m, fresh)
			return
		}
		if c.npc == 0 && c.again.head == nil && c.waiting.noWaits == 0 && c.stallSince < 0 {
			return
		}
	}
}

func (c *consumer) mayDeliver() bool {
	if !c.alive || c.pausedUntil > c.r.k.now || c.silent() || c.s.gone || c.held.busy {
		return false
	}
	if c.cfg.Push {
		return len(c.readers) > 0 && !c.flow.closed()
	}
	if c.waiting.n == 0 && c.replay.on {
		c.replay.caughtUp(c)
	}
	return c.waiting.n > 0
}

// hold says whether m has to wait for its turn.
func (c *consumer) hold(m *message, fresh bool) bool {
	if c.held.m != nil { // it has waited
		c.held.m = nil
		m.refs--
		return false
	}
	at := c.rate.due(c, m, c.replay.due(m, c.r.k.now))
	if at <= c.r.k.now {
		return false
	}
	m.refs++
	c.held.m, c.held.fresh, c.held.busy = m, fresh, true
	c.held.gen++
	c.r.k.schedule(at, evRate, c.index, c.held.gen)
	return true
}

// letGo forgets the message that waits: it is gone, or the consumer is not what it
// was.
func (h *held) letGo(p *messages) {
	if h.m != nil {
		p.release(h.m)
		h.m, h.busy = nil, false
	}
}

// silent says that the consumer is out of service.
func (c *consumer) silent() bool { return c.away && c.s.down.silent(c.r.k.now) }

// nextNew looks up the next message that matches, without moving past it. There
// is one: num_pending is not 0.
func (c *consumer) nextNew() *message {
	seq := c.cursor
	if g := c.s.store.segment(seq); g == nil || seq > c.s.store.last || !g.stored(int(seq-g.base)) {
		seq = c.s.store.next(seq)
	}
	for ; seq <= c.s.store.last; seq = c.s.store.next(seq + 1) {
		at, size, key := c.s.load(seq)
		if c.match != nil && !c.match[key>>keyBits] || seq < c.resume && c.skipped(seq) {
			if c.cursor = seq + 1; seq%segmentLen == 0 {
				c.s.left(seq)
			}
			continue
		}
		c.cursor = seq
		m := c.r.messages.get()
		m.seq, m.at, m.size, m.key, m.deliveries = seq, at, c.s.wireBytes(size), key, 1
		if c.revived != nil {
			m = c.revive(m)
		}
		return m
	}
	panic("sim: num_pending counts messages that are not there")
}

// take hands m to whoever is next; false means nobody takes it.
func (c *consumer) take(m *message, fresh bool) bool {
	if !c.cfg.Push {
		q := c.waiting.next(c, m)
		if q == nil {
			return false
		}
		w, dead := q.w, q.dead
		over := q.n == 0
		cseq := c.deliver(m, fresh)
		if over {
			c.waiting.done(q)
		}
		if dead {
			c.forsake(m)
			return true
		}
		if c.pinned != 0 {
			w.pin = c.pinned
		}
		w.receive(m, cseq, over)
		return true
	}
	cseq := c.deliver(m, fresh)
	c.flow.sent(c, m)
	if c.cfg.DeliverGroup {
		c.readers[c.r.pick(c.rand, len(c.readers))].receive(m, cseq, false)
	} else {
		m.refs++ // while the readers take it
		for _, w := range c.readers {
			w.receive(m, cseq, false)
		}
		c.r.messages.release(m)
	}
	c.flow.request(c)
	return true
}

// deliver gives m a consumer sequence and begins its ack wait.
func (c *consumer) deliver(m *message, fresh bool) uint64 {
	cseq := c.dseq
	c.dseq++
	c.res.Sent++
	c.lastActive = c.r.k.now
	if fresh {
		c.cursor = m.seq + 1
		if c.cursor%segmentLen == 1 {
			c.s.left(m.seq)
		}
		c.npc--
		c.npb -= int64(m.size)
		m.cseq, m.first = cseq, c.r.k.now
	}
	c.delivered = [2]uint64{cseq, max(c.delivered[1], m.seq)}
	if c.cfg.Ack == AckNone {
		c.floor = c.delivered
		c.s.deliveredWithoutAck(m.seq)
		return cseq
	}
	if fresh {
		m.pending = true
		m.refs++
		c.pending++
		c.res.MaxAckPending = max(c.res.MaxAckPending, c.pending)
		m.stamp = c.r.k.now
		if c.order.add(m) {
			m.wait = inOrder
			c.wakeBy(m.stamp + c.waits[0].wait)
			return cseq
		}
	}
	c.startWait(m)
	return cseq
}

func (s *stream) deliveredWithoutAck(seq uint64) {
	if s.cfg.Retention != Limits {
		s.acked(seq)
	}
}

// putBack returns a message that nobody took. One that was to be delivered
// again goes to the end of its queue, as in the server.
func (c *consumer) putBack(m *message, fresh bool) {
	if fresh {
		m.refs++
		c.r.messages.release(m)
		return
	}
	m.deliveries--
	if m.deliveries == 1 {
		c.count(m, false)
	}
	c.again.push(m)
}

// count keeps num_redelivered.
func (c *consumer) count(m *message, on bool) {
	if m.counted == on {
		return
	}
	m.counted = on
	if on {
		c.counted++
	} else {
		c.counted--
	}
}

// ackReplyBytes is the length of the ack subject, which counts in max_bytes.
// Source: nats-server v2.15.2 consumer.go ackReply:
// $JS.ACK.STREAM.CONSUMER.deliveries.sseq.dseq.time.pending.
func (c *consumer) ackReplyBytes(m *message) int64 {
	const fixed = len("$JS.ACK.") + 6 + 19
	return int64(fixed + len(c.s.cfg.Name) + len(c.cfg.Name) + digits(uint64(m.deliveries)) +
		digits(m.seq) + digits(c.dseq) + digits(uint64(max(0, c.npc-1))))
}

func digits(n uint64) int {
	d := 1
	for n >= 10 {
		n /= 10
		d++
	}
	return d
}
