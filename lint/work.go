package lint

import (
	"math"
	"slices"
	"time"

	"weir/design"
)

// Share is the share of draws of a distribution above a value, from 0 to 1; ok is
// false when the distribution does not say (absent, or a trace).
func Share(d design.Distribution, above time.Duration) (share float64, ok bool) {
	x := float64(above)
	switch d.Kind {
	case design.DistConstant:
		if d.Mean > x {
			return 1, true
		}
		return 0, true
	case design.DistExponential:
		return math.Exp(-x / d.Mean), d.Mean > 0
	case design.DistLognormal:
		mu, sigma, ok := lognormal(d)
		if !ok || x <= 0 {
			return 1, ok
		}
		if sigma == 0 {
			return map[bool]float64{true: 1, false: 0}[math.Exp(mu) > x], true
		}
		return 0.5 * math.Erfc((math.Log(x)-mu)/(sigma*math.Sqrt2)), true
	}
	return 0, false
}

// z99 is the 99th percentile of the standard normal distribution.
const z99 = 2.3263478740408408

// lognormal is the mean and deviation of the logarithm. {mean, p99} is solved for
// the smaller deviation, as the simulator does.
func lognormal(d design.Distribution) (mu, sigma float64, ok bool) {
	if d.P99 <= 0 {
		return 0, 0, false
	}
	if d.P50 > 0 {
		return math.Log(d.P50), math.Max(0, math.Log(d.P99/d.P50)/z99), true
	}
	// p99 = exp(mu + z sigma) and mean = exp(mu + sigma²/2).
	root := z99*z99 - 2*math.Log(d.P99/d.Mean)
	if d.Mean <= 0 || root < 0 {
		return 0, 0, false
	}
	sigma = z99 - math.Sqrt(root)
	return math.Log(d.Mean) - sigma*sigma/2, sigma, true
}

// Mean is the mean of a distribution; ok is false when it does not say.
func Mean(d design.Distribution) (mean time.Duration, ok bool) {
	switch d.Kind {
	case design.DistConstant, design.DistExponential:
		return time.Duration(d.Mean), true
	case design.DistLognormal:
		mu, sigma, ok := lognormal(d)
		return time.Duration(math.Exp(mu + sigma*sigma/2)), ok
	}
	return 0, false
}

// P99 is the 99th percentile of a distribution; ok is false when it does not say.
func P99(d design.Distribution) (p99 time.Duration, ok bool) {
	switch d.Kind {
	case design.DistConstant:
		return time.Duration(d.Mean), true
	case design.DistExponential:
		return time.Duration(d.Mean * math.Log(100)), true
	case design.DistLognormal:
		return time.Duration(d.P99), d.P99 > 0
	}
	return 0, false
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
	n := 0
	for _, w := range c.Workers {
		n += w.Count * w.Concurrency
	}
	return n
}

// PerSecond is how many messages a second the workers finish when none waits;
// ok is false when a group's service time is not known.
func (c *Consumer) PerSecond() (rate float64, ok bool) {
	for _, w := range c.Workers {
		mean, known := Mean(w.ServiceTime)
		if !known || mean <= 0 {
			return 0, false
		}
		rate += float64(w.Count*w.Concurrency) / mean.Seconds()
	}
	return rate, len(c.Workers) > 0
}

// Errors are the shares of deliveries that the workers end with an action: nak,
// term, ack or nothing.
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
