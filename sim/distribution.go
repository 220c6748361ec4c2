package sim

import (
	"math"
	"math/bits"
	"slices"
)

// Draw gives a value (nanoseconds, bytes, an index) for number n and attempt
// (from 1) from a uniform 64-bit number u that belongs to exactly that number
// and attempt. A Draw has no state: asked twice, it answers the same, so a run
// of waiting messages needs no memory and two designs under the same seed see
// the same work.
type Draw func(u, n uint64, attempt int) int64

// quantileSteps is the resolution of a distribution: a table of this many
// equally likely values. No Exp or Pow is evaluated while the simulation runs,
// and none of the math package's at all, because they give other bits on amd64
// than under wasm.
const quantileSteps = 4096

// Constant always gives v.
func Constant(v int64) Draw {
	return func(uint64, uint64, int) int64 { return v }
}

// Exponential has the given mean. Each of its steps is the mean of its share of
// the distribution, so the mean is exact; the variance is 0.03 % short.
func Exponential(mean int64) Draw {
	t := make([]float64, quantileSteps)
	for i := range t {
		a, b := float64(i)/quantileSteps, float64(i+1)/quantileSteps
		t[i] = quantileSteps * (negLogPrimitive(1-a) - negLogPrimitive(1-b)) * float64(mean)
	}
	return table(t)
}

// negLogPrimitive is the integral of -log(x).
func negLogPrimitive(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return float64(x - float64(x*math.Log(x)))
}

// z99 is the 0.99 quantile of the standard normal distribution.
const z99 = 2.3263478740408408

// Lognormal has the given median and 99th percentile.
func Lognormal(p50, p99 int64) Draw {
	if p50 <= 0 || p99 <= p50 {
		return Constant(max(p50, 0))
	}
	sigma := math.Log(float64(p99)/float64(p50)) / z99
	return lognormal(math.Log(float64(p50)), sigma)
}

// LognormalMean has the given mean and 99th percentile. The pair may be
// impossible (a 99th percentile above 14.9 means): then the widest is taken.
func LognormalMean(mean, p99 int64) Draw {
	if mean <= 0 || p99 <= mean {
		return Constant(max(mean, 0))
	}
	// p99/mean = exp(z*sigma - sigma^2/2); the smaller root.
	l := math.Log(float64(p99) / float64(mean))
	d := max(0, float64(z99*z99)-2*l)
	sigma := z99 - math.Sqrt(d)
	return lognormal(math.Log(float64(mean))-float64(sigma*sigma)/2, sigma)
}

// lognormal fills the last step so that the mean is the exact one: its tail is
// beyond the table.
func lognormal(mu, sigma float64) Draw {
	t := make([]float64, quantileSteps)
	sum := 0.0
	for i := range t {
		p := (float64(i) + 0.5) / quantileSteps
		t[i] = exp(mu + float64(sigma*float64(math.Sqrt2*math.Erfinv(2*p-1))))
		if i < quantileSteps-1 {
			sum += t[i]
		}
	}
	mean := exp(mu + float64(sigma*sigma)/2)
	last := quantileSteps - 1
	t[last] = max(t[last], float64(mean*quantileSteps)-sum)
	return table(t)
}

// Uniform is equally likely between low and high, both included.
func Uniform(low, high int64) Draw {
	if high <= low {
		return Constant(low)
	}
	span := uint64(high-low) + 1
	return func(u, _ uint64, _ int) int64 {
		hi, _ := bits.Mul64(u, span)
		return low + int64(hi)
	}
}

// Empirical draws each value as often as it is in values.
func Empirical(values []int64) Draw {
	if len(values) == 0 {
		return Constant(0)
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := uint64(len(sorted))
	return func(u, _ uint64, _ int) int64 {
		hi, _ := bits.Mul64(u, n)
		return sorted[hi]
	}
}

// Trace gives the values in order, and the last one for ever.
func Trace(values []int64) Draw {
	if len(values) == 0 {
		return Constant(0)
	}
	t := slices.Clone(values)
	return func(_, n uint64, _ int) int64 {
		return t[min(max(n, 1), uint64(len(t)))-1]
	}
}

// MeanOf is the mean of d over its steps, at number 1 and attempt 1.
func MeanOf(d Draw) float64 {
	if d == nil {
		return 0
	}
	sum := 0.0
	for i := range uint64(quantileSteps) {
		sum += float64(d(i<<52|1<<51, i+1, 1))
	}
	return sum / quantileSteps
}

// table rounds the steps to integers, carrying what rounding takes.
func table(t []float64) Draw {
	var q [quantileSteps]int64
	carry := 0.0
	for i, v := range t {
		v = min(v, 1<<62)
		q[i] = max(0, int64(math.Floor(v+carry+0.5)))
		carry += v - float64(q[i])
	}
	if slices.Max(q[:]) > math.MaxInt32 {
		return func(u, _ uint64, _ int) int64 { return q[u>>52] }
	}
	var small [quantileSteps]int32 // half of the cache
	for i, v := range q {
		small[i] = int32(v)
	}
	return func(u, _ uint64, _ int) int64 { return int64(small[u>>52]) }
}

// exp is e to the x, from additions and multiplications alone, so that it gives
// the same bits everywhere. The conversions forbid fused multiply-adds.
func exp(x float64) float64 {
	if x > 700 {
		x = 700
	}
	if x < -700 {
		return 0
	}
	k := math.Floor(x/math.Ln2 + 0.5)
	r := float64(x - float64(k*math.Ln2))
	sum, term := 1.0, 1.0
	for i := 1; i < 18; i++ {
		term = float64(term*r) / float64(i)
		sum += term
	}
	return math.Ldexp(sum, int(k))
}

// streamKey is the key of a named stream of random numbers: FNV-1a of the name,
// mixed with the seed, so that a new behaviour does not shift the others.
func streamKey(seed uint64, name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return mix(h ^ mix(seed))
}

// mix is the finalizer of splitmix64.
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// golden is the increment of splitmix64.
const golden = 0x9e3779b97f4a7c15

// number is the n-th number of the stream key (splitmix64 read at n).
func number(key, n uint64) uint64 { return mix(key + n*golden) }
