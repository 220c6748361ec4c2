package verdict

import (
	"strconv"

	"weir/natsapi"
)

// Metadata that the server keeps about itself (server/jetstream_versioning.go,
// since 2.11).
const (
	metaRequired = "_nats.req.level"
	metaVersion  = "_nats.ver"
	metaLevel    = "_nats.level"
)

// levelHeader asks for a server that has at least this API level.
const levelHeader = "Nats-Required-Api-Level"

// checkAPILevel is errorOnRequiredApiLevel (server/jetstream_versioning.go,
// since 2.12).
func (j *judge) checkAPILevel() *refusal {
	want := j.req.Header[levelHeader]
	if want == "" || !j.atLeast(v212) {
		return nil
	}
	if n, err := strconv.Atoi(want); err != nil || n > j.v.APILevel() {
		return j.refuse(10185, "")
	}
	return nil
}

// setStreamLevel replaces what the client says about versions by what the
// configuration needs (setStaticStreamMetadata).
func setStreamLevel(c *streamConfig) {
	level := 0
	switch {
	case c.Batched:
		level = 4
	case c.Counter, c.Atomic, c.Schedules, c.Persist == "async":
		level = 2
	case c.AllowMsgTTL, c.MarkerTTL > 0:
		level = 1
	}
	c.Metadata = withLevel(c.Metadata, level)
}

// setConsumerLevel is setStaticConsumerMetadata.
func setConsumerLevel(c *consumerConfig) {
	level := 0
	switch {
	case c.AckPolicy == "flow_control":
		level = 4
	case c.PauseUntil != nil && !c.PauseUntil.IsZero(),
		c.PriorityPolicy != "none", c.PriorityTimeout != 0, len(c.PriorityGroups) > 0:
		level = 1
	}
	c.Metadata = withLevel(c.Metadata, level)
}

func withLevel(m map[string]string, level int) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	delete(m, metaVersion)
	delete(m, metaLevel)
	m[metaRequired] = strconv.Itoa(level)
	return m
}

// adoptLevel gives m the level that old has, so that a comparison of the two
// ignores it (copyStreamMetadata, copyConsumerMetadata).
func adoptLevel(m, old map[string]string) map[string]string {
	delete(m, metaVersion)
	delete(m, metaLevel)
	if level, ok := old[metaRequired]; ok {
		if m == nil {
			m = map[string]string{}
		}
		m[metaRequired] = level
		return m
	}
	delete(m, metaRequired)
	if len(m) == 0 {
		return nil
	}
	return m
}

// shownMetadata is the metadata as a reply shows it: the server's version and
// level are added and not stored.
func shownMetadata(v natsapi.Version, m map[string]string) map[string]string {
	if !v.AtLeast(v211) {
		return m
	}
	out := make(map[string]string, len(m)+2)
	for k, value := range m {
		out[k] = value
	}
	out[metaVersion] = v.String()
	out[metaLevel] = strconv.Itoa(v.APILevel())
	return out
}
