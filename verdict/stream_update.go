package verdict

import (
	"reflect"
	"slices"
	"strings"
)

// updateStream answers STREAM.UPDATE (server/jetstream_api.go,
// jsStreamUpdateRequest): the configuration is checked before the name is
// compared and the stream looked up, and again against the old one.
func (j *judge) updateStream(name string) Answer {
	if r := j.checkAPILevel(); r != nil {
		return r.answer()
	}
	req := streamRequest{config: newStreamConfig()}
	if fault := decodeRequest(j.v, j.strict(), j.req.Body, &req); fault != nil {
		return j.refuse(10025, fault.path, fault.text).answer()
	}
	j.pedantic = req.pedantic
	c := req.config
	r := j.checkStreamConfig(c)
	if r == nil && c.Name != name {
		r = j.refuse(10056, "name")
	}
	old := j.config(name)
	if r == nil && old == nil {
		r = j.refuse(10059, "")
	}
	if r != nil {
		return j.failed(r)
	}
	if j.atLeast(v211) {
		setStreamLevel(c)
	}
	if r := j.checkStreamUpdate(c, old); r != nil {
		return r.answer()
	}
	if j.clustered() {
		return j.updateStreamClustered(c, old)
	}
	r = first(
		func() *refusal { return j.checkLimitsOfConsumers(c, old) },
		func() *refusal { return j.checkOverlap(c) },
		func() *refusal { return j.checkTransformsUpdated(c, old) },
	)
	if r != nil {
		return r.answer()
	}
	return j.acceptStream(c)
}

// checkStreamUpdate is configUpdateCheck (server/stream.go): what may not
// change, and the storage that the change reserves.
func (j *judge) checkStreamUpdate(c, old *streamConfig) *refusal {
	r := first(
		func() *refusal { return j.checkStreamConfig(c) },
		func() *refusal { return j.checkReplicasUpdated(c) },
		func() *refusal { return j.checkStorageUpdated(c, old) },
		func() *refusal { return j.checkFlagsUpdated(c, old) },
		func() *refusal { return j.checkMirrorUpdated(c, old) },
		func() *refusal { return j.checkDiscardPerSubject(c) },
		func() *refusal { return j.checkModesUpdated(c, old) },
	)
	if r != nil {
		return r
	}
	if c.Sealed { // silently completed
		c.MaxAge, c.Discard = 0, "new"
		c.DenyDelete, c.DenyPurge, c.AllowRollup = true, true, false
	}
	return j.checkReservationUpdated(c, old)
}

// checkReplicasUpdated: since 2.14; before, a single server accepts replicas
// in an update.
func (j *judge) checkReplicasUpdated(c *streamConfig) *refusal {
	if c.Replicas > 1 && !j.clustered() && j.has(replicasRefused) {
		return j.refuse(10074, "num_replicas")
	}
	return nil
}

func (j *judge) checkStorageUpdated(c, old *streamConfig) *refusal {
	switch {
	case c.MaxConsumers != old.MaxConsumers && !j.has(reworked):
		return j.invalidConfig("max_consumers", "stream configuration update can not change MaxConsumers")
	case c.Storage != old.Storage:
		return j.invalidConfig("storage", "stream configuration update can not change storage type")
	case c.Retention != old.Retention && (c.Retention == "workqueue" || old.Retention == "workqueue"):
		return j.invalidConfig("retention", "stream configuration update can not change retention policy to/from workqueue")
	case c.Template != "":
		return j.invalidConfig("template_owner", "stream configuration update can not be owned by a template")
	}
	return nil
}

// checkFlagsUpdated: what, once set, stays set.
func (j *judge) checkFlagsUpdated(c, old *streamConfig) *refusal {
	const update = "stream configuration update can not "
	switch {
	case !c.Sealed && old.Sealed:
		return j.invalidConfig("sealed", update+"unseal a sealed stream")
	case !c.DenyDelete && old.DenyDelete:
		return j.invalidConfig("deny_delete", update+"cancel deny message deletes")
	case !c.DenyPurge && old.DenyPurge:
		return j.invalidConfig("deny_purge", update+"cancel deny purge")
	}
	return nil
}

// checkMirrorUpdated: since 2.12 a mirror may become an ordinary stream.
func (j *judge) checkMirrorUpdated(c, old *streamConfig) *refusal {
	if c.Mirror == nil && j.atLeast(v212) || reflect.DeepEqual(c.Mirror, old.Mirror) {
		return nil
	}
	return j.refuse(10055, "mirror")
}

func (j *judge) checkModesUpdated(c, old *streamConfig) *refusal {
	switch {
	case old.AllowMsgTTL && !c.AllowMsgTTL:
		return j.invalidConfig("allow_msg_ttl", "message TTL status can not be disabled")
	case c.Counter != old.Counter:
		return j.invalidConfig("allow_msg_counter", "stream configuration update can not change message counter setting")
	case old.Schedules && !c.Schedules:
		return j.invalidConfig("allow_msg_schedules", "message schedules can not be disabled")
	case c.Persist != old.Persist:
		return j.invalidConfig("persist_mode", "stream configuration update can not change persist mode")
	}
	return nil
}

// checkLimitsOfConsumers: consumers that exist must keep to changed
// consumer_limits. Up to 2.11 a limit that is not set counts as 0, so any
// change of one limit refuses every consumer that has a value of the other.
func (j *judge) checkLimitsOfConsumers(c, old *streamConfig) *refusal {
	lim := c.Limits
	idleChanged := lim.InactiveThreshold != old.Limits.InactiveThreshold
	pendingChanged := lim.MaxAckPending != old.Limits.MaxAckPending
	var idle, pending bool
	if j.has(limitsWhenSet) {
		idle, pending = lim.InactiveThreshold > 0, lim.MaxAckPending > 0
		if !(idle && idleChanged || pending && pendingChanged) {
			return nil
		}
	} else {
		idle, pending = true, true
		if !idleChanged && !pendingChanged {
			return nil
		}
	}
	var names []string
	for name, consumer := range j.streams[c.Name].consumers {
		if idle && consumer.InactiveThreshold > lim.InactiveThreshold || pending && consumer.MaxAckPending > lim.MaxAckPending {
			names = append(names, shownName(name))
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return j.refuse(10069, "consumer_limits", "change to limits violates consumers: "+strings.Join(names, ", "))
}

// updateStreamClustered is the rest of jsClusteredStreamUpdateRequest
// (server/jetstream_cluster.go): a change of placement is a move, which cannot
// go together with a change of replicas.
func (j *judge) updateStreamClustered(c, old *streamConfig) Answer {
	checks := []func() *refusal{func() *refusal { return j.checkOverlap(c) }}
	limits := func() *refusal { return j.checkLimitsOfConsumers(c, old) }
	if j.has(limitsWhenSet) {
		checks = append(checks, limits) // before that the stream's leader checks them
	}
	if r := first(checks...); r != nil {
		return r.answer()
	}
	moved := c.Placement != nil && !reflect.DeepEqual(c.Placement, old.Placement)
	scaled := c.Replicas != old.Replicas
	if moved && (scaled || j.atLeast(v215) && c.Retention != old.Retention) {
		return j.refuse(10123, "placement").answer()
	}
	var peers peerChoice
	switch {
	case moved:
		peers = j.checkPeers(c, nil)
	case c.Replicas > old.Replicas:
		if r := j.checkAccountReservation(c); r != nil {
			return r.answer()
		}
		peers = j.checkPeers(c, j.streams[c.Name].nodes)
	}
	if peers.refusal != nil && !peers.timing {
		return peers.refusal.answer()
	}
	r := j.checkTransformsUpdated(c, old)
	if r == nil && !j.has(limitsWhenSet) {
		r = limits()
	}
	if r != nil {
		// The stream's leader finds these (processClusterUpdateStream) and answers
		// with another code.
		return j.refuse(10051, r.path, r.text).answer()
	}
	return peers.decide(j, j.acceptStream(c))
}
