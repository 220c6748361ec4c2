package sim

import "time"

// Heartbeat of an ordered subscription, and the time to recreate its consumer.
// Source: nats.go v1.55.0 js.go orderedHeartbeatsInterval; measured.
const (
	orderedHeartbeat = int64(5 * time.Second)
	orderedRecreate  = int64(time.Millisecond)
)

// orderedLoop is the older ordered push subscription. (The ordered pull
// consumer is Consume on a consumer of its own.)
//
// Models: a message out of turn is a gap, after which the consumer is made anew
// behind the last message kept; while more than half of the client's limit is
// in use that waits; a gap with nothing behind it is noticed at a heartbeat,
// 5 s after the last message.
// Ignores: a consumer that cannot be recreated.
// Source: nats.go v1.55.0 js.go checkOrderedDelivery, tryResetOrderedConsumer.
type orderedLoop struct {
	expected uint64 // consumer sequence
	last     uint64 // stream sequence kept last
	due      bool   // a reset waits for room
	making   bool   // the new consumer is on its way
	lastSent int64
}

func (o *orderedLoop) begin(w *worker) {
	o.expected = 1
	c := w.c
	if !c.alive {
		c.create()
	}
	c.readers = append(c.readers[:0], w)
	o.lastSent = w.r.k.now
	w.r.k.schedule(w.r.k.now+orderedHeartbeat, evOrdered, w.index, w.conn)
	c.pump()
}

func (o *orderedLoop) admit(w *worker, d *delivery) bool {
	if o.making {
		return false // of the consumer that is given up
	}
	if o.due {
		o.reset(w)
		w.c.res.Dropped++
		return false
	}
	if d.cseq != o.expected {
		o.reset(w)
		return false
	}
	o.expected++
	o.last = d.m.seq
	return true
}

// reset makes the consumer anew when there is room for what it will send.
func (o *orderedLoop) reset(w *worker) {
	if limit := w.g.PendingMsgs; limit > 0 && w.held() > limit/2 {
		o.due = true
		return
	}
	if limit := w.g.PendingBytes; limit > 0 && w.heldBytes() > limit/2 {
		o.due = true
		return
	}
	o.due, o.making = false, true
	w.c.readers = w.c.readers[:0]
	w.r.k.push(event{at: w.r.k.now + orderedRecreate, kind: evOrdered, target: w.index, gen: w.conn, arg: 1})
}

// room is called when a message has left the client's queue.
func (o *orderedLoop) room(w *worker) {
	if o.due {
		o.reset(w)
	}
}

// recreate begins behind the last message kept.
func (o *orderedLoop) recreate(w *worker) {
	c := w.c
	o.making, o.expected = false, 1
	c.held.letGo(&w.r.messages)
	c.dseq = 1
	c.cursor = max(1, o.last+1)
	c.delivered, c.floor = [2]uint64{}, [2]uint64{}
	c.flow = flowControl{}
	c.flow.prepare(c)
	c.countPending()
	c.res.Recreated++
	c.readers = append(c.readers[:0], w)
	c.pump()
}

// heartbeat notices a gap behind which nothing came.
func (o *orderedLoop) heartbeat(w *worker) {
	now := w.r.k.now
	last := max(o.lastSent, w.c.lastActive)
	if now-last < orderedHeartbeat {
		w.r.k.schedule(last+orderedHeartbeat, evOrdered, w.index, w.conn)
		return
	}
	o.lastSent = now
	w.r.k.schedule(now+orderedHeartbeat, evOrdered, w.index, w.conn)
	if !o.making && (o.due || w.c.dseq-1 >= o.expected) {
		o.reset(w)
	}
}
