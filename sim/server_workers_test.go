//go:build !js

package sim

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// realWorker is one worker of a scenario on the real server.
type realWorker struct {
	r     *real
	g     *specWorkers
	group WorkerGroup
	n     int
	ci    int32
	wi    int32
	res   *WorkerResult
	dead  atomic.Bool
}

func (r *real) worker(g *specWorkers, n int) {
	w := &realWorker{r: r, g: g, group: g.group(), n: n, res: &WorkerResult{Group: g.Name, Index: n}}
	r.mu.Lock()
	w.wi = int32(len(r.res.Workers))
	r.res.Workers = append(r.res.Workers, w.res)
	for i, c := range r.res.Consumers {
		if c.Name == g.Consumer {
			w.ci = int32(i)
		}
	}
	r.mu.Unlock()
	begin := g.Start + float64(n)*g.Stagger
	for {
		again := w.life(begin)
		if again < 0 || r.ctx.Err() != nil {
			return
		}
		w.dead.Store(false)
		r.sleepUntil(again)
		begin = again
	}
}

// life is one connection, made and ready before begin; it gives when the next one
// begins, or -1.
func (w *realWorker) life(begin float64) float64 {
	var opts []nats.Option
	if w.g.ReadPerSecond > 0 {
		opts = append(opts, nats.SetCustomDialer(slowDialer{w.g.ReadPerSecond, w.r.ctx}))
	}
	nc := w.r.connect(opts...)
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		w.r.t.Error(err)
		return -1
	}
	ctx, cancel := context.WithCancel(w.r.ctx)
	defer cancel()
	next := -1.0
	for _, f := range w.g.Crash {
		if f.Worker == w.n && w.r.now() < int64(ms(f.At)) {
			if f.Restart > 0 {
				next = f.At + f.Restart
			}
			stop := time.AfterFunc(time.Until(w.r.t0.Add(ms(f.At))), func() { w.dead.Store(true); nc.Close(); cancel() })
			defer stop.Stop()
		}
	}
	switch w.g.Mode {
	case "fetch":
		c := w.consumer(ctx, js)
		w.r.sleepUntil(begin)
		w.fetch(ctx, c)
	case "consume":
		c := w.consumer(ctx, js)
		w.r.sleepUntil(begin)
		w.consume(ctx, c)
	case "push":
		w.r.sleepUntil(begin)
		w.push(ctx, nc)
	}
	if !w.dead.Load() {
		return -1
	}
	return next
}

// slowDialer makes connections that read so many bytes a second.
type slowDialer struct {
	perSecond int64
	ctx       context.Context
}

func (d slowDialer) Dial(network, address string) (net.Conn, error) {
	c, err := net.Dial(network, address)
	return &slowConn{c, d, time.Time{}}, err
}

type slowConn struct {
	net.Conn
	slowDialer
	free time.Time // when what was read so far has been paid for
}

func (c *slowConn) Read(b []byte) (int, error) {
	const most, late = 16 << 10, 50 * time.Millisecond // timers are late, which evens out
	n, err := c.Conn.Read(b[:min(len(b), most)])
	now := time.Now()
	if c.free.Before(now.Add(-late)) {
		c.free = now
	}
	c.free = c.free.Add(time.Duration(int64(n) * int64(time.Second) / c.perSecond))
	select {
	case <-time.After(time.Until(c.free)):
	case <-c.ctx.Done():
	}
	return n, err
}

func (w *realWorker) consumer(ctx context.Context, js jetstream.JetStream) jetstream.Consumer {
	for ctx.Err() == nil {
		if c, err := js.Consumer(ctx, w.g.Stream, w.g.Consumer); err == nil {
			return c
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// fetch is the loop of the measurements.
func (w *realWorker) fetch(ctx context.Context, c jetstream.Consumer) {
	for c != nil && ctx.Err() == nil {
		w.res.Fetches++
		opts := []jetstream.FetchOpt{jetstream.FetchMaxWait(ms(w.g.Expires))}
		if w.g.MaxBytes > 0 {
			opts = append(opts, jetstream.FetchMaxBytes(int(w.g.MaxBytes)))
		}
		if w.g.Group != "" {
			opts = append(opts, jetstream.FetchPriorityGroup(w.g.Group))
		}
		if w.g.MinPending > 0 {
			opts = append(opts, jetstream.FetchMinPending(w.g.MinPending))
		}
		if w.g.Priority > 0 {
			opts = append(opts, jetstream.FetchPrioritized(uint8(w.g.Priority)))
		}
		batch, err := c.Fetch(w.g.Batch, opts...)
		got := 0
		if err == nil {
			got, err = w.batch(ctx, batch), batch.Error()
		}
		if got == 0 {
			w.res.FetchesEmpty++
		}
		pause := ms(w.g.Pause)
		if err != nil {
			w.res.FetchErrors++
			pause = max(pause, 20*time.Millisecond)
		}
		if pause > 0 {
			time.Sleep(pause)
		}
	}
}

// batch handles what a request brings.
func (w *realWorker) batch(ctx context.Context, b jetstream.MessageBatch) int {
	queue := make(chan jetstream.Msg, w.g.Batch+1)
	var hands sync.WaitGroup
	for range max(1, w.g.Concurrency) {
		hands.Add(1)
		go func() {
			defer hands.Done()
			for m := range queue {
				w.handle(ctx, m)
			}
		}()
	}
	got := 0
	for open := true; open; {
		select {
		case m, ok := <-b.Messages():
			if open = ok; ok {
				got++
				queue <- m
			}
		case <-ctx.Done(): // a crash waits for nothing
			open = false
		}
	}
	close(queue)
	hands.Wait()
	return got
}

func (w *realWorker) consume(ctx context.Context, c jetstream.Consumer) {
	if c == nil {
		return
	}
	cc, err := c.Consume(func(m jetstream.Msg) { w.handle(ctx, m) }, jetstream.PullMaxMessages(w.g.Batch), jetstream.PullExpiry(ms(w.g.Expires)))
	if err != nil {
		w.r.t.Error(err)
		return
	}
	<-ctx.Done()
	cc.Stop()
}

func (w *realWorker) push(ctx context.Context, nc *nats.Conn) {
	sub, err := nc.Subscribe("d.x", func(m *nats.Msg) {
		if m.Header.Get("Status") == "" {
			w.handle(ctx, &pushed{m})
		}
	})
	if err != nil {
		w.r.t.Error(err)
		return
	}
	if w.g.LimitMsgs > 0 {
		if err := sub.SetPendingLimits(int(w.g.LimitMsgs), -1); err != nil {
			w.r.t.Error(err)
		}
	}
	<-ctx.Done()
}

// pushed is a message of a plain subscription, with the acks that handle needs.
type pushed struct{ m *nats.Msg }

func (p *pushed) Metadata() (*jetstream.MsgMetadata, error) {
	meta, err := p.m.Metadata()
	if err != nil {
		return nil, err
	}
	return &jetstream.MsgMetadata{NumDelivered: meta.NumDelivered, Sequence: jetstream.SequencePair{Consumer: meta.Sequence.Consumer, Stream: meta.Sequence.Stream}}, nil
}
func (p *pushed) DoubleAck(ctx context.Context) error { return p.m.AckSync(nats.Context(ctx)) }
func (p *pushed) Nak() error                          { return p.m.Nak() }
func (p *pushed) NakWithDelay(d time.Duration) error  { return p.m.NakWithDelay(d) }
func (p *pushed) Term() error                         { return p.m.Term() }

// delivered is what handle needs of a message.
type delivered interface {
	Metadata() (*jetstream.MsgMetadata, error)
	DoubleAck(context.Context) error
	Nak() error
	NakWithDelay(time.Duration) error
	Term() error
}

// until is when work of length d ends, stalls included.
func (w *realWorker) until(d time.Duration) time.Duration {
	now := time.Duration(w.r.now())
	end := now + d
	for _, f := range w.g.Stall {
		if f.Worker >= 0 && f.Worker != w.n {
			continue
		}
		if at, stop := ms(f.At), ms(f.At+f.For); now < stop && at < end {
			end += stop - max(at, now)
		}
	}
	return end
}

// handle is the handler.
func (w *realWorker) handle(ctx context.Context, m delivered) {
	meta, err := m.Metadata()
	if err != nil {
		w.r.t.Error(err)
		return
	}
	seq, number := meta.Sequence.Stream, int(meta.NumDelivered)
	e := Event{Kind: EventStart, Consumer: w.ci, Worker: w.wi, Seq: seq, ConsumerSeq: meta.Sequence.Consumer, Delivery: number, Received: w.r.now()}
	w.r.emit(e)
	w.r.mu.Lock()
	w.res.Deliveries++
	w.r.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	end := w.until(time.Duration(w.group.Service(0, seq, number)))
	select {
	case <-time.After(time.Until(w.r.t0.Add(end))):
	case <-ctx.Done():
		return
	}
	act := w.group.Act(0, seq, number)
	e.Kind, e.Action = EventEnd, act.Do
	w.r.emit(e)
	switch act.Do {
	case DoAck:
		patience, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		if err := m.DoubleAck(patience); err == nil {
			e.Kind = EventAcked
			w.r.emit(e)
		} else if !errors.Is(err, context.Canceled) && ctx.Err() == nil {
			w.r.t.Logf("ack of %d: %v", seq, err)
		}
	case DoNak:
		err = m.Nak()
	case DoNakDelay:
		err = m.NakWithDelay(act.Delay)
	case DoTerm:
		err = m.Term()
	}
	if err != nil && ctx.Err() == nil {
		w.r.t.Error(err)
	}
}
