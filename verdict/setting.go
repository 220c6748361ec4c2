package verdict

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"weir/natsapi"
)

// Setting is what the server knows when a request arrives: its version and
// limits, the account's limits, and the streams and consumers that exist. Make
// one with NewSetting. It is not safe for concurrent use.
type Setting struct {
	// Version decides which server answers. What was measured are the patches in
	// natsapi.Known; for others see versions.go and KnownDifferences.
	Version natsapi.Version
	// Nodes are the JetStream servers of one cluster. Fewer than two mean a
	// single server that is not clustered, for which placement and replicas are
	// answered quite differently.
	Nodes []Node
	// Cluster is the name of the cluster that the client is connected to.
	Cluster string
	// UniqueTag is the server option jetstream.unique_tag: replicas of a stream
	// go to servers that differ in their tag with this prefix.
	UniqueTag string
	Server    ServerLimits
	Account   AccountLimits
	// Strict says whether unknown members are refused (jetstream.strict).
	Strict Strictness
	// Interest lists the subjects that have subscribers. A push consumer whose
	// deliver subject is among them cannot be given another one (10013).
	Interest []string
	// ReservedMemory and ReservedStore are the bytes that streams of other
	// accounts have reserved on each server with max_bytes.
	ReservedMemory, ReservedStore int64

	streams map[string]*stream
	// held is worked out when it is first asked for and kept up to date while
	// streams are added; nil after other changes.
	held   *held
	serial int // of generated names
	// leaked is by how much 2.10 has miscounted its reservations, by storage.
	leaked map[string]int64
	// moving are the streams of a cluster that were moved or scaled, everLost
	// whether something was deleted there; see KnownDifferences.
	moving   map[string]bool
	everLost bool
}

// Node is one server of a cluster.
type Node struct {
	Name string
	// Cluster is the cluster that the server is in, "" for Setting.Cluster.
	Cluster string
	// Tags are the server's server_tags; case does not count.
	Tags []string
	// MaxMemory and MaxStore are this server's limits in bytes; 0 stands for
	// those of Setting.Server.
	MaxMemory, MaxStore int64
}

// ServerLimits are options of the jetstream block of server.conf. In the
// limits the zero value means that the option is not set.
type ServerLimits struct {
	// MaxMemory and MaxStore are max_memory_store and max_file_store in bytes.
	// NewSetting sets them so high that nothing is refused.
	MaxMemory, MaxStore int64
	MaxAckPending       int           // limits.max_ack_pending
	MaxRequestBatch     int           // limits.max_request_batch
	DuplicateWindow     time.Duration // limits.duplicate_window
	// DefaultMaxConsumers is the cap on the consumers of one stream where
	// neither the stream nor the account has one (limits.default_max_consumers,
	// since 2.15; 0 stands for the server's default of 1,000, negative for no cap).
	DefaultMaxConsumers int
	// MaxPayload is max_payload in bytes; 0 stands for the default of 1 MiB.
	// Nobody answers a request that is larger.
	MaxPayload int
}

// AccountLimits are the limits of the account. Tiered limits are not judged.
type AccountLimits struct {
	// MaxMemory and MaxStore limit what the account's streams may reserve, in
	// bytes, replicas counted; negative means no limit. NewSetting sets -1.
	MaxMemory, MaxStore int64
	// MemoryMaxStreamBytes and StoreMaxStreamBytes limit one stream's max_bytes;
	// 0 or less means no limit.
	MemoryMaxStreamBytes, StoreMaxStreamBytes int64
	MaxBytesRequired                          bool
	// MaxStreams, MaxConsumers (of one stream) and MaxAckPending: 0 or less
	// means no limit.
	MaxStreams, MaxConsumers, MaxAckPending int
}

// Strictness says whether the server refuses unknown members of a request.
type Strictness int

// The values of Strictness.
const (
	StrictDefault Strictness = iota // lenient up to 2.11, strict since 2.12
	StrictOn                        // 2.10 has no strict mode and stays lenient
	StrictOff
)

// stream is a stream that exists.
type stream struct {
	config    *streamConfig
	consumers map[string]*consumerConfig
	nodes     []int // of a cluster, indexes of Setting.Nodes: where Weir puts it
}

// defaultMaxPayload is MAX_PAYLOAD_SIZE (server/const.go).
const defaultMaxPayload = 1 << 20

// defaultMaxConsumers is JSDefaultMaxConsumersPerStream
// (server/jetstream_api.go 2.15).
const defaultMaxConsumers = 1000

// NewSetting is an empty single server with the server's default limits and
// unlimited storage.
func NewSetting(v natsapi.Version) *Setting {
	return &Setting{
		Version: v,
		Server:  ServerLimits{MaxMemory: math.MaxInt64, MaxStore: math.MaxInt64},
		Account: AccountLimits{MaxMemory: -1, MaxStore: -1},
		streams: map[string]*stream{}, leaked: map[string]int64{}, moving: map[string]bool{},
	}
}

// Clone is an independent copy, to try requests on.
func (s *Setting) Clone() *Setting {
	out := *s
	out.held = nil
	out.leaked, out.moving = maps.Clone(s.leaked), maps.Clone(s.moving)
	out.streams = make(map[string]*stream, len(s.streams))
	for name, st := range s.streams {
		// Configurations are replaced, never changed, once they are stored.
		out.streams[name] = &stream{st.config, maps.Clone(st.consumers), st.nodes}
	}
	return &out
}

// Apply judges a request and, when it is accepted, records its effect, so that
// a whole design can be judged in the order in which it would be applied.
func (s *Setting) Apply(r Request) Answer {
	a := Judge(s, r)
	if a.Verdict == OK && a.apply != nil {
		a.apply(s)
	}
	return a
}

// AddStream records a stream that exists already, from its configuration as
// `nats stream info --json` shows it under "config". What is missing there gets
// the server's default. Nothing is checked but the JSON.
func (s *Setting) AddStream(config []byte) error {
	req := streamRequest{config: newStreamConfig()}
	if fault := unmarshal(s.Version, config, &req); fault != nil {
		return fmt.Errorf("read stream configuration: %s", fault.text)
	}
	c := req.config
	if c.Name == "" {
		return fmt.Errorf("read stream configuration: no name")
	}
	j := &judge{Setting: s, v: s.Version}
	j.fillStreamDefaults(c)
	if len(c.Subjects) == 0 && c.Mirror == nil && len(c.Sources) == 0 {
		c.Subjects = []string{c.Name}
	}
	if j.atLeast(v211) {
		setStreamLevel(c)
	}
	s.putStream(c)
	return nil
}

// AddConsumer records a consumer of a recorded stream, from its configuration
// as `nats consumer info --json` shows it under "config".
func (s *Setting) AddConsumer(streamName string, config []byte) error {
	st := s.streams[streamName]
	if st == nil {
		return fmt.Errorf("add consumer: no stream %q", streamName)
	}
	c := newConsumerConfig()
	if fault := unmarshal(s.Version, config, configMember{c}); fault != nil {
		return fmt.Errorf("read consumer configuration: %s", fault.text)
	}
	name := c.Durable
	if name == "" {
		name = c.Name
	}
	if name == "" {
		return fmt.Errorf("read consumer configuration: no name")
	}
	j := &judge{Setting: s, v: s.Version}
	if r := j.fillConsumerDefaults(c, st.config); r != nil {
		return fmt.Errorf("read consumer configuration: %s", r.text)
	}
	if j.atLeast(v211) {
		setConsumerLevel(c)
	}
	st.consumers[name] = c
	return nil
}

// Streams lists the names of the recorded streams.
func (s *Setting) Streams() []string { return slices.Sorted(maps.Keys(s.streams)) }

// Consumers lists the names of the recorded consumers of a stream.
func (s *Setting) Consumers(streamName string) []string {
	if st := s.streams[streamName]; st != nil {
		return slices.Sorted(maps.Keys(st.consumers))
	}
	return nil
}

func (s *Setting) clustered() bool { return len(s.Nodes) > 1 }

func (s *Setting) strict() bool {
	return s.Strict == StrictOn || s.Strict == StrictDefault && s.Version.AtLeast(v212)
}

// maxConsumersDefault is the cap where neither stream nor account has one.
func (s *Setting) maxConsumersDefault() int {
	if !s.Version.AtLeast(v215) {
		return 0
	}
	if s.Server.DefaultMaxConsumers == 0 {
		return defaultMaxConsumers
	}
	return s.Server.DefaultMaxConsumers
}

func (s *Setting) maxPayload() int {
	if s.Server.MaxPayload == 0 {
		return defaultMaxPayload
	}
	return s.Server.MaxPayload
}

// config is the configuration of a stream, nil when there is no such stream.
func (s *Setting) config(name string) *streamConfig {
	if st := s.streams[name]; st != nil {
		return st.config
	}
	return nil
}

// putStream stores a configuration; a stream that exists keeps its consumers.
func (s *Setting) putStream(c *streamConfig) {
	st := s.streams[c.Name]
	added := st == nil
	if added {
		st = &stream{consumers: map[string]*consumerConfig{}}
	} else if !countsFromZero.Has(s.Version) {
		// 2.10 counts the change from or to "no limit", -1, one byte too high or
		// too low (server/stream.go, updateWithAdvisory).
		old := st.config.MaxBytes
		s.leaked[c.Storage] += c.MaxBytes - old - (max(c.MaxBytes, 0) - max(old, 0))
	}
	if s.clustered() {
		c = c.copy()
		c.dropEmpty()
		if old := st.config; old != nil && (old.Replicas != c.Replicas || !reflect.DeepEqual(old.Placement, c.Placement)) {
			s.moving[c.Name] = true
		}
	}
	if !added {
		st.config, s.held = c, nil
		st.nodes, s.held = s.place(c, st.nodes), nil
		return
	}
	st.config, st.nodes = c, s.place(c, nil)
	s.streams[c.Name] = st
	if s.held != nil {
		s.held.add(s, st)
	}
}

// shownName is a consumer's name without the number that keeps generated names
// apart here.
func shownName(name string) string {
	if strings.HasPrefix(name, GeneratedName) {
		return GeneratedName
	}
	return name
}

func (s *Setting) putConsumer(streamName, name string, c *consumerConfig) {
	if name == "" {
		s.serial++
		name = GeneratedName + strconv.Itoa(s.serial)
	}
	if s.clustered() {
		c = c.copy()
		c.dropEmpty()
	}
	s.streams[streamName].consumers[name] = c
}

// DeleteStream removes a recorded stream with its consumers.
func (s *Setting) DeleteStream(name string) {
	s.everLost, s.held = true, nil
	delete(s.streams, name)
}

// DeleteConsumer removes a recorded consumer.
func (s *Setting) DeleteConsumer(streamName, name string) {
	s.everLost = true
	if st := s.streams[streamName]; st != nil {
		delete(st.consumers, name)
	}
}
