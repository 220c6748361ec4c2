package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"weir/size"
)

// Lab is one question about delivery without a design: one publisher, and the
// same workers reading the same messages through a pull and through a push
// consumer. Zero values are the server's and the library's defaults.
type Lab struct {
	Rate      float64 // messages a second
	BurstRate float64 // messages a second during the burst; 0 for no burst
	BurstAt   time.Duration
	BurstFor  time.Duration

	Workers     int // 0 is 1
	Concurrency int // handlers of each; 0 is 1
	Fetch       int // of the pull consumer; 0 is Concurrency
	ServiceP50  time.Duration
	ServiceP99  time.Duration // at most ServiceP50 is a service time that never varies
	NakRate     float64       // share of deliveries answered with nak, 0 to 1
	NakDelay    time.Duration

	AckWait       time.Duration
	BackOff       []time.Duration
	MaxDeliver    int
	MaxAckPending int
	Payload       int64 // bytes
	StallAt       time.Duration
	StallFor      time.Duration // all workers stand still; 0 for no stall
	For           time.Duration // 0 is 10 minutes
}

// LabModel is the model of a lab. Its consumers are LAB/pull and LAB/push.
func LabModel(l Lab) (*Model, error) {
	switch {
	case !(l.Rate > 0) || math.IsInf(l.Rate, 0):
		return nil, errors.New("simulate lab: the rate is not above 0; say how many messages a second arrive")
	case l.BurstRate < 0 || l.NakRate < 0 || l.NakRate > 1 || l.ServiceP50 < 0 || l.Workers < 0 || l.Concurrency < 0 || l.Fetch < 0 || l.For < 0 || l.Payload < 0:
		return nil, errors.New("simulate lab: a value is below 0, or a share above 1")
	}
	until := l.For
	if until == 0 {
		until = 10 * time.Minute
	}
	m := &Model{Until: until, StreamPaths: []string{""}, ConsumerPaths: []string{"", ""}}
	m.Overhead = MeasuredOverhead
	m.Streams = []Stream{{Name: "LAB"}}
	p := Publisher{Name: "publisher", Stream: "LAB", Subjects: []string{"lab"}, Mode: PublishAsync, Payload: Constant(l.Payload)}
	p.Phases = l.phases(m)
	m.Publishers = []Publisher{p}
	for _, push := range []bool{false, true} {
		m.addLabConsumer(l, push)
	}
	if l.StallFor > 0 {
		for _, g := range m.Workers {
			m.Faults = append(m.Faults, Fault{At: l.StallAt, For: l.StallFor, Kind: FaultStall, Workers: g.Name, Worker: -1})
		}
		m.Marks = append(m.Marks, Mark{At: l.StallAt, For: l.StallFor, Text: "stall of all workers"})
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("simulate lab: %w", err)
	}
	return m, nil
}

func (l Lab) phases(m *Model) []Phase {
	at := func(from, to time.Duration, rate float64) Phase {
		gap := int64(max(1, math.Round(float64(time.Second)/rate)))
		return Phase{At: from, Until: to, Interval: Exponential(gap), Mean: gap, Waits: true}
	}
	end := min(l.BurstAt+l.BurstFor, m.Until)
	if l.BurstRate <= 0 || l.BurstFor <= 0 || l.BurstAt >= m.Until {
		return []Phase{at(0, 0, l.Rate)}
	}
	m.Marks = append(m.Marks, Mark{l.BurstAt, end - l.BurstAt, "burst: " + size.PerSecond.Format(l.BurstRate), true, ""})
	var out []Phase
	if l.BurstAt > 0 {
		out = append(out, at(0, l.BurstAt, l.Rate))
	}
	out = append(out, at(l.BurstAt, end, l.BurstRate))
	if end < m.Until {
		out = append(out, at(end, 0, l.Rate))
	}
	return out
}

func (m *Model) addLabConsumer(l Lab, push bool) {
	c := Consumer{Stream: "LAB", Name: "pull", AckWait: l.AckWait, BackOff: l.BackOff, MaxDeliver: l.MaxDeliver, MaxAckPending: l.MaxAckPending}
	g := WorkerGroup{
		Name: "pull", Stream: "LAB", Consumer: "pull", Count: max(1, l.Workers), Concurrency: max(1, l.Concurrency), Batch: l.Fetch,
		Service: Lognormal(int64(l.ServiceP50), int64(l.ServiceP99)),
	}
	if g.Batch == 0 {
		g.Batch = g.Concurrency
	}
	if l.NakRate > 0 {
		limit := uint64(l.NakRate * (1 << 32))
		nak := Action{Do: DoNak}
		if l.NakDelay > 0 {
			nak = Action{DoNakDelay, l.NakDelay}
		}
		g.Act = func(u, _ uint64, _ int) Action {
			if u>>32 < limit {
				return nak
			}
			return Action{}
		}
	}
	if push {
		c.Name, c.Push, c.DeliverGroup = "push", true, true
		g.Name, g.Consumer, g.Mode = "push", "push", ModePush
	}
	m.Consumers, m.Workers = append(m.Consumers, c), append(m.Workers, g)
}

// mostAttempts is how many deliveries of a timeline are looked at.
const mostAttempts = 50

// Retries is one message that no handler can handle.
type Retries struct {
	AckWait    time.Duration // 0 is 30 s
	BackOff    []time.Duration
	MaxDeliver int           // 0 or less is unlimited
	Service    time.Duration // until the handler answers
	Act        Action        // what it answers: DoNak, DoNakDelay, DoTerm, DoNothing, or DoAck
}

// Attempt is one delivery of it, with times from the first delivery.
type Attempt struct {
	Number     int // num_delivered
	Start, End time.Duration
}

// RetryCourse is what becomes of the message.
type RetryCourse struct {
	Attempts []Attempt // at most 50
	// Stranded is set when max_deliver ended it: it stays in the stream.
	Stranded bool
	// GivenUp is when that was, from the first delivery: without an answer one
	// ack_wait, or step of backoff, after the last.
	GivenUp time.Duration
}

// RetryTimeline simulates one message with a handler that always answers alike.
func RetryTimeline(r Retries) (out RetryCourse, err error) {
	const year = 365 * 24 * time.Hour
	if r.Service < 0 || r.AckWait < 0 || r.Act.Delay < 0 {
		return out, errors.New("simulate retries: a time is below 0")
	}
	w := Workload{
		Streams:    []Stream{{Name: "LAB"}},
		Publishers: []Publisher{{Name: "p", Stream: "LAB", Subjects: []string{"lab"}, Phases: []Phase{{Count: 1, Interval: Constant(int64(time.Hour))}}}},
		Consumers:  []Consumer{{Stream: "LAB", Name: "c", AckWait: r.AckWait, BackOff: r.BackOff, MaxDeliver: r.MaxDeliver}},
		Workers: []WorkerGroup{{Name: "w", Stream: "LAB", Consumer: "c", Count: mostAttempts, Expires: 10 * year, Service: Constant(int64(r.Service)),
			Act: func(uint64, uint64, int) Action { return r.Act }}},
	}
	var first time.Duration
	o := Options{Until: year, Sample: year, Progress: func(float64) bool { return len(out.Attempts) < mostAttempts }}
	o.Trace = func(e Event) {
		switch {
		case e.Kind == EventMaxDeliver:
			out.GivenUp = time.Duration(e.At) - first
		case e.Kind == EventStart && len(out.Attempts) < mostAttempts:
			if len(out.Attempts) == 0 {
				first = time.Duration(e.At)
			}
			at := time.Duration(e.At) - first
			out.Attempts = append(out.Attempts, Attempt{Number: e.Delivery, Start: at, End: at + r.Service})
		}
	}
	res, err := Run(context.Background(), w, o)
	if res == nil {
		return out, err
	}
	out.Stranded = res.Consumers[0].Stranded > 0
	return out, nil
}

// Describe is the course in one sentence.
func (r RetryCourse) Describe() string {
	if len(r.Attempts) == 0 {
		return "The message is never delivered."
	}
	last := r.Attempts[len(r.Attempts)-1]
	times := "once"
	if last.Number > 1 {
		times = fmt.Sprintf("%d times within %s", last.Number, size.FormatDuration(last.Start))
	}
	switch {
	case r.Stranded:
		return "Delivered " + times + ", and given up after " + size.FormatDuration(r.GivenUp) + ": max_deliver is reached, it stays in the stream and is delivered no more."
	case len(r.Attempts) >= mostAttempts:
		return "Delivered " + times + ", and so on without end."
	}
	return "Delivered " + times + "."
}
