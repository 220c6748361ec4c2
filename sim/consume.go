package sim

// Defaults of Consume.
// Source: nats.go v1.55.0 jetstream pull.go, DefaultMaxMessages.
const defaultMaxMessages = 500

// consumeLoop is a worker that calls Consume: a callback that keeps requests
// open while it works.
//
// Models: the library counts what it has asked for and not yet handled, one
// callback at a time; below half of PullMaxMessages it asks for the rest; the
// end of a request waits its turn among the messages. After a reconnect it asks
// anew.
// Ignores: PullMaxBytes, PullThresholdMessages, heartbeats that are missed
// without a lost connection.
// Source: nats.go v1.55.0 jetstream pull.go checkPending, handleStatusMsg.
type consumeLoop struct {
	outstanding int64
	wanted      int64 // of the request that is on its way
	asking      bool
}

func (l *consumeLoop) begin(w *worker) {
	if w.c.cfg.ordered && !w.c.alive {
		w.c.create()
	}
	l.outstanding = w.batch
	l.send(w, w.batch)
}

func (l *consumeLoop) send(w *worker, n int64) {
	l.wanted += n
	if l.asking {
		return
	}
	l.asking = true
	w.r.k.schedule(w.r.k.now+int64(w.r.cost.Fetch), evFetch, w.index, w.conn)
}

func (l *consumeLoop) ask(w *worker) {
	n := l.wanted
	l.wanted, l.asking = 0, false
	if n <= 0 || w.stopped || !w.connected() {
		return
	}
	w.res.Fetches++
	w.c.ask(w, int(n))
}

func (l *consumeLoop) handled(w *worker) {
	l.outstanding--
	l.check(w)
}

func (l *consumeLoop) ended(w *worker, s status, left int) {
	switch s {
	case statusWrongPin:
		l.outstanding = 0
	case statusTimeout, statusMaxBytes, statusRequestsPending:
		l.outstanding = max(0, l.outstanding-int64(left))
	case statusNoResponders:
		w.stopped = true
		return
	}
	l.check(w)
}

func (l *consumeLoop) check(w *worker) {
	if l.outstanding < (w.batch+1)/2 {
		n := w.batch - l.outstanding
		l.outstanding = w.batch
		l.send(w, n)
	}
}

// reconnected asks anew for everything.
func (l *consumeLoop) reconnected(w *worker) {
	l.outstanding = w.batch
	l.send(w, w.batch)
}
