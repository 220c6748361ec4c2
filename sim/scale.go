package sim

import (
	"math"
	"time"
)

// Scale is how a proof run is scaled down from a design. The zero value of a
// field is 1.
type Scale struct {
	Time float64 // by which times of the design are divided, and rates multiplied
	Rate float64 // share of the rates, in scaled time
	// Workers gives a group's count of processes and of handlers in each.
	Workers func(g *WorkerGroup) (count, concurrency int)
	Publish time.Duration // how long is published; 0 is to the end of the run
	Expires time.Duration // of pull requests at most; 0 is the design's own
	// Published are shares of the scaled rates that publishers keep to, by name; 1 of
	// those that it does not have.
	Published map[string]float64
}

// Scaled is the model of a proof run: what of it depends on time is shorter, what
// depends on numbers smaller, and what is the server's own stays.
func (m *Model) Scaled(s Scale) *Model {
	by, rate := s.Time, s.Rate
	if by <= 0 {
		by = 1
	}
	if rate <= 0 {
		rate = 1
	}
	shorter := func(d time.Duration) time.Duration { return time.Duration(float64(d) / by) }
	out := *m
	out.Streams = append([]Stream(nil), m.Streams...)
	for i := range out.Streams {
		x := &out.Streams[i]
		x.MaxAge, x.DuplicateWindow = shorter(x.MaxAge), shorter(x.DuplicateWindow)
	}
	out.Consumers = append([]Consumer(nil), m.Consumers...)
	for i := range out.Consumers {
		c := &out.Consumers[i]
		if c.AckWait <= 0 {
			c.AckWait = defaultAckWait
		}
		c.AckWait = shorter(c.AckWait)
		steps := c.BackOff
		c.BackOff = nil
		for _, b := range steps {
			c.BackOff = append(c.BackOff, shorter(b))
		}
	}
	out.Publishers = append([]Publisher(nil), m.Publishers...)
	for i := range out.Publishers {
		p := &out.Publishers[i]
		phases := p.Phases
		p.Phases = nil
		of := by * rate
		if share := s.Published[processOf(p.Name)]; share > 0 {
			of *= share
		}
		for _, ph := range phases {
			ph.Interval, ph.Mean = stretched(ph.Interval, 1/of), int64(float64(ph.Mean)/of)
			if s.Publish > 0 && (ph.Until == 0 || ph.Until > s.Publish) {
				ph.Until = s.Publish
			}
			p.Phases = append(p.Phases, ph)
		}
	}
	out.Workers = append([]WorkerGroup(nil), m.Workers...)
	for i := range out.Workers {
		out.Workers[i].scale(s, by)
	}
	return &out
}

func (g *WorkerGroup) scale(s Scale, by float64) {
	g.Service, g.InProgress = stretched(g.Service, 1/by), time.Duration(float64(g.InProgress)/by)
	if act := g.Act; act != nil {
		g.Act = func(u, seq uint64, delivery int) Action {
			a := act(u, seq, delivery)
			a.Delay = time.Duration(float64(a.Delay) / by)
			return a
		}
	}
	if s.Workers != nil {
		g.Count, g.Concurrency = s.Workers(g)
	}
	if s.Expires > 0 && (g.Expires <= 0 || g.Expires > s.Expires) {
		g.Expires = s.Expires
	}
}

func stretched(d Draw, by float64) Draw {
	if d == nil || by == 1 {
		return d
	}
	return func(u, seq uint64, delivery int) int64 {
		return int64(math.Round(float64(d(u, seq, delivery)) * by))
	}
}
