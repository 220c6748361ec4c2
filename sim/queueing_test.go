package sim

import (
	"context"
	"math"
	"runtime"
	"testing"
	"time"
)

// textbook is a workload that is one of the queues of the textbooks: Poisson
// arrivals, c servers, no overhead.
func textbook(servers int, gap Draw, service Draw) Workload {
	return Workload{
		Streams:    []Stream{{Name: "Q", Retention: WorkQueue}},
		Consumers:  []Consumer{{Stream: "Q", Name: "c", AckWait: time.Hour, MaxAckPending: -1}},
		Publishers: []Publisher{{Name: "p", Stream: "Q", Subjects: []string{"q"}, Mode: PublishAsync, Phases: []Phase{{Interval: gap}}}},
		Workers:    []WorkerGroup{{Name: "w", Stream: "Q", Consumer: "c", Count: servers, Batch: 1, Service: service}},
	}
}

// erlangC is the mean wait in M/M/c, in the unit of 1/mu.
func erlangC(c int, rho float64) float64 {
	a := rho * float64(c)
	sum, term := 0.0, 1.0
	for k := range c {
		sum += term
		term *= a / float64(k+1)
	}
	wait := term / (1 - rho)
	return wait / (sum + wait) / (float64(c) * (1 - rho))
}

// moment is the mean of the square.
func moment(d Draw) float64 {
	sum := 0.0
	for i := range uint64(quantileSteps) {
		v := float64(d(i<<52|1<<51, 1, 1))
		sum += v * v
	}
	return sum / quantileSteps
}

// TestClosedForms compares mean waits with the formulas, within the 99.9 %
// confidence interval over seeds.
func TestClosedForms(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the same bytes as natively, which TestTraceHashes holds; slow here")
	}
	const mean = 10e6 // ns
	exponential := Exponential(mean)
	heavy := LognormalMean(mean, 4*mean)
	for _, test := range []struct {
		name    string
		servers int
		rho     float64
		service Draw
		want    float64 // in ns
	}{
		{"M/M/1", 1, 0.8, exponential, mean * erlangC(1, 0.8)},
		{"M/D/1", 1, 0.8, Constant(mean), mean * 0.8 / (2 * 0.2)},
		{"M/M/4", 4, 0.8, exponential, mean * erlangC(4, 0.8)},
		{"M/M/20", 20, 0.9, exponential, mean * erlangC(20, 0.9)},
		{"M/G/1 lognormal", 1, 0.7, heavy, 0.7 / mean * moment(heavy) / (2 * 0.3)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			const seeds = 16
			arrivals := 30_000 + 3_000*test.servers
			if raceDetector {
				arrivals /= 5 // the interval is wider
			}
			each := int64(mean / test.rho / float64(test.servers))
			gap, length := Exponential(each), time.Duration(int64(arrivals)*each)
			results, err := Repeat(context.Background(), textbook(test.servers, gap, test.service), Options{Until: length}, seeds, 2)
			if err != nil {
				t.Fatal(err)
			}
			var means []float64
			for _, res := range results {
				c := res.Consumers[0]
				means = append(means, c.Wait.sum/float64(c.Wait.Count()))
				little(t, res, float64(test.servers))
			}
			m, half := interval(means)
			t.Logf("mean wait %.3f ms ± %.3f, formula %.3f ms", m/1e6, half/1e6, test.want/1e6)
			if math.Abs(m-test.want) > half {
				t.Errorf("mean wait %.3f ms ± %.3f does not hold %.3f ms", m/1e6, half/1e6, test.want/1e6)
			}
		})
	}
}

// interval is the mean and half of the 99.9 % interval of 16 values (Student's
// t with 15 degrees of freedom).
func interval(v []float64) (mean, half float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	s := 0.0
	for _, x := range v {
		s += (x - mean) * (x - mean)
	}
	return mean, 4.073 * math.Sqrt(s/float64(len(v)-1)/float64(len(v)))
}

// little checks Little's law, on the servers and on the queue: mean number =
// rate x mean time, from samples.
func little(t *testing.T, res *Result, servers float64) {
	t.Helper()
	c := res.Consumers[0]
	pending, inHand := 0.0, 0.0
	for _, p := range c.Series {
		pending += float64(p.NumPending) / float64(len(c.Series))
		inHand += float64(p.NumAckPending) / float64(len(c.Series))
	}
	seconds := res.Ended.Seconds()
	rate := float64(c.Unique) / seconds
	busy := 0.0
	for _, w := range res.Workers {
		busy += float64(w.Busy) / 1e9
	}
	if got, want := inHand, busy/seconds; math.Abs(got-want) > 0.15*servers {
		t.Errorf("%.3f in hand, %.3f by Little's law", got, want)
	}
	if got, want := pending, rate*c.Wait.Mean().Seconds(); math.Abs(got-want) > 0.35*want+0.1 {
		t.Errorf("%.3f pending, %.3f by Little's law", got, want)
	}
}

// TestDistributions: means are exact, percentiles those that were asked for.
func TestDistributions(t *testing.T) {
	at := func(d Draw, p float64) float64 { return float64(d(uint64(p*(1<<62))<<2, 1, 1)) }
	for _, test := range []struct {
		name           string
		d              Draw
		mean, p50, p99 float64
	}{
		{"exponential", Exponential(1e6), 1e6, 0.6931e6, 4.605e6},
		{"lognormal", Lognormal(20e6, 400e6), 0, 20e6, 400e6},
		{"lognormal by mean", LognormalMean(1e6, 8e6), 1e6, 0, 8e6},
		{"uniform", Uniform(0, 100), 50, 50, 100},
		{"constant", Constant(7), 7, 7, 7},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, x := range []struct {
				what      string
				got, want float64
			}{{"mean", MeanOf(test.d), test.mean}, {"p50", at(test.d, 0.5), test.p50}, {"p99", at(test.d, 0.99), test.p99}} {
				if x.want != 0 && math.Abs(x.got-x.want) > 0.01*x.want+0.5 {
					t.Errorf("%s = %v, want %v", x.what, x.got, x.want)
				}
			}
		})
	}
	if got, want := exp(1), math.E; math.Abs(got-want) > 1e-15 {
		t.Errorf("exp(1) = %v", got)
	}
	for x := -600.0; x < 600; x += 7.3 {
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 1e-13*want {
			t.Errorf("exp(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestHistogram: every value is in a bucket whose top is at most 1.6 % above it.
func TestHistogram(t *testing.T) {
	var h Histogram
	for v := int64(1); v < 1<<50; v += v/7 + 1 {
		top := bucketTop(bucket(v))
		if top < v || float64(top) > 1.0161*float64(v) {
			t.Fatalf("bucket of %d ends at %d", v, top)
		}
		h.Record(v)
	}
	if h.Percentile(100) != h.Max() || h.Percentile(0.0001) > 2 || h.Count() == 0 {
		t.Errorf("percentiles %v to %v of %d values up to %v", h.Percentile(0.0001), h.Percentile(100), h.Count(), h.Max())
	}
}
