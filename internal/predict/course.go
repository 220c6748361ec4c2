package predict

import (
	"math"
	"time"

	"weir/sim"
)

// near is how far from a look a simulated moment may be to be laid beside it: two
// looks are as far apart.
const near = 100 * time.Millisecond

// mostPoints bounds the points of a simulated run's series.
const mostPoints = 4_000

// step is the time between two points of the simulated series.
func (r *Run) step() time.Duration {
	return max(near/2, r.Until/mostPoints)
}

// course is what the simulated runs had to be acknowledged at each look.
func (c *Consumer) course(results []*sim.Result, consumer int, step time.Duration) Course {
	out := Course{Path: c.Path, Name: c.Name}
	for _, ms := range c.Pending.AtMS {
		at := time.Duration(ms) * time.Millisecond
		low, high, sum, n := int64(math.MaxInt64), int64(0), 0.0, 0.0
		for _, result := range results {
			series := result.Consumers[consumer].Series
			// Point k is at (k+1) steps.
			from, to := int((at-near)/step)-1, int((at+near)/step)-1
			for k := max(0, min(from, len(series)-1)); k <= max(0, min(to, len(series)-1)) && k < len(series); k++ {
				open := series[k].NumPending + series[k].NumAckPending
				low, high, sum, n = min(low, open), max(high, open), sum+float64(open), n+1
			}
		}
		out.Low, out.High = append(out.Low, min(low, high)), append(out.High, high)
		out.Predicted = append(out.Predicted, int64(math.Round(sum/max(1, n))))
	}
	return out
}
