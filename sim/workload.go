package sim

import (
	"errors"
	"fmt"
	"time"
)

// Workload is the whole input of a simulation: what is stored where, who
// publishes, who reads, and what goes wrong. Zero values mean what the server
// or the client library takes when nothing is said. Instants count from the
// start of the run.
type Workload struct {
	Streams    []Stream
	Consumers  []Consumer
	Publishers []Publisher
	Workers    []WorkerGroup
	Faults     []Fault
	Server     Server
	Overhead   Overhead
}

// Retention says when a stored message may go.
type Retention uint8

// The three retentions of a stream.
const (
	Limits Retention = iota
	Interest
	WorkQueue
)

// Stream is one stream. Limits of 0 or less are unlimited.
type Stream struct {
	Name                 string
	Memory               bool // storage memory; false is file
	Retention            Retention
	MaxMsgs              int64
	MaxBytes             int64
	MaxAge               time.Duration
	MaxMsgsPerSubject    int64
	MaxMsgSize           int64 // bytes of headers and payload; also the burst of rate_limit_bps
	DiscardNew           bool
	DiscardNewPerSubject bool
	DuplicateWindow      time.Duration // 0 is the server's default of 2 minutes
	Replicas             int           // 0 is 1
	// Apart is a stream on servers of its own, as a leaf node's: faults of the
	// cluster pass it by unless they name it.
	Apart bool
	// Copy is a stream that others fill: a mirror, or one of sources alone.
	Copy bool
}

// AckPolicy says which deliveries wait for an ack.
type AckPolicy uint8

// The ack policies of a consumer.
const (
	AckExplicit AckPolicy = iota
	AckAll
	AckNone
)

// DeliverPolicy says where a consumer begins.
type DeliverPolicy uint8

// The deliver policies.
const (
	DeliverAll DeliverPolicy = iota
	DeliverNew
	DeliverLast
	DeliverByStartSequence
	DeliverLastPerSubject
	DeliverByStartTime
)

// PriorityPolicy says how pull requests of one consumer compete.
type PriorityPolicy uint8

// The priority policies of a pull consumer (server 2.11, prioritized 2.12).
const (
	PriorityNone PriorityPolicy = iota
	PriorityPinnedClient
	PriorityOverflow
	PriorityPrioritized
)

// Consumer is one consumer of a stream.
type Consumer struct {
	Stream, Name      string
	FilterSubjects    []string // empty: everything
	Ack               AckPolicy
	AckWait           time.Duration   // 0 is 30 s
	BackOff           []time.Duration // replaces AckWait
	MaxDeliver        int             // 0 or less is unlimited
	MaxAckPending     int             // 0 is 1000, below 0 unlimited
	MaxWaiting        int             // pull requests; 0 is 512
	Deliver           DeliverPolicy
	StartSequence     uint64        // with DeliverByStartSequence
	StartTime         time.Duration // with DeliverByStartTime
	ReplayOriginal    bool          // replay_policy original; false is instant
	InactiveThreshold time.Duration
	Priority          PriorityPolicy
	PriorityTimeout   time.Duration // 0 is 2 minutes
	CreateAt          time.Duration

	Push          bool // has a deliver subject
	DeliverGroup  bool
	FlowControl   bool
	IdleHeartbeat time.Duration
	RateLimitBPS  int64 // bits a second; 0 is none

	ordered bool // belongs to an ordered reader, which recreates it
}

// Action is what a handler does with a message when its work is done.
type Action struct {
	Do    ActionKind
	Delay time.Duration // of a nak with delay
}

// ActionKind names the answers a handler can give.
type ActionKind uint8

// The answers. Ack waits for the server's reply, the others do not.
const (
	DoAck ActionKind = iota
	DoNak
	DoNakDelay
	DoTerm
	DoNothing
	DoAckLost // an ack that reaches no server
)

// Mode is the loop in which a worker receives.
type Mode uint8

// The loops of nats.go: jetstream Consumer.Fetch, Consumer.Consume, a plain
// subscription on a deliver subject, OrderedConsumer with Consume, and the
// older ordered push subscription.
const (
	ModeFetch Mode = iota
	ModeConsume
	ModePush
	ModeOrdered
	ModeOrderedPush
)

// WorkerGroup is Count equal workers, each with a connection of its own.
type WorkerGroup struct {
	Name             string
	Stream, Consumer string
	Mode             Mode
	Count            int
	Start            time.Duration // of the first; a later one makes a scale-out
	Stagger          time.Duration // between one worker's start and the next
	Stop             time.Duration // 0 is never; a stopped worker finishes what it holds
	Concurrency      int           // handlers at once; 0 is 1
	Batch            int           // fetch size, or PullMaxMessages; 0 is 1, or 500 for consume
	Expires          time.Duration // of a pull request; 0 is 30 s
	MaxBytes         int64         // of a pull request; 0 is none
	NoWait           bool
	Pause            time.Duration // before each fetch but the first
	CollectFirst     bool          // start handlers only when the batch is over
	MinPending       int64         // overflow priority
	MinAckPending    int64
	PriorityLevel    int // prioritized policy, 0 (first) to 9

	Service         Draw                                     // ns by (stream sequence, delivery)
	Act             func(u, seq uint64, delivery int) Action // nil acks everything
	AckEvery        int                                      // with ack all: every n-th handled message
	InProgress      time.Duration                            // period of in-progress acks; 0 is none
	InProgressHeld  bool                                     // for every held message, not only those in hand
	PendingMsgs     int64                                    // client limit of a subscription; 0 is 500,000
	PendingBytes    int64                                    // 0 is 64 MiB
	ReadPerSecond   int64                                    // bytes that each worker's connection takes; 0 is as much as comes
	ReconnectWithin time.Duration                            // after a lost connection; 0 is 20 ms
	_               [0]func()                                // not comparable
}

// PublishMode says what a publisher waits for.
type PublishMode uint8

// The modes: no reply at all, one reply at a time, replies in the background,
// and atomic batches.
const (
	PublishCore PublishMode = iota
	PublishSync
	PublishAsync
	PublishBatch
)

// Phase is a run of messages at a regular or random pace.
type Phase struct {
	At       time.Duration
	Count    int64         // 0 is until Until
	Until    time.Duration // with Count 0; 0 is the end of the run
	Interval Draw          // ns to the next message, by its number in the phase
	Mean     int64         // ns, of Interval; 0 has it worked out where it is needed
	// Waits has the first message come an interval after At, as one of a flow that was
	// there before; else it comes at At.
	Waits bool
}

// Retry says what a publisher does with a refused or unanswered publish.
type Retry struct {
	Delays     []time.Duration
	RepeatLast bool
	Max        int           // attempts after the first with RepeatLast; 0 is for ever
	For        time.Duration // no attempt begins later than this after the first; 0 is no limit
}

// Publisher sends messages. Message n counts from 1.
type Publisher struct {
	Name     string
	Stream   string
	Subjects []string // taken in turn, or as Pick says
	Pick     Draw     // index of the subject by message; nil takes them in turn
	Keys     int      // different subjects behind each of Subjects; 0 is 1
	Phases   []Phase
	Times    []time.Duration // a trace of arrivals, ascending, instead of Phases

	Payload    Draw // bytes
	HeaderSize int  // bytes of the header block, all of it
	Mode       PublishMode
	InFlight   int // unanswered async publishes at most; 0 is unlimited
	BatchSize  int // of PublishBatch; 0 is 100
	Retry      *Retry
	Timeout    time.Duration         // of a reply; 0 is 5 s
	MsgID      func(n uint64) uint64 // 0 is no id; nil gives every message an id of its own
}

// Server holds what belongs to the server. Zero values are its defaults.
type Server struct {
	MaxPending    int64         // bytes per connection; 0 is 64 MiB
	WriteDeadline time.Duration // 0 is 10 s
	MaxPayload    int64         // 0 is 1 MiB
	Nodes         int           // 0 is 1
	Zones         int           // that the nodes are in, in turn; 0 is 1
}

// Overhead is what the parts cost that the model has no clock for, measured on
// loopback (98 scenarios on nats-server v2.15.2). Add the round trip of the
// network to each.
type Overhead struct {
	Ack     time.Duration // service ends until an ack is confirmed
	Handler time.Duration // service ends until the next start, without waiting for a reply
	Fetch   time.Duration // a batch ends until the next request is at the server
	Wake    time.Duration // a message reaches an idle subscription until its handler starts
	Publish time.Duration // a publish is sent until its reply is back
}

// MeasuredOverhead is the cost on loopback.
var MeasuredOverhead = Overhead{
	Ack:     300 * time.Microsecond,
	Handler: 100 * time.Microsecond,
	Fetch:   300 * time.Microsecond,
	Wake:    300 * time.Microsecond,
	Publish: 300 * time.Microsecond,
}

// Bounds of a workload: beyond them a run would not end, or not fit.
const (
	maxStreams   = 10_000
	maxConsumers = 100_000
	maxWorkers   = 100_000
	maxSubjects  = 4_096     // of one stream's publishers
	maxKeys      = 1 << 20   // behind one subject
	maxPhases    = 100_000   // of one publisher
	maxSlots     = 1_000_000 // handlers at once, all workers
)

func (w *Workload) check() error {
	if len(w.Streams) > maxStreams || len(w.Consumers) > maxConsumers {
		return fmt.Errorf("%d streams and %d consumers are more than the simulator takes (%d, %d)", len(w.Streams), len(w.Consumers), maxStreams, maxConsumers)
	}
	streams := map[string]bool{}
	for _, s := range w.Streams {
		if s.Name == "" || streams[s.Name] {
			return fmt.Errorf("stream %q: the name is empty or taken; name each stream once", s.Name)
		}
		streams[s.Name] = true
	}
	consumers := map[string]*Consumer{}
	for i := range w.Consumers {
		c := &w.Consumers[i]
		id := c.Stream + "/" + c.Name
		if !streams[c.Stream] {
			return fmt.Errorf("consumer %q: stream %q is not there", id, c.Stream)
		}
		if c.Name == "" || consumers[id] != nil {
			return fmt.Errorf("consumer %q: the name is empty or taken", id)
		}
		consumers[id] = c
	}
	for i := range w.Publishers {
		if p := &w.Publishers[i]; !streams[p.Stream] {
			return fmt.Errorf("publisher %q: stream %q is not there", p.Name, p.Stream)
		} else if err := p.check(); err != nil {
			return fmt.Errorf("publisher %q: %w", p.Name, err)
		}
	}
	return w.checkWorkers(streams, consumers)
}

func (p *Publisher) check() error {
	switch {
	case len(p.Subjects) == 0:
		return errors.New("no subject; name at least one")
	case len(p.Subjects) > maxSubjects || p.Keys > maxKeys:
		return fmt.Errorf("%d subjects with %d keys each are more than %d with %d", len(p.Subjects), p.Keys, maxSubjects, maxKeys)
	case len(p.Phases) > maxPhases:
		return fmt.Errorf("%d phases are more than %d", len(p.Phases), maxPhases)
	}
	for i := 1; i < len(p.Times); i++ {
		if p.Times[i] < p.Times[i-1] {
			return fmt.Errorf("time %d (%v) is before the one ahead of it (%v); sort the trace", i+1, p.Times[i], p.Times[i-1])
		}
	}
	for i, ph := range p.Phases {
		if ph.Interval == nil {
			return fmt.Errorf("phase %d has no interval", i+1)
		}
	}
	return nil
}

func (w *Workload) checkWorkers(streams map[string]bool, consumers map[string]*Consumer) error {
	workers, slots := 0, 0
	for i := range w.Workers {
		g := &w.Workers[i]
		c, ordered := consumers[g.Stream+"/"+g.Consumer], g.Mode == ModeOrdered || g.Mode == ModeOrderedPush
		switch {
		case g.Count < 0 || g.Concurrency < 0 || g.Batch < 0:
			return fmt.Errorf("workers %q: counts are below zero", g.Name)
		case ordered && !streams[g.Stream]:
			return fmt.Errorf("workers %q: stream %q is not there", g.Name, g.Stream)
		case !ordered && c == nil:
			return fmt.Errorf("workers %q: consumer %q is not there", g.Name, g.Stream+"/"+g.Consumer)
		case !ordered && c.Push != (g.Mode == ModePush):
			return fmt.Errorf("workers %q: a push consumer is read by a subscription, a pull consumer by fetch or consume", g.Name)
		}
		workers += g.Count
		slots += g.Count * max(1, g.Concurrency)
	}
	if workers > maxWorkers || slots > maxSlots {
		return fmt.Errorf("%d workers with %d handlers are more than %d and %d", workers, slots, maxWorkers, maxSlots)
	}
	return nil
}
