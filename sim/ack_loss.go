package sim

// ackLost is an ack that was sent and reaches no server: its connection broke, or
// the server dropped it.
//
// Models: the worker goes on, as the client libraries do with a plain ack that
// nobody confirms; the message keeps its slot of max_ack_pending, comes again
// after ack_wait (or backoff), counts towards max_deliver, and is handled more
// than once when it is acked again. With ack none there is no ack to lose.
// Ignores: clients that wait for the confirmation and ack again; acks that are
// lost together.
// Source: nats-server v2.15.2 consumer.go checkPending; nats.go v1.55.0 jetstream
// message.go Ack, DoubleAck.
func (w *worker) ackLost(m *message) {
	w.c.res.AckLost++
	if m.acks++; m.acks == 2 {
		w.c.res.HandledTwice++
	}
}
