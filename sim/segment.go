package sim

import "math/bits"

// segmentLen is the number of sequences in a segment.
const segmentLen = 1024

// segment holds what is stored of segmentLen sequences in a row. One that is
// full and that nobody reads any more is put away: it keeps what is needed to
// draw its messages again from their seeds.
type segment struct {
	base   uint64 // sequence of the first place
	n      int    // places used
	live   int    // messages stored
	at     []int64
	size   []int32
	key    []uint32 // nil where the stream has one subject
	need   []uint16 // consumers that have yet to ack: interest retention only
	gone   [segmentLen / 64]uint64
	again  redraw // where its messages can be drawn from again
	asleep bool
	sum    *summary // of one that was archived
}

func (g *segment) stored(i int) bool { return g.gone[i>>6]&(1<<(i&63)) == 0 }

// segments is the stored part of a stream: segments by sequence, nil where
// nothing is left.
type segments struct {
	dir      []*segment // of sequences firstDir*segmentLen+1 on
	firstDir uint64
	last     uint64 // sequence
	first    uint64 // sequence of the first message, or last+1
	msgs     int64
	bytes    int64
	awake    int64 // messages in memory
	free     []*segment
	spare    []*segment // memory only
	keyed    bool
	counted  bool // interest retention
	wake     func(*segment)
}

func (s *segments) segment(seq uint64) *segment {
	i := (seq-1)/segmentLen - s.firstDir
	if i >= uint64(len(s.dir)) {
		return nil
	}
	return s.dir[i]
}

// add stores the next sequence.
func (s *segments) add(at int64, size int32, key uint32, need uint16) uint64 {
	s.last++
	g := s.segment(s.last)
	if g == nil {
		g = s.grow()
	}
	if s.msgs == 0 {
		s.first = s.last
	}
	i := g.n
	g.n++
	g.live++
	g.at[i], g.size[i] = at, size
	if s.keyed {
		g.key[i] = key
	}
	if s.counted {
		g.need[i] = need
	}
	s.msgs++
	s.awake++
	s.bytes += int64(size)
	return s.last
}

// skip uses a sequence for a message that is not kept.
func (s *segments) skip() uint64 {
	s.add(0, 0, 0, 0)
	s.remove(s.last)
	return s.last
}

func (s *segments) grow() *segment {
	var g *segment
	if n := len(s.free); n > 0 {
		g = s.free[n-1]
		s.free = s.free[:n-1]
		*g = segment{at: g.at, size: g.size, key: g.key, need: g.need}
	} else {
		g = &segment{}
	}
	g.base = (s.last-1)/segmentLen*segmentLen + 1
	s.furnish(g)
	if len(s.dir) == 0 {
		s.firstDir = (s.last - 1) / segmentLen
	}
	for s.firstDir+uint64(len(s.dir)) < (s.last-1)/segmentLen {
		s.dir = append(s.dir, nil)
	}
	s.dir = append(s.dir, g)
	return g
}

// lend keeps the memory of a segment that is put away for another one.
func (s *segments) lend(g *segment) {
	if len(s.spare) < 64 {
		s.spare = append(s.spare, &segment{at: g.at, size: g.size, key: g.key})
	}
	g.at, g.size, g.key = nil, nil, nil
}

func (s *segments) furnish(g *segment) {
	if n := len(s.spare); g.at == nil && n > 0 {
		g.at, g.size, g.key = s.spare[n-1].at, s.spare[n-1].size, s.spare[n-1].key
		s.spare = s.spare[:n-1]
	}
	if g.at == nil {
		g.at, g.size = make([]int64, segmentLen), make([]int32, segmentLen)
	}
	if s.keyed && g.key == nil {
		g.key = make([]uint32, segmentLen)
	}
	if s.counted && g.need == nil {
		g.need = make([]uint16, segmentLen)
	}
}

// has says whether seq is stored.
func (s *segments) has(seq uint64) bool {
	if seq == 0 || seq > s.last || seq < s.first {
		return false
	}
	g := s.segment(seq)
	return g != nil && g.stored(int(seq-g.base))
}

// remove takes seq out, if it is stored.
func (s *segments) remove(seq uint64) bool {
	if !s.has(seq) {
		return false
	}
	g := s.segment(seq)
	if g.asleep {
		s.wake(g)
	}
	i := int(seq - g.base)
	g.gone[i>>6] |= 1 << (i & 63)
	g.live--
	s.msgs--
	s.awake--
	s.bytes -= int64(g.size[i])
	if seq == s.first {
		s.first = s.next(seq + 1)
	}
	if g.live == 0 && g.n == segmentLen {
		s.drop(g)
	}
	return true
}

func (s *segments) drop(g *segment) {
	s.dir[(g.base-1)/segmentLen-s.firstDir] = nil
	if len(s.free) < 64 {
		s.free = append(s.free, g)
	}
	lead := 0
	for lead < len(s.dir) && s.dir[lead] == nil {
		lead++
	}
	// Shift only when half is empty, so that it costs nothing on average.
	if lead == len(s.dir) || lead > 32 && lead > len(s.dir)/2 {
		n := copy(s.dir, s.dir[lead:])
		clear(s.dir[n:])
		s.dir = s.dir[:n]
		s.firstDir += uint64(lead)
	}
}

// next is the first stored sequence from seq on, or last+1.
func (s *segments) next(seq uint64) uint64 {
	seq = max(seq, 1)
	for seq <= s.last {
		g := s.segment(seq)
		if g == nil || g.live == 0 {
			d := (seq - 1) / segmentLen
			if d < s.firstDir {
				d = s.firstDir - 1
			}
			seq = (d+1)*segmentLen + 1
			continue
		}
		i := int(seq - g.base)
		for i < g.n {
			if free := ^g.gone[i>>6] >> (i & 63); free != 0 {
				if i += bits.TrailingZeros64(free); i < g.n {
					return g.base + uint64(i)
				}
				break
			}
			i = (i>>6 + 1) << 6
		}
		seq = g.base + segmentLen
	}
	return s.last + 1
}
