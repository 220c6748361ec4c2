package design

// Distribution is how a size (in bytes) or a duration (in nanoseconds) varies.
// The zero Distribution is one that was not given.
type Distribution struct {
	Kind DistKind
	// Mean is the value itself for DistConstant, the mean for DistExponential and
	// for a DistLognormal given by {mean, p99}; else 0.
	Mean float64
	// P50 and P99 are the median and the 99th percentile of a DistLognormal; P50
	// is 0 when the mean is given.
	P50, P99 float64
	// Trace names the CSV file of a DistEmpirical.
	Trace string
}

// DistKind is the family of a Distribution.
type DistKind uint8

// The families: one value, {mean}, {p50, p99} or {mean, p99}, {trace}.
const (
	DistAbsent DistKind = iota
	DistConstant
	DistExponential
	DistLognormal
	DistEmpirical
)

// readDist reads a distribution of a shape (kindDist); what cannot be read is
// absent.
func readDist(n *Node, s *shape) Distribution {
	number := func(n *Node) float64 {
		if n == nil {
			return 0
		}
		v, err := s.elem.decode(n, nil)
		if err != nil {
			return 0
		}
		return float64(v.Int)
	}
	switch {
	case n == nil || n.Null || n.Kind == List:
		return Distribution{}
	case n.Kind == Scalar:
		v, err := s.elem.decode(n, nil)
		if err != nil {
			return Distribution{}
		}
		return Distribution{Kind: DistConstant, Mean: float64(v.Int)}
	}
	d := Distribution{Mean: number(n.Get("mean")), P50: number(n.Get("p50")), P99: number(n.Get("p99"))}
	trace := n.Get("trace")
	switch {
	case trace != nil && len(n.Keys) == 1:
		return Distribution{Kind: DistEmpirical, Trace: trace.Text}
	case n.Get("p99") != nil && len(n.Keys) == 2 && trace == nil:
		d.Kind = DistLognormal
	case n.Get("mean") != nil && len(n.Keys) == 1:
		d.Kind = DistExponential
	default:
		return Distribution{}
	}
	return d
}
