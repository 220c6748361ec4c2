package lint

import (
	"fmt"
	"math"
	"slices"
	"time"

	"weir/design"
)

// Share is the share of draws of a distribution above a value, from 0 to 1; ok is
// false when the distribution does not say (absent, or a trace).
func Share(d design.Distribution, above time.Duration) (share float64, ok bool) {
	return d.Exceeds(float64(above)), d.Known() && (d.Kind != design.DistExponential || d.Mean > 0)
}

// AssumedTail names the family of a distribution whose share above a value rests
// on that family alone: the value lies beyond the 99th percentile, and nobody said
// what does. "" where the share follows from what is given.
func AssumedTail(d design.Distribution, above float64) string {
	switch {
	case above < d.P99Value():
	case d.Kind == design.DistLognormal:
		return "lognormal"
	case d.Kind == design.DistExponential:
		return "exponential"
	}
	return ""
}

// ifTail is how a sentence says that: ", if the tail is lognormal"; "" else.
func ifTail(family string) string {
	if family == "" {
		return ""
	}
	return ", if what is beyond the 99th percentile is " + family
}

// severityOf makes a finding that rests on an assumed tail one worth knowing.
func severityOf(family string) design.Severity {
	if family == "" {
		return ""
	}
	return design.Info
}

// Mean is the mean of a distribution; ok is false when it does not say.
func Mean(d design.Distribution) (mean time.Duration, ok bool) {
	return time.Duration(d.MeanValue()), d.Known()
}

// P99 is the 99th percentile of a distribution; ok is false when it does not say.
func P99(d design.Distribution) (p99 time.Duration, ok bool) {
	return time.Duration(d.P99Value()), d.Known() || d.Kind == design.DistLognormal && d.P99 > 0
}

// AckWait is how long the server waits for the ack of a first delivery: the first
// value of backoff where there is one (server/consumer.go, v2.15.2: backoff takes
// the place of ack_wait), else ack_wait. path is the setting it comes from.
func (c *Consumer) AckWait() (wait time.Duration, path string) {
	if len(c.Config.BackOff) > 0 {
		return c.Config.BackOff[0], design.Index(design.Join(c.Path, "backoff"), 0)
	}
	return c.Config.AckWait, design.Join(c.Path, "ack_wait")
}

// Acks reports whether the server waits for acks of this consumer.
func (c *Consumer) Acks() bool { return c.Config.AckPolicy.String() != "None" && c.Config.AckWait > 0 }

// Handlers are the handlers that work at the same time: the sum of count ×
// concurrency; 0 without workers.
func (c *Consumer) Handlers() int {
	n := 0.0
	for _, w := range c.Workers {
		n += float64(w.Count) * float64(w.Concurrency)
	}
	return whole(n)
}

// whole is a number that is not negative as a count: what no int holds is the largest
// that people still read, and what is no number is 0.
func whole(n float64) int {
	const most = 1e15
	if !(n > 0) {
		return 0
	}
	return int(math.Min(n, most))
}

// PerSecond is how many messages a second the workers finish when none waits;
// ok is false when a group's service time is not known.
func (c *Consumer) PerSecond() (rate float64, ok bool) {
	for _, w := range c.Workers {
		mean, known := Mean(w.ServiceTime)
		if !known || mean <= 0 {
			return 0, false
		}
		rate += float64(w.Count) * float64(w.Concurrency) / mean.Seconds()
	}
	return rate, len(c.Workers) > 0
}

// handlersFor is how many handlers take what arrives, messages a second, and a
// fifth of their time is left; PerSecond is known. Where there is none yet, they are
// as fast as the first group would be.
func (c *Consumer) handlersFor(arriving float64) int {
	rate, _ := c.PerSecond()
	each := rate / float64(c.Handlers())
	if rate == 0 {
		mean, _ := Mean(c.Workers[0].ServiceTime)
		each = 1 / mean.Seconds()
	}
	return whole(math.Ceil(arriving / each / 0.8))
}

// perSecond writes a rate of messages for people: "0.2 messages", "1,200 messages".
func perSecond(rate float64) string {
	if rate < 10 && rate != math.Trunc(rate) {
		return fmt.Sprintf("%.2g messages", rate)
	}
	return messages(rate)
}

// Failing is the sum of the shares of deliveries after which a message comes
// again, of every group of workers.
func (c *Consumer) Failing() float64 {
	share := 0.0
	for _, w := range c.Workers {
		for _, e := range w.Errors {
			if e.Redelivers() {
				share += e.Rate
			}
		}
	}
	return share
}

// Errors are the shares of deliveries that the workers end with an action: nak,
// term, ack, nothing or ack_lost.
func (c *Consumer) Errors(action string) []design.Errors {
	var out []design.Errors
	for _, w := range c.Workers {
		for _, e := range w.Errors {
			if e.Action == action && e.Rate > 0 {
				out = append(out, e)
			}
		}
	}
	return slices.Clip(out)
}
