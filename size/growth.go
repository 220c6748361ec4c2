package size

import (
	"fmt"
	"math"
	"sort"
	"time"
)

// DefaultHorizon is how far ahead an unlimited stream is sized.
const DefaultHorizon = 30 * 24 * time.Hour

const daySeconds = 86400

// Average returns the mean rate in messages a second, bursts included.
func (r Rate) Average() float64 {
	v := r.Mean
	for _, b := range r.Bursts {
		if b.Every > 0 {
			v += (b.Rate - r.Mean) * b.For.Seconds() / b.Every.Seconds()
		}
	}
	return max(v, 0)
}

// Peak returns the highest rate in messages a second: of a burst, or of the
// busiest hour.
func (r Rate) Peak() float64 {
	v := r.Mean
	total := 0.0
	for _, h := range r.Hours {
		total += h
	}
	for _, h := range r.Hours {
		v = max(v, r.Mean*h*24/total)
	}
	for _, b := range r.Bursts {
		v = max(v, b.Rate)
	}
	return v
}

// Arrivals is how many messages arrive in any window of so many seconds: on
// average, and in the emptiest and the fullest window. Bursts without Every are
// left out.
func (r Rate) Arrivals(seconds float64) (mean, low, high float64) {
	mean = r.Average() * seconds
	low, high = r.dayShape(seconds)
	low, high = low*r.Mean, high*r.Mean
	for _, b := range r.Bursts {
		if b.Every <= 0 {
			continue
		}
		fewest, most := burstSeconds(b, seconds)
		extra := b.Rate - r.Mean
		low += min(extra*fewest, extra*most)
		high += max(extra*fewest, extra*most)
	}
	return mean, max(min(low, mean), 0), max(high, mean)
}

// burstSeconds is how many seconds of a window fall into bursts, at least and at
// most.
func burstSeconds(b Burst, window float64) (fewest, most float64) {
	every, long := b.Every.Seconds(), b.For.Seconds()
	full := math.Floor(window / every)
	rest := window - full*every
	return full*long + max(rest-(every-long), 0), full*long + min(rest, long)
}

// dayShape is how many seconds of mean rate a window holds, at least and at
// most, given the shape of the day.
func (r Rate) dayShape(window float64) (low, high float64) {
	if len(r.Hours) != 24 {
		return window, window
	}
	days := math.Floor(window / daySeconds)
	rest := window - days*daySeconds
	low, high = math.Inf(1), 0
	for h := 0; h < 24; h++ {
		// The extremes begin or end at the full hour.
		start := float64(h) * 3600
		for _, from := range []float64{start, start - rest + daySeconds} {
			v := r.until(from+rest) - r.until(from)
			low, high = min(low, v), max(high, v)
		}
	}
	return days*daySeconds + low, days*daySeconds + high
}

// until is the seconds of mean rate from midnight to t seconds after it.
func (r Rate) until(t float64) float64 {
	total := 0.0
	for _, h := range r.Hours {
		total += h
	}
	days := math.Floor(t / daySeconds)
	t -= days * daySeconds
	v := days * daySeconds
	for _, h := range r.Hours {
		part := min(t, 3600)
		v += part * h * 24 / total
		t -= part
	}
	return v
}

// timeFor is how long it takes until so many messages have arrived: on average,
// at the earliest (a burst comes first) and at the latest.
func (r Rate) timeFor(messages float64) (mean, earliest, latest float64) {
	avg := r.Average()
	if avg <= 0 {
		return math.Inf(1), math.Inf(1), math.Inf(1)
	}
	mean = messages / avg
	if len(r.Bursts) == 0 && len(r.Hours) == 0 {
		return mean, mean, mean
	}
	at := func(count func(float64) float64) float64 {
		from, to := 0.0, mean
		for count(to) < messages && to < Limit {
			to *= 2
		}
		for i := 0; i < 60; i++ {
			mid := (from + to) / 2
			if count(mid) < messages {
				from = mid
			} else {
				to = mid
			}
		}
		return to
	}
	earliest = at(func(t float64) float64 { _, _, high := r.Arrivals(t); return high })
	latest = at(func(t float64) float64 { _, low, _ := r.Arrivals(t); return low })
	return mean, min(earliest, mean), max(latest, mean)
}

// Bound is one thing that keeps a stream from growing.
type Bound struct {
	// Limit is the setting: max_age, max_bytes, max_msgs, max_msgs_per_subject,
	// or acknowledgement.
	Limit string `json:"limit"`
	// Messages is how many messages the stream holds when it binds.
	Messages Figure `json:"messages"`
	// Full is the time until then, from empty.
	Full Figure `json:"full"`
}

// Retained says how many messages a stream holds in the steady state, and why.
type Retained struct {
	// Messages is what the binding limit allows.
	Messages Figure `json:"messages"`
	// Binds is the limit that is reached first, "messages" where the count was
	// given, "nothing" for an empty stream, "" for a stream that nothing bounds.
	Binds string `json:"binds"`
	// Bounds are all limits, the one reached first first.
	Bounds []Bound `json:"bounds"`
	// Kept is how far back the stream reaches once it is full; less than max_age
	// when another limit binds first.
	Kept Figure `json:"kept"`
}

// OfRetention says what bounds a stream. Horizon is how far ahead a stream is
// looked at that nothing bounds; 0 is DefaultHorizon.
func OfRetention(s Stream, horizon time.Duration) (Retained, error) {
	if err := firstError(s.Validate("stream"), duration("horizon", horizon)); err != nil {
		return Retained{}, err
	}
	return retained(s, horizon), nil
}

func retained(s Stream, horizon time.Duration) Retained {
	if horizon == 0 {
		horizon = DefaultHorizon
	}
	bounds := boundsOf(s)
	out := Retained{Bounds: bounds}
	switch {
	case s.Empty:
		out.Messages, out.Binds = given("messages", 0, Messages), "nothing"
	case s.Messages > 0:
		out.Messages, out.Binds = given("messages", s.Messages, Messages), "messages"
	case len(bounds) > 0:
		out.Messages, out.Binds = bounds[0].Messages, bounds[0].Limit
	default:
		mean, low, high := s.Rate.Arrivals(horizon.Seconds())
		out.Messages = computed("messages", mean, Messages, "rate × horizon",
			given("rate", s.Rate.Average(), PerSecond), given("horizon", horizon.Seconds(), Seconds)).between(low, high).
			noting("nothing bounds this stream: it grows until the volume is full; this is what it holds after " + FormatDuration(horizon))
	}
	kept, earliest, latest := s.Rate.timeFor(out.Messages.Value)
	out.Kept = computed("kept", kept, Seconds, "messages / rate", out.Messages, given("rate", s.Rate.Average(), PerSecond)).between(earliest, latest)
	if math.IsInf(kept, 1) {
		out.Kept.Note = "nothing is published: what is stored stays"
	}
	return out
}

// fallBehind adds a consumer that is slower than what arrives: a work queue's
// consumers each have messages of their own, an interest stream waits for the
// slowest.
func (s *Stream) fallBehind(by float64) {
	if s.retention() == WorkQueue {
		s.Behind = clamp(s.Behind + by)
		return
	}
	s.Behind = max(s.Behind, clamp(by))
}

// growing is the rate at which a stream fills: what its consumers leave, where
// they take things away.
func (s Stream) growing() Rate {
	if s.retention() != Limits && s.Behind > 0 {
		return Rate{Mean: s.Behind}
	}
	return s.Rate
}

// boundsOf lists what bounds a stream, by the time at which it binds.
func boundsOf(s Stream) []Bound {
	var out []Bound
	rate, growing := given("rate", s.Rate.Average(), PerSecond), s.growing()
	add := func(limit string, msgs Figure) {
		mean, earliest, latest := growing.timeFor(msgs.Value)
		out = append(out, Bound{Limit: limit, Messages: msgs, Full: computed("full", mean, Seconds, "messages / rate", msgs.as("messages"), given("rate", growing.Average(), PerSecond)).between(earliest, latest)})
	}
	if s.MaxBytes > 0 {
		record := recordFigure(s.Message, s.storage())
		add("max_bytes", computed("messages", math.Floor(float64(s.MaxBytes)/record.Value), Messages, "max_bytes / record",
			given("max_bytes", float64(s.MaxBytes), Bytes), record))
	}
	if s.MaxMsgs > 0 {
		add("max_msgs", given("messages", float64(s.MaxMsgs), Messages))
	}
	if s.MaxMsgsPerSubject > 0 {
		add("max_msgs_per_subject", product("messages", Messages,
			given("max_msgs_per_subject", float64(s.MaxMsgsPerSubject), Count), given("subjects", max(s.Subjects.Count, 1), Count)))
	}
	if s.MaxAge > 0 && s.Rate.Average() > 0 {
		mean, low, high := s.Rate.Arrivals(s.MaxAge.Seconds())
		add("max_age", computed("messages", mean, Messages, "rate × max_age", rate, given("max_age", s.MaxAge.Seconds(), Seconds)).between(low, high))
	}
	if s.retention() != Limits {
		if f, ok := unacknowledged(s); ok {
			add("acknowledgement", f)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Messages.Value < out[j].Messages.Value })
	return out
}

// unacknowledged is what a work queue or interest stream holds: what waits for
// delivery and for acknowledgement. It is unknown when nobody said either.
func unacknowledged(s Stream) (Figure, bool) {
	pending := 0.0
	for _, c := range s.Consumers {
		pending = max(pending, c.AckPending)
	}
	if s.Backlog == 0 && pending == 0 {
		return Figure{}, false
	}
	return sum("messages", Messages, given("waiting for delivery", s.Backlog, Messages), given("waiting for acknowledgement", pending, Messages)), true
}

// Overflow is what a limit costs while consumers are slower than publishers.
type Overflow struct {
	// Backlog is what would have to be kept for nothing to be lost.
	Backlog Figure `json:"backlog"`
	// Lost is what discard old drops unread, or discard new refuses.
	Lost Figure `json:"lost"`
}

// OfBurst computes the backlog after a burst of so many messages a second for so
// long, read at another rate, and what a limit of messages loses of it. A limit
// of 0 or less is unlimited.
func OfBurst(in Burst, consumed float64, limitMessages int64) (Overflow, error) {
	err := firstError(number("burst.rate", in.Rate), duration("burst.for", in.For), number("consumed", consumed), limit("max_msgs", max(limitMessages, -1)))
	if err != nil {
		return Overflow{}, err
	}
	long := given("length of the burst", in.For.Seconds(), Seconds)
	in1, out1 := given("published", in.Rate, PerSecond), given("consumed", consumed, PerSecond)
	backlog := computed("backlog", max(in.Rate-consumed, 0)*in.For.Seconds(), Messages, "(published - consumed) × length of the burst", in1, out1, long)
	lost := 0.0
	if limitMessages > 0 {
		lost = max(backlog.Value-float64(limitMessages), 0)
	}
	return Overflow{Backlog: backlog, Lost: computed("lost", lost, Messages, "backlog - max_msgs",
		backlog, given("max_msgs", float64(max(limitMessages, 0)), Messages))}, nil
}

// HeadOfLine is what strict order costs: one message at a time for each key.
type HeadOfLine struct {
	// Rate is how fast one partition moves.
	Rate Figure `json:"rate"`
	// Blocked is how long one message that keeps failing holds up what is behind it.
	Blocked Figure `json:"blocked"`
	// Affected is the share of the keys that are behind it.
	Affected Figure `json:"affected"`
}

// OfHeadOfLine computes the cost of max_ack_pending 1 on each of so many
// partitions: one message per handling and round trip, and a failing one blocks
// its partition for its whole retry schedule.
func OfHeadOfLine(handling, roundTrip time.Duration, retries []time.Duration, partitions int) (HeadOfLine, error) {
	if err := firstError(duration("handling", handling), duration("round trip", roundTrip)); err != nil {
		return HeadOfLine{}, err
	}
	if partitions < 1 {
		return HeadOfLine{}, &InputError{Path: "partitions", Value: fmt.Sprint(partitions), Reason: "there is at least one"}
	}
	each := sum("time of a message", Seconds, given("handling", handling.Seconds(), Seconds), given("round trip", roundTrip.Seconds(), Seconds))
	terms := make([]Figure, len(retries))
	for i, r := range retries {
		if err := duration(fmt.Sprintf("retries[%d]", i), r); err != nil {
			return HeadOfLine{}, err
		}
		terms[i] = given(fmt.Sprintf("retry %d", i+1), r.Seconds(), Seconds)
	}
	return HeadOfLine{
		Rate:     computed("rate of a partition", 1/each.Value, PerSecond, "1 / (handling + round trip)", each),
		Blocked:  sum("blocked by one failing message", Seconds, terms...),
		Affected: computed("keys behind it", 1/float64(partitions), Share, "1 / partitions", given("partitions", float64(partitions), Count)),
	}, nil
}
