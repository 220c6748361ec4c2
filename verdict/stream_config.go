package verdict

import (
	"maps"
	"slices"
	"time"

	"weir/natsapi"
)

// streamConfig is a stream's configuration with the names, types and zero
// values of the server (server/stream.go, StreamConfig, 2.10 to 2.15): whether
// a list is absent or empty counts when configurations are compared.
type streamConfig struct {
	Name          string
	Description   string
	Subjects      []string
	Retention     string
	MaxConsumers  int
	MaxMsgs       int64
	MaxBytes      int64
	MaxAge        time.Duration
	MaxMsgsPer    int64
	MaxMsgSize    int32
	Discard       string
	Storage       string // "" until the default is filled in
	Replicas      int
	NoAck         bool
	Template      string // up to 2.12
	Duplicates    time.Duration
	Placement     *placement
	Mirror        *source
	Sources       []*source
	Compression   string
	FirstSeq      uint64
	Transform     *transform
	RePublish     *republish
	AllowDirect   bool
	MirrorDirect  bool
	DiscardNewPer bool
	Sealed        bool
	DenyDelete    bool
	DenyPurge     bool
	AllowRollup   bool
	Limits        consumerLimits
	AllowMsgTTL   bool          // 2.11
	MarkerTTL     time.Duration // 2.11
	Counter       bool          // 2.12
	Atomic        bool          // 2.12
	Schedules     bool          // 2.12
	Persist       string        // 2.12
	Batched       bool          // 2.14
	Metadata      map[string]string
}

func newStreamConfig() *streamConfig {
	return &streamConfig{
		Retention: retentionNames.names[0], Discard: discardNames.names[0],
		Compression: compressionNames.names[0], Persist: persistNames.names[0],
	}
}

// copy is deep, so that checks may change parts of it.
func (c *streamConfig) copy() *streamConfig {
	out := *c
	out.Subjects = slices.Clone(c.Subjects)
	out.Metadata = maps.Clone(c.Metadata)
	if c.Placement != nil {
		p := *c.Placement
		p.Tags = slices.Clone(p.Tags)
		out.Placement = &p
	}
	out.Mirror = c.Mirror.copy()
	out.Sources = slices.Clone(c.Sources)
	for i, s := range out.Sources {
		out.Sources[i] = s.copy()
	}
	if c.Transform != nil {
		t := *c.Transform
		out.Transform = &t
	}
	if c.RePublish != nil {
		r := *c.RePublish
		out.RePublish = &r
	}
	return &out
}

// dropEmpty forgets the difference between an absent and an empty list, as a
// cluster does when it writes the configuration down for the other servers.
func (c *streamConfig) dropEmpty() {
	clearEmpty(&c.Subjects)
	clearEmpty(&c.Sources)
	if len(c.Metadata) == 0 {
		c.Metadata = nil
	}
	if c.Placement != nil {
		clearEmpty(&c.Placement.Tags)
	}
	if c.Mirror != nil {
		clearEmpty(&c.Mirror.Transforms)
	}
	for _, s := range c.Sources {
		clearEmpty(&s.Transforms)
	}
}

func clearEmpty[T any](s *[]T) {
	if len(*s) == 0 {
		*s = nil
	}
}

func (c *streamConfig) fields(v natsapi.Version) []field {
	fields := make([]field, 0, 40)
	fields = append(fields,
		known("name", &c.Name, false),
		known("description", &c.Description, true),
		known("subjects", stringList(&c.Subjects), true),
		known("retention", enumDst{&c.Retention, retentionNames}, false),
		known("max_consumers", &c.MaxConsumers, false),
		known("max_msgs", &c.MaxMsgs, false),
		known("max_bytes", &c.MaxBytes, false),
		known("max_age", &c.MaxAge, false),
		known("max_msgs_per_subject", &c.MaxMsgsPer, false),
		known("max_msg_size", &c.MaxMsgSize, true),
		known("discard", enumDst{&c.Discard, discardNames}, false),
		known("storage", enumDst{&c.Storage, storageNames}, false),
		known("num_replicas", &c.Replicas, false),
		known("no_ack", &c.NoAck, true),
		known("duplicate_window", &c.Duplicates, true),
		known("placement", optional[placement, *placement]{&c.Placement}, true),
		known("mirror", optional[source, *source]{&c.Mirror}, true),
		known("sources", listOf[*source]{&c.Sources, func(s **source) any { return optional[source, *source]{s} }}, true),
		known("compression", enumDst{&c.Compression, compressionNames}, false),
		known("first_seq", &c.FirstSeq, true),
		known("subject_transform", optional[transform, *transform]{&c.Transform}, true),
		known("republish", optional[republish, *republish]{&c.RePublish}, true),
		known("allow_direct", &c.AllowDirect, false),
		known("mirror_direct", &c.MirrorDirect, false),
		known("discard_new_per_subject", &c.DiscardNewPer, true),
		known("sealed", &c.Sealed, false),
		known("deny_delete", &c.DenyDelete, false),
		known("deny_purge", &c.DenyPurge, false),
		known("allow_rollup_hdrs", &c.AllowRollup, false),
		known("consumer_limits", &c.Limits, false),
	)
	if !v.AtLeast(v214) {
		fields = append(fields, known("template_owner", &c.Template, true))
	}
	if v.AtLeast(v211) {
		fields = append(fields,
			known("allow_msg_ttl", &c.AllowMsgTTL, false),
			known("subject_delete_marker_ttl", &c.MarkerTTL, true))
	}
	if v.AtLeast(v212) {
		fields = append(fields,
			known("allow_msg_counter", &c.Counter, true),
			known("allow_atomic", &c.Atomic, true),
			known("allow_msg_schedules", &c.Schedules, true),
			known("persist_mode", enumDst{&c.Persist, persistNames}, true))
	}
	if v.AtLeast(v214) {
		fields = append(fields, known("allow_batched", &c.Batched, true))
	}
	return append(fields, known("metadata", &c.Metadata, true))
}

// streamRequest is the body of STREAM.CREATE and STREAM.UPDATE: the
// configuration, and since 2.11 "pedantic" beside its members.
type streamRequest struct {
	config   *streamConfig
	pedantic bool
}

func (r *streamRequest) fields(v natsapi.Version) []field {
	fields := r.config.fields(v)
	if v.AtLeast(v211) {
		for i := range fields {
			fields[i].embedded = r.config.goName()
		}
		fields = append(fields, known("pedantic", &r.pedantic, true))
	}
	return fields
}

func (*streamConfig) goName() string   { return "StreamConfig" }
func (*streamRequest) goName() string  { return "StreamConfigRequest" }
func (*source) goName() string         { return "StreamSource" }
func (*external) goName() string       { return "ExternalStream" }
func (*sourceConsumer) goName() string { return "StreamConsumerSource" }
func (*transform) goName() string      { return "SubjectTransformConfig" }
func (*republish) goName() string      { return "RePublish" }
func (*placement) goName() string      { return "Placement" }
func (*consumerLimits) goName() string { return "StreamConsumerLimits" }

// source is a mirror's or a source's origin (StreamSource).
type source struct {
	Name          string
	OptStartSeq   uint64
	OptStartTime  *time.Time
	FilterSubject string
	Transforms    []transform
	External      *external
	Consumer      *sourceConsumer // 2.14
}

func (s *source) copy() *source {
	if s == nil {
		return nil
	}
	out := *s
	out.Transforms = slices.Clone(s.Transforms)
	return &out
}

func (s *source) fields(v natsapi.Version) []field {
	fields := []field{
		known("name", &s.Name, false),
		known("opt_start_seq", &s.OptStartSeq, true),
		known("opt_start_time", &s.OptStartTime, true),
		known("filter_subject", &s.FilterSubject, true),
		known("subject_transforms", listOf[transform]{&s.Transforms, func(t *transform) any { return t }}, true),
		known("external", optional[external, *external]{&s.External}, true),
	}
	if v.AtLeast(v214) {
		fields = append(fields, known("consumer", optional[sourceConsumer, *sourceConsumer]{&s.Consumer}, true))
	}
	return fields
}

// external says how an origin in another account or domain is reached.
type external struct{ API, Deliver string }

func (e *external) fields(natsapi.Version) []field {
	return []field{known("api", &e.API, false), known("deliver", &e.Deliver, false)}
}

// sourceConsumer names a consumer of the origin that exists already.
type sourceConsumer struct{ Name, DeliverSubject string }

func (c *sourceConsumer) fields(natsapi.Version) []field {
	return []field{known("name", &c.Name, true), known("deliver_subject", &c.DeliverSubject, true)}
}

// transform is a subject transform.
type transform struct{ Source, Destination string }

func (t *transform) fields(natsapi.Version) []field {
	return []field{known("src", &t.Source, false), known("dest", &t.Destination, false)}
}

// republish sends stored messages on under another subject.
type republish struct {
	Source, Destination string
	HeadersOnly         bool
}

func (r *republish) fields(natsapi.Version) []field {
	return []field{
		known("src", &r.Source, true),
		known("dest", &r.Destination, false),
		known("headers_only", &r.HeadersOnly, true),
	}
}

// placement says which servers may hold a stream.
type placement struct {
	Cluster   string
	Tags      []string
	Preferred string // 2.11; read to be refused
}

func (p *placement) fields(v natsapi.Version) []field {
	fields := []field{known("cluster", &p.Cluster, true), known("tags", stringList(&p.Tags), true)}
	if v.AtLeast(v211) {
		fields = append(fields, known("preferred", &p.Preferred, true))
	}
	return fields
}

// consumerLimits are what a stream sets for its consumers.
type consumerLimits struct {
	InactiveThreshold time.Duration
	MaxAckPending     int
}

func (l *consumerLimits) fields(natsapi.Version) []field {
	return []field{
		known("inactive_threshold", &l.InactiveThreshold, true),
		known("max_ack_pending", &l.MaxAckPending, true),
	}
}
