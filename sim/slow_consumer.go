package sim

import "time"

// Defaults of a connection's outbound side. What the sockets of both ends
// swallow before the server's own buffer fills was measured as 3 to 4 MiB.
// Source: nats-server v2.15.2 const.go MAX_PENDING_SIZE, DEFAULT_FLUSH_DEADLINE.
const (
	defaultMaxPending    = 64 << 20
	defaultWriteDeadline = 10 * time.Second
	socketBytes          = 3 << 20
)

// wire is the connection of a process that reads slower than the server sends: at
// so many bytes a second, or, frozen as a whole, not at all.
//
// Models: what the sockets do not swallow fills the server's outbound buffer;
// beyond max_pending, or when what is to be written is not read within
// write_deadline, the server closes the connection (slow consumer). What was
// under way is lost for the client: with explicit ack it comes back after
// ack_wait, with ack none never. A frozen process reconnects when it runs again,
// without what it held; a slow one at once, with what it had read. Requests of
// flow control wait behind the messages ahead of them, which keeps what is
// under way below its window.
// Ignores: that acks and requests of a slow reader are slower as well;
// fast-producer stalls.
// Source: nats-server v2.15.2 client.go queueOutbound, flushOutbound,
// handleWriteTimeout; measured.
type wire struct {
	frozen  bool
	cut     bool
	bytes   int64
	held    fifo[underWay]
	gen     uint32
	timing  bool
	write   int64 // bytes that have to be read by the deadline
	reading bool  // the next message of held is on its way
	readGen uint32
}

// underWay is a delivery between server and client; full says that it fills its
// pull request.
type underWay struct {
	d    delivery
	full bool
}

func (x *wire) hold(w *worker, d *delivery, full bool) {
	if x.cut {
		if d.m != nil {
			w.c.forsake(d.m)
		}
		return
	}
	if d.m != nil {
		d.m.refs++
	}
	x.held.push(underWay{*d, full})
	x.bytes += d.bytes()
	limit := w.r.w.Server.MaxPending
	if limit <= 0 {
		limit = defaultMaxPending
	}
	if x.bytes > limit+socketBytes {
		x.close(w)
		return
	}
	x.time(w)
	x.read(w)
}

// time begins a write that the sockets do not take at once.
func (x *wire) time(w *worker) {
	if x.bytes <= socketBytes || x.timing {
		return
	}
	x.timing, x.write = true, x.bytes-socketBytes
	deadline := w.r.w.Server.WriteDeadline
	if deadline <= 0 {
		deadline = defaultWriteDeadline
	}
	x.gen++
	w.r.k.schedule(w.r.k.now+int64(deadline), evWrite, w.index, x.gen)
}

// read plans the arrival of the next message.
func (x *wire) read(w *worker) {
	if x.reading || x.frozen || x.held.len() == 0 {
		return
	}
	x.reading = true
	x.readGen++
	takes := float64(x.held.front().d.bytes()) / float64(w.g.ReadPerSecond) * 1e9
	w.r.k.push(event{at: addTime(w.r.k.now, int64(takes)), kind: evWrite, target: w.index, gen: x.readGen, arg: 1})
}

// arrived is the next message reaching the client.
func (x *wire) arrived(w *worker) {
	x.reading = false
	if x.frozen || x.cut || x.held.len() == 0 {
		return
	}
	u := x.held.pop()
	x.bytes -= u.d.bytes()
	if x.write -= u.d.bytes(); x.timing && x.write <= 0 { // the next write takes all that has come together
		x.timing = false
		x.gen++
		x.time(w)
	}
	x.pass(w, &u)
	x.read(w)
}

// pass gives the client what has arrived.
func (x *wire) pass(w *worker, u *underWay) {
	w.arrive(&u.d, u.full)
	if u.d.m != nil {
		w.r.messages.release(u.d.m)
	}
}

// close is the server giving the connection up.
func (x *wire) close(w *worker) {
	if x.cut {
		return
	}
	x.cut = true
	w.c.res.SlowConsumers++
	x.drop(w)
	w.c.waiting.leave(w)
	w.unsubscribe()
	if !x.frozen {
		x.reconnect(w)
	}
}

// drop forgets what was under way.
func (x *wire) drop(w *worker) {
	for x.held.len() > 0 {
		if u := x.held.pop(); u.d.m != nil {
			w.c.forsake(u.d.m)
			w.r.messages.release(u.d.m)
		}
	}
	*x = wire{frozen: x.frozen, cut: x.cut, gen: x.gen + 1, readGen: x.readGen + 1}
}

// reconnect is a client that runs and finds its connection closed.
func (x *wire) reconnect(w *worker) {
	x.cut = false
	w.cutOff(noServer, w.r.k.now)
	w.r.k.push(event{at: w.away, kind: evWorker, target: w.index, gen: w.conn, arg: 2})
}

// thaw is the process running again.
func (x *wire) thaw(w *worker) {
	x.frozen = false
	if x.cut {
		x.drop(w)
		x.cut = false
		w.abandon()
		w.begin()
		return
	}
	if w.g.ReadPerSecond > 0 {
		x.read(w)
		return
	}
	held := x.held
	x.held = fifo[underWay]{}
	x.drop(w)
	for held.len() > 0 {
		u := held.pop()
		x.pass(w, &u)
	}
}
