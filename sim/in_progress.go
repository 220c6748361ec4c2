package sim

// progress takes an in-progress ack.
//
// Models: the ack wait (with backoff: the current step) starts again. A message
// that already ran out stays queued for redelivery. Only the message that the
// client names is helped: the rest of a batch needs its own.
// Ignores: nothing known.
// Source: nats-server v2.15.2 consumer.go progressUpdate; measured.
func (c *consumer) progress(m *message) {
	c.res.InProgress++
	if !c.alive || !m.pending {
		return
	}
	if m.queued {
		m.stamp = c.r.k.now
		return
	}
	i := c.step(m)
	c.stopWait(m)
	m.stamp = c.r.k.now
	c.waits[i].push(m, int32(i))
}
