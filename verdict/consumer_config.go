package verdict

import (
	"maps"
	"slices"
	"time"

	"weir/natsapi"
)

// consumerConfig is a consumer's configuration with the names, types and zero
// values of the server (server/consumer.go, ConsumerConfig, 2.10 to 2.15).
type consumerConfig struct {
	Durable           string
	Name              string
	Description       string
	DeliverPolicy     string
	OptStartSeq       uint64
	OptStartTime      *time.Time
	AckPolicy         string
	AckWait           time.Duration
	MaxDeliver        int
	BackOff           []time.Duration
	FilterSubject     string
	FilterSubjects    []string
	ReplayPolicy      string
	RateLimit         uint64
	SampleFreq        string
	MaxWaiting        int
	MaxAckPending     int
	FlowControl       bool
	HeadersOnly       bool
	MaxBatch          int
	MaxExpires        time.Duration
	MaxBytes          int
	DeliverSubject    string
	DeliverGroup      string
	Heartbeat         time.Duration
	InactiveThreshold time.Duration
	Replicas          int
	MemStorage        bool
	Direct            bool
	Sourcing          bool // 2.14
	Metadata          map[string]string
	PauseUntil        *time.Time    // 2.11
	PriorityGroups    []string      // 2.11
	PriorityPolicy    string        // 2.11
	PriorityTimeout   time.Duration // 2.11
}

func newConsumerConfig() *consumerConfig {
	return &consumerConfig{
		DeliverPolicy: deliverNames.names[0], AckPolicy: ackNames.names[0],
		ReplayPolicy: replayNames.names[0], PriorityPolicy: priorityNames.names[0],
	}
}

// copy is deep, so that checks may change parts of it.
func (c *consumerConfig) copy() *consumerConfig {
	out := *c
	out.BackOff = slices.Clone(c.BackOff)
	out.FilterSubjects = slices.Clone(c.FilterSubjects)
	out.PriorityGroups = slices.Clone(c.PriorityGroups)
	out.Metadata = maps.Clone(c.Metadata)
	return &out
}

// dropEmpty is streamConfig.dropEmpty for consumers.
func (c *consumerConfig) dropEmpty() {
	clearEmpty(&c.BackOff)
	clearEmpty(&c.FilterSubjects)
	clearEmpty(&c.PriorityGroups)
	if len(c.Metadata) == 0 {
		c.Metadata = nil
	}
}

func (c *consumerConfig) fields(v natsapi.Version) []field {
	fields := make([]field, 0, 36)
	fields = append(fields,
		known("durable_name", &c.Durable, true),
		known("name", &c.Name, true),
		known("description", &c.Description, true),
		known("deliver_policy", enumDst{&c.DeliverPolicy, deliverNames}, false),
		known("opt_start_seq", &c.OptStartSeq, true),
		known("opt_start_time", &c.OptStartTime, true),
		known("ack_policy", enumDst{&c.AckPolicy, ackNames}, false),
		known("ack_wait", &c.AckWait, true),
		known("max_deliver", &c.MaxDeliver, true),
		known("backoff", durationList(&c.BackOff), true),
		known("filter_subject", &c.FilterSubject, true),
		known("filter_subjects", stringList(&c.FilterSubjects), true),
		known("replay_policy", enumDst{&c.ReplayPolicy, replayNames}, false),
		known("rate_limit_bps", &c.RateLimit, true),
		known("sample_freq", &c.SampleFreq, true),
		known("max_waiting", &c.MaxWaiting, true),
		known("max_ack_pending", &c.MaxAckPending, true),
		known("flow_control", &c.FlowControl, true),
		known("headers_only", &c.HeadersOnly, true),
		known("max_batch", &c.MaxBatch, true),
		known("max_expires", &c.MaxExpires, true),
		known("max_bytes", &c.MaxBytes, true),
		known("deliver_subject", &c.DeliverSubject, true),
		known("deliver_group", &c.DeliverGroup, true),
		known("idle_heartbeat", &c.Heartbeat, true),
		known("inactive_threshold", &c.InactiveThreshold, true),
		known("num_replicas", &c.Replicas, false),
		known("mem_storage", &c.MemStorage, true),
		known("direct", &c.Direct, true),
	)
	if v.AtLeast(v214) {
		fields = append(fields, known("sourcing", &c.Sourcing, true))
	}
	fields = append(fields, known("metadata", &c.Metadata, true))
	if v.AtLeast(v211) {
		fields = append(fields,
			known("pause_until", &c.PauseUntil, true),
			known("priority_groups", stringList(&c.PriorityGroups), true),
			known("priority_policy", enumDst{&c.PriorityPolicy, priorityNames}, true),
			known("priority_timeout", &c.PriorityTimeout, true))
	}
	return fields
}

// filters are all filter subjects, however they were written
// (server/consumer.go, gatherSubjectFilters).
func (c *consumerConfig) filters() []string {
	if c.FilterSubject == "" {
		return c.FilterSubjects
	}
	return append(slices.Clip(c.FilterSubjects), c.FilterSubject)
}

// consumerRequest is the body of CONSUMER.CREATE and CONSUMER.DURABLE.CREATE.
type consumerRequest struct {
	stream   string
	config   configMember
	action   string
	pedantic bool // 2.11
}

// configMember is the "config" object of a consumer request.
type configMember struct{ *consumerConfig }

func newConsumerRequest() *consumerRequest {
	return &consumerRequest{config: configMember{newConsumerConfig()}}
}

func (r *consumerRequest) fields(v natsapi.Version) []field {
	fields := []field{
		known("stream_name", &r.stream, false),
		known("config", r.config, false),
		known("action", enumDst{&r.action, actionNames}, false),
	}
	if v.AtLeast(v211) {
		fields = append(fields, known("pedantic", &r.pedantic, true))
	}
	return fields
}

func (*consumerConfig) goName() string  { return "ConsumerConfig" }
func (*consumerRequest) goName() string { return "CreateConsumerRequest" }
