package sim

import (
	"math/bits"
	"math/rand/v2"
)

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

	shuffle *rand.PCG // test mode: order at one instant is random
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

func (c *calendar) push(at int64, order uint64) {
	if c.shuffle != nil {
		order = c.shuffled(order)
	}
	n := at >> c.shift
	i := n & (daysKept - 1)
	d := &c.days[i]
	place := d.end
	if n-c.today >= daysKept || place >= dayLen {
		c.far.push(entry{at, order})
		return
	}
	for ; place > d.head; place-- {
		before := &d.items[place-1]
		if before.at < at || before.at == at && before.order < order {
			break
		}
		d.items[place] = *before
	}
	d.items[place] = entry{at, order}
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

// over ends the first day, of which every entry was taken.
func (c *calendar) over(d *day) {
	i := c.first & (daysKept - 1)
	d.head, d.end = 0, 0
	c.full[i>>6] &^= 1 << (i & 63)
	c.first = c.next()
}

// shuffled is an order with the same place and a random rest.
func (c *calendar) shuffled(order uint64) uint64 {
	return c.shuffle.Uint64()<<orderBits | order&(1<<orderBits-1)
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
		d := &c.days[c.first&(daysKept-1)]
		for _, e := range d.items[d.head:d.end] {
			c.far.push(e)
		}
		c.over(d)
	}
	c.shift = max(1, shift)
	c.today = now >> c.shift
}
