package sim

import "math/rand/v2"

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
)

// event is a thing to do at an instant. What is meant by target depends on the
// kind; an event whose gen is not its target's any more is void.
type event struct {
	at     int64
	tie    uint64 // order of kinds, then of scheduling
	target int32
	gen    uint32
	kind   kind
	arg    uint8
}

func (e *event) before(o *event) bool {
	return e.at < o.at || e.at == o.at && e.tie < o.tie
}

// kernel is the clock and what is to come: publishes in a heap of their own,
// because there are few publishers and many publishes, and everything else.
type kernel struct {
	now      int64
	main     eventHeap
	arrivals eventHeap
	last     *eventHeap // of which the event at work was the first
	seq      uint64
	shuffle  *rand.PCG // test mode: order at one instant is random
}

// Order at one instant: samples and faults, then publishes by publisher, then
// the rest as it was scheduled.
const (
	orderPublish = 1 << 62
	orderRest    = 1 << 63
)

func (k *kernel) schedule(at int64, kd kind, target int32, gen uint32) {
	k.push(event{at: at, target: target, gen: gen, kind: kd})
}

func (k *kernel) push(e event) {
	e.at = max(e.at, k.now)
	if k.shuffle != nil {
		e.tie = k.shuffle.Uint64()
	}
	if e.kind == evPublish {
		if k.shuffle == nil {
			e.tie = orderPublish | uint64(e.target)
		}
		k.arrivals.push(e)
		return
	}
	if k.shuffle == nil {
		k.seq++
		e.tie = orderRest | k.seq
		if e.kind == evSample || e.kind == evFault {
			e.tie = k.seq
		}
	}
	k.main.push(e)
}

// next takes the earliest event and sets the clock.
func (k *kernel) next() (event, bool) {
	if k.last != nil {
		k.last.fill()
	}
	h := &k.main
	if len(k.arrivals.items) > 0 && (len(h.items) == 0 || k.arrivals.items[0].before(&h.items[0])) {
		h = &k.arrivals
	}
	if len(h.items) == 0 {
		return event{}, false
	}
	h.hole = true
	k.last = h
	e := h.items[0]
	k.now = e.at
	return e, true
}

// eventHeap is a heap with four children of plain structs. The event being
// worked on leaves a hole at the root, which the next one pushed fills, so a
// step costs one sift.
type eventHeap struct {
	items []event
	hole  bool
}

func (h *eventHeap) push(e event) {
	if h.hole {
		h.hole = false
		h.down(e)
		return
	}
	h.items = append(h.items, e)
	i := len(h.items) - 1
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(&h.items[p]) {
			break
		}
		h.items[i] = h.items[p]
		i = p
	}
	h.items[i] = e
}

// fill closes the hole that nothing has filled.
func (h *eventHeap) fill() {
	if !h.hole {
		return
	}
	h.hole = false
	last := len(h.items) - 1
	e := h.items[last]
	h.items = h.items[:last]
	if last > 0 {
		h.down(e)
	}
}

// down puts e at the root and lets it sink.
func (h *eventHeap) down(e event) {
	items := h.items
	i := 0
	for {
		first := 4*i + 1
		if first >= len(items) {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, len(items)); c++ {
			if items[c].before(&items[least]) {
				least = c
			}
		}
		if !items[least].before(&e) {
			break
		}
		items[i] = items[least]
		i = least
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

func (q *fifo[T]) reset() {
	clear(q.items)
	q.items, q.head = q.items[:0], 0
}
