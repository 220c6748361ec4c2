package sim

import "time"

// replay is replay_policy original.
//
// Models: what was stored before the consumer was made is delivered at the pace
// at which it was stored: a message waits as long after the one before it as it
// was stored after it, and everything of the consumer waits with it. Gaps of up
// to 1 ms are left out. Behind the last message that was there when the consumer
// was made it delivers at once, also after a pause in which nobody asked.
// Ignores: that the request that gets the message is chosen before the wait, and
// that a message which is removed during its wait is delivered all the same.
// Source: nats-server v2.15.2 consumer.go loopAndGatherMsgs.
type replay struct {
	on    bool
	until uint64 // the stream's last sequence when the consumer was made
	begun bool
	last  int64 // when the message delivered last was stored
}

// shortestReplay is the longest gap that is not waited for.
const shortestReplay = int64(time.Millisecond)

func (p *replay) begin(c *consumer) {
	*p = replay{on: c.cfg.ReplayOriginal && c.s.store.last > 0, until: c.s.store.last}
}

// due is when m may go.
func (p *replay) due(m *message, now int64) int64 {
	if !p.on {
		return now
	}
	gap := m.at - p.last
	if !p.begun || gap <= shortestReplay {
		gap = 0
	}
	p.begun, p.last = true, m.at
	return now + gap
}

// caughtUp is called when there is nothing to deliver, or nobody to deliver to.
func (p *replay) caughtUp(c *consumer) {
	if p.on && c.cursor > p.until {
		p.on = false
	}
}
