package sim

// Pending limits of a subscription of nats.go.
// Source: nats.go v1.55.0 DefaultSubPendingMsgsLimit, DefaultSubPendingBytesLimit.
const (
	defaultPendingMsgs  = 500_000
	defaultPendingBytes = 64 << 20
)

// admit says whether the client library keeps a message that arrives at a
// subscription.
//
// Models: what a subscription holds beyond its limit of messages or bytes, the
// one in the handler included, is dropped by the client library and the
// server does not know: with ack none it is lost, with explicit ack it comes
// back after ack_wait. An ordered subscription looks for gaps in what it keeps.
// Ignores: limits of channel and synchronous subscriptions.
// Source: nats.go v1.55.0 nats.go processMsg; measured.
func (w *worker) admit(d *delivery) bool {
	msgs, bytes := w.g.PendingMsgs, w.g.PendingBytes
	if msgs == 0 {
		msgs = defaultPendingMsgs
	}
	if bytes == 0 {
		bytes = defaultPendingBytes
	}
	kept := w.held() < msgs && w.heldBytes()+d.bytes() <= bytes
	if kept && w.g.Mode == ModeOrderedPush {
		return w.ordered.admit(w, d)
	}
	if !kept {
		w.c.res.Dropped++
		w.c.forsake(d.m)
	}
	return kept
}

// held is what the client library counts: what waits and what is in hand.
func (w *worker) held() int64 { return int64(w.queue.len() + w.busy) }

func (w *worker) heldBytes() int64 { return w.queueBytes + w.busyBytes }
