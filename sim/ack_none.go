package sim

// forsake gives up a message that is in nobody's hands any more.
//
// Models: under ack_policy none the server forgets a message as it sends it.
// What a worker holds when it dies, what lies in the buffer of its client
// library or of its connection, and what is sent into a request that has ended
// is given to nobody again, and no limit of redelivery says so. A handler that
// fails loses its message too, because a nak means nothing. What was sent in the
// last 90 ms before a server is killed comes again with the consumer's state.
// Ignores: a reader that asks for what it missed by its sequence (ordered
// consumers do).
// Source: nats-server v2.15.2 consumer.go deliverMsg (AckNone moves the ack floor
// and tracks nothing), processNak (needs an entry of pending); measured: a reader
// with ack none that is cut off and subscribes again receives nothing of what was
// under way.
func (c *consumer) forsake(m *message) {
	if c.cfg.Ack != AckNone || c.cfg.ordered || m.runs > 0 || m.forsaken {
		return
	}
	m.forsaken = true
	c.res.LostHeld++
	if !m.started {
		c.res.LostUnseen++
	}
}

// regain takes back that a message was lost: it begins again.
func (c *consumer) regain(m *message) {
	m.forsaken = false
	c.res.LostHeld--
	if !m.started {
		c.res.LostUnseen--
	}
}

// failed counts a message whose handler failed where nothing brings it again.
func (c *consumer) failed() {
	if c.cfg.Ack == AckNone && !c.cfg.ordered {
		c.res.LostFailed++
	}
}
