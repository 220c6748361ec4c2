package prove

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// worker is a process that reads one consumer, as a client library does: a pull
// worker asks again when its last request is over and every message of it is
// handled, or with refill as soon as half of what it may hold is free; a push
// worker is subscribed and handles what comes in order.
type worker struct {
	stream, consumer string
	deliver, queue   string // of a push consumer, else ""
	groups           []string
	concurrency      int
	fetch            int
	refill           bool
	fetchBytes       int64
	expires          time.Duration
	inProgress       time.Duration // between two signals of progress, 0 for none

	// service draws how long a message takes, answer what is sent then: "+ACK",
	// "-NAK", "+TERM", "" for nothing.
	service func() time.Duration
	answer  func() string
	// begin and end are called around each run of the handler, by several
	// goroutines. end says what was answered.
	begin func(delivery)
	end   func(d delivery, answer string)
	// progressed is called after each signal of progress, nil for nobody.
	progressed func(delivery)
	gate       *gate // stalls the worker, nil for never
}

// delivery is a message as a consumer delivered it.
type delivery struct {
	message
	seq     uint64 // of the stream
	attempt uint64 // 1 for the first delivery
}

// deliveryOf reads the ack subject (server/consumer.go ackReplySubject, v2.15.2):
// $JS.ACK.STREAM.CONSUMER.delivered.stream seq.consumer seq.time.pending, or the
// same with domain and account in front of the stream.
func deliveryOf(m message) (delivery, bool) {
	const short, long, shortest, longest = 4, 6, 9, 11
	tokens := strings.Split(m.reply, ".")
	at := short
	if len(tokens) >= longest {
		at = long
	}
	if len(tokens) < shortest || tokens[0] != "$JS" || tokens[1] != "ACK" {
		return delivery{}, false
	}
	attempt, errAttempt := strconv.ParseUint(tokens[at], 10, 64)
	seq, errSeq := strconv.ParseUint(tokens[at+1], 10, 64)
	return delivery{m, seq, attempt}, errAttempt == nil && errSeq == nil
}

// gate holds workers up while it is closed. The zero gate is open.
type gate struct {
	mu     sync.Mutex
	closed chan struct{} // nil while open; closed when it opens
}

func (g *gate) shut() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed == nil {
		g.closed = make(chan struct{})
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed != nil {
		close(g.closed)
		g.closed = nil
	}
}

// pass waits until the gate is open; false when ctx ended before.
func (g *gate) pass(ctx context.Context) bool {
	if g == nil {
		return ctx.Err() == nil
	}
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	if closed == nil {
		return ctx.Err() == nil
	}
	select {
	case <-closed:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// run works until ctx ends, which is no error, or the session does.
func (w *worker) run(ctx context.Context, s *session) error {
	if w.deliver != "" {
		return w.runPush(ctx, s)
	}
	var handlers sync.WaitGroup
	defer handlers.Wait()
	slots := make(chan struct{}, w.concurrency)
	room := make(chan struct{}, w.fetch) // one for each message that is held
	for n := 0; w.gate.pass(ctx); n++ {
		ask := w.take(ctx, room)
		if ask == 0 {
			return nil
		}
		got, err := w.request(ctx, s, n, ask, func(d delivery) {
			handlers.Go(func() {
				defer func() { <-room }()
				w.handle(ctx, s, d, slots)
			})
		})
		for range ask - got {
			<-room
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take waits until half of the room is free, or all of it without refill, and
// takes what is free. It is 0 when ctx ends.
func (w *worker) take(ctx context.Context, room chan struct{}) (n int) {
	least := w.fetch
	if w.refill {
		least = (w.fetch + 1) / 2
	}
	for ; n < least; n++ {
		select {
		case room <- struct{}{}:
		case <-ctx.Done():
			for range n {
				<-room
			}
			return 0
		}
	}
	for ; n < w.fetch; n++ {
		select {
		case room <- struct{}{}:
			continue
		default:
		}
		break
	}
	return n
}

// request makes one pull request and hands on what it brings, until it is over.
func (w *worker) request(ctx context.Context, s *session, n, ask int, each func(delivery)) (got int, err error) {
	inbox := fmt.Sprintf("_weir.work.%p.%d", w, n)
	arrived := make(chan message, ask+16)
	sid := s.subscribe(inbox, "", func(m message) {
		select {
		case arrived <- m:
		case <-ctx.Done():
		}
	})
	defer s.unsubscribe(sid)
	s.publish(apiPrefix+"CONSUMER.MSG.NEXT."+w.stream+"."+w.consumer, inbox, nil, nextRequest(ask, w.expires, w.groups, w.fetchBytes))
	// A server that went away does not end the request.
	over := time.NewTimer(w.expires + time.Second)
	defer over.Stop()
	for got < ask {
		select {
		case m := <-arrived:
			if m.status == 100 {
				continue
			}
			if m.status != 0 {
				pauseAfter(ctx, m)
				return got, nil
			}
			d, ok := deliveryOf(m)
			if !ok {
				continue
			}
			got++
			each(d)
		case <-over.C:
			return got, nil
		case <-s.done:
			return got, s.failed()
		case <-ctx.Done():
			return got, nil
		}
	}
	return got, nil
}

// pauseAfter waits a moment after a refused request; one that only ran out
// (404, 408) is followed by the next at once.
func pauseAfter(ctx context.Context, m message) {
	if m.status == 404 || m.status == 408 {
		return
	}
	select {
	case <-time.After(20 * time.Millisecond):
	case <-ctx.Done():
	}
}

// runPush handles what is pushed, in order where concurrency is 1.
func (w *worker) runPush(ctx context.Context, s *session) error {
	const held = 65_536 // what a client library holds of a subscription
	arrived := make(chan message, held)
	sid := s.subscribe(w.deliver, w.queue, func(m message) {
		if m.status == 100 && m.reply != "" {
			s.publish(m.reply, "", nil, nil) // flow control
			return
		}
		select {
		case arrived <- m:
		default: // the library drops what does not fit
		}
	})
	defer s.unsubscribe(sid)
	var handlers sync.WaitGroup
	defer handlers.Wait()
	for range w.concurrency {
		handlers.Go(func() {
			for w.gate.pass(ctx) {
				select {
				case m := <-arrived:
					if d, ok := deliveryOf(m); ok && m.status == 0 {
						w.handle(ctx, s, d, nil)
					}
				case <-s.done:
					return
				case <-ctx.Done():
					return
				}
			}
		})
	}
	select {
	case <-ctx.Done():
		return nil
	case <-s.done:
		return s.failed()
	}
}

// lostAck is the answer of a handler that is done and whose ack the server does not
// get.
const lostAck = "+ACK, lost"

// handle waits for a slot and runs the handler. It is given up without an answer
// when ctx ends, as by a crash.
func (w *worker) handle(ctx context.Context, s *session, d delivery, slots chan struct{}) {
	var progress <-chan time.Time
	if w.inProgress > 0 {
		tick := time.NewTicker(w.inProgress)
		defer tick.Stop()
		progress = tick.C
	}
	if slots != nil {
		waiting := progress
		if !w.refill {
			waiting = nil // a loop that knows only what it works on
		}
		if !w.await(ctx, s, d, waiting, slots, nil) {
			return
		}
		defer func() { <-slots }()
	}
	if !w.gate.pass(ctx) {
		return
	}
	w.begin(d)
	done := time.NewTimer(w.service())
	defer done.Stop()
	if !w.await(ctx, s, d, progress, nil, done.C) || !w.gate.pass(ctx) {
		return
	}
	answer := w.answer()
	if answer != "" && answer != lostAck {
		s.publish(d.reply, "", nil, []byte(answer))
	}
	w.end(d, answer)
}

// await waits for a slot or a time, and tells the server of progress meanwhile;
// false when ctx ended before.
func (w *worker) await(ctx context.Context, s *session, d delivery, progress <-chan time.Time, slot chan<- struct{}, over <-chan time.Time) bool {
	for {
		select {
		case <-progress:
			s.publish(d.reply, "", nil, []byte("+WPI"))
			if w.progressed != nil {
				w.progressed(d)
			}
		case slot <- struct{}{}:
			return true
		case <-over:
			return true
		case <-ctx.Done():
			return false
		}
	}
}
