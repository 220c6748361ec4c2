package sim

// mostPhases bounds what a place to draw from again costs: beyond it segments
// stay in memory.
const mostPhases = 256

// redraw is where a segment's messages can be drawn from again: for each
// publisher of the stream the number of its last message before the segment,
// and the state of its schedule.
type redraw []publisherState

type publisherState struct {
	n      uint64
	next   int
	phases []phaseState
}

type phaseState struct{ done, at int64 }

// setRedraw decides whether segments of the stream can be put away: its
// publishers must be such that nothing feeds back on what they send and when,
// and the stream must take everything.
func (s *stream) setRedraw() {
	if s.cfg.DiscardNew || s.cfg.MaxMsgSize > 0 || s.cfg.Retention == Interest || s.r.opt.shuffle || s.r.opt.awake {
		return
	}
	for i := range s.r.w.Faults {
		switch s.r.w.Faults[i].Kind {
		case FaultStall, FaultFreeze, FaultCrash, FaultSlow, FaultPause, FaultPurge, FaultDeleteConsumer:
		default:
			return
		}
	}
	phases := 0
	var from []*publisher
	for _, p := range s.r.pubs {
		if p.s != s {
			continue
		}
		open := p.cfg.Mode == PublishCore || p.cfg.Mode == PublishAsync && p.cfg.InFlight == 0
		if !open || p.cfg.Retry != nil || p.cfg.MsgID != nil {
			return
		}
		phases += 1 + len(p.cfg.Phases)
		from = append(from, p)
	}
	if phases > mostPhases {
		return
	}
	s.from = from
	s.nextDraw = s.capture()
}

// capture notes where the publishers are.
func (s *stream) capture() redraw {
	d := make(redraw, len(s.from))
	for i, p := range s.from {
		d[i].n, d[i].next = p.n, p.plan.next
		d[i].phases = make([]phaseState, len(p.plan.phases))
		for j, ph := range p.plan.phases {
			d[i].phases[j] = phaseState{ph.done, ph.at}
		}
	}
	return d
}

// seal is called when a message has been stored: a segment that is full may be
// put away, and the next one begins here.
func (s *stream) seal(seq uint64) {
	if s.from == nil {
		s.archive()
		return
	}
	g := s.store.segment(seq)
	next := s.capture()
	if g != nil {
		g.again = s.nextDraw
		s.rest(g)
	}
	s.nextDraw = next
}

// rest puts a full segment away that no consumer is about to read.
func (s *stream) rest(g *segment) {
	if g.again == nil || g.asleep || g.live == 0 {
		return
	}
	end := g.base + segmentLen
	for _, c := range s.consumers {
		if !c.alive {
			continue
		}
		inside := c.cursor >= g.base && c.cursor < end
		if inside || c.cursor >= end && s.cfg.Retention != Limits {
			return
		}
	}
	g.asleep = true
	s.store.awake -= int64(g.live)
	s.store.lend(g)
}

// wake draws the messages of a segment again.
func (s *stream) wake(g *segment) {
	g.asleep = false
	s.store.furnish(g)
	s.store.awake += int64(g.live)
	if g.sum != nil {
		s.unfold(g)
		return
	}
	s.drawAll(g)
}

// drawAll runs the publishers from where they were, without the simulation.
func (s *stream) drawAll(g *segment) {
	plans := make([]schedule, len(s.from))
	numbers := make([]uint64, len(s.from))
	for i, p := range s.from {
		st := &g.again[i]
		numbers[i] = st.n
		plans[i] = p.plan
		plans[i].next = st.next
		plans[i].phases = append([]phase(nil), p.plan.phases...)
		for j := range plans[i].phases {
			plans[i].phases[j].done, plans[i].phases[j].at = st.phases[j].done, st.phases[j].at
		}
	}
	for at := range segmentLen {
		first, when, which := -1, int64(0), 0
		for i := range plans {
			if t, w := plans[i].due(); w >= 0 && (first < 0 || t < when) {
				first, when, which = i, t, w
			}
		}
		plans[first].advance(which)
		numbers[first]++
		var a attempt
		s.from[first].draw(&a, numbers[first])
		g.at[at], g.size[at] = when, int32(s.recordBytes(&a))
		if s.store.keyed {
			g.key[at] = a.key
		}
	}
}

// left is told that a consumer has gone past a segment.
func (s *stream) left(seq uint64) {
	if s.from == nil {
		return
	}
	if g := s.store.segment(seq); g != nil && g.n == segmentLen {
		s.rest(g)
	}
}
