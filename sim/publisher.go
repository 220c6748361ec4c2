package sim

import (
	"math"
	"time"
)

// Defaults of a publisher.
const (
	defaultPublishTimeout = 5 * time.Second
	defaultBatchSize      = 100
)

// attempt is one publish on its way into a stream, and what the stream says.
type attempt struct {
	n       uint64
	key     uint32
	payload int32
	headers int32
	size    int32 // subject, headers, payload
	id      uint64
	seq     uint64
	code    int
}

// phase is a phase at work.
type phase struct {
	cfg  *Phase
	key  uint64
	done int64
	at   int64
}

// schedule says when the next message is due: the phases, merged by time.
type schedule struct {
	phases []phase
	times  []time.Duration
	next   int // of times
	until  int64
}

// due is the time of the next message; which says where it comes from.
func (s *schedule) due() (at int64, which int) {
	at, which = math.MaxInt64, -1
	if s.next < len(s.times) {
		at, which = int64(s.times[s.next]), len(s.phases)
	}
	for i := range s.phases {
		if p := &s.phases[i]; p.at < at {
			at, which = p.at, i
		}
	}
	if at > s.until {
		return math.MaxInt64, -1
	}
	return at, which
}

// advance moves past the message that due gave.
func (s *schedule) advance(which int) {
	if which == len(s.phases) {
		s.next++
		return
	}
	p := &s.phases[which]
	p.done++
	p.wait()
}

// wait lets one interval pass.
func (p *phase) wait() {
	n := uint64(p.done)
	gap := max(0, p.cfg.Interval(number(p.key, n), n, 1))
	p.at = addTime(p.at, gap)
	if p.cfg.Count > 0 && p.done >= p.cfg.Count {
		p.at = math.MaxInt64
	} else if p.cfg.Count == 0 && p.cfg.Until > 0 && p.at >= int64(p.cfg.Until) {
		p.at = math.MaxInt64
	}
}

func addTime(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// publisher is a publisher at work.
//
// Models: core sends and hears nothing; async sends at its schedule, up to
// InFlight unanswered; sync sends the next message when the reply is there, and
// is late when that is late; batch stores BatchSize messages together. With a
// retry the publisher blocks on a message until it is stored or given up, and
// then sends what is due back to back. A time-out is ambiguous: the retry may
// be a duplicate, and is recognised only by its message id.
// Ignores: a reply that is lost on the way back; the reconnect buffer.
// Source: nats.go v1.55.0 jetstream publish.go; measured.
type publisher struct {
	r        *run
	cfg      *Publisher
	s        *stream
	index    int32
	res      *PublisherResult
	plan     schedule
	n        uint64
	class    []uint32
	lengths  []int32
	pickKey  uint64
	sizeKey  uint64
	keysKey  uint64
	replies  fifo[int64] // when the unanswered publishes are answered
	cur      attempt
	due      int64 // schedule of the message being sent
	began    int64 // its first attempt
	tries    int
	sending  bool // blocked on cur
	batch    []attempt
	nextAt   int64 // when the message after this one is due, and
	nextFrom int   // where it comes from; -1 is nowhere
}

func (p *publisher) prepare() {
	id := "publish/" + p.s.cfg.Name + "/" + p.cfg.Name
	seed := p.r.opt.Seed
	p.pickKey, p.sizeKey, p.keysKey = streamKey(seed, id+"/subject"), streamKey(seed, id+"/payload"), streamKey(seed, id+"/key")
	for _, subj := range p.cfg.Subjects {
		p.class = append(p.class, p.s.class(subj))
		p.lengths = append(p.lengths, int32(len(subj)))
	}
	p.plan = p.newSchedule()
	if p.nextAt, p.nextFrom = p.plan.due(); p.nextFrom >= 0 {
		p.r.k.publish(p.nextAt, p.index)
	}
}

func (p *publisher) newSchedule() schedule {
	s := schedule{times: p.cfg.Times, until: int64(p.r.opt.Until)}
	base := streamKey(p.r.opt.Seed, "arrivals/"+p.s.cfg.Name+"/"+p.cfg.Name)
	for i := range p.cfg.Phases {
		ph := &p.cfg.Phases[i]
		at := phase{cfg: ph, key: mix(base + uint64(i)), at: int64(ph.At)}
		if ph.Waits {
			at.wait()
		}
		s.phases = append(s.phases, at)
	}
	return s
}

// draw draws message n.
func (p *publisher) draw(a *attempt, n uint64) {
	i := uint64(0)
	if many := uint64(len(p.class)); many > 1 {
		if p.cfg.Pick != nil {
			i = uint64(min(max(0, p.cfg.Pick(number(p.pickKey, n), n, 1)), int64(many-1)))
		} else {
			i = (n - 1) % many
		}
	}
	// Field by field: under js/wasm what is cleared or copied as a whole is a call.
	a.n, a.key, a.headers, a.payload = n, p.class[i]<<keyBits, int32(p.cfg.HeaderSize), 0
	a.id, a.seq, a.code = 0, 0, 0
	if p.cfg.Keys > 1 {
		a.key |= uint32(number(p.keysKey, n) % uint64(p.cfg.Keys))
	}
	if p.cfg.Payload != nil {
		a.payload = int32(min(max(0, p.cfg.Payload(number(p.sizeKey, n), n, 1)), math.MaxInt32/2))
	}
	a.size = p.lengths[i] + a.headers + a.payload
	if p.cfg.MsgID != nil {
		a.id = p.cfg.MsgID(n)
	}
}

// run is called when the next message is due, or the next attempt.
func (p *publisher) run() {
	if p.sending {
		p.send()
		return
	}
	if p.nextFrom < 0 || p.nextAt > p.plan.until {
		return
	}
	if p.cfg.InFlight > 0 && p.cfg.Mode == PublishAsync {
		for p.replies.len() > 0 && *p.replies.front() <= p.r.k.now {
			p.replies.pop()
		}
		if p.replies.len() >= p.cfg.InFlight {
			p.r.k.publish(*p.replies.front(), p.index)
			return
		}
	}
	p.due = p.nextAt
	p.plan.advance(p.nextFrom)
	p.nextAt, p.nextFrom = p.plan.due()
	p.n++
	p.res.Messages++
	p.draw(&p.cur, p.n)
	p.tries, p.sending = 0, true
	if p.cfg.Mode == PublishBatch {
		p.collect()
		return
	}
	p.send()
}

// send is one attempt.
func (p *publisher) send() {
	p.tries++
	p.res.Attempts++
	got := p.s.publish(&p.cur)
	now := p.r.k.now
	if p.tries == 1 {
		p.began = now
	}
	if p.r.trace != nil {
		p.r.emit(Event{Kind: EventPublish, Stream: p.s.index, Publisher: p.index, Seq: p.cur.seq, Delivery: p.tries,
			Received: p.due, Answer: int(got), Code: p.cur.code, Number: p.cur.n})
	}
	switch got {
	case answerStored, answerDuplicate:
		if got == answerDuplicate {
			p.res.Duplicates++
		} else {
			p.res.Stored++
		}
		if p.tries > 1 {
			p.res.RetryDelay = max(p.res.RetryDelay, now-p.due)
		}
		p.next(now + int64(p.r.cost.Publish))
	case answerRefused, answerNoResponders:
		p.res.Refused++
		p.failed(now + int64(p.r.cost.Publish))
	case answerLost:
		p.res.Unanswered++
		if p.cfg.Mode == PublishCore {
			p.failed(now)
			return
		}
		t := p.cfg.Timeout
		if t <= 0 {
			t = defaultPublishTimeout
		}
		p.rememberLost()
		p.failed(now + int64(t))
	}
}

// rememberLost gives a message whose reply is lost an id that a retry can be
// recognised by. (Ids of messages that are sent once need no memory.)
func (p *publisher) rememberLost() {
	if p.cfg.MsgID == nil && p.cur.id == 0 {
		p.cur.id = mix(uint64(p.index)+1) ^ p.cur.n
		p.cur.id |= 1
	}
}

// failed decides at the time the failure is known whether to try again.
func (p *publisher) failed(at int64) {
	if r := p.cfg.Retry; r != nil && len(r.Delays) > 0 && p.cfg.Mode != PublishCore {
		i := p.tries - 1
		again := i < len(r.Delays) || r.RepeatLast && (r.Max == 0 || i < r.Max)
		if again {
			next := addTime(at, int64(r.Delays[min(i, len(r.Delays)-1)]))
			if r.For <= 0 || next-p.began <= int64(r.For) {
				p.r.k.publish(next, p.index)
				return
			}
		}
	}
	p.res.GivenUp++
	p.next(at)
}

// next plans the message after this one: free is when a publisher that waits
// for its reply has it.
func (p *publisher) next(free int64) {
	p.sending = false
	if p.cfg.InFlight > 0 && p.cfg.Mode == PublishAsync {
		p.replies.push(free)
	}
	if p.nextFrom < 0 {
		return
	}
	at := p.nextAt
	if p.cfg.Mode == PublishSync {
		at = max(at, free)
	}
	p.r.k.publish(at, p.index)
}

// collect gathers an atomic batch and stores it as one.
//
// Models: the messages of a batch become visible together, when the last one
// is sent; a refused one refuses the batch.
// Ignores: the limits of batches (1,000 messages, 50 in flight, 10 s).
// Source: ADR-50; nats-server v2.15.2 jetstream_batching.go.
func (p *publisher) collect() {
	size := p.cfg.BatchSize
	if size <= 0 {
		size = defaultBatchSize
	}
	p.batch = append(p.batch, p.cur)
	if len(p.batch) < size && p.nextFrom >= 0 {
		p.next(p.r.k.now)
		return
	}
	for _, a := range p.batch {
		p.cur, p.tries = a, 0
		p.tries++
		p.res.Attempts++
		switch p.s.publish(&p.cur) {
		case answerStored:
			p.res.Stored++
		case answerDuplicate:
			p.res.Duplicates++
		default:
			p.res.Refused++
			p.res.GivenUp++
		}
	}
	p.batch = p.batch[:0]
	p.next(p.r.k.now)
}
