package size

import (
	"math"
	"time"

	"github.com/nats-io/jsm.go/api"

	"weir/design"
)

// Arriving is what a consumer's filters let through of what its stream takes.
type Arriving struct {
	// Mean and Peak are messages a second, bursts included.
	Mean, Peak float64
	// Certain says that they follow from what the design says, and are not the even
	// share of values that nobody named.
	Certain bool
}

// ArrivingOf is what arrives at each consumer of a design, by its path: at once,
// where FromDesign sizes all of it.
func ArrivingOf(d *design.Design) map[string]Arriving {
	b := newDesignReader(d, DesignOptions{})
	b.sites()
	b.arrive()
	out := map[string]Arriving{}
	for _, h := range b.held {
		if h.stream == nil {
			continue
		}
		for _, c := range h.stream.Consumers {
			_, out[c.Path] = h.arriving(c)
		}
	}
	return out
}

// arriving is what a consumer gets of the messages that land in its stream, and
// total all of these.
func (h *heldStream) arriving(c *design.Consumer) (total float64, got Arriving) {
	got.Certain = len(h.arrived) > 0
	for _, a := range h.arrived {
		got.Certain = got.Certain && a.certain && filterKnown(a.flow, c.Config.FilterSubject, c.Config.FilterSubjects)
		r := a.rateOf()
		share := filterShare(a.flow, c.Config.FilterSubject, c.Config.FilterSubjects)
		total += r.Average()
		got.Mean += r.Average() * share
		got.Peak += r.Peak() * share
	}
	return total, got
}

// consumer is a design's consumer as size has it. What follows from arrivals and
// workers goes into out as well.
func (b *designReader) consumer(h *heldStream, c *design.Consumer, out *DesignStream) Consumer {
	s := Consumer{Name: c.Name, Replicas: clampReplicas(c.Config.Replicas), Memory: c.Config.MemoryStorage,
		MaxAckPending: atLeast(int64(c.Config.MaxAckPending)), AckNone: b.ackNone(c), Push: c.Config.DeliverSubject != ""}
	use := DesignConsumer{Path: c.Path, BurstBacklog: given("backlog after a burst", 0, Messages), BurstDrain: given("time to drain", 0, Seconds)}
	total, arriving := h.arriving(c)
	matched, peak := arriving.Mean, arriving.Peak
	part := 1.0
	if total > 0 {
		part = min(matched/total, 1)
		s.Share = part
	}
	if total > 0 && part == 0 {
		b.note(c.Path, "its filters match nothing that a publisher of the design sends")
		// Share 0 would count as all.
		s.Share = math.SmallestNonzeroFloat64
	}
	use.Share = given("share of the stream's messages", part, Share)
	use.Arriving = product("arriving", PerSecond, given("rate of the stream", total, PerSecond).between(total, max(peak, total)), use.Share)
	use.Arriving = use.Arriving.between(use.Arriving.Low, max(peak, use.Arriving.Value))
	b.work(&s, &use, c, matched)
	out.Consumers = append(out.Consumers, use)
	return s
}

// ackNone says whether a consumer acknowledges nothing. The API's default is none
// for a consumer that says nothing.
func (b *designReader) ackNone(c *design.Consumer) bool { return c.Config.AckPolicy == api.AckNone }

// filterShare is the part of a flow that a consumer's filters let through. The
// server refuses filters that overlap.
func filterShare(f flow, one string, many []string) float64 {
	if one == "" && len(many) == 0 {
		return 1
	}
	v := 0.0
	if one != "" {
		v = f.matched(one)
	}
	for _, pattern := range many {
		v += f.matched(pattern)
	}
	return min(v, 1)
}

// filterKnown reports whether the part that the filters let through is known and
// not assumed.
func filterKnown(f flow, one string, many []string) bool {
	known := one == "" || f.knows(one)
	for _, pattern := range many {
		known = known && f.knows(pattern)
	}
	return known
}

// work is what a consumer's workers make of its messages.
func (b *designReader) work(s *Consumer, use *DesignConsumer, c *design.Consumer, arriving float64) {
	capacity, hands, busy := 0.0, 0.0, 0.0
	timed := len(c.Workers) > 0
	repeated, repeatAgain := 0.0, 0.0
	for _, w := range c.Workers {
		n := float64(max(w.Count, 1)) * float64(max(w.Concurrency, 1))
		if w.Count == 0 && b.d.Has(w.Path+".count") {
			n = 0
		}
		hands += n
		each := w.ServiceTime.MeanValue() / float64(time.Second)
		timed = timed && each > 0
		if each > 0 {
			capacity += n / each
			busy += n * each
		}
		again := 0.0
		for _, e := range w.Errors {
			if e.Redelivers() {
				again += e.Rate
			}
		}
		repeatAgain += min(again, 0.99) * n
	}
	if hands > 0 {
		repeated = repeatAgain / hands
	}
	// A message that fails is delivered again, and may fail again.
	s.Redelivered = min(repeated/(1-repeated), 1)
	deliveries := arriving * (1 + s.Redelivered)
	service := 0.0
	if capacity > 0 {
		service = hands / capacity
	}
	use.AckCap, _ = OfMaxAckPending(s.MaxAckPending, time.Duration(min(service, longestAge.Seconds())*float64(time.Second)), clamp(deliveries))
	if !timed {
		use.Capacity = given("capacity", Limit, PerSecond).from(Assumed, "").noting("workers or their service time are not given")
		use.Utilisation = given("utilisation", 0, Share).from(Assumed, "").noting("workers or their service time are not given")
		use.InFlight = given("in flight", 0, Messages).from(Assumed, "").noting("workers or their service time are not given")
		b.note(c.Path+".workers", "workers or their service time are not given: what it holds unacknowledged is not counted")
		return
	}
	s.Rate = clamp(min(capacity, use.AckCap.Rate.Value))
	use.Capacity = computed("capacity", s.Rate, PerSecond, "the lower of workers × concurrency / service time, and max_ack_pending / service time",
		computed("workers", capacity, PerSecond, "messages at a time / service time", given("messages at a time", hands, Messages), given("service time", service, Seconds)), use.AckCap.Rate)
	use.Utilisation = computed("utilisation", deliveries/max(s.Rate, 1e-12), Share, "deliveries / capacity", given("deliveries", deliveries, PerSecond), use.Capacity)
	flight := deliveries * service
	most := float64(s.MaxAckPending)
	if s.MaxAckPending == 0 {
		most = defaultMaxAckPending
	}
	switch {
	case s.AckNone:
		flight = 0
	case most > 0 && (use.Utilisation.Value >= 1 || flight > most):
		flight = most
	}
	s.AckPending = clamp(flight)
	use.InFlight = computed("in flight", s.AckPending, Messages, "deliveries × service time, max_ack_pending at most", given("deliveries", deliveries, PerSecond), given("service time", service, Seconds))
}

// behind says how much waits in a stream that removes what is acknowledged, when a
// consumer does not keep up.
func (b *designReader) behind(s *Stream, out *DesignStream) {
	horizon := b.o.Horizon
	if horizon == 0 {
		horizon = DefaultHorizon
	}
	h := b.heldAt(out.Path)
	for i := range out.Consumers {
		use, c := &out.Consumers[i], &s.Consumers[i]
		if c.Rate == 0 {
			continue
		}
		arriving, capacity := use.Arriving.Value*(1+c.Redelivered), use.Capacity.Value
		if s.retention() != Limits && arriving > capacity {
			s.Backlog = max(s.Backlog, clamp((arriving-capacity)*horizon.Seconds()))
			s.fallBehind(arriving - capacity)
			b.note(use.Path, "its workers take %s and %s arrive: it falls behind for ever, and the stream fills up to its limits",
				PerSecond.Format(capacity), PerSecond.Format(arriving))
		}
		use.BurstBacklog, use.BurstDrain = burstBacklog(h, h.consumerNamed(c.Name), arriving, capacity)
	}
}

func (h *heldStream) consumerNamed(name string) *design.Consumer {
	if h.stream == nil {
		return nil
	}
	for _, c := range h.stream.Consumers {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// burstBacklog is the largest backlog that a single burst of one publisher leaves,
// and how long it takes to work off.
func burstBacklog(h *heldStream, c *design.Consumer, arriving, capacity float64) (backlog, drain Figure) {
	backlog, drain = given("backlog after a burst", 0, Messages), given("time to drain", 0, Seconds)
	if c == nil {
		return backlog, drain
	}
	for _, a := range h.arrived {
		share := filterShare(a.flow, c.Config.FilterSubject, c.Config.FilterSubjects)
		for _, burst := range a.bursts {
			during := arriving + (burst.Rate-a.rate)*share
			o, err := OfBurst(Burst{Rate: clamp(during), For: burst.For}, clamp(capacity), 0)
			if err != nil || o.Backlog.Value <= backlog.Value {
				continue
			}
			backlog = o.Backlog.as("backlog after a burst")
			if d, err := OfDrain(clamp(backlog.Value), clamp(arriving), clamp(capacity)); err == nil {
				drain = d
			}
		}
	}
	return backlog, drain
}
