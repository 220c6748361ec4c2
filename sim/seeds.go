package sim

import (
	"context"
	"math"
	"slices"
	"sync"
)

// Repeat runs w with seeds o.Seed, o.Seed+1, …, at most parallel runs at once,
// and gives the results in the order of the seeds. The first error ends it, and
// comes with the results of the runs that were over by then; where none was, with
// that of the one that had come farthest.
// Progress of o is called with the share of all runs, from one goroutine at a
// time; Trace is not called.
func Repeat(ctx context.Context, w Workload, o Options, seeds, parallel int) ([]*Result, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o.Trace = nil
	shares := &sharedProgress{report: o.Progress, done: make([]float64, seeds)}
	results := make([]*Result, seeds)
	var first error
	var mu sync.Mutex // of farthest
	var farthest *Result
	var once sync.Once
	var wait sync.WaitGroup
	turn := make(chan struct{}, max(1, parallel))
	for i := range seeds {
		turn <- struct{}{}
		if ctx.Err() != nil {
			break // what is running ends, and nothing else begins
		}
		wait.Add(1)
		go func() {
			defer func() { <-turn; wait.Done() }()
			own := o
			own.Seed += uint64(i)
			if o.Progress != nil {
				own.Progress = func(done float64) bool { return shares.set(i, done) }
			}
			res, err := Run(ctx, w, own)
			if err != nil {
				once.Do(func() { first = err; cancel() })
				mu.Lock()
				defer mu.Unlock()
				if res != nil && (farthest == nil || res.Ended > farthest.Ended) {
					farthest = res
				}
				return
			}
			results[i] = res
		}()
	}
	wait.Wait()
	if first == nil && slices.Contains(results, nil) {
		first = ctx.Err()
	}
	if first != nil {
		over := slices.DeleteFunc(results, func(r *Result) bool { return r == nil })
		if len(over) == 0 && farthest != nil {
			over = []*Result{farthest}
		}
		return over, first
	}
	return results, nil
}

// sharedProgress adds the progress of several runs up.
type sharedProgress struct {
	mu      sync.Mutex
	report  func(float64) bool
	done    []float64
	sum     float64
	stopped bool
}

func (p *sharedProgress) set(i int, done float64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum += done - p.done[i]
	p.done[i] = done
	p.stopped = p.stopped || !p.report(p.sum/float64(len(p.done)))
	return !p.stopped
}

// student95 are the quantiles of Student's distribution for two-sided 95 %
// intervals, by degrees of freedom from 1; beyond the table it is 1.96.
var student95 = [...]float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
	2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042}

// Interval is the mean of the values and half of its 95 % confidence interval; of
// fewer than two values the half is 0, and says nothing.
func Interval(values []float64) (mean, half float64) {
	n := float64(len(values))
	if n == 0 {
		return 0, 0
	}
	for _, v := range values {
		mean += v / n
	}
	if n < 2 {
		return mean, 0
	}
	square := 0.0
	for _, v := range values {
		square += (v - mean) * (v - mean)
	}
	t := 1.96
	if f := len(values) - 2; f < len(student95) {
		t = student95[f]
	}
	return mean, t * math.Sqrt(square/(n-1)/n)
}
