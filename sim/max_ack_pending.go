package sim

// full says that max_ack_pending is reached.
//
// Models: one limit for all workers of a consumer; unacked messages and delayed
// naks hold their slot; redeliveries pass; an ack while full starts the flow
// again at once. 1 gives strict order over all workers.
// Ignores: limits of server and account.
// Source: nats-server v2.15.2 consumer.go getNextMsg, processAckMsg.
func (c *consumer) full() bool {
	return c.maxAck > 0 && c.pending >= c.maxAck
}

// stalled keeps the time for which something was to be delivered, somebody
// waited for it, and max_ack_pending did not let it.
func (c *consumer) stalled(on bool) {
	now := c.r.k.now
	switch {
	case on && c.npc > 0 && c.stallSince < 0:
		c.stallSince = now
	case !on && c.stallSince >= 0:
		c.res.StalledAtMaxAckPending += now - c.stallSince
		c.stallSince = -1
	}
}
