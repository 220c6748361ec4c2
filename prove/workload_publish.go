package prove

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"weir/design"
	"weir/size"
	"weir/subject"
)

// loadPublisher is a publisher of the design in a workload.
type loadPublisher struct {
	*design.Publisher
	w        *workload
	stream   *loadStream
	user     string
	subjects []string
	filler   []byte

	mu       sync.Mutex
	burst    float64 // rate of a burst that is on, 0 without
	due      float64 // messages up to since, see accrue
	since    time.Time
	latency  *hdrhistogram.Histogram
	sent     int64 // messages, repeats and retries not counted
	plain    int64 // of them without asking for an answer
	acked    int64
	double   int64 // answered as duplicates
	rejected int64
	silent   int64 // no answer after every attempt
	refusals map[string]int64
}

// addPublisher takes a publisher whose subjects one stream holds. The same
// example subjects are used over and over.
func (w *workload) addPublisher(scope *design.Scope, p *design.Publisher) {
	const values, most = 50, 500
	if p.Rate <= 0 {
		return
	}
	subjects, all := exampleSubjects(p, values, most)
	w.r.leaveOutIf(!all, p.Path+".tokens", size.Counted(len(subjects), "subject stands", "subjects stand")+" for all that there are")
	lp := &loadPublisher{Publisher: p, w: w, user: w.r.user(scope), latency: newHistogram(), refusals: map[string]int64{}}
	for _, s := range w.streams {
		if s.scope != scope || s.NoAck || s.Counter {
			continue
		}
		for _, to := range subjects {
			if holder([]*routeStream{s.routeStream}, scope, to) != nil && (lp.stream == nil || lp.stream == s) {
				lp.stream = s
				lp.subjects = append(lp.subjects, to)
			}
		}
	}
	if lp.stream == nil {
		w.r.e.leaveOut(p.Path, "no stream holds its subjects, so it has no part in the workload")
		return
	}
	if len(lp.subjects) < len(subjects) {
		w.r.e.leaveOut(p.Path, "only its subjects in "+lp.stream.Name+" have a part in the workload")
	}
	// Not all alike, so that compression has something to do.
	rng := rand.New(rand.NewPCG(w.r.opt.Seed, uint64(len(w.publishers))))
	lp.filler = make([]byte, maxPayload/2)
	for i := range lp.filler {
		lp.filler[i] = byte(' ' + rng.IntN('~'-' '))
	}
	w.publishers = append(w.publishers, lp)
}

// rateNow is messages a second in the run.
func (p *loadPublisher) rateNow() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.rate()
}

// rate is rateNow of a caller that holds the lock.
func (p *loadPublisher) rate() float64 {
	rate := p.Rate
	if p.burst > 0 {
		rate = p.burst
	}
	return rate * p.w.time * p.w.rate
}

// atOnce is how many publishes may be without an answer.
func (p *loadPublisher) atOnce() int {
	const most = 1_000
	switch p.Mode {
	case "async", "batch":
		return min(most, max(1, p.InFlight)*max(1, p.Count))
	case "core":
		return most
	}
	return min(most, max(1, p.Count)) // sync: one for each process
}

// run publishes at exponential intervals until ctx ends. Attempts that are open
// then are finished, unless all is over.
func (p *loadPublisher) run(ctx, all context.Context, rng *rand.Rand) {
	own := &links{h: p.w.r.host}
	defer own.close()
	var mu sync.Mutex // of own
	session := func() (*session, error) {
		mu.Lock()
		defer mu.Unlock()
		return own.as(all, p.user)
	}
	var open sync.WaitGroup
	slots := make(chan struct{}, p.atOnce())
	next := time.Now()
	count := func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.accrue(time.Now())
	}
	count()
	for n := 0; ; n++ {
		next = next.Add(time.Duration(rng.ExpFloat64() * float64(time.Second) / p.rateNow()))
		if !sleepUntil(ctx, next) {
			break
		}
		m := p.message(n, rng)
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			continue
		}
		open.Go(func() {
			p.publish(all, session, m)
			<-slots
		})
	}
	count()
	open.Wait()
}

// outgoing is one message of a workload.
type outgoing struct {
	subject string
	headers []string
	data    []byte
	again   bool // published a second time under the same id
}

func (p *loadPublisher) message(n int, rng *rand.Rand) outgoing {
	m := outgoing{subject: p.subjects[rng.IntN(len(p.subjects))]}
	size := min(max(0, int(draw(p.Payload, rng))), len(p.filler))
	at := rng.IntN(len(p.filler) - size + 1)
	m.data = p.filler[at : at+size]
	if p.MsgIDBytes > 0 {
		id := fmt.Sprintf("%s-%d", p.Name, n)
		if pad := p.MsgIDBytes - len(id); pad > 0 {
			id += strings.Repeat(".", pad)
		}
		m.headers = append(m.headers, "Nats-Msg-Id: "+id)
		m.again = rng.Float64() < p.Repeats
	}
	if extra := int(draw(p.Headers, rng)); extra > 0 {
		const name = "Weir-Fill: "
		m.headers = append(m.headers, name+strings.Repeat(".", max(1, min(extra, subject.MaxControlLine)-len(name))))
	}
	return m
}

// publish sends a message until it is answered or its attempts are used up.
func (p *loadPublisher) publish(ctx context.Context, session func() (*session, error), m outgoing) {
	p.count(&p.sent)
	started := time.Now()
	if p.Mode == "core" {
		p.count(&p.plain)
		if s, err := session(); err == nil {
			s.publish(m.subject, "", m.headers, m.data)
		}
		return
	}
	timeout := p.AckTimeout
	if timeout <= 0 {
		timeout = answerWithin / 2
	}
	backoff, reconnect := p.OnReject.Backoff, started.Add(max(p.RetryFor, reconnectWithin))
	again := started // without an id a second attempt may store a second message
	if p.MsgIDBytes > 0 {
		again = started.Add(min(p.RetryFor, reconnectWithin))
	}
	for attempt := 0; attempt <= max(p.OnReject.Retry, 0) || ctx.Err() != nil; attempt++ {
		ack, why := p.attempt(ctx, session, m, timeout)
		switch {
		case why == errConnection && time.Now().Before(reconnect):
			attempt-- // a client library reconnects by itself
		case ctx.Err() != nil:
			p.count(&p.silent)
			return
		case why == "":
			p.answered(ack, m, started)
			if m.again && !ack.Duplicate {
				second, _ := p.attempt(ctx, session, m, timeout)
				if second.Duplicate {
					p.count(&p.double)
				}
			}
			return
		case ack.Error != nil && attempt == p.OnReject.Retry:
			p.refuse(why)
			return
		case ack.Error == nil && time.Now().Before(again):
			attempt-- // a time-out is ambiguous: the same id once more
		}
		if !sleepUntil(ctx, time.Now().Add(max(backoff, 10*time.Millisecond))) {
			break
		}
		backoff *= 2
	}
	p.count(&p.silent)
}

// errConnection is why there is no answer when the connection broke, or none
// could be made.
const errConnection = "no connection"

// reconnectWithin is how long a broken connection does not count as an attempt,
// and the longest that time-outs are tried again under retry_for.
const reconnectWithin = 30 * time.Second

// attempt publishes once; why is "" when it was stored.
func (p *loadPublisher) attempt(ctx context.Context, session func() (*session, error), m outgoing, timeout time.Duration) (ack pubAck, why string) {
	s, err := session()
	if err != nil {
		return ack, errConnection
	}
	ack, silent, err := s.ackedPublish(ctx, timeout, m.subject, m.headers, m.data)
	switch {
	case err != nil:
		return ack, errConnection
	case silent != "":
		return ack, silent
	case ack.Error != nil:
		return ack, ack.verdict()
	}
	return ack, ""
}

func (p *loadPublisher) answered(ack pubAck, m outgoing, started time.Time) {
	stored, err := p.stream.rename(m.subject)
	if err != nil {
		stored = m.subject
	}
	p.stream.note(ack.Seq, stored, started)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acked++
	if ack.Duplicate {
		p.double++
	}
	// Beyond the histogram's range is at its end.
	_ = p.latency.RecordValue(min(max(1, time.Since(started).Microseconds()), p.latency.HighestTrackableValue()))
}

func (p *loadPublisher) refuse(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rejected++
	p.refusals[why]++
}

func (p *loadPublisher) count(n *int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*n++
}

// report writes the publisher's figures as a step.
func (p *loadPublisher) report() {
	p.mu.Lock()
	defer p.mu.Unlock()
	do := fmt.Sprintf("publish as %s at %.4g messages/s for %s", p.Name, p.Rate*p.w.time*p.w.rate, plainly(p.w.span))
	if p.short() {
		do = fmt.Sprintf("publish as %s for %s: %d of %.0f messages that were due; %s", p.Name, plainly(p.w.span), p.sent, p.due, p.w.heldUp())
	}
	step := p.w.r.e.step(do, "no message is refused, and PubAcks come")
	step.AtMS = p.w.started.Sub(p.w.r.e.Started).Milliseconds()
	step.Request = p.Subject
	step.Figures = []Figure{{"due", int64(math.Round(p.due)), "messages"}, {"published", p.sent, "messages"}}
	if p.Mode != "core" {
		step.Figures = append(step.Figures, Figure{"acked", p.acked, "messages"}, Figure{"duplicates", p.double, "messages"},
			Figure{"refused", p.rejected, "messages"}, Figure{"without an answer", p.silent, "messages"})
		step.Figures = append(step.Figures, percentiles("PubAck", p.latency)...)
	}
	// Some time-outs are what a busy machine or a fault does; a stream that answers nobody is not.
	step.OK = p.Mode == "core" || p.rejected == 0 && (p.silent == 0 || p.acked > 0)
	var why []string
	if p.silent > 0 {
		why = append(why, fmt.Sprintf("no answer in time (%s): whether these are stored is not known", size.Counted(p.silent, "time", "times")))
	}
	for text, n := range p.refusals {
		why = append(why, fmt.Sprintf("%s (%s)", text, size.Counted(n, "time", "times")))
	}
	if len(why) > 0 {
		step.Reply = &Reply{Text: strings.Join(sorted(why), "; ")}
	}
}

// percentiles are those of a histogram of µs, none of an empty one.
func percentiles(name string, h *hdrhistogram.Histogram) []Figure {
	if h.TotalCount() == 0 {
		return nil
	}
	return []Figure{{name + " p50", h.ValueAtPercentile(50), "µs"}, {name + " p95", h.ValueAtPercentile(95), "µs"}, {name + " p99", h.ValueAtPercentile(99), "µs"}}
}
