package interview

import (
	"fmt"
	"math"
	"time"

	"weir/sim"
	"weir/size"
)

// busyAtMost is the share of the time that workers are busy on a normal day.
const busyAtMost = 0.7

// mostWorkers is what a design file takes for one group.
const mostWorkers = 100_000

// crew is who works for a reader.
type crew struct {
	count, fetch       int
	countFor, fetchFor string // the reasons
}

// crews finds for each reader how many workers keep up, and what they fetch.
func (n *needs) crews() (out []crew, faults []Fault) {
	for i, r := range n.readers {
		c, err := n.crew(&r)
		if err != nil {
			faults = append(faults, Fault{fmt.Sprintf("reader %d", i+1), err.Error()})
			continue
		}
		out = append(out, c)
	}
	return out, faults
}

func (n *needs) crew(r *reader) (crew, error) {
	share := 1.0
	if r.types != nil {
		share = float64(len(r.types)) / float64(len(n.types))
	}
	service := sim.Exponential(int64(r.takes))
	if r.slowest > 0 {
		service = sim.Lognormal(int64(r.takes), int64(r.slowest))
	}
	a, err := sim.Recommend(sim.ConsumerNeeds{Rate: n.rate * share, Concurrency: r.atATime, Service: service})
	if err != nil {
		return crew{}, err
	}
	pace := a.Capacity / float64(a.Count)
	c := crew{count: a.Count, fetch: a.Fetch}
	for _, rec := range a.List {
		if rec.Setting == "fetch" {
			c.fetchFor = rec.Reason
		}
	}
	usual, peak := n.rate*share, n.peak*share
	need, why := usual/busyAtMost, fmt.Sprintf("%s a second keep them busy for at most %s of the time", size.FormatCount(math.Ceil(usual)), size.Share.Format(busyAtMost))
	if peak > usual {
		// Of what the peak leaves over, the last waits until the rest is done: half of
		// the goal, so that chance and a fault have the other half.
		wait := n.patience() / 2
		if burst := peak * n.peakFor.Seconds() / (n.peakFor + wait).Seconds(); burst > need {
			need, why = burst, fmt.Sprintf("with fewer, the last message of the peak would wait for more than %s, half of what it may", size.FormatDuration(wait))
		}
	}
	if fit := math.Ceil(need / pace); fit > mostWorkers {
		return crew{}, fmt.Errorf("%s would need %s workers; give a worker more at a time, or make the work quicker", r.Name, size.FormatCount(fit))
	} else if int(fit) > c.count {
		c.count = int(fit)
	}
	c.countFor = fmt.Sprintf("one takes %s; %s", size.PerSecond.Format(pace), why)
	if float64(c.count-1)*pace >= need {
		c.countFor = fmt.Sprintf("one takes %s and would do; another goes on while it is restarted", size.PerSecond.Format(pace))
	}
	return c, nil
}

// patience is how long a message may wait: the goal, or a tenth of the time that it
// is kept.
func (n *needs) patience() time.Duration {
	if n.wait > 0 {
		return n.wait
	}
	return n.keep / 10
}
