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

// wire is the connection of a process that is frozen as a whole, so that not
// even the client library reads.
//
// Models: the server's outbound buffer fills; beyond max_pending, or after
// write_deadline with a write that cannot proceed, the server closes the
// connection (slow consumer). What was under way is lost for the client: with
// explicit ack it comes back after ack_wait, with ack none never. The process
// reconnects when it runs again.
// Ignores: readers that are slow but not stopped; fast-producer stalls.
// Source: nats-server v2.15.2 client.go queueOutbound, handleWriteTimeout;
// measured.
type wire struct {
	frozen bool
	cut    bool
	bytes  int64
	held   []delivery
	full   bool // the last of held fills its pull request
	gen    uint32
	timing bool
}

func (x *wire) hold(w *worker, d *delivery, full bool) {
	if x.cut {
		return
	}
	x.full = full
	d.m.refs++
	x.held = append(x.held, *d)
	x.bytes += d.bytes()
	limit := w.r.w.Server.MaxPending
	if limit <= 0 {
		limit = defaultMaxPending
	}
	if x.bytes > limit+socketBytes {
		x.close(w)
		return
	}
	if x.bytes > socketBytes && !x.timing {
		x.timing = true
		deadline := w.r.w.Server.WriteDeadline
		if deadline <= 0 {
			deadline = defaultWriteDeadline
		}
		x.gen++
		w.r.k.schedule(w.r.k.now+int64(deadline), evWrite, w.index, x.gen)
	}
}

// close is the server giving the connection up.
func (x *wire) close(w *worker) {
	if x.cut || !x.frozen {
		return
	}
	x.cut = true
	w.c.res.SlowConsumers++
	for _, d := range x.held {
		w.r.messages.release(d.m)
	}
	x.held = nil
	w.c.waiting.leave(w)
	w.unsubscribe()
}

// thaw is the process running again.
func (x *wire) thaw(w *worker) {
	held, full, cut := x.held, x.full, x.cut
	*x = wire{gen: x.gen + 1}
	for i := range held {
		d := &held[i]
		w.receive(d, full && i == len(held)-1)
		w.r.messages.release(d.m)
	}
	if cut {
		w.abandon()
		w.begin()
	}
}
