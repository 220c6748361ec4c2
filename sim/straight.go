package sim

// setPlain decides whether the consumer's messages may go the straight way.
func (c *consumer) setPlain() {
	g := c.cfg
	c.plain = !g.Push && g.Ack != AckNone && g.Priority == PriorityNone && !g.ReplayOriginal && c.rate.burst == 0 && !c.r.opt.detour
}

// straight takes a message that has just been stored to a worker, where nothing
// stands between them: the message is the only one to deliver, and a request of a
// fetch is open. It says whether it did.
//
// It is pump, waitQueue.next, take, deliver and receive in one, because most
// messages of a system that keeps up go this way, and under js/wasm a call costs
// as much as the work in it. TestStraight holds it to them, event by event.
func (c *consumer) straight(seq uint64, key uint32, size int32) bool {
	now := c.r.k.now
	p := c.waiting.head
	if p == nil || !c.plain || !c.alive || c.match != nil && !c.match[key>>keyBits] || seq < c.cursor || c.npc != 0 || c.again.head != nil || c.held.m != nil || c.full() || c.stallSince >= 0 || c.waiting.noWaits != 0 ||
		c.pausedUntil > now || c.away || c.s.gone || c.revived != nil || seq < c.resume {
		return false
	}
	w := p.w
	atOnce := w.takesAtOnce()
	if p.dead || p.bytes > 0 || p.expires <= now || !w.fetches || w.wire.frozen || !atOnce && w.g.InProgressHeld {
		return false
	}
	q := &c.waiting
	p.n--
	p.d++
	over := p.n == 0
	if over {
		q.unlink(nil, p)
	} else if p.next != nil { // behind the others
		q.head = p.next
		p.next = nil
		q.tail.next = p
		q.tail = p
	}
	m := c.r.messages.get()
	m.seq, m.at, m.size, m.key, m.deliveries = seq, now, size, key, 1
	m.cseq, m.first, m.stamp, m.pending, m.refs = c.dseq, now, now, true, 2 // pending, and in the handler's hands
	c.dseq++
	c.res.Sent++
	c.lastActive = now
	c.cursor = seq + 1
	if c.cursor%segmentLen == 1 {
		c.s.left(seq)
	}
	c.delivered[0], c.delivered[1] = m.cseq, max(c.delivered[1], seq)
	c.pending++
	c.res.MaxAckPending = max(c.res.MaxAckPending, c.pending)
	if c.order.add(m) {
		m.wait = inOrder
		c.wakeBy(now + c.waits[0].wait)
	} else {
		c.startWait(m)
	}
	if over {
		q.done(p)
	}
	w.fetch.received(w, over)
	if atOnce {
		w.start(m, m.cseq, now, 1, 0)
		return true
	}
	w.keep(m, m.cseq, now, 1)
	if len(w.idle) > 0 {
		w.work()
	}
	return true
}

// takesAtOnce says whether a message that arrives begins at once.
func (w *worker) takesAtOnce() bool {
	return w.fetches && len(w.idle) > 0 && w.queue.len() == 0 && w.stall <= w.r.k.now && !w.wire.frozen
}
