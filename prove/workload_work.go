package prove

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"weir/design"
	"weir/internal/predict"
	"weir/size"
)

func sorted(list []string) []string {
	slices.Sort(list)
	return list
}

// crew is one worker process of a workload.
type crew struct {
	end context.CancelFunc // as a crash does: what it holds is forgotten
}

// start starts the workers of a consumer.
func (c *loadConsumer) start(ctx context.Context, w *workload, wait *sync.WaitGroup) {
	for _, g := range c.groups {
		for i := range w.crewsOf(g) {
			c.hire(ctx, w, g, i, wait)
		}
	}
}

// crewsOf is how many worker processes of a group run.
func (w *workload) crewsOf(g *design.Workers) int {
	n, _ := (&predict.Run{Workers: w.workerShare}).Crews(g.Count, g.Concurrency)
	return n
}

// longestRequest is the longest that a worker's pull request waits in a run.
const longestRequest = 5 * time.Second

// hire starts one worker process.
func (c *loadConsumer) hire(ctx context.Context, w *workload, g *design.Workers, i int, wait *sync.WaitGroup) {
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.crews = append(c.crews, &crew{cancel})
	c.mu.Unlock()
	worker := c.worker(w, g, uint64(i))
	own := &links{h: w.r.host}
	wait.Go(func() {
		defer own.close()
		for ctx.Err() == nil {
			s, err := own.as(ctx, c.user)
			if err == nil {
				err = worker.run(ctx, s)
			}
			// Its server went away: on to the next one, as a client library does.
			if err != nil && !sleepUntil(ctx, time.Now().Add(50*time.Millisecond)) {
				return
			}
		}
	})
}

// worker is a worker of a group with its draws.
func (c *loadConsumer) worker(w *workload, g *design.Workers, i uint64) *worker {
	var mu sync.Mutex // of rng
	rng := rand.New(rand.NewPCG(w.r.opt.Seed^i, uint64(len(c.name))))
	_, concurrency := (&predict.Run{Workers: w.workerShare}).Crews(g.Count, g.Concurrency)
	fetch, expires := g.Fetch, g.Expires
	if fetch <= 0 {
		fetch = concurrency
	}
	if c.MaxBatch > 0 {
		fetch = min(fetch, c.MaxBatch)
	}
	if expires <= 0 || expires > longestRequest {
		expires = longestRequest
	}
	stream, consumer := c.names()
	out := &worker{stream: stream, consumer: consumer, deliver: c.Deliver, queue: c.Group, groups: c.Priority, concurrency: concurrency,
		fetch: fetch, refill: g.Loop == "consume", fetchBytes: g.FetchBytes, expires: expires, inProgress: time.Duration(float64(g.InProgress) / w.time), gate: &c.gate}
	out.service = func() time.Duration {
		mu.Lock()
		d := draw(g.ServiceTime, rng)
		mu.Unlock()
		c.mu.Lock()
		defer c.mu.Unlock()
		d = d * c.slower / w.time
		c.busy += time.Duration(d)
		return time.Duration(d)
	}
	out.answer = func() string {
		mu.Lock()
		defer mu.Unlock()
		return answerOf(g.Errors, rng.Float64(), w.time)
	}
	out.begin = func(d delivery) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.delivered[d.seq]++
	}
	out.end = c.ended
	return out
}

// answerOf is what a worker says, drawn from the shares of errors.
func answerOf(errors []design.Errors, u, scale float64) string {
	for _, e := range errors {
		if u -= e.Rate; u >= 0 {
			continue
		}
		switch e.Action {
		case "term":
			return "+TERM"
		case "nothing":
			return ""
		case "ack_lost":
			return lostAck
		case "ack":
			return "+ACK"
		}
		if e.Delay > 0 {
			return fmt.Sprintf(`-NAK {"delay":%d}`, int64(float64(e.Delay)/scale))
		}
		return "-NAK"
	}
	return "+ACK"
}

// ended is called when a handler has answered.
func (c *loadConsumer) ended(d delivery, answer string) {
	at, known := c.stream.publishedAt(d.seq)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.runs++
	if answer != "+ACK" && answer != lostAck {
		return
	}
	c.acked[d.seq]++
	if known && c.acked[d.seq] == 1 {
		// Beyond the histogram's range is at its end.
		_ = c.latency.RecordValue(min(max(1, time.Since(at).Microseconds()), c.latency.HighestTrackableValue()))
	}
}

// seenMessages counts the acknowledged messages that a consumer's filters let
// through.
type seenMessages struct {
	all      int64
	outdated int64 // of all, those whose place newer ones of their subject took
	missing  int64 // no worker was given them, and they are not outdated
	replaced int64 // no worker was given them, and they are
}

// seen counts what came through by now.
func (c *loadConsumer) seen() (n seenMessages) {
	c.stream.mu.Lock()
	defer c.stream.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for seq, subject := range c.stream.subjects {
		if !c.sees(subject) {
			continue
		}
		n.all++
		outdated, undelivered := c.stream.replaced(seq), c.delivered[seq] == 0
		switch {
		case outdated && undelivered:
			n.replaced++
		case undelivered:
			n.missing++
		}
		if outdated {
			n.outdated++
		}
	}
	return n
}

// settle counts what was to be handled and what of it is nowhere.
func (c *loadConsumer) settle(info consumerInfo) {
	n := c.seen()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left, c.expected, c.replaced, c.mostReplaced = info, n.all, n.replaced, n.outdated
	// What was on its way to a connection that died waits for its ack_wait.
	c.lost = max(0, n.missing-info.NumPending-info.NumAckPending)
}

// twice counts messages that more than one run acked.
func (c *loadConsumer) twice() (n int64) {
	for _, runs := range c.acked {
		if runs > 1 {
			n++
		}
	}
	return n
}

// redelivered counts deliveries beyond the first.
func (c *loadConsumer) redelivered() (n int64) {
	for _, d := range c.delivered {
		n += int64(d - 1)
	}
	return n
}

// utilisation is the share of the time that the workers were busy.
func (c *loadConsumer) utilisation(w *workload) float64 {
	slots := 0.0
	for _, g := range c.groups {
		slots += float64(w.crewsOf(g) * max(1, g.Concurrency))
	}
	return c.busy.Seconds() / (slots * w.published.Seconds())
}

// report writes the consumer's figures as a step.
func (c *loadConsumer) report(w *workload) {
	c.mu.Lock()
	defer c.mu.Unlock()
	step := w.r.e.step(fmt.Sprintf("work on %s with %s", c.name, size.Counted(len(c.crews), "process", "processes")), "each acknowledged message that its filters let through is delivered, or still pending")
	step.AtMS = w.started.Sub(w.r.e.Started).Milliseconds()
	step.Figures = []Figure{
		{"to handle", c.expected, "messages"}, {"delivered", int64(len(c.delivered)), "messages"}, {"acked", int64(len(c.acked)), "messages"},
		{"redeliveries", c.redelivered(), "deliveries"}, {"handled twice", c.twice(), "messages"}, {"lost", c.lost, "messages"},
		{"num_pending at most", c.maxPending, "messages"}, {"num_pending at the end", c.left.NumPending, "messages"}, {"num_ack_pending at the end", c.left.NumAckPending, "messages"},
		{"num_ack_pending at most", c.maxAckPending, "messages"}, {"oldest pending at most", c.oldest.Milliseconds(), "ms"},
		{"busy", int64(math.Round(100 * c.utilisation(w))), "%"},
	}
	if c.stream.MaxOfEach > 0 {
		step.Expect += ", or replaced by a newer one of its subject"
		step.Figures = append(step.Figures, Figure{"replaced before delivery", c.replaced, "messages"})
	}
	step.Figures = append(step.Figures, percentiles("publish to ack", c.latency)...)
	step.OK = c.lost == 0
	if c.left.NumPending == 0 && c.left.NumAckPending == 0 && c.stream.unknown == "" && w.unanswered(c.stream) == 0 {
		p := Prediction{Figure: Figure{"workload: messages that " + c.name + " sees", c.expected, "messages"}, Measured: int64(len(c.delivered))}
		if c.mostReplaced > 0 {
			// Which of them are delivered before a newer one comes is a race.
			p.Low, p.High = c.expected-c.mostReplaced, c.expected
		}
		w.r.e.Predicted = append(w.r.e.Predicted, p)
	}
}
