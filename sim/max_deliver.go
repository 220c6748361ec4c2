package sim

// exhausted strands a message whose last wait ran out.
//
// Models: max_deliver deliveries, then the last wait, then an advisory and the
// end of the pending entry, which frees its max_ack_pending slot; the message
// stays in the stream, num_redelivered keeps counting it, the ack floor stays
// below it, and a late ack still removes it.
// Ignores: a later rise of max_deliver (the server does not deliver again
// either).
// Source: nats-server v2.15.2 consumer.go hasMaxDeliveries; measured.
func (c *consumer) exhausted(m *message) bool {
	if c.cfg.MaxDeliver <= 0 || int(m.deliveries) < c.cfg.MaxDeliver {
		return false
	}
	c.strand(m)
	return true
}

// beyondMaxDeliver strands a message that a nak has queued once too often.
// Source: nats-server v2.15.2 consumer.go getNextMsg.
func (c *consumer) beyondMaxDeliver(m *message) bool {
	if c.cfg.MaxDeliver <= 0 || int(m.deliveries) <= c.cfg.MaxDeliver {
		return false
	}
	m.deliveries--
	c.strand(m)
	return true
}

func (c *consumer) strand(m *message) {
	c.res.MaxDeliveries++
	c.advise(EventMaxDeliver, m)
	c.drop(m)
	c.count(m, true)
	m.stranded = true
	c.stranded[m.seq] = m // keeps the reference of the pending entry
	c.order.settle(&c.r.messages)
}

// forgetStranded is a late ack, or the end of the message.
func (c *consumer) forgetStranded(m *message) {
	m.stranded = false
	delete(c.stranded, m.seq)
	c.count(m, false)
	c.r.messages.release(m)
}
