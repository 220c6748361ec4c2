package sim

import "time"

// watchInactive starts the countdown of inactive_threshold.
//
// Models: a pull consumer that nobody asked and nobody acked for the threshold
// plus a random 0.1 to 1 s is deleted, durable or not; an open request, and a
// message that waits for its ack, prolong it. A push consumer without a
// subscription is deleted after the threshold.
// Ignores: nothing known.
// Source: nats-server v2.15.2 consumer.go updateInactiveThreshold,
// deleteNotActive; measured.
func (c *consumer) watchInactive() {
	d := int64(c.cfg.InactiveThreshold)
	if d <= 0 {
		return
	}
	if !c.cfg.Push {
		d += int64(100*time.Millisecond) + int64(c.r.pick(c.rand, 900))*int64(time.Millisecond)
	}
	c.inactive = d
	c.lastActive = c.r.k.now
	c.planInactive(d)
}

func (c *consumer) planInactive(in int64) {
	c.inactiveGen++
	c.r.k.schedule(c.r.k.now+in, evInactive, c.index, c.inactiveGen)
}

func (c *consumer) checkInactive() {
	if !c.alive {
		return
	}
	idle := c.r.k.now - c.lastActive
	switch {
	case c.cfg.Push && len(c.readers) > 0, !c.cfg.Push && c.waiting.n > 0:
		c.planInactive(c.inactive)
	case idle < c.inactive:
		c.planInactive(c.inactive - idle)
	default:
		last := int64(0)
		for _, m := range c.order.q.items[c.order.q.head:] {
			if m.pending {
				last = max(last, c.deadline(m)+ackWaitDelay+c.inactive)
			}
		}
		if last > c.r.k.now {
			c.planInactive(last - c.r.k.now)
			return
		}
		c.delete()
	}
}

// delete ends a consumer.
func (c *consumer) delete() {
	if !c.alive {
		return
	}
	c.alive = false
	c.res.Deleted = true
	c.s.letGo(c)
	c.held.letGo(&c.r.messages)
	c.waiting.endAll(statusNoResponders, true)
	for _, m := range c.order.q.items[c.order.q.head:] {
		if m.pending {
			c.stopWait(m)
			c.again.remove(m)
			m.pending = false
			c.pending--
		}
	}
	c.npc, c.npb, c.pending = 0, 0, 0
}
