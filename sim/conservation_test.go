package sim

import "fmt"

// conserved holds after every event: nothing appears, nothing vanishes.
func conserved(r *run) error {
	for _, s := range r.streams {
		if err := s.conserved(); err != nil {
			return fmt.Errorf("stream %s: %w", s.cfg.Name, err)
		}
	}
	for _, c := range r.consumers {
		if err := c.conserved(); err != nil {
			return fmt.Errorf("consumer %s: %w", c.cfg.Name, err)
		}
	}
	return nil
}

func (s *stream) conserved() error {
	var stored, duplicates int64
	for _, p := range s.r.pubs {
		if p.s != s {
			continue
		}
		stored += p.res.Stored
		duplicates += p.res.Duplicates
		settled := p.res.Stored + p.res.Duplicates + p.res.GivenUp + int64(len(p.batch))
		if p.sending {
			settled++
		}
		if p.res.Messages < settled || p.cfg.Mode != PublishBatch && p.res.Messages != settled {
			return fmt.Errorf("publisher %s: %d messages, %d stored + %d duplicate + %d given up", p.cfg.Name, p.res.Messages, p.res.Stored, p.res.Duplicates, p.res.GivenUp)
		}
	}
	if s.res.Stored != stored && len(s.r.pubs) > 0 && s.res.Stored < stored {
		return fmt.Errorf("%d stored, publishers count %d", s.res.Stored, stored)
	}
	if uint64(s.res.Stored) != s.store.last || s.res.Duplicates != duplicates {
		return fmt.Errorf("last sequence %d, %d stored, %d duplicates", s.store.last, s.res.Stored, duplicates)
	}
	if s.store.msgs < 0 || s.store.bytes < 0 {
		return fmt.Errorf("%d messages, %d bytes", s.store.msgs, s.store.bytes)
	}
	if s.cfg.MaxMsgs > 0 && s.store.msgs > s.cfg.MaxMsgs {
		return fmt.Errorf("%d messages over max_msgs %d", s.store.msgs, s.cfg.MaxMsgs)
	}
	if s.cfg.MaxBytes > 0 && s.store.bytes > s.cfg.MaxBytes {
		return fmt.Errorf("%d bytes over max_bytes %d", s.store.bytes, s.cfg.MaxBytes)
	}
	return nil
}

func (c *consumer) conserved() error {
	if !c.alive {
		return nil
	}
	if c.npc < 0 || c.pending < 0 || c.counted < 0 {
		return fmt.Errorf("num_pending %d, num_ack_pending %d, num_redelivered %d", c.npc, c.pending, c.counted)
	}
	if c.maxAck > 0 && c.pending > c.maxAck {
		return fmt.Errorf("%d pending over max_ack_pending %d", c.pending, c.maxAck)
	}
	if c.res.Unique > c.res.Deliveries || c.res.HandledTwice > c.res.RunTwice && !c.r.kills {
		return fmt.Errorf("unique %d of %d deliveries, %d handled twice, %d run twice", c.res.Unique, c.res.Deliveries, c.res.HandledTwice, c.res.RunTwice)
	}
	waiting := 0
	for p := c.waiting.head; p != nil; p = p.next {
		waiting++
	}
	if waiting != c.waiting.n || waiting > c.waiting.max {
		return fmt.Errorf("%d requests wait, counted %d, max_waiting %d", waiting, c.waiting.n, c.waiting.max)
	}
	queued, pending, timed := 0, int64(0), int64(0)
	for m := c.again.head; m != nil; m = m.nextQueue {
		if !m.pending {
			return fmt.Errorf("sequence %d is queued and not pending", m.seq)
		}
		queued++
	}
	if queued != c.again.n {
		return fmt.Errorf("%d queued for redelivery, counted %d", queued, c.again.n)
	}
	last, stamp := uint64(0), int64(0)
	for i, m := range c.order.q.items {
		if i < c.order.q.head {
			continue
		}
		if m.seq <= last {
			return fmt.Errorf("sequence %d after %d in the order list", m.seq, last)
		}
		last = m.seq
		if m.wait == inOrder {
			if !m.pending || i < c.order.seen || m.stamp < stamp {
				return fmt.Errorf("sequence %d, pending %v, waits in the order list at %d with a stamp of %d: looked at up to %d, stamp before %d", m.seq, m.pending, i, m.stamp, c.order.seen, stamp)
			}
			stamp = m.stamp
		}
		if !m.pending {
			continue
		}
		pending++
		if m.refs < 2 {
			return fmt.Errorf("sequence %d is pending with %d references", m.seq, m.refs)
		}
		if m.wait != noWait || m.heapAt >= 0 || m.queued {
			timed++
		}
	}
	if pending != c.pending || timed != pending && c.held.m == nil {
		return fmt.Errorf("%d pending, counted %d, %d with a deadline", pending, c.pending, timed)
	}
	return c.pendingIsRest()
}

// pendingIsRest counts num_pending again.
func (c *consumer) pendingIsRest() error {
	n, bytes := int64(0), int64(0)
	for seq := c.s.store.next(c.cursor); seq <= c.s.store.last; seq = c.s.store.next(seq + 1) {
		if _, size, key := c.s.load(seq); c.matches(key) && !c.skipped(seq) {
			n++
			bytes += int64(c.s.wireBytes(size))
		}
	}
	if bytes != c.npb && c.npb >= 0 {
		return fmt.Errorf("%d bytes pending, %d stored behind the cursor %d", c.npb, bytes, c.cursor)
	}
	if n != c.npc {
		return fmt.Errorf("num_pending %d, %d stored behind the cursor %d", c.npc, n, c.cursor)
	}
	return nil
}
