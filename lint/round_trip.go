package lint

import "slices"

// roundTrip is a shortest way from a place back to itself along steps to further
// places, nil without one.
func roundTrip[Place comparable, Step any](steps map[Place][]Step, to func(Step) Place, from Place) []Step {
	ways, seen := [][]Step{nil}, map[Place]bool{}
	for len(ways) > 0 {
		way, at := ways[0], from
		ways = ways[1:]
		if len(way) > 0 {
			at = to(way[len(way)-1])
		}
		for _, step := range steps[at] {
			longer, next := append(slices.Clone(way), step), to(step)
			if next == from {
				return longer
			}
			if !seen[next] {
				seen[next] = true
				ways = append(ways, longer)
			}
		}
	}
	return nil
}
