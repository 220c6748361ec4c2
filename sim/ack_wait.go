package sim

import (
	"slices"
	"time"
)

// ackWaitDelay is what the server adds before it looks, so that a burst is
// looked at together.
// Source: nats-server v2.15.2 consumer.go ackWaitDelay.
const ackWaitDelay = int64(time.Millisecond)

// setWaits makes one list for each wait: ack_wait, or the steps of backoff.
func (c *consumer) setWaits() {
	steps := c.cfg.BackOff
	if len(steps) == 0 {
		w := c.cfg.AckWait
		if w <= 0 {
			w = defaultAckWait
		}
		steps = []time.Duration{w}
	}
	for _, w := range steps {
		c.waits = append(c.waits, waitList{wait: int64(w)})
	}
	c.odd.due = c.deadline
}

func (c *consumer) deadline(m *message) int64 {
	return m.stamp + c.waits[c.step(m)].wait
}

// startWait begins the ack wait of a message at its delivery.
//
// Models: the wait counts from the delivery, not from the start of the work;
// the timer fires 1 ms late and takes all that ran out, in order of stream
// sequence. A message that ran out is only queued: it is delivered again when
// somebody asks, and an ack that comes first takes it off the queue.
// Ignores: the time that a scan of many pending messages takes.
// Source: nats-server v2.15.2 consumer.go trackPending, checkPending.
func (c *consumer) startWait(m *message) {
	c.stopWait(m)
	m.stamp = c.r.k.now
	i := c.step(m)
	l := &c.waits[i]
	l.push(m, int32(i))
	c.wakeBy(m.stamp + l.wait)
}

// wakeBy sets the timer for a deadline, unless it fires before.
func (c *consumer) wakeBy(deadline int64) {
	if at := deadline + ackWaitDelay; c.timer == 0 || c.timer > at {
		c.setTimer(at)
	}
}

func (c *consumer) stopWait(m *message) {
	if m.wait >= 0 {
		c.waits[m.wait].remove(m)
	}
	m.wait = noWait
	if m.heapAt >= 0 {
		c.odd.remove(m)
	}
}

func (c *consumer) setTimer(at int64) {
	c.timer = at
	c.timerGen++
	c.r.k.schedule(at, evAckTimer, c.index, c.timerGen)
}

// checkPending queues what ran out and sets the timer anew.
func (c *consumer) checkPending() {
	c.timer = 0
	if !c.alive || c.pending == 0 {
		return
	}
	now := c.r.k.now
	out := c.r.scratch[:0]
	for m := c.order.waiting(); m != nil && m.stamp+c.waits[0].wait <= now; m = c.order.waiting() {
		m.wait = noWait
		out = append(out, m)
	}
	for i := range c.waits {
		l := &c.waits[i]
		for l.head != nil && l.head.stamp+l.wait <= now {
			m := l.head
			l.remove(m)
			out = append(out, m)
		}
	}
	for len(c.odd.items) > 0 && c.deadline(c.odd.items[0]) <= now {
		m := c.odd.items[0]
		c.odd.remove(m)
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *message) int {
		if a.seq < b.seq {
			return -1
		}
		return 1
	})
	for _, m := range out {
		if !m.queued && !c.exhausted(m) {
			c.again.push(m)
		}
	}
	c.r.scratch = out[:0]
	if c.pending > 0 {
		c.setTimer(now + c.untilNext())
	}
	if len(out) > 0 {
		c.pump()
	}
}

// untilNext is the time to the earliest deadline that is left, at least 1 ms.
func (c *consumer) untilNext() int64 {
	next := c.waits[len(c.waits)-1].wait
	if len(c.waits) == 1 {
		next += ackWaitDelay
	}
	now := c.r.k.now
	if m := c.order.waiting(); m != nil {
		next = min(next, m.stamp+c.waits[0].wait-now)
	}
	for i := range c.waits {
		if m := c.waits[i].head; m != nil {
			next = min(next, m.stamp+c.waits[i].wait-now)
		}
	}
	if len(c.odd.items) > 0 {
		next = min(next, c.deadline(c.odd.items[0])-now)
	}
	return max(next, ackWaitDelay)
}

// nextAgain takes the next message that is to be delivered again.
func (c *consumer) nextAgain() *message {
	for c.again.head != nil {
		m := c.again.head
		c.again.remove(m)
		m.deliveries++
		c.count(m, true)
		if c.beyondMaxDeliver(m) {
			continue
		}
		return m
	}
	return nil
}
