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

// kernel is the clock and the heap of what is to come: a heap with four
// children of plain structs. The event being worked on leaves a hole at the
// root, which the next scheduled event fills, so a step costs one sift.
type kernel struct {
	now     int64
	heap    []event
	hole    bool
	seq     uint64
	shuffle *rand.PCG // test mode: order at one instant is random
}

// behind sets everything but samples behind the samples of the same instant.
const behind = 1 << 63

func (k *kernel) schedule(at int64, kd kind, target int32, gen uint32) {
	k.push(event{at: at, target: target, gen: gen, kind: kd})
}

func (k *kernel) push(e event) {
	k.seq++
	e.tie = k.seq
	if k.shuffle != nil {
		e.tie = k.shuffle.Uint64() >> 2
	}
	if e.kind != evSample {
		e.tie |= behind
	}
	e.at = max(e.at, k.now)
	if k.hole {
		k.hole = false
		k.heap[0] = e
		k.down()
		return
	}
	k.heap = append(k.heap, e)
	k.up()
}

// next takes the earliest event and sets the clock.
func (k *kernel) next() (event, bool) {
	if k.hole {
		k.hole = false
		last := len(k.heap) - 1
		k.heap[0] = k.heap[last]
		k.heap = k.heap[:last]
		if last > 1 {
			k.down()
		}
	}
	if len(k.heap) == 0 {
		return event{}, false
	}
	k.hole = true
	k.now = k.heap[0].at
	return k.heap[0], true
}

func (k *kernel) up() {
	h := k.heap
	i := len(h) - 1
	e := h[i]
	for i > 0 {
		p := (i - 1) / 4
		if !e.before(&h[p]) {
			break
		}
		h[i] = h[p]
		i = p
	}
	h[i] = e
}

func (k *kernel) down() {
	h := k.heap
	n := len(h)
	e := h[0]
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, n); c++ {
			if h[c].before(&h[least]) {
				least = c
			}
		}
		if !h[least].before(&e) {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = e
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
