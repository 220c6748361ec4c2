package verdict

// Acknowledgement: ack_wait, backoff, and the ack policy flow_control
// (server/consumer.go, checkConsumerCfg).

// checkAckWait: since 2.12 neither may be negative.
func (j *judge) checkAckWait(c *consumerConfig) *refusal {
	if !j.atLeast(v212) {
		return nil
	}
	for _, wait := range c.BackOff {
		if wait < 0 {
			return j.refuse(10184, "config.backoff")
		}
	}
	if c.AckWait < 0 {
		return j.refuse(10183, "config.ack_wait")
	}
	return nil
}

// checkFlowControlAck: since 2.14 a consumer may acknowledge by its replies to
// flow control; it then leaves nothing else to choose.
func (j *judge) checkFlowControlAck(c *consumerConfig) *refusal {
	if c.AckPolicy != "flow_control" {
		return nil
	}
	switch {
	case c.DeliverSubject == "":
		return j.refuse(10218, "config.deliver_subject")
	case !c.FlowControl:
		return j.refuse(10219, "config.flow_control")
	case c.Heartbeat != flowControlHeartbeat:
		return j.invalidConfig("config.idle_heartbeat", "flow control ack policy heartbeat needs to be 1s")
	case c.MaxAckPending <= 0:
		return j.refuse(10220, "config.max_ack_pending")
	case c.AckWait != 0 || len(c.BackOff) > 0:
		return j.refuse(10221, "config.ack_wait")
	case c.MaxDeliver > 0:
		return j.refuse(10222, "config.max_deliver")
	}
	return nil
}

// checkBackOffSteps: not more steps than deliveries.
func (j *judge) checkBackOffSteps(c *consumerConfig) *refusal {
	n := len(c.BackOff)
	if n == 0 || c.MaxDeliver == -1 && j.has(endlessBackOff) {
		return nil
	}
	if n > c.MaxDeliver || n == c.MaxDeliver && !j.has(backOffOfAll) {
		return j.refuse(10116, "config.max_deliver")
	}
	return nil
}
