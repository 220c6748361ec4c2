package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"weir/design"
	"weir/size"
)

// phases are the times at which a publisher has one rate: its bursts, those of
// the scenario and the usual rate between them. Where bursts overlap the highest
// rate counts. factor is what share of the publisher's messages is meant.
func (b *builder) phases(f *feed, factor float64) (out []Phase, peak float64) {
	bursts := b.burstsOf(f.p)
	ends := []time.Duration{0}
	for _, x := range bursts {
		ends = append(ends, x.At)
		if to := x.At + x.For; to > x.At && to < b.m.Until {
			ends = append(ends, to)
		}
	}
	day := b.dayOf(f.p)
	if day != nil {
		for at := time.Hour; at < b.m.Until && len(ends) < maxPhases; at += time.Hour {
			ends = append(ends, at)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	open, next := []BurstTime{}, 0
	for i, at := range ends {
		for ; next < len(bursts) && bursts[next].At <= at; next++ {
			open = append(open, bursts[next])
		}
		open = slices.DeleteFunc(open, func(x BurstTime) bool { return x.At+x.For <= at })
		rate := f.p.Rate
		if day != nil {
			rate *= day[int(at/time.Hour)%len(day)]
		}
		for k, x := range open {
			if k == 0 || x.Rate > rate {
				rate = x.Rate
			}
		}
		if rate *= factor; rate <= 0 {
			continue
		}
		peak = max(peak, rate)
		gap := int64(max(1, min(math.Round(float64(time.Second)/rate), 1<<52)))
		ph := Phase{At: at, Interval: Exponential(gap), Mean: gap, Waits: true}
		if i+1 < len(ends) {
			ph.Until = ends[i+1]
		}
		out = append(out, ph)
	}
	return out, peak
}

// dayOf is by how much each hour of a day is above the mean rate; nil is an even
// day. The run begins at hour 0.
func (b *builder) dayOf(p *design.Publisher) []float64 {
	const hours = 24
	sum := 0.0
	for _, h := range p.Hours {
		sum += max(0, h)
	}
	if len(p.Hours) == 0 || b.o.Usual {
		return nil
	}
	if len(p.Hours) != hours || sum <= 0 {
		b.say(design.Join(p.Path, "hours"), "a day has %d hours, of which at least one carries something: an even day is assumed", hours)
		return nil
	}
	day := make([]float64, hours)
	for i, h := range p.Hours {
		day[i] = max(0, h) * hours / sum
	}
	if b.m.Until < hours*time.Hour {
		b.say(design.Join(p.Path, "hours"), "the run begins at hour 0 and shows %s of the day; a run of 24h shows all", size.FormatDuration(b.m.Until))
	}
	return day
}

// burstsOf are the bursts of a publisher within the run, by their beginning.
func (b *builder) burstsOf(p *design.Publisher) (out []BurstTime) {
	add := func(at, lasts time.Duration, rate float64) bool {
		if lasts <= 0 || lasts > b.m.Until-at {
			lasts = b.m.Until - at
		}
		out = append(out, BurstTime{p.Name, at, lasts, rate})
		return len(out) < maxPhases/2
	}
	for i, x := range p.Bursts {
		if b.o.Usual {
			break
		}
		for at := x.At; at < b.m.Until; at += x.Every {
			if !add(at, x.For, x.Rate) {
				b.say(design.Index(design.Join(p.Path, "bursts"), i), "only the first %d bursts are simulated", maxPhases/2)
				break
			}
			if x.Every <= 0 {
				break
			}
		}
	}
	if b.scenario != nil {
		for _, e := range b.scenario.Events {
			if e.Do == "burst" && e.Target == p.Name && e.At < b.m.Until {
				add(e.At, e.For, e.Rate)
			}
		}
	}
	slices.SortStableFunc(out, func(x, y BurstTime) int { return int(x.At - y.At) })
	for _, x := range out {
		if !slices.Contains(b.m.Bursts, x) && len(b.m.Bursts) < maxPhases {
			b.m.Bursts = append(b.m.Bursts, x)
		}
	}
	return out
}

// answers sets what a publisher does with replies, as far as it can matter.
func (b *builder) answers(p *Publisher, f *feed, h *heldStream, peak float64) {
	p.Mode = PublishAsync
	if f.copied || f.p.Mode == "core" {
		if f.p.Mode == "core" && !f.copied {
			p.Mode = PublishCore
		}
		return
	}
	s := &b.m.Streams[h.index]
	if s.MaxMsgSize > 0 && p.Payload != nil && int64(p.HeaderSize)+largest(p.Payload) <= s.MaxMsgSize && !b.ratesLimited(h) {
		s.MaxMsgSize = 0 // nothing is that large
	}
	at, open := max(1, f.p.Count), 1
	if f.p.Mode == "async" || f.p.Mode == "batch" {
		open = f.p.InFlight
	}
	// Above half of what the replies allow the publisher is held up by them.
	const free = 0.5
	reply := max(b.m.Overhead.Publish, time.Microsecond)
	tight := open > 0 && peak > free*float64(at*open)/reply.Seconds()
	fails := b.refuses(s) || b.serverFails()
	if f.p.Mode == "batch" && b.m.Streams[h.index].Retention != Interest {
		p.Mode, p.BatchSize = PublishBatch, f.p.Batch
		return
	}
	if !tight && !fails {
		return
	}
	if open == 1 {
		p.Mode = PublishSync
	} else {
		p.InFlight = open
	}
	if fails {
		p.Timeout, p.Retry = f.p.AckTimeout, retryOf(f.p)
	}
}

// largest is the largest value of a distribution's steps.
func largest(d Draw) (most int64) {
	for i := range uint64(quantileSteps) {
		most = max(most, d(i<<52|1<<51, i+1, 1))
	}
	return most
}

// ratesLimited reports whether a consumer has rate_limit_bps, whose bursts
// depend on max_msg_size.
func (b *builder) ratesLimited(h *heldStream) bool {
	return slices.ContainsFunc(b.m.Consumers, func(c Consumer) bool { return c.Stream == h.name && c.RateLimitBPS > 0 })
}

// refuses reports whether a stream can refuse a message.
func (b *builder) refuses(s *Stream) bool {
	return s.MaxMsgSize > 0 || s.DiscardNew && (s.MaxMsgs > 0 || s.MaxBytes > 0 || s.DiscardNewPerSubject && s.MaxMsgsPerSubject > 0)
}

// serverFails reports whether the scenario touches servers.
func (b *builder) serverFails() bool {
	return b.scenario != nil && slices.ContainsFunc(b.scenario.Events, func(e design.Event) bool {
		return slices.Contains([]string{"kill", "restart", "step_down", "partition"}, e.Do)
	})
}

// retryOf is what a publisher does with a message that was not stored.
//
// Source: nats.go v1.55.0 jetstream/options.go: without a wish two more
// attempts, 250 ms apart, when nobody answers.
func retryOf(p *design.Publisher) *Retry {
	const (
		pause    = 250 * time.Millisecond
		attempts = 2
	)
	r := &Retry{Delays: []time.Duration{pause}, RepeatLast: true, Max: attempts}
	if p.OnReject.Backoff > 0 {
		r.Delays[0] = p.OnReject.Backoff
	}
	if p.OnReject.Retry > 0 {
		r.Max = p.OnReject.Retry
	}
	if p.RetryFor > 0 {
		r.Max, r.For = math.MaxInt32, p.RetryFor
	}
	if p.OnReject.Then == "block" {
		r.Max, r.For = 0, 0
	}
	return r
}

// processMark stands between a publisher's name and the number of its process.
const processMark = " #"

// split makes a publisher of each process where one that waits for an answer
// does not hold up the others.
func (b *builder) split(p Publisher, f *feed) {
	n := min(max(1, f.p.Count), processesEach)
	if n == 1 || p.Times != nil || p.Mode == PublishCore || p.Mode == PublishAsync && p.InFlight == 0 {
		b.m.Publishers = append(b.m.Publishers, p)
		return
	}
	if f.p.Count > processesEach {
		b.say(design.Join(f.p.Path, "count"), "%d processes are simulated as %d", f.p.Count, processesEach)
	}
	phases, id := p.Phases, p.MsgID
	for i := range n {
		one := p
		one.Name = fmt.Sprintf("%s%s%d", p.Name, processMark, i+1)
		one.Phases = slices.Clone(phases)
		for k := range one.Phases {
			gap := phases[k].Interval
			one.Phases[k].Interval = func(u, seq uint64, attempt int) int64 { return times(gap(u, seq, attempt), n) }
			one.Phases[k].Mean = times(phases[k].Mean, n)
		}
		if id != nil {
			space := uint64(i+1) << 48
			one.MsgID = func(n uint64) uint64 { return id(n) | space }
		}
		b.m.Publishers = append(b.m.Publishers, one)
	}
}

func times(v int64, n int) int64 {
	if v > math.MaxInt64/int64(n) {
		return math.MaxInt64
	}
	return v * int64(n)
}

// unit says how the values of a trace are written.
type unit uint8

const (
	ofDuration unit = iota
	ofSize
)

// ServiceDraw is a distribution of durations as the simulator draws it; an error
// for a trace, whose file only a design's options have.
func ServiceDraw(d design.Distribution) (Draw, error) {
	return new(builder).draw(d, ofDuration)
}

// draw makes a Draw of a distribution.
func (b *builder) draw(d design.Distribution, u unit) (Draw, error) {
	whole := func(v float64) int64 { return int64(math.Round(min(max(v, 0), 1<<52))) }
	switch d.Kind {
	case design.DistConstant:
		return Constant(whole(d.Mean)), nil
	case design.DistExponential:
		return Exponential(whole(d.Mean)), nil
	case design.DistLognormal:
		if d.P50 > 0 {
			return Lognormal(whole(d.P50), whole(d.P99)), nil
		}
		return LognormalMean(whole(d.Mean), whole(d.P99)), nil
	case design.DistEmpirical:
		text, ok := b.o.Files[d.Trace]
		if !ok {
			return nil, fmt.Errorf("%q was not given; put the file beside the design", d.Trace)
		}
		values, err := parseTrace(text, u)
		if err != nil {
			return nil, fmt.Errorf("read trace %q: %w", d.Trace, err)
		}
		return Empirical(values), nil
	}
	return Constant(0), nil
}

// TraceFiles are the files that a design names as {trace: …}, in its order:
// what DesignOptions.Files wants.
func TraceFiles(d *design.Design) (names []string) {
	add := func(x design.Distribution) {
		if x.Kind == design.DistEmpirical && !slices.Contains(names, x.Trace) {
			names = append(names, x.Trace)
		}
	}
	for _, s := range d.Scopes() {
		for _, p := range s.Publishers {
			add(p.Payload)
			add(p.Headers)
		}
		for _, st := range s.Streams {
			for _, c := range st.Consumers {
				for _, w := range c.Workers {
					add(w.ServiceTime)
				}
			}
		}
	}
	return names
}

// consumerNamed is the consumer of an event's target: billing or
// ORDERS/billing.
func (b *builder) consumersNamed(target string) (out []*readConsumer) {
	for _, c := range b.read {
		if c.Name == target || c.stream.Name+"/"+c.Name == target || c.stream.name+"/"+c.Name == target {
			out = append(out, c)
		}
	}
	return out
}

// streamsNamed are the streams of an event's target.
func (b *builder) streamsNamed(target string) (out []*heldStream) {
	name, _, _ := strings.Cut(target, "/")
	for _, h := range b.held {
		if h.Name == name || h.name == name {
			out = append(out, h)
		}
	}
	return out
}
