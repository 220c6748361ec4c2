package verdict

import (
	"reflect"
	"strings"
)

// consumerSubject is what the API subject of a consumer request says.
type consumerSubject struct {
	stream, name, filter string
	legacy               bool // CONSUMER.CREATE.<stream>: an ephemeral without a name
	durable              bool // CONSUMER.DURABLE.CREATE.<stream>.<name>
}

// createConsumer answers CONSUMER.CREATE and CONSUMER.DURABLE.CREATE in all
// forms of their subject (server/jetstream_api.go, jsConsumerCreateRequest).
// The same request updates a consumer that exists.
func (j *judge) createConsumer(at consumerSubject) Answer {
	if !j.has(bodyBeforeLevel) {
		if r := j.checkAPILevel(); r != nil {
			return r.answer()
		}
	}
	req := newConsumerRequest()
	if fault := decodeRequest(j.v, j.strict(), j.req.Body, req); fault != nil {
		return j.refuse(10025, fault.path, fault.text).answer()
	}
	j.pedantic = req.pedantic
	c := req.config.consumerConfig
	led := at.stream
	if at.durable {
		led = "CREATE" // the server takes the fifth token of the subject for the stream
	}
	atLeader := j.clustered() && j.goesToStreamLeader(c, led)
	if atLeader && j.streams[led] == nil {
		return Answer{Verdict: NoReply} // no server leads a stream of that name
	}
	r := first(
		func() *refusal { return j.checkAPILevel() },
		func() *refusal { return j.checkConsumerSubject(at, req) },
		func() *refusal { return j.checkFilterInSubject(at, c) },
	)
	if r != nil {
		return r.answer()
	}
	if j.clustered() && !atLeader {
		return j.createConsumerClustered(req)
	}
	if c.Replicas > 1 {
		return j.refuse(10074, "config.num_replicas").answer()
	}
	if j.streams[req.stream] == nil {
		return j.refuse(10059, "stream_name").answer()
	}
	name := at.name
	if at.legacy && j.atLeast(v214) {
		name = c.Name
	}
	return j.createConsumerSingle(req, name)
}

// goesToStreamLeader: consumers for sourcing are not assigned by the meta
// leader. Since 2.14 those of interest and workqueue streams are.
func (j *judge) goesToStreamLeader(c *consumerConfig, streamName string) bool {
	if !c.Direct {
		return false
	}
	st := j.streams[streamName]
	return !(j.atLeast(v214) && c.Sourcing && st != nil && st.config.Retention != "limits")
}

// checkConsumerSubject compares the subject with the body, and takes the name
// from it.
func (j *judge) checkConsumerSubject(at consumerSubject, req *consumerRequest) *refusal {
	c := req.config.consumerConfig
	if at.stream != req.stream {
		return j.refuse(10056, "stream_name")
	}
	inSubject := at.name
	if at.legacy && j.atLeast(v214) {
		inSubject = c.Name
	}
	if strings.ContainsAny(inSubject, `\/`) {
		return j.refuse(10127, "config.name")
	}
	switch {
	case at.durable:
		if c.Durable == "" {
			return j.refuse(10018, "config.durable_name")
		}
		if c.Durable != at.name {
			return j.refuse(10017, "config.durable_name")
		}
		if j.has(reworked) {
			c.Name = at.name
		}
	case at.legacy:
		if c.Durable != "" {
			return j.refuse(10020, "config.durable_name")
		}
	default:
		if c.Durable != "" && c.Durable != at.name {
			return j.refuse(10017, "config.durable_name")
		}
		c.Name = at.name
	}
	return nil
}

func (j *judge) checkFilterInSubject(at consumerSubject, c *consumerConfig) *refusal {
	switch {
	case at.filter == "":
		return nil
	case len(c.FilterSubjects) != 0:
		return j.refuse(10137, "config.filter_subjects")
	case c.FilterSubject != at.filter:
		return j.refuse(10131, "config.filter_subject")
	}
	return nil
}

// createConsumerSingle is what follows where the stream itself answers. name is
// by which the server looks for an existing consumer to keep its pause.
func (j *judge) createConsumerSingle(req *consumerRequest, name string) Answer {
	st := j.streams[req.stream]
	c := req.config.consumerConfig
	if c.Direct && c.Sourcing && c.Name != "" {
		if !j.clustered() && st.config.Retention != "limits" {
			upgradeSourcing(c)
		} else {
			c.Name += "-" + madeUpName
			name = c.Name
		}
	}
	if old := st.consumers[name]; old != nil && j.atLeast(v211) {
		c.PauseUntil = old.PauseUntil
		keepStart(c, old)
	}
	if j.atLeast(v211) {
		setConsumerLevel(c)
	}
	if r := j.checkConsumer(c, st.config); r != nil {
		return r.answer()
	}
	name = c.Durable
	if name == "" {
		name = c.Name
	}
	if old := st.consumers[name]; old != nil {
		return j.updateConsumer(req, old, name)
	}
	if req.action == "update" {
		return j.refuse(10149, "action").answer()
	}
	r := first(
		func() *refusal { return j.checkMaxConsumers(c, st) },
		func() *refusal { return j.checkWorkqueue(c, st, name) },
		func() *refusal { return j.checkConsumerStorable(c, st.config, name) },
	)
	if r != nil {
		return r.answer()
	}
	fillIdleTime(c)
	return j.acceptConsumer(req, c, name)
}

// fillIdleTime gives new ephemerals an inactive_threshold
// (updateInactiveThreshold, server/consumer.go).
func fillIdleTime(c *consumerConfig) {
	if c.Durable == "" && c.InactiveThreshold <= 0 {
		c.InactiveThreshold = defaultInactiveThreshold
	}
}

// madeUpName is what the server makes up where a name must be its own; a valid
// name of the length that it has there (createConsumerName).
const madeUpName = "\x01\x01random"

// upgradeSourcing: since 2.14 a stream that does not keep its messages is
// sourced from with a durable, acknowledged consumer, whatever was asked for.
func upgradeSourcing(c *consumerConfig) {
	c.Direct, c.Durable, c.AckPolicy = false, c.Name, "flow_control"
	c.AckWait, c.MaxDeliver, c.InactiveThreshold = 0, 0, 0
}

// keepStart: a durable consumer for sourcing keeps where it started (2.14).
func keepStart(c, old *consumerConfig) {
	if c.Sourcing && c.Durable != "" {
		c.DeliverPolicy, c.OptStartSeq, c.OptStartTime = old.DeliverPolicy, old.OptStartSeq, old.OptStartTime
	}
}

// createConsumerClustered is jsClusteredConsumerRequest
// (server/jetstream_cluster.go) in the meta leader, followed by what the
// consumer's leader does when it applies the assignment.
func (j *judge) createConsumerClustered(req *consumerRequest) Answer {
	c := req.config.consumerConfig
	if c.Direct && c.Sourcing && c.Name != "" {
		upgradeSourcing(c)
	}
	st := j.streams[req.stream]
	if st == nil {
		return j.refuse(10059, "stream_name").answer()
	}
	if r := j.checkConsumer(c, st.config); r != nil {
		return r.answer()
	}
	name := c.Name
	if name == "" {
		name = c.Durable
	}
	if req.action != "update" {
		if r := j.checkMaxConsumersClustered(c, st, name); r != nil {
			return r.answer()
		}
	}
	old := st.consumers[name]
	if old != nil && !old.Direct {
		return j.updateConsumerClustered(req, old, name)
	}
	// A nameless consumer made with action "create" gets no level.
	if j.atLeast(v211) && (name != "" || req.action != "create") {
		setConsumerLevel(c)
	}
	if req.action == "update" {
		return j.refuse(10149, "action").answer()
	}
	j.pedantic = false
	r := first(
		func() *refusal { return j.checkWorkqueueClustered(c, st, name) },
		func() *refusal { return j.checkNotDirect(c, old) },
		func() *refusal { return j.checkConsumer(c, st.config) },
		func() *refusal { return j.checkWorkqueue(c, st, name) },
		func() *refusal { return j.checkConsumerStorable(c, st.config, name) },
	)
	if r != nil {
		return r.answer()
	}
	fillIdleTime(c)
	return j.acceptConsumer(req, c, name)
}

// checkNotDirect: a direct consumer of that name is known to the stream's leader
// only, which then finds that it cannot become this one
// (processClusterCreateConsumer).
func (j *judge) checkNotDirect(c, old *consumerConfig) *refusal {
	if old != nil && j.checkConsumerUpdate(c, old) != nil {
		return j.refuse(10013, "config.name")
	}
	return nil
}

// checkConsumerStorable looks at what only shows when the consumer is made:
// its name as a name of a directory.
func (j *judge) checkConsumerStorable(c *consumerConfig, st *streamConfig, name string) *refusal {
	if len(c.Durable) > maxNameBytes {
		return j.refuse(10102, "config.durable_name", "255")
	}
	if name != "" && !j.validAssetName(name) {
		return j.refuse(10103, "config.name")
	}
	if c.Direct || c.MemStorage || st.Storage == "memory" {
		return nil
	}
	if len(name) > maxNameBytes || strings.ContainsRune(name, 0) {
		return j.refuse(10012, "config.name", "error creating store for consumer")
	}
	return nil
}

// acceptConsumer is the answer that c is stored under name. Without one the
// server makes one up, which the configuration does not show.
func (j *judge) acceptConsumer(req *consumerRequest, c *consumerConfig, name string) Answer {
	shown := *c
	shown.Metadata = shownMetadata(j.v, c.Metadata)
	if base, ok := strings.CutSuffix(c.Name, madeUpName); ok {
		shown.Name = base + GeneratedName
	}
	echo, list := echoOf(j.v, shown.fields(j.v))
	return Answer{
		Verdict: OK, Config: echo, Changes: changesOf(configIn(j.req.Body), list),
		apply: func(s *Setting) { s.putConsumer(req.stream, name, c) },
	}
}

// configIn is the configuration in the body of a consumer request.
func configIn(body []byte) []byte {
	var config []byte
	for _, m := range memberList(body) {
		if strings.EqualFold(m.name, "config") {
			config = m.raw
		}
	}
	return config
}

// sameConsumer compares as action "create" does.
func (j *judge) sameConsumer(c, old *consumerConfig) bool {
	if j.atLeast(v211) {
		c.Metadata = adoptLevel(c.Metadata, old.Metadata)
	}
	return reflect.DeepEqual(c, old)
}
