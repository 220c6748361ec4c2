package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"weir/design"
	"weir/size"
)

// ConsumerNeeds is what a consumer's settings follow from.
type ConsumerNeeds struct {
	Rate    float64 // messages a second that arrive; 0 is not known
	Workers int     // processes; 0 is as many as the rate needs
	// Concurrency is how many messages a worker handles at once; 0 is 1.
	Concurrency int
	Fetch       int  // messages a request asks for; 0 has it recommended
	Service     Draw // ns a message; Lognormal, Constant…
	// Batches says that workers ask again only when a whole batch is handled
	// (loop: fetch), and not as soon as half of it is.
	Batches bool
	// Outage is how long what handlers depend on may be away before a message is
	// given up; 0 is 15 minutes.
	Outage time.Duration
	// Latency is the goal for the 99th percentile, 0 for none.
	Latency time.Duration
	// Overhead is what calls cost; nil is MeasuredOverhead.
	Overhead *Overhead
}

// Recommendation is one setting with its reason.
type Recommendation struct {
	// Setting is the API's or the design file's name: ack_wait, max_ack_pending,
	// backoff, max_deliver; count, fetch, in_progress for the workers.
	Setting string `json:"setting"`
	// Workers is true for a setting of the workers and not of the consumer.
	Workers bool `json:"workers,omitempty"`
	// Value is as in a design file: "30s", "256", "[30s, 1m]".
	Value  string `json:"value"`
	Reason string `json:"reason"`
	// Beat is what it was chosen over, "" for nothing.
	Beat string `json:"beat,omitempty"`
}

// ConsumerAdvice is what Recommend answers: the values, and why.
type ConsumerAdvice struct {
	Count         int // workers
	Fetch         int
	InProgress    time.Duration // 0: not needed
	AckWait       time.Duration
	BackOff       []time.Duration
	MaxDeliver    int
	MaxAckPending int
	// Capacity is messages a second that Count workers can take, Busy the share of
	// it that Rate needs.
	Capacity, Busy float64
	List           []Recommendation
}

// niceDurations are what people write.
var niceDurations = []time.Duration{
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute,
	5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// nice is the next of them, or d itself beyond a day.
func nice(d time.Duration) time.Duration {
	for _, n := range niceDurations {
		if d <= n {
			return n
		}
	}
	return d
}

// Recommend works out a pull consumer's settings and its workers' from service
// time, rate and workers alone. It says what would fit, from the same model as
// the simulator's estimates; a run shows whether it does.
func Recommend(n ConsumerNeeds) (*ConsumerAdvice, error) {
	if n.Service == nil {
		return nil, errors.New("recommend consumer: no service time; say how long a message takes")
	}
	if !(n.Rate >= 0) || math.IsInf(n.Rate, 0) || n.Workers < 0 || n.Concurrency < 0 || n.Outage < 0 || n.Workers > maxWorkers || n.Concurrency > maxSlots {
		return nil, errors.New("recommend consumer: rate, workers, concurrency and outage are numbers from 0, within what can be simulated")
	}
	if n.Overhead == nil {
		n.Overhead = &MeasuredOverhead
	}
	n.Concurrency = max(1, n.Concurrency)
	if n.Outage == 0 {
		n.Outage = 15 * time.Minute
	}
	r := recommender{n: n, mean: max(MeanOf(n.Service), 1), slow: quantile(n.Service, 0.999), a: &ConsumerAdvice{}}
	r.fetch()
	if err := r.count(); err != nil {
		return nil, err
	}
	r.ackWait()
	r.redelivery()
	r.maxAckPending()
	return r.a, nil
}

type recommender struct {
	n    ConsumerNeeds
	mean float64       // ns
	slow time.Duration // the 99.9th percentile
	a    *ConsumerAdvice
}

func (r *recommender) add(workers bool, setting, value, beat, reason string, args ...any) {
	r.a.List = append(r.a.List, Recommendation{setting, workers, value, fmt.Sprintf(reason, args...), beat})
}

// pace is one worker's rate with a batch size, in messages a second.
func (r *recommender) pace(fetch int) float64 {
	g := WorkerGroup{Count: 1, Concurrency: r.n.Concurrency, Batch: fetch, Service: r.n.Service, Mode: ModeConsume}
	if r.n.Batches {
		g.Mode = ModeFetch
	}
	return g.Pace(*r.n.Overhead)
}

// fetch takes the batch at which handlers hardly ever wait for the next request,
// and no more: what a worker holds in its queue waits there and its ack_wait
// runs.
func (r *recommender) fetch() {
	if r.n.Fetch > 0 {
		r.a.Fetch = r.n.Fetch
		return
	}
	const nearly = 0.95 // of the handlers' own rate
	best := r.n.Concurrency
	most := float64(best) / (r.mean + float64(r.n.Overhead.Ack)) * 1e9
	for b := best; b <= max(defaultMaxMessages, 2*best); b *= 2 {
		best = b
		// A call is 1/b of a batch's time, and more of a batch only keeps others idle.
		if r.n.Batches && float64(r.n.Overhead.Fetch) <= (1-nearly)*r.mean*float64(b)/float64(r.n.Concurrency) || r.pace(b) >= nearly*most {
			break
		}
	}
	r.a.Fetch = best
	one, chosen := r.pace(1), r.pace(best)
	switch {
	case best == r.n.Concurrency && best == 1:
		r.add(true, "fetch", "1", "a larger batch", "a message takes %s, so asking for the next one (%s) costs next to nothing, and a crash holds up one message only", size.FormatSeconds(r.mean/1e9), size.FormatDuration(r.n.Overhead.Fetch))
	case !r.n.Batches && r.n.Concurrency > 1:
		r.add(true, "fetch", fmt.Sprint(best), fmt.Sprintf("%d, one for each handler", r.n.Concurrency), "a worker asks again when less than half of it is left: with %d its %d handlers take %s, with %d only %s", best, r.n.Concurrency, size.PerSecond.Format(chosen), r.n.Concurrency, size.PerSecond.Format(r.pace(r.n.Concurrency)))
	case best == r.n.Concurrency:
		r.add(true, "fetch", fmt.Sprint(best), "a larger batch", "one message for each of %d handlers: %s; what is fetched beyond that waits in the worker while its ack_wait runs, and the next request waits for the slowest of the batch", best, size.PerSecond.Format(chosen))
	default:
		r.add(true, "fetch", fmt.Sprint(best), "fetch 1", "messages take %s only: with single ones a worker takes %s, with %d it takes %s", size.FormatSeconds(r.mean/1e9), size.PerSecond.Format(one), best, size.PerSecond.Format(chosen))
	}
}

func (r *recommender) count() error {
	pace := r.pace(r.a.Fetch)
	need := r.n.Workers
	if r.n.Rate > 0 {
		fit := math.Ceil(r.n.Rate / (pace * comfortable))
		if fit > maxWorkers {
			return fmt.Errorf("recommend consumer: %s at %s a message would need %s workers; make messages quicker to handle, or raise concurrency", size.PerSecond.Format(r.n.Rate), size.FormatSeconds(r.mean/1e9), size.FormatCount(fit))
		}
		if need == 0 {
			need = int(max(1, fit))
			if need == 1 {
				need = 2
				r.add(true, "count", "2", "1", "one worker could take it (%s of %s); a second one goes on when the first is restarted", size.PerSecond.Format(r.n.Rate), size.PerSecond.Format(pace))
			} else {
				r.add(true, "count", fmt.Sprint(need), fmt.Sprint(need-1), "a worker takes %s; %s keep %d busy %s of the time, and above %s queues grow long", size.PerSecond.Format(pace), size.PerSecond.Format(r.n.Rate), need,
					size.Share.Format(r.n.Rate/(pace*float64(need))), size.Share.Format(comfortable))
			}
		} else if int(fit) > need {
			r.add(true, "count", fmt.Sprint(int(fit)), fmt.Sprint(need), "%s %s at most, and %s arrive", size.Counted(need, "worker takes", "workers take"), size.PerSecond.Format(pace*float64(need)), size.PerSecond.Format(r.n.Rate))
			need = int(fit)
		}
	}
	r.a.Count = max(1, need)
	r.a.Capacity = pace * float64(r.a.Count)
	r.a.Busy = r.n.Rate / r.a.Capacity
	return nil
}

// ackWait is twice what the slowest of a thousand takes with its batch, or what
// a crash may cost with signs of progress.
func (r *recommender) ackWait() {
	const (
		usual   = 30 * time.Second // what the server takes when nothing is said
		longest = 2 * time.Minute  // that a crash should hold messages up
	)
	g := WorkerGroup{Batch: r.a.Fetch, Concurrency: r.n.Concurrency, Service: r.n.Service}
	held := heldFor(&g)
	wait := max(5*time.Second, nice(2*held))
	if wait <= longest {
		beat := ""
		if wait != usual {
			beat = "the default of 30 s"
		}
		r.a.AckWait = wait
		r.add(false, "ack_wait", design.FormatDuration(int64(wait)), beat, "counts from the delivery: a message is acked within %s in 999 of 1,000 cases, and twice that leaves room; after a crash its messages wait that long", size.FormatDuration(held))
		return
	}
	r.a.AckWait, r.a.InProgress = usual, 10*time.Second
	r.add(false, "ack_wait", "30s", design.FormatDuration(int64(wait)), "one message in a thousand is held for %s: an ack_wait that covers it would also be the time that a crash holds messages up, so workers send in-progress instead", size.FormatDuration(held))
	r.add(true, "in_progress", "10s", "", "starts ack_wait anew three times before it runs out, for every message that a worker holds")
}

// redelivery spreads attempts over an outage.
func (r *recommender) redelivery() {
	step, sum := r.a.AckWait, time.Duration(0)
	for len(r.a.BackOff) < 8 && sum < r.n.Outage {
		r.a.BackOff = append(r.a.BackOff, step)
		sum += step
		step = nice(2*step + 1)
	}
	r.a.MaxDeliver = len(r.a.BackOff) + 1
	list := "["
	for i, b := range r.a.BackOff {
		if i > 0 {
			list += ", "
		}
		list += design.FormatDuration(int64(b))
	}
	r.add(false, "backoff", list+"]", "redelivery every ack_wait", "takes the place of ack_wait, so it begins with it; attempts are spread over %s, about as long as what handlers need may be away (%s). It does not delay a nak: send naks with a delay", size.FormatDuration(sum), size.FormatDuration(r.n.Outage))
	r.add(false, "max_deliver", fmt.Sprint(r.a.MaxDeliver), "-1, for ever", "one more than backoff has steps; then the message stays in the stream, is delivered no more, and an advisory says so: have somebody listen to it")
}

// maxAckPending is what workers hold at once, with room for as many again.
func (r *recommender) maxAckPending() {
	held := r.a.Count * max(r.a.Fetch, r.n.Concurrency)
	want := 2 * held
	retry := 0.0
	if r.n.Rate > 0 {
		retry = 0.01 * r.n.Rate * r.a.AckWait.Seconds() // one in a hundred waits for its redelivery
	}
	want = max(want, held+int(math.Ceil(retry)))
	for _, n := range []int{16, 32, 64, 128, 256, 512, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000} {
		if want <= n {
			want = n
			break
		}
	}
	r.a.MaxAckPending = want
	beat := "the default of 1,000"
	if want == defaultMaxAckPending {
		beat = ""
	}
	r.add(false, "max_ack_pending", fmt.Sprint(want), beat, "shared by all workers: %d of them hold up to %s at once, and as many again leave room for redeliveries and for twice the workers", r.a.Count, size.Messages.Format(float64(held)))
}

// Settings are the consumer's part of the advice as design values, by setting.
func (a *ConsumerAdvice) Settings() []Recommendation {
	return slices.DeleteFunc(slices.Clone(a.List), func(r Recommendation) bool { return r.Workers })
}

// NeedsOf is what Recommend wants to know, of a consumer of the model; ok is
// false when nobody works on it.
func (m *Model) NeedsOf(i int) (n ConsumerNeeds, ok bool) {
	c := m.crew(i)
	if len(c.groups) == 0 {
		return n, false
	}
	f := fluid{w: &m.Workload, until: m.Until, step: float64(m.Until) / estimateSteps}
	e := f.consumer(&m.Consumers[i])
	g := c.groups[0]
	return ConsumerNeeds{Rate: e.Usual, Workers: c.count, Concurrency: g.Concurrency, Service: g.Service, Batches: g.Mode == ModeFetch, Overhead: &m.Overhead}, true
}
