package advise

import (
	"fmt"
	"math"
	"time"

	"weir/design"
	"weir/sim"
	"weir/size"
)

// ConsumerNeeds is the work that a consumer has to hand out. Zero values are
// unknown unless said otherwise.
type ConsumerNeeds struct {
	Stream, Name string
	Filters      []string
	// Rate is what arrives for it in messages a second, Peak the most of it.
	Rate, Peak float64
	// Message is the mean of headers and payload in bytes.
	Message float64
	// Service is the time from receiving a message to acking it, in nanoseconds.
	Service design.Distribution
	// Workers are processes; Concurrency is how many messages one handles at a
	// time, Fetch how many a pull request asks for. 0 of these counts as 1 for
	// Workers and Concurrency, and lets Fetch be advised.
	Workers, Concurrency, Fetch int
	// Batches says that a worker asks again only when its whole batch is handled
	// (loop: fetch).
	Batches bool
	// InProgress is the interval at which a worker says that it is still busy.
	InProgress time.Duration
	// ErrorRate is the share of deliveries that fail, ErrorDelay the delay of the
	// nak that answers them.
	ErrorRate  float64
	ErrorDelay time.Duration
	// Retention is the stream's; "" is limits.
	Retention size.Retention
	// HandledTwice is the goal, from 0 to 1; 0 is none.
	HandledTwice float64
	// Outage is the longest time without its workers that it has to bridge.
	Outage time.Duration
	// Push is a consumer with a deliver subject.
	Push bool
	// MostAckPending is the lowest limit that others set for max_ack_pending; 0 is
	// none. BackOff is how many steps a written backoff has.
	MostAckPending int64
	BackOff        int

	// needed is what the simulator's model of the design says, with its bursts and
	// goals; nil without a design.
	needed *sim.Needed
}

// consumerPlan is the advice on a consumer while it is worked out.
type consumerPlan struct {
	settings
	ConsumerNeeds
	// fetch is what a worker holds of a request, advised or given.
	fetch   int
	missing []string
	relax   []string
}

// consumerSettings are asked in this order: later ones build on earlier ones.
var consumerSettings = []func(*consumerPlan){
	(*consumerPlan).ackPolicy,
	(*consumerPlan).fetchSize,
	(*consumerPlan).ackWait,
	(*consumerPlan).maxDeliver,
	(*consumerPlan).backoff,
	(*consumerPlan).maxAckPending,
	(*consumerPlan).maxBatch,
	(*consumerPlan).consumerReplicas,
	(*consumerPlan).workerCount,
}

// ForConsumer advises on one consumer from its needs alone. An error names the
// need that cannot be used, or has the words with which servers refuse the outcome.
func ForConsumer(n ConsumerNeeds) (Advice, error) {
	for _, v := range []struct {
		name  string
		value float64
	}{{"rate", n.Rate}, {"peak", n.Peak}, {"message", n.Message}, {"service time", n.Service.MeanValue()}, {"share of errors", n.ErrorRate}} {
		if math.IsNaN(v.value) || v.value < 0 || v.value > size.Limit {
			return Advice{}, fmt.Errorf("advise consumer: %v is no %s", v.value, v.name)
		}
	}
	p := planConsumer(settings{}, n)
	asset := p.asset()
	config, err := p.config(nil)
	if err != nil {
		return Advice{}, err
	}
	if err := p.judged(config); err != nil {
		return Advice{}, err
	}
	asset.Config, asset.Command = config, consumerCommand(n.Stream, n.Name)
	a := Advice{Assets: []Asset{asset}, Relax: p.relax, Missing: p.missing}
	a.count()
	return a, nil
}

func planConsumer(s settings, n ConsumerNeeds) *consumerPlan {
	if n.Retention == "" {
		n.Retention = size.Limits
	}
	n.Workers, n.Concurrency = max(n.Workers, 1), max(n.Concurrency, 1)
	n.Peak = max(n.Peak, n.Rate)
	p := &consumerPlan{settings: s, ConsumerNeeds: n}
	for _, advise := range consumerSettings {
		advise(p)
	}
	if n.Service.MeanValue() == 0 {
		p.missing = append(p.missing, fmt.Sprintf("how long a message of %s takes (service_time): without it ack_wait and the number of workers stay as they are", n.Name))
	}
	return p
}

func (p *consumerPlan) asset() Asset {
	a := Asset{Kind: "consumer", Name: p.Name, Path: p.path, Settings: p.list}
	if p.Stream != "" {
		a.Name = p.Stream + "/" + p.Name
	}
	a.Says = fmt.Sprintf("%d × %d workers", p.Workers, p.Concurrency)
	if s := p.Service.MeanValue(); s > 0 {
		a.Says = fmt.Sprintf("%s a message, p99 %s, %s", span(time.Duration(s)), span(time.Duration(p.Service.P99Value())), a.Says)
	}
	if p.Rate > 0 {
		said := perSecond(p.Rate)
		if p.Peak > 1.05*p.Rate {
			said += ", at most " + short(p.Peak)
		}
		a.Says = said + ", " + a.Says
	}
	return a
}

// rounds is how many messages one after the other a worker has of a request.
func (p *consumerPlan) rounds() float64 {
	return math.Ceil(float64(max(p.fetch, 1)) / float64(p.Concurrency))
}

// heldLonger bounds the share of messages that are held for longer than a time,
// from delivery to ack: the last of a request waits for those before it. For one
// round it is the distribution's own tail; for several, the larger of the tail
// of a sum that is nearly normal and of one slow message among them.
func (p *consumerPlan) heldLonger(d time.Duration) float64 {
	k, t := p.rounds(), float64(d)
	if k <= 1 {
		return p.Service.Exceeds(t)
	}
	mean, dev := p.Service.MeanValue(), p.Service.Deviation()
	slow := min(1, k*p.Service.Exceeds(max(t-(k-1)*mean, 0)))
	if dev == 0 {
		if k*mean <= t {
			return 0
		}
		return 1 - math.Floor(t/mean)/k
	}
	return min(1, max(math.Erfc((t-k*mean)/(dev*math.Sqrt(2*k)))/2, slow))
}

// heldAtMost is the time within which all but a share of the messages are acked.
func (p *consumerPlan) heldAtMost(share float64) time.Duration {
	low, high := 0.0, float64(1000*time.Hour)
	for range 80 {
		mid := (low + high) / 2
		if p.heldLonger(time.Duration(mid)) > share {
			low = mid
		} else {
			high = mid
		}
	}
	return time.Duration(high)
}
