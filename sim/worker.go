package sim

import (
	"time"
)

// delivery is one message in a worker's hands, or a word of the server among
// its messages: a flow control request, the end of a pull request.
type delivery struct {
	m      *message
	cseq   uint64
	recv   int64
	number int32 // num_delivered
	ticket int32 // of its in-progress acks, from 1; 0 is none
	word   word  // without a message
}

// word is what the server says among the messages.
type word struct {
	flow  uint32 // id of a flow control request
	left  int32  // messages that a request did not get
	ended bool
	why   status
}

// slot is one handler, and the delivery in its hands, without the words that are
// for the client library.
type slot struct {
	w      *worker
	m      *message
	cseq   uint64
	recv   int64
	number int32
	ticket int32
	start  int64
	end    int64 // service is over; the worker goes on a little later
	then   int64 // when the worker goes on
	next   int64 // time of its event
	act    Action
	busy   bool
	acking int64 // the ack waits for its reply until then; 0 is not
	unsung bool  // the ack was sent and means nothing to the server: no reply
}

// worker is one connection that reads a consumer.
type worker struct {
	r         *run
	g         *WorkerGroup
	res       *WorkerResult
	c         *consumer
	index     int32
	up        bool
	stopped   bool
	fetches   bool    // a message that arrives begins when a handler is free
	acts      bool    // answers are not always acks
	ackCost   int64   // from the end of the work until the handler is free
	conn      uint32  // rises with every connection; events of an older one are void
	stall     int64   // end of the stall; the clock of the handlers stands still
	away      int64   // no connection until then
	slowdown  float64 // of the work, until slowUntil
	slowUntil int64
	service   Draw
	key       uint64 // stream of service times
	actKey    uint64

	queue      fifo[delivery]
	queueBytes int64
	busyBytes  int64
	idle       []int32
	busy       int
	started    int64 // handlers
	waking     bool

	batch, expires int64
	open           *pullRequest
	pin            uint32
	fetch          fetchLoop
	consume        consumeLoop
	ordered        orderedLoop
	wire           wire
}

func (w *worker) live(gen uint32) bool { return w.up && gen == w.conn }

func (w *worker) connected() bool { return w.away <= w.r.k.now }

// heartbeats says whether the client asks for idle heartbeats: Consume does,
// Fetch only with expires of 10 s and more.
// Source: nats.go v1.55.0 jetstream pull.go fetchWithOpts, setDefaults.
func (w *worker) heartbeats() bool {
	return w.g.Mode == ModeConsume || w.g.Mode == ModeOrdered || w.expires >= int64(10*time.Second)
}

// begin starts the worker's loop on a new connection.
func (w *worker) begin() {
	w.up = true
	w.conn++
	w.fetch, w.consume = fetchLoop{}, consumeLoop{}
	switch w.g.Mode {
	case ModeFetch:
		w.r.k.schedule(w.r.k.now, evFetch, w.index, w.conn)
	case ModeConsume, ModeOrdered:
		w.consume.begin(w)
	case ModePush, ModeOrderedPush:
		w.subscribe()
	}
}

// receive takes a message that the server sends; full says that its pull request
// is filled.
func (w *worker) receive(m *message, cseq uint64, full bool) {
	if w.takesAtOnce() {
		m.refs++
		w.fetch.received(w, full) // the short way
		w.start(m, cseq, w.r.k.now, m.deliveries, 0)
		return
	}
	w.hear(&delivery{m: m, cseq: cseq, recv: w.r.k.now, number: m.deliveries}, full)
}

// hear takes what the server sends, a message or a word.
func (w *worker) hear(d *delivery, full bool) {
	if w.wire.frozen || w.g.ReadPerSecond > 0 {
		w.wire.hold(w, d, full)
		return
	}
	w.arrive(d, full)
}

// arrive takes a delivery that has reached the client.
func (w *worker) arrive(d *delivery, full bool) {
	if d.m != nil {
		if (w.g.Mode == ModePush || w.g.Mode == ModeOrderedPush) && !w.admit(d) {
			return
		}
		d.m.refs++
	}
	if d.m == nil {
		w.queue.push(*d)
	} else {
		w.keep(d.m, d.cseq, d.recv, d.number)
	}
	if d.m != nil && w.g.InProgress > 0 && w.g.InProgressHeld {
		w.queue.items[len(w.queue.items)-1].ticket = w.r.ticket(w, d.m)
	}
	switch w.g.Mode {
	case ModeFetch:
		w.fetch.received(w, full)
	case ModePush, ModeOrderedPush:
		w.wakeUp()
		return
	}
	w.work()
}

// keep puts a message into the queue of the client library.
func (w *worker) keep(m *message, cseq uint64, recv int64, delivered int32) {
	x := w.queue.room()
	x.m, x.cseq, x.recv, x.number, x.ticket, x.word = m, cseq, recv, delivered, 0, word{}
	w.queueBytes += int64(m.size)
}

func (d *delivery) bytes() int64 {
	if d.m == nil {
		return 0
	}
	return int64(d.m.size)
}

// work starts handlers for what waits, as far as there are free ones.
func (w *worker) work() {
	for w.queue.len() > 0 && len(w.idle) > 0 && w.stall <= w.r.k.now {
		if w.g.Mode == ModeFetch && w.g.CollectFirst && !w.fetch.over {
			return
		}
		d := w.queue.front()
		if d.m != nil {
			w.queueBytes -= int64(d.m.size)
			w.queue.skip() // d stands until the next push
			w.start(d.m, d.cseq, d.recv, d.number, d.ticket)
			continue
		}
		said := d.word
		w.queue.skip()
		if said.flow == 0 {
			w.consume.ended(w, said.why, int(said.left))
		} else if w.connected() {
			w.c.flow.answered(w.c, said.flow)
		}
	}
}

// start gives a message to a free handler.
func (w *worker) start(m *message, cseq uint64, recv int64, delivered, ticket int32) {
	r, now := w.r, w.r.k.now
	last := len(w.idle) - 1
	i := w.idle[last]
	w.idle = w.idle[:last]
	w.busy++
	w.busyBytes += int64(m.size)
	w.started++
	s := &r.slots[i]
	s.m, s.cseq, s.recv, s.number, s.ticket, s.start, s.busy = m, cseq, recv, delivered, ticket, now, true
	n := m.seq*16 + uint64(delivered)
	service := max(0, w.service(number(w.key, n), m.seq, int(delivered)))
	if w.slowUntil > now {
		service = int64(min(float64(float64(service)*w.slowdown), 1<<62))
	}
	cost := w.ackCost
	s.act.Do, s.act.Delay = DoAck, 0
	if w.acts {
		if s.act = w.action(m, int(delivered), n); s.act.Do != DoAck {
			cost = int64(r.cost.Handler)
		}
	}
	s.end = now + service
	s.then = s.end + cost
	s.next = s.then
	r.k.handled(s.then, i)
	w.count(m, cseq, recv, delivered)
	if w.g.InProgress > 0 && s.ticket == 0 {
		s.ticket = r.ticket(w, m)
	}
	if s.ticket != 0 {
		r.tickets[s.ticket-1].slot = s
	}
	if w.g.Mode == ModeOrderedPush {
		w.ordered.room(w)
	}
}

func (w *worker) action(m *message, delivered int, n uint64) Action {
	if w.g.AckEvery > 1 && w.started%int64(w.g.AckEvery) != 0 {
		return Action{Do: DoNothing}
	}
	if w.g.Act == nil {
		return Action{}
	}
	act := w.g.Act(number(w.actKey, n), m.seq, delivered)
	if act.Do == DoAckLost && w.c.cfg.Ack == AckNone {
		act.Do = DoAck
	}
	return act
}

// count keeps the figures of a start.
func (w *worker) count(m *message, cseq uint64, recv int64, delivered int32) {
	res := w.c.res
	if m.forsaken {
		w.c.regain(m)
	}
	res.Deliveries++
	w.res.Deliveries++
	if delivered > 1 {
		res.Redeliveries++
	}
	if !m.started {
		m.started = true
		res.Unique++
		res.Wait.Record(w.r.k.now - m.at)
	}
	if w.r.trace != nil {
		w.r.emit(Event{Kind: EventStart, Stream: w.c.s.index, Consumer: w.c.index, Worker: w.index, Seq: m.seq,
			ConsumerSeq: cseq, Delivery: int(delivered), Received: w.received(recv), Stored: m.at})
	}
}

// received is when the program has a message that its client library got at an
// instant: a callback is handed it when it begins.
func (w *worker) received(recv int64) int64 {
	if w.g.Mode == ModeFetch {
		return recv
	}
	return w.r.k.now
}

// handled ends a handler's work with its answer.
func (r *run) handled(i int32) {
	s := &r.slots[i]
	if !s.busy || s.next != r.k.now {
		return
	}
	w, m := s.w, s.m
	if w.stall > r.k.now {
		s.then, s.next = w.stall, w.stall
		r.k.handled(s.then, i)
		return
	}
	if s.acking == 0 {
		w.c.res.Runs++
		if m.runs++; m.runs == 2 {
			w.c.res.RunTwice++
		}
		w.res.Busy += s.then - s.start
		if s.ticket != 0 || s.act.Do != DoAck || r.trace != nil {
			w.finish(s)
		}
	}
	if s.act.Do == DoAck && !w.acknowledge(i, s) {
		return
	}
	if s.acking != 0 {
		w.res.Busy += r.k.now - s.then
		s.acking, s.unsung = 0, false
	}
	s.busy = false
	s.m = nil
	w.idle = append(w.idle, i)
	w.busy--
	w.busyBytes -= int64(m.size)
	r.messages.release(m)
	switch w.g.Mode {
	case ModeConsume, ModeOrdered:
		w.consume.handled(w)
	}
	if w.queue.len() > 0 {
		w.work()
	}
	if w.g.Mode == ModeFetch && w.fetch.over {
		w.fetch.check(w)
	}
}

// finish ends in-progress acks and gives the answers that wait for nothing.
func (w *worker) finish(s *slot) {
	r, m := w.r, s.m
	if s.ticket != 0 {
		r.endTicket(s.ticket)
		s.ticket = 0
	}
	if r.trace != nil {
		r.emit(Event{Kind: EventEnd, Stream: w.c.s.index, Consumer: w.c.index, Worker: w.index, Seq: m.seq,
			ConsumerSeq: s.cseq, Delivery: int(s.number), Received: s.recv, Stored: m.at, Started: s.start, Ended: s.end, Action: s.act.Do})
	}
	switch s.act.Do {
	case DoNak, DoNakDelay:
		w.c.failed()
		m.refs++
		r.naks.push(pendingNak{w.c, m, s.act})
		at := r.k.now + int64(r.cost.Fetch+nakLatency)
		r.k.schedule(at, evNak, 0, 0)
	case DoNothing:
		if w.g.AckEvery <= 1 {
			w.c.failed()
		}
	case DoTerm:
		w.c.term(m)
	case DoAckLost:
		w.ackLost(m)
	}
}

// pendingNak is a nak on its way to the server. All take equally long, so they
// arrive in order.
type pendingNak struct {
	c   *consumer
	m   *message
	act Action
}

func (r *run) nakArrives() {
	n := r.naks.pop()
	if n.act.Do == DoNak {
		n.c.nak(n.m)
	} else {
		n.c.nakDelay(n.m, n.act.Delay)
	}
	r.messages.release(n.m)
}

// ackPatience is how long a client waits for the reply to an ack.
const ackPatience = int64(2 * time.Second)

// acknowledge sends the ack and says whether the handler is free again: without
// a connection it waits for one, for ackPatience at most.
func (w *worker) acknowledge(i int32, s *slot) bool {
	r, m, res := w.r, s.m, w.c.res
	if s.acking == 0 {
		m.acks++
		if m.acks == 2 {
			res.HandledTwice++
		}
	}
	connected := w.connected()
	if connected && m.seq >= w.c.cursor && w.c.cfg.Ack != AckNone {
		s.unsung = true // the consumer was set back by a kill
	}
	if connected && !s.unsung {
		res.Acked++
		if !m.confirmed {
			m.confirmed = true
			took := r.k.now - m.at
			res.Sojourn.Record(took)
			w.c.sum += took
			w.c.acks++
			w.c.worst = max(w.c.worst, took)
		}
		if r.trace != nil {
			r.emit(Event{Kind: EventAcked, Stream: w.c.s.index, Consumer: w.c.index, Worker: w.index, Seq: m.seq, ConsumerSeq: s.cseq, Stored: m.at})
		}
		w.c.ack(m)
		return true
	}
	if s.acking == 0 {
		s.acking = r.k.now + ackPatience
	}
	if r.k.now >= s.acking {
		res.AckLost++
		return true
	}
	at := s.acking
	if !connected {
		at = min(at, w.away)
	}
	s.next = at
	r.k.handled(at, i)
	return false
}

// ticket is the timer of in-progress acks for one message in a worker's hands.
type ticket struct {
	w    *worker
	m    *message
	slot *slot // of the handler, when it has begun
	gen  uint32
	used bool
}

func (r *run) ticket(w *worker, m *message) int32 {
	var i int32
	if n := len(r.freeTickets); n > 0 {
		i = r.freeTickets[n-1]
		r.freeTickets = r.freeTickets[:n-1]
	} else {
		r.tickets = append(r.tickets, ticket{})
		i = int32(len(r.tickets))
	}
	t := &r.tickets[i-1]
	t.w, t.m, t.slot, t.used = w, m, nil, true
	r.k.schedule(r.k.now+int64(w.g.InProgress), evProgress, i, t.gen)
	return i
}

func (r *run) endTicket(i int32) {
	t := &r.tickets[i-1]
	t.gen++
	t.w, t.m, t.slot, t.used = nil, nil, nil, false
	r.freeTickets = append(r.freeTickets, i)
}

// inProgress sends an in-progress ack and plans the next.
func (r *run) inProgress(i int32, gen uint32) {
	t := &r.tickets[i-1]
	if !t.used || t.gen != gen {
		return
	}
	if t.w.stall > r.k.now {
		r.k.schedule(t.w.stall, evProgress, i, gen)
		return
	}
	if t.slot != nil && t.slot.end <= r.k.now {
		return
	}
	if t.w.connected() {
		t.w.c.progress(t.m)
	}
	r.k.schedule(r.k.now+int64(t.w.g.InProgress), evProgress, i, gen)
}
