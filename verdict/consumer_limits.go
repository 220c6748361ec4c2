package verdict

import "strconv"

// checkConsumerLimits: max_ack_pending against server, account and stream,
// inactive_threshold against the stream (server/consumer.go, checkConsumerCfg).
// Unlimited, -1, passes them all.
func (j *judge) checkConsumerLimits(c *consumerConfig, st *streamConfig) *refusal {
	for _, limit := range []int{j.Server.MaxAckPending, j.Account.MaxAckPending, st.Limits.MaxAckPending} {
		if limit > 0 && c.MaxAckPending > limit {
			return j.refuse(10121, "config.max_ack_pending", strconv.Itoa(limit))
		}
	}
	if limit := st.Limits.InactiveThreshold; limit > 0 && c.InactiveThreshold > limit {
		return j.refuse(10153, "config.inactive_threshold", limit.String())
	}
	return nil
}

// checkMaxConsumers is the cap on a stream's consumers on a single server
// (server/consumer.go, addConsumerWithAssignment). In a cluster, up to 2.11,
// the servers check it once more.
func (j *judge) checkMaxConsumers(c *consumerConfig, st *stream) *refusal {
	if j.clustered() && j.atLeast(v212) || j.atLeast(v215) && (c.Direct || c.Sourcing) {
		return nil
	}
	most := st.config.MaxConsumers
	if limit := j.Account.MaxConsumers; most <= 0 || limit > 0 && limit < most {
		most = limit
	}
	if most <= 0 {
		most = j.maxConsumersDefault()
	}
	if most > 0 && j.countedConsumers(st) >= most {
		return j.refuse(10026, "")
	}
	return nil
}

// checkMaxConsumersClustered is the same in the meta leader
// (jsClusteredConsumerRequest). A consumer that exists is not counted.
func (j *judge) checkMaxConsumersClustered(c *consumerConfig, st *stream, name string) *refusal {
	if j.atLeast(v215) && (c.Direct || c.Sourcing) {
		return nil
	}
	count := j.countedConsumers(st)
	if name != "" && st.consumers[name] != nil {
		if j.atLeast(v212) {
			return nil
		}
		count-- // 2.10 and 2.11 still compare the others with the cap
	}
	ofStream, ofAccount := st.config.MaxConsumers, j.Account.MaxConsumers
	if ofStream <= 0 && ofAccount <= 0 {
		ofStream = j.maxConsumersDefault()
	}
	if ofStream > 0 && count >= ofStream || ofAccount > 0 && count >= ofAccount {
		return j.refuse(10026, "")
	}
	return nil
}

// countedConsumers: those for sourcing do not count.
func (j *judge) countedConsumers(st *stream) int {
	n := 0
	for _, c := range st.consumers {
		if !c.Direct && !c.Sourcing {
			n++
		}
	}
	return n
}
