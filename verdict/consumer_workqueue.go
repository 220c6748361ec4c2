package verdict

// checkWorkqueue: consumers of a workqueue acknowledge, see everything and
// share nothing (server/consumer.go, addConsumerWithAssignment). Up to 2.11 the
// deliver policy is looked at last.
func (j *judge) checkWorkqueue(c *consumerConfig, st *stream, name string) *refusal {
	if st.config.Retention != "workqueue" || c.Direct || c.Sourcing {
		return nil
	}
	if c.AckPolicy != "explicit" && c.AckPolicy != "flow_control" {
		return j.refuse(10098, "config.ack_policy")
	}
	fromStart := func() *refusal {
		if c.DeliverPolicy != "all" {
			return j.refuse(10101, "config.deliver_policy")
		}
		return nil
	}
	others := func() *refusal { return j.checkWorkqueueOthers(c, st, name) }
	if j.has(deliverPolicyFirst) {
		return first(fromStart, others)
	}
	return first(others, fromStart)
}

func (j *judge) checkWorkqueueOthers(c *consumerConfig, st *stream, name string) *refusal {
	n := len(st.consumers)
	if j.atLeast(v214) {
		n = j.countedConsumers(st)
	}
	switch filters := c.filters(); {
	case n == 0:
		return nil
	case len(filters) == 0:
		return j.refuse(10099, "config.filter_subject")
	case !j.uniqueFilter(filters, st, name):
		return j.refuse(10100, filterPath(c))
	}
	return nil
}

// uniqueFilter is partitionUnique (server/stream.go): no other consumer gets
// what the filters select. Without filters it is true.
func (j *judge) uniqueFilter(filters []string, st *stream, name string) bool {
	for _, filter := range filters {
		for n, other := range st.consumers {
			if n == name || j.atLeast(v214) && (other.Direct || other.Sourcing) {
				continue
			}
			theirs := other.filters()
			if len(theirs) == 0 {
				return false
			}
			for _, f := range theirs {
				if j.tired() {
					return true
				}
				if j.collide(filter, f) {
					return false
				}
			}
		}
	}
	return true
}

// checkWorkqueueClustered is what the meta leader looks at before it assigns a
// consumer (jsClusteredConsumerRequest); an unfiltered consumer beside a
// filtered one it leaves to the servers (checkWorkqueue).
func (j *judge) checkWorkqueueClustered(c *consumerConfig, st *stream, name string) *refusal {
	if st.config.Retention != "workqueue" || c.Direct || c.Sourcing {
		return nil
	}
	if c.AckPolicy != "explicit" && c.AckPolicy != "flow_control" {
		return j.refuse(10098, "config.ack_policy")
	}
	if c.DeliverPolicy != "all" && j.has(deliverPolicyFirst) {
		return j.refuse(10101, "config.deliver_policy")
	}
	filters := c.filters()
	// Direct consumers are not assigned; sourcing exists since 2.14.
	if len(filters) == 0 && j.countedConsumers(st) > 0 {
		return j.refuse(10099, "config.filter_subject")
	}
	for _, filter := range filters {
		for _, other := range st.consumers {
			if other.Direct || other.Sourcing {
				continue
			}
			for _, f := range other.filters() {
				if j.tired() {
					return nil
				}
				if j.collide(filter, f) {
					return j.refuse(10100, filterPath(c))
				}
			}
		}
	}
	return nil
}
