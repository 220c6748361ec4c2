package sim

import "slices"

// message is one stored message as one consumer sees it, from its first
// delivery until nobody holds it: the pending entry, its place in the queue for
// redelivery and its delivery count, and the copies in workers' hands.
type message struct {
	seq, cseq  uint64 // stream sequence; consumer sequence of the first delivery
	at         int64  // stored
	first      int64  // first delivery
	stamp      int64  // start of its ack wait
	size       int32  // bytes of subject, headers and payload
	key        uint32 // class and key of its subject
	deliveries int32
	refs       int32 // pending, queued or stranded; workers' copies; the order list
	acks, runs int32 // handlers that ended in ack, in any answer
	heapAt     int32 // place in the heap of odd deadlines, or -1
	wait       int32 // list of its deadline, or inOrder, or noWait
	pending    bool
	queued     bool
	stranded   bool
	counted    bool // has a delivery count: shown in num_redelivered
	started    bool
	confirmed  bool // an ack of it was
	forsaken   bool // lost in the hands of a worker, see forsake

	nextWait, prevWait   *message
	nextQueue, prevQueue *message
}

// Messages that are on no list of deadlines.
const (
	noWait  = -1
	inOrder = -2 // its first delivery's wait: the order list has it in order of deadlines too
)

// messages recycles what nobody holds.
type messages struct{ free []*message }

func (p *messages) get() *message {
	if n := len(p.free); n > 0 {
		m := p.free[n-1]
		p.free = p.free[:n-1]
		return m
	}
	return &message{heapAt: -1, wait: noWait}
}

func (p *messages) release(m *message) {
	if m.refs--; m.refs == 0 {
		m.clear()
		p.free = append(p.free, m)
	}
}

// clear makes m new. It is on no list, so its links are nil already; to write
// them again would cost write barriers.
func (m *message) clear() {
	m.seq, m.cseq, m.at, m.first, m.stamp = 0, 0, 0, 0, 0
	m.size, m.key, m.deliveries, m.acks, m.runs = 0, 0, 0, 0, 0
	m.heapAt, m.wait = -1, noWait
	m.pending, m.queued, m.stranded, m.counted, m.started, m.confirmed, m.forsaken = false, false, false, false, false, false, false
}

// queue is the list of messages to deliver again, first come first.
type queue struct {
	head, tail *message
	n          int
}

func (q *queue) push(m *message) {
	m.queued = true
	m.prevQueue, m.nextQueue = q.tail, nil
	if q.tail == nil {
		q.head = m
	} else {
		q.tail.nextQueue = m
	}
	q.tail = m
	q.n++
}

func (q *queue) remove(m *message) {
	if !m.queued {
		return
	}
	m.queued = false
	if m.prevQueue == nil {
		q.head = m.nextQueue
	} else {
		m.prevQueue.nextQueue = m.nextQueue
	}
	if m.nextQueue == nil {
		q.tail = m.prevQueue
	} else {
		m.nextQueue.prevQueue = m.prevQueue
	}
	m.nextQueue, m.prevQueue = nil, nil
	q.n--
}

// waitList holds pending messages with the same wait, in order of their
// deadlines, because each joins at the end when its wait begins.
type waitList struct {
	head, tail *message
	wait       int64
}

func (l *waitList) push(m *message, i int32) {
	m.wait = i
	m.prevWait, m.nextWait = l.tail, nil
	if l.tail == nil {
		l.head = m
	} else {
		l.tail.nextWait = m
	}
	l.tail = m
}

func (l *waitList) remove(m *message) {
	m.wait = noWait
	if m.prevWait == nil {
		l.head = m.nextWait
	} else {
		m.prevWait.nextWait = m.nextWait
	}
	if m.nextWait == nil {
		l.tail = m.prevWait
	} else {
		m.nextWait.prevWait = m.prevWait
	}
	m.nextWait, m.prevWait = nil, nil
}

// byDeadline is a heap of messages whose deadline a nak with delay has set.
type byDeadline struct {
	items []*message
	due   func(*message) int64
}

func (h *byDeadline) push(m *message) {
	m.heapAt = int32(len(h.items))
	h.items = append(h.items, m)
	h.up(len(h.items) - 1)
}

func (h *byDeadline) remove(m *message) {
	i, last := int(m.heapAt), len(h.items)-1
	m.heapAt = -1
	moved := h.items[last]
	h.items[last] = nil
	h.items = h.items[:last]
	if i == last {
		return
	}
	h.items[i] = moved
	moved.heapAt = int32(i)
	h.up(i)
	h.down(int(moved.heapAt))
}

func (h *byDeadline) less(a, b *message) bool {
	da, db := h.due(a), h.due(b)
	return da < db || da == db && a.seq < b.seq
}

func (h *byDeadline) set(i int, m *message) {
	h.items[i] = m
	m.heapAt = int32(i)
}

func (h *byDeadline) up(i int) {
	m := h.items[i]
	for i > 0 {
		p := (i - 1) / 2
		if !h.less(m, h.items[p]) {
			break
		}
		h.set(i, h.items[p])
		i = p
	}
	h.set(i, m)
}

func (h *byDeadline) down(i int) {
	m := h.items[i]
	for {
		c := 2*i + 1
		if c >= len(h.items) {
			break
		}
		if c+1 < len(h.items) && h.less(h.items[c+1], h.items[c]) {
			c++
		}
		if !h.less(h.items[c], m) {
			break
		}
		h.set(i, h.items[c])
		i = c
	}
	h.set(i, m)
}

// orderList holds a consumer's messages by stream sequence, from the oldest
// that is pending. Those that are not pending any more stay until they are in
// front or the list is half empty.
type orderList struct {
	q    fifo[*message]
	dead int
	most int // of dead, until it is worth while to look
	seen int // none in front of this place is inOrder
}

// waiting is the first message whose wait is that of its first delivery, or nil.
func (o *orderList) waiting() *message {
	items := o.q.items
	for o.seen = max(o.seen, o.q.head); o.seen < len(items); o.seen++ {
		if m := items[o.seen]; m.wait == inOrder {
			return m
		}
	}
	return nil
}

func (o *orderList) find(seq uint64) *message {
	items := o.q.items[o.q.head:]
	i, ok := slices.BinarySearchFunc(items, seq, func(m *message, s uint64) int {
		switch {
		case m.seq < s:
			return -1
		case m.seq > s:
			return 1
		}
		return 0
	})
	if !ok || !items[i].pending {
		return nil
	}
	return items[i]
}

// add keeps the order and says whether the message joined at the end; it does not
// only after a fault has set a consumer back.
func (o *orderList) add(m *message) bool {
	m.refs++
	n := len(o.q.items)
	if o.q.head == n || o.q.items[n-1].seq < m.seq {
		if n < cap(o.q.items) {
			o.q.items = o.q.items[:n+1]
			o.q.items[n] = m
			return true
		}
		o.q.push(m)
		o.seen = 0
		return true
	}
	o.seen = 0
	items := o.q.items[o.q.head:]
	i, _ := slices.BinarySearchFunc(items, m.seq, func(x *message, s uint64) int {
		if x.seq < s {
			return -1
		}
		return 1
	})
	o.q.items = slices.Insert(o.q.items, o.q.head+i, m)
	return false
}

// settle is called when one message is not pending any more. It drops what has
// come to the front, and now and then the rest.
func (o *orderList) settle(p *messages) {
	if o.dead++; o.dead > o.most || !o.q.items[o.q.head].pending {
		o.shorten(p)
	}
}

func (o *orderList) shorten(p *messages) {
	q := &o.q
	for q.head < len(q.items) && !q.items[q.head].pending {
		p.release(q.items[q.head])
		q.items[q.head] = nil
		q.head++
		o.dead--
	}
	if q.head == len(q.items) {
		q.items, q.head, o.seen = q.items[:0], 0, 0
		return
	}
	if o.most = max(64, o.q.len()/2); o.dead > o.most {
		o.compact(p)
	}
}

// pop takes the first message off the list.
func (o *orderList) pop() *message {
	m := o.q.pop()
	o.seen = min(o.seen, o.q.head) // the list may be empty, and begin anew
	return m
}

// compact drops all that is not pending any more.
func (o *orderList) compact(p *messages) {
	keep := o.q.items[:o.q.head]
	for _, m := range o.q.items[o.q.head:] {
		if m.pending {
			keep = append(keep, m)
		} else {
			p.release(m)
		}
	}
	clear(o.q.items[len(keep):])
	o.q.items, o.dead, o.seen = keep, 0, 0
}

// first is the oldest pending message, or nil.
func (o *orderList) first() *message {
	for _, m := range o.q.items[o.q.head:] {
		if m.pending {
			return m
		}
	}
	return nil
}
