package sim

import "weir/design"

// WantedGoal is one goal of a design for one consumer.
type WantedGoal struct {
	Path string // where the design says it
	// Name is the goal's: latency_p50, latency_p95, latency_p99, oldest_pending,
	// pending, drain, handled_twice, lost, rejected or utilisation.
	Name     string
	Consumer int     // in Workload.Consumers
	Limit    float64 // nanoseconds, messages, or a share from 0 to 1
}

// goalKinds are the goals that a run answers, in the order of the design's
// table, and how a design holds their limits.
var goalKinds = []struct {
	name  string
	limit func(design.Goals) float64
}{
	{"latency_p50", func(g design.Goals) float64 { return float64(g.LatencyP50) }},
	{"latency_p95", func(g design.Goals) float64 { return float64(g.LatencyP95) }},
	{"latency_p99", func(g design.Goals) float64 { return float64(g.LatencyP99) }},
	{"oldest_pending", func(g design.Goals) float64 { return float64(g.OldestPending) }},
	{"pending", func(g design.Goals) float64 { return float64(g.Pending) }},
	{"drain", func(g design.Goals) float64 { return float64(g.Drain) }},
	{"handled_twice", func(g design.Goals) float64 { return g.HandledTwice }},
	{"lost", func(g design.Goals) float64 { return g.Lost }},
	{"rejected", func(g design.Goals) float64 { return g.Rejected }},
	{"utilisation", func(g design.Goals) float64 { return g.Utilisation }},
}

// goals collects what the design wants of each consumer that somebody works on:
// its own goals, its stream's, the design's, the nearest one of each name.
func (b *builder) goals() {
	for _, c := range b.read {
		if len(c.Workers) == 0 {
			continue
		}
		for _, kind := range goalKinds {
			for _, level := range []design.Goals{c.Goals, c.stream.Goals, b.d.Goals} {
				path := design.Join(level.Path, kind.name)
				if level.Path != "" && b.d.Has(path) {
					b.m.Goals = append(b.m.Goals, WantedGoal{path, kind.name, c.index, kind.limit(level)})
					break
				}
			}
		}
	}
	b.m.Survive = b.d.Goals.Survive
}
