package sim

import "time"

// status is how the server ends a pull request.
type status uint8

const (
	statusTimeout         status = iota // 408: expires is over
	statusNoMessages                    // 404: no_wait and nothing there
	statusRequestsPending               // 408: no_wait behind others
	statusMaxBytes                      // 409 Message Size Exceeds MaxBytes
	statusMaxWaiting                    // 409 Exceeded MaxWaiting
	statusShutdown                      // 409 Server Shutdown
	statusWrongPin                      // 423
	statusNoResponders                  // 503: no such consumer
)

// pullRequest is a request for messages that waits at the server.
type pullRequest struct {
	w        *worker
	next     *pullRequest
	n, d     int   // messages wanted still, and delivered
	bytes    int64 // left of max_bytes; 0 is no limit
	expires  int64 // 0 is never
	noWait   bool
	hb       bool // with a heartbeat: no answer when max_waiting is full
	minPend  int64
	minAcks  int64
	pin      uint32
	priority int
	dead     bool // its client has been told that it ended; it swallows what it still gets
}

// waitQueue holds the open pull requests of a consumer.
//
// Models: requests are served in turn, one message each, the longest waiting
// first; with a backlog a request is filled before the next one is looked at,
// because it is alone; expires; max_bytes (subject, ack subject, headers and
// payload count; what does not fit ends the request); no_wait; max_waiting with
// 409; a request whose connection is gone is gone.
// Ignores: max_request_batch, max_request_expires and max_request_max_bytes
// (they refuse, which package verdict says), interest of gateways and leaf
// nodes.
// Source: nats-server v2.15.2 consumer.go processNextMsgRequest, nextWaiting,
// processWaiting; measured.
type waitQueue struct {
	head, tail *pullRequest
	n, max     int
	noWaits    int
	plan       int64 // when the next expiry is looked at; 0 is never
	gen        uint32
	free       []*pullRequest
}

func (q *waitQueue) get() *pullRequest {
	if n := len(q.free); n > 0 {
		p := q.free[n-1]
		q.free = q.free[:n-1]
		*p = pullRequest{}
		return p
	}
	return &pullRequest{}
}

func (q *waitQueue) push(p *pullRequest) {
	p.next = nil
	if q.tail == nil {
		q.head = p
	} else {
		q.tail.next = p
	}
	q.tail = p
	q.n++
	if p.noWait {
		q.noWaits++
	}
}

// insert keeps the order of priorities.
func (q *waitQueue) insert(p *pullRequest) {
	if q.head == nil || q.tail.priority <= p.priority {
		q.push(p)
		return
	}
	at := &q.head
	for (*at).priority <= p.priority {
		at = &(*at).next
	}
	p.next = *at
	*at = p
	q.n++
	if p.noWait {
		q.noWaits++
	}
}

// unlink takes p, whose predecessor is pre, off the queue.
func (q *waitQueue) unlink(pre, p *pullRequest) {
	if pre == nil {
		q.head = p.next
	} else {
		pre.next = p.next
	}
	if q.tail == p {
		q.tail = pre
	}
	q.n--
	if p.noWait {
		q.noWaits--
	}
}

// end unlinks p and tells its client why.
func (q *waitQueue) end(pre, p *pullRequest, s status) {
	q.unlink(pre, p)
	w, left := p.w, p.n
	w.closed(p)
	dead := p.dead
	q.free = append(q.free, p)
	if !dead {
		w.status(s, left)
	}
}

// ask takes a pull request in.
func (c *consumer) ask(w *worker, n int) {
	g, q := w.g, &c.waiting
	c.lastActive = c.r.k.now
	if !c.alive {
		w.status(statusNoResponders, n)
		return
	}
	if q.n >= q.max {
		if !w.heartbeats() {
			w.status(statusMaxWaiting, n)
		}
		return
	}
	p := q.get()
	p.w, p.n, p.bytes, p.noWait, p.hb = w, n, g.MaxBytes, g.NoWait, w.heartbeats()
	p.minPend, p.minAcks, p.priority, p.pin = g.MinPending, g.MinAckPending, g.PriorityLevel, w.pin
	if !c.checkPin(p) {
		q.free = append(q.free, p)
		w.status(statusWrongPin, n)
		return
	}
	if p.noWait {
		if s, ok := c.mayWait(); !ok {
			q.free = append(q.free, p)
			w.status(s, n)
			return
		}
	} else {
		p.expires = c.r.k.now + w.expires
		c.planExpiry(p.expires)
	}
	if c.cfg.Priority == PriorityPrioritized {
		q.insert(p)
	} else {
		q.push(p)
	}
	w.open = p
	c.pump()
}

// mayWait decides on a no_wait request.
func (c *consumer) mayWait() (status, bool) {
	there := c.npc + int64(c.again.n)
	if there == 0 {
		return statusNoMessages, false
	}
	asked := int64(0)
	for p := c.waiting.head; p != nil; p = p.next {
		asked += int64(p.n)
	}
	return statusRequestsPending, there >= asked
}

func (c *consumer) planExpiry(at int64) {
	q := &c.waiting
	if q.plan != 0 && q.plan <= at {
		return
	}
	q.plan = at
	q.gen++
	c.r.k.schedule(at, evPullExpiry, c.index, q.gen)
}

// expireRequests ends the requests whose time is over.
func (c *consumer) expireRequests() {
	q := &c.waiting
	q.plan = 0
	now, next := c.r.k.now, int64(0)
	var pre *pullRequest
	for p := q.head; p != nil; {
		following := p.next
		switch {
		case p.expires != 0 && p.expires <= now:
			c.lastActive = now
			q.end(pre, p, statusTimeout)
		default:
			if p.expires != 0 && (next == 0 || p.expires < next) {
				next = p.expires
			}
			pre = p
		}
		p = following
	}
	if next != 0 {
		c.planExpiry(next)
	}
}

// atEnd is called at the end of the stream: no_wait requests end. When it is
// max_ack_pending that holds the rest back they stay, without an answer.
func (q *waitQueue) atEnd() {
	if q.noWaits == 0 {
		return
	}
	var pre *pullRequest
	for p := q.head; p != nil; {
		following := p.next
		if p.noWait {
			q.end(pre, p, statusNoMessages)
		} else {
			pre = p
		}
		p = following
	}
}

// next finds the request that takes a message, counts it there
// and moves the request behind the others.
func (q *waitQueue) next(c *consumer, m *message) *pullRequest {
	cycled := 0
	for q.head != nil {
		p := q.head
		if p.expires != 0 && p.expires <= c.r.k.now {
			q.end(nil, p, statusTimeout)
			continue
		}
		turn := servable
		if c.cfg.Priority != PriorityNone {
			turn = c.eligible(p)
		}
		switch turn {
		case notNow:
			q.cycle()
			if cycled++; cycled >= q.n {
				return nil
			}
			continue
		case never:
			q.end(nil, p, statusWrongPin)
			continue
		}
		if p.bytes > 0 {
			size := int64(m.size) + c.ackReplyBytes(m)
			if size > p.bytes {
				c.unpinIfNew(p)
				q.end(nil, p, statusMaxBytes)
				continue
			}
			if p.bytes -= size; p.bytes == 0 {
				p.n = 1
			}
		}
		p.n--
		p.d++
		switch {
		case p.n == 0:
			q.unlink(nil, p)
		case c.cfg.Priority == PriorityPrioritized:
			q.unlink(nil, p)
			q.insert(p)
		case p.next != nil: // behind the others
			q.head = p.next
			p.next = nil
			q.tail.next = p
			q.tail = p
		}
		return p
	}
	return nil
}

func (q *waitQueue) cycle() {
	if p := q.head; q.n > 1 {
		q.unlink(nil, p)
		q.push(p)
	}
}

// done recycles a request that is full.
func (q *waitQueue) done(p *pullRequest) {
	p.w.closed(p)
	q.free = append(q.free, p)
}

// leave removes all requests of a worker: its connection is gone.
func (q *waitQueue) leave(w *worker) {
	var pre *pullRequest
	for p := q.head; p != nil; {
		following := p.next
		if p.w == w {
			q.unlink(pre, p)
			w.closed(p)
			q.free = append(q.free, p)
		} else {
			pre = p
		}
		p = following
	}
}

// shutdown tells every waiting request that the server goes down. The requests
// stay, and what is still sent into them is lost.
func (q *waitQueue) shutdown() {
	for p := q.head; p != nil; p = p.next {
		p.dead = true
		p.w.closed(p)
		p.w.status(statusShutdown, p.n)
	}
}

// endAll ends every request, with a word to the client or without.
func (q *waitQueue) endAll(s status, told bool) {
	for q.head != nil {
		p := q.head
		if told {
			q.end(nil, p, s)
			continue
		}
		q.unlink(nil, p)
		p.w.closed(p)
		q.free = append(q.free, p)
	}
}

// defaultExpires is what clients ask for when nothing is said.
// Source: nats.go v1.55.0 jetstream DefaultExpires.
const defaultExpires = 30 * time.Second
