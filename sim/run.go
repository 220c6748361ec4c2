package sim

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"time"

	"weir/size"
)

// Options say how to run a workload.
type Options struct {
	Seed  uint64
	Until time.Duration // length of the run; 0 is an hour

	// Progress is called about every 100,000 events with the share of the run
	// that is done; false ends the run with ErrStopped.
	Progress func(done float64) bool
	// Partial is called as often as Progress, with what gives the result so far: a
	// copy, without how things end. It is made when it is asked for.
	Partial func(result func() *Result)
	// Sample is the step of the time series; 0 takes 600 steps.
	Sample time.Duration
	// Trace is called for every event of interest, in order.
	Trace func(Event)
	// MaxStored bounds the messages held in memory; 0 is 5,000,000.
	MaxStored int64
	// MaxMessages bounds what the publishers will send, on average, so that a
	// run ends in a time that somebody can wait for; 0 is 1,000,000,000.
	MaxMessages int64

	shuffle bool             // order at one instant is random: tests
	awake   bool             // put no segment away: tests
	detour  bool             // no message goes the straight way: tests
	check   func(*run) error // after every event: tests
}

// Bounds of a run.
const (
	defaultUntil     = time.Hour
	maxNodes         = 1_000
	longestRun       = 20 * 365 * 24 * time.Hour
	maxSamples       = 100_000
	defaultMaxStored = 5_000_000
	defaultMessages  = 1_000_000_000
	sameInstant      = 3_000_000 // events without time going on
	lookUp           = 1 << 16   // events between two looks at the world outside
)

// ErrStopped is the error of a run that Progress ended.
var ErrStopped = errors.New("the run was stopped")

// TooMuchError is the error of a run that would not fit in memory.
type TooMuchError struct {
	Stream string
	At     time.Duration
	Stored int64
}

func (e *TooMuchError) Error() string {
	return fmt.Sprintf("stream %q holds %s messages after %s, more than the simulator keeps; lower the rate or shorten the run, or set max_msgs, max_bytes or max_age", e.Stream, size.FormatCount(float64(e.Stored)), size.FormatDuration(e.At))
}

// run is one simulation.
type run struct {
	k         kernel
	w         *Workload
	opt       Options
	trace     func(Event)
	res       *Result
	streams   []*stream
	consumers []*consumer
	workers   []*worker
	pubs      []*publisher
	slots     []slot
	tickets   []ticket
	messages  messages
	naks      fifo[pendingNak]
	scratch   []*message
	chance    *rand.PCG
	cost      Overhead

	freeTickets []int32
	nodes       []int64 // until when each is down
	step        int64
	kills       bool
	until       int64
	limit       int64
	instant     int64 // how often pause has found the clock where it was
	last        int64
	events      uint64
}

// Run simulates w. The result is complete up to Until, or up to where an error
// says that the run ended: then it is returned beside the error.
func Run(ctx context.Context, w Workload, o Options) (*Result, error) {
	r, err := newRun(&w, o)
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	if err := r.loop(ctx); err != nil {
		r.finish()
		return r.res, fmt.Errorf("simulate: %w", err)
	}
	r.k.now = r.until
	r.finish()
	return r.res, nil
}

func newRun(w *Workload, o Options) (*run, error) {
	if o.Until <= 0 {
		o.Until = defaultUntil
	}
	if o.Until > longestRun {
		return nil, fmt.Errorf("%s is longer than %s, the longest run", size.FormatDuration(o.Until), size.FormatDuration(longestRun))
	}
	if err := w.check(); err != nil {
		return nil, err
	}
	if err := bounded(w, o); err != nil {
		return nil, err
	}
	r := &run{k: kernel{main: newCalendar()}, w: w, opt: o, trace: o.Trace, until: int64(o.Until), limit: o.MaxStored, res: &Result{}, cost: w.Overhead}
	if r.limit <= 0 {
		r.limit = defaultMaxStored
	}
	if o.shuffle {
		r.k.main.shuffle = r.pcg("ties")
	}
	r.chance = r.pcg("faults")
	r.nodes = make([]int64, max(1, min(w.Server.Nodes, maxNodes)))
	r.addStreams()
	for _, s := range r.streams {
		s.setRedraw()
	}
	r.addConsumers()
	r.addWorkers()
	for i := range w.Faults {
		f := &w.Faults[i]
		r.k.push(event{at: int64(f.At), kind: evFault, target: int32(i)})
		switch f.Kind {
		case FaultKillServer, FaultKillLeader, FaultKillNode:
			r.kills = true
		}
	}
	r.step = int64(o.Sample)
	if r.step <= 0 {
		r.step = max(1, r.until/600)
	}
	r.step = max(r.step, r.until/maxSamples)
	r.res.Step = time.Duration(r.step)
	r.k.push(event{at: r.step, kind: evSample})
	return r, nil
}

// bounded refuses what would run for days.
func bounded(w *Workload, o Options) error {
	limit := float64(o.MaxMessages)
	if limit <= 0 {
		limit = defaultMessages
	}
	f := fluid{w: w, until: o.Until, step: float64(o.Until)}
	expected := []float64{0}
	for i := range w.Publishers {
		f.arrivals(&w.Publishers[i], 1, expected)
	}
	if expected[0] > limit {
		return fmt.Errorf("%s messages in %s are more than %s; shorten the run or lower the rate", size.FormatCount(expected[0]), size.FormatDuration(o.Until), size.FormatCount(limit))
	}
	return nil
}

// pcg is the named stream of random numbers.
func (r *run) pcg(name string) *rand.PCG {
	k := streamKey(r.opt.Seed, name)
	return rand.NewPCG(k, mix(k))
}

// pick is a number below n.
func (r *run) pick(p *rand.PCG, n int) int {
	hi, _ := bits.Mul64(p.Uint64(), uint64(n))
	return int(hi)
}

func (r *run) addStreams() {
	for i := range r.w.Streams {
		cfg := &r.w.Streams[i]
		s := &stream{r: r, cfg: cfg, index: int32(i), dup: newDuplicates(cfg.DuplicateWindow, cfg.MaxAge)}
		r.res.Streams = append(r.res.Streams, &StreamResult{Name: cfg.Name})
		s.res = r.res.Streams[i]
		r.streams = append(r.streams, s)
	}
	for i := range r.w.Publishers {
		cfg := &r.w.Publishers[i]
		res := &PublisherResult{Name: cfg.Name, Stream: cfg.Stream}
		r.res.Publishers = append(r.res.Publishers, res)
		p := &publisher{r: r, cfg: cfg, s: r.stream(cfg.Stream), index: int32(i), res: res}
		p.prepare()
		r.pubs = append(r.pubs, p)
	}
	for _, s := range r.streams {
		s.prepare()
	}
}

func (r *run) stream(name string) *stream {
	for _, s := range r.streams {
		if s.cfg.Name == name {
			return s
		}
	}
	return nil
}

func (r *run) addConsumers() {
	for i := range r.w.Consumers {
		r.addConsumer(&r.w.Consumers[i])
	}
}

func (r *run) addConsumer(cfg *Consumer) *consumer {
	s := r.stream(cfg.Stream)
	res := &ConsumerResult{Stream: cfg.Stream, Name: cfg.Name}
	c := &consumer{r: r, s: s, cfg: cfg, index: int32(len(r.consumers)), res: res}
	c.prepare()
	r.res.Consumers = append(r.res.Consumers, res)
	r.consumers = append(r.consumers, c)
	s.consumers = append(s.consumers, c)
	if cfg.ordered {
		return c
	}
	if cfg.CreateAt > 0 {
		r.k.schedule(int64(cfg.CreateAt), evConsumer, c.index, 0)
	} else {
		c.create()
	}
	return c
}

func (r *run) addWorkers() {
	for i := range r.w.Workers {
		g := &r.w.Workers[i]
		for n := range g.Count {
			r.addWorker(g, n)
		}
	}
}

func (r *run) addWorker(g *WorkerGroup, n int) {
	res := &WorkerResult{Group: g.Name, Index: n}
	r.res.Workers = append(r.res.Workers, res)
	w := &worker{r: r, g: g, res: res, index: int32(len(r.workers)), batch: int64(g.Batch), expires: int64(g.Expires)}
	if w.service = g.Service; w.service == nil {
		w.service = Constant(0)
	}
	w.fetches = g.Mode == ModeFetch && !g.CollectFirst && g.ReadPerSecond == 0
	w.acts = g.Act != nil || g.AckEvery > 1
	switch g.Mode {
	case ModeOrdered, ModeOrderedPush:
		w.c = r.addConsumer(r.ordered(g, n))
	default:
		for _, c := range r.consumers {
			if c.cfg.Stream == g.Stream && c.cfg.Name == g.Consumer {
				w.c = c
			}
		}
	}
	if w.ackCost = int64(r.cost.Ack); w.c.cfg.Ack == AckNone {
		w.ackCost = int64(r.cost.Handler)
	}
	if w.batch <= 0 {
		w.batch = 1
		if g.Mode == ModeConsume || g.Mode == ModeOrdered {
			w.batch = defaultMaxMessages
		}
	}
	if w.expires <= 0 {
		w.expires = int64(defaultExpires)
	}
	id := g.Stream + "/" + w.c.cfg.Name + "/" + g.Name
	w.key, w.actKey = streamKey(r.opt.Seed, "service/"+id), streamKey(r.opt.Seed, "action/"+id)
	for range max(1, g.Concurrency) {
		w.idle = append(w.idle, int32(len(r.slots)))
		r.slots = append(r.slots, slot{w: w})
	}
	r.workers = append(r.workers, w)
	at := int64(g.Start) + int64(n)*int64(g.Stagger)
	r.k.push(event{at: at, kind: evWorker, target: w.index})
	if g.Stop > 0 {
		r.k.push(event{at: int64(g.Stop), kind: evWorker, target: w.index, arg: 4})
	}
}

// ordered is the consumer that an ordered reader makes for itself.
// Source: nats.go v1.55.0 jetstream ordered.go, js.go processConsInfo.
func (r *run) ordered(g *WorkerGroup, n int) *Consumer {
	return &Consumer{
		Stream: g.Stream, Name: fmt.Sprintf("%s-%d", g.Name, n), Ack: AckNone, ordered: true,
		Push: g.Mode == ModeOrderedPush, FlowControl: g.Mode == ModeOrderedPush,
	}
}

// loop works events until the end.
func (r *run) loop(ctx context.Context) error {
	for {
		what, whose := r.k.next()
		if what == noEvent || r.k.now > r.until {
			return nil
		}
		switch what {
		case evHandled:
			r.handled(whose)
		case evPublish:
			r.pubs[whose].run()
		default:
			r.dispatch(r.k.due)
		}
		if r.events++; r.events%lookUp == 0 {
			if err := r.pause(ctx); err != nil {
				return err
			}
		}
		if r.opt.check != nil {
			if err := r.opt.check(r); err != nil {
				return fmt.Errorf("at %v after event %d: %w", time.Duration(r.k.now), r.events, err)
			}
		}
	}
}

// pause looks up from the work.
func (r *run) pause(ctx context.Context) error {
	// Nothing preempts a goroutine under js/wasm: a collection of garbage that has
	// begun would last, and slow every write of a pointer, until the run ends.
	runtime.Gosched()
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.k.now != r.last {
		r.last, r.instant = r.k.now, 0
	} else if r.instant++; r.instant > sameInstant/lookUp {
		return fmt.Errorf("time stands still at %s: something repeats without taking time; give it an interval or a service time", size.FormatDuration(time.Duration(r.k.now)))
	}
	for _, s := range r.streams {
		if s.store.awake > r.limit {
			return &TooMuchError{Stream: s.cfg.Name, At: time.Duration(r.k.now), Stored: s.store.awake}
		}
	}
	if r.opt.Progress != nil && !r.opt.Progress(float64(r.k.now)/float64(r.until)) {
		return ErrStopped
	}
	if r.opt.Partial != nil {
		r.opt.Partial(r.soFar)
	}
	return nil
}

func (r *run) dispatch(e event) {
	switch e.kind {
	case evNak:
		r.nakArrives()
	case evProgress:
		r.inProgress(e.target, e.gen)
	case evAge:
		if s := r.streams[e.target]; s.ageGen == e.gen {
			s.expire()
		}
	case evSample:
		r.sample()
	case evFault:
		switch e.arg {
		case 0:
			r.fault(e.target)
		case 1:
			s := r.streams[e.target]
			s.fail(noServer, s.shutUntil)
		default:
			r.streams[e.target].recover()
		}
	case evFetch, evWake, evFetchLost, evOrdered, evWorker, evWrite:
		r.workers[e.target].event(e)
	default:
		r.consumers[e.target].event(e)
	}
}

func (c *consumer) event(e event) {
	switch e.kind {
	case evAckTimer:
		if e.gen == c.timerGen && c.timer != 0 && !c.silent() {
			c.checkPending()
		}
	case evPullExpiry:
		if e.gen == c.waiting.gen {
			c.expireRequests()
		}
	case evRate:
		if e.gen == c.held.gen {
			c.held.busy = false
			c.pump()
		}
	case evPin:
		if e.gen == c.pinGen {
			c.unpin()
		}
	case evInactive:
		if e.gen == c.inactiveGen {
			c.checkInactive()
		}
	case evConsumer:
		c.create()
	}
}

func (w *worker) event(e event) {
	switch e.kind {
	case evFetch:
		if w.live(e.gen) {
			if w.g.Mode == ModeFetch {
				w.fetch.ask(w)
			} else {
				w.consume.ask(w)
			}
		}
	case evWake:
		if w.live(e.gen) {
			w.awake()
		}
	case evFetchLost:
		if w.up {
			w.fetch.gaveUp(w, e.gen)
		}
	case evOrdered:
		switch {
		case !w.live(e.gen):
		case e.arg == 1:
			w.ordered.recreate(w)
		default:
			w.ordered.heartbeat(w)
		}
	case evWrite:
		switch {
		case e.arg == 1 && e.gen == w.wire.readGen:
			w.wire.arrived(w)
		case e.arg == 0 && e.gen == w.wire.gen:
			w.wire.close(w)
		}
	case evWorker:
		w.change(e)
	}
}

// change starts, wakes, reconnects, thaws or stops a worker.
func (w *worker) change(e event) {
	switch {
	case e.arg == 0:
		if at := int64(w.c.cfg.CreateAt); at > w.r.k.now {
			w.r.k.push(event{at: at, kind: evWorker, target: w.index})
		} else if !w.up {
			w.begin()
		}
	case e.arg == 4:
		w.stopped = true
		if w.up {
			w.c.waiting.leave(w)
			w.unsubscribe()
		}
	case !w.live(e.gen):
	case e.arg == 1:
		w.work()
		if w.g.Mode == ModeFetch && w.fetch.asked {
			w.fetch.check(w)
		}
	case e.arg == 2:
		w.reconnected()
	case e.arg == 3:
		w.wire.thaw(w)
	}
}
