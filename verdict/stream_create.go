package verdict

import (
	"reflect"
	"strings"
)

// createStream answers STREAM.CREATE (server/jetstream_api.go,
// jsStreamCreateRequest). A single server checks the limits of the request as
// it was sent before it looks at the configuration, a cluster after it.
func (j *judge) createStream(name string) Answer {
	if r := j.checkAPILevel(); r != nil {
		return r.answer()
	}
	req := streamRequest{config: newStreamConfig()}
	if fault := decodeRequest(j.v, j.strict(), j.req.Body, &req); fault != nil {
		return j.refuse(10025, fault.path, fault.text).answer()
	}
	j.pedantic = req.pedantic
	c := req.config
	if j.atLeast(v211) {
		setStreamLevel(c)
	}
	r := first(
		func() *refusal { return j.checkStreamSubjectName(name, c.Name) },
		func() *refusal { return j.checkCreatable(c) },
	)
	if r != nil {
		return r.answer()
	}
	if j.clustered() {
		return j.createStreamClustered(c)
	}
	if r := j.checkReservationAsSent(c); r != nil {
		return r.answer()
	}
	return j.createStreamSingle(c)
}

// checkStreamSubjectName compares the name in the API subject with the one in
// the body. Path separators are looked for in the subject's name.
func (j *judge) checkStreamSubjectName(inSubject, inBody string) *refusal {
	if inSubject != inBody {
		return j.refuse(10056, "name")
	}
	if strings.ContainsAny(inSubject, `\/`) {
		return j.refuse(10128, "name")
	}
	return nil
}

// checkCreatable refuses what only an update may say, or only a mirror.
func (j *judge) checkCreatable(c *streamConfig) *refusal {
	if c.Sealed {
		return j.invalidConfig("sealed", "stream configuration for create can not be sealed")
	}
	if c.MirrorDirect && c.Mirror == nil {
		return j.invalidConfig("mirror_direct", "stream has no mirror but does have mirror direct")
	}
	return nil
}

// createStreamSingle is addStreamWithAssignment (server/stream.go) on a server
// that is not clustered.
func (j *judge) createStreamSingle(c *streamConfig) Answer {
	r := j.checkStreamConfig(c)
	if r == nil && c.Replicas > 1 {
		r = j.refuse(10074, "num_replicas")
	}
	if r != nil {
		return j.failed(r)
	}
	if old := j.config(c.Name); old != nil {
		return j.recreateStream(c, old)
	}
	r = first(
		func() *refusal { return j.checkReservation(c) },
		func() *refusal { return j.checkTemplate(c) },
		func() *refusal { return j.checkOriginFilters(c) },
		func() *refusal { return j.checkOverlap(c) },
		func() *refusal { return j.checkTransformsLate(c) },
		func() *refusal { return j.checkStreamStorable(c) },
	)
	if r != nil {
		return j.failed(r)
	}
	return j.acceptStream(c)
}

// failed is the answer to a request that a check has stopped.
func (j *judge) failed(r *refusal) Answer {
	if j.crashed {
		return Answer{Verdict: Crash, Path: r.path}
	}
	return r.answer()
}

// recreateStream answers the creation of a stream that exists: accepted when
// nothing differs.
func (j *judge) recreateStream(c, old *streamConfig) Answer {
	if j.atLeast(v211) {
		c.Metadata = adoptLevel(c.Metadata, old.Metadata)
	}
	if !reflect.DeepEqual(c, old) {
		return j.refuse(10058, j.firstDifference(old, c)).answer()
	}
	return j.acceptStream(old)
}

// firstDifference is the first member in which two configurations differ.
func (j *judge) firstDifference(a, b object) string {
	as, bs := a.fields(j.v), b.fields(j.v)
	for i := range as {
		if string(appendValue(nil, j.v, as[i].dst)) != string(appendValue(nil, j.v, bs[i].dst)) {
			return as[i].name
		}
	}
	return ""
}

// createStreamClustered is jsClusteredStreamRequest (server/jetstream_cluster.go)
// in the meta leader, followed by what the stream's leader does when it applies
// the assignment.
func (j *judge) createStreamClustered(c *streamConfig) Answer {
	r := j.checkStreamConfig(c)
	if r != nil {
		return j.failed(r)
	}
	if old := j.config(c.Name); old != nil {
		return j.recreateStream(c, old)
	}
	r = first(
		func() *refusal { return j.checkOverlap(c) },
		func() *refusal { return j.checkAccountReservation(c) },
	)
	if r != nil {
		return r.answer()
	}
	peers := j.checkPeers(c, nil)
	if peers.refusal != nil && !peers.timing {
		return peers.refusal.answer()
	}
	// The leader checks the configuration a second time, as normalised, and up
	// to 2.12 as it was written down in the assignment.
	j.pedantic = false
	if !j.atLeast(v214) {
		c.dropEmpty()
	}
	r = first(
		func() *refusal { return j.checkStreamConfig(c) },
		func() *refusal { return j.checkTemplate(c) },
		func() *refusal { return j.checkOriginFilters(c) },
		func() *refusal { return j.checkTransformsLate(c) },
		func() *refusal { return j.checkStreamStorable(c) },
	)
	if r != nil {
		return j.failed(r)
	}
	return peers.decide(j, j.acceptStream(c))
}

// checkTemplate refuses a stream that says it belongs to a template; templates
// are gone, the member stayed until 2.12 (server/stream.go).
func (j *judge) checkTemplate(c *streamConfig) *refusal {
	if c.Template != "" {
		return j.refuse(10049, "template_owner", "stream not owned by template")
	}
	return nil
}

// checkStreamStorable refuses names that no directory can have
// (server/filestore.go; memory streams have none). 2.10 and 2.11 read storage
// "any", make no store for it and dereference nil (server/stream.go, setupStore).
func (j *judge) checkStreamStorable(c *streamConfig) *refusal {
	if c.Storage == "any" {
		j.crashed = true
		return &refusal{path: "storage"}
	}
	if c.Storage == "file" && strings.ContainsRune(c.Name, 0) {
		return j.refuse(10049, "name", "error creating store for stream")
	}
	return nil
}

// acceptStream is the answer that c is stored.
func (j *judge) acceptStream(c *streamConfig) Answer {
	shown := *c
	shown.Metadata = shownMetadata(j.v, c.Metadata)
	echo, list := echoOf(j.v, shown.fields(j.v))
	return Answer{
		Verdict: OK, Config: echo, Changes: changesOf(j.req.Body, list),
		apply: func(s *Setting) { s.putStream(c) },
	}
}
