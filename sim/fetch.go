package sim

import "time"

// Pauses of a reasonable client loop after a refused or an empty request.
const fetchPause = int64(20 * time.Millisecond)

// fetchLoop is a worker that calls Fetch, handles the batch and calls again.
//
// Models: messages are handled as they arrive (or, with CollectFirst, when the
// batch is over); a batch is over when it is full, at expires, or with an
// error; the next request is sent when the batch is over and all of it is
// handled. A request that is lost with its server is missed only expires + 1 s
// after the last word.
// Ignores: FetchHeartbeat below 10 s of expires.
// Source: nats.go v1.55.0 jetstream pull.go fetch; measured.
type fetchLoop struct {
	asked  bool // a request is out, or its batch is not over
	over   bool
	failed bool
	got    int64
	heard  int64 // last word of the server
	gen    uint32
	asleep bool // the next request is planned
}

// ask sends a request.
func (f *fetchLoop) ask(w *worker) {
	r := w.r
	if w.stopped {
		return
	}
	if w.stall > r.k.now {
		r.k.schedule(w.stall, evFetch, w.index, w.conn)
		return
	}
	f.asked, f.over, f.failed, f.asleep, f.got = true, false, false, false, 0
	f.heard = r.k.now
	w.res.Fetches++
	if !w.connected() || w.c.silent() {
		f.lost(w)
		return
	}
	w.c.ask(w, int(w.batch))
}

// lost is called when the open request is gone and nobody says so.
func (f *fetchLoop) lost(w *worker) {
	f.gen++
	w.r.k.push(event{at: f.heard + w.expires + int64(time.Second), kind: evFetchLost, target: w.index, gen: f.gen})
}

func (f *fetchLoop) gaveUp(w *worker, gen uint32) {
	if gen != f.gen || !f.asked || f.over {
		return
	}
	f.ended(w, statusTimeout)
}

func (f *fetchLoop) received(w *worker, full bool) {
	f.got++
	f.heard = w.r.k.now
	if full {
		f.over = true
	}
}

// ended is told how the request ended.
func (f *fetchLoop) ended(w *worker, s status) {
	if !f.asked || f.over {
		return
	}
	f.over = true
	switch s {
	case statusTimeout, statusNoMessages, statusMaxBytes, statusRequestsPending:
	default:
		f.failed = true
		w.res.FetchErrors++
	}
	w.work()
	f.check(w)
}

// check sends the next request when the batch is over and handled.
func (f *fetchLoop) check(w *worker) {
	if !f.over || f.asleep || w.busy > 0 || w.queue.len() > 0 {
		return
	}
	f.asleep = true
	if f.got == 0 {
		w.res.FetchesEmpty++
	}
	wait := int64(w.g.Pause)
	if f.failed || w.g.NoWait && f.got == 0 {
		wait = max(wait, fetchPause)
	}
	w.r.k.schedule(w.r.k.now+wait+int64(w.r.cost.Fetch), evFetch, w.index, w.conn)
}

// status tells a worker how a pull request ended.
func (w *worker) status(s status, left int) {
	if s == statusWrongPin {
		w.pin = 0
	}
	if !w.up {
		return
	}
	switch w.g.Mode {
	case ModeFetch:
		w.fetch.ended(w, s)
	case ModeConsume, ModeOrdered:
		w.queue.push(delivery{word: word{ended: true, why: s, left: int32(left)}})
		w.work()
	}
}

// closed is told that a request is no more.
func (w *worker) closed(p *pullRequest) {
	if w.open == p {
		w.open = nil
	}
}
