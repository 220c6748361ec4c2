package design

import (
	"math"
	"testing"
)

// TestDistributionShape holds the shapes to what follows from their definition:
// the tail beyond a quantile is what the quantile leaves, and the moments are
// those of the tail's integral.
func TestDistributionShape(t *testing.T) {
	tests := []struct {
		name string
		d    Distribution
	}{
		{"exponential", Distribution{Kind: DistExponential, Mean: 100}},
		{"median and p99", Distribution{Kind: DistLognormal, P50: 20, P99: 400}},
		{"mean and p99", Distribution{Kind: DistLognormal, Mean: 1000, P99: 5000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 0.9999} {
				if got := tt.d.Exceeds(tt.d.Quantile(q)); math.Abs(got-(1-q)) > 1e-9 {
					t.Errorf("beyond the quantile of %v lies %v", q, got)
				}
			}
			if got := tt.d.Quantile(0.99); math.Abs(got/tt.d.P99Value()-1) > 1e-6 {
				t.Errorf("quantile of 0.99 is %v, P99Value %v", got, tt.d.P99Value())
			}
			// E X = ∫ P(X > x) dx and E X² = ∫ 2x P(X > x) dx, up to where the
			// rest is beyond notice.
			mean, square, h := 0.0, 0.0, tt.d.MeanValue()/200
			for x := h / 2; x < 400*tt.d.MeanValue(); x += h {
				mean += tt.d.Exceeds(x) * h
				square += 2 * x * tt.d.Exceeds(x) * h
			}
			if math.Abs(mean/tt.d.MeanValue()-1) > 0.01 {
				t.Errorf("mean %v, the tail gives %v", tt.d.MeanValue(), mean)
			}
			if dev := math.Sqrt(square - mean*mean); math.Abs(dev/tt.d.Deviation()-1) > 0.05 {
				t.Errorf("deviation %v, the tail gives %v", tt.d.Deviation(), dev)
			}
		})
	}
	for d, known := range map[Distribution]bool{
		{}:                                         false,
		{Kind: DistEmpirical, Trace: "a.csv"}:      false,
		{Kind: DistConstant}:                       true,
		{Kind: DistLognormal, Mean: 1, P99: 14}:    true,
		{Kind: DistLognormal, Mean: 1, P99: 16}:    false, // beyond exp(z²/2) = 14.97 times the mean
		{Kind: DistLognormal, P50: 1, P99: 10_000}: true,
	} {
		if d.Known() != known {
			t.Errorf("%+v is known: %v", d, d.Known())
		}
	}
	if c := (Distribution{Kind: DistConstant, Mean: 5}); c.Exceeds(4) != 1 || c.Exceeds(5) != 0 || c.Quantile(0.3) != 5 || c.Deviation() != 0 {
		t.Error("a constant is not constant")
	}
	if (Distribution{}).MeanValue() != 0 || (Distribution{}).P99Value() != 0 {
		t.Error("what was not given has a mean")
	}
}
