package verdict

import (
	"reflect"
	"slices"
	"time"
)

// updateConsumer is what happens to a request for a consumer that exists
// (server/consumer.go, addConsumerWithAssignment and updateConfig).
func (j *judge) updateConsumer(req *consumerRequest, old *consumerConfig, name string) Answer {
	c, st := req.config.consumerConfig, j.streams[req.stream]
	if req.action == "create" && !j.sameConsumer(c, old) {
		return j.refuse(10148, "config."+j.firstDifference(old, c)).answer()
	}
	r := first(
		func() *refusal { return j.checkUniqueFilter(c, st, name) },
		func() *refusal { return j.checkConsumerUpdate(c, old) },
	)
	if r != nil {
		return r.answer()
	}
	c.PauseUntil = inUTC(c.PauseUntil)
	refillIdleTime(c, old)
	return j.acceptConsumer(req, c, name)
}

// updateConsumerClustered is the same in the meta leader of a cluster, which
// does not look at the filters of a workqueue.
func (j *judge) updateConsumerClustered(req *consumerRequest, old *consumerConfig, name string) Answer {
	c := req.config.consumerConfig
	if j.atLeast(v211) {
		c.Metadata = adoptLevel(c.Metadata, old.Metadata)
	}
	keepStart(c, old)
	if req.action == "create" && !reflect.DeepEqual(c, old) {
		return j.refuse(10148, "config."+j.firstDifference(old, c)).answer()
	}
	if r := j.checkConsumerUpdate(c, old); r != nil {
		return r.answer()
	}
	if j.atLeast(v211) {
		if req.action != "create" {
			setConsumerLevel(c)
		}
		c.PauseUntil = inUTC(old.PauseUntil)
	}
	refillIdleTime(c, old)
	return j.acceptConsumer(req, c, name)
}

// refillIdleTime does the same when inactive_threshold changes. The server looks
// at what the consumer was: one that was durable stays without.
func refillIdleTime(c, old *consumerConfig) {
	if c.InactiveThreshold != old.InactiveThreshold && old.Durable == "" && c.InactiveThreshold <= 0 {
		c.InactiveThreshold = defaultInactiveThreshold
	}
}

func inUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}

// checkConsumerUpdate is checkNewConsumerConfig (server/consumer.go): what a
// consumer keeps for life. All of it is 10012 with the reason.
func (j *judge) checkConsumerUpdate(c, old *consumerConfig) *refusal {
	if reflect.DeepEqual(c, old) {
		return nil
	}
	keep := func(same bool, member, what string) *refusal {
		if same {
			return nil
		}
		return j.refuse(10012, "config."+member, what+" can not be updated")
	}
	r := first(
		func() *refusal { return keep(c.DeliverPolicy == old.DeliverPolicy, "deliver_policy", "deliver policy") },
		func() *refusal { return j.checkClassUpdated(c, old) },
		func() *refusal { return keep(c.OptStartSeq == old.OptStartSeq, "opt_start_seq", "start sequence") },
		func() *refusal {
			return keep(sameTime(c.OptStartTime, old.OptStartTime), "opt_start_time", "start time")
		},
		func() *refusal { return keep(c.AckPolicy == old.AckPolicy, "ack_policy", "ack policy") },
		func() *refusal { return keep(c.ReplayPolicy == old.ReplayPolicy, "replay_policy", "replay policy") },
		func() *refusal { return keep(c.Heartbeat == old.Heartbeat, "idle_heartbeat", "heart beats") },
		func() *refusal { return keep(c.FlowControl == old.FlowControl, "flow_control", "flow control") },
		func() *refusal { return j.checkDeliverUpdated(c, old) },
		func() *refusal { return keep(c.MaxWaiting == old.MaxWaiting, "max_waiting", "max waiting") },
	)
	if r != nil {
		return r
	}
	return j.checkBackOffSteps(c)
}

// checkClassUpdated: where a consumer is stored and what it is for.
func (j *judge) checkClassUpdated(c, old *consumerConfig) *refusal {
	switch {
	case c.MemStorage != old.MemStorage && j.has(memoryKept):
		return j.refuse(10012, "config.mem_storage", "storage type can not be updated")
	case !j.has(classKept):
		return nil
	case c.Direct != old.Direct:
		return j.refuse(10012, "config.direct", "direct can not be updated")
	case c.Sourcing != old.Sourcing:
		return j.refuse(10012, "config.sourcing", "sourcing can not be updated")
	}
	return nil
}

func sameTime(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// checkDeliverUpdated: a push consumer may move to another subject while nobody
// listens on the old one.
func (j *judge) checkDeliverUpdated(c, old *consumerConfig) *refusal {
	const path = "config.deliver_subject"
	switch {
	case c.DeliverSubject == old.DeliverSubject:
		return nil
	case old.DeliverSubject == "":
		return j.refuse(10012, path, "can not update pull consumer to push based")
	case c.DeliverSubject == "":
		return j.refuse(10012, path, "can not update push consumer to pull based")
	case j.reservedDestination(c.DeliverSubject):
		return j.refuse(10112, path)
	case j.hasInterest(old.DeliverSubject):
		return j.refuse(10013, path)
	}
	return nil
}

// checkUniqueFilter: on a workqueue no two consumers may get the same message
// (partitionUnique, server/stream.go).
func (j *judge) checkUniqueFilter(c *consumerConfig, st *stream, name string) *refusal {
	if st.config.Retention == "workqueue" && !j.uniqueFilter(c.filters(), st, name) {
		return j.refuse(10100, filterPath(c))
	}
	return nil
}

func filterPath(c *consumerConfig) string {
	if slices.Contains(c.FilterSubjects, c.FilterSubject) || c.FilterSubject != "" {
		return "config.filter_subject"
	}
	return "config.filter_subjects"
}
