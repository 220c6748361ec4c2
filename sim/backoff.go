package sim

// step is the place in backoff of a message's next wait: one for each delivery
// so far, the last one for ever.
//
// Models: backoff replaces ack_wait; delivery n waits backoff[min(n, len)-1];
// steps may fall; in-progress starts the current step again; a plain nak
// ignores backoff; with max_deliver the last step is waited before the
// advisory. With max_deliver reached the wait is still kept.
// Ignores: nothing known.
// Source: nats-server v2.15.2 consumer.go checkPending, trackPending.
func (c *consumer) step(m *message) int {
	return min(int(m.deliveries), len(c.waits)) - 1
}
