package prove

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"weir/design"
)

// scriptWork are the workers that a script started.
type scriptWork struct {
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu      sync.Mutex
	handled int
	acked   map[uint64]int // runs that acked a message
	running map[uint64]int
	most    int
}

func (w *scriptWork) stop() {
	w.cancel()
	w.wait.Wait()
}

func (w *scriptWork) value(name string) value {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch name {
	case "twice":
		n := 0
		for _, runs := range w.acked {
			if runs > 1 {
				n++
			}
		}
		return number(n)
	case "together":
		return number(w.most)
	}
	return number(w.handled)
}

func (w *scriptWork) begin(d delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[d.seq]++
	w.most = max(w.most, w.running[d.seq])
}

func (w *scriptWork) end(d delivery, answer string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.running[d.seq]--
	w.handled++
	if answer == "+ACK" {
		w.acked[d.seq]++
	}
}

func runWork(ctx context.Context, r *scriptRun, s *scriptStep) error {
	if r.work != nil {
		r.work.stop()
	}
	name := s.args[0].text
	stream, consumer, ok := strings.Cut(name, "/")
	if !ok {
		return fmt.Errorf("%q is not STREAM/CONSUMER", name)
	}
	c, err := r.control(ctx)
	if err != nil {
		return err
	}
	var info consumerInfo
	if err := c.info(ctx, "CONSUMER.INFO."+stream+"."+consumer, &info); err != nil {
		return err
	}
	r.lastConsumer = name
	// checkWork has read them.
	service, _ := readDuration(s.key("service"))
	progress, _ := readDuration(s.key("in_progress"))
	answer := map[string]string{"": "+ACK", "ack": "+ACK", "nak": "-NAK", "term": "+TERM", "nothing": ""}[s.key("answer")]
	if d, err := readDuration(s.key("delay")); err == nil && answer == "-NAK" {
		answer += fmt.Sprintf(` {"delay":%d}`, d)
	}
	w := &scriptWork{acked: map[uint64]int{}, running: map[uint64]int{}}
	ctx, w.cancel = context.WithCancel(ctx)
	r.work = w
	word := cmp.Or(s.key("answer"), "ack")
	for i := range s.count("workers", 1) {
		session, err := openSession(ctx, r.host, firstRunning(r.host), hubUser)
		if err != nil {
			return err
		}
		one := &worker{stream: stream, consumer: consumer, deliver: info.Config.DeliverSubject, queue: info.Config.DeliverGroup,
			groups: info.Config.PriorityGroups, concurrency: s.count("concurrency", 1), fetch: s.count("fetch", 1), expires: 2 * time.Second, inProgress: progress,
			service: func() time.Duration { return service }, answer: func() string { return answer },
			begin: func(d delivery) { w.begin(d); r.happened(i+1, EventBegin, stream, d, "") },
			end: func(d delivery, answer string) {
				r.happened(i+1, EventEnd, stream, d, word)
				w.end(d, answer)
			},
			progressed: func(d delivery) { r.happened(i+1, EventProgress, stream, d, "") }}
		w.wait.Go(func() {
			defer session.close()
			// A worker whose server went away is not replaced.
			_ = one.run(ctx, session)
		})
	}
	return nil
}

// happened notes what a worker did.
func (r *scriptRun) happened(worker int, kind, stream string, d delivery, answer string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.e.Events) < maxListed {
		r.e.Events = append(r.e.Events, Event{AtMS: time.Since(r.e.Started).Milliseconds(), Worker: worker, Kind: kind, Stream: stream, Seq: d.seq, Delivery: d.attempt, Answer: answer})
	}
}

func runStop(_ context.Context, r *scriptRun, _ *scriptStep) error {
	if r.work != nil {
		r.work.stop()
	}
	return nil
}

// scriptLoad publishes in the background.
type scriptLoad struct {
	cancel context.CancelFunc
	wait   sync.WaitGroup

	mu                    sync.Mutex
	sent, acked, repeated int
	done                  bool
}

func (l *scriptLoad) stop() {
	l.cancel()
	l.wait.Wait()
}

func (l *scriptLoad) value(name string) value {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch name {
	case "sent":
		return number(l.sent)
	case "acked":
		return number(l.acked)
	case "repeated":
		return number(l.repeated)
	}
	return yes(l.done)
}

func (l *scriptLoad) note(sent, acked, repeated int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent, l.acked, l.repeated = l.sent+sent, l.acked+acked, l.repeated+repeated
}

func runLoad(ctx context.Context, r *scriptRun, s *scriptStep) error {
	if r.load != nil {
		r.load.stop()
	}
	// checkLoad has read them.
	rate, _ := design.ParseRate(s.key("rate"))
	retry, err := readDuration(s.key("retry"))
	if err != nil {
		retry = 500 * time.Millisecond
	}
	l := &scriptLoad{}
	ctx, l.cancel = context.WithCancel(ctx)
	r.load = l
	// Connections of its own, so that it does not end with the one that asks.
	own := &links{h: r.host}
	l.wait.Go(func() {
		defer own.close()
		next := time.Now()
		for i := range s.count("n", 1) {
			if !sleepUntil(ctx, next) {
				return
			}
			next = next.Add(time.Duration(float64(time.Second) / rate))
			l.note(1, 0, 0)
			if !l.publish(ctx, own, s.args[0].text, strconv.Itoa(i), retry) {
				return
			}
		}
		l.mu.Lock()
		l.done = true
		l.mu.Unlock()
	})
	return nil
}

// publish sends one message until it is acknowledged; false when ctx ended
// before.
func (l *scriptLoad) publish(ctx context.Context, own *links, subject, id string, retry time.Duration) bool {
	for ctx.Err() == nil {
		c, err := own.as(ctx, hubUser)
		if err == nil {
			var ack pubAck
			var silent string
			ack, silent, err = c.ackedPublish(ctx, retry, subject, []string{"Nats-Msg-Id: load-" + id}, []byte(id))
			if err == nil && silent == "" && ack.Error == nil {
				l.note(0, 1, 0)
				return true
			}
		}
		l.note(0, 0, 1)
		if !sleepUntil(ctx, time.Now().Add(10*time.Millisecond)) {
			return false
		}
	}
	return false
}

// sleepUntil waits until t; false when ctx ended before.
func sleepUntil(ctx context.Context, t time.Time) bool {
	timer := time.NewTimer(time.Until(t))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
