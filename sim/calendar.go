package sim

import "math/bits"

// calendar holds what is to come: the near future by days, each a short list in
// order, and the rest in a heap. Most events are near and cost a look at their
// day. Any entry may be in the heap, so what finds its day full, or too far away,
// costs what a heap costs and no more.
type calendar struct {
	far   eventHeap
	days  *[daysKept]day
	full  [daysKept / 64]uint64 // which days have entries
	shift uint                  // the length of a day is 1<<shift ns
	today int64                 // no entry is before it
	first int64                 // first day with entries, or noDay

	taken int64 // entries, since the length of a day was looked at
	since int64
}

// day is a list in ascending order, from head to end. It lies in one piece, so
// that a look at it is one look at memory.
type day struct {
	items     [dayLen]entry
	head, end uint32
}

const (
	daysKept   = 256 // a power of two
	dayLen     = 7   // entries: with these a day is less than two lines of the cache
	noDay      = int64(1) << 62
	firstShift = 16 // 66 µs
	lookAtDays = 1 << 13
)

// newCalendar has nothing to come.
func newCalendar() calendar {
	return calendar{days: new([daysKept]day), first: noDay, shift: firstShift}
}

func (c *calendar) push(e entry) {
	n := e.at >> c.shift
	if n-c.today >= daysKept {
		c.far.push(e)
		return
	}
	i := n & (daysKept - 1)
	d := &c.days[i]
	at := d.end
	if at >= dayLen {
		c.far.push(e)
		return
	}
	for at > d.head && e.before(&d.items[at-1]) {
		d.items[at] = d.items[at-1]
		at--
	}
	d.items[at] = e
	d.end++
	c.full[i>>6] |= 1 << (i & 63)
	c.first = min(c.first, n)
}

// place says where the earliest entry is.
type place uint8

const (
	nowhere place = iota
	nearby        // the head of the first day
	faraway       // the root of the heap
)

// took drops the earliest entry, whose time is at.
func (c *calendar) took(at int64, from place) {
	if from == faraway {
		c.far.hole = true
	} else {
		i := c.first & (daysKept - 1)
		d := &c.days[i]
		if d.head++; d.head == d.end {
			d.head, d.end = 0, 0
			c.full[i>>6] &^= 1 << (i & 63)
			c.first = c.next()
		}
	}
	c.today = at >> c.shift
	if c.taken++; c.taken == lookAtDays {
		c.fit(at)
	}
}

// next is the first day with entries behind the one that is over.
func (c *calendar) next() int64 {
	from := (c.first + 1) & (daysKept - 1)
	w := from >> 6
	if x := c.full[w] >> (from & 63); x != 0 {
		return c.first + 1 + int64(bits.TrailingZeros64(x))
	}
	for k := int64(1); k <= daysKept/64; k++ {
		i := (w + k) & (daysKept/64 - 1)
		if x := c.full[i]; x != 0 {
			return c.first + 1 + (i<<6+int64(bits.TrailingZeros64(x))-from)&(daysKept-1)
		}
	}
	return noDay
}

// fit makes days about as long as the time between two events. The order of
// events does not depend on it.
func (c *calendar) fit(now int64) {
	shift := uint(bits.Len64(uint64((now - c.since) / lookAtDays)))
	c.taken, c.since = 0, now
	if shift == c.shift || shift == c.shift+1 {
		return
	}
	for c.first != noDay {
		i := c.first & (daysKept - 1)
		d := &c.days[i]
		for _, e := range d.items[d.head:d.end] {
			c.far.push(e)
		}
		d.head, d.end = 0, 0
		c.full[i>>6] &^= 1 << (i & 63)
		c.first = c.next()
	}
	c.shift = max(1, shift)
	c.today = now >> c.shift
}
