package design

import "math"

// z99 is the 99th percentile of the standard normal distribution.
const z99 = 2.3263478740408408

// mostOfMean is how many times the mean a 99th percentile can be in any distribution
// of what is not negative: a hundredth of the draws is that large (Markov).
const mostOfMean = 100

// Known reports whether the shape is given: not for a distribution that is absent,
// for a trace, and for a {mean, p99} that no lognormal distribution has.
func (d Distribution) Known() bool {
	switch d.Kind {
	case DistConstant, DistExponential:
		return true
	case DistLognormal:
		return d.P99 > 0 && (d.P50 > 0 || d.Mean > 0 && 2*math.Log(d.P99/d.Mean) <= z99*z99)
	}
	return false
}

// Lognormal returns the parameters of a DistLognormal: the natural logarithm of
// a draw is normal with mean mu and standard deviation sigma. Both are 0 for the
// other kinds.
func (d Distribution) Lognormal() (mu, sigma float64) {
	switch {
	case d.Kind != DistLognormal || d.P99 <= 0:
		return 0, 0
	case d.P50 > 0:
		return math.Log(d.P50), math.Log(max(d.P99/d.P50, 1)) / z99
	case d.Mean <= 0:
		return 0, 0
	}
	// ln p99 = mu + z sigma and ln mean = mu + sigma²/2.
	sigma = z99 - math.Sqrt(max(0, z99*z99-2*math.Log(max(d.P99/d.Mean, 1))))
	return math.Log(d.Mean) - sigma*sigma/2, sigma
}

// MeanValue is the mean of a distribution, in its own unit; 0 for one that was
// not given and for a DistEmpirical, whose trace is not read here.
func (d Distribution) MeanValue() float64 {
	if d.Kind == DistLognormal && d.P50 > 0 {
		mu, sigma := d.Lognormal()
		return math.Exp(mu + sigma*sigma/2)
	}
	return d.Mean
}

// Deviation is the standard deviation of a distribution, in its own unit.
func (d Distribution) Deviation() float64 {
	switch d.Kind {
	case DistExponential:
		return d.Mean
	case DistLognormal:
		_, sigma := d.Lognormal()
		return d.MeanValue() * math.Sqrt(math.Expm1(sigma*sigma))
	}
	return 0
}

// P99Value is the 99th percentile: what was given, or what follows from the
// mean. 0 where nothing is known.
func (d Distribution) P99Value() float64 {
	switch d.Kind {
	case DistLognormal:
		return d.P99
	case DistExponential:
		return d.Mean * math.Log(100)
	}
	return d.Mean
}

// Exceeds is the share of draws that are larger than a value, from 0 to 1.
func (d Distribution) Exceeds(v float64) float64 {
	switch {
	case d.Kind == DistExponential && d.Mean > 0:
		return math.Exp(-max(v, 0) / d.Mean)
	case d.Kind == DistLognormal:
		mu, sigma := d.Lognormal()
		if v <= 0 {
			return 1
		}
		if sigma > 0 {
			return math.Erfc((math.Log(v)-mu)/(sigma*math.Sqrt2)) / 2
		}
		return oneIf(math.Exp(mu) > v)
	}
	return oneIf(d.Mean > v)
}

// Quantile is the value that a share q of the draws does not exceed, for q
// between 0 and 1, both exclusive.
func (d Distribution) Quantile(q float64) float64 {
	switch d.Kind {
	case DistExponential:
		return -d.Mean * math.Log1p(-q)
	case DistLognormal:
		mu, sigma := d.Lognormal()
		return math.Exp(mu + sigma*math.Sqrt2*math.Erfinv(2*q-1))
	}
	return d.Mean
}

func oneIf(above bool) float64 {
	if above {
		return 1
	}
	return 0
}
