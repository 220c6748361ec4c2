package prove

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"weir/design"
)

// workload runs what the design says about publishers and workers, scaled down.
type workload struct {
	r          *designRun
	span       time.Duration // of publishing, as asked for
	published  time.Duration // how long it went on
	publishers []*loadPublisher
	consumers  []*loadConsumer
	streams    []*loadStream

	time, rate, workerShare float64

	started time.Time
	nodes   sync.Mutex // held while the scenario or a fault changes what runs
	cluster *clusterWatch
	faults  int // that somebody who looked on did
}

// loadStream is what the run knows of a stream.
type loadStream struct {
	*routeStream
	window, maxAge time.Duration

	mu        sync.Mutex
	published map[uint64]time.Time // sequence to when it was published
	subjects  map[uint64]string
	newest    map[string][]uint64 // the last MaxOfEach sequences of a subject, in order
}

// note keeps when an acknowledged message was published.
func (s *loadStream) note(seq uint64, subject string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.published[seq], s.subjects[seq] = at, subject
	if s.MaxOfEach < 1 {
		return
	}
	kept := append(s.newest[subject], seq)
	for i := len(kept) - 1; i > 0 && kept[i] < kept[i-1]; i-- { // PubAcks overtake each other
		kept[i], kept[i-1] = kept[i-1], kept[i]
	}
	if over := int64(len(kept)) - s.MaxOfEach; over > 0 {
		kept = kept[over:]
	}
	s.newest[subject] = kept
}

// replaced reports whether newer messages of its subject have taken a message's
// place (max_msgs_per_subject). The caller holds the lock.
func (s *loadStream) replaced(seq uint64) bool {
	kept := s.newest[s.subjects[seq]]
	return s.MaxOfEach > 0 && len(kept) > 0 && seq < kept[0]
}

func (s *loadStream) publishedAt(seq uint64) (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.published[seq]
	return at, ok
}

// loadConsumer is a consumer with workers.
type loadConsumer struct {
	routeConsumer
	stream *loadStream
	user   string
	groups []*design.Workers
	goals  design.Goals
	conf   struct {
		AckWait time.Duration   `json:"ack_wait"`
		BackOff []time.Duration `json:"backoff"`
	}
	gate   gate
	slower float64

	mu        sync.Mutex
	crews     []*crew
	delivered map[uint64]int // deliveries by sequence
	acked     map[uint64]int // runs that acked
	runs      int
	latency   *hdrhistogram.Histogram // µs from publish to ack
	busy      time.Duration

	maxPending, maxAckPending int64
	oldest                    time.Duration
	looks                     looks
	left                      consumerInfo // at the end
	expected                  int64        // acknowledged messages that its filters let through
	lost                      int64
	replaced                  int64 // not handled before newer ones of their subject took their place
	mostReplaced              int64 // of those let through, the ones whose place was taken at all
}

// firstWait is how long the first redelivery waits.
func (c *loadConsumer) firstWait() time.Duration {
	switch {
	case c.AckPolicy == "" || c.AckPolicy == "none":
		return 0
	case len(c.conf.BackOff) > 0:
		return c.conf.BackOff[0]
	case c.conf.AckWait > 0:
		return c.conf.AckWait
	}
	return defaultAckWait
}

// newHistogram holds times from 1 µs to 10 min with three digits.
func newHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, (10 * time.Minute).Microseconds(), 3)
}

// newWorkload prepares the workload of what was applied; why says why there is
// none.
func (r *designRun) newWorkload() (w *workload, why string) {
	w = &workload{r: r, span: r.opt.For}
	if w.span == 0 {
		w.span = DefaultWorkload
	}
	for _, s := range r.streamsOf() {
		ls := &loadStream{routeStream: s, published: map[uint64]time.Time{}, subjects: map[uint64]string{}, newest: map[string][]uint64{}}
		w.streams = append(w.streams, ls)
		for _, c := range s.consumers {
			w.addConsumer(ls, c)
		}
	}
	for _, req := range r.applied {
		if i := slices.IndexFunc(w.streams, func(s *loadStream) bool { return s.Name == req.Name && s.scope == req.Scope }); i >= 0 {
			var times struct {
				Window time.Duration `json:"duplicate_window"`
				MaxAge time.Duration `json:"max_age"`
			}
			if json.Unmarshal(req.Body, &times) == nil {
				w.streams[i].window, w.streams[i].maxAge = times.Window, times.MaxAge
			}
		}
	}
	for _, scope := range r.hubScopes() {
		for _, p := range scope.Publishers {
			w.addPublisher(scope, p)
		}
	}
	if len(w.publishers) == 0 {
		return nil, "no publisher with a rate publishes into a stream"
	}
	w.scale()
	r.e.Scaling = w.law()
	w.leaveOut()
	return w, ""
}

// addConsumer takes a consumer that the design gives workers.
func (w *workload) addConsumer(s *loadStream, c routeConsumer) {
	d := w.r.consumerOf(s.scope, c.name)
	if d == nil || len(d.Workers) == 0 {
		return
	}
	lc := &loadConsumer{routeConsumer: c, stream: s, user: w.r.user(s.scope), groups: d.Workers, goals: d.Goals, slower: 1,
		delivered: map[uint64]int{}, acked: map[uint64]int{}, latency: newHistogram()}
	for _, req := range w.r.applied {
		if req.Path == c.path {
			// Times that cannot be read are those that the server filled in.
			_ = json.Unmarshal(configOf(req.Body), &lc.conf)
		}
	}
	w.consumers = append(w.consumers, lc)
}

// consumerOf is the design's consumer of a name such as ORDERS/billing.
func (r *designRun) consumerOf(scope *design.Scope, name string) *design.Consumer {
	stream, consumer, _ := strings.Cut(name, "/")
	for _, s := range scope.Streams {
		if s.Name != stream {
			continue
		}
		for _, c := range s.Consumers {
			if c.Name == consumer {
				return c
			}
		}
	}
	return nil
}

// leaveOut says what of the publishers and workers the run does not have.
func (w *workload) leaveOut() {
	for _, p := range w.publishers {
		w.r.leaveOutIf(len(p.Bursts) > 0, p.Path+".bursts", "the run is too short for them; a scenario with a burst plays one")
		w.r.leaveOutIf(len(p.Hours) > 0, p.Path+".hours", "the run is too short for a day: it publishes at the mean rate")
		w.r.leaveOutIf(p.Mode == "batch", p.Path+".mode", "published as async: atomic batches are not run")
		w.r.leaveOutIf(p.Payload.Kind == design.DistEmpirical, p.Path+".payload", "the trace is not read; payloads are of the smallest size")
		w.r.leaveOutIf(p.TTL > 0, p.Path+".ttl", "no Nats-TTL is sent")
		w.r.leaveOutIf(slices.ContainsFunc(p.Tokens, func(t design.Token) bool { return t.Skew > 0 }), p.Path+".tokens", "values are used evenly, without skew")
	}
	for _, c := range w.consumers {
		for _, g := range c.groups {
			w.r.leaveOutIf(g.ServiceTime.Kind == design.DistEmpirical, g.Path+".service_time", "the trace is not read; messages take no time")
		}
		if wait := time.Duration(float64(c.firstWait()) / w.time); wait > w.span {
			w.r.e.leaveOut(c.path, fmt.Sprintf("a redelivery after %s does not come up in a run of %s", plainly(wait.Round(time.Millisecond)), plainly(w.span)))
		}
	}
	for _, s := range w.streams {
		if age := time.Duration(float64(s.maxAge) / w.time); age > w.span {
			w.r.e.leaveOut(s.Name+" max_age", fmt.Sprintf("no message becomes %s old in a run of %s", plainly(age.Round(time.Millisecond)), plainly(w.span)))
		}
	}
}

// drainWithin is how long workers may go on after the last publish.
const drainWithin = 10 * time.Second

// run is the workload and what it claims.
func (w *workload) run(ctx context.Context) error {
	from := len(w.r.e.Steps) + 1
	claim := "every message that was acknowledged in the workload was handled or is still there"
	if slices.ContainsFunc(w.streams, func(s *loadStream) bool { return s.MaxOfEach > 0 }) {
		claim += ", or a newer one of its subject took its place"
	}
	if err := w.runToEnd(ctx); err != nil {
		w.r.e.claimBrokenOff(claim, from)
		return err
	}
	w.r.e.claim("claim", claim, from)
	return nil
}

// runToEnd publishes and works for the span, lets the workers finish and reads what
// came of it.
func (w *workload) runToEnd(ctx context.Context) error {
	work, stopWork := context.WithCancel(ctx)
	defer stopWork()
	w.started = time.Now()
	var workers sync.WaitGroup
	for _, c := range w.consumers {
		c.start(work, w, &workers)
	}
	watch, stopWatch := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { w.sample(watch) })
	w.cluster = w.newWatch()
	watching.Go(func() { w.cluster.run(watch) })
	publish, cancel := context.WithTimeout(ctx, w.span)
	defer cancel()
	live := w.newLive(ctx, cancel)
	if w.r.opt.Live != nil {
		w.r.opt.Live(live)
	}
	var publishers sync.WaitGroup
	for i, p := range w.publishers {
		publishers.Go(func() { p.run(publish, ctx, rand.New(rand.NewPCG(w.r.opt.Seed, uint64(i)))) })
	}
	played := w.play(publish)
	<-publish.Done()
	// Somebody who looks on may have ended it.
	w.published = min(w.span, time.Since(w.started))
	w.r.e.Scaling.Seconds = w.published.Seconds()
	w.cluster.published()
	faults := live.close()
	w.faults = len(faults)
	played = append(played, faults...)
	publishers.Wait()
	err := w.drain(ctx)
	stopWork()
	workers.Wait()
	stopWatch()
	watching.Wait()
	seen := w.cluster.soFar()
	w.r.e.Cluster, w.r.e.Pending = &seen, w.pending()
	w.r.e.Steps = append(w.r.e.Steps, w.numbered(played)...)
	if err != nil || ctx.Err() != nil {
		return cmp.Or(err, context.Cause(ctx))
	}
	w.noteShortfall()
	for _, p := range w.publishers {
		p.report()
	}
	if err := w.settle(ctx); err != nil {
		return err
	}
	for _, c := range w.consumers {
		c.report(w)
	}
	return w.predict(ctx)
}

// numbered gives steps that happened meanwhile their numbers.
func (w *workload) numbered(steps []Step) []Step {
	for i := range steps {
		steps[i].N = len(w.r.e.Steps) + i + 1
	}
	return steps
}

// sample looks at every consumer a few times a second.
func (w *workload) sample(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	own := &links{h: w.r.host}
	defer own.close()
	for {
		for _, c := range w.consumers {
			// A leader may be missing; the next sample finds the new one.
			if info, err := c.info(ctx, own); err == nil {
				c.observe(info, time.Since(w.started))
			}
		}
		w.r.progress.report(int(min(time.Since(w.started), w.span).Milliseconds()), int(w.span.Milliseconds()))
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (c *loadConsumer) info(ctx context.Context, l *links) (info consumerInfo, err error) {
	s, err := l.as(ctx, c.user)
	if err != nil {
		return info, err
	}
	err = s.info(ctx, "CONSUMER.INFO."+strings.ReplaceAll(c.name, "/", "."), &info)
	return info, err
}

func (c *loadConsumer) observe(info consumerInfo, at time.Duration) {
	oldest := time.Duration(0)
	if info.NumPending > 0 {
		if at, ok := c.stream.publishedAt(uint64(info.Delivered.Stream) + 1); ok {
			oldest = time.Since(at)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.maxPending, c.maxAckPending, c.oldest = max(c.maxPending, info.NumPending), max(c.maxAckPending, info.NumAckPending), max(c.oldest, oldest)
	c.looks.add(at, info)
}

// drain waits until nothing is pending and each message was given to a worker:
// a consumer's leader counts what the replica beside it has, and one that is
// behind says 0. What is left after drainWithin is told in the figures.
func (w *workload) drain(ctx context.Context) error {
	own := &links{h: w.r.host}
	defer own.close()
	err := waitUntil(ctx, drainWithin, func() (bool, error) {
		for _, s := range w.streams {
			if len(s.published) > 0 && !w.inStep(ctx, own, s) {
				return false, nil
			}
		}
		for _, c := range w.consumers {
			info, err := c.info(ctx, own)
			if err != nil || info.NumPending > 0 || info.NumAckPending > 0 {
				return false, nil
			}
			if c.seen().missing > 0 {
				return false, nil
			}
		}
		return true, nil
	})
	if errors.Is(err, errNotInTime) {
		return nil
	}
	return err
}

// inStep reports whether every replica of a stream that is there has all of it. A
// consumer is led by one of them, and counts as pending only what that one has:
// on a busy machine it may say 0 while there is more to come.
func (w *workload) inStep(ctx context.Context, own *links, s *loadStream) bool {
	link, err := own.as(ctx, w.r.user(s.scope))
	if err != nil {
		return false
	}
	var info streamInfo
	if err := link.info(ctx, "STREAM.INFO."+s.Name, &info); err != nil {
		return false
	}
	for _, r := range info.Cluster.Replicas {
		if !r.Offline && (!r.Current || r.Lag > 0) {
			return false
		}
	}
	return true
}

// settle reads how everything ended and compares it with what was published.
func (w *workload) settle(ctx context.Context) error {
	for _, s := range w.streams {
		if len(s.published) == 0 {
			continue
		}
		var info streamInfo
		if err := w.ask(ctx, w.r.user(s.scope), "STREAM.INFO."+s.Name, &info); err != nil {
			return err
		}
		low := int64(len(s.published))
		p := Prediction{Figure: Figure{"workload: messages that " + s.Name + " took", low, "messages"}, Measured: info.State.LastSeq}
		if extra := w.unanswered(s); extra > 0 {
			// Whether a message without an answer was stored is not known.
			p.Low, p.High = low, low+extra
		}
		w.r.e.Predicted = append(w.r.e.Predicted, p)
	}
	for _, c := range w.consumers {
		var info consumerInfo
		if err := w.ask(ctx, c.user, "CONSUMER.INFO."+strings.ReplaceAll(c.name, "/", "."), &info); err != nil {
			return err
		}
		c.settle(info)
	}
	return nil
}

// ask reads an info at the end. After a fault the leader may still be missing.
func (w *workload) ask(ctx context.Context, user, subject string, v any) error {
	var last error
	err := waitUntil(ctx, clusterWithin, func() (bool, error) {
		s, err := w.r.links.as(ctx, user)
		if err == nil {
			err = s.info(ctx, subject, v)
		}
		last = err
		return err == nil, nil
	})
	if errors.Is(err, errNotInTime) {
		return last
	}
	return err
}

// unanswered counts the publishes into a stream that got no PubAck, or asked for
// none.
func (w *workload) unanswered(s *loadStream) (n int64) {
	for _, p := range w.publishers {
		if p.stream == s {
			p.mu.Lock()
			n += p.silent + p.plain
			p.mu.Unlock()
		}
	}
	return n
}
