package sim

// term takes a term from a client.
//
// Models: it acts as an ack (the message leaves a workqueue or interest stream,
// the floor moves) and never reaches max_deliver; an advisory is sent.
// Ignores: the reason text.
// Source: nats-server v2.15.2 consumer.go processTerm; measured.
func (c *consumer) term(m *message) {
	if !c.alive {
		return
	}
	c.res.Terms++
	c.advise(EventTerminated, m)
	c.ack(m)
}

// terminated ends a message that was removed from the stream while it was in
// flight: as a term, without the client's doing. A purge sends no advisory
// (server consumer.go purge; measured).
func (c *consumer) terminated(m *message) {
	c.res.Terminated++
	if !c.s.purging {
		c.advise(EventTerminated, m)
	}
	wasFull := c.full()
	c.drop(m)
	c.moveFloor(m)
	c.order.settle(&c.r.messages)
	c.r.messages.release(m)
	if wasFull {
		c.pump()
	}
}

func (c *consumer) advise(kind EventKind, m *message) {
	if c.r.trace != nil {
		c.r.emit(Event{Kind: kind, Stream: c.s.index, Consumer: c.index, Seq: m.seq, Delivery: int(m.deliveries)})
	}
}
