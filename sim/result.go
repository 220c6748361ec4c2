package sim

import (
	"slices"
	"time"
)

// Result is what a run gave. Counts are of messages unless they say otherwise.
type Result struct {
	Streams    []*StreamResult
	Consumers  []*ConsumerResult
	Publishers []*PublisherResult
	Workers    []*WorkerResult
	Recoveries []Recovery
	Step       time.Duration // of the time series: point i is at (i+1) Step
	Ended      time.Duration // where the run ended
	Events     uint64
}

// StreamResult is what happened to one stream.
type StreamResult struct {
	Name       string
	Stored     int64
	Duplicates int64
	Rejected   int64 // refused attempts
	Evicted    int64 // removed by limits, age or purge
	LostUnread int64 // gone without anybody having been given them
	Msgs       int64 // at the end
	Bytes      int64
	FirstSeq   uint64
	LastSeq    uint64
	MaxMsgs    int64 // largest at a point of the series
	MaxBytes   int64
	Series     []StreamPoint
}

// StreamPoint is a stream at one instant.
type StreamPoint struct {
	Msgs, Bytes int64
}

// ConsumerResult is what happened at one consumer and its workers.
type ConsumerResult struct {
	Stream, Name string
	Sent         int64 // deliveries that the server made
	Deliveries   int64 // handlers started, and messages that a crashed fetch loop held
	Redeliveries int64 // of those, with num_delivered above 1
	Unique       int64 // messages delivered at least once
	Runs         int64 // handlers that ended
	RunTwice     int64 // messages for which more than one handler ended
	HandledTwice int64 // messages for which more than one handler ended in ack
	Acked        int64 // acks confirmed
	AckLost      int64 // acks that were never confirmed
	Naks         int64
	Terms        int64
	Terminated   int64 // removed from the stream in flight
	InProgress   int64 // acks sent
	// MaxDeliveries are messages that reached max_deliver, Stranded those of
	// them that nobody has acked since and that are still stored.
	MaxDeliveries int64
	Stranded      int64
	Dropped       int64 // by the client library
	LostUnread    int64 // removed by limits or age before it was delivered
	Replaced      int64 // those of LostUnread that a newer message of their subject took the place of
	// LostHeld are messages that a worker, its client library or its connection had
	// when it ended, and that nobody is given again (ack none); LostUnseen are those
	// of them that no handler began with. LostFailed are those whose handler failed.
	LostHeld, LostUnseen, LostFailed int64
	FlowControl                      int64 // requests
	Recreated                        int64 // ordered consumers
	// SlowConsumers are connections that the server closed.
	SlowConsumers int64
	Deleted       bool

	StalledAtMaxAckPending int64 // ns during which max_ack_pending held messages back
	MaxPending             int64 // largest num_pending at a point of the series
	MaxPendingBytes        int64
	MaxOldest              int64 // ns, largest at a point of the series
	MaxAckPending          int64
	Wait                   Histogram // stored until the first handler starts
	Sojourn                Histogram // stored until the first ack is confirmed

	NumPending     int64 // at the end
	NumAckPending  int64
	NumRedelivered int64
	NumWaiting     int64
	Delivered      [2]uint64 // consumer and stream sequence
	AckFloor       [2]uint64
	Series         []ConsumerPoint
}

// lost are messages that were stored and are handled by nobody.
func (c *ConsumerResult) lost() int64 { return c.LostUnread + c.LostHeld + c.LostFailed }

// arrived are messages that the consumer's filters let through.
func (c *ConsumerResult) arrived() int64 {
	return c.Unique + c.LostUnseen + c.NumPending + c.LostUnread
}

// ConsumerPoint is a consumer at one instant.
type ConsumerPoint struct {
	NumPending, NumAckPending, NumRedelivered, NumWaiting int64
	PendingBytes                                          int64 // subject, headers and payload of what is pending
	Oldest                                                int64 // age in ns of the oldest message not yet delivered
	Busy                                                  int64 // handlers at work
	Acked                                                 int64 // first acks since the point before
	SojournMean, SojournMax                               int64 // ns, of those
	Redeliveries                                          int64 // since the point before
}

// PublisherResult is what happened at one publisher.
type PublisherResult struct {
	Name, Stream string
	Messages     int64 // begun
	Attempts     int64
	Stored       int64
	Duplicates   int64
	Refused      int64 // attempts with an error, no responders included
	Unanswered   int64 // attempts whose reply never came
	GivenUp      int64
	Pending      int64 // still being tried at the end
	RetryDelay   int64 // ns, the longest from when a retried message was due until it was stored
}

// WorkerResult is what one worker did.
type WorkerResult struct {
	Group        string
	Index        int
	Deliveries   int64
	Busy         int64 // ns of handlers at work, answers included, all handlers
	Fetches      int64
	FetchesEmpty int64
	FetchErrors  int64
}

// sample takes a point of every series.
func (r *run) sample() {
	for _, s := range r.streams {
		s.res.Series = append(s.res.Series, StreamPoint{s.store.msgs, s.store.bytes})
		s.res.MaxMsgs = max(s.res.MaxMsgs, s.store.msgs)
		s.res.MaxBytes = max(s.res.MaxBytes, s.store.bytes)
	}
	for _, c := range r.consumers {
		p := ConsumerPoint{NumPending: c.npc, NumAckPending: c.pending, NumRedelivered: c.counted, NumWaiting: int64(c.waiting.n)}
		if c.npc > 0 {
			p.Oldest = c.oldest()
		}
		p.PendingBytes = c.npb
		if p.Acked, p.SojournMax = c.acks, c.worst; c.acks > 0 {
			p.SojournMean = c.sum / c.acks
		}
		p.Redeliveries, c.told = c.res.Redeliveries-c.told, c.res.Redeliveries
		c.sum, c.acks, c.worst = 0, 0, 0
		c.res.MaxPendingBytes = max(c.res.MaxPendingBytes, c.npb)
		c.res.MaxOldest = max(c.res.MaxOldest, p.Oldest)
		c.res.MaxPending = max(c.res.MaxPending, c.npc)
		c.res.Series = append(c.res.Series, p)
	}
	for _, w := range r.workers {
		c := w.c.res
		c.Series[len(c.Series)-1].Busy += int64(w.busy)
	}
	r.k.push(event{at: r.k.now + r.step, kind: evSample})
}

// oldest is the age of the oldest message that is not delivered.
func (c *consumer) oldest() int64 {
	for seq := c.s.store.next(c.cursor); seq <= c.s.store.last; seq = c.s.store.next(seq + 1) {
		if at, _, key := c.s.load(seq); c.matches(key) && !c.skipped(seq) {
			return c.r.k.now - at
		}
	}
	return 0
}

// soFar copies what there is of a result, while the run goes on.
func (r *run) soFar() *Result {
	out := &Result{Step: r.res.Step, Ended: time.Duration(r.k.now), Events: r.events}
	for _, s := range r.res.Streams {
		out.Streams = append(out.Streams, copyOf(s))
	}
	for _, c := range r.res.Consumers {
		one := copyOf(c)
		one.Wait.counts, one.Sojourn.counts = slices.Clone(c.Wait.counts), slices.Clone(c.Sojourn.counts)
		out.Consumers = append(out.Consumers, one)
	}
	for _, p := range r.res.Publishers {
		out.Publishers = append(out.Publishers, copyOf(p))
	}
	for _, w := range r.res.Workers {
		out.Workers = append(out.Workers, copyOf(w))
	}
	return out
}

func copyOf[T any](v *T) *T {
	out := *v
	return &out
}

// finish fills in how things stand at the end.
func (r *run) finish() {
	r.res.Ended = time.Duration(r.k.now)
	r.res.Events = r.events
	r.recoveries()
	for _, s := range r.streams {
		s.res.Msgs, s.res.Bytes = s.store.msgs, s.store.bytes
		s.res.FirstSeq, s.res.LastSeq = s.store.first, s.store.last
	}
	for _, c := range r.consumers {
		c.stalled(false)
		c.res.NumPending, c.res.NumAckPending, c.res.NumRedelivered = c.npc, c.pending, c.counted
		c.res.NumWaiting = int64(c.waiting.n)
		c.res.Delivered, c.res.AckFloor = c.delivered, c.floor
		c.res.Stranded = int64(len(c.stranded))
		if c.cfg.MaxDeliver == 1 {
			c.res.NumRedelivered = 0
		}
	}
	for _, p := range r.pubs {
		if p.sending {
			p.res.Pending = 1
		}
	}
	for _, w := range r.workers {
		if f := &w.fetch; f.asked && !f.over && f.got == 0 {
			w.res.FetchesEmpty++
		}
	}
	for i := range r.slots {
		if s := &r.slots[i]; s.busy && s.w.stall <= r.k.now {
			s.w.res.Busy += max(0, min(s.then, r.k.now)-s.start)
		}
	}
}
