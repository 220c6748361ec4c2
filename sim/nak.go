package sim

import "time"

// nakLatency is how much later than the same worker's next pull request a nak
// takes effect: naks and requests wait in different queues of the server, and
// the request usually wins.
const nakLatency = 50 * time.Microsecond

// nak takes a plain nak, when it arrives.
//
// Models: the message is queued at the end, in the order of the naks; it is
// delivered again when a request is open; its ack_pending slot stays taken. The
// nak loses the race against the same worker's next pull request, so that one
// usually gets the next new message.
// Ignores: that the race is now and then won.
// Source: nats-server v2.15.2 consumer.go processNak; measured (nak-burn).
func (c *consumer) nak(m *message) {
	if !c.alive || !m.pending {
		return
	}
	c.res.Naks++
	if !m.queued {
		c.again.push(m)
	}
	c.pump()
}

// nakDelay takes a nak with delay.
//
// Models: the message comes back after the delay, longer or shorter than
// ack_wait. With backoff the server measures from backoff[0] but compares with
// the current step: the gap is delay + backoff[step] - backoff[0].
// Ignores: nothing known.
// Source: nats-server v2.15.2 consumer.go processNak, checkPending; measured
// [100,300,600] ms with 250 ms: 250, 450, 750 ms.
func (c *consumer) nakDelay(m *message, delay time.Duration) {
	if !c.alive || !m.pending {
		return
	}
	c.res.Naks++
	c.again.remove(m)
	c.stopWait(m)
	m.stamp = c.r.k.now - c.waits[0].wait + int64(delay)
	c.odd.push(m)
	if c.timer != 0 {
		c.setTimer(c.r.k.now + int64(10*time.Millisecond))
	}
}
