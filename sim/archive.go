package sim

// summary is what is kept of a segment that every consumer has read, of a stream
// whose messages cannot be drawn again.
type summary struct {
	first, last int64 // stored
	bytes       int64 // of what was live
	live        int
	unread      int // of them, taken by no consumer's filters
}

// archiveMargin is how far behind every consumer a segment has to be where a
// kill may set consumers back by stateAge.
const archiveMargin = 1 << 16

// archive puts the details of segments away that every consumer has passed, so
// that a stream that keeps what was read does not fill memory.
//
// Models: count, bytes and age of what is kept, exact for every 1,024 messages;
// in between sizes are the segment's mean and times are even.
// Ignores: subjects of what was archived; streams with consumers that are made
// later, which could read it again, are not archived.
// Source: none: it is about the simulator's memory.
func (s *stream) archive() {
	if s.cfg.Retention != Limits || s.r.opt.shuffle || s.r.opt.awake {
		return
	}
	upTo := s.store.last + 1
	for _, c := range s.consumers {
		if c.cfg.ordered || c.cfg.CreateAt > 0 || !c.alive {
			return
		}
		upTo = min(upTo, c.cursor)
	}
	if s.r.kills {
		upTo -= min(upTo, archiveMargin)
	}
	for s.archived+segmentLen < upTo {
		if g := s.store.segment(s.archived + 1); g != nil && g.n == segmentLen && g.live > 0 && !g.asleep {
			s.summarise(g)
		}
		s.archived += segmentLen
	}
}

func (s *stream) summarise(g *segment) {
	sum := &summary{first: g.at[0], last: g.at[segmentLen-1], live: g.live}
	for i := range segmentLen {
		if !g.stored(i) {
			continue
		}
		sum.bytes += int64(g.size[i])
		key := uint32(0)
		if s.store.keyed {
			key = g.key[i]
		}
		wanted := false
		for _, c := range s.consumers {
			wanted = wanted || c.matches(key)
		}
		if !wanted {
			sum.unread++
		}
	}
	g.sum, g.asleep = sum, true
	s.store.awake -= int64(g.live)
	s.store.lend(g)
}

// unfold fills a segment from its summary.
func (s *stream) unfold(g *segment) {
	sum := g.sum
	each, rest := sum.bytes/int64(sum.live), sum.bytes%int64(sum.live)
	for i := range segmentLen {
		g.at[i] = sum.first + (sum.last-sum.first)/(segmentLen-1)*int64(i)
		g.size[i] = 0
		if s.store.keyed {
			g.key[i] = 0
		}
		if g.stored(i) {
			g.size[i] = int32(each)
			if rest > 0 {
				g.size[i]++
				rest--
			}
		}
	}
	g.at[segmentLen-1] = sum.last
}

// evictArchived removes a message of which only the summary was kept. Every
// consumer has read it.
func (s *stream) evictArchived(sum *summary, seq uint64) {
	if sum.unread > 0 {
		sum.unread--
		s.res.LostUnread++
		s.r.emit(Event{Kind: EventUnread, Stream: s.index, Seq: seq})
	}
	for _, c := range s.consumers {
		if !c.alive {
			continue
		}
		if m := c.order.find(seq); m != nil {
			c.terminated(m)
		} else if m := c.stranded[seq]; m != nil {
			c.forgetStranded(m)
		}
	}
}
