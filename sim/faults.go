package sim

import "time"

// FaultKind names what goes wrong, or is done to a running system.
type FaultKind uint8

// The faults. Those of the server are for single nodes unless they name the
// leader.
const (
	FaultStall          FaultKind = iota // the clock of a worker stops for For; its client library still receives
	FaultFreeze                          // the whole process stops for For: nothing is read from the connection
	FaultCrash                           // a worker dies; it comes back after For, or never with 0
	FaultRestartServer                   // graceful; back after For
	FaultKillServer                      // kill -9 of the process; back after For
	FaultKillLeader                      // kill -9 of the node that leads the stream, in a cluster
	FaultStopLeader                      // graceful stop of that node
	FaultStepDown                        // the leader steps down
	FaultKillNode                        // kill -9 of Nodes, of any one where none is named; back after For
	FaultPause                           // the consumer is paused for For
	FaultPurge                           // the stream is purged
	FaultDeleteConsumer                  // the consumer is deleted
	FaultStopPublisher                   // the publisher ends
	FaultRestartNode                     // graceful restart of Nodes, back after For
	FaultSlow                            // work takes Factor times as long for For
)

// Fault is one thing that happens at a time.
type Fault struct {
	At       time.Duration
	For      time.Duration
	Kind     FaultKind
	Stream   string // empty: every stream
	Consumer string
	Workers  string  // group of workers
	Worker   int     // of the group; below 0 is all
	Name     string  // of a publisher
	Nodes    []int   // from 1
	Factor   float64 // of FaultSlow
}

// Times of a cluster and a server, as measured.
const (
	shutdownTime = int64(60 * time.Millisecond)   // a graceful shutdown with consumers on file still stores, and sends into ended requests
	stepDownTime = int64(20 * time.Millisecond)   // without a leader
	stopTime     = int64(60 * time.Millisecond)   // a leader that leaves in order
	electionLow  = int64(4000 * time.Millisecond) // election time-out of a follower
	electionHigh = int64(9000 * time.Millisecond)
	electionVote = int64(300 * time.Millisecond)
	stateAge     = int64(90 * time.Millisecond) // how old a consumer's state on disk is at a kill, at most
	reconnect    = 20 * time.Millisecond
)

// outage is a time without service.
//
// Models: a graceful restart ends waiting requests with 409 and loses what it
// sends into those that come during the shutdown; a killed server loses requests
// without a word and sets its consumers back by the last 90 ms; timers survive
// with their original start; a memory stream with one replica is gone. Without a
// leader publishers have no responders at once, and consumers, whose leaders are
// taken to be on other nodes, go on. A leader killed costs an election of 4 to
// 9 s (the sooner of two followers), one that steps down 20 ms, during which a
// publish waits.
// Ignores: consumers led by the same node; the loss of power and of a disk;
// catch-up of replicas. File quorum has what nodes are.
// Source: nats-server v2.15.2 raft.go election time-outs; measured on restarts,
// kills and three nodes.
type outage struct {
	until int64
	why   outageKind
}

type outageKind uint8

const (
	noServer outageKind = iota
	noLeader
	handOver
	noQuorum // nobody answers: publishes time out, consumers are silent
	noNode   // the only replica is away: no responders
)

// deaf says that consumers do not deliver.
func (k outageKind) deaf() bool { return k == noServer || k == noQuorum || k == noNode }

func (o *outage) silent(now int64) bool { return now < o.until }

// unavailable is the answer of a stream that is not there, or answerStored.
func (s *stream) unavailable() answer {
	switch {
	case s.gone:
		return answerNoResponders
	case !s.down.silent(s.r.k.now):
		return answerStored
	case s.down.why == noLeader, s.down.why == noNode:
		return answerNoResponders
	}
	return answerLost
}

// fault begins a fault.
func (r *run) fault(i int32) {
	f := &r.w.Faults[i]
	r.emit(Event{Kind: EventFault, Number: uint64(i), Code: int(f.Kind)})
	if f.Kind == FaultKillNode || f.Kind == FaultRestartNode {
		r.loseNodes(f)
		return
	}
	switch f.Kind {
	case FaultStall, FaultFreeze, FaultCrash, FaultSlow:
		for _, w := range r.workers {
			if w.g.Name == f.Workers && (f.Worker < 0 || f.Worker == int(w.res.Index)) {
				w.fault(f)
			}
		}
	case FaultPause, FaultDeleteConsumer:
		for _, c := range r.consumers {
			if c.cfg.Name == f.Consumer && (f.Stream == "" || c.cfg.Stream == f.Stream) {
				c.fault(f)
			}
		}
	case FaultStopPublisher:
		for _, p := range r.pubs {
			if p.cfg.Name == f.Name {
				p.plan.until = r.k.now - 1
			}
		}
	default:
		for _, s := range r.streams {
			if s.hit(f) {
				s.fault(f)
			}
		}
	}
}

func (c *consumer) fault(f *Fault) {
	if f.Kind == FaultDeleteConsumer {
		c.delete()
		return
	}
	c.pausedUntil = c.r.k.now + int64(f.For)
	c.r.k.schedule(c.pausedUntil, evRate, c.index, 0)
}

func (s *stream) fault(f *Fault) {
	now := s.r.k.now
	replicated := s.cfg.Replicas >= 3
	switch f.Kind {
	case FaultPurge:
		s.purge()
	case FaultRestartServer:
		s.shutdown(now, int64(f.For))
	case FaultKillServer:
		s.fail(noServer, now+int64(f.For))
		s.setBack()
	case FaultKillLeader:
		s.killLeader(f, replicated)
	case FaultStopLeader:
		if replicated {
			s.fail(handOver, now+stopTime)
		} else {
			s.shutdown(now, int64(f.For))
		}
	case FaultStepDown:
		s.fail(handOver, now+stepDownTime)
	}
}

func (s *stream) killLeader(f *Fault, replicated bool) {
	if !replicated {
		s.fail(noServer, s.r.k.now+int64(f.For))
		s.setBack()
		return
	}
	s.fail(noLeader, s.r.k.now+s.election())
}

// election is the time until the first of two followers asks for votes, and
// has them.
func (s *stream) election() int64 {
	span := int((electionHigh - electionLow) / 1e6)
	a, b := s.r.pick(s.r.chance, span), s.r.pick(s.r.chance, span)
	return electionLow + int64(min(a, b))*1e6 + electionVote
}

// shutdown is a graceful end: first requests are told, then the server is away.
func (s *stream) shutdown(now, down int64) {
	for _, c := range s.consumers {
		c.waiting.shutdown()
	}
	s.down.why = noServer
	takes := int64(0)
	if !s.cfg.Memory && len(s.consumers) > 0 {
		takes = shutdownTime
	}
	s.shutUntil = now + max(down, takes)
	s.r.k.push(event{at: now + takes, kind: evFault, target: s.index, arg: 1})
}

// fail begins an outage until until.
func (s *stream) fail(why outageKind, until int64) {
	s.down = outage{until, why}
	for _, c := range s.consumers {
		c.away = why.deaf()
		if !c.away {
			continue
		}
		c.waiting.endAll(statusTimeout, false)
		for _, w := range s.r.workers {
			if w.c == c && w.up {
				w.cutOff(why, until)
			}
		}
	}
	s.r.k.push(event{at: until, kind: evFault, target: s.index, arg: 2})
}

// cutOff is the worker's side of an outage.
func (w *worker) cutOff(why outageKind, until int64) {
	if why == noServer {
		w.away = until + int64(w.reconnectTime())
		if w.g.Mode == ModePush || w.g.Mode == ModeOrderedPush {
			w.unsubscribe()
		}
	}
	if w.g.Mode == ModeFetch && w.fetch.asked && !w.fetch.over {
		w.fetch.lost(w)
	}
}

func (w *worker) reconnectTime() time.Duration {
	if w.g.ReconnectWithin > 0 {
		return w.g.ReconnectWithin
	}
	return reconnect
}

// recover ends an outage.
func (s *stream) recover() {
	if s.down.silent(s.r.k.now) {
		return // a later one has begun
	}
	if s.down.why == noServer || s.down.why == noNode {
		if s.cfg.Memory && s.cfg.Replicas < 2 {
			s.gone = true
		}
		s.dup.restart(s.store.has)
	}
	for _, c := range s.consumers {
		c.away = false
		if s.gone {
			c.res.LostUnread += c.npc + c.pending
			c.delete()
			continue
		}
		if c.pending > 0 {
			c.checkPending()
		}
		for _, w := range s.r.workers {
			if w.c == c && w.up && w.away > s.r.k.now {
				s.r.k.push(event{at: w.away, kind: evWorker, target: w.index, gen: w.conn, arg: 2})
			}
		}
		c.pump()
	}
}

// reconnected is a worker whose connection is back.
func (w *worker) reconnected() {
	switch w.g.Mode {
	case ModeConsume, ModeOrdered:
		w.consume.reconnected(w)
	case ModePush, ModeOrderedPush:
		w.subscribe()
	}
}

// setBack makes consumers forget what is younger than their state on disk:
// deliveries are counted from one again, under consumer sequences used before.
func (s *stream) setBack() {
	for _, c := range s.consumers {
		c.setBack(s.r.k.now - stateAge)
	}
}

func (c *consumer) setBack(since int64) {
	c.revived = map[uint64]*message{}
	c.held.letGo(&c.r.messages)
	back := c.cursor
	keep := func(m *message) {
		if m.first > since {
			m.refs++
			c.revived[m.seq] = m
			back = min(back, m.seq)
		}
	}
	for c.recent.len() > 0 {
		m := c.recent.pop()
		keep(m)
		c.r.messages.release(m)
	}
	for _, m := range c.order.q.items[c.order.q.head:] {
		if m.pending {
			keep(m)
		}
	}
	for _, m := range c.order.q.items[c.order.q.head:] {
		if m.pending && m.seq >= back {
			c.drop(m)
			c.r.messages.release(m)
		}
	}
	c.order.compact(&c.r.messages)
	c.cursor = back
	c.countPending()
	c.dseq -= min(uint64(len(c.revived)), c.dseq-1)
	c.delivered = [2]uint64{c.dseq - 1, min(c.delivered[1], back-1)}
	c.floor[0], c.floor[1] = min(c.floor[0], c.delivered[0]), min(c.floor[1], c.delivered[1])
}

// revive gives back the record of a message that the consumer has forgotten, so
// that what happened to it before still counts.
func (c *consumer) revive(m *message) *message {
	old := c.revived[m.seq]
	if old == nil {
		return m
	}
	delete(c.revived, m.seq)
	m.refs++
	c.r.messages.release(m)
	old.deliveries, old.pending, old.queued = 1, false, false
	old.refs-- // deliver takes its own
	return old
}

// keepRecent keeps what was acked lately where a kill may make the consumer
// forget it.
func (c *consumer) keepRecent(m *message) {
	m.refs++
	c.recent.push(m)
	for c.recent.len() > 0 && (*c.recent.front()).first < c.r.k.now-stateAge {
		c.r.messages.release(c.recent.pop())
	}
}

// fault is what happens to a worker.
func (w *worker) fault(f *Fault) {
	now := w.r.k.now
	if !w.up {
		return
	}
	switch f.Kind {
	case FaultStall:
		w.stop(addTime(now, int64(f.For)))
	case FaultFreeze:
		w.wire.frozen = true
		w.stop(addTime(now, int64(f.For)))
		w.r.k.push(event{at: w.stall, kind: evWorker, target: w.index, gen: w.conn, arg: 3})
	case FaultSlow:
		w.slowdown, w.slowUntil = f.Factor, addTime(now, int64(f.For))
	case FaultCrash:
		w.crash()
		if f.For > 0 {
			w.r.k.push(event{at: now + int64(f.For), kind: evWorker, target: w.index})
		}
	}
}

// stop halts the clock of a worker: work in hand takes so much longer.
func (w *worker) stop(until int64) {
	r := w.r
	added := until - max(w.stall, r.k.now)
	if added <= 0 {
		return
	}
	w.stall = until
	for i := range r.slots {
		s := &r.slots[i]
		if s.w == w && s.busy && s.acking == 0 {
			s.end, s.then = addTime(s.end, added), addTime(s.then, added)
			s.next = s.then
			r.k.handled(s.then, int32(i))
		}
	}
	r.k.push(event{at: until, kind: evWorker, target: w.index, gen: w.conn, arg: 1})
}

// crash ends a worker: what it held is forgotten, its connection closes.
func (w *worker) crash() {
	w.abandon()
	w.wire.drop(w)
	w.up = false
	w.c.waiting.leave(w)
	w.unsubscribe()
}

// abandon forgets what a worker holds. What a fetch loop had received but not
// begun counts as delivered; what lay in the queue of the client library nobody
// has seen.
func (w *worker) abandon() {
	r := w.r
	for i := range r.slots {
		s := &r.slots[i]
		if s.w != w || !s.busy {
			continue
		}
		w.res.Busy += max(0, min(s.then, r.k.now)-s.start)
		if s.ticket != 0 {
			r.endTicket(s.ticket)
		}
		w.busyBytes -= int64(s.m.size)
		w.c.forsake(s.m)
		r.messages.release(s.m)
		s.busy, s.m, s.ticket, s.acking, s.unsung = false, nil, 0, 0, false
		w.idle = append(w.idle, int32(i))
		w.busy--
	}
	for w.queue.len() > 0 {
		d := w.queue.pop()
		if d.m == nil {
			continue
		}
		if w.g.Mode == ModeFetch {
			w.count(d.m, d.cseq, d.recv, d.number)
		}
		if d.ticket != 0 {
			r.endTicket(d.ticket)
		}
		w.c.forsake(d.m)
		r.messages.release(d.m)
	}
	w.queueBytes, w.waking, w.stall, w.pin = 0, false, 0, 0
}
