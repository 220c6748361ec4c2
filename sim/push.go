package sim

// subscribe puts the worker's subscription on the deliver subject.
//
// Models: the server sends everything up to max_ack_pending at once, also to a
// slow reader; ack_wait counts from there; with a deliver group each message
// goes to a random member, a stalled one included; without a group every
// subscription gets every message. A reader that comes back gets what it had
// not acked when ack_wait is over.
// Ignores: idle heartbeats, which cost nothing here.
// Source: nats-server v2.15.2 consumer.go loopAndGatherMsgs, deliverMsg;
// measured.
func (w *worker) subscribe() {
	c := w.c
	if w.g.Mode == ModeOrderedPush {
		w.ordered.begin(w)
		return
	}
	c.readers = append(c.readers, w)
	c.pump()
}

func (w *worker) unsubscribe() {
	c := w.c
	for i, x := range c.readers {
		if x == w {
			c.readers = append(c.readers[:i], c.readers[i+1:]...)
			break
		}
	}
	c.lastActive = w.r.k.now
}

// wakeUp starts the handler of an idle subscription after the time that its
// goroutine needs; what arrives meanwhile queues.
func (w *worker) wakeUp() {
	if w.waking || len(w.idle) == 0 {
		return
	}
	w.waking = true
	w.r.k.schedule(w.r.k.now+int64(w.r.cost.Wake), evWake, w.index, w.conn)
}

func (w *worker) awake() {
	w.waking = false
	w.work()
}
