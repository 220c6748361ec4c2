package sim

// ack takes an ack from a client.
//
// Models: explicit acks one message, all acks everything up to it, none
// ignores it. An ack is welcome at any time, also after ack_wait ran out or
// max_deliver was reached: it removes the message from the queue for
// redelivery, and under workqueue and interest from the stream. Nobody is told
// that a message was acked before. The ack floor is the one that consumer info
// shows.
// Ignores: sampling, replication of acks.
// Source: nats-server v2.15.2 consumer.go processAckMsg, memstore.go
// consumerMemStore.UpdateAcks.
func (c *consumer) ack(m *message) {
	if !c.alive || m.seq >= c.cursor {
		return // a consumer set back by a kill does not know it
	}
	if c.cfg.Ack == AckNone {
		return
	}
	wasFull := c.full()
	switch {
	case c.cfg.Ack == AckAll:
		c.ackUpTo(m)
	case m.pending:
		c.drop(m)
		if c.pending == 0 || m.cseq == c.floor[0]+1 {
			c.moveFloor(m)
		}
		if c.r.kills {
			c.keepRecent(m)
		}
		if c.s.cfg.Retention != Limits {
			c.s.acked(m.seq)
		}
		c.order.settle(&c.r.messages)
		c.r.messages.release(m)
	case m.stranded:
		c.forgetStranded(m)
		c.s.acked(m.seq)
	}
	if wasFull {
		c.pump()
	}
}

// drop takes m off every list but the order list, which settle clears.
func (c *consumer) drop(m *message) {
	m.pending = false
	c.pending--
	if m.wait != inOrder || m.queued || m.counted { // most are on no list
		c.unlist(m)
	}
	m.wait = noWait
}

func (c *consumer) unlist(m *message) {
	c.stopWait(m)
	if m.queued {
		c.again.remove(m)
	}
	if m.counted {
		c.count(m, false)
	}
}

// moveFloor moves the floor past m, if it was the last pending one or the first
// above the floor.
func (c *consumer) moveFloor(m *message) {
	switch {
	case c.pending == 0:
		c.floor = c.delivered
		return
	case m.cseq != c.floor[0]+1:
		return
	}
	c.floor = [2]uint64{m.cseq, m.seq}
	if c.delivered[0] > m.cseq {
		if f := c.order.first(); f != nil && f.seq > m.seq {
			c.floor = [2]uint64{f.cseq - 1, f.seq - 1}
		}
	}
}

func (c *consumer) ackUpTo(m *message) {
	if m.seq <= c.floor[1] {
		return
	}
	c.floor = [2]uint64{m.cseq, m.seq}
	for c.order.q.len() > 0 && (*c.order.q.front()).seq <= m.seq {
		f := c.order.pop()
		if !f.pending {
			c.order.dead--
			c.r.messages.release(f)
			continue
		}
		c.drop(f)
		c.s.acked(f.seq)
		c.r.messages.release(f)
		c.r.messages.release(f)
	}
}
