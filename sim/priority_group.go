package sim

// eligibility says whether a request may take the next message.
type eligibility uint8

const (
	servable eligibility = iota
	notNow
	never
)

// eligible applies the priority policy.
//
// Models: pinned_client gives everything to the client whose request was first,
// until it has not asked for priority_timeout; overflow serves a request with
// min_pending or min_ack_pending only above it; prioritized serves the lowest
// number first.
// Ignores: more than one group, unpin by an administrator.
// Source: nats-server v2.15.2 consumer.go nextWaiting, setPinnedTimer; measured.
func (c *consumer) eligible(p *pullRequest) eligibility {
	switch c.cfg.Priority {
	case PriorityPinnedClient:
		switch {
		case c.pinned == 0 && p.pin == 0:
			c.pin(p)
		case p.pin != 0 && p.pin != c.pinned:
			return never
		case p.pin == 0 && c.pinned != 0:
			return notNow
		}
	case PriorityOverflow:
		if p.minPend > 0 || p.minAcks > 0 {
			above := p.minPend > 0 && p.minPend <= c.npc || p.minAcks > 0 && p.minAcks <= c.pending
			if !above {
				return notNow
			}
		}
	}
	return servable
}

func (c *consumer) pin(p *pullRequest) {
	c.pins++
	c.pinned = c.pins
	p.pin = c.pinned
	c.r.emit(Event{Kind: EventPinned, Stream: c.s.index, Consumer: c.index})
	c.setPinTimer()
}

func (c *consumer) setPinTimer() {
	d := c.cfg.PriorityTimeout
	if d <= 0 {
		d = defaultPriorityTimeout
	}
	c.pinGen++
	c.r.k.schedule(c.r.k.now+int64(d), evPin, c.index, c.pinGen)
}

// checkPin refuses a request with the pin of another; the right one keeps the
// pin for another priority_timeout.
func (c *consumer) checkPin(p *pullRequest) bool {
	if c.cfg.Priority != PriorityPinnedClient || c.pinned == 0 || p.pin == 0 {
		return true
	}
	if p.pin != c.pinned {
		return false
	}
	c.setPinTimer()
	return true
}

func (c *consumer) unpinIfNew(p *pullRequest) {
	if p.pin != 0 && p.d == 0 && p.pin == c.pinned && p.w.pin == 0 {
		c.pinned = 0
	}
}

func (c *consumer) unpin() {
	c.r.emit(Event{Kind: EventUnpinned, Stream: c.s.index, Consumer: c.index})
	c.pinned = 0
	c.pump()
}
