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
		field{"name", &c.Name, false},
		field{"description", &c.Description, true},
		field{"subjects", stringList(&c.Subjects), true},
		field{"retention", enumDst{&c.Retention, retentionNames}, false},
		field{"max_consumers", &c.MaxConsumers, false},
		field{"max_msgs", &c.MaxMsgs, false},
		field{"max_bytes", &c.MaxBytes, false},
		field{"max_age", &c.MaxAge, false},
		field{"max_msgs_per_subject", &c.MaxMsgsPer, false},
		field{"max_msg_size", &c.MaxMsgSize, true},
		field{"discard", enumDst{&c.Discard, discardNames}, false},
		field{"storage", enumDst{&c.Storage, storageNames}, false},
		field{"num_replicas", &c.Replicas, false},
		field{"no_ack", &c.NoAck, true},
		field{"duplicate_window", &c.Duplicates, true},
		field{"placement", optional[placement, *placement]{&c.Placement}, true},
		field{"mirror", optional[source, *source]{&c.Mirror}, true},
		field{"sources", listOf[*source]{&c.Sources, func(s **source) any { return optional[source, *source]{s} }}, true},
		field{"compression", enumDst{&c.Compression, compressionNames}, false},
		field{"first_seq", &c.FirstSeq, true},
		field{"subject_transform", optional[transform, *transform]{&c.Transform}, true},
		field{"republish", optional[republish, *republish]{&c.RePublish}, true},
		field{"allow_direct", &c.AllowDirect, false},
		field{"mirror_direct", &c.MirrorDirect, false},
		field{"discard_new_per_subject", &c.DiscardNewPer, true},
		field{"sealed", &c.Sealed, false},
		field{"deny_delete", &c.DenyDelete, false},
		field{"deny_purge", &c.DenyPurge, false},
		field{"allow_rollup_hdrs", &c.AllowRollup, false},
		field{"consumer_limits", &c.Limits, false},
	)
	if !v.AtLeast(v214) {
		fields = append(fields, field{"template_owner", &c.Template, true})
	}
	if v.AtLeast(v211) {
		fields = append(fields,
			field{"allow_msg_ttl", &c.AllowMsgTTL, false},
			field{"subject_delete_marker_ttl", &c.MarkerTTL, true})
	}
	if v.AtLeast(v212) {
		fields = append(fields,
			field{"allow_msg_counter", &c.Counter, true},
			field{"allow_atomic", &c.Atomic, true},
			field{"allow_msg_schedules", &c.Schedules, true},
			field{"persist_mode", enumDst{&c.Persist, persistNames}, true})
	}
	if v.AtLeast(v214) {
		fields = append(fields, field{"allow_batched", &c.Batched, true})
	}
	return append(fields, field{"metadata", &c.Metadata, true})
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
		fields = append(fields, field{"pedantic", &r.pedantic, true})
	}
	return fields
}

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
		{"name", &s.Name, false},
		{"opt_start_seq", &s.OptStartSeq, true},
		{"opt_start_time", &s.OptStartTime, true},
		{"filter_subject", &s.FilterSubject, true},
		{"subject_transforms", listOf[transform]{&s.Transforms, func(t *transform) any { return t }}, true},
		{"external", optional[external, *external]{&s.External}, true},
	}
	if v.AtLeast(v214) {
		fields = append(fields, field{"consumer", optional[sourceConsumer, *sourceConsumer]{&s.Consumer}, true})
	}
	return fields
}

// external says how an origin in another account or domain is reached.
type external struct{ API, Deliver string }

func (e *external) fields(natsapi.Version) []field {
	return []field{{"api", &e.API, false}, {"deliver", &e.Deliver, false}}
}

// sourceConsumer names a consumer of the origin that exists already.
type sourceConsumer struct{ Name, DeliverSubject string }

func (c *sourceConsumer) fields(natsapi.Version) []field {
	return []field{{"name", &c.Name, true}, {"deliver_subject", &c.DeliverSubject, true}}
}

// transform is a subject transform.
type transform struct{ Source, Destination string }

func (t *transform) fields(natsapi.Version) []field {
	return []field{{"src", &t.Source, false}, {"dest", &t.Destination, false}}
}

// republish sends stored messages on under another subject.
type republish struct {
	Source, Destination string
	HeadersOnly         bool
}

func (r *republish) fields(natsapi.Version) []field {
	return []field{
		{"src", &r.Source, true},
		{"dest", &r.Destination, false},
		{"headers_only", &r.HeadersOnly, true},
	}
}

// placement says which servers may hold a stream.
type placement struct {
	Cluster   string
	Tags      []string
	Preferred string // 2.11; read to be refused
}

func (p *placement) fields(v natsapi.Version) []field {
	fields := []field{{"cluster", &p.Cluster, true}, {"tags", stringList(&p.Tags), true}}
	if v.AtLeast(v211) {
		fields = append(fields, field{"preferred", &p.Preferred, true})
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
		{"inactive_threshold", &l.InactiveThreshold, true},
		{"max_ack_pending", &l.MaxAckPending, true},
	}
}
