package verdict

import "time"

// Defaults of consumers (server/consumer.go, all versions).
const (
	defaultAckWait           = 30 * time.Second
	defaultMaxAckPending     = 1000
	defaultMaxWaiting        = 512
	defaultInactiveThreshold = 5 * time.Second // of ephemerals
	defaultPriorityTimeout   = 2 * time.Minute // of pinned_client
	flowControlHeartbeat     = time.Second     // of ack_policy flow_control
)

// fillConsumerDefaults is setConsumerConfigDefaults (server/consumer.go). In
// pedantic mode what would be changed silently is refused.
func (j *judge) fillConsumerDefaults(c *consumerConfig, st *streamConfig) *refusal {
	if j.atLeast(v212) {
		if r := j.fillNegatives(c); r != nil {
			return r
		}
	}
	if c.MaxDeliver == 0 {
		c.MaxDeliver = -1
	}
	if c.DeliverSubject == "" && c.MaxWaiting == 0 {
		c.MaxWaiting = defaultMaxWaiting
	}
	if c.AckWait == 0 && (c.AckPolicy == "explicit" || c.AckPolicy == "all") {
		c.AckWait = defaultAckWait
	}
	if len(c.BackOff) > 0 {
		if j.pedantic && c.AckWait != c.BackOff[0] {
			return j.pedanticErr("config.ack_wait", "first backoff value has to equal batch AckWait")
		}
		c.AckWait = c.BackOff[0]
	}
	if r := j.fillFromStream(c, st); r != nil {
		return r
	}
	if c.MaxAckPending == 0 && c.AckPolicy != "none" {
		c.MaxAckPending = lowest(defaultMaxAckPending, j.Server.MaxAckPending, j.Account.MaxAckPending)
	}
	if limit := j.Server.MaxRequestBatch; c.DeliverSubject == "" && c.MaxBatch == 0 && limit > 0 {
		if j.pedantic {
			return j.pedanticErr("config.max_batch", "max_request_batch must be set if it's JetStream limits are set")
		}
		c.MaxBatch = limit
	}
	if c.PriorityPolicy == "pinned_client" && c.PriorityTimeout == 0 {
		c.PriorityTimeout = defaultPriorityTimeout
	}
	if c.AckPolicy == "flow_control" && !j.pedantic {
		c.FlowControl, c.Heartbeat = true, flowControlHeartbeat
	}
	return nil
}

// fillNegatives: since 2.12 negative numbers mean "not set".
func (j *judge) fillNegatives(c *consumerConfig) *refusal {
	return first(
		func() *refusal { return negative(j, &c.MaxDeliver, -1, "max_deliver") },
		func() *refusal { return negative(j, &c.MaxWaiting, 0, "max_waiting") },
		func() *refusal { return negative(j, &c.MaxAckPending, -1, "max_ack_pending") },
		func() *refusal { return negative(j, &c.MaxBatch, 0, "max_batch") },
		func() *refusal { return negative(j, &c.MaxExpires, 0, "max_expires") },
		func() *refusal { return negative(j, &c.MaxBytes, 0, "max_bytes") },
		func() *refusal { return negative(j, &c.Heartbeat, 0, "idle_heartbeat") },
		func() *refusal { return negative(j, &c.InactiveThreshold, 0, "inactive_threshold") },
		func() *refusal { return negative(j, &c.PriorityTimeout, 0, "priority_timeout") },
	)
}

// negative replaces what is below least by least.
func negative[T int | time.Duration](j *judge, n *T, least T, name string) *refusal {
	if *n >= least {
		return nil
	}
	if j.pedantic {
		if least < 0 {
			return j.pedanticErr("config."+name, name+" must be set to -1")
		}
		return j.pedanticErr("config."+name, name+" must not be negative")
	}
	*n = least
	return nil
}

// fillFromStream takes over the stream's consumer_limits.
func (j *judge) fillFromStream(c *consumerConfig, st *streamConfig) *refusal {
	if c.MaxAckPending == 0 {
		if j.pedantic && st.Limits.MaxAckPending > 0 {
			return j.pedanticErr("config.max_ack_pending", "max_ack_pending must be set if it's configured in stream limits")
		}
		c.MaxAckPending = st.Limits.MaxAckPending
	}
	if c.InactiveThreshold == 0 {
		if j.pedantic && st.Limits.InactiveThreshold > 0 {
			return j.pedanticErr("config.inactive_threshold", "inactive_threshold must be set if it's configured in stream limits")
		}
		c.InactiveThreshold = st.Limits.InactiveThreshold
	}
	return nil
}

// lowest is n or the lower of the limits that are set.
func lowest(n int, limits ...int) int {
	for _, limit := range limits {
		if limit > 0 && limit < n {
			n = limit
		}
	}
	return n
}
