package sim

import (
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
)

// DesignOptions say what of a design to simulate.
type DesignOptions struct {
	// Scenario is the name of one of the design's scenarios; "" is none.
	Scenario string
	// For is the length of the run. 0 is an hour, or as much longer as the
	// scenario and the first burst of each publisher need to show how they end.
	For time.Duration
	// Files are the CSV files that the design names as {trace: …}, by the name as
	// written there: one value a line, see ParseTrace.
	Files map[string][]byte
	// Arrivals replace the rate and bursts of publishers, by name, with the
	// instants at which a message is due, see ParseArrivals.
	Arrivals map[string][]time.Duration
	// Overhead is what the parts cost; nil is MeasuredOverhead.
	Overhead *Overhead
	// Refuses says what the server refuses of a design: it is not simulated, and goals
	// of it are not decided. nil takes all of it as accepted.
	Refuses func(*design.Design) []design.Refused
	// Usual has publishers keep to their mean rate: no bursts, no hours of a day.
	Usual bool
}

// Model is a design as the simulator understands it. Its Workload may be changed
// before it is run; Streams, Consumers and Publishers of the results are in the
// order of the Workload.
type Model struct {
	Workload
	// Until is the length of the run that DesignOptions.For asked for or that
	// follows from the design.
	Until time.Duration
	// Scenario is the name of the scenario that the faults come from.
	Scenario string
	// Goals are what the design wants of the run, by consumer and then in the
	// order of the design file's table.
	Goals []WantedGoal
	// Survive are the faults of goals.survive; each needs a run of its own, see
	// Model.WithFault.
	Survive []design.Survive
	// Notes say what of the design the run leaves out or takes for granted, in the
	// order of the design.
	Notes []Note
	// StreamPaths and ConsumerPaths are where the design has what the Workload has
	// at the same place; Consumers of ordered readers, which a design has not, are
	// behind them in a result.
	StreamPaths, ConsumerPaths []string
	// Bursts are the times at which a publisher has another rate than usual.
	Bursts []BurstTime
	// Marks are what happens in the run, by time: the scenario's events and the
	// bursts of publishers.
	Marks []Mark
	// Late are the scenario's events that the run ends before.
	Late []Late
	// Circles are streams that pass messages round; a run has the first rounds.
	Circles []Circle
	// Refused is what the server refuses of the design, see DesignOptions.Refuses.
	Refused []design.Refused

	undecided []GoalAnswer // goals of what is refused
}

// Circle is streams of which each stores what the one before it has, the first also
// what the last has: a message goes round without end.
type Circle struct {
	Path    string   // of the first
	Streams []string // their names in the workload, the first also at the end
}

// Mark is one thing that happens in a run.
type Mark struct {
	At, For time.Duration // For is 0 for what has no length, and at most up to the end
	Text    string        // "stall of billing", "burst of checkout: 1,200 msg/s"
	Burst   bool
	// Consumer is the name in the workload of the one that it is about, STREAM/name;
	// "" is everything.
	Consumer string
}

// Late is an event of the scenario that a run ends before.
type Late struct {
	Path    string // of the design
	Text    string // as that of a Mark
	At, For time.Duration
}

// Note is one thing that the simulation leaves out or takes for granted.
type Note struct {
	Path string `json:"path"` // of the design
	Text string `json:"text"`
}

// BurstTime is a time at which a publisher publishes at another rate.
type BurstTime struct {
	Publisher string
	At, For   time.Duration
	Rate      float64 // messages a second
}

// FromDesign compiles a design to a workload: its streams, consumers, publishers
// and workers, the events of one scenario and its goals.
//
// Publishers send at exponential intervals, because rate is that of many
// processes together. What cannot happen costs nothing: retries, ids and windows
// of unanswered publishes are simulated where a stream can refuse, a server
// fails or the replies limit the rate, and not elsewhere. Placeholders of a
// subject become the values that filters tell apart. Streams of accounts and
// leaf nodes are named ACCOUNT:STREAM and SITE:STREAM. Mirrors, sources and
// republish give the other stream the same messages, drawn independently.
// Buckets have no workers and are left out; so are core subscribers.
//
// It is an error when nothing publishes into a stream, when the scenario is
// unknown or names what is not there, and when a trace is missing or cannot be
// read.
func FromDesign(d *design.Design, o DesignOptions) (*Model, error) {
	b := &builder{d: d, o: o, m: &Model{}, note: map[Note]bool{}}
	if o.Refuses != nil {
		b.m.Refused = o.Refuses(d)
		b.d = d.Without(b.m.Refused)
	}
	b.m.Server = serverOf(d)
	b.m.Overhead = MeasuredOverhead
	if o.Overhead != nil {
		b.m.Overhead = *o.Overhead
	}
	if err := b.findScenario(); err != nil {
		return nil, fmt.Errorf("simulate design: %w", err)
	}
	b.m.Until = b.length()
	for _, step := range []func() error{b.streams, b.publishers, b.workers, b.faults, b.checkBuilt} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("simulate design: %w", err)
		}
	}
	b.goals()
	b.refusedGoals(d)
	b.marks()
	return b.m, nil
}

// builder is a design on its way to a workload.
type builder struct {
	d        *design.Design
	o        DesignOptions
	m        *Model
	scenario *design.Scenario
	held     []*heldStream
	read     []*readConsumer
	note     map[Note]bool
	trail    []*heldStream // that a share comes from, the first first
	passes   int           // of shares from stream to stream
}

// heldStream is a stream of the design with its name in the workload.
type heldStream struct {
	*design.Stream
	scope    *design.Scope
	name     string
	subjects []string
	index    int // in Workload.Streams
}

// readConsumer is a consumer of the design with its place in the workload.
type readConsumer struct {
	*design.Consumer
	stream *heldStream
	index  int // in Workload.Consumers
}

func (b *builder) say(path, format string, args ...any) {
	n := Note{path, fmt.Sprintf(format, args...)}
	if !b.note[n] {
		b.note[n] = true
		b.m.Notes = append(b.m.Notes, n)
	}
}

func serverOf(d *design.Design) Server {
	s := Server{Nodes: max(1, d.Server.Nodes), Zones: len(d.Server.Zones)}
	conf := func(key string) int64 {
		v, _ := d.Value(design.Join(design.Join(d.Server.Path, "conf"), key))
		return max(0, v.Int)
	}
	s.MaxPending, s.WriteDeadline, s.MaxPayload = conf("max_pending"), time.Duration(conf("write_deadline")), conf("max_payload")
	return s
}

// length is how long the run is.
func (b *builder) length() time.Duration {
	if b.o.For > 0 {
		return b.o.For
	}
	const longest = 48 * time.Hour
	until := time.Hour
	if b.scenario != nil {
		for _, e := range b.scenario.Events {
			until = max(until, 2*(e.At+e.For))
		}
	}
	for _, s := range b.d.Scopes() {
		for _, p := range s.Publishers {
			for _, burst := range p.Bursts {
				until = max(until, 2*(burst.At+burst.For))
			}
		}
	}
	return min(until, longest)
}

// workloadName is the name of a scope's stream in the workload.
func workloadName(s *design.Scope, name string) string {
	switch {
	case s.Leafnode != "":
		return s.Leafnode + ":" + name
	case s.Path != "":
		return s.Account + ":" + name
	}
	return name
}

func (b *builder) streams() error {
	for _, scope := range b.d.Scopes() {
		if len(scope.KV)+len(scope.Objects) > 0 {
			b.say(scope.Path, "key-value and object store buckets are not simulated: nobody works on them; sizing has them")
		}
		for _, s := range scope.Streams {
			h := &heldStream{Stream: s, scope: scope, name: workloadName(scope, s.Name), subjects: s.Config.Subjects, index: len(b.m.Streams)}
			if len(h.subjects) == 0 && s.Config.Mirror == nil && len(s.Config.Sources) == 0 {
				h.subjects = []string{s.Name}
			}
			b.held = append(b.held, h)
			cfg := streamOf(h.name, &s.Config)
			cfg.Apart, cfg.Copy = scope.Leafnode != "", len(h.subjects) == 0
			if cfg.Apart && len(b.d.Goals.Survive) > 0 {
				b.say(s.Path, "goals.survive is judged for the hub's servers: this stream is on its site's own")
			}
			b.m.Streams = append(b.m.Streams, cfg)
			b.m.StreamPaths = append(b.m.StreamPaths, s.Path)
			b.leaveOutOfStream(s)
			for _, c := range s.Consumers {
				b.addConsumer(h, c)
			}
		}
	}
	return nil
}

func streamOf(name string, c *api.StreamConfig) Stream {
	s := Stream{
		Name: name, Memory: c.Storage == api.MemoryStorage, MaxMsgs: c.MaxMsgs, MaxBytes: c.MaxBytes, MaxAge: c.MaxAge,
		MaxMsgsPerSubject: c.MaxMsgsPer, MaxMsgSize: int64(c.MaxMsgSize), DiscardNew: c.Discard == api.DiscardNew,
		DiscardNewPerSubject: c.DiscardNewPer, DuplicateWindow: c.Duplicates, Replicas: max(1, c.Replicas),
	}
	switch c.Retention {
	case api.InterestPolicy:
		s.Retention = Interest
	case api.WorkQueuePolicy:
		s.Retention = WorkQueue
	}
	return s
}

func (b *builder) leaveOutOfStream(s *design.Stream) {
	c := &s.Config
	for _, x := range []struct {
		is   bool
		key  string
		text string
	}{
		{c.NoAck, "no_ack", "publishers are answered all the same"},
		{c.AllowMsgTTL, "allow_msg_ttl", "lifetimes of single messages are not simulated"},
		{c.SubjectDeleteMarkerTTL > 0, "subject_delete_marker_ttl", "delete markers are not simulated"},
		{c.Sealed, "sealed", "taken as not sealed"},
		{c.AllowMsgCounter, "allow_msg_counter", "counters are not simulated"},
		{c.AllowMsgSchedules, "allow_msg_schedules", "schedules are not simulated"},
	} {
		if x.is {
			b.say(design.Join(s.Path, x.key), "%s", x.text)
		}
	}
}

func (b *builder) addConsumer(h *heldStream, c *design.Consumer) {
	b.read = append(b.read, &readConsumer{c, h, len(b.m.Consumers)})
	b.m.Consumers = append(b.m.Consumers, consumerOf(h.name, c.Name, &c.Config))
	b.m.ConsumerPaths = append(b.m.ConsumerPaths, c.Path)
	if c.Config.DeliverPolicy == api.DeliverByStartTime {
		b.say(design.Join(c.Path, "opt_start_time"), "taken as deliver_policy all: the run begins with empty streams")
	}
	if c.Config.HeadersOnly {
		b.say(design.Join(c.Path, "headers_only"), "sizes count with their payload")
	}
	if c.Config.ReplayPolicy == api.ReplayOriginal {
		b.say(design.Join(c.Path, "replay_policy"), "original slows down what a consumer finds when it is made, and the run begins with empty streams")
	}
	if !c.Config.PauseUntil.IsZero() {
		b.say(design.Join(c.Path, "pause_until"), "taken as not paused: a run has no date")
	}
}

var ackPolicies = map[api.AckPolicy]AckPolicy{api.AckNone: AckNone, api.AckAll: AckAll, api.AckExplicit: AckExplicit}

var deliverPolicies = map[api.DeliverPolicy]DeliverPolicy{
	api.DeliverLast: DeliverLast, api.DeliverNew: DeliverNew,
	api.DeliverByStartTime: DeliverByStartTime, api.DeliverByStartSequence: DeliverByStartSequence, api.DeliverLastPerSubject: DeliverLastPerSubject,
}

var priorityPolicies = map[api.PriorityPolicy]PriorityPolicy{
	api.PriorityPinnedClient: PriorityPinnedClient, api.PriorityOverflow: PriorityOverflow, api.PriorityPrioritized: PriorityPrioritized,
}

func consumerOf(stream, name string, c *api.ConsumerConfig) Consumer {
	out := Consumer{
		Stream: stream, Name: name, Ack: AckExplicit, AckWait: c.AckWait, BackOff: c.BackOff, MaxDeliver: c.MaxDeliver,
		MaxAckPending: c.MaxAckPending, MaxWaiting: c.MaxWaiting, Deliver: deliverPolicies[c.DeliverPolicy], StartSequence: c.OptStartSeq,
		InactiveThreshold: c.InactiveThreshold, Priority: priorityPolicies[c.PriorityPolicy], PriorityTimeout: c.PinnedTTL,
		Push: c.DeliverSubject != "", DeliverGroup: c.DeliverGroup != "", FlowControl: c.FlowControl, IdleHeartbeat: c.Heartbeat,
		RateLimitBPS: int64(min(c.RateLimit, 1<<62)), ReplayOriginal: c.ReplayPolicy == api.ReplayOriginal,
	}
	out.Ack = ackPolicies[c.AckPolicy]
	if c.FilterSubject != "" {
		out.FilterSubjects = []string{c.FilterSubject}
	} else {
		out.FilterSubjects = c.FilterSubjects
	}
	return out
}

// checkBuilt refuses a design of which nothing is left to simulate.
func (b *builder) checkBuilt() error {
	if len(b.m.Publishers) == 0 {
		return errors.New("no publisher has a rate and a stream that holds its subjects; write publishers with subject and rate")
	}
	return b.m.check()
}
