package sim

import (
	"math"
	"math/bits"
)

// kind says what an event is.
type kind uint8

const (
	evHandled    kind = iota // a handler's work is done
	evPublish                // a publisher is due
	evFetch                  // a worker's request reaches the server
	evAckTimer               // a consumer looks at what is pending
	evPullExpiry             // a consumer looks at its waiting requests
	evNak                    // a nak reaches the consumer
	evWake                   // an idle subscription starts its handler
	evProgress               // an in-progress ack is due
	evAge                    // a stream looks at its oldest message
	evRate                   // rate_limit_bps lets the next message go
	evPin                    // priority_timeout of the pinned client
	evInactive               // inactive_threshold of a consumer
	evFetchLost              // a client stops waiting for a request that is lost
	evOrdered                // an ordered reader looks for a gap
	evWorker                 // a worker starts, stops or comes back
	evConsumer               // a consumer is created
	evFault                  // a fault begins or ends
	evWrite                  // write_deadline of a connection
	evSample                 // the time series take a point
	noEvent                  // there is nothing to come
)

// event is a thing to do at an instant. What is meant by target depends on the
// kind; an event whose gen is not its target's any more is void.
type event struct {
	at     int64
	target int32
	gen    uint32
	kind   kind
	arg    uint8
}

// kernel is the clock and what is to come: publishes in a heap of their own,
// because there are few publishers and many publishes, and everything else.
type kernel struct {
	now      int64
	main     calendar
	arrivals eventHeap
	seq      uint64
	events   []event // what the heaps refer to
	free     []uint32
	due      event // the last one that next gave, of kinds that have more than an owner
}

// Order at one instant: samples and faults, then publishes by publisher, then
// the rest as it was scheduled. An entry's order holds that above orderBits, and
// below it whose event it is: a publisher's, a handler's, or the place of the
// event in events.
const (
	orderBits    = 26
	orderPublish = 1 << 62
	orderRest    = 1 << 63
	orderHandled = 1 << (orderBits - 1)
	orderPlace   = orderHandled - 1
)

func (k *kernel) schedule(at int64, kd kind, target int32, gen uint32) {
	k.push(event{at: at, target: target, gen: gen, kind: kd})
}

// publish plans the next publish of a publisher; it has one at a time.
func (k *kernel) publish(at int64, publisher int32) {
	x := entry{max(at, k.now), orderPublish | uint64(publisher)<<orderBits | uint64(publisher)}
	if k.main.shuffle != nil {
		x.order = k.main.shuffled(x.order)
	}
	if h := &k.arrivals; h.hole && len(h.items) == 1 { // there is one publisher
		h.hole = false
		h.items[0] = x
		return
	}
	k.arrivals.push(x)
}

// handled plans the end of a handler's work at an instant that is not over. It has
// no gen: it is void when the handler's work ends at another time.
func (k *kernel) handled(at int64, slot int32) {
	k.seq++
	k.main.push(at, orderRest|k.seq<<orderBits&(orderPublish-1)|orderHandled|uint64(slot))
}

func (k *kernel) push(e event) {
	if e.at < k.now {
		e.at = k.now
	}
	var i uint32
	if n := len(k.free); n > 0 {
		i = k.free[n-1]
		k.free = k.free[:n-1]
		k.events[i] = e
	} else {
		i = uint32(len(k.events))
		k.events = append(k.events, e)
	}
	k.seq++
	order := orderRest | k.seq<<orderBits&(orderPublish-1) | uint64(i)
	if e.kind == evSample || e.kind == evFault {
		order &^= orderRest
	}
	k.main.push(e.at, order)
}

// next takes the earliest event, sets the clock, and says what it is and whose: a
// publisher, a handler, or, of any other kind, what stands in due. noEvent is
// the end.
func (k *kernel) next() (kind, int32) {
	c := &k.main
	if k.arrivals.hole {
		k.arrivals.fill()
	}
	if c.far.hole {
		c.far.fill()
	}
	at, order := int64(math.MaxInt64), uint64(math.MaxUint64)
	from := nowhere
	var d *day
	if c.first != noDay {
		d = &c.days[c.first&(daysKept-1)]
		x := &d.items[min(d.head, dayLen-1)] // in bounds, and known to be
		at, order, from = x.at, x.order, nearby
	}
	if f := c.far.items; len(f) > 0 && (f[0].at < at || f[0].at == at && f[0].order < order) {
		at, order, from = f[0].at, f[0].order, faraway
	}
	if a := k.arrivals.items; len(a) > 0 && (a[0].at < at || a[0].at == at && a[0].order < order) {
		k.arrivals.hole = true
		k.now = a[0].at
		return evPublish, int32(a[0].order & orderPlace)
	}
	switch from {
	case nowhere:
		return noEvent, 0
	case faraway:
		c.far.hole = true
	default:
		if d.head++; d.head == d.end {
			c.over(d)
		}
	}
	c.today = at >> c.shift
	if c.taken++; c.taken == lookAtDays {
		c.fit(at)
	}
	k.now = at
	i := uint32(order & orderPlace)
	if order&orderHandled != 0 {
		return evHandled, int32(i)
	}
	k.free = append(k.free, i)
	k.due = k.events[i]
	return k.due.kind, k.due.target
}

// entry is an event's place in a heap: 16 bytes, so that four children are one
// line of the cache.
type entry struct {
	at    int64
	order uint64
}

func (e *entry) before(o *entry) bool {
	return e.at < o.at || e.at == o.at && e.order < o.order
}

// eventHeap is a heap with four children. The event being worked on leaves a
// hole at the root, which the next one pushed fills, so a step costs one sift.
type eventHeap struct {
	items []entry
	hole  bool
}

func (h *eventHeap) push(e entry) {
	if h.hole {
		h.hole = false
		h.down(e)
		return
	}
	h.items = append(h.items, e)
	items := h.items
	i := len(items) - 1
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(&items[p]) {
			break
		}
		items[i] = items[p]
		i = p
	}
	items[i] = e
}

// fill closes the hole that nothing has filled.
func (h *eventHeap) fill() {
	h.hole = false
	last := len(h.items) - 1
	e := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.down(e)
	}
}

// least is the place of the first of four, without a branch: which one it is
// cannot be foreseen, and a wrong guess costs more than the comparison.
func least(c *[4]entry) int {
	a := c[1].sooner(&c[0])
	b := 2 + c[3].sooner(&c[2])
	return int(a ^ (a^b)&-c[b&3].sooner(&c[a&3]))
}

// sooner is 1 when e is before o, else 0: the borrow of a long subtraction.
func (e *entry) sooner(o *entry) uint64 {
	_, borrow := bits.Sub64(e.order, o.order, 0)
	_, borrow = bits.Sub64(uint64(e.at), uint64(o.at), borrow)
	return borrow
}

// down puts e at the root and lets it sink.
func (h *eventHeap) down(e entry) {
	items := h.items
	i := 0
	for {
		first := 4*i + 1
		if first+4 > len(items) {
			break
		}
		least := first + least((*[4]entry)(items[first:]))
		if !items[least].before(&e) {
			items[i] = e
			return
		}
		items[i] = items[least]
		i = least
	}
	// Fewer than four children, if any, and no grandchildren.
	if c := 4*i + 1; c < len(items) {
		first := c
		for c++; c < len(items); c++ {
			if items[c].before(&items[first]) {
				first = c
			}
		}
		if items[first].before(&e) {
			items[i] = items[first]
			i = first
		}
	}
	items[i] = e
}

// fifo is a queue that reuses its memory.
type fifo[T any] struct {
	items []T
	head  int
}

func (q *fifo[T]) len() int { return len(q.items) - q.head }

func (q *fifo[T]) push(v T) {
	if q.head > 0 && len(q.items) == cap(q.items) && q.head >= len(q.items)/2 {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	q.items = append(q.items, v)
}

func (q *fifo[T]) front() *T { return &q.items[q.head] }

func (q *fifo[T]) pop() T {
	var zero T
	v := q.items[q.head]
	q.items[q.head] = zero
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return v
}

// room is push for what is filled in place, every field of it: under js/wasm a copy
// of more than two words is a call.
func (q *fifo[T]) room() *T {
	if n := len(q.items); n < cap(q.items) {
		q.items = q.items[:n+1]
	} else {
		var zero T
		q.push(zero)
	}
	return &q.items[len(q.items)-1]
}

// skip is pop for what refers to nothing that has to be let go.
func (q *fifo[T]) skip() {
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
}
